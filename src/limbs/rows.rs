//! Rows of products: the only place where the time of a product, a reduction or a fold goes.

use crate::limb::{Double, LIMB_BITS, Limb, opaque, sub_borrow};

/// Rows of one backend. Bodies that need a fast row are generic over it, so that a backend's whole operation is
/// compiled with its rows inside.
pub(crate) trait Rows {
    /// (w, t) := w + a·b + t: a block of `W` rows, where t takes the low a.len() limbs and w the `W` above them.
    ///
    /// Sizes: t and a alike. Bound: w + aᵢ·b + tᵢ ≤ (B^W − 1) + (B − 1)(B^W − 1) + (B − 1) = B^(W+1) − 1, so each
    /// column's sum fits into the window and one limb more.
    fn mul_add_block<const W: usize>(w: &mut [Limb; W], t: &mut [Limb], a: &[Limb], b: &[Limb; W]);

    /// r := (r·B + low − q·d) mod B^n; returns the limb above, as a two's complement: 0, or −1 where the
    /// difference is negative, if |difference| < B^n.
    ///
    /// Sizes: r and d alike, n ≥ 1.
    fn shift_sub_mul(r: &mut [Limb], low: Limb, q: Limb, d: &[Limb]) -> Limb;
}

/// Plain Rust, for every target and every limb.
pub(crate) struct Portable;

impl Rows for Portable {
    #[inline(always)]
    fn mul_add_block<const W: usize>(w: &mut [Limb; W], t: &mut [Limb], a: &[Limb], b: &[Limb; W]) {
        assert_eq!(t.len(), a.len());
        let mut window = *w;
        // Four columns at a time, straight-line.
        let ((t4, t1), (a4, a1)) = (t.as_chunks_mut::<4>(), a.as_chunks::<4>());
        for (t, a) in t4.iter_mut().zip(a4) {
            for (t, a) in t.iter_mut().zip(a) {
                *t = column(&mut window, *t, *a, b);
            }
        }
        for (t, a) in t1.iter_mut().zip(a1) {
            *t = column(&mut window, *t, *a, b);
        }
        *w = window;
    }

    #[inline(always)]
    fn shift_sub_mul(r: &mut [Limb], low: Limb, q: Limb, d: &[Limb]) -> Limb {
        assert_eq!(r.len(), d.len());
        let (mut below, mut carry, mut borrow) = (low, 0, 0);
        let ((r4, r1), (d4, d1)) = (r.as_chunks_mut::<4>(), d.as_chunks::<4>());
        for (r, d) in r4.iter_mut().zip(d4) {
            let old = *r;
            *r = sub_mul([below, old[0], old[1], old[2]], q, d, &mut carry, &mut borrow);
            below = old[3];
        }
        for (r, d) in r1.iter_mut().zip(d1) {
            let old = *r;
            [*r] = sub_mul([below], q, &[*d], &mut carry, &mut borrow);
            below = old;
        }
        below.wrapping_sub(carry).wrapping_sub(borrow)
    }
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

/// z := z·x mod B^n; returns the limb above. On plain rows for every backend: it stands outside the loops.
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

/// x − q·d − carry − borrow, W limbs of it; what is still to be subtracted above stays in `carry` and `borrow`.
#[inline(always)]
fn sub_mul<const W: usize>(x: [Limb; W], q: Limb, d: &[Limb; W], carry: &mut Limb, borrow: &mut Limb) -> [Limb; W] {
    let (low, high) = scaled(*carry, q, d);
    *carry = high;
    let mut z = [0; W];
    for k in 0..W {
        (z[k], *borrow) = sub_borrow(x[k], low[k], *borrow);
    }
    z
}
