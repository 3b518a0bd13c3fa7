//! num-bigint, which has no Montgomery forms of its own to offer, and no constant time.

use super::{Library, NumberOp};
use crate::operands::{Operands, PUBLIC_EXPONENT};
use crate::task::Task;
use num_bigint::BigUint;
use std::hint::black_box;

pub struct NumBigint;

impl Library for NumBigint {
    fn name(&self) -> &'static str {
        "num-bigint"
    }

    fn number(&self, op: NumberOp, o: &Operands) -> Option<Task> {
        let exponent = match op {
            NumberOp::Pow => BigUint::from_bytes_be(&o.exponent),
            NumberOp::PowPublic => BigUint::from(PUBLIC_EXPONENT),
            _ => return None,
        };
        let [n, x] = [&o.modulus, &o.x].map(|bytes| BigUint::from_bytes_be(bytes));
        Some(Task::new(
            BigUint::default(),
            move |z| *z = black_box(&x).modpow(black_box(&exponent), &n),
            BigUint::to_bytes_be,
        ))
    }
}
