//! Comparison, selection, and the way out of secrecy.

use crate::ct::barrier::mark_public;
use crate::ct::{Declassify, Public};
use crate::limb::Mask;
use crate::limbs::{add, cmp};
use crate::nat::Nat;
use crate::storage::Limbs;
use subtle::{Choice, ConstantTimeEq, ConstantTimeGreater, ConstantTimeLess};

impl<S: Limbs> Nat<S> {
    /// `a` where `choice` is 0, `b` where it is 1: the order of arguments of `subtle`.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// use tautochrone::{Nat, U256};
    /// let (a, b) = (U256::from_u64(5), U256::from_u64(7));
    /// assert_eq!(Nat::select(&a, &b, 1.into()).to_be_bytes()[31], 7);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn select(a: &Self, b: &Self, choice: Choice) -> Self {
        let mut z = a.clone();
        z.conditional_assign(b, choice);
        z
    }

    /// self := other where `choice` is 1.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// let mut x = U256::from_u64(5);
    /// x.conditional_assign(&U256::from_u64(7), 0.into());
    /// assert_eq!(x.to_be_bytes()[31], 5);
    /// ```
    #[track_caller]
    pub fn conditional_assign(&mut self, other: &Self, choice: Choice) {
        self.assert_same_width(other);
        cmp::assign(self.as_mut_limbs(), other.as_limbs(), Mask::of_choice(choice));
    }

    /// Exchanges `a` and `b` where `choice` is 1.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// use tautochrone::{Nat, U256};
    /// let (mut a, mut b) = (U256::from_u64(5), U256::from_u64(7));
    /// Nat::conditional_swap(&mut a, &mut b, 1.into());
    /// assert_eq!((a.to_be_bytes()[31], b.to_be_bytes()[31]), (7, 5));
    /// ```
    #[track_caller]
    pub fn conditional_swap(a: &mut Self, b: &mut Self, choice: Choice) {
        a.assert_same_width(b);
        cmp::swap(a.as_mut_limbs(), b.as_mut_limbs(), Mask::of_choice(choice));
    }

    /// Whether this is 0.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// assert!(bool::from(U256::ZERO.is_zero()));
    /// ```
    pub fn is_zero(&self) -> Choice {
        cmp::is_zero(self.as_limbs()).choice()
    }

    /// Whether this is odd.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// assert!(bool::from(U256::from_u64(7).is_odd()));
    /// ```
    pub fn is_odd(&self) -> Choice {
        self.bit(0)
    }

    /// The length in bits, 0 for 0: as secret as the number.
    pub(crate) fn bits_secret(&self) -> u32 {
        cmp::bits(self.as_limbs())
    }
}

/// # Panics
/// If the widths differ.
impl<S: Limbs> ConstantTimeEq for Nat<S> {
    #[track_caller]
    fn ct_eq(&self, other: &Self) -> Choice {
        self.assert_same_width(other);
        cmp::equal(self.as_limbs(), other.as_limbs()).choice()
    }
}

/// # Panics
/// If the widths differ.
impl<S: Limbs> ConstantTimeGreater for Nat<S> {
    #[track_caller]
    fn ct_gt(&self, other: &Self) -> Choice {
        other.ct_lt(self)
    }
}

/// # Panics
/// If the widths differ.
impl<S: Limbs> ConstantTimeLess for Nat<S> {
    #[track_caller]
    fn ct_lt(&self, other: &Self) -> Choice {
        self.assert_same_width(other);
        add::borrow(self.as_limbs(), other.as_limbs()).choice()
    }
}

impl<S: Limbs> Declassify for Nat<S> {
    type Output = Public<Nat<S>>;
    #[inline]
    fn declassify(mut self) -> Public<Nat<S>> {
        let limbs = self.as_mut_limbs();
        mark_public(limbs.as_mut_ptr().cast(), size_of_val(limbs));
        Public::wrap(self)
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::ct::declassify;
    use crate::limb::LIMB_BITS;
    use crate::limbs::testing::{Carries, big};
    use crate::nat::BoxedUint;

    #[test]
    fn comparison_and_selection() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            for round in 0..20 {
                let a = Nat::of(carries.limbs(n).into_boxed_slice());
                let mut b = Nat::of(carries.limbs(n).into_boxed_slice());
                // Equal ones, and such as differ in one limb.
                if round % 3 < 2 {
                    b = a.clone();
                }
                if round % 3 == 1 {
                    let i = carries.below(n as u64) as usize;
                    b.as_mut_limbs()[i] = carries.limb();
                }
                let (x, y) = (big(a.as_limbs()), big(b.as_limbs()));
                assert_eq!(a.ct_eq(&b).unwrap_u8() == 1, x == y);
                assert_eq!(a.ct_lt(&b).unwrap_u8() == 1, x < y);
                assert_eq!(a.ct_gt(&b).unwrap_u8() == 1, x > y);
                assert_eq!(a.is_zero().unwrap_u8() == 1, x == Default::default());
                assert_eq!(a.is_odd().unwrap_u8() == 1, x.bit(0));
                assert_eq!(u64::from(a.bits_secret()), x.bits());
                for bit in [0, 1] {
                    let (first, second) = if bit == 1 { (&y, &x) } else { (&x, &y) };
                    let choice = Choice::from(bit);
                    assert_eq!(big(Nat::select(&a, &b, choice).as_limbs()), *first);
                    let (mut c, mut d) = (a.clone(), b.clone());
                    Nat::conditional_swap(&mut c, &mut d, choice);
                    assert_eq!((&big(c.as_limbs()), &big(d.as_limbs())), (first, second));
                    let mut c = a.clone();
                    c.conditional_assign(&b, choice);
                    assert_eq!(big(c.as_limbs()), *first);
                }
                assert_eq!(big(declassify(a, "test").as_limbs()), x);
            }
        }
    }

    #[test]
    fn widths_must_agree() {
        fn panics(f: impl Fn(&BoxedUint, &BoxedUint) + std::panic::RefUnwindSafe) -> bool {
            let (a, b) = (BoxedUint::zero(LIMB_BITS), BoxedUint::zero(2 * LIMB_BITS));
            std::panic::catch_unwind(|| f(&a, &b)).is_err()
        }
        assert!(panics(|a, b| drop(Nat::select(a, b, 0.into()))));
        assert!(panics(|a, b| Nat::conditional_swap(&mut a.clone(), &mut b.clone(), 0.into())));
        assert!(panics(|a, b| _ = a.ct_eq(b)));
        assert!(panics(|a, b| _ = a.ct_lt(b)));
        assert!(panics(|a, b| _ = a.ct_gt(b)));
    }
}
