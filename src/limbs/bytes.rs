//! Bytes and hex digits to limbs and back.

use crate::limb::{LIMB_BYTES, Limb, Mask};

/// z := the number with these bytes, low byte first; set where it fits, else z is the number mod B^n.
///
/// Sizes: any; what `bytes` has beyond z fits where it is zeros. Leaks: both lengths.
pub(crate) fn from_le_bytes(z: &mut [Limb], bytes: &[u8]) -> Mask {
    let (within, beyond) = bytes.split_at(bytes.len().min(z.len() * LIMB_BYTES));
    z.fill(0);
    for (z, chunk) in z.iter_mut().zip(within.chunks(LIMB_BYTES)) {
        let mut word = [0; LIMB_BYTES];
        word[..chunk.len()].copy_from_slice(chunk);
        *z = Limb::from_le_bytes(word);
    }
    all_zero(beyond)
}

/// z := the number with these bytes, high byte first; set where it fits, else z is the number mod B^n.
///
/// Sizes: any; what `bytes` has beyond z fits where it is zeros. Leaks: both lengths.
pub(crate) fn from_be_bytes(z: &mut [Limb], bytes: &[u8]) -> Mask {
    let (beyond, within) = bytes.split_at(bytes.len().saturating_sub(z.len() * LIMB_BYTES));
    z.fill(0);
    for (z, chunk) in z.iter_mut().zip(within.rchunks(LIMB_BYTES)) {
        let mut word = [0; LIMB_BYTES];
        word[LIMB_BYTES - chunk.len()..].copy_from_slice(chunk);
        *z = Limb::from_be_bytes(word);
    }
    all_zero(beyond)
}

/// bytes := x mod 256^len, low byte first, zeros above x; set where x fits.
///
/// Sizes: any. Leaks: both lengths.
pub(crate) fn to_le_bytes(bytes: &mut [u8], x: &[Limb]) -> Mask {
    bytes.fill(0);
    for (chunk, x) in bytes.chunks_mut(LIMB_BYTES).zip(x) {
        let len = chunk.len();
        chunk.copy_from_slice(&x.to_le_bytes()[..len]);
    }
    fits(x, bytes.len())
}

/// bytes := x mod 256^len, high byte first, zeros above x; set where x fits.
///
/// Sizes: any. Leaks: both lengths.
pub(crate) fn to_be_bytes(bytes: &mut [u8], x: &[Limb]) -> Mask {
    bytes.fill(0);
    for (chunk, x) in bytes.rchunks_mut(LIMB_BYTES).zip(x) {
        let len = chunk.len();
        chunk.copy_from_slice(&x.to_be_bytes()[LIMB_BYTES - len..]);
    }
    fits(x, bytes.len())
}

/// z := the number with these hex digits of either case, high digit first. The first mask is set where there is
/// at least one digit and nothing else, the second where the number fits; else z is some number.
///
/// Sizes: any; what `digits` has beyond z fits where it is zeros. Leaks: both lengths.
pub(crate) fn from_hex(z: &mut [Limb], digits: &[u8]) -> (Mask, Mask) {
    const LIMB_DIGITS: usize = 2 * LIMB_BYTES;
    let (beyond, within) = digits.split_at(digits.len().saturating_sub(z.len() * LIMB_DIGITS));
    let mut valid = Mask::of_bit(Limb::from(!digits.is_empty()));
    let mut excess = 0;
    for digit in beyond {
        let (value, is_digit) = nibble(*digit);
        excess |= value;
        valid = valid & is_digit;
    }
    z.fill(0);
    for (z, chunk) in z.iter_mut().zip(within.rchunks(LIMB_DIGITS)) {
        for digit in chunk {
            let (value, is_digit) = nibble(*digit);
            *z = *z << 4 | value;
            valid = valid & is_digit;
        }
    }
    (valid, Mask::of_zero(excess))
}

/// The value of a hex digit, and whether it is one; the value of anything else is 0.
#[inline(always)]
fn nibble(digit: u8) -> (Limb, Mask) {
    let decimal = Limb::from(digit.wrapping_sub(b'0'));
    // One bit apart: 'A' to 'F' and 'a' to 'f', and no other byte lands among them.
    let letter = Limb::from((digit | 0x20).wrapping_sub(b'a'));
    let is_decimal = Mask::of_less(decimal, 10);
    let is_letter = Mask::of_less(letter, 6);
    (is_decimal.keep(decimal) | is_letter.keep(letter.wrapping_add(10)), is_decimal | is_letter)
}

fn all_zero(bytes: &[u8]) -> Mask {
    Mask::of_zero(Limb::from(bytes.iter().fold(0, |all, byte| all | byte)))
}

/// Set where x < 256^`bytes`. Leaks: `bytes`.
fn fits(x: &[Limb], bytes: usize) -> Mask {
    let whole = bytes / LIMB_BYTES;
    let part = bytes - whole * LIMB_BYTES;
    let Some((cut, above)) = x.get(whole..).and_then(<[Limb]>::split_first) else {
        return Mask::of_zero(0);
    };
    Mask::of_zero(above.iter().fold(*cut >> (8 * part), |all, limb| all | limb))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limbs::testing::{Carries, big};
    use num_bigint::BigUint;
    use std::{format, vec, vec::Vec};

    #[test]
    fn every_hex_digit_and_no_other_byte() {
        for byte in 0..=255_u8 {
            let (value, valid) = nibble(byte);
            let expected = char::from(byte).to_digit(16);
            assert_eq!(valid.bit() == 1, expected.is_some(), "{byte:#x}");
            assert_eq!(value, expected.unwrap_or(0) as Limb, "{byte:#x}");
        }
    }

    #[test]
    fn bytes_go_both_ways_at_every_length() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            let x = carries.limbs(n);
            let value = big(&x);
            let width = n * LIMB_BYTES;
            for len in [0, 1, width / 2, width - 1, width, width + 1, width + 9] {
                let mut le = vec![0xaa; len];
                let fit = to_le_bytes(&mut le, &x);
                let modulus = BigUint::from(1_u8) << (8 * len);
                assert_eq!(BigUint::from_bytes_le(&le), &value % &modulus);
                assert_eq!(fit.bit() == 1, value < modulus);
                let mut be = vec![0x55; len];
                assert_eq!(to_be_bytes(&mut be, &x).bit(), fit.bit());
                assert!(be.iter().eq(le.iter().rev()));

                // Back, into narrower, equal and wider numbers.
                for m in [0, n - 1, n, n + 1] {
                    let modulus = BigUint::from(1_u8) << (8 * m * LIMB_BYTES);
                    let value = BigUint::from_bytes_le(&le);
                    let (mut a, mut b, mut c) = (vec![9; m], vec![9; m], vec![9; m]);
                    let fit = from_le_bytes(&mut a, &le);
                    assert_eq!(fit.bit() == 1, value < modulus);
                    assert_eq!(big(&a), &value % &modulus);
                    assert_eq!(from_be_bytes(&mut b, &be).bit(), fit.bit());
                    assert_eq!(a, b);
                    let digits: Vec<u8> = be.iter().flat_map(|byte| format!("{byte:02X}").into_bytes()).collect();
                    let (valid, fit_hex) = from_hex(&mut c, &digits);
                    assert_eq!(valid.bit() == 1, len > 0);
                    assert_eq!(fit_hex.bit(), fit.bit());
                    assert_eq!(a, c);
                }
            }
        }
    }

    #[test]
    fn a_bad_digit_anywhere_is_seen() {
        let mut z = [0; 3];
        for len in 1..8 * LIMB_BYTES {
            for bad in 0..len {
                let mut digits = vec![b'0'; len];
                digits[bad] = b'g';
                assert_eq!(from_hex(&mut z, &digits).0.bit(), 0);
            }
        }
    }
}
