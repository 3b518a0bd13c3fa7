//! Natural numbers of fixed width.

mod arithmetic;
mod compare;
mod convert;
mod divide;
mod encoding;
mod modular;
mod public;
#[cfg(feature = "rand_core")]
mod random;
#[doc(hidden)]
pub mod shapes;

#[cfg(feature = "rand_core")]
pub use random::RandomError;

use crate::limb::{LIMB_BITS, Limb};
use crate::storage::{Limbs, Storage};
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A natural number of fixed width, low limb first: [`Uint`] on the stack, [`BoxedUint`] on the heap.
///
/// The width is public and never follows the value; the value is secret. So there is no `PartialEq`, `Ord`, `Hash`,
/// `Index` or `Copy`; comparisons give a `Choice`, `Debug` shows the width alone, and `Drop` wipes. Two operands of
/// one operation have one width unless a method says otherwise; anything else is a programming error and panics.
///
/// ```
/// use tautochrone::{U256, subtle::ConstantTimeEq};
/// let a = U256::from_u64(5).wrapping_add(&U256::from_u64(7));
/// assert!(bool::from(a.ct_eq(&U256::from_u64(12))));
/// assert_eq!(format!("{a:?}"), "Nat(256 bits)");
/// ```
pub struct Nat<S: Limbs> {
    limbs: S,
}

/// A number of `N` limbs on the stack. The aliases `U256` … `U8192` and [`limbs_for`](crate::limbs_for) name widths
/// in bits.
///
/// ```
/// use tautochrone::{Uint, limbs_for};
/// type U320 = Uint<{ limbs_for(320) }>;
/// assert_eq!(U320::BITS, 320);
/// ```
pub type Uint<const N: usize> = Nat<[Limb; N]>;

/// A number on the heap, whose width is chosen at run time.
///
/// ```
/// use tautochrone::BoxedUint;
/// assert_eq!(BoxedUint::zero(521).bits_precision(), BoxedUint::zero(576).bits_precision());
/// ```
#[cfg(feature = "alloc")]
pub type BoxedUint = Nat<alloc::boxed::Box<[Limb]>>;

impl<S: Limbs> Nat<S> {
    #[inline(always)]
    pub(crate) const fn of(limbs: S) -> Self {
        Nat { limbs }
    }

    /// The limbs, low one first.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// assert_eq!(U256::from_u64(7).as_limbs()[0], 7);
    /// ```
    #[inline(always)]
    pub fn as_limbs(&self) -> &[Limb] {
        self.limbs.as_limbs()
    }

    #[inline(always)]
    pub(crate) fn as_mut_limbs(&mut self) -> &mut [Limb] {
        self.limbs.as_mut_limbs()
    }

    /// The width in bits.
    ///
    /// ```
    /// # use tautochrone::U512;
    /// assert_eq!(U512::ONE.bits_precision(), 512);
    /// ```
    pub fn bits_precision(&self) -> u32 {
        u32::try_from(self.as_limbs().len()).expect("widths are counted in 32 bits") * LIMB_BITS
    }

    /// Zero, of the width of `self`.
    #[inline(always)]
    pub(crate) fn zeros(&self) -> Self {
        Nat::of(self.limbs.zeros())
    }

    /// Operands of one operation have one width.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn assert_same_width<T: Limbs>(&self, other: &Nat<T>) {
        assert_eq!(self.as_limbs().len(), other.as_limbs().len(), "operands differ in width (limbs)");
    }
}

impl<S: Storage> Nat<S> {
    /// Zero, of twice the width of `self`.
    #[inline(always)]
    pub(crate) fn wide_zeros(&self) -> Nat<S::Wide> {
        Nat::of(self.limbs.wide_zeros())
    }

    /// At least `limbs` limbs, all zero, for the state of an exponentiation of numbers as wide as `self`.
    #[inline(always)]
    pub(crate) fn table_zeros(&self, limbs: usize) -> Nat<S::Table> {
        Nat::of(self.limbs.table_zeros(limbs))
    }

    /// The same for a public exponent.
    #[inline(always)]
    pub(crate) fn work_zeros(&self, limbs: usize) -> Nat<S::Work> {
        Nat::of(self.limbs.work_zeros(limbs))
    }
}

impl<S: Limbs> Clone for Nat<S> {
    fn clone(&self) -> Self {
        Nat::of(self.limbs.clone())
    }
}

impl<S: Limbs> fmt::Debug for Nat<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Nat({} bits)", self.bits_precision())
    }
}

impl<S: Limbs> Zeroize for Nat<S> {
    #[inline]
    fn zeroize(&mut self) {
        self.as_mut_limbs().zeroize();
    }
}

impl<S: Limbs> Drop for Nat<S> {
    #[inline]
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl<S: Limbs> ZeroizeOnDrop for Nat<S> {}
