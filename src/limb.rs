//! One word of a number, the mask of that width, and the arithmetic of single words.

use crate::ct::barrier::barrier;
use core::ops::{BitAnd, BitOr, Not};
use subtle::Choice;

macro_rules! words {
    ($limb:ty, $double:ty) => {
        mod width {
            pub type Limb = $limb;
            pub(crate) type Double = $double;
        }
    };
}
#[cfg(tautochrone_limb = "8")]
words!(u8, u16);
#[cfg(tautochrone_limb = "16")]
words!(u16, u32);
#[cfg(tautochrone_limb = "32")]
words!(u32, u64);
#[cfg(tautochrone_limb = "64")]
words!(u64, u128);
#[cfg(not(any(tautochrone_limb = "8", tautochrone_limb = "16", tautochrone_limb = "32", tautochrone_limb = "64")))]
mod width {
    #[cfg(target_pointer_width = "64")]
    words!(u64, u128);
    #[cfg(not(target_pointer_width = "64"))]
    words!(u32, u64);
    pub(crate) use width::Double;
    pub use width::Limb;
}
pub(crate) use width::Double;

/// One word of a number: `u64` on 64-bit targets, `u32` on the others.
///
/// `--cfg tautochrone_limb="8"` (or 16, 32, 64) overrides it for tests.
///
/// ```
/// use tautochrone::{Limb, U256};
/// assert_eq!(U256::ZERO.as_limbs().len() * Limb::BITS as usize, 256);
/// ```
pub type Limb = width::Limb;

pub(crate) const LIMB_BITS: u32 = Limb::BITS;
pub(crate) const LIMB_BYTES: usize = size_of::<Limb>();

/// Limbs of a number of `bits` bits: the `N` of a `Uint<N>` in terms of bits.
///
/// ```
/// use tautochrone::{Limb, Uint, limbs_for};
/// let n = Uint::<{ limbs_for(521) }>::from_u64(3);
/// assert_eq!(n.bits_precision(), 521u32.next_multiple_of(Limb::BITS));
/// ```
pub const fn limbs_for(bits: u32) -> usize {
    bits.div_ceil(LIMB_BITS) as usize
}

/// All ones or all zeros, hidden from the optimiser when it is made.
#[derive(Clone, Copy)]
pub(crate) struct Mask(Limb);

impl Mask {
    /// The mask of a bit: `bit` is 0 or 1.
    #[inline(always)]
    pub(crate) fn of_bit(bit: Limb) -> Mask {
        // Nothing is known of the bit behind the barrier, not even that it is one: no branch can come of it.
        Mask((barrier(bit as usize) as Limb).wrapping_neg())
    }

    #[inline(always)]
    pub(crate) fn of_choice(choice: Choice) -> Mask {
        Mask::of_bit(Limb::from(choice.unwrap_u8()))
    }

    #[inline(always)]
    pub(crate) fn choice(self) -> Choice {
        Choice::from(self.bit() as u8)
    }

    #[inline(always)]
    pub(crate) fn bit(self) -> Limb {
        self.0 & 1
    }

    #[inline(always)]
    pub(crate) fn of_zero(x: Limb) -> Mask {
        Mask::of_bit(Limb::wrapping_sub(1, (x | x.wrapping_neg()) >> (LIMB_BITS - 1)))
    }

    #[inline(always)]
    pub(crate) fn of_equal(x: Limb, y: Limb) -> Mask {
        Mask::of_zero(x ^ y)
    }

    /// x < y.
    #[inline(always)]
    pub(crate) fn of_less(x: Limb, y: Limb) -> Mask {
        Mask::of_bit(sub_borrow(x, y, 0).1)
    }

    /// The mask as a 32-bit word, for counts and lengths.
    #[inline(always)]
    pub(crate) fn word(self) -> u32 {
        u32::from(self.bit() as u8).wrapping_neg()
    }

    /// `x` where the mask is set, else 0.
    #[inline(always)]
    pub(crate) fn keep(self, x: Limb) -> Limb {
        x & self.0
    }

    /// `a` where the mask is set, else `b`.
    #[inline(always)]
    pub(crate) fn select(self, a: Limb, b: Limb) -> Limb {
        b ^ (self.0 & (a ^ b))
    }
}

impl BitAnd for Mask {
    type Output = Mask;
    #[inline(always)]
    fn bitand(self, other: Mask) -> Mask {
        Mask(self.0 & other.0)
    }
}

impl BitOr for Mask {
    type Output = Mask;
    #[inline(always)]
    fn bitor(self, other: Mask) -> Mask {
        Mask(self.0 | other.0)
    }
}

impl Not for Mask {
    type Output = Mask;
    #[inline(always)]
    fn not(self) -> Mask {
        Mask(!self.0)
    }
}

/// `x`, of which the optimiser knows nothing any more.
#[inline(always)]
pub(crate) fn opaque(x: Limb) -> Limb {
    if LIMB_BITS <= usize::BITS { barrier(x as usize) as Limb } else { core::hint::black_box(x) }
}

/// (a + b + c mod B, carry), c ≤ 1.
#[inline(always)]
pub(crate) fn add_carry(a: Limb, b: Limb, c: Limb) -> (Limb, Limb) {
    split(Double::from(a) + Double::from(b) + Double::from(c))
}

/// (a − b − c mod B, borrow), c ≤ 1.
#[inline(always)]
pub(crate) fn sub_borrow(a: Limb, b: Limb, c: Limb) -> (Limb, Limb) {
    let (d, b1) = a.overflowing_sub(b);
    let (d, b2) = d.overflowing_sub(c);
    (d, Limb::from(b1) | Limb::from(b2))
}

/// (low, high) of a·b + c + d, which never overflows: (B−1)² + 2(B−1) = B² − 1.
#[inline(always)]
pub(crate) fn mul_add(a: Limb, b: Limb, c: Limb, d: Limb) -> (Limb, Limb) {
    split(Double::from(a) * Double::from(b) + Double::from(c) + Double::from(d))
}

/// (low, high) of a double word.
#[inline(always)]
pub(crate) fn split(x: Double) -> (Limb, Limb) {
    (x as Limb, (x >> LIMB_BITS) as Limb)
}

#[inline(always)]
pub(crate) fn join(low: Limb, high: Limb) -> Double {
    Double::from(low) | Double::from(high) << LIMB_BITS
}

/// −n⁻¹ mod B for odd n.
///
/// Newton: r ← r(2 − rn) doubles the correct low bits; 3n ⊕ 2 starts with five, so four rounds give 80.
#[inline(always)]
pub(crate) fn neg_inverse(n: Limb) -> Limb {
    let mut r = n.wrapping_mul(3) ^ 2;
    for _ in 0..4 {
        r = r.wrapping_mul(Limb::wrapping_sub(2, r.wrapping_mul(n)));
    }
    r.wrapping_neg()
}

/// ⌊(B² − 1)/d⌋ − B for a normalised d (top bit set), with neither a division instruction nor a table.
///
/// One body serves every limb: with D = d·2⁶⁴/B, ⌊(2¹²⁸ − 1)/D⌋ and ⌊(B² − 1)/d⌋ differ by a shift, since nested
/// floors of divisions by integers are one floor.
#[inline(always)]
#[allow(clippy::useless_conversion, reason = "A limb may be as wide as u64.")]
pub(crate) fn reciprocal(d: Limb) -> Limb {
    let shift = u64::BITS - LIMB_BITS;
    (reciprocal_64(u64::from(d) << shift) >> shift) as Limb
}

#[inline(always)]
fn mul_high(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

/// ⌊(2¹²⁸ − 1)/d⌋ − 2⁶⁴, d ≥ 2⁶³.
///
/// Write x = d/2⁶⁴ in [1/2, 1). The cubic p(x) = (3264 − 6784x + 6144x² − 2048x³)/578 has
/// 1 − x·p(x) = (T₄(4x − 3) + 1)/578 in [0, 2/578] (Chebyshev's polynomial of degree 4 on [1/2, 1]), so p approaches
/// 1/x from below with relative error e₀ ≤ 2^−8.1; y ← y(1 + e + e²) leaves e³: 2^−24.5, then 2^−73.5. With all
/// roundings downwards the last y is at most two units below, which the exact remainder repairs.
#[inline(always)]
fn reciprocal_64(d: u64) -> u64 {
    // Coefficients scaled by 2^60; the constant one is lowered by 2^−40, so that no rounding lifts p above 1/x.
    const ONE: u64 = 1 << 60;
    const C0: u64 = ((3264_u128 << 60) / 578) as u64 - (1 << 20);
    const C1: u64 = ((6784_u128 << 60) / 578) as u64;
    const C2: u64 = ((6144_u128 << 60) / 578) as u64;
    const C3: u64 = ((2048_u128 << 60) / 578) as u64;
    let y = C2 - mul_high(C3, d);
    let y = C1 - mul_high(y, d);
    let y = C0 - mul_high(y, d);
    // One less, for the part of the product that is cut off: e is not above the true error.
    let e = ONE - 1 - mul_high(y, d);
    let e = e + mul_high(e << 4, e);
    let y = y + mul_high(y << 2, e << 2);
    // The same with the error of the whole product, scaled by 2^88: below 2^(88 − 24.5).
    let e = ((1_u128 << 124) - u128::from(y) * u128::from(d)) >> 36;
    let e = e as u64;
    let e = e + (mul_high(e, e) >> 24);
    let y = (u128::from(y) << 4) + u128::from(mul_high(y, e) >> 20);
    // y is now scaled by 2^64, and 1/x > 1: where it stayed below one, the fraction is zero.
    let mut v = (y as u64) & ((y >> 64) as u64).wrapping_neg();
    let mut rest = !((u128::from(d) << 64) + u128::from(v) * u128::from(d));
    for _ in 0..2 {
        let (less, borrow) = rest.overflowing_sub(u128::from(d));
        let add = barrier(usize::from(!borrow)) as u64;
        v = v.wrapping_add(add);
        let mask = u128::from(add).wrapping_neg();
        rest ^= mask & (rest ^ less);
    }
    v
}

/// ⌊(B³ − 1)/(d₁B + d₀)⌋ − B, the top bit of `d1` set.
///
/// Möller and Granlund, "Improved division by invariant integers", algorithm 6, under masks.
#[inline(always)]
pub(crate) fn reciprocal_of_two(d1: Limb, d0: Limb) -> Limb {
    extend_reciprocal(d1, d0, reciprocal(d1))
}

/// The same with the hardware's division. Leaks: `d1`.
#[inline(always)]
pub(crate) fn reciprocal_of_two_vartime(d1: Limb, d0: Limb) -> Limb {
    extend_reciprocal(d1, d0, ((Double::MAX / Double::from(d1)) - (Double::from(Limb::MAX) + 1)) as Limb)
}

/// From v = ⌊(B² − 1)/d₁⌋ − B.
#[inline(always)]
fn extend_reciprocal(d1: Limb, d0: Limb, mut v: Limb) -> Limb {
    let mut p = d1.wrapping_mul(v);
    let (sum, carry) = add_carry(p, d0, 0);
    p = sum;
    // p wrapped: v is one too large, or two.
    let wrapped = Mask::of_bit(carry);
    v = v.wrapping_sub(wrapped.bit());
    let again = wrapped & !Mask::of_less(p, d1);
    v = v.wrapping_sub(again.bit());
    p = p.wrapping_sub(again.keep(d1)).wrapping_sub(wrapped.keep(d1));
    let (t0, t1) = split(Double::from(v) * Double::from(d0));
    let (sum, carry) = add_carry(p, t1, 0);
    let wrapped = Mask::of_bit(carry);
    v = v.wrapping_sub(wrapped.bit());
    // (p, t0) ≥ (d1, d0)
    let (_, low) = sub_borrow(t0, d0, 0);
    let (_, below) = sub_borrow(sum, d1, low);
    v.wrapping_sub((wrapped & Mask::of_bit(1 - below)).bit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words near the ends, near powers of two, and a stream that covers the rest.
    fn words(count: usize) -> impl Iterator<Item = u64> {
        let near = (0..64).flat_map(|k| (0..5).map(move |c| (1_u64 << k).wrapping_add(c).wrapping_sub(2)));
        let mut x = 0x9e37_79b9_7f4a_7c15_u64;
        near.chain((0..count).map(move |_| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x
        }))
    }

    #[test]
    fn reciprocal_equals_division() {
        for d in words(2_000_000).map(|d| d | 1 << 63) {
            let expected = (u128::MAX / u128::from(d)) - (1 << 64);
            assert_eq!(u128::from(reciprocal_64(d)), expected, "{d:#x}");
            // d just above 2^63 and just below 2^64 are the hard ends.
            for d in [(d >> 40) | 1 << 63, !(d >> 40)] {
                let expected = (u128::MAX / u128::from(d)) - (1 << 64);
                assert_eq!(u128::from(reciprocal_64(d)), expected, "{d:#x}");
            }
        }
        for d in words(1000).map(|d| d as Limb | 1 << (LIMB_BITS - 1)) {
            let expected = Double::MAX / Double::from(d) - Double::from(Limb::MAX) - 1;
            assert_eq!(Double::from(reciprocal(d)), expected);
        }
    }

    #[test]
    fn reciprocal_of_two_limbs() {
        // At 8 bits every divisor is among them.
        let tops = words(2000).map(|d| d as Limb | 1 << (LIMB_BITS - 1));
        for d1 in tops {
            for d0 in words(300).map(|w| w as Limb) {
                let v = reciprocal_of_two(d1, d0);
                assert_eq!(v, reciprocal_of_two_vartime(d1, d0));
                // (B + v)·d < B³ ≤ (B + v + 1)·d, the product in three limbs and a carry.
                let (p0, c) = split(Double::from(v) * Double::from(d0));
                let (p1, p2) = split(Double::from(v) * Double::from(d1) + Double::from(c));
                let (p1, carry) = add_carry(p1, d0, 0);
                let (p2, carry) = add_carry(p2, d1, carry);
                assert_eq!(carry, 0, "{d1:#x} {d0:#x}");
                let (_, carry) = add_carry(p0, d0, 0);
                let (_, carry) = add_carry(p1, d1, carry);
                assert_eq!((p2, carry), (Limb::MAX, 1), "{d1:#x} {d0:#x}");
            }
        }
    }

    #[test]
    fn inverse_of_the_low_limb() {
        for n in words(1000).map(|w| w as Limb | 1) {
            assert_eq!(n.wrapping_mul(neg_inverse(n)), Limb::MAX);
        }
    }

    #[test]
    fn masks() {
        for x in words(200).map(|w| w as Limb) {
            for y in words(10).map(|w| w as Limb) {
                assert_eq!(Mask::of_less(x, y).bit() == 1, x < y);
                assert_eq!(Mask::of_equal(x, y).bit() == 1, x == y);
                assert_eq!(Mask::of_less(x, y).select(x, y), x.min(y));
            }
        }
    }
}
