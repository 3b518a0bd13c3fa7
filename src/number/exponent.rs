//! Private exponents of a small public e, without an inverse of full width.
//!
//! e·x ≡ 1 mod m has the solution x = (1 + k·m)/e with k = −m⁻¹ mod e: one small remainder, one inverse of a word, one
//! product by a word and one exact division by a word (Hensel's, from the low limb up), whatever the size of m.

use crate::backend::Backend;
use crate::ct::barrier::barrier;
use crate::limb::{LIMB_BITS, Limb, limbs_for, mul_add, neg_inverse};
use crate::limbs::add;
use crate::nat::{BoxedUint, Uint};
use subtle::{Choice, ConstantTimeEq};

/// A number below 2^64.
type Word = Uint<{ limbs_for(u64::BITS) }>;

/// (x, whether gcd(e, m) = 1): x := e⁻¹ mod m, as wide as m; some number where there is no inverse.
///
/// Requires: m ≥ 2. Leaks: the width of m, and e, which is public: odd, ≥ 3. With 1 ≤ k ≤ e − 1 the quotient is below m:
/// 1 + (e − 1)·m < e·m.
pub(crate) fn private_exponent(m: &BoxedUint, e: u64) -> (BoxedUint, Choice) {
    let bits = u64::BITS - e.leading_zeros();
    let e_wide = Word::from_u64(e);
    let (inverse, coprime) = invert_word(word(&m.rem_bounded(&e_wide, bits)), e);
    let k = Word::from_u64(e.wrapping_sub(inverse));

    let (n, small) = (m.as_limbs().len(), limbs_for(bits));
    let mut t = BoxedUint::zero((n + small) as u32 * LIMB_BITS);
    let mut carry = Word::ZERO;
    let mut x = m.zeros();
    let (e, k) = (&e_wide.as_limbs()[..small], &k.as_limbs()[..small]);
    Backend::of_width(k.len()).mul(t.as_mut_limbs(), m.as_limbs(), k);
    // k·m + 1 is divisible by e and below e·B^n: no carry leaves t.
    add::add_limb(t.as_mut_limbs(), 1);
    div_exact(x.as_mut_limbs(), &t.as_limbs()[..n], e, &mut carry.as_mut_limbs()[..small]);
    (x, coprime)
}

/// The value of a number below 2^64.
fn word(x: &Word) -> u64 {
    // Shifts by the width of u64 and more do not occur: the limbs of `Word` together have 64 bits.
    x.as_limbs().iter().rev().fold(0, |word, limb| (word << (LIMB_BITS % u64::BITS)) | u64_from(*limb))
}

#[allow(clippy::useless_conversion, reason = "A limb may have any width.")]
fn u64_from(limb: Limb) -> u64 {
    u64::from(limb)
}

/// x := t·e⁻¹ mod B^n: where e divides the number whose low n limbs are t and the quotient is below B^n, that quotient.
///
/// Hensel's division, from the low limb up: xᵢ := (tᵢ − aᵢ)·e⁻¹ mod B makes limb i of a + xᵢ·e equal to tᵢ, and what is
/// above, a := ⌊(a + xᵢ·e)/B⌋, is what the limbs from i + 1 on still owe. a ≤ e − 1 throughout: (e − 1 + (B − 1)·e)/B < e.
///
/// Sizes: x and t alike (n limbs), e and the scratch a alike. Requires: e odd. Leaks: nothing of x and t.
fn div_exact(x: &mut [Limb], t: &[Limb], e: &[Limb], a: &mut [Limb]) {
    assert!(x.len() == t.len() && a.len() == e.len());
    let neg_inverse = neg_inverse(e[0]);
    a.fill(0);
    for (x, t) in x.iter_mut().zip(t) {
        *x = a[0].wrapping_sub(*t).wrapping_mul(neg_inverse);
        let (_, mut carry) = mul_add(*x, e[0], a[0], 0);
        for j in 1..e.len() {
            (a[j - 1], carry) = mul_add(*x, e[j], a[j], carry);
        }
        a[e.len() - 1] = carry;
    }
}

/// All ones for 1, 0 for 0.
#[inline(always)]
fn mask(bit: u64) -> u64 {
    (barrier(bit as usize) as u64).wrapping_neg()
}

/// (x, whether gcd(r, e) = 1) with r·x ≡ 1 mod e, x < e; some number below e where there is no inverse.
///
/// Requires: r < e, e odd and ≥ 3. Leaks: e, which is public.
///
/// The binary algorithm with right shifts (Knuth 4.5.2, algorithm B, with one cofactor), under masks. Throughout
/// a ≡ u·r and b ≡ v·r mod e, b is odd, gcd(a, b) = gcd(r, e). A step makes a even, by subtracting the lesser from the
/// greater if it is not, and halves it.
///
/// Bound: while a > 0 a step takes at least one bit from len(a) + len(b). An even a loses one; from two odd numbers the
/// lesser stays and the greater g becomes (g − l)/2 ≤ g/2. With e of L bits the sum begins at 2L or less, and it is 2 or
/// more while a > 0, since b ≥ 1: after 2L − 1 steps a = 0, and b is the gcd. Steps after that leave b and v alone.
fn invert_word(r: u64, e: u64) -> (u64, Choice) {
    let (mut a, mut b, mut u, mut v) = (r, e, 1, 0);
    let half = e / 2 + 1;
    for _ in 0..2 * (u64::BITS - e.leading_zeros()) - 1 {
        let odd = mask(a & 1);
        let (_, less) = a.overflowing_sub(b);
        let swap = odd & mask(u64::from(less));
        let (ab, uv) = (swap & (a ^ b), swap & (u ^ v));
        (a, b, u, v) = (a ^ ab, b ^ ab, u ^ uv, v ^ uv);
        a = a.wrapping_sub(odd & b) >> 1;
        let (difference, borrow) = u.overflowing_sub(odd & v);
        u = difference.wrapping_add(mask(u64::from(borrow)) & e);
        // An odd u is halved as (u + e)/2 = (u − 1)/2 + (e + 1)/2, which is below e.
        u = (u >> 1) + (mask(u & 1) & half);
    }
    (v, b.ct_eq(&1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limbs::testing::{Carries, big, limbs};
    use crate::nat::Nat;
    use num_bigint::BigUint;
    use std::vec;

    fn gcd(mut a: u64, mut b: u64) -> u64 {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    }

    #[test]
    fn every_inverse_of_a_small_modulus() {
        for e in (3..600).step_by(2) {
            for r in 0..e {
                let (x, coprime) = invert_word(r, e);
                assert_eq!(coprime.unwrap_u8() == 1, gcd(r, e) == 1, "{r} mod {e}");
                assert!(x < e);
                if gcd(r, e) == 1 {
                    assert_eq!(r * x % e, 1, "{r} mod {e}");
                }
            }
        }
    }

    #[test]
    fn inverses_of_every_length() {
        let mut carries = Carries::new();
        for length in 2..=64 {
            for round in 0..300_u64 {
                let top = 1_u64 << (length - 1);
                let e = match round {
                    0 => top | 1,
                    1 => top | (top - 1),
                    _ => top | (carries.word() & (top - 1)) | 1,
                };
                let r = match round % 5 {
                    0 => e - 1 - round % 3,
                    1 => (1 << (round % length)) % e,
                    _ => carries.word() % e,
                };
                let (x, coprime) = invert_word(r, e);
                assert_eq!(coprime.unwrap_u8() == 1, gcd(r, e) == 1);
                if gcd(r, e) == 1 {
                    assert_eq!(u128::from(r) * u128::from(x) % u128::from(e), 1, "{r} mod {e}");
                }
            }
        }
    }

    fn check(m: &BigUint, e: u64, n: usize) {
        let (x, coprime) = private_exponent(&Nat::of(limbs(m, n).into_boxed_slice()), e);
        let rest = (m % e).iter_u64_digits().next().unwrap_or(0);
        assert_eq!(coprime.unwrap_u8() == 1, gcd(rest, e) == 1, "{m} {e}");
        assert_eq!(x.as_limbs().len(), n);
        if gcd(rest, e) == 1 {
            let x = big(x.as_limbs());
            assert!(x < *m && (x * e) % m == BigUint::from(1_u8), "{m} {e}");
        }
    }

    #[test]
    fn every_small_modulus_and_exponent() {
        let n = limbs_for(16);
        for m in 2..4096_u32 {
            for e in [3, 5, 7, 9, 11, 15, 17, 255, 257, 4095, 65537] {
                check(&m.into(), e, n);
            }
        }
        for m in 2..260_u32 {
            for e in (3..300).step_by(2) {
                check(&m.into(), e, n);
            }
        }
    }

    #[test]
    fn against_big_integers() {
        let mut carries = Carries::new();
        for n in (1..=70).filter(|n| *n as u32 * LIMB_BITS > 8) {
            for length in [2, 8, 16, 17, 31, 32, 33, 48, 63, 64_u64] {
                let m = big(&carries.limbs(n));
                if m > BigUint::from(1_u8) {
                    let top = 1_u64 << (length - 1);
                    check(&m, top | (carries.word() & (top - 1)) | 1, n);
                    check(&m, u64::MAX >> (64 - length), n);
                }
            }
            for e in [3, 17, 257, 65537] {
                let m = big(&vec![Limb::MAX; n]) - carries.below(200);
                check(&m, e, n);
            }
        }
    }
}
