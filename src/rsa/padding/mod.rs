//! Paddings.

pub mod pkcs1v15;
