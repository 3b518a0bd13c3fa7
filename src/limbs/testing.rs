//! What the tests of several files share.

use crate::limb::{LIMB_BYTES, Limb};
use num_bigint::BigUint;
use std::vec::Vec;

/// Widths in limbs, and numbers whose limbs make carries run: ends, the middle, and their neighbours.
pub(crate) struct Carries(u64);

impl Carries {
    pub(crate) fn new() -> Carries {
        Carries(0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        (self.word() >> 11) % bound
    }

    pub(crate) fn limb(&mut self) -> Limb {
        const HALF: Limb = Limb::MAX / 2 + 1;
        let prone = [0, 0, 1, 2, HALF - 1, HALF, HALF + 1, Limb::MAX - 1, Limb::MAX, Limb::MAX];
        match self.below(12) as usize {
            i if i < prone.len() => prone[i],
            _ => self.word() as Limb,
        }
    }

    /// A number of `n` limbs; one in four has zeros on top.
    pub(crate) fn limbs(&mut self, n: usize) -> Vec<Limb> {
        let mut x: Vec<Limb> = (0..n).map(|_| self.limb()).collect();
        if self.below(4) == 0 {
            let kept = self.below(n as u64 + 1) as usize;
            x[kept..].fill(0);
        }
        x
    }
}

/// The value of these limbs.
pub(crate) fn big(x: &[Limb]) -> BigUint {
    let bytes: Vec<u8> = x.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    BigUint::from_bytes_le(&bytes)
}

/// The limbs of this value mod B^n.
pub(crate) fn limbs(value: &BigUint, n: usize) -> Vec<Limb> {
    let mut bytes = value.to_bytes_le();
    bytes.resize(n * LIMB_BYTES, 0);
    bytes.chunks_exact(LIMB_BYTES).map(|chunk| Limb::from_le_bytes(chunk.try_into().unwrap())).collect()
}
