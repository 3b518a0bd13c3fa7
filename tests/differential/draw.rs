//! What is drawn: widths, and numbers with limbs at the ends, in the middle and beside them.

use num_bigint::BigUint;
use proptest::collection::vec;
use proptest::prelude::*;
use tautochrone::Limb;

/// The widest number, in limbs.
pub const WIDEST: usize = 70;

/// Cases of each property. There is no file of old failures: what proptest prints is small enough to become a test.
pub fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { cases: count, failure_persistence: None, ..ProptestConfig::default() }
}

/// A width in limbs: one in three is among the short ones, one in three among those that also live on the stack.
pub fn width() -> impl Strategy<Value = usize> {
    prop_oneof![1..=9_usize, 1..=WIDEST, proptest::sample::select(STACKS)]
}

/// Runs `$check(home, …)` on the heap and, for the widths in this list, on the stack. The list is also [`STACKS`].
macro_rules! homes {
    ($n:expr, $check:ident($($arg:expr),*)) => {
        $crate::draw::homes!($n, $check($($arg),*), 1 2 3 4 6 8 9 16 33 64)
    };
    ($n:expr, $check:ident $args:tt, $($stack:literal)*) => {{
        $crate::draw::call!($check, $crate::common::Heap($n as u32 * tautochrone::Limb::BITS), $args);
        match $n {
            $($stack => $crate::draw::call!($check, $crate::common::Stack::<$stack>, $args),)*
            _ => {}
        }
    }};
}
macro_rules! call {
    ($check:ident, $home:expr, ($($arg:expr),*)) => {
        $check($home, $($arg),*)
    };
}
pub(crate) use {call, homes};
pub const STACKS: &[usize] = &[1, 2, 3, 4, 6, 8, 9, 16, 33, 64];

pub fn limb() -> impl Strategy<Value = Limb> {
    const HALF: Limb = Limb::MAX / 2 + 1;
    let prone = [0, 0, 1, 2, HALF - 1, HALF, HALF + 1, Limb::MAX - 1, Limb::MAX, Limb::MAX];
    prop_oneof![3 => proptest::sample::select(prone.to_vec()), 1 => any::<Limb>()]
}

/// A number of `n` limbs; one in four has zeros on top.
pub fn number(n: usize) -> impl Strategy<Value = BigUint> {
    let kept = prop_oneof![3 => Just(n), 1 => 0..=n];
    (vec(limb(), n), kept).prop_map(|(mut limbs, kept)| {
        limbs[kept..].fill(0);
        value(&limbs)
    })
}

/// A number of at most `n` limbs that is not zero, odd or even, of any length in bits.
pub fn divisor(n: usize) -> impl Strategy<Value = BigUint> {
    (vec(limb(), n), length(n)).prop_map(|(limbs, length)| of_length(&value(&limbs), length))
}

/// An odd number of at most `n` limbs, at least 3, of any length in bits.
pub fn odd(n: usize) -> impl Strategy<Value = BigUint> {
    (vec(limb(), n), length(n))
        .prop_map(|(limbs, length)| of_length(&value(&limbs), length.max(2)) | BigUint::from(1_u8))
}

/// A length in bits within `n` limbs: the whole width in one of two cases, and about it in one of four.
fn length(n: usize) -> impl Strategy<Value = u64> {
    let width = n as u64 * u64::from(Limb::BITS);
    prop_oneof![2 => Just(width), 1 => width - u64::from(Limb::BITS) + 1..=width, 1 => 1..=width]
}

fn value(limbs: &[Limb]) -> BigUint {
    let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    BigUint::from_bytes_le(&bytes)
}

/// The low bits of `x` under a leading one: `length` bits in all.
pub fn of_length(x: &BigUint, length: u64) -> BigUint {
    let top = BigUint::from(1_u8) << (length - 1);
    (x % &top) | top
}

/// `k` from around the multiples of a limb and of the width, or anywhere up to three widths.
pub fn amount(n: usize) -> impl Strategy<Value = u32> {
    let (limb, width) = (Limb::BITS, n as u32 * Limb::BITS);
    let near = [0, limb, 2 * limb, width - limb, width, width + limb, 2 * width, 3 * width];
    prop_oneof![
        (proptest::sample::select(near.to_vec()), 0..=2_u32).prop_map(|(near, more)| (near + more).saturating_sub(1)),
        0..=3 * width,
        0..=9_u32,
    ]
}
