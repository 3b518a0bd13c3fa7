//! The libraries, ours and the rivals: each says which operations it has.

mod aws_lc;
mod bn;
mod crypto_bigint;
mod gmp;
mod num_bigint;
mod openssl;
mod ours;
mod ring;
mod rsa;

use crate::keys::TestKey;
use crate::operands::Operands;
use crate::task::Task;
pub use ours::{Ours, default_backend};

/// What is done with numbers. Whatever ends in a number begins with one: conversions are part of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NumberOp {
    /// A context of the modulus in constant time, and its end. The result is x·y by the last one.
    SetupSecret,
    /// The same in variable time.
    SetupPublic,
    /// One step of the chain x := x·y, in Montgomery form.
    MontMul,
    /// One step of the chain x := x², in Montgomery form.
    MontSquare,
    /// x^exponent.
    Pow,
    /// x^[`PUBLIC_EXPONENT`](crate::operands::PUBLIC_EXPONENT), which is no secret.
    PowPublic,
}

/// What is done with RSA keys. The result is a signature, raw or of [`MESSAGE`](crate::keys::MESSAGE).
#[derive(Clone, Copy)]
pub enum KeyOp {
    /// The private operation.
    Private,
    /// From DER to a key that is checked and ready, and its end.
    Load,
}

/// One library. What it lacks is `None`.
pub trait Library {
    fn name(&self) -> &'static str;

    fn number(&self, op: NumberOp, operands: &Operands) -> Option<Task>;

    /// Whether the operation is one that the library offers. One that we made of its parts is shown, but no rival.
    fn offers(&self, _op: NumberOp) -> bool {
        true
    }

    /// x^exponent for two moduli at once.
    fn pow_pair(&self, first: &Operands, second: &Operands) -> Option<Task> {
        Some(Task::both(self.number(NumberOp::Pow, first)?, self.number(NumberOp::Pow, second)?))
    }

    fn key(&self, _op: KeyOp, _key: &TestKey) -> Option<Task> {
        None
    }
}

/// Ours first.
pub fn all(ours: Ours) -> Vec<Box<dyn Library>> {
    vec![
        Box::new(ours),
        Box::new(aws_lc::LIBRARY),
        Box::new(openssl::LIBRARY),
        Box::new(gmp::Gmp),
        Box::new(crypto_bigint::Fixed),
        Box::new(crypto_bigint::Boxed),
        Box::new(num_bigint::NumBigint),
        Box::new(rsa::Rsa),
        Box::new(ring::Ring),
    ]
}
