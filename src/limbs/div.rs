//! Division: of secrets, one quotient step a limb, and of public numbers.

use crate::limb::{LIMB_BITS, Limb};
use crate::limbs::modular::Divisor;
use crate::limbs::rows::Portable;
use crate::limbs::shift;

/// q := ⌊u/d⌋ and r := u mod d; without `q` only r.
///
/// With D = d·2^s normalised and U = u·2^s in T limbs, the top n limbs of U start as the remainder and each limb below
/// gives one limb of the quotient. Of s only s ≤ w·n − `min_bits` is public. T = m + ⌊(w·n − `min_bits`)/w⌋ + 1, with
/// m = max(len u, n), leaves at least one bit free above U, so that the top n limbs are below B^n/2 ≤ D. The whole
/// width of d costs m steps, a d known to be full T − n = m − n + 1.
///
/// Sizes: q as long as u, r and the scratch c as long as d, the scratch t twice as long as the longer of u and d.
/// Requires: d at least `min_bits` ≥ 1 bits long, else some q and r, in the same time.
/// Leaks: `min_bits`. Knuth 4.3.1, algorithm D; the step is [`Divisor::step`].
pub(crate) fn div_rem(
    mut q: Option<&mut [Limb]>,
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
    shift::shl_secret(t, s, free as usize);
    let divisor = Divisor::new(c);
    let (low, top) = t.split_at(t.len() - n);
    r.copy_from_slice(top);
    if let Some(q) = &mut q {
        q.fill(0);
    }
    for (i, limb) in low.iter().enumerate().rev() {
        let digit = divisor.step::<Portable>(r, *limb);
        // Where d is the wider one, the digits above u are zeros.
        if let Some(q) = q.as_mut().and_then(|q| q.get_mut(i)) {
            *q = digit;
        }
    }
    shift::shr_secret(r, s, free as usize);
}

/// q := ⌊q/d⌋ and r := q mod d.
///
/// Sizes: r and the scratch c as long as d. Requires: d > 0. Leaks: q and d. Knuth 4.3.1, algorithm D, on a reciprocal
/// of the two top limbs.
pub(crate) fn div_rem_vartime(q: &mut [Limb], r: &mut [Limb], d: &[Limb], c: &mut [Limb]) {
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
    let divisor = Divisor::new_vartime(c);
    // q·2^s has one limb more, below 2^s, so that the top n limbs are a remainder to begin with.
    let above = if s > 0 { q[m - 1] >> (LIMB_BITS - s) } else { 0 };
    shift::shl(q, s);
    r[n - 1] = above;
    r[..n - 1].copy_from_slice(&q[m + 1 - n..]);
    q[m + 1 - n..].fill(0);
    for limb in q[..m + 1 - n].iter_mut().rev() {
        *limb = divisor.step_vartime::<Portable>(r, *limb);
    }
    shift::shr(r, s);
}
