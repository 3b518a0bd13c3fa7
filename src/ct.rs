//! What is public, and the one door through which a secret becomes public.

pub(crate) mod barrier;

use core::ops::Deref;
use subtle::Choice;

/// A value that was never secret.
///
/// Whatever is not wrapped in `Public` is secret. `&Public<T>` coerces to `&T`, so a public value goes wherever
/// a secret is asked for; the reverse does not compile. A `Public` arises from its own constructors
/// (`Public::<U256>::from_hex` and the like), from functions whose inputs are all public, and from [`declassify`].
///
/// ```
/// use tautochrone::{Public, U256};
/// let n = Public::<U256>::from_u64(21);
/// let secret: &U256 = &n;
/// assert_eq!(secret.bits_precision(), 256);
/// assert_eq!(n.bits(), 5);
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Public<T>(T);

impl<T> Public<T> {
    /// Only for values made of public ones.
    pub(crate) const fn wrap(value: T) -> Self {
        Public(value)
    }

    /// The value itself, to be treated as a secret from here on.
    ///
    /// ```
    /// # use tautochrone::{Public, U256};
    /// let n: U256 = Public::<U256>::from_u64(21).into_inner();
    /// # let _ = n;
    /// ```
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Public<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

/// What [`declassify`] takes: numbers, residues, choices, limbs, bytes.
pub trait Declassify {
    /// What comes out: `bool` for a choice, `Public<T>` for a number, the value itself for the others.
    type Output;
    #[doc(hidden)]
    fn declassify(self) -> Self::Output;
}

/// Makes a secret public: the only place where one becomes so, with the reason why that is allowed.
///
/// Leaks: all of `value`. In a build for the taint checker it is the only mark; otherwise it costs nothing.
///
/// ```
/// use tautochrone::{U256, ct};
/// let sum = U256::from_u64(1).wrapping_add(&U256::from_u64(2));
/// let sum = ct::declassify(sum, "an example has no secrets");
/// assert_eq!(sum.to_string(), "3");
/// ```
#[inline(always)]
pub fn declassify<T: Declassify>(value: T, reason: &'static str) -> T::Output {
    let _ = reason;
    value.declassify()
}

impl Declassify for Choice {
    type Output = bool;
    #[inline(always)]
    fn declassify(self) -> bool {
        bool::from(Choice::from(self.unwrap_u8().declassify()))
    }
}

macro_rules! declassify_plain {
    ($($t:ty),*) => {$(
        impl Declassify for $t {
            type Output = $t;
            #[inline(always)]
            fn declassify(self) -> $t {
                let mut value = self;
                barrier::mark_public((&raw mut value).cast(), size_of::<$t>());
                value
            }
        }
    )*};
}
declassify_plain!(u8, u16, u32, u64, usize);

impl<'a> Declassify for &'a [u8] {
    type Output = &'a [u8];
    #[inline(always)]
    fn declassify(self) -> &'a [u8] {
        barrier::mark_public(self.as_ptr().cast_mut(), self.len());
        self
    }
}
