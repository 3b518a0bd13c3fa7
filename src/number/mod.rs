//! Number theory on secrets.

pub(crate) mod exponent;
