//! Division: of secrets, and of public numbers, by quotient steps of four limbs, or of eight.

use crate::limb::{LIMB_BITS, Limb};
use crate::limbs::modular::Divisor;
use crate::limbs::rows::Rows;
use crate::limbs::shift;

/// q := ⌊u/d⌋ and r := u mod d; without `q` only r.
///
/// With D = d·2^s normalised and U = u·2^s in T limbs, the top n limbs of U start as the remainder and each limb below
/// gives one limb of the quotient. Of s only s ≤ w·n − `min_bits` is public. T = m + ⌊(w·n − `min_bits`)/w⌋ + 1, with
/// m = max(len u, n), leaves at least one bit free above U, so that the top n limbs are below B^n/2 ≤ D. The whole
/// width of d costs m limbs of quotient, a d known to be full T − n = m − n + 1.
///
/// Sizes: q as long as u, r and the scratch c as long as d, the scratch t twice as long as the longer of u and d.
/// Requires: d at least `min_bits` ≥ 1 bits long, else some q and r, in the same time.
/// Leaks: `min_bits`. Knuth 4.3.1, algorithm D; the step is [`Divisor::step`].
#[inline(always)]
pub(crate) fn div_rem<R: Rows>(
    q: Option<&mut [Limb]>,
    r: &mut [Limb],
    u: &[Limb],
    d: &[Limb],
    min_bits: u32,
    t: &mut [Limb],
    c: &mut [Limb],
) {
    let n = d.len();
    let free = (n as u32 * LIMB_BITS).saturating_sub(min_bits.max(1)) / LIMB_BITS + 1;
    let t = &mut t[..u.len().max(n) + free as usize];
    t[..u.len()].copy_from_slice(u);
    t[u.len()..].fill(0);
    c.copy_from_slice(d);
    let s = shift::normalise(c);
    shift::shl_secret(t, &s, free as usize);
    let divisor = Divisor::<false>::new(c);
    let (low, top) = t.split_at_mut(t.len() - n);
    r.copy_from_slice(top);
    divide::<R, false>(&divisor, r, low);
    if let Some(q) = q {
        // Where d is the wider one, the digits above u are zeros, and there may be fewer than limbs of q.
        let count = q.len().min(low.len());
        q[..count].copy_from_slice(&low[..count]);
        q[count..].fill(0);
    }
    shift::shr_secret(r, &s, free as usize);
}

/// u := ⌊(r·B^m + u)/D⌋ and r := (r·B^m + u) mod D for u of m limbs, by steps of four limbs and one of the rest.
///
/// Requires: r < D.
#[inline(always)]
fn divide<R: Rows, const VARTIME: bool>(divisor: &Divisor<'_, VARTIME>, r: &mut [Limb], u: &mut [Limb]) {
    let mut u = u;
    if let Some(wide) = divisor.for_digits::<R>(u.len()) {
        let (rest, eights) = u.as_rchunks_mut::<8>();
        for u in eights.iter_mut().rev() {
            *u = wide.step::<R, 8>(r, u);
        }
        u = rest;
    }
    let (rest, fours) = u.as_rchunks_mut::<4>();
    for u in fours.iter_mut().rev() {
        *u = divisor.step::<R, 4>(r, u);
    }
    match rest {
        [u] => [*u] = divisor.step::<R, 1>(r, &[*u]),
        [u, v] => [*u, *v] = divisor.step::<R, 2>(r, &[*u, *v]),
        [u, v, x] => [*u, *v, *x] = divisor.step::<R, 3>(r, &[*u, *v, *x]),
        _ => {}
    }
}

/// q := ⌊q/d⌋ and r := q mod d.
///
/// Sizes: r and the scratch c as long as d. Requires: d > 0. Leaks: q and d. Knuth 4.3.1, algorithm D, with digits of
/// four limbs.
#[inline(always)]
pub(crate) fn div_rem_vartime<R: Rows>(q: &mut [Limb], r: &mut [Limb], d: &[Limb], c: &mut [Limb]) {
    let n = d.iter().rposition(|limb| *limb != 0).expect("the divisor is not zero") + 1;
    let m = q.len();
    r.fill(0);
    if m < n {
        r[..m].copy_from_slice(q);
        q.fill(0);
        return;
    }
    let s = d[n - 1].leading_zeros();
    let (r, c) = (&mut r[..n], &mut c[..n]);
    c.copy_from_slice(&d[..n]);
    shift::shl(c, s);
    let divisor = Divisor::<true>::new(c);
    // q·2^s has one limb more, below 2^s, so that the top n limbs are a remainder to begin with.
    let above = if s > 0 { q[m - 1] >> (LIMB_BITS - s) } else { 0 };
    shift::shl(q, s);
    r[n - 1] = above;
    r[..n - 1].copy_from_slice(&q[m + 1 - n..]);
    q[m + 1 - n..].fill(0);
    divide::<R, true>(&divisor, r, &mut q[..m + 1 - n]);
    shift::shr(r, s);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limbs::rows::Portable;
    use crate::limbs::testing::{Carries, big, limbs};
    use num_bigint::BigUint;
    use std::vec;

    #[test]
    fn divisions_at_uneven_widths() {
        let mut carries = Carries::new();
        for n in 1..=40 {
            for m in [1, 2, 3, n - n / 2, n, n + 1, n + 2, n + 3, 2 * n, 2 * n + 5] {
                let width = n as u32 * LIMB_BITS;
                for bits in [1, 2, 1 + carries.below(width.into()) as u32, width - 1, width].map(|bits| bits.max(1)) {
                    let top = BigUint::from(1_u8) << (bits - 1);
                    let d = &top | (big(&carries.limbs(n)) % &top);
                    let u = match carries.below(3) {
                        // Quotient digits at their ends: just below or at a multiple.
                        0 => {
                            let q = big(&carries.limbs(m)) / &d;
                            (q * &d + &d - 1_u8) % (BigUint::from(1_u8) << (m as u32 * LIMB_BITS))
                        }
                        _ => big(&carries.limbs(m)),
                    };
                    let (quotient, remainder) = (limbs(&(&u / &d), m), limbs(&(&u % &d), n));
                    let (u, d) = (limbs(&u, m), limbs(&d, n));
                    let (mut t, mut c) = (carries.limbs(2 * m.max(n)), carries.limbs(n));
                    for min_bits in [1, bits] {
                        let (mut q, mut r) = (carries.limbs(m), carries.limbs(n));
                        div_rem::<Portable>(Some(&mut q), &mut r, &u, &d, min_bits, &mut t, &mut c);
                        assert_eq!((&q, &r), (&quotient, &remainder), "{m} over {n}, {bits}");
                        let mut r = carries.limbs(n);
                        div_rem::<Portable>(None, &mut r, &u, &d, min_bits, &mut t, &mut c);
                        assert_eq!(r, remainder, "{m} over {n}, {bits}");
                    }
                    let (mut q, mut r) = (u.clone(), carries.limbs(n));
                    div_rem_vartime::<Portable>(&mut q, &mut r, &d, &mut c);
                    assert_eq!((q, r), (quotient, remainder), "{m} over {n}, {bits}");
                }
            }
        }
        // Division by zero gives some numbers.
        let (mut q, mut r) = (vec![1; 3], vec![1; 2]);
        div_rem::<Portable>(Some(&mut q), &mut r, &[1, 2, 3], &[0, 0], 1, &mut [0; 6], &mut [0; 2]);
    }
}
