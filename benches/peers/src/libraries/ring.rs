//! ring, which has no raw operations: it hashes and pads [`MESSAGE`], which takes next to no time.

use super::{KeyOp, Library, NumberOp};
use crate::keys::{MESSAGE, TestKey};
use crate::operands::{Operands, trimmed};
use crate::task::Task;
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use std::hint::black_box;

pub struct Ring;

impl Library for Ring {
    fn name(&self) -> &'static str {
        "ring"
    }

    fn number(&self, _op: NumberOp, _operands: &Operands) -> Option<Task> {
        None
    }

    fn key(&self, op: KeyOp, key: &TestKey) -> Option<Task> {
        let (pkcs8, size) = (key.pkcs8, key.padded.len());
        let load = move || RsaKeyPair::from_pkcs8(black_box(pkcs8)).expect("the key is good");
        let random = SystemRandom::new();
        let sign = move |key: &RsaKeyPair, signature: &mut [u8]| {
            key.sign(&RSA_PKCS1_SHA256, &random, black_box(MESSAGE), signature).expect("the operation succeeds");
        };
        Some(match op {
            KeyOp::Private => Task::new(
                (load(), vec![0; size]),
                move |(key, signature)| sign(key, signature),
                |(_, signature)| trimmed(signature),
            ),
            KeyOp::Load => Task::new(
                None,
                move |key| *key = Some(load()),
                move |key| {
                    let mut signature = vec![0; size];
                    sign(key.as_ref().expect("a call went before"), &mut signature);
                    trimmed(&signature)
                },
            ),
        })
    }
}
