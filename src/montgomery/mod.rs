//! Arithmetic modulo an odd number, in Montgomery form.

mod modulus;
mod pow;
mod residue;
#[cfg(all(test, feature = "rsa"))]
mod testing;

pub use modulus::Modulus;
pub use pow::{Budget, PowSteps, pow_pair};
pub use residue::Residue;
