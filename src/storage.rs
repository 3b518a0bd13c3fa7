//! Where the limbs of a number live: in an array, or on the heap.

use crate::backend::power::{STATE, WORK};
use crate::limb::Limb;
#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec};

mod sealed {
    pub trait Sealed {}
}

/// Limbs in a row, low one first, of a width that is public. Sealed.
///
/// ```
/// use tautochrone::{Limbs, Uint};
/// fn width<S: Limbs>(limbs: &S) -> usize {
///     limbs.as_limbs().len()
/// }
/// assert_eq!(width(&[1, 2, 3]), 3);
/// # let _ = Uint::<3>::ZERO;
/// ```
pub trait Limbs: sealed::Sealed + Clone + Send + Sync + 'static {
    /// The limbs, low one first.
    fn as_limbs(&self) -> &[Limb];
    /// The same, to be written.
    fn as_mut_limbs(&mut self) -> &mut [Limb];
    /// All zero, of this width.
    fn zeros(&self) -> Self;
}

/// A home for numbers that also has one for products and for exponentiations of the same width. Sealed.
///
/// ```
/// use tautochrone::{Nat, Storage};
/// fn product<S: Storage>(a: &Nat<S>) -> Nat<S::Wide> {
///     a.square_wide()
/// }
/// # let _ = product(&tautochrone::U256::ONE);
/// ```
pub trait Storage: Limbs {
    /// Twice the width.
    type Wide: Limbs;
    /// The state of an exponentiation.
    type Table: Limbs;
    /// The state of an exponentiation with a public exponent.
    type Work: Limbs;
    /// A product, all zero, of numbers of this width.
    fn wide_zeros(&self) -> Self::Wide;
    /// The state of an exponentiation of numbers of this width, all zero, of at least `limbs` limbs.
    fn table_zeros(&self, limbs: usize) -> Self::Table;
    /// The same with a public exponent.
    fn work_zeros(&self, limbs: usize) -> Self::Work;
}

impl<const N: usize> sealed::Sealed for [Limb; N] {}
impl<const N: usize> Limbs for [Limb; N] {
    #[inline(always)]
    fn as_limbs(&self) -> &[Limb] {
        self
    }
    #[inline(always)]
    fn as_mut_limbs(&mut self) -> &mut [Limb] {
        self
    }
    #[inline(always)]
    fn zeros(&self) -> Self {
        [0; N]
    }
}

impl<const N: usize, const M: usize> sealed::Sealed for [[Limb; N]; M] {}
impl<const N: usize, const M: usize> Limbs for [[Limb; N]; M] {
    #[inline(always)]
    fn as_limbs(&self) -> &[Limb] {
        self.as_flattened()
    }
    #[inline(always)]
    fn as_mut_limbs(&mut self) -> &mut [Limb] {
        self.as_flattened_mut()
    }
    #[inline(always)]
    fn zeros(&self) -> Self {
        [[0; N]; M]
    }
}

impl<const N: usize> Storage for [Limb; N] {
    type Wide = [[Limb; N]; 2];
    type Table = [[Limb; N]; STATE];
    type Work = [[Limb; N]; WORK];
    #[inline(always)]
    fn wide_zeros(&self) -> Self::Wide {
        [[0; N]; 2]
    }
    #[inline(always)]
    fn table_zeros(&self, limbs: usize) -> Self::Table {
        assert!(limbs <= N * STATE);
        [[0; N]; STATE]
    }
    #[inline(always)]
    fn work_zeros(&self, limbs: usize) -> Self::Work {
        assert!(limbs <= N * WORK);
        [[0; N]; WORK]
    }
}

#[cfg(feature = "alloc")]
impl sealed::Sealed for Box<[Limb]> {}
#[cfg(feature = "alloc")]
impl Limbs for Box<[Limb]> {
    #[inline(always)]
    fn as_limbs(&self) -> &[Limb] {
        self
    }
    #[inline(always)]
    fn as_mut_limbs(&mut self) -> &mut [Limb] {
        self
    }
    fn zeros(&self) -> Self {
        vec![0; self.len()].into_boxed_slice()
    }
}

#[cfg(feature = "alloc")]
impl Storage for Box<[Limb]> {
    type Wide = Box<[Limb]>;
    type Table = Box<[Limb]>;
    type Work = Box<[Limb]>;
    fn wide_zeros(&self) -> Self::Wide {
        vec![0; 2 * self.len()].into_boxed_slice()
    }
    fn table_zeros(&self, limbs: usize) -> Self::Table {
        vec![0; limbs].into_boxed_slice()
    }
    fn work_zeros(&self, limbs: usize) -> Self::Work {
        vec![0; limbs].into_boxed_slice()
    }
}
