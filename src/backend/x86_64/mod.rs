//! The kernels for x86-64, with limbs of 64 bits.

pub(crate) mod adx;
