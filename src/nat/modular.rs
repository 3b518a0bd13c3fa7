//! Sums, doublings and shifts modulo any number, odd or even.

use crate::backend::Backend;
use crate::limbs::modular;
use crate::nat::Nat;
use crate::storage::Limbs;

impl<S: Limbs> Nat<S> {
    /// z := (self + b) mod m. Requires: both below m; otherwise z is some number of the width. Leaks: nothing.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// use tautochrone::{U256, subtle::ConstantTimeEq};
    /// let m = U256::from_u64(10);
    /// let z = U256::from_u64(7).add_mod(&U256::from_u64(8), &m);
    /// assert!(bool::from(z.ct_eq(&U256::from_u64(5))));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn add_mod(&self, b: &Self, m: &Self) -> Self {
        self.assert_same_width(b);
        self.assert_same_width(m);
        let mut z = self.clone();
        modular::add(z.as_mut_limbs(), b.as_limbs(), m.as_limbs());
        z
    }

    /// z := (self − b) mod m. Requires: both below m; otherwise z is some number of the width. Leaks: nothing.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// use tautochrone::{U256, subtle::ConstantTimeEq};
    /// let m = U256::from_u64(10);
    /// let z = U256::from_u64(3).sub_mod(&U256::from_u64(8), &m);
    /// assert!(bool::from(z.ct_eq(&U256::from_u64(5))));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn sub_mod(&self, b: &Self, m: &Self) -> Self {
        self.assert_same_width(b);
        self.assert_same_width(m);
        let mut z = self.clone();
        modular::sub(z.as_mut_limbs(), b.as_limbs(), m.as_limbs());
        z
    }

    /// z := 2·self mod m. Requires: self below m; otherwise z is some number of the width. Leaks: nothing.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// use tautochrone::{U256, subtle::ConstantTimeEq};
    /// let z = U256::from_u64(7).double_mod(&U256::from_u64(10));
    /// assert!(bool::from(z.ct_eq(&U256::from_u64(4))));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn double_mod(&self, m: &Self) -> Self {
        self.assert_same_width(m);
        let mut z = self.clone();
        modular::double(z.as_mut_limbs(), m.as_limbs());
        z
    }

    /// z := self·2^k mod m, **the modular left shift**: whole words at a time.
    ///
    /// m may be odd or even, and of any length within its width. Requires: self below m; otherwise z is some number of
    /// the width, in the same time. Leaks: k. Neither the values nor the length of m in bits.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// use tautochrone::{U256, subtle::ConstantTimeEq};
    /// let z = U256::ONE.shl_mod(1000, &U256::from_u64(1_000_003));
    /// assert!(bool::from(z.ct_eq(&U256::from_u64(510_646))));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn shl_mod(&self, k: u32, m: &Self) -> Self {
        self.assert_same_width(m);
        let (mut z, mut scratch) = (self.clone(), m.zeros());
        let (m, scratch) = (m.as_limbs(), scratch.as_mut_limbs());
        Backend::of_width(m.len()).shl_mod(z.as_mut_limbs(), k, m, scratch);
        z
    }
}
