//! The rsa crate, without blinding, which its callers choose.

use super::{KeyOp, Library, NumberOp};
use crate::keys::TestKey;
use crate::operands::{Operands, trimmed};
use crate::task::Task;
use rsa::hazmat::rsa_decrypt_and_check;
use rsa::pkcs8::DecodePrivateKey;
use rsa::rand_core::{TryCryptoRng, TryRng};
use rsa::{BoxedUint, PrivateKey};
use std::convert::Infallible;
use std::hint::black_box;

pub struct Rsa;

/// The type of the generator that is not given.
enum NoRng {}

impl TryRng for NoRng {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        match *self {}
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        match *self {}
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
        match *self {}
    }
}

impl TryCryptoRng for NoRng {}

impl Library for Rsa {
    fn name(&self) -> &'static str {
        "rsa"
    }

    fn number(&self, _op: NumberOp, _operands: &Operands) -> Option<Task> {
        None
    }

    fn key(&self, op: KeyOp, key: &TestKey) -> Option<Task> {
        let pkcs8 = key.pkcs8;
        let padded = BoxedUint::from_be_slice(&key.padded, key.bits).expect("the width holds it");
        let load = move || PrivateKey::from_pkcs8_der(black_box(pkcs8)).expect("the key is good");
        let sign = move |key: &PrivateKey| {
            rsa_decrypt_and_check(key, None::<&mut NoRng>, black_box(&padded)).expect("the operation succeeds")
        };
        Some(match op {
            KeyOp::Private => Task::new(
                (load(), BoxedUint::zero()),
                move |(key, signature)| *signature = sign(key),
                |(_, signature)| trimmed(&signature.to_be_bytes()),
            ),
            // With the validation that its loader makes.
            KeyOp::Load => Task::new(
                None,
                move |key| *key = Some(load()),
                move |key| trimmed(&sign(key.as_ref().expect("a call went before")).to_be_bytes()),
            ),
        })
    }
}
