//! Kernels for x86-64, each behind a token that only detection on the running CPU can make.

pub(crate) mod ifma;
