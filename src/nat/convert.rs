//! One width to another, one storage to another.

#[cfg(feature = "alloc")]
use crate::ct;
#[cfg(feature = "alloc")]
use crate::error::{Error, Field};
use crate::limb::{Limb, Mask};
use crate::limbs::cmp;
#[cfg(feature = "alloc")]
use crate::nat::BoxedUint;
use crate::nat::{Nat, Uint};
use crate::storage::Limbs;
use subtle::{Choice, CtOption};

/// A product of two [`Uint<N>`].
type WideUint<const N: usize> = Nat<[[Limb; N]; 2]>;

/// z := x mod B^n; set where x fits.
///
/// Sizes: any.
fn copy(z: &mut [Limb], x: &[Limb]) -> Mask {
    let common = z.len().min(x.len());
    let (low, high) = z.split_at_mut(common);
    low.copy_from_slice(&x[..common]);
    high.fill(0);
    cmp::is_zero(&x[common..])
}

impl<S: Limbs> Nat<S> {
    /// `self` in the shape of `default` where it fits, which the choice tells; else `default`.
    fn fit_into<T: Limbs>(&self, mut default: Nat<T>) -> (Nat<T>, Choice) {
        let (resized, fits) = self.resized(&default);
        default.conditional_assign(&resized, fits);
        (default, fits)
    }

    /// `self` mod 2^width, in the shape of `like`, and whether it fits.
    fn resized<T: Limbs>(&self, like: &Nat<T>) -> (Nat<T>, Choice) {
        let mut z = like.zeros();
        let fits = copy(z.as_mut_limbs(), self.as_limbs());
        (z, fits.choice())
    }
}

impl<const N: usize> Uint<N> {
    /// The number mod 2^width in `M` limbs: cut off, or extended by zeros.
    ///
    /// ```
    /// use tautochrone::{U256, U512};
    /// let x: U512 = U256::MAX.resize::<{ U512::LIMBS }>();
    /// assert_eq!(x.to_be_bytes()[31..33], [0, 255]);
    /// ```
    #[must_use]
    pub fn resize<const M: usize>(&self) -> Uint<M> {
        self.resized(&Uint::<M>::ZERO).0
    }

    /// The number in `M` limbs, if it fits.
    ///
    /// ```
    /// use tautochrone::{U256, U512};
    /// let x = U512::from_u64(7).resize_checked::<{ U256::LIMBS }>();
    /// assert!(bool::from(x.is_some()));
    /// let x = U512::MAX.resize_checked::<{ U256::LIMBS }>();
    /// assert!(bool::from(x.is_none()));
    /// ```
    pub fn resize_checked<const M: usize>(&self) -> CtOption<Uint<M>> {
        let (z, fits) = self.resized(&Uint::<M>::ZERO);
        CtOption::new(z, fits)
    }

    /// The number in `M` limbs if it fits, else `default`; and whether it fits.
    ///
    /// ```
    /// use tautochrone::{U256, U512};
    /// let (x, fits) = U512::MAX.resize_checked_or(U256::from_u64(7));
    /// assert_eq!((x.to_be_bytes()[31], bool::from(fits)), (7, false));
    /// ```
    #[must_use]
    pub fn resize_checked_or<const M: usize>(&self, default: Uint<M>) -> (Uint<M>, Choice) {
        self.fit_into(default)
    }
}

/// A product of two numbers on the stack.
impl<const N: usize> WideUint<N> {
    /// The number mod 2^width in `M` limbs: cut off, or extended by zeros.
    ///
    /// ```
    /// use tautochrone::{U256, U512};
    /// let product: U512 = U256::MAX.square_wide().resize::<{ U512::LIMBS }>();
    /// assert_eq!(product.to_be_bytes()[31..33], [254, 0]);
    /// ```
    #[must_use]
    pub fn resize<const M: usize>(&self) -> Uint<M> {
        self.resized(&Uint::<M>::ZERO).0
    }

    /// The number in `M` limbs, if it fits.
    ///
    /// ```
    /// use tautochrone::U256;
    /// let x = U256::from_u64(7).square_wide().resize_checked::<{ U256::LIMBS }>();
    /// assert_eq!(x.unwrap().to_be_bytes()[31], 49);
    /// ```
    pub fn resize_checked<const M: usize>(&self) -> CtOption<Uint<M>> {
        let (z, fits) = self.resized(&Uint::<M>::ZERO);
        CtOption::new(z, fits)
    }

    /// The number in `M` limbs if it fits, else `default`; and whether it fits.
    ///
    /// ```
    /// use tautochrone::U256;
    /// let (x, fits) = U256::MAX.square_wide().resize_checked_or(U256::from_u64(7));
    /// assert_eq!((x.to_be_bytes()[31], bool::from(fits)), (7, false));
    /// ```
    #[must_use]
    pub fn resize_checked_or<const M: usize>(&self, default: Uint<M>) -> (Uint<M>, Choice) {
        self.fit_into(default)
    }
}

#[cfg(feature = "alloc")]
impl BoxedUint {
    /// The number mod 2^width in at least `bits` bits, rounded up to whole limbs: cut off, or extended by zeros.
    ///
    /// ```
    /// # use tautochrone::BoxedUint;
    /// let product = BoxedUint::from_u64(7, 256).square_wide();
    /// assert_eq!(product.bits_precision(), 512);
    /// assert_eq!(product.resize(256).to_be_bytes()[30..], [0, 49]);
    /// ```
    #[must_use]
    pub fn resize(&self, bits: u32) -> BoxedUint {
        self.resized(&BoxedUint::zero(bits)).0
    }

    /// The same number in at least `bits` bits, rounded up to whole limbs.
    ///
    /// # Panics
    /// If that is narrower than the number is wide.
    ///
    /// ```
    /// # use tautochrone::BoxedUint;
    /// let x = BoxedUint::from_u64(7, 256).zero_extend(1024);
    /// assert_eq!((x.bits_precision(), x.to_be_bytes()[127]), (1024, 7));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn zero_extend(&self, bits: u32) -> BoxedUint {
        let zero = BoxedUint::zero(bits);
        assert!(zero.as_limbs().len() >= self.as_limbs().len(), "zero_extend to a narrower width");
        self.resized(&zero).0
    }

    /// The number in at least `bits` bits, rounded up to whole limbs, if it fits.
    ///
    /// ```
    /// # use tautochrone::BoxedUint;
    /// let x = BoxedUint::from_u64(7, 512);
    /// assert_eq!(x.resize_checked(256).unwrap().bits_precision(), 256);
    /// assert!(bool::from(x.shl(256).resize_checked(256).is_none()));
    /// ```
    pub fn resize_checked(&self, bits: u32) -> CtOption<BoxedUint> {
        let (z, fits) = self.resized(&BoxedUint::zero(bits));
        CtOption::new(z, fits)
    }

    /// The number in the width of `default` if it fits, else `default`; and whether it fits.
    ///
    /// ```
    /// # use tautochrone::BoxedUint;
    /// let x = BoxedUint::from_u64(7, 512).shl(256);
    /// let (x, fits) = x.resize_checked_or(BoxedUint::zero(256));
    /// assert_eq!((x.bits_precision(), bool::from(fits)), (256, false));
    /// ```
    #[must_use]
    pub fn resize_checked_or(&self, default: BoxedUint) -> (BoxedUint, Choice) {
        self.fit_into(default)
    }
}

/// A copy on the heap, of the same width.
///
/// ```
/// use tautochrone::{BoxedUint, U256};
/// let x = BoxedUint::from(&U256::MAX.square_wide());
/// assert_eq!(x.bits_precision(), 512);
/// ```
#[cfg(feature = "alloc")]
impl<S: Limbs> From<&Nat<S>> for BoxedUint {
    fn from(x: &Nat<S>) -> BoxedUint {
        Nat::of(x.as_limbs().into())
    }
}

/// The same number on the heap, of the same width.
///
/// ```
/// use tautochrone::{BoxedUint, U256};
/// let x = BoxedUint::from(U256::from_u64(7));
/// assert_eq!((x.bits_precision(), x.to_be_bytes()[31]), (256, 7));
/// ```
#[cfg(feature = "alloc")]
impl<const N: usize> From<Uint<N>> for BoxedUint {
    fn from(x: Uint<N>) -> BoxedUint {
        BoxedUint::from(&x)
    }
}

/// The same number on the heap, of the same width.
///
/// ```
/// use tautochrone::{BoxedUint, U256};
/// let x = BoxedUint::from(U256::MAX.square_wide());
/// assert_eq!(x.bits_precision(), 512);
/// ```
#[cfg(feature = "alloc")]
impl<const N: usize> From<WideUint<N>> for BoxedUint {
    fn from(x: WideUint<N>) -> BoxedUint {
        BoxedUint::from(&x)
    }
}

/// The same number on the stack; the widths may differ.
///
/// Leaks: whether the number fits; else [`Error::TooLong`].
///
/// ```
/// use tautochrone::{BoxedUint, Error, Field, U256};
/// let x = BoxedUint::from_u64(7, 512);
/// assert_eq!(U256::try_from(&x)?.to_be_bytes()[31], 7);
/// assert_eq!(U256::try_from(&x.shl(256)).err(), Some(Error::TooLong(Field::Number)));
/// # Ok::<(), Error>(())
/// ```
#[cfg(feature = "alloc")]
impl<const N: usize> TryFrom<&BoxedUint> for Uint<N> {
    type Error = Error;
    fn try_from(x: &BoxedUint) -> Result<Self, Error> {
        let (z, fits) = x.resized(&Uint::<N>::ZERO);
        match ct::declassify(fits, "whether a number fits its width, told once by the result") {
            true => Ok(z),
            false => Err(Error::TooLong(Field::Number)),
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::limb::LIMB_BITS;
    use crate::limbs::testing::{Carries, big, limbs};
    use num_bigint::BigUint;
    use std::vec;

    #[test]
    fn boxed_numbers_of_every_width() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            let x = Nat::of(carries.limbs(n).into_boxed_slice());
            let value = big(x.as_limbs());
            for m in [1, n / 2, n - 1, n, n + 1, 2 * n].into_iter().filter(|m| *m > 0) {
                let bits = m as u32 * LIMB_BITS;
                let fits = value.bits() <= bits.into();
                assert_eq!(x.resize(bits).as_limbs(), limbs(&(&value % (BigUint::from(1_u8) << bits)), m));
                let checked = x.resize_checked(bits);
                assert_eq!(checked.is_some().unwrap_u8() == 1, fits);
                if fits {
                    assert_eq!(checked.unwrap().as_limbs(), limbs(&value, m));
                }
                let default = vec![3; m];
                let (or, told) = x.resize_checked_or(Nat::of(default.clone().into_boxed_slice()));
                assert_eq!(told.unwrap_u8() == 1, fits);
                assert_eq!(or.as_limbs(), if fits { limbs(&value, m) } else { default });
                if m >= n {
                    assert_eq!(x.zero_extend(bits - 1).as_limbs(), limbs(&value, m));
                } else {
                    assert!(std::panic::catch_unwind(|| x.zero_extend(bits)).is_err());
                }
            }
        }
    }

    #[test]
    fn numbers_on_the_stack() {
        fn check<const N: usize, const M: usize>(carries: &mut Carries) {
            let x: Uint<N> = Nat::of(carries.limbs(N).try_into().unwrap());
            let value = big(x.as_limbs());
            let boxed = BoxedUint::from(&x);
            assert_eq!(boxed.as_limbs(), x.as_limbs());
            assert_eq!(BoxedUint::from(x.clone()).as_limbs(), x.as_limbs());
            let fits = value.bits() <= Uint::<M>::BITS.into();
            let expected = limbs(&(&value % (BigUint::from(1_u8) << Uint::<M>::BITS)), M);
            assert_eq!(x.resize::<M>().as_limbs(), expected);
            assert_eq!(Option::from(x.resize_checked::<M>()).map(|z: Uint<M>| big(z.as_limbs()) == value), some(fits));
            assert_eq!(Uint::<M>::try_from(&boxed).ok().map(|z| big(z.as_limbs()) == value), some(fits));
            let (or, told) = x.resize_checked_or(Uint::<M>::ONE);
            assert_eq!(told.unwrap_u8() == 1, fits);
            assert_eq!(big(or.as_limbs()), if fits { value.clone() } else { 1_u8.into() });

            let wide = x.mul_wide(&x);
            let value = &value * &value;
            let fits = value.bits() <= Uint::<M>::BITS.into();
            let expected = limbs(&(&value % (BigUint::from(1_u8) << Uint::<M>::BITS)), M);
            assert_eq!(wide.resize::<M>().as_limbs(), expected);
            assert_eq!(Option::from(wide.resize_checked()).map(|z: Uint<M>| big(z.as_limbs()) == value), some(fits));
            let (or, told) = wide.resize_checked_or(Uint::<M>::ONE);
            assert_eq!(told.unwrap_u8() == 1, fits);
            assert_eq!(big(or.as_limbs()), if fits { value } else { 1_u8.into() });
            assert_eq!(BoxedUint::from(&wide).as_limbs(), wide.as_limbs());
            assert_eq!(BoxedUint::from(wide.clone()).as_limbs(), wide.as_limbs());
        }
        fn some(fits: bool) -> Option<bool> {
            fits.then_some(true)
        }
        let mut carries = Carries::new();
        for _ in 0..50 {
            check::<1, 1>(&mut carries);
            check::<2, 1>(&mut carries);
            check::<8, 9>(&mut carries);
            check::<9, 8>(&mut carries);
            check::<9, 40>(&mut carries);
            check::<33, 66>(&mut carries);
        }
    }
}
