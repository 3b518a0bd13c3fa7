//! Sums, differences, products and shifts.

use crate::backend::Backend;
use crate::limb::Mask;
use crate::limbs::{add, shift};
use crate::nat::Nat;
use crate::storage::{Limbs, Storage};
use subtle::Choice;

impl<S: Limbs> Nat<S> {
    /// (self + b mod 2^width, carry).
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// let (sum, carry) = U256::MAX.overflowing_add(&U256::from_u64(3));
    /// assert_eq!(sum.to_be_bytes()[31], 2);
    /// assert!(bool::from(carry));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn overflowing_add(&self, b: &Self) -> (Self, Choice) {
        let mut sum = self.clone();
        let carry = sum.overflowing_add_assign(b);
        (sum, carry)
    }

    /// (self − b mod 2^width, borrow): the borrow says that self < b.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// let (difference, borrow) = U256::from_u64(7).overflowing_sub(&U256::from_u64(5));
    /// assert_eq!(difference.to_be_bytes()[31], 2);
    /// assert!(!bool::from(borrow));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn overflowing_sub(&self, b: &Self) -> (Self, Choice) {
        let mut difference = self.clone();
        let borrow = difference.overflowing_sub_assign(b);
        (difference, borrow)
    }

    /// self + b mod 2^width.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// assert_eq!(U256::MAX.wrapping_add(&U256::from_u64(3)).to_be_bytes()[31], 2);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn wrapping_add(&self, b: &Self) -> Self {
        self.overflowing_add(b).0
    }

    /// self − b mod 2^width.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// assert_eq!(U256::ZERO.wrapping_sub(&U256::ONE).to_be_bytes()[..], [0xff; 32]);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn wrapping_sub(&self, b: &Self) -> Self {
        self.overflowing_sub(b).0
    }

    /// self := self + b mod 2^width; returns the carry.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// let mut x = U256::from_u64(5);
    /// let carry = x.overflowing_add_assign(&U256::from_u64(7));
    /// assert_eq!((x.to_be_bytes()[31], bool::from(carry)), (12, false));
    /// ```
    #[must_use = "the carry; wrapping_add_assign drops it"]
    #[track_caller]
    pub fn overflowing_add_assign(&mut self, b: &Self) -> Choice {
        self.assert_same_width(b);
        Mask::of_bit(add::add_assign(self.as_mut_limbs(), b.as_limbs())).choice()
    }

    /// self := self − b mod 2^width; returns the borrow, which says that self was below b.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// let mut x = U256::from_u64(5);
    /// let borrow = x.overflowing_sub_assign(&U256::from_u64(6));
    /// assert_eq!((&x.to_be_bytes()[..], bool::from(borrow)), (&[0xff; 32][..], true));
    /// ```
    #[must_use = "the borrow; wrapping_sub_assign drops it"]
    #[track_caller]
    pub fn overflowing_sub_assign(&mut self, b: &Self) -> Choice {
        self.assert_same_width(b);
        Mask::of_bit(add::sub_assign(self.as_mut_limbs(), b.as_limbs())).choice()
    }

    /// self := self + b mod 2^width.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// let mut x = U256::from_u64(5);
    /// x.wrapping_add_assign(&U256::from_u64(7));
    /// assert_eq!(x.to_be_bytes()[31], 12);
    /// ```
    #[track_caller]
    pub fn wrapping_add_assign(&mut self, b: &Self) {
        let _ = self.overflowing_add_assign(b);
    }

    /// self := self − b mod 2^width.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// let mut x = U256::from_u64(7);
    /// x.wrapping_sub_assign(&U256::from_u64(5));
    /// assert_eq!(x.to_be_bytes()[31], 2);
    /// ```
    #[track_caller]
    pub fn wrapping_sub_assign(&mut self, b: &Self) {
        let _ = self.overflowing_sub_assign(b);
    }

    /// self·2^k mod 2^width; zero where k is the width or more.
    ///
    /// Leaks: k.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// assert_eq!(U256::from_u64(3).shl(8).to_be_bytes()[30..], [3, 0]);
    /// assert!(bool::from(U256::MAX.shl(256).is_zero()));
    /// ```
    #[must_use]
    pub fn shl(&self, k: u32) -> Self {
        let mut z = self.clone();
        z.shl_assign(k);
        z
    }

    /// ⌊self/2^k⌋; zero where k is the width or more.
    ///
    /// Leaks: k.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// assert_eq!(U256::from_u64(0x301).shr(8).to_be_bytes()[30..], [0, 3]);
    /// assert!(bool::from(U256::MAX.shr(256).is_zero()));
    /// ```
    #[must_use]
    pub fn shr(&self, k: u32) -> Self {
        let mut z = self.clone();
        z.shr_assign(k);
        z
    }

    /// self := self·2^k mod 2^width.
    ///
    /// Leaks: k.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// let mut x = U256::from_u64(3);
    /// x.shl_assign(8);
    /// assert_eq!(x.to_be_bytes()[30..], [3, 0]);
    /// ```
    pub fn shl_assign(&mut self, k: u32) {
        shift::shl(self.as_mut_limbs(), k);
    }

    /// self := ⌊self/2^k⌋.
    ///
    /// Leaks: k.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// let mut x = U256::from_u64(0x301);
    /// x.shr_assign(8);
    /// assert_eq!(x.to_be_bytes()[30..], [0, 3]);
    /// ```
    pub fn shr_assign(&mut self, k: u32) {
        shift::shr(self.as_mut_limbs(), k);
    }
}

impl<S: Storage> Nat<S> {
    /// self·b, in twice the width.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// let product = U256::MAX.mul_wide(&U256::from_u64(256));
    /// assert_eq!(product.bits_precision(), 512);
    /// assert_eq!(product.to_be_bytes()[30..34], [0, 255, 255, 255]);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn mul_wide(&self, b: &Self) -> Nat<S::Wide> {
        self.assert_same_width(b);
        let mut z = self.wide_zeros();
        let b = b.as_limbs();
        Backend::of_width(b.len()).mul(z.as_mut_limbs(), self.as_limbs(), b);
        z
    }

    /// self², in twice the width.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// let square = U256::MAX.square_wide();
    /// assert_eq!(square.to_be_bytes()[31..33], [254, 0]);
    /// ```
    #[must_use]
    pub fn square_wide(&self) -> Nat<S::Wide> {
        let mut z = self.wide_zeros();
        Backend::of_width(self.as_limbs().len()).square(z.as_mut_limbs(), self.as_limbs());
        z
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::limb::LIMB_BITS;
    use crate::limbs::testing::{Carries, big};
    use crate::nat::{BoxedUint, Uint};
    use num_bigint::BigUint;

    #[test]
    fn sums_differences_and_products() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            for _ in 0..20 {
                let a = Nat::of(carries.limbs(n).into_boxed_slice());
                let b = Nat::of(carries.limbs(n).into_boxed_slice());
                check(&a, &b);
            }
        }
        for _ in 0..100 {
            check(&array::<1>(&mut carries), &array(&mut carries));
            check(&array::<8>(&mut carries), &array(&mut carries));
            check(&array::<33>(&mut carries), &array(&mut carries));
        }
    }

    fn array<const N: usize>(carries: &mut Carries) -> Uint<N> {
        Nat::of(carries.limbs(N).try_into().unwrap())
    }

    fn check<S: Storage>(a: &Nat<S>, b: &Nat<S>) {
        let (x, y) = (big(a.as_limbs()), big(b.as_limbs()));
        let modulus = BigUint::from(1_u8) << a.bits_precision();
        let (sum, carry) = a.overflowing_add(b);
        assert_eq!(big(sum.as_limbs()), (&x + &y) % &modulus);
        assert_eq!(carry.unwrap_u8() == 1, &x + &y >= modulus);
        assert_eq!(a.wrapping_add(b).as_limbs(), sum.as_limbs());
        let (difference, borrow) = a.overflowing_sub(b);
        assert_eq!(big(difference.as_limbs()), (&x + &modulus - &y) % &modulus);
        assert_eq!(borrow.unwrap_u8() == 1, x < y);
        assert_eq!(a.wrapping_sub(b).as_limbs(), difference.as_limbs());
        let (mut c, mut d) = (a.clone(), a.clone());
        c.wrapping_add_assign(b);
        d.wrapping_sub_assign(b);
        assert_eq!((c.as_limbs(), d.as_limbs()), (sum.as_limbs(), difference.as_limbs()));
        assert_eq!(big(a.mul_wide(b).as_limbs()), &x * &y);
        assert_eq!(big(a.square_wide().as_limbs()), &x * &x);
    }

    #[test]
    fn shifts_by_every_kind_of_amount() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            let a = Nat::of(carries.limbs(n).into_boxed_slice());
            let (x, width) = (big(a.as_limbs()), a.bits_precision());
            let modulus = BigUint::from(1_u8) << width;
            let near = [0, LIMB_BITS, 2 * LIMB_BITS, width / 2, width].into_iter();
            for k in near.flat_map(|k| [k.saturating_sub(1), k, k + 1]).chain([u32::MAX - 1, u32::MAX]) {
                let shift = u64::from(k.min(width));
                assert_eq!(big(a.shl(k).as_limbs()), (&x << shift) % &modulus, "{n} {k}");
                assert_eq!(big(a.shr(k).as_limbs()), &x >> shift, "{n} {k}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "operands differ in width")]
    fn widths_must_agree() {
        let _ = BoxedUint::zero(LIMB_BITS).wrapping_add(&BoxedUint::zero(2 * LIMB_BITS));
    }

    #[test]
    #[should_panic(expected = "operands differ in width")]
    fn widths_of_factors_must_agree() {
        let _ = BoxedUint::zero(LIMB_BITS).mul_wide(&BoxedUint::zero(2 * LIMB_BITS));
    }
}
