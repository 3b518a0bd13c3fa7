//! What the benches share: the sizes, the operands, and the time that criterion may take.
// Each bench is a crate of its own, and none uses all of this.
#![allow(dead_code, unused_macros, unused_imports)]

use criterion::Criterion;
use std::time::Duration;
use tautochrone::{Modulus, Public, Residue, Uint};

/// Calls `f::<N>(bits, …)` for each size that is measured, N being the limbs that hold so many bits.
macro_rules! for_each_size {
    ($f:ident($($arg:expr),*)) => {
        for_each_size!(@sizes [256 384 512 521 1024 1536 2048 3072 4096] $f($($arg),*))
    };
    (@sizes [$($bits:literal)*] $f:ident $args:tt) => {
        $(for_each_size!(@size $bits $f $args);)*
    };
    (@size $bits:literal $f:ident ($($arg:expr),*)) => {
        $f::<{ tautochrone::limbs_for($bits) }>($bits, $($arg),*)
    };
}
pub(crate) use for_each_size;

/// Criterion with so little time for each id that all of `cargo bench` takes a few minutes. The command line wins.
pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1500))
        .sample_size(50)
        .nresamples(20_000)
}

/// Samples of what takes milliseconds each: as few as criterion accepts.
pub const FEW_SAMPLES: usize = 10;

/// The shift that sets up a Montgomery context with one limb to spare: k = 64n + 64, where n limbs of 64 bits hold
/// the modulus.
pub const fn shift(bits: u32) -> u32 {
    64 * limbs64(bits) + 64
}

/// Limbs of 64 bits, whatever a limb has on this target: figures stay comparable.
pub const fn limbs64(bits: u32) -> u32 {
    bits.div_ceil(64)
}

/// Operands of exactly `bits` bits, the same in each run.
pub struct Operands<const N: usize> {
    /// Odd.
    pub modulus: Uint<N>,
    /// Two different numbers below the modulus.
    pub x: Uint<N>,
    pub y: Uint<N>,
}

impl<const N: usize> Operands<N> {
    pub fn new(bits: u32) -> Self {
        // The modulus begins with the bits 11, the others with 10: all have full length, and they are below it.
        let mut modulus = bytes(bits, 0b11, 1);
        modulus[bits.div_ceil(8) as usize - 1] |= 1;
        let number = |bytes: &[u8]| Uint::from_be_bytes(bytes).expect("the width holds so many bits");
        Operands { modulus: number(&modulus), x: number(&bytes(bits, 0b10, 2)), y: number(&bytes(bits, 0b10, 3)) }
    }

    /// The modulus as what was never secret.
    pub fn public_modulus(&self) -> Public<Uint<N>> {
        tautochrone::ct::declassify(self.modulus.clone(), "a bench has no secrets")
    }

    /// x and y modulo the modulus.
    pub fn residues(
        &self,
        m: &Modulus<[tautochrone::Limb; N]>,
    ) -> (Residue<[tautochrone::Limb; N]>, Residue<[tautochrone::Limb; N]>) {
        (m.residue(&self.x), m.residue(&self.y))
    }
}

/// A number of exactly `bits` bits, high byte first, that begins with the two bits `top`.
pub fn bytes(bits: u32, top: u8, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut bytes: Vec<u8> = (0..bits.div_ceil(8)).map(|_| (splitmix64(&mut state) >> 56) as u8).collect();
    // 521 bits leave one in the first byte, so the pair is set across two.
    let mut set = |bit: u32, value: u8| {
        let (i, at) = ((bits.div_ceil(8) - 1 - bit / 8) as usize, bit % 8);
        bytes[i] = bytes[i] & !(1 << at) | value << at;
    };
    (bits..bits.next_multiple_of(8)).for_each(|bit| set(bit, 0));
    set(bits - 1, top >> 1);
    set(bits - 2, top & 1);
    bytes
}

/// Steele, Lea and Flood's generator.
fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
