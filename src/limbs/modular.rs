//! Sums modulo m, and the modular left shift: whole words at a time, for a secret modulus of secret length.

use crate::limb::{LIMB_BITS, Limb, Mask, Reciprocal};
use crate::limbs::rows::{Portable, Rows};
use crate::limbs::{add, shift};

/// z := (carry·B^n + z) mod m.
///
/// Sizes: both alike. Requires: carry·B^n + z < 2m.
#[inline]
pub(crate) fn reduce_once(z: &mut [Limb], carry: Limb, m: &[Limb]) {
    let keep = add::borrow(z, m) & !Mask::of_bit(carry);
    add::sub_masked(z, m, !keep);
}

/// z := (carry·B^n + x) mod m, in one run of borrows and one of selections.
///
/// Sizes: all alike. Requires: carry·B^n + x < 2m.
#[inline(always)]
pub(crate) fn reduce_once_into(z: &mut [Limb], x: &[Limb], carry: Limb, m: &[Limb]) {
    let borrow = add::sub(z, x, m);
    crate::limbs::cmp::assign(z, x, Mask::of_bit(borrow) & !Mask::of_bit(carry));
}

/// z := (z + x) mod m.
///
/// Sizes: all alike. Requires: z, x < m.
pub(crate) fn add(z: &mut [Limb], x: &[Limb], m: &[Limb]) {
    let carry = add::add_assign(z, x);
    reduce_once(z, carry, m);
}

/// z := (z − x) mod m.
///
/// Sizes: all alike. Requires: z, x < m.
pub(crate) fn sub(z: &mut [Limb], x: &[Limb], m: &[Limb]) {
    let borrow = add::sub_assign(z, x);
    add::add_masked(z, m, Mask::of_bit(borrow));
}

/// z := 2z mod m.
///
/// Sizes: both alike. Requires: z < m.
pub(crate) fn double(z: &mut [Limb], m: &[Limb]) {
    let carry = double_plain(z);
    reduce_once(z, carry, m);
}

/// z := 2z mod B^n; returns the bit above.
#[inline(always)]
pub(crate) fn double_plain(z: &mut [Limb]) -> Limb {
    let mut bit = 0;
    for z in z {
        (*z, bit) = ((*z << 1) | bit, *z >> (LIMB_BITS - 1));
    }
    bit
}

/// A normalised modulus D (top bit set) with the reciprocal of its two top limbs: what a quotient step needs.
#[derive(Clone, Copy)]
pub(crate) struct Divisor<'a> {
    d: &'a [Limb],
    reciprocal: Reciprocal,
}

impl<'a> Divisor<'a> {
    /// Requires: the top bit of d is set, else its steps give some numbers, in the same time.
    pub(crate) fn new(d: &'a [Limb]) -> Self {
        let (d1, d0) = Self::top(d);
        Divisor { d, reciprocal: Reciprocal::new(d1, d0) }
    }

    /// The same with a division instruction. Leaks: the top limb of d.
    pub(crate) fn new_vartime(d: &'a [Limb]) -> Self {
        let (d1, d0) = Self::top(d);
        Divisor { d, reciprocal: Reciprocal::new_vartime(d1, d0) }
    }

    fn top(d: &[Limb]) -> (Limb, Limb) {
        // The top bit is set by contract. Where a caller broke its own, the arithmetic must still not overflow.
        (d[d.len() - 1] | 1 << (LIMB_BITS - 1), if d.len() > 1 { d[d.len() - 2] } else { 0 })
    }

    pub(crate) fn limbs(&self) -> &'a [Limb] {
        self.d
    }

    /// An estimate q̂ of q = ⌊(r·B + low)/D⌋ with q̂ − q in {0, 1}, from the three top limbs.
    ///
    /// Requires: r < D. Möller and Granlund's quotient is exact for the limbs it sees, hence not below q, and above
    /// it by at most one, since D is normalised (Knuth 4.3.1, theorem B with two limbs of the divisor). Where the two
    /// top limbs of r equal D's, q is B − 1 or B − 2, and q̂ = B − 1.
    #[inline(always)]
    fn estimate(&self, r: &[Limb], low: Limb) -> Limb {
        let n = r.len();
        let limb = |i: usize| {
            if n >= i {
                r[n - i]
            } else if n + 1 == i {
                low
            } else {
                0
            }
        };
        self.reciprocal.quotient(limb(1), limb(2), limb(3))
    }

    /// r := (r·B + low) mod D; returns the quotient. **The quotient step**: one row, one masked addition.
    ///
    /// Requires: r < D, else some r and some quotient, in the same time. Leaks: nothing.
    #[inline(always)]
    pub(crate) fn step<R: Rows>(&self, r: &mut [Limb], low: Limb) -> Limb {
        let q = self.estimate(r, low);
        let above = R::shift_sub_mul(r, low, q, self.d);
        let negative = Mask::of_bit(above >> (LIMB_BITS - 1));
        add::add_masked(r, self.d, negative);
        q.wrapping_sub(negative.bit())
    }

    /// The same with a branch where the estimate was one too large. Leaks: all.
    #[inline(always)]
    pub(crate) fn step_vartime<R: Rows>(&self, r: &mut [Limb], low: Limb) -> Limb {
        let mut q = self.estimate(r, low);
        if R::shift_sub_mul(r, low, q, self.d) != 0 {
            q = q.wrapping_sub(1);
            add::add_assign(r, self.d);
        }
        q
    }

    /// r := r·2^k mod D: ⌊k/w⌋ whole quotient steps, and one more for what is left.
    ///
    /// Requires: r < D. Leaks: k.
    pub(crate) fn shl<R: Rows>(&self, r: &mut [Limb], k: u32) {
        self.shl_bits::<R>(r, k % LIMB_BITS);
        for _ in 0..k / LIMB_BITS {
            self.step::<R>(r, 0);
        }
    }

    /// r := r·2^k mod D for k < w, as r·2^k = ⌊r/2^(w−k)⌋·B + (r₀·2^k mod B): a quotient step of k bits.
    pub(crate) fn shl_bits<R: Rows>(&self, r: &mut [Limb], k: u32) {
        if k > 0 {
            let low = r[0] << k;
            shift::shr(r, LIMB_BITS - k);
            self.step::<R>(r, low);
        }
    }
}

/// Up to this many bits a shift is made of doublings, which need no normalisation.
const FEW: u32 = 6;

/// r := r·2^k mod m by doublings if k is so small that they are the faster way; returns whether it was.
pub(crate) fn double_few(r: &mut [Limb], k: u32, m: &[Limb]) -> bool {
    if k <= FEW {
        (0..k).for_each(|_| double(r, m));
    }
    k <= FEW
}

/// r := r·2^k mod m, **the modular left shift**: any m, odd or even, its value and its length secret.
///
/// m is normalised to D = m·2^s by masked passes; then (r·2^s)·2^k mod D = (r·2^k mod m)·2^s takes one quotient step
/// a limb of k.
///
/// Sizes: r, m and the scratch alike. Requires: r < m, else some r, in the same time. Leaks: k.
pub(crate) fn shl_mod(r: &mut [Limb], k: u32, m: &[Limb], scratch: &mut [Limb]) {
    if double_few(r, k, m) {
        return;
    }
    scratch.copy_from_slice(m);
    let s = shift::normalise(scratch);
    shift::shl_secret(r, s, m.len());
    Divisor::new(scratch).shl::<Portable>(r, k);
    shift::shr_secret(r, s, m.len());
}
