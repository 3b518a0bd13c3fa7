//! Shifts: by a public amount, and by a secret one under masks.

use core::cell::Cell;

use crate::limb::{LIMB_BITS, Limb, Mask};
use crate::limbs::rows::scale;
use zeroize::Zeroize;

/// z := z·2^k mod B^n.
///
/// Leaks: k. Any k; one of the width or more gives zero.
pub(crate) fn shl(z: &mut [Limb], k: u32) {
    let n = z.len();
    let (limbs, bits) = (n.min((k / LIMB_BITS) as usize), k % LIMB_BITS);
    z.copy_within(..n - limbs, limbs);
    z[..limbs].fill(0);
    if bits > 0 {
        let mut below = 0;
        for z in &mut z[limbs..] {
            let limb = *z;
            *z = funnel(limb, below, bits);
            below = limb;
        }
    }
}

/// z := ⌊z/2^k⌋.
///
/// Leaks: k. Any k; one of the width or more gives zero.
pub(crate) fn shr(z: &mut [Limb], k: u32) {
    let n = z.len();
    let (limbs, bits) = (n.min((k / LIMB_BITS) as usize), k % LIMB_BITS);
    z.copy_within(limbs.., 0);
    z[n - limbs..].fill(0);
    if bits > 0 {
        let mut above = 0;
        for z in z[..n - limbs].iter_mut().rev() {
            let limb = *z;
            *z = funnel(above, limb, LIMB_BITS - bits);
            above = limb;
        }
    }
}

/// The upper word of (high, low) shifted left by `bits` < w.
#[inline(always)]
pub(crate) fn funnel(high: Limb, low: Limb, bits: u32) -> Limb {
    // Two shifts on the right, since one by the whole width is not defined.
    (high << bits) | ((low >> 1) >> (LIMB_BITS - 1 - bits))
}

/// A secret number of bits w·limbs + b: the limbs move by masked passes, the bits by multiplication with a power of
/// two, since no shift may have a secret amount.
pub(crate) struct Amount {
    limbs: u32,
    /// 2^b
    up: Limb,
    /// 2^(w−1−b)
    down: Limb,
}

impl Drop for Amount {
    #[inline(always)]
    fn drop(&mut self) {
        self.limbs.zeroize();
        self.up.zeroize();
        self.down.zeroize();
    }
}

/// z := z·2^s, s the number of leading zeros of z; returns s.
///
/// Leaks: nothing. For z = 0: z, and some amount below the width.
#[inline(always)]
pub(crate) fn normalise(z: &mut [Limb]) -> Amount {
    let amount = leading_zeros(z);
    shl_secret(z, &amount, z.len());
    amount
}

/// The number of leading zeros of z; some amount below the width for z = 0.
#[inline(always)]
fn leading_zeros(z: &[Limb]) -> Amount {
    // The limbs above the leading one are zero, so that a sum over all under "zero above" keeps it alone.
    let (mut limbs, mut top, mut above) = (0, 0, 0);
    let (lowest, rest) = z.split_first().expect("a number has limbs");
    let mut leading = Mask::of_zero(above);
    for limb in rest.iter().rev() {
        top |= leading.keep(*limb);
        above |= limb;
        leading = Mask::of_zero(above);
        limbs += leading.word() & 1;
    }
    top |= leading.keep(*lowest);
    // Ones from its leading one down, then that one alone: 2^(w−1−b).
    for i in 0..LIMB_BITS.ilog2() {
        top |= top >> (1 << i);
    }
    let down = top ^ (top >> 1);
    Amount { limbs, up: down.reverse_bits(), down }
}

/// z := z·2^s mod B^n.
///
/// Leaks: nothing but that s is below `bound` limbs.
#[inline(always)]
pub(crate) fn shl_secret(z: &mut [Limb], s: &Amount, bound: usize) {
    for i in 0..passes(bound) {
        move_up(z, 1 << i, bit(s.limbs, i));
    }
    scale(z, s.up);
}

/// z := ⌊z/2^s⌋: the bits as ⌊z·2^(w−1−b)/2^(w−1)⌋.
///
/// Leaks: nothing but that s is below `bound` limbs.
#[inline(always)]
pub(crate) fn shr_secret(z: &mut [Limb], s: &Amount, bound: usize) {
    for i in 0..passes(bound) {
        move_down(z, 1 << i, bit(s.limbs, i));
    }
    let mut above = scale(z, s.down);
    for z in z.iter_mut().rev() {
        let limb = *z;
        *z = funnel(above, limb, 1);
        above = limb;
    }
}

/// The passes that a secret move of fewer than n limbs takes.
#[inline(always)]
fn passes(n: usize) -> u32 {
    usize::BITS - n.saturating_sub(1).leading_zeros()
}

#[inline(always)]
fn bit(s: u32, i: u32) -> Mask {
    Mask::of_bit(((s >> i) & 1) as Limb)
}

/// z := z·B^j mod B^n where `mask` is set.
#[inline(always)]
fn move_up(z: &mut [Limb], j: usize, mask: Mask) {
    // Cells, since source and target overlap; from the top down, so that each limb is read before it is replaced.
    let z = Cell::from_mut(z).as_slice_of_cells();
    let j = j.min(z.len());
    for (z, below) in z[j..].iter().zip(z).rev() {
        z.set(mask.select(below.get(), z.get()));
    }
    z[..j].iter().for_each(|z| z.set((!mask).keep(z.get())));
}

/// z := ⌊z/B^j⌋ where `mask` is set.
#[inline(always)]
fn move_down(z: &mut [Limb], j: usize, mask: Mask) {
    let z = Cell::from_mut(z).as_slice_of_cells();
    let j = j.min(z.len());
    for (z, above) in z.iter().zip(&z[j..]) {
        z.set(mask.select(above.get(), z.get()));
    }
    z[z.len() - j..].iter().for_each(|z| z.set((!mask).keep(z.get())));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limbs::testing::{Carries, big, limbs};
    use num_bigint::BigUint;
    use std::vec;

    fn amount(k: u32) -> Amount {
        let bits = k % LIMB_BITS;
        Amount { limbs: k / LIMB_BITS, up: 1 << bits, down: 1 << (LIMB_BITS - 1 - bits) }
    }

    #[test]
    fn two_words_as_one() {
        let mut carries = Carries::new();
        for bits in 0..LIMB_BITS {
            for _ in 0..50 {
                let (high, low) = (carries.limb(), carries.limb());
                let expected = (big(&[low, high]) << bits) >> LIMB_BITS;
                assert_eq!(funnel(high, low, bits), limbs(&expected, 1)[0]);
            }
        }
    }

    #[test]
    fn public_and_secret_amounts() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            let x = carries.limbs(n);
            let (value, width) = (big(&x), n as u32 * LIMB_BITS);
            let modulus = BigUint::from(1_u8) << width;
            let some = carries.below(width.into()) as u32;
            for k in [0, 1, LIMB_BITS - 1, LIMB_BITS, LIMB_BITS + 1, some, width - 1, width, width + 1, u32::MAX] {
                let left = limbs(&((&value << k.min(width)) % &modulus), n);
                let right = limbs(&(&value >> k.min(width)), n);
                let mut z = x.clone();
                shl(&mut z, k);
                assert_eq!(z, left, "{n} {k}");
                let mut z = x.clone();
                shr(&mut z, k);
                assert_eq!(z, right, "{n} {k}");
                if k < width {
                    let mut z = x.clone();
                    shl_secret(&mut z, &amount(k), n);
                    assert_eq!(z, left, "{n} {k}");
                    let mut z = x.clone();
                    shr_secret(&mut z, &amount(k), n);
                    assert_eq!(z, right, "{n} {k}");
                }
            }
        }
    }

    #[test]
    fn every_length_is_normalised() {
        let mut carries = Carries::new();
        for n in [1, 2, 3, 5, 8, 9, 33] {
            let width = n as u32 * LIMB_BITS;
            for length in 1..=width {
                let top = BigUint::from(1_u8) << (length - 1);
                let value = &top | (big(&carries.limbs(n)) % &top);
                let mut z = limbs(&value, n);
                let shift = normalise(&mut z);
                assert_eq!(big(&z), &value << (width - length));
                shr_secret(&mut z, &shift, n);
                assert_eq!(big(&z), value);
            }
            // Zero stays zero, and its amount is one that a shift takes.
            let mut z = vec![0; n];
            let shift = normalise(&mut z);
            assert_eq!(z, vec![0; n]);
            z = carries.limbs(n);
            shr_secret(&mut z, &shift, n);
        }
    }
}
