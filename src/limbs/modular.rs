//! Sums modulo m, and the modular left shift: whole words at a time, for a secret modulus of secret length.

use crate::limb::{
    Double, LIMB_BITS, Limb, Mask, add_carry, mul_add, opaque, reciprocal_of_two, reciprocal_of_two_vartime, split,
    sub_borrow,
};
use crate::limbs::rows::{Portable, Rows};
use crate::limbs::{add, cmp, mul, shift};
use zeroize::Zeroize;

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
    cmp::assign(z, x, Mask::of_bit(borrow) & !Mask::of_bit(carry));
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

/// Limbs of a reciprocal: one for each digit of a step, and a guard.
const GUARDED: usize = 4 + 1;
/// The same for long steps.
const WIDE: usize = 8 + 1;
/// Long steps pay from this length of the divisor on, and so many digits.
const LONG: (usize, usize) = (22, 16);
/// G: what an estimate adds, in units of the guard.
const GUARD: Limb = 48;

/// A normalised divisor D of n limbs (top bit set), ready for quotient steps of up to K − 1 digits. `VARTIME`: a public
/// one.
pub(crate) struct Divisor<'a, const VARTIME: bool, const K: usize = GUARDED> {
    /// B^n − D. To add it with a factor q is to subtract q·D, apart from q·B^n: so products are only ever added.
    negated: &'a [Limb],
    /// V ≈ B^(n+K)/D − B^K: less than 5 above, less than 22 below.
    pub(crate) v: [Limb; K],
}

/// The reciprocal tells the top limbs of D.
impl<const VARTIME: bool, const K: usize> Drop for Divisor<'_, VARTIME, K> {
    #[inline(always)]
    fn drop(&mut self) {
        self.v.zeroize();
    }
}

impl<'a, const VARTIME: bool> Divisor<'a, VARTIME> {
    /// D is negated where it stands.
    ///
    /// Requires: the top bit of d is set, else its steps give some numbers, in the same time.
    #[inline(always)]
    pub(crate) fn new(d: &'a mut [Limb]) -> Self {
        let v = reciprocal::<VARTIME>(&top(d, &[]));
        add::negate(d);
        Divisor { negated: d, v }
    }

    /// The same divisor for steps of up to eight digits. Requires: n ≥ 9.
    ///
    /// Newton's iteration on the nine top limbs d of D, D = (d + a)·B^(n−9), 0 ≤ a < 1. With V of five limbs and
    /// X₀ = B⁵ + V − 4, F = B¹⁴ − X₀·d is positive and below 27d: V is above B^(n+5)/D − B⁵ by less than 4 and below by
    /// less than 22, and a adds less than 2B⁵. Then X₁ = X₀·B⁴·(1 + F/B¹⁴) is below B¹⁸/d by (F/B¹⁴)²·B¹⁸/d < 3. What is
    /// computed, V₁ = B⁴·(V − 4) + ⌊F/B⁵⌋ + ⌊V·⌊F/B⁴⌋/B⁶⌋, is above X₁ − B⁹ by 4F/B¹⁰ < 1 at most and below by 3 at
    /// most. So V₁ is above B^(n+9)/D − B⁹ by less than 5, 4 of it for a, and below by less than 6; where it comes out
    /// negative that holds for 0 too.
    #[inline(always)]
    pub(crate) fn widened(&self) -> Divisor<'a, VARTIME, WIDE> {
        let (low, top) = self.negated.split_last_chunk::<WIDE>().expect("D has nine limbs");
        let mut d = *top;
        for d in &mut d {
            *d = !*d;
        }
        // The carry of B^n − (B^n − D) out of the limbs below.
        add::add_limb(&mut d, cmp::is_zero(low).bit());
        // F mod B¹⁰ = 4d − V·d − B⁵·d.
        let (mut f, mut product, mut upper) = ([0; WIDE + 1], [0; WIDE + GUARDED], [0; 6 + GUARDED]);
        let mut above = [0];
        Portable::mul_add_block(&mut above, &mut f[..WIDE], &d, &[4]);
        f[WIDE] = above[0];
        mul::mul::<Portable>(&mut product, &d, &self.v);
        add::sub_assign(&mut f, &product[..WIDE + 1]);
        add::sub_assign(&mut f[GUARDED..], &d[..GUARDED]);
        mul::mul::<Portable>(&mut upper, &f[4..], &self.v);
        let mut v = [0; WIDE];
        v[4..].copy_from_slice(&self.v);
        let carry = add::add_assign(&mut v, &f[GUARDED..]) | add::add_assign(&mut v, &upper[6..]);
        let borrow = add::sub_assign(&mut v[4..], &[4]);
        let negative = Mask::of_bit(borrow) & !Mask::of_bit(carry);
        for v in &mut v {
            *v = (!negative).keep(*v);
        }
        let wide = Divisor { negated: self.negated, v };
        v.zeroize();
        d.zeroize();
        f.zeroize();
        product.zeroize();
        upper.zeroize();
        wide
    }

    /// [`widened`](Self::widened) where that pays for so many digits.
    #[inline(always)]
    pub(crate) fn for_digits<R: Rows>(&self, digits: usize) -> Option<Divisor<'a, VARTIME, WIDE>> {
        (R::DIGITS > GUARDED && self.negated.len() >= LONG.0 && digits >= LONG.1).then(|| self.widened())
    }

    /// B^n mod D, which is B^n − D. Requires: D > B^n/2.
    pub(crate) fn power_of_base(&self) -> &'a [Limb] {
        self.negated
    }
}

impl<const VARTIME: bool, const K: usize> Divisor<'_, VARTIME, K> {
    /// r := (r·B^J + low) mod D; returns the `J` < K digits of the quotient. **The quotient step**: one block of rows,
    /// one addition that is seldom needed.
    ///
    /// r·B^J + low − q̂·D is below D and not below −D, so that its sign is the limb above; −D ≡ `negated` mod B^n.
    ///
    /// Requires: r < D, else some r and some quotient, in the same time. Leaks: nothing; all of it if `VARTIME`.
    #[inline(always)]
    pub(crate) fn step<R: Rows, const J: usize>(&self, r: &mut [Limb], low: &[Limb; J]) -> [Limb; J] {
        let mut q = self.estimate::<R, J>(r, low);
        let mut w = [0; J];
        let out = R::mul_add_shifted(&mut w, r, low, self.negated, &q);
        let above = w[0].wrapping_add(out[0]).wrapping_sub(q[0]);
        let negative = Mask::of_bit(above & 1);
        if !VARTIME {
            R::sub_masked(r, self.negated, negative);
        } else if above != 0 {
            add::sub_assign(r, self.negated);
        }
        let mut borrow = negative.bit();
        for q in &mut q {
            (*q, borrow) = sub_borrow(*q, borrow, 0);
        }
        q
    }

    /// An estimate q̂ of q = ⌊U/D⌋, U = r·B^J + low, with q̂ − q in {0, 1}, from the J + 1 top limbs ρ of U.
    ///
    /// With V the J + 1 top limbs of the reciprocal, U/D ≈ ρ·(B^(J+1) + V)/B^(J+2), summed from limb J + 1 on. That one,
    /// the guard, is worth 1/B. What makes the sum too low: U cut off at ρ, 2/B (as D ≥ B^n/2); V by its error and one
    /// more for its own cut, 23/B; the products that `upper_columns` leaves out, 2(J + 1)/B; together less than G/B.
    /// Too high: V by 5/B. So with G added U/D ≤ sum < U/D + (G + 5)/B, less than one unit more, at any width of limb.
    /// Only where U/D > B^J − (G + 5)/B may the sum overflow, and there q̂ = q = B^J − 1.
    #[inline(always)]
    pub(crate) fn estimate<R: Rows, const J: usize>(&self, r: &[Limb], low: &[Limb; J]) -> [Limb; J] {
        const { assert!(J < K) };
        let rho = top(r, low);
        let mut sum = R::upper_columns::<J, K>(&rho, &self.v);
        let sum = &mut sum[..J + 1];
        let carry = add::add_assign(sum, &rho[K - 1 - J..]) | add::add_limb(sum, GUARD);
        let over = Mask::of_bit(carry);
        let mut q = [0; J];
        for (q, sum) in q.iter_mut().zip(&sum[1..]) {
            *q = over.select(Limb::MAX, *sum);
        }
        q
    }
}

impl<const VARTIME: bool> Divisor<'_, VARTIME> {
    /// r := r·2^k mod D: ⌊k/w⌋ limbs by steps, and one more step for what is left.
    ///
    /// Requires: r < D. Leaks: k.
    #[inline(always)]
    pub(crate) fn shl<R: Rows>(&self, r: &mut [Limb], k: u32) {
        let (limbs, bits) = (k / LIMB_BITS, k % LIMB_BITS);
        // r·2^k = ⌊r/2^(w−k)⌋·B + (r₀·2^k mod B) for k < w: a step of k bits.
        if bits > 0 {
            let low = [r[0] << bits];
            shift::shr(r, LIMB_BITS - bits);
            self.step::<R, 1>(r, &low);
        }
        let mut left = limbs;
        if let Some(wide) = self.for_digits::<R>(left as usize) {
            while left >= 8 {
                wide.step::<R, 8>(r, &[0; 8]);
                left -= 8;
            }
        }
        while left > 0 {
            // As few steps as there can be, and of those the shorter ones: 9 = 3 + 3 + 3.
            let digits = match left {
                1 | 2 => left,
                3 | 5 | 6 | 9 => 3,
                _ => 4,
            };
            match digits {
                1 => drop(self.step::<R, 1>(r, &[0; 1])),
                2 => drop(self.step::<R, 2>(r, &[0; 2])),
                3 => drop(self.step::<R, 3>(r, &[0; 3])),
                _ => drop(self.step::<R, 4>(r, &[0; 4])),
            }
            left -= digits;
        }
    }
}

/// The K top limbs of (r, low), with zeros below where there are fewer.
#[inline(always)]
fn top<const K: usize>(r: &[Limb], low: &[Limb]) -> [Limb; K] {
    if let Some(top) = r.last_chunk::<K>() {
        // Limb by limb: loads of two at once would wait until the stores of one have left the store buffer.
        let mut top = *top;
        for limb in &mut top {
            *limb = opaque(*limb);
        }
        return top;
    }
    let mut limbs = r.iter().rev().chain(low.iter().rev());
    let mut top = [0; K];
    top.iter_mut().rev().for_each(|limb| *limb = limbs.next().copied().unwrap_or(0));
    top
}

/// V ≈ Y − B⁵, Y = B^(n+5)/D, from the five top limbs d of D: above by less than 4, below by less than 22.
///
/// Newton's iteration from below on X = B¹⁰/d, which is above Y by less than 4, in units of B⁴, B³, 1. The start X₀
/// has a relative error e₀ ≤ 1/B; X₁ = X₀(1 + e₀) leaves e₀², X₂ = X₁(1 + e₁ + e₁²) leaves e₁³.
#[inline(always)]
fn reciprocal<const VARTIME: bool>(d: &[Limb; GUARDED]) -> [Limb; GUARDED] {
    // The top bit is set by contract. Where a caller broke its own, the arithmetic must still not overflow.
    let d = [d[0], d[1], d[2], d[3], d[4] | 1 << (LIMB_BITS - 1)];
    // X₀ = B + v = ⌊(B³ − 1)/u⌋ with u = (d₄, d₃) + 1, to be from below; where that is B², u = B² − 1 gives the same B.
    let (u0, carry) = add_carry(d[3], 1, 0);
    let (u1, carry) = add_carry(d[4], 0, carry);
    let (u1, u0) = (u1.wrapping_sub(carry), u0.wrapping_sub(carry));
    let v = if VARTIME { reciprocal_of_two_vartime(u1, u0) } else { reciprocal_of_two(u1, u0) };

    // In units of B⁻⁴, e₀ = B⁴ − X₀·((d₄, d₃, d₂) + 1): with d cut off upwards it is not above the true error, without
    // which X₁ would not stay below X. It is not negative: X₀u < B³, and (d₄, d₃, d₂) + 1 ≤ u·B; where u is B² − 1
    // instead, X₀ = B and X₀·((d₄, d₃, d₂) + 1) ≤ B⁴. It is below B³: with c = B³ − X₀u ≤ B³/(X₀ + 1) it is at most
    // B(c + X₀) − X₀, and c + X₀ ≤ B² for X₀ from B + 1 to 2B (it is convex there); for X₀ = B, u > B² − B, so that
    // B⁴ − B·(d₄, d₃, d₂) ≤ B³. From p = X₀·((d₄, d₃, d₂) + 1) − 1 all bits turned over make it.
    let mut p = [0; 3];
    Portable::mul_add_block(&mut [0], &mut p, &d[2..], &[v]);
    add::add_assign(&mut p[1..], &d[2..4]);
    add::add_assign(&mut p, &[v, 1]);
    add::sub_assign(&mut p, &[1]);
    // X₁ = B² + x = B·X₀ + X₀·e₀·B, of which e₀ + (v·e₀ + …)/B is added to (v, 0). Less than 2.1 is lost, 4/B for
    // the d that was cut off upwards, and e₀² leaves (X − X₀)e₀·B < 1 + 5/B: 0 < X − X₁ < 3.3.
    let (_, sum) = mul_add(v, !p[2], !p[1], 0);
    let (x0, carry) = add_carry(sum, !p[2], 0);
    let x = [x0, v.wrapping_add(carry)];

    // In units of B⁻⁷, e₁ = B⁷ − (B² + x)·d: positive and below 4B⁵. Its four top limbs; what is cut is less than 1.
    let (mut p, mut w) = ([0; 5], [0; 2]);
    Portable::mul_add_block(&mut w, &mut p, &d, &x);
    let mut p = [p[2], p[3], p[4], w[0]];
    add::add_assign(&mut p, &d[..4]);
    let mut e = p.map(|p| !p);
    // e₁² from the two top limbs (e₃ ≤ 3): what is left out of it is less than 6 (e₃·e₁), 2 (e₂·e₁) and 1.
    let (top, next) = (Double::from(e[3]), Double::from(e[2]));
    let (s0, s1) = split(((next * next) >> LIMB_BITS) + ((top * next) << 1) + ((top * top) << LIMB_BITS));
    add::add_assign(&mut e, &[s0, s1]);
    // V = B³x + (B² + x)·(e₁ + e₁²)/B²: low by less than 2·10.2 from that, 1 from the cut, 36/B from e₁³.
    let (mut p, mut w) = ([0; 4], [0; 2]);
    Portable::mul_add_block(&mut w, &mut p, &e, &x);
    let mut v = [0, 0, 0, x[0], x[1]];
    add::add_assign(&mut v, &e);
    add::add_assign(&mut v, &[p[2], p[3], w[0], w[1]]);
    v
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
/// for up to four limbs of k.
///
/// Sizes: r, m and the scratch alike. Requires: r < m, else some r, in the same time. Leaks: k.
// Inlined with its passes, so that a number of fixed width has all of their loops unrolled: a third less below 1024 bits.
#[inline(always)]
pub(crate) fn shl_mod<R: Rows>(r: &mut [Limb], k: u32, m: &[Limb], scratch: &mut [Limb]) {
    if double_few(r, k, m) {
        return;
    }
    scratch.copy_from_slice(m);
    let s = shift::normalise(scratch);
    // The reciprocal is a long chain of products, beside which the passes over r find room.
    let divisor = Divisor::<false>::new(scratch);
    shift::shl_secret(r, &s, m.len());
    divisor.shl::<R>(r, k);
    shift::shr_secret(r, &s, m.len());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limbs::testing::{Carries, big, limbs};
    use num_bigint::BigUint;
    use std::vec;
    use std::vec::Vec;

    fn power(k: usize) -> BigUint {
        BigUint::from(1_u8) << (k * LIMB_BITS as usize)
    }

    fn normalised(carries: &mut Carries, n: usize) -> Vec<Limb> {
        let mut d = carries.limbs(n);
        d[n - 1] |= 1 << (LIMB_BITS - 1);
        d
    }

    fn is_a_reciprocal(d: [Limb; GUARDED]) {
        let exact = power(10) / big(&d) - power(5);
        for v in [reciprocal::<false>(&d), reciprocal::<true>(&d)] {
            assert!(big(&v) <= exact && exact < big(&v) + 23_u8, "{d:x?} {v:x?}");
        }
    }

    #[test]
    fn reciprocals_are_within_their_bounds() {
        let mut carries = Carries::new();
        for _ in 0..200_000 {
            is_a_reciprocal(normalised(&mut carries, GUARDED).try_into().unwrap());
        }
        // At 8 bits these are all of the two top limbs.
        for i in 0..1_u32 << 15 {
            let (high, low) = ((i >> 8) as Limb, i as Limb & 0xff);
            for (d2, fill) in [(0, 0), (1, 0), (Limb::MAX, Limb::MAX)] {
                is_a_reciprocal([fill, fill, d2, low, high | 1 << (LIMB_BITS - 1)]);
                is_a_reciprocal([fill, fill, d2, !low, !high | 1 << (LIMB_BITS - 1)]);
            }
        }
    }

    /// Divisors with B⁷/d next to an integer: there X₁ comes closest to X, and must not pass it.
    #[test]
    fn reciprocals_where_the_second_start_is_nearly_exact() {
        let mut carries = Carries::new();
        let check = |x1: BigUint| {
            for above in 0..3_u8 {
                let d = limbs(&(power(7) / &x1 + above), GUARDED);
                is_a_reciprocal(d.try_into().unwrap());
            }
        };
        let (least, count) = (power(2) + 1_u8, power(2) - 1_u8);
        for i in 0..1_u32 << 16 {
            // At 8 bits these are all; wider limbs take some by chance and those next to multiples of B.
            check(
                &least
                    + if LIMB_BITS == 8 {
                        BigUint::from(i).min(&count - 1_u8)
                    } else {
                        big(&carries.limbs(2)) % &count
                    },
            );
        }
        for x0 in 0..2000_u32 {
            let multiple =
                power(1) * (power(1) + (if LIMB_BITS == 8 { (x0 % 255).into() } else { big(&carries.limbs(1)) }));
            for beside in 1..8_u8 {
                check(&multiple + beside);
                check((&multiple - beside).max(least.clone()));
            }
        }
    }

    #[cfg(tautochrone_limb = "8")]
    #[test]
    fn reciprocals_of_every_three_top_limbs() {
        for top in 1_u64 << 23..1 << 24 {
            for low in [0, 1, 0x2a42, 0xffff] {
                let d = top << 16 | low;
                let exact = (1_u128 << 80) / u128::from(d) - (1 << 40);
                let limbs: [Limb; GUARDED] = d.to_le_bytes()[..GUARDED].try_into().unwrap();
                let v = reciprocal::<false>(&limbs);
                let v = v.iter().rev().fold(0_u128, |v, limb| v << 8 | u128::from(*limb));
                assert!(v <= exact && exact < v + 23, "{d:x}");
            }
        }
    }

    /// One long step, as below.
    fn long_step<const J: usize>(r: &BigUint, low: [Limb; J], d: &[Limb]) -> usize {
        let n = d.len();
        if n < WIDE {
            return 0;
        }
        let u = r * power(J) + big(&low);
        let (quotient, remainder) = (limbs(&(&u / big(d)), J), limbs(&(&u % big(d)), n));
        let mut copy = d.to_vec();
        let divisor = Divisor::<false>::new(&mut copy);
        let wide = divisor.widened();
        let exact = power(n + WIDE) / big(d) - power(WIDE);
        assert!(big(&wide.v) <= &exact + 5_u8 && exact <= big(&wide.v) + 6_u8);
        let mut z = limbs(r, n);
        let over = big(&wide.estimate::<Portable, J>(&z, &low)) - big(&quotient);
        assert!(over <= BigUint::from(1_u8));
        assert_eq!(wide.step::<Portable, J>(&mut z, &low)[..], quotient);
        assert_eq!(z, remainder);
        usize::from(over != BigUint::ZERO)
    }

    /// One step, public and secret; 1 where the estimate was too large by that, else 0.
    fn step<const J: usize>(r: &BigUint, low: [Limb; J], d: &[Limb]) -> usize {
        let n = d.len();
        let u = r * power(J) + big(&low);
        let (quotient, remainder) = (limbs(&(&u / big(d)), J), limbs(&(&u % big(d)), n));
        let (mut copy, mut public) = (d.to_vec(), d.to_vec());
        let divisor = Divisor::<false>::new(&mut copy);
        let mut z = limbs(r, n);
        let estimate = big(&divisor.estimate::<Portable, J>(&z, &low));
        assert_eq!(divisor.step::<Portable, J>(&mut z, &low)[..], quotient);
        assert_eq!(z, remainder);
        let mut z = limbs(r, n);
        assert_eq!(Divisor::<true>::new(&mut public).step::<Portable, J>(&mut z, &low)[..], quotient);
        assert_eq!(z, remainder);
        let over = estimate - big(&quotient);
        assert!(over <= BigUint::from(1_u8));
        usize::from(over != BigUint::ZERO)
    }

    fn steps_of<const J: usize>(step: fn(&BigUint, [Limb; J], &[Limb]) -> usize) {
        let mut carries = Carries::new();
        let (mut corrected, mut count) = (0, 0);
        for n in 1..=20 {
            for _ in 0..200 {
                let mut d = normalised(&mut carries, n);
                d[0] |= 1;
                let value = big(&d);
                let mut low = || core::array::from_fn(|_| carries.limb());
                let some = [low(), low(), [0; J], [0; J], [Limb::MAX; J]];
                // r such that r·B^J is a little below a multiple of D, where the estimate is one too large.
                let below = (&value - 1_u8) * power(J).modinv(&value).unwrap_or_default() % &value;
                let any = big(&carries.limbs(n)) % &value;
                let close = &any * power(J) % &value;
                for (r, low) in [any, &value - 1_u8, below, close, &value - 1_u8].iter().zip(some) {
                    corrected += step(r, low, &d);
                    count += 1;
                }
            }
        }
        // Both ways were gone: the correction, and the one without.
        assert!(corrected > 100 && corrected < count / 2, "{corrected} of {count}");
    }

    #[test]
    fn steps_are_exact_and_corrections_are_reached() {
        steps_of::<1>(step);
        steps_of::<2>(step);
        steps_of::<3>(step);
        steps_of::<4>(step);
        steps_of::<1>(long_step);
        steps_of::<5>(long_step);
        steps_of::<7>(long_step);
        steps_of::<8>(long_step);
    }

    #[cfg(tautochrone_limb = "8")]
    #[test]
    fn every_step_of_one_limb() {
        for d in 128..=255_u8 {
            for r in 0..d {
                for low in 0..=255 {
                    step::<1>(&BigUint::from(r), [low], &[d]);
                }
                step::<4>(&BigUint::from(r), [r, d, !r, 255], &[d]);
            }
        }
    }

    #[test]
    fn shifts_of_every_width() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            let width = n as u32 * LIMB_BITS;
            for bits in [width, width - 1, 1 + carries.below(width.into()) as u32, 1, 2] {
                // Odd and even, powers of two among them.
                let top = BigUint::from(1_u8) << (bits - 1);
                let m = &top | (big(&carries.limbs(n)) % &top);
                for k in [0, 1, FEW, FEW + 1, LIMB_BITS, 5 * LIMB_BITS - 1, width + LIMB_BITS, 3 * width + 7] {
                    let x = big(&carries.limbs(n)) % &m;
                    let (mut z, mut scratch) = (limbs(&x, n), vec![9; n]);
                    shl_mod::<Portable>(&mut z, k, &limbs(&m, n), &mut scratch);
                    assert_eq!(big(&z), (x << k) % &m, "{n} {bits} {k}");
                }
                // What breaks the contract gives some number.
                shl_mod::<Portable>(&mut carries.limbs(n), 3 * width, &limbs(&m, n), &mut carries.limbs(n));
            }
            shl_mod::<Portable>(&mut carries.limbs(n), 3 * width, &vec![0; n], &mut carries.limbs(n));
        }
    }

    #[test]
    fn sums_of_every_width() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            let m = big(&carries.limbs(n)).max(BigUint::from(1_u8));
            let (a, b) = (big(&carries.limbs(n)) % &m, big(&carries.limbs(n)) % &m);
            let (x, y, limbs_of_m) = (limbs(&a, n), limbs(&b, n), limbs(&m, n));
            let (mut sum, mut difference, mut twice) = (x.clone(), x.clone(), x);
            add(&mut sum, &y, &limbs_of_m);
            sub(&mut difference, &y, &limbs_of_m);
            double(&mut twice, &limbs_of_m);
            assert_eq!(big(&sum), (&a + &b) % &m);
            assert_eq!(big(&difference), (&a + &m - &b) % &m);
            assert_eq!(big(&twice), (&a + &a) % &m);
        }
    }
}
