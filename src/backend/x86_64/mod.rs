//! Kernels for x86-64 with limbs of 64 bits, each behind a token that only detection on the running CPU can make.
#![allow(unsafe_code)]

pub(crate) mod adx;
pub(crate) mod ifma;
