//! Sums and differences with their carries.

use crate::limb::{Limb, Mask, add_carry, opaque, sub_borrow};

/// zᵢ, carry := step(zᵢ, xᵢ, carry) over all limbs, where x counts as x & mask if there is one.
///
/// By pieces of eight, four and one limbs, each in straight line: the carry stays a flag through a piece.
#[inline(always)]
fn run(z: &mut [Limb], x: &[Limb], mask: Option<Mask>, step: impl Fn(Limb, Limb, Limb) -> (Limb, Limb)) -> Limb {
    assert_eq!(z.len(), x.len());
    let (z, x, carry) = pieces::<8>(z, x, mask, 0, &step);
    let (z, x, carry) = pieces::<4>(z, x, mask, carry, &step);
    pieces::<1>(z, x, mask, carry, &step).2
}

/// [`run`] over pieces of `C` limbs; what is left, and the carry.
#[inline(always)]
fn pieces<'z, 'x, const C: usize>(
    z: &'z mut [Limb],
    x: &'x [Limb],
    mask: Option<Mask>,
    mut carry: Limb,
    step: impl Fn(Limb, Limb, Limb) -> (Limb, Limb),
) -> (&'z mut [Limb], &'x [Limb], Limb) {
    let ((pieces, z), (x_pieces, x)) = (z.as_chunks_mut::<C>(), x.as_chunks::<C>());
    for (z, x) in pieces.iter_mut().zip(x_pieces) {
        // The masked limbs first, so that they do not come between the carries.
        // A loop, since the compiler leaves calls in `map`.
        let mut x = *x;
        if let Some(mask) = mask {
            for x in &mut x {
                *x = opaque(mask.keep(*x));
            }
        }
        for (z, x) in z.iter_mut().zip(x) {
            (*z, carry) = step(*z, x, carry);
        }
    }
    (z, x, carry)
}

/// z := z + x; returns the carry, 0 or 1.
///
/// Sizes: x not longer than z; the carry of x runs through the rest of z.
#[inline]
pub(crate) fn add_assign(z: &mut [Limb], x: &[Limb]) -> Limb {
    let (low, high) = z.split_at_mut(x.len());
    let carry = run(low, x, None, add_carry);
    add_limb(high, carry)
}

/// z := z + x; returns the carry, 0 or 1 (x itself where z is empty).
#[inline]
pub(crate) fn add_limb(z: &mut [Limb], x: Limb) -> Limb {
    let mut carry = x;
    for z in z {
        (*z, carry) = add_carry(*z, carry, 0);
    }
    carry
}

/// z := z − x; returns the borrow, 0 or 1.
///
/// Sizes: x not longer than z; the borrow of x runs through the rest of z.
#[inline]
pub(crate) fn sub_assign(z: &mut [Limb], x: &[Limb]) -> Limb {
    let (low, high) = z.split_at_mut(x.len());
    let mut borrow = run(low, x, None, sub_borrow);
    for z in high {
        (*z, borrow) = sub_borrow(*z, borrow, 0);
    }
    borrow
}

/// z := x − y; returns the borrow, 0 or 1.
///
/// Sizes: all alike.
#[inline]
pub(crate) fn sub(z: &mut [Limb], x: &[Limb], y: &[Limb]) -> Limb {
    assert!(z.len() == x.len() && x.len() == y.len());
    let mut borrow = 0;
    let ((z4, z1), (x4, x1), (y4, y1)) = (z.as_chunks_mut::<4>(), x.as_chunks::<4>(), y.as_chunks::<4>());
    for ((z, x), y) in z4.iter_mut().zip(x4).zip(y4) {
        for ((z, x), y) in z.iter_mut().zip(x).zip(y) {
            (*z, borrow) = sub_borrow(*x, *y, borrow);
        }
    }
    for ((z, x), y) in z1.iter_mut().zip(x1).zip(y1) {
        (*z, borrow) = sub_borrow(*x, *y, borrow);
    }
    borrow
}

/// z := z + x where `mask` is set; returns the carry, 0 or 1.
///
/// Sizes: x not longer than z; the carry runs through the rest of z.
#[inline]
pub(crate) fn add_masked(z: &mut [Limb], x: &[Limb], mask: Mask) -> Limb {
    let (low, high) = z.split_at_mut(x.len());
    let carry = run(low, x, Some(mask), add_carry);
    add_limb(high, carry)
}

/// z := z − x where `mask` is set; returns the borrow, 0 or 1.
///
/// Sizes: both alike.
#[inline]
pub(crate) fn sub_masked(z: &mut [Limb], x: &[Limb], mask: Mask) -> Limb {
    run(z, x, Some(mask), sub_borrow)
}

/// z := B^n − z mod B^n.
#[inline]
pub(crate) fn negate(z: &mut [Limb]) {
    let mut borrow = 0;
    for z in z {
        (*z, borrow) = sub_borrow(0, *z, borrow);
    }
}

/// The borrow of x − y: set where x < y.
///
/// Sizes: both alike.
#[inline]
pub(crate) fn borrow(x: &[Limb], y: &[Limb]) -> Mask {
    assert_eq!(x.len(), y.len());
    let mut borrow = 0;
    let ((x4, x1), (y4, y1)) = (x.as_chunks::<4>(), y.as_chunks::<4>());
    for (x, y) in x4.iter().zip(y4) {
        for (x, y) in x.iter().zip(y) {
            (_, borrow) = sub_borrow(*x, *y, borrow);
        }
    }
    for (x, y) in x1.iter().zip(y1) {
        (_, borrow) = sub_borrow(*x, *y, borrow);
    }
    Mask::of_bit(borrow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limbs::testing::{Carries, big};
    use num_bigint::BigUint;

    #[test]
    fn sums_and_differences_of_every_width() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            let modulus = BigUint::from(1_u8) << (n * Limb::BITS as usize);
            for m in [0, 1, n / 2, n] {
                let (x, y) = (carries.limbs(n), carries.limbs(m));
                let (a, b) = (big(&x), big(&y));
                let (sum, difference) = (&a + &b, &a + &modulus - &b);
                let mut z = x.clone();
                assert_eq!(add_assign(&mut z, &y) == 1, sum >= modulus);
                assert_eq!(big(&z), &sum % &modulus);
                let mut z = x.clone();
                assert_eq!(sub_assign(&mut z, &y) == 1, a < b);
                assert_eq!(big(&z), &difference % &modulus);
                let limb = carries.limb();
                let mut z = x.clone();
                assert_eq!(add_limb(&mut z, limb) == 1, &a + limb >= modulus);
                assert_eq!(big(&z), (&a + limb) % &modulus);

                for bit in [0, 1] {
                    let mask = Mask::of_bit(bit);
                    let mut z = x.clone();
                    assert_eq!(add_masked(&mut z, &y, mask) == 1, bit == 1 && sum >= modulus);
                    assert_eq!(big(&z), if bit == 1 { &sum % &modulus } else { a.clone() });
                    if n == m {
                        let mut z = x.clone();
                        assert_eq!(sub_masked(&mut z, &y, mask) == 1, bit == 1 && a < b);
                        assert_eq!(big(&z), if bit == 1 { &difference % &modulus } else { a.clone() });
                    }
                }
                if n == m {
                    let mut z = carries.limbs(n);
                    assert_eq!(sub(&mut z, &x, &y) == 1, a < b);
                    assert_eq!(big(&z), &difference % &modulus);
                    assert_eq!(borrow(&x, &y).bit() == 1, a < b);
                    assert_eq!(borrow(&x, &x).bit(), 0);
                }
            }
        }
    }
}
