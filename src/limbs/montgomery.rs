//! Montgomery arithmetic, and R² of a secret modulus.
//!
//! R = B^n for a modulus N of n limbs, whatever its length in bits; n₀ = −N⁻¹ mod B.

use crate::limb::{LIMB_BITS, Limb, add_carry, limbs_for};
use crate::limbs::modular::{Divisor, reduce_once_into};
use crate::limbs::mul::{for_pieces, mul, square};
use crate::limbs::rows::Rows;
use crate::limbs::{modular, shift};

/// Evaluates `$body` with `$len`, a constant for the short lengths: there all loops are unrolled, and most limbs stay
/// in registers.
macro_rules! for_length {
    ($length:expr, |$len:ident| $body:expr) => {
        match $length {
            4 => {
                let $len = 4;
                $body
            }
            6 => {
                let $len = 6;
                $body
            }
            8 => {
                let $len = 8;
                $body
            }
            $len => $body,
        }
    };
}

/// z := z·b·R⁻¹ mod N.
///
/// Sizes: z, b, N alike, the scratch t twice as long. Requires: z·b < R·N, so one factor may be up to R.
/// Leaks: nothing. P. L. Montgomery, "Modular multiplication without trial division".
#[inline(always)]
pub(crate) fn mont_mul<R: Rows>(z: &mut [Limb], b: &[Limb], n: &[Limb], n0: Limb, t: &mut [Limb]) {
    for_length!(n.len(), |len| {
        let (z, b, n, t) = (&mut z[..len], &b[..len], &n[..len], &mut t[..2 * len]);
        mul::<R>(t, z, b);
        reduce::<R>(z, t, n, n0);
    });
}

/// z := z²·R⁻¹ mod N. Sizes and the rest as in [`mont_mul`].
#[inline(always)]
pub(crate) fn mont_square<R: Rows>(z: &mut [Limb], n: &[Limb], n0: Limb, t: &mut [Limb]) {
    for_length!(n.len(), |len| {
        let (z, n, t) = (&mut z[..len], &n[..len], &mut t[..2 * len]);
        square::<R>(t, z);
        reduce::<R>(z, t, n, n0);
    });
}

/// z := t·R⁻¹ mod N; t is used up.
///
/// Sizes: z and N alike, t twice as long. Requires: t < R·N. Then (t + q·N)/R < (R·N + R·N)/R = 2N.
#[inline(always)]
pub(crate) fn reduce<R: Rows>(z: &mut [Limb], t: &mut [Limb], n: &[Limb], n0: Limb) {
    assert!(z.len() == n.len() && t.len() == 2 * n.len());
    let mut carry = 0;
    for_pieces!(n, |i, piece| carry = reduce_piece::<R, _>(&mut t[i..], carry, n, n0, piece));
    reduce_once_into(z, &t[n.len()..], carry, n);
}

/// [`reduce_rows`] for as many rows as the piece of N has limbs.
#[inline(always)]
fn reduce_piece<R: Rows, const W: usize>(t: &mut [Limb], carry: Limb, n: &[Limb], n0: Limb, _: &[Limb; W]) -> Limb {
    reduce_rows::<R, W>(&mut t[..n.len() + W], carry, n, n0)
}

/// Clears the `W` low limbs of t by adding a multiple of N; `carry` goes in at limb n, and the new one comes out.
///
/// Sizes: t `W` limbs longer than N, which has at least `W`.
#[inline(always)]
fn reduce_rows<R: Rows, const W: usize>(t: &mut [Limb], mut carry: Limb, n: &[Limb], n0: Limb) -> Limb {
    let (low, t) = t.split_first_chunk_mut::<W>().expect("t is longer than W limbs");
    let (n_low, n_high) = n.split_first_chunk::<W>().expect("N has at least W limbs");
    // The window starts on the low limbs; each quotient q clears the lowest one and moves it up by one.
    let mut w = *low;
    let mut q = [0; W];
    for q in &mut q {
        *q = w[0].wrapping_mul(n0);
        R::mul_add_block(&mut w, &mut [0], &[*q], n_low);
    }
    let (t, top) = t.split_at_mut(n_high.len());
    R::mul_add_block(&mut w, t, n_high, &q);
    for (t, w) in top.iter_mut().zip(w) {
        (*t, carry) = add_carry(*t, w, carry);
    }
    carry
}

/// z := R² mod N, R = B^n, as the modular left shift of 1 by twice the width.
///
/// N's length of `bits` bits is public: the work is done on its L = ⌈bits/w⌉ limbs, with D = N·2^s normalised by a
/// public s < w, and gives (R² mod N)·2^s = R²·2^s mod D. It begins with a power of two that needs no step: B^L mod D
/// for s = 0, else B^(L−1)·2^s ≤ B^L/2 < D, as N ≥ 3 is odd.
///
/// Sizes: z, N, d of n limbs, d scratch. Requires: N ≥ 3 and odd. Leaks: `bits`; N too if `VARTIME`.
#[inline(always)]
pub(crate) fn r_squared<R: Rows, const VARTIME: bool>(z: &mut [Limb], n: &[Limb], bits: u32, d: &mut [Limb]) {
    let (len, s) = normalise_public(d, n, bits);
    let divisor = Divisor::<VARTIME>::new(&mut d[..len]);
    z.fill(0);
    let r = &mut z[..len];
    let steps = 2 * n.len() - len + usize::from(s > 0);
    if s == 0 {
        r.copy_from_slice(divisor.power_of_base());
    } else {
        r[len - 1] = 1 << s;
    }
    divisor.shl::<R>(r, steps as u32 * LIMB_BITS);
    shift::shr(r, s);
}

/// (L, s) with d := N·2^s on its L low limbs, normalised. Leaks: `bits`.
#[inline(always)]
fn normalise_public(d: &mut [Limb], n: &[Limb], bits: u32) -> (usize, u32) {
    let len = limbs_for(bits);
    let s = len as u32 * LIMB_BITS - bits;
    d[..len].copy_from_slice(&n[..len]);
    shift::shl(&mut d[..len], s);
    (len, s)
}

/// r := r·2^k mod N: the modular left shift for a modulus of public length.
///
/// Sizes: all alike, d scratch. Requires: r < N. Leaks: k and `bits`.
#[inline(always)]
pub(crate) fn shl<R: Rows>(r: &mut [Limb], k: u32, n: &[Limb], bits: u32, d: &mut [Limb]) {
    if modular::double_few(r, k, n) {
        return;
    }
    let (len, s) = normalise_public(d, n, bits);
    let r = &mut r[..len];
    shift::shl(r, s);
    Divisor::<false>::new(&mut d[..len]).shl::<R>(r, k);
    shift::shr(r, s);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limb::neg_inverse;
    use crate::limbs::rows::Portable;
    use crate::limbs::testing::{Carries, big, limbs};
    use num_bigint::BigUint;
    use std::vec;
    use std::vec::Vec;

    /// An odd modulus ≥ 3 of this many bits in n limbs.
    fn modulus(carries: &mut Carries, n: usize, bits: u32) -> Vec<Limb> {
        let top = BigUint::from(1_u8) << (bits - 1);
        limbs(&(&top | (big(&carries.limbs(n)) % &top) | BigUint::from(1_u8)), n)
    }

    /// Lengths of a modulus of n limbs: full, one bit short, short by some limbs, two bits.
    fn lengths(carries: &mut Carries, n: usize) -> [u32; 5] {
        let width = n as u32 * LIMB_BITS;
        [width, width - 1, 2 + carries.below(width as u64 - 1) as u32, width - width / 2, 2]
    }

    #[test]
    fn products_and_squares_of_every_width() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            let r = BigUint::from(1_u8) << (n * LIMB_BITS as usize);
            for bits in lengths(&mut carries, n) {
                let n_limbs = modulus(&mut carries, n, bits);
                let (m, n0) = (big(&n_limbs), neg_inverse(n_limbs[0]));
                let inverse = r.modinv(&m).unwrap();
                let mut t = vec![7; 2 * n];
                // One factor may be any number of the width; the others are below N.
                for a in [carries.limbs(n), limbs(&(&m - 1_u8), n), vec![Limb::MAX; n]] {
                    let b = limbs(&(big(&carries.limbs(n)) % &m), n);
                    let mut z = a.clone();
                    mont_mul::<Portable>(&mut z, &b, &n_limbs, n0, &mut t);
                    assert_eq!(big(&z), big(&a) * big(&b) * &inverse % &m, "{n} {bits}");
                    let a = limbs(&(big(&a) % &m), n);
                    let mut z = a.clone();
                    mont_square::<Portable>(&mut z, &n_limbs, n0, &mut t);
                    assert_eq!(big(&z), big(&a) * big(&a) * &inverse % &m, "{n} {bits}");
                    let x = big(&carries.limbs(2 * n)) % (&m * &r);
                    reduce::<Portable>(&mut z, &mut limbs(&x, 2 * n), &n_limbs, n0);
                    assert_eq!(big(&z), x * &inverse % &m, "{n} {bits}");
                }
            }
        }
    }

    #[test]
    fn r_squared_is_one_shifted_by_twice_the_width() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            let k = 2 * n as u32 * LIMB_BITS;
            for bits in lengths(&mut carries, n).into_iter().chain([n as u32 * LIMB_BITS; 2]) {
                let m = modulus(&mut carries, n, bits);
                let (mut z, mut d) = (carries.limbs(n), carries.limbs(n));
                r_squared::<Portable, false>(&mut z, &m, bits, &mut d);
                assert_eq!(big(&z), (BigUint::from(1_u8) << k) % big(&m), "{n} {bits}");
                let mut public = carries.limbs(n);
                r_squared::<Portable, true>(&mut public, &m, bits, &mut d);
                assert_eq!(public, z, "{n} {bits}");
                let mut one = limbs(&BigUint::from(1_u8), n);
                modular::shl_mod::<Portable>(&mut one, k, &m, &mut d);
                assert_eq!(one, z, "{n} {bits}");
                let mut one = limbs(&BigUint::from(1_u8), n);
                shl::<Portable>(&mut one, k, &m, bits, &mut d);
                assert_eq!(one, z, "{n} {bits}");
            }
        }
    }
}
