//! Comparison, selection and length of numbers, all under masks.

use crate::limb::{LIMB_BITS, Limb, Mask};

/// Set where x = 0.
pub(crate) fn is_zero(x: &[Limb]) -> Mask {
    Mask::of_zero(x.iter().fold(0, |all, x| all | x))
}

/// Set where x = y; the shorter one counts as extended by zeros.
pub(crate) fn equal(x: &[Limb], y: &[Limb]) -> Mask {
    let common = x.len().min(y.len());
    let rest = x[common..].iter().chain(&y[common..]).fold(0, |all, limb| all | limb);
    Mask::of_zero(x.iter().zip(y).fold(rest, |all, (x, y)| all | (x ^ y)))
}

/// z := x where `mask` is set.
///
/// Sizes: both alike.
#[inline]
pub(crate) fn assign(z: &mut [Limb], x: &[Limb], mask: Mask) {
    assert_eq!(z.len(), x.len());
    for (z, x) in z.iter_mut().zip(x) {
        *z = mask.select(*x, *z);
    }
}

/// Exchanges x and y where `mask` is set.
///
/// Sizes: both alike.
pub(crate) fn swap(x: &mut [Limb], y: &mut [Limb], mask: Mask) {
    assert_eq!(x.len(), y.len());
    for (x, y) in x.iter_mut().zip(y) {
        let difference = mask.keep(*x ^ *y);
        *x ^= difference;
        *y ^= difference;
    }
}

/// The length of x in bits, 0 for 0, itself a secret.
///
/// The last limb that is not zero is kept under a mask, then its length is found by halving.
pub(crate) fn bits(x: &[Limb]) -> u32 {
    let (mut top, mut below) = (0, 0_u32);
    for (i, limb) in x.iter().enumerate() {
        let zero = Mask::of_zero(*limb);
        top = zero.select(top, *limb);
        let here = u32::try_from(i).expect("widths are counted in 32 bits") * LIMB_BITS;
        below = (below & zero.word()) | (here & (!zero).word());
    }
    let mut length = 0_u32;
    let mut half = LIMB_BITS / 2;
    while half > 0 {
        let low = Mask::of_zero(top >> half);
        length += half & (!low).word();
        top = low.select(top, top >> half);
        half /= 2;
    }
    // What is left of the top limb is its leading bit, or zero.
    below + length + u32::from(top as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limbs::testing::{Carries, big};
    use num_bigint::BigUint;
    use std::vec;

    #[test]
    fn comparison_and_selection_of_every_width() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            for m in [0, n / 2, n, n + 3] {
                let x = carries.limbs(n);
                // Equal as far as it goes, in half of the cases.
                let mut y = if carries.below(2) == 0 { carries.limbs(m) } else { x.clone() };
                y.resize(m, 0);
                let (a, b) = (big(&x), big(&y));
                assert_eq!(is_zero(&x).bit() == 1, a == BigUint::ZERO);
                assert_eq!(equal(&x, &y).bit() == 1, a == b);
                assert_eq!(equal(&y, &x).bit() == 1, a == b);
                if n == m {
                    for bit in [0, 1] {
                        let (mut s, mut t) = (x.clone(), y.clone());
                        swap(&mut s, &mut t, Mask::of_bit(bit));
                        assert_eq!((&s, &t), if bit == 1 { (&y, &x) } else { (&x, &y) });
                        let mut z = x.clone();
                        assign(&mut z, &y, Mask::of_bit(bit));
                        assert_eq!(&z, if bit == 1 { &y } else { &x });
                    }
                }
            }
        }
    }

    #[test]
    fn length_at_every_length() {
        let mut carries = Carries::new();
        assert_eq!(bits(&[]), 0);
        for n in [1, 2, 3, 8, 20] {
            assert_eq!(bits(&vec![0; n]), 0);
            for length in 1..=n as u32 * LIMB_BITS {
                let top = BigUint::from(1_u8) << (length - 1);
                for value in [top.clone(), (&top << 1) - 1_u8, &top | (big(&carries.limbs(n)) % &top)] {
                    assert_eq!(bits(&crate::limbs::testing::limbs(&value, n)), length);
                }
            }
        }
    }
}
