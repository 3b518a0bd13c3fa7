//! How the bytes of a fuzzer become numbers, the same way in every target and in `seeds.py`.

// Numbers of either storage from and to num-bigint, as in the tests.
#[path = "../../tests/common/mod.rs"]
pub mod common;

use arbitrary::Unstructured;
use num_bigint::BigUint;

/// The widest number, in bits: a limb beyond 4096 and one that is not full.
const WIDEST: u32 = 4200;

/// Bytes that are read from the front; behind their end all is zero, so that every input is a valid one.
pub struct Input<'a>(Unstructured<'a>);

impl<'a> Input<'a> {
    pub fn new(data: &'a [u8]) -> Self {
        Input(Unstructured::new(data))
    }

    pub fn byte(&mut self) -> u8 {
        self.array::<1>()[0]
    }

    pub fn short(&mut self) -> u32 {
        u16::from_le_bytes(self.array()).into()
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.fill_buffer(&mut bytes).expect("zeros when there are no more");
        bytes
    }

    /// What is left.
    pub fn rest(self) -> &'a [u8] {
        self.0.take_rest()
    }

    /// Bits of a number, 1 to 4200, or to `limit` if that is less.
    pub fn bits(&mut self, limit: u32) -> u32 {
        self.short() % limit.min(WIDEST) + 1
    }

    /// A number of at most so many bits. A first byte of 0: its bytes, low one first. Else word by word: of 64 bits
    /// that are all zeros, all ones or next to it, or next to the middle, or eight bytes as they are.
    pub fn number(&mut self, bits: u32) -> BigUint {
        const LOW: u64 = (1 << 32) - 1;
        const HALF: u64 = 1 << 63;
        const PRONE: [u64; 11] = [0, 1, 2, LOW, LOW + 1, !LOW, HALF - 1, HALF, HALF + 1, !1, !0];
        let mut bytes = vec![0; bits.div_ceil(8) as usize];
        if self.byte() == 0 {
            self.0.fill_buffer(&mut bytes).expect("zeros when there are no more");
        } else {
            for chunk in bytes.chunks_mut(8) {
                let tag = usize::from(self.byte() % 16);
                let word = PRONE.get(tag).copied().unwrap_or_else(|| u64::from_le_bytes(self.array()));
                chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
            }
        }
        BigUint::from_bytes_le(&bytes) % common::power_of_two(bits)
    }
}

/// Runs `$check(home, …)` on the heap in `$bits`, and on the stack in the narrowest of a few widths that hold it.
#[macro_export]
macro_rules! homes {
    ($bits:expr, $check:ident($($arg:expr),*)) => {{
        use tautochrone::limbs_for;
        use $crate::common::{Heap, Stack};
        $check(Heap($bits), $($arg),*);
        match $bits {
            0..=64 => $check(Stack::<{ limbs_for(64) }>, $($arg),*),
            65..=256 => $check(Stack::<{ limbs_for(256) }>, $($arg),*),
            257..=521 => $check(Stack::<{ limbs_for(521) }>, $($arg),*),
            522..=1024 => $check(Stack::<{ limbs_for(1024) }>, $($arg),*),
            1025..=2048 => $check(Stack::<{ limbs_for(2048) }>, $($arg),*),
            _ => {}
        }
    }};
}
