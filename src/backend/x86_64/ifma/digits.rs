//! Between limbs and rows of digits. Scalar, since it runs once per exponentiation; all positions are public.

use super::{DIGIT, MAX_DIGIT, Row};
use crate::limb::Mask;

/// (row, lane) of each digit of an instance, low digit first.
fn places<const I: usize>(width: usize, instance: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..8 / I).flat_map(move |l| (0..width).map(move |r| (r, I * l + instance)))
}

/// rows := the digits of x, zeros above them.
///
/// Requires: x below 2⁵² to the number of digits in the rows.
pub(super) fn split<const I: usize>(rows: &mut [Row], instance: usize, x: &[u64]) {
    let limb = |i: usize| x.get(i).copied().unwrap_or(0);
    for (digit, (r, lane)) in places::<I>(rows.len(), instance).enumerate() {
        let bit = digit * DIGIT as usize;
        let both = u128::from(limb(bit / 64)) | u128::from(limb(bit / 64 + 1)) << 64;
        rows[r][lane] = (both >> (bit % 64)) as u64 & MAX_DIGIT;
    }
}

/// z := the digits in the rows, zeros above them.
///
/// Requires: the value below 2⁶⁴ to the number of limbs.
pub(super) fn pack<const I: usize>(z: &mut [u64], rows: &[Row], instance: usize) {
    let mut places = places::<I>(rows.len(), instance);
    let (mut rest, mut bits) = (0_u128, 0);
    for z in z {
        while bits < 64 {
            // Beyond the last digit come zeros.
            rest |= u128::from(places.next().map_or(0, |(r, lane)| rows[r][lane])) << bits;
            bits += DIGIT;
        }
        *z = rest as u64;
        rest >>= 64;
        bits -= 64;
    }
}

/// z := k·n + 1, which for k = −n⁻¹ mod 2⁵² has zero for its lowest digit.
///
/// Requires: k < 2⁵², and a digit more in z than n fills.
pub(super) fn multiple<const I: usize>(z: &mut [Row], n: &[Row], instance: usize, k: u64) {
    let mut carry = 1;
    for (r, lane) in places::<I>(z.len(), instance) {
        // Below 2¹⁰⁴ + 2⁵²: the next carry is again below 2⁵² + 1.
        let sum = u128::from(n[r][lane]) * u128::from(k) + carry;
        z[r][lane] = sum as u64 & MAX_DIGIT;
        carry = sum >> DIGIT;
    }
}

/// z := z − n where z ≥ n, else z.
///
/// Leaks: nothing; both are walked twice, whatever their values.
pub(super) fn subtract<const I: usize>(z: &mut [Row], n: &[Row], instance: usize) {
    let width = z.len();
    let mut borrow = 0;
    for (r, lane) in places::<I>(width, instance) {
        // Digits are below 2⁵²: the difference is negative, with its top bit set, or not.
        borrow = z[r][lane].wrapping_sub(n[r][lane]).wrapping_sub(borrow) >> 63;
    }
    let kept = Mask::of_bit(1 - borrow);
    let mut borrow = 0;
    for (r, lane) in places::<I>(width, instance) {
        let difference = z[r][lane].wrapping_sub(kept.keep(n[r][lane])).wrapping_sub(borrow);
        z[r][lane] = difference & MAX_DIGIT;
        borrow = difference >> 63;
    }
}
