//! Montgomery arithmetic, and R² of a secret modulus.
//!
//! R = B^n for a modulus N of n limbs, whatever its length in bits; n₀ = −N⁻¹ mod B.

use crate::limb::{LIMB_BITS, Limb, Mask, add_carry, limbs_for};
use crate::limbs::modular::{Divisor, reduce_once, reduce_once_into};
use crate::limbs::mul::{for_pieces, mul_with, square_with};
use crate::limbs::rows::{Portable, Rows};
use crate::limbs::{add, modular, shift};

/// z := z·b·R⁻¹ mod N.
///
/// Sizes: z, b, N alike, the scratch t twice as long. Requires: z·b < R·N, so one factor may be up to R.
/// Leaks: nothing. P. L. Montgomery, "Modular multiplication without trial division".
#[inline(always)]
pub(crate) fn mont_mul<R: Rows>(z: &mut [Limb], b: &[Limb], n: &[Limb], n0: Limb, t: &mut [Limb]) {
    mul_with::<R>(t, z, b);
    reduce::<R>(z, t, n, n0);
}

/// z := z²·R⁻¹ mod N. Sizes and the rest as in [`mont_mul`].
#[inline(always)]
pub(crate) fn mont_square<R: Rows>(z: &mut [Limb], n: &[Limb], n0: Limb, t: &mut [Limb]) {
    square_with::<R>(t, z);
    reduce::<R>(z, t, n, n0);
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

/// What [`r_squared`] works in, for N of n limbs.
pub(crate) struct Scratch<'a> {
    /// 2n limbs
    pub(crate) wide: &'a mut [Limb],
    /// n limbs, for N normalised
    pub(crate) d: &'a mut [Limb],
    /// n limbs, for the power of B that folds
    pub(crate) c: &'a mut [Limb],
}

/// From this many limbs on, R² folds four limbs at a time.
const FOLD_FOUR: usize = 6;

/// z := R² mod N, R = B^n.
///
/// N is secret, its length of `bits` bits public: the work is done on its L = ⌈bits/w⌉ limbs, with D = N·2^s
/// normalised by a public s < w.
///
/// Folding. C = B^(L+k) mod D is known. Of t in L + k + j limbs the top k limbs h stand for h·B^(L+j) ≡
/// h·C·B^(j−k): they are read, not estimated, and k limbs go at k·L multiplications. The sum's carry is 0 or 1; where
/// it is 1, C in its place does not overflow again, since what is left is h·C + l·B^k − B^(L+k) ≤ (B^k − 1)·C − B^k.
/// At the end t ≡ B^(2n+k) in L + k limbs, and k limbs of Montgomery reduction leave B^(2n) below B^L + N. Less N
/// where there is a carry, less D ≤ 2^(w·L) < 2D, it is below D; a quotient step of s bits makes it (R² mod N)·2^s.
///
/// Sizes: z and N of n limbs. Requires: N odd, ≥ 3. Leaks: `bits`.
#[inline(always)]
pub(crate) fn r_squared<R: Rows>(z: &mut [Limb], n: &[Limb], bits: u32, n0: Limb, scratch: Scratch<'_>) {
    let Scratch { wide, d, c } = scratch;
    let (len, s) = normalise_public(d, n, bits);
    let divisor = Divisor::new(&d[..len]);
    let scratch = (&mut wide[..2 * n.len()], &mut c[..len]);
    let r = if len < FOLD_FOUR {
        fold_down::<R, 1>(&divisor, &n[..len], n0, scratch)
    } else {
        fold_down::<R, 4>(&divisor, &n[..len], n0, scratch)
    };
    reduce_once(r, 0, divisor.limbs());
    divisor.shl_bits::<R>(r, s);
    shift::shr(r, s);
    z[..len].copy_from_slice(r);
    z[len..].fill(0);
}

/// (L, s) with d := N·2^s on its L low limbs, normalised. Leaks: `bits`.
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
pub(crate) fn shl(r: &mut [Limb], k: u32, n: &[Limb], bits: u32, d: &mut [Limb]) {
    if modular::double_few(r, k, n) {
        return;
    }
    let (len, s) = normalise_public(d, n, bits);
    let r = &mut r[..len];
    shift::shl(r, s);
    Divisor::new(&d[..len]).shl::<Portable>(r, k);
    shift::shr(r, s);
}

/// c := B^L mod D, as B^L − D: below D, which has its top bit set and is no power of two.
fn power_of_base(c: &mut [Limb], d: &[Limb]) {
    c.fill(0);
    add::sub_assign(c, d);
}

/// B^(2n) mod N as a number below B^L, in some limbs of the scratch (t, c), where t has 2n limbs and c L.
#[inline(always)]
fn fold_down<'t, R: Rows, const K: usize>(
    divisor: &Divisor<'_>,
    n: &[Limb],
    n0: Limb,
    (t, c): (&'t mut [Limb], &mut [Limb]),
) -> &'t mut [Limb] {
    let len = n.len();
    power_of_base(c, divisor.limbs());
    for _ in 0..K {
        divisor.step::<R>(c, 0);
    }
    // The first fold is free: t = C·B^(2n−L) ≡ B^(2n+k). Where k does not divide what is to be folded, single
    // steps on the top limbs take the rest.
    let odd = (t.len() - len - K) % K;
    let mut top = t.len() - odd;
    t[..top - len].fill(0);
    t[top - len..top].copy_from_slice(c);
    for _ in 0..odd {
        divisor.step::<R>(&mut t[top - len..top], 0);
    }
    while top > len + K {
        fold::<R, K>(&mut t[..top], c);
        top -= K;
    }
    let t = &mut t[..top];
    let carry = reduce_rows::<R, K>(t, 0, n, n0);
    let r = &mut t[K..];
    add::sub_masked(r, n, Mask::of_bit(carry));
    r
}

/// t := (t mod B^(m−k)) + h·C·B^(m−L−2k), h the top k of the m limbs of t, with its carry repaired.
#[inline(always)]
fn fold<R: Rows, const K: usize>(t: &mut [Limb], c: &[Limb]) {
    let (low, h) = t.split_last_chunk_mut::<K>().expect("t has a top of K limbs");
    let offset = low.len() - (c.len() + K);
    let low = &mut low[offset..];
    let mut w = [0; K];
    let (body, top) = low.split_at_mut(c.len());
    R::mul_add_block(&mut w, body, c, h);
    let carry = add::add_assign(top, &w);
    add::add_masked(low, c, Mask::of_bit(carry));
}

/// z := R² mod N by division: one quotient step a limb. The same number as [`r_squared`] gives.
///
/// Sizes: z, N, d of n limbs. Requires: N ≥ 3. Leaks: N.
pub(crate) fn r_squared_vartime<R: Rows>(z: &mut [Limb], n: &[Limb], bits: u32, d: &mut [Limb]) {
    let (len, s) = normalise_public(d, n, bits);
    let divisor = Divisor::new_vartime(&d[..len]);
    let (r, rest) = z.split_at_mut(len);
    rest.fill(0);
    power_of_base(r, divisor.limbs());
    for _ in len..2 * n.len() {
        divisor.step_vartime::<R>(r, 0);
    }
    divisor.shl_bits::<R>(r, s);
    shift::shr(r, s);
}
