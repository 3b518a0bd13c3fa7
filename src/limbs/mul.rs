//! Products and squares.

use crate::limb::{Double, Limb, add_carry, mul_add, opaque, split};
use crate::limbs::add;
use crate::limbs::rows::Rows;
use core::array;

/// Evaluates `$body` for each piece of four limbs of `$slice` as an array, and once for the one to three that are
/// left; `$i` is where the piece begins.
macro_rules! for_pieces {
    ($slice:expr, |$i:ident, $piece:ident| $body:expr) => {{
        let (fours, rest) = $slice.as_chunks::<4>();
        for (i, $piece) in fours.iter().enumerate() {
            let $i = 4 * i;
            $body;
        }
        let $i = 4 * fours.len();
        match *rest {
            [x] => {
                let $piece = &[x];
                $body;
            }
            [x, y] => {
                let $piece = &[x, y];
                $body;
            }
            [x, y, z] => {
                let $piece = &[x, y, z];
                $body;
            }
            _ => {}
        }
    }};
}
pub(crate) use for_pieces;

/// z := a·b on the rows of one backend.
///
/// Sizes: z as long as a and b together. Leaks: nothing.
#[inline(always)]
pub(crate) fn mul<R: Rows>(z: &mut [Limb], a: &[Limb], b: &[Limb]) {
    assert_eq!(z.len(), a.len() + b.len());
    z[..a.len()].fill(0);
    for_pieces!(b, |i, piece| mul_rows::<R, _>(&mut z[i..], a, piece));
}

/// z := z + a·b on the low limbs of z, with the top `W` limbs written.
#[inline(always)]
fn mul_rows<R: Rows, const W: usize>(z: &mut [Limb], a: &[Limb], b: &[Limb; W]) {
    let mut w = [0; W];
    let (t, top) = z.split_at_mut(a.len());
    R::mul_add_block(&mut w, t, a, b);
    top[..W].copy_from_slice(&w);
}

/// z := a² on the rows of one backend: the products aᵢ·aⱼ for i < j once, doubled while the squares are added.
#[inline(always)]
pub(crate) fn square<R: Rows>(z: &mut [Limb], a: &[Limb]) {
    assert_eq!(z.len(), 2 * a.len());
    z[..a.len()].fill(0);
    for_pieces!(a, |i, piece| triangle_rows::<R, _>(&mut z[2 * i..i + a.len() + piece.len()], &a[i..], piece));
    // Twice the triangle has no carry out: it is below a². Neither has the whole.
    let (mut bit, mut carry) = (0, 0);
    let (pairs, (a4, a1)) = (z.as_chunks_mut::<2>().0, a.as_chunks::<4>());
    let (pairs4, pairs1) = pairs.as_chunks_mut::<4>();
    for (z, a) in pairs4.iter_mut().zip(a4) {
        (bit, carry) = double_and_add_squares(z, a, bit, carry);
    }
    for (z, a) in pairs1.iter_mut().zip(a1) {
        (bit, carry) = double_and_add_squares(array::from_mut(z), &[*a], bit, carry);
    }
}

/// z := 2z + bit + carry + Σ aₖ²·B^(2k), z in pairs of limbs; returns the bit and the carry above.
///
/// All doubled limbs and squares first, then one run of carries.
#[inline(always)]
fn double_and_add_squares<const C: usize>(
    z: &mut [[Limb; 2]; C],
    a: &[Limb; C],
    mut bit: Limb,
    mut carry: Limb,
) -> (Limb, Limb) {
    let mut twice = *z;
    for limb in twice.as_flattened_mut() {
        let above = *limb >> (Limb::BITS - 1);
        *limb = opaque((*limb << 1) | bit);
        bit = above;
    }
    let mut squares = [0; C];
    for (square, a) in squares.iter_mut().zip(a) {
        *square = Double::from(*a) * Double::from(*a);
    }
    for k in 0..C {
        let (low, high) = split(squares[k]);
        (z[k][0], carry) = add_carry(twice[k][0], low, carry);
        (z[k][1], carry) = add_carry(twice[k][1], high, carry);
    }
    (bit, carry)
}

/// z := z + Σ bⱼ·aₖ·B^(j+k) over j < `W`, k > j, where b is the low end of a; the top `W` limbs of z are written.
///
/// Sizes: z `W` limbs longer than a.
#[inline(always)]
fn triangle_rows<R: Rows, const W: usize>(z: &mut [Limb], a: &[Limb], b: &[Limb; W]) {
    // The products inside b, below b²/2 < B^(2W)/2, so that the low limbs of z can be added.
    let (mut low, mut w) = ([0; W], [0; W]);
    let mut put = |i: usize, x: Limb| if i < W { low[i] = x } else { w[i - W] = x };
    let mut acc = [0; 8];
    for j in 0..W {
        let mut carry = 0;
        for k in j + 1..W {
            (acc[j + k], carry) = mul_add(b[j], b[k], acc[j + k], carry);
        }
        acc[j + W] = carry;
    }
    for (i, x) in acc.iter().enumerate().take(2 * W) {
        put(i, *x);
    }
    let carry = add::add_assign(&mut low, &z[..W]);
    add::add_limb(&mut w, carry);
    z[..W].copy_from_slice(&low);
    let (t, top) = z[W..].split_at_mut(a.len() - W);
    R::mul_add_block(&mut w, t, &a[W..], b);
    top.copy_from_slice(&w);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limbs::rows::Portable;
    use crate::limbs::testing::{Carries, big};
    use std::vec;

    #[test]
    fn products_and_squares_of_every_width() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            for m in [0, 1, 3, n / 2, n, n + 2] {
                for (a, b) in [(carries.limbs(n), carries.limbs(m)), (vec![Limb::MAX; n], vec![Limb::MAX; m])] {
                    let mut z = carries.limbs(n + m);
                    mul::<Portable>(&mut z, &a, &b);
                    assert_eq!(big(&z), big(&a) * big(&b));
                    let mut z = carries.limbs(2 * n);
                    square::<Portable>(&mut z, &a);
                    assert_eq!(big(&z), big(&a) * big(&a));
                }
            }
        }
    }
}
