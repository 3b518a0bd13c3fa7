//! Rows of products: the only place where the time of a product, a reduction or a quotient step goes.

use crate::limb::{Double, LIMB_BITS, Limb, Mask, opaque};
use crate::limbs::add;

/// Rows of one backend. Bodies that need a fast row are generic over it, so that a backend's whole operation is
/// compiled with its rows inside.
pub(crate) trait Rows {
    /// Digits of the longest quotient step that is worth its reciprocal on these rows, 4 or 8.
    const DIGITS: usize = 4;

    /// (w, t) := w + a·b + t: a block of `W` rows, where t takes the low a.len() limbs and w the `W` above them.
    ///
    /// Sizes: t and a alike. Bound: w + aᵢ·b + tᵢ ≤ (B^W − 1) + (B − 1)(B^W − 1) + (B − 1) = B^(W+1) − 1, so each
    /// column's sum fits into the window and one limb more.
    fn mul_add_block<const W: usize>(w: &mut [Limb; W], t: &mut [Limb], a: &[Limb], b: &[Limb; W]);

    /// (w, t, out) := w + a·b + (low + t·B^W): the same, while t moves up by `W` limbs; `out` are those that leave it,
    /// with the weight of w.
    ///
    /// Sizes: t and a alike. Bound: as above. Returns `out`.
    fn mul_add_shifted<const W: usize>(
        w: &mut [Limb; W],
        t: &mut [Limb],
        low: &[Limb; W],
        a: &[Limb],
        b: &[Limb; W],
    ) -> [Limb; W];

    /// z := z − x where `mask` is set. Sizes: both alike.
    #[inline(always)]
    fn sub_masked(z: &mut [Limb], x: &[Limb], mask: Mask) {
        add::sub_masked(z, x, mask);
    }

    /// See [`upper_columns`].
    #[inline(always)]
    fn upper_columns<const J: usize, const K: usize>(rho: &[Limb; K], v: &[Limb; K]) -> [Limb; K] {
        upper_columns::<J, K>(rho, v)
    }
}

/// Plain Rust, for every target and every limb.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Rows for Portable {
    #[inline(always)]
    fn mul_add_block<const W: usize>(w: &mut [Limb; W], t: &mut [Limb], a: &[Limb], b: &[Limb; W]) {
        block(w, t, [], a, b);
    }

    #[inline(always)]
    fn mul_add_shifted<const W: usize>(
        w: &mut [Limb; W],
        t: &mut [Limb],
        low: &[Limb; W],
        a: &[Limb],
        b: &[Limb; W],
    ) -> [Limb; W] {
        block(w, t, *low, a, b)
    }
}

/// (w, t, out) := w + a·b + (low + t·B^S), S ≤ 8, column by column, four at a time in straight line.
#[inline(always)]
fn block<const W: usize, const S: usize>(
    w: &mut [Limb; W],
    t: &mut [Limb],
    mut low: [Limb; S],
    a: &[Limb],
    b: &[Limb; W],
) -> [Limb; S] {
    assert!(t.len() == a.len() && S <= 8);
    // Limbs that wait for more than one turn.
    let late = S.saturating_sub(4);
    let mut window = *w;
    let ((t4, t1), (a4, a1)) = (t.as_chunks_mut::<4>(), a.as_chunks::<4>());
    for (t, a) in t4.iter_mut().zip(a4) {
        let old = *t;
        for k in 0..4 {
            let x = if k < S { low[k] } else { old[k - S] };
            t[k] = column(&mut window, x, a[k], b);
        }
        low.copy_within(S - late.., 0);
        low[late..].copy_from_slice(&old[4 + late - S..]);
    }
    for (t, a) in t1.iter_mut().zip(a1) {
        let old = *t;
        let x = low.first().copied().unwrap_or(old);
        *t = column(&mut window, x, *a, b);
        for k in 0..S {
            low[k] = if k + 1 < S { low[k + 1] } else { old };
        }
    }
    *w = window;
    low
}

/// (window, t) := window + a·b + t, returning t and moving the window up by one limb.
///
/// First a·b + t, then the window is added: two runs of carries, which the compiler turns into clean runs of
/// add-with-carry as long as it does not mix them. The barriers in `scaled` keep them apart.
#[inline(always)]
fn column<const W: usize>(w: &mut [Limb; W], t: Limb, a: Limb, b: &[Limb; W]) -> Limb {
    let (low, high) = scaled(t, a, b);
    let mut carry = 0;
    let mut out = 0;
    for k in 0..W {
        let sum = Double::from(low[k]) + Double::from(w[k]) + carry;
        carry = sum >> LIMB_BITS;
        if k == 0 {
            out = sum as Limb;
        } else {
            w[k - 1] = sum as Limb;
        }
    }
    w[W - 1] = high.wrapping_add(carry as Limb);
    out
}

/// (low limbs, high limb) of a·b + t, which fits: (B − 1)(B^W − 1) + B − 1 < B^(W+1).
///
/// All products first, then their halves in one run of carries.
#[inline(always)]
fn scaled<const W: usize>(t: Limb, a: Limb, b: &[Limb; W]) -> ([Limb; W], Limb) {
    let mut p = [0; W];
    for k in 0..W {
        p[k] = Double::from(a) * Double::from(b[k]);
    }
    let mut low = [0; W];
    let mut high = 0;
    let mut carry = Double::from(t);
    for k in 0..W {
        let sum = Double::from(p[k] as Limb) + high + carry;
        low[k] = opaque(sum as Limb);
        carry = sum >> LIMB_BITS;
        high = p[k] >> LIMB_BITS;
    }
    (low, opaque((high as Limb).wrapping_add(carry as Limb)))
}

/// The limbs of ρ·V from J + 1 ≤ K on, ρ and V the J + 1 top limbs of these K ≤ 9, without the products of lower index
/// sum than J and without the low halves of those with J. Left out are sums below (J + 1)·B^(J+1) each.
#[inline(always)]
pub(crate) fn upper_columns<const J: usize, const K: usize>(rho: &[Limb; K], v: &[Limb; K]) -> [Limb; K] {
    const { assert!(J < K && K <= 9) };
    let mut sum = [0; K];
    let v = &v[K - 1 - J..];
    upper_row::<1, K>(&mut sum, rho, v[0]);
    upper_row::<2, K>(&mut sum, rho, v[1]);
    if J >= 2 {
        upper_row::<3, K>(&mut sum, rho, v[2]);
    }
    if J >= 3 {
        upper_row::<4, K>(&mut sum, rho, v[3]);
    }
    if J >= 4 {
        upper_row::<5, K>(&mut sum, rho, v[4]);
    }
    if J >= 5 {
        upper_row::<6, K>(&mut sum, rho, v[5]);
    }
    if J >= 6 {
        upper_row::<7, K>(&mut sum, rho, v[6]);
    }
    if J >= 7 {
        upper_row::<8, K>(&mut sum, rho, v[7]);
    }
    if J >= 8 {
        upper_row::<9, K>(&mut sum, rho, v[8]);
    }
    sum
}

/// One limb of V times the `W` top limbs of ρ; each reaches one column further.
#[inline(always)]
fn upper_row<const W: usize, const K: usize>(sum: &mut [Limb; K], rho: &[Limb; K], v: Limb) {
    if W > K {
        // Not reached, but compiled.
        return;
    }
    let mut w = [0; W];
    w[1..].copy_from_slice(&sum[..W - 1]);
    column(&mut w, 0, v, rho.last_chunk().expect("W is at most K"));
    sum[..W].copy_from_slice(&w);
}

/// z := z·x mod B^n; returns the limb above. On plain rows for every backend: it stands outside the loops.
#[inline(always)]
pub(crate) fn scale(z: &mut [Limb], x: Limb) -> Limb {
    let mut carry = 0;
    let (z4, z1) = z.as_chunks_mut::<4>();
    for z in z4 {
        (*z, carry) = scaled(carry, x, z);
    }
    for z in z1 {
        ([*z], carry) = scaled(carry, x, &[*z]);
    }
    carry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limbs::testing::{Carries, big};
    use num_bigint::BigUint;
    use std::vec::Vec;

    fn power(k: usize) -> BigUint {
        BigUint::from(1_u8) << (k * LIMB_BITS as usize)
    }

    fn blocks<const W: usize>(carries: &mut Carries, n: usize) {
        let mut limbs = || -> [Limb; W] { core::array::from_fn(|_| carries.limb()) };
        let (w, b, low) = (limbs(), limbs(), limbs());
        let (t, a) = (carries.limbs(n), carries.limbs(n));
        let product = big(&w) + big(&a) * big(&b);

        let (mut w1, mut t1) = (w, t.clone());
        Portable::mul_add_block(&mut w1, &mut t1, &a, &b);
        assert_eq!(big(&t1) + big(&w1) * power(n), &product + big(&t));

        let (mut w1, mut t1) = (w, t.clone());
        let out = Portable::mul_add_shifted(&mut w1, &mut t1, &low, &a, &b);
        let sum = big(&t1) + (big(&w1) + big(&out)) * power(n);
        assert_eq!(sum, product + big(&low) + big(&t) * power(W));
        let moved: Vec<Limb> = low.into_iter().chain(t).collect();
        assert_eq!(out[..], moved[n..]);
    }

    #[test]
    fn blocks_of_every_width() {
        let mut carries = Carries::new();
        for n in (0..=70).chain(0..=20) {
            blocks::<1>(&mut carries, n);
            blocks::<2>(&mut carries, n);
            blocks::<3>(&mut carries, n);
            blocks::<4>(&mut carries, n);
            blocks::<7>(&mut carries, n);
            blocks::<8>(&mut carries, n);
        }
    }

    #[test]
    fn scaling_of_every_width() {
        let mut carries = Carries::new();
        for n in 0..=70 {
            let (x, factor) = (carries.limbs(n), carries.limb());
            let mut z = x.clone();
            let above = scale(&mut z, factor);
            assert_eq!(big(&z) + big(&[above]) * power(n), big(&x) * factor);
        }
    }
}
