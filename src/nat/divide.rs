//! Division of secrets, and of public numbers.

use crate::backend::Backend;
use crate::ct::Public;
use crate::limbs::cmp;
use crate::nat::Nat;
use crate::storage::{Limbs, Storage};
use subtle::{Choice, CtOption};

impl<S: Storage> Nat<S> {
    /// (q, r) := (⌊self/d⌋, self mod d), none iff d = 0.
    ///
    /// Sizes: any two widths; q is as wide as `self`, r as d. Leaks: nothing, not even the length of d: as many
    /// digits are divided out as `self` has limbs.
    ///
    /// ```
    /// use tautochrone::{U256, U512, subtle::ConstantTimeEq};
    /// let (q, r) = U512::from_u64(100).div_rem(&U256::from_u64(7)).expect("7 is not zero");
    /// assert!(bool::from(q.ct_eq(&U512::from_u64(14)) & r.ct_eq(&U256::from_u64(2))));
    /// assert!(bool::from(U256::ONE.div_rem(&U256::ZERO).is_none()));
    /// ```
    pub fn div_rem<T: Storage>(&self, d: &Nat<T>) -> CtOption<(Nat<S>, Nat<T>)> {
        self.div_rem_bounded(d, 1)
    }

    /// The twin of [`div_rem`](Nat::div_rem): (q, r) where the choice is set, else `default`.
    ///
    /// ```
    /// use tautochrone::{U256, subtle::ConstantTimeEq};
    /// let ((q, _), ok) = U256::from_u64(9).div_rem_or(&U256::ZERO, (U256::ONE, U256::ONE));
    /// assert!(!bool::from(ok));
    /// assert!(bool::from(q.ct_eq(&U256::ONE)));
    /// ```
    pub fn div_rem_or<T: Storage>(&self, d: &Nat<T>, default: (Nat<S>, Nat<T>)) -> ((Nat<S>, Nat<T>), Choice) {
        let (q, r, some) = self.divide(d, 1);
        ((Nat::select(&default.0, &q, some), Nat::select(&default.1, &r, some)), some)
    }

    /// [`div_rem`](Nat::div_rem) for a divisor of which a lower bound of the length is public: at 2n over n limbs, a
    /// divisor known to fill its width halves the steps.
    ///
    /// Requires: d is at least `min_bits` long; otherwise the numbers are meaningless. Leaks: `min_bits`.
    ///
    /// ```
    /// use tautochrone::{U256, U512, subtle::ConstantTimeEq};
    /// let d = U256::MAX;
    /// let (q, r) = d.mul_wide(&d).resize::<{ U512::LIMBS }>().div_rem_bounded(&d, 256).expect("not zero");
    /// assert!(bool::from(q.resize::<{ U256::LIMBS }>().ct_eq(&d) & r.ct_eq(&U256::ZERO)));
    /// ```
    pub fn div_rem_bounded<T: Storage>(&self, d: &Nat<T>, min_bits: u32) -> CtOption<(Nat<S>, Nat<T>)> {
        let (q, r, some) = self.divide(d, min_bits);
        CtOption::new((q, r), some)
    }

    /// self mod d, as wide as d; none iff d = 0. Leaks: nothing.
    ///
    /// ```
    /// use tautochrone::{U256, subtle::ConstantTimeEq};
    /// let r = U256::from_u64(100).rem(&U256::from_u64(7)).expect("7 is not zero");
    /// assert!(bool::from(r.ct_eq(&U256::from_u64(2))));
    /// ```
    pub fn rem<T: Storage>(&self, d: &Nat<T>) -> CtOption<Nat<T>> {
        let mut r = d.zeros();
        self.divide_into(None, &mut r, d, 1);
        CtOption::new(r, !cmp::is_zero(d.as_limbs()).choice())
    }

    /// The twin of [`rem`](Nat::rem): the remainder where the choice is set, else `default`.
    ///
    /// ```
    /// use tautochrone::{U256, subtle::ConstantTimeEq};
    /// let (r, ok) = U256::from_u64(9).rem_or(&U256::ZERO, U256::ONE);
    /// assert!(bool::from(r.ct_eq(&U256::ONE) & !ok));
    /// ```
    pub fn rem_or<T: Storage>(&self, d: &Nat<T>, default: Nat<T>) -> (Nat<T>, Choice) {
        let mut r = d.zeros();
        self.divide_into(None, &mut r, d, 1);
        let some = !cmp::is_zero(d.as_limbs()).choice();
        (Nat::select(&default, &r, some), some)
    }

    /// self mod d for a d at least `min_bits` ≥ 1 long, hence not 0; else some number.
    #[cfg(feature = "rsa")]
    pub(crate) fn rem_bounded<T: Storage>(&self, d: &Nat<T>, min_bits: u32) -> Nat<T> {
        let mut r = d.zeros();
        self.divide_into(None, &mut r, d, min_bits);
        r
    }

    fn divide<T: Storage>(&self, d: &Nat<T>, min_bits: u32) -> (Nat<S>, Nat<T>, Choice) {
        let (mut q, mut r) = (self.zeros(), d.zeros());
        self.divide_into(Some(&mut q), &mut r, d, min_bits);
        (q, r, !cmp::is_zero(d.as_limbs()).choice())
    }

    fn divide_into<T: Storage>(&self, q: Option<&mut Nat<S>>, r: &mut Nat<T>, d: &Nat<T>, min_bits: u32) {
        let q = q.map(Nat::as_mut_limbs);
        let (r, u, d, c) = (r.as_mut_limbs(), self.as_limbs(), d, &mut d.zeros());
        let c = c.as_mut_limbs();
        if u.len() >= d.as_limbs().len() {
            Backend::of_width(d.as_limbs().len()).div_rem(
                q,
                r,
                u,
                d.as_limbs(),
                min_bits,
                self.wide_zeros().as_mut_limbs(),
                c,
            );
        } else {
            Backend::of_width(d.as_limbs().len()).div_rem(
                q,
                r,
                u,
                d.as_limbs(),
                min_bits,
                d.wide_zeros().as_mut_limbs(),
                c,
            );
        }
    }
}

impl<S: Limbs> Public<Nat<S>> {
    /// (⌊self/d⌋, self mod d), none iff d = 0. Sizes: any two widths; the quotient is as wide as `self`, the remainder
    /// as d. Leaks: both operands, which are public.
    ///
    /// ```
    /// use tautochrone::{Public, U256};
    /// let n = Public::<U256>::from_u64(100);
    /// let (q, r) = n.div_rem_vartime(&Public::<U256>::from_u64(7)).expect("7 is not zero");
    /// assert_eq!((q.to_string(), r.to_string()), ("14".into(), "2".into()));
    /// ```
    #[expect(clippy::type_complexity, reason = "A quotient and a remainder are no type of their own.")]
    pub fn div_rem_vartime<T: Limbs>(&self, d: &Public<Nat<T>>) -> Option<(Public<Nat<S>>, Public<Nat<T>>)> {
        if d.as_limbs().iter().all(|limb| *limb == 0) {
            return None;
        }
        let (mut q, mut r, mut c) = (Nat::clone(self), d.zeros(), d.zeros());
        let (d, c) = (d.as_limbs(), c.as_mut_limbs());
        Backend::of_width(d.len()).div_rem_vartime(q.as_mut_limbs(), r.as_mut_limbs(), d, c);
        Some((Public::wrap(q), Public::wrap(r)))
    }
}
