//! Numbers modulo one modulus, in Montgomery form.

use crate::limb::{Limb, Mask};
use crate::limbs::{add, modular, shift};
use crate::montgomery::modulus::Modulus;
use crate::nat::Nat;
use crate::storage::{Limbs, Storage};
use core::fmt;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A number modulo one [`Modulus`], opaque: always reduced, always in Montgomery form, a·R mod N.
///
/// It holds neither its modulus nor a lifetime, so both can stand in one struct. Two residues of one modulus are equal
/// if and only if they represent equal numbers: `ct_eq`.
///
/// ```
/// use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
/// let m = Modulus::new(U256::from_u64(101)).unwrap();
/// let (a, b) = (m.residue(&U256::from_u64(3)), m.residue(&U256::from_u64(104)));
/// assert!(bool::from(a.ct_eq(&b)));
/// ```
#[derive(Clone)]
pub struct Residue<S: Storage>(pub(super) Nat<S>);

impl<S: Storage> Residue<S> {
    /// a where the choice is 0, b where it is 1.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// use tautochrone::{Modulus, Residue, U256, subtle::{Choice, ConstantTimeEq}};
    /// let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let picked = Residue::select(&m.zero(), &m.one(), Choice::from(1));
    /// assert!(bool::from(picked.ct_eq(&m.one())));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn select(a: &Self, b: &Self, choice: Choice) -> Self {
        Residue(Nat::select(&a.0, &b.0, choice))
    }

    /// Set for the residue of 0.
    ///
    /// ```
    /// # use tautochrone::{Modulus, U256};
    /// let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// assert!(bool::from(m.residue(&U256::from_u64(202)).is_zero()));
    /// ```
    pub fn is_zero(&self) -> Choice {
        self.0.is_zero()
    }

    pub(super) fn as_mut_limbs(&mut self) -> &mut [Limb] {
        self.0.as_mut_limbs()
    }
}

impl<S: Storage> ConstantTimeEq for Residue<S> {
    #[track_caller]
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl<S: Storage> fmt::Debug for Residue<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Residue({} bits)", self.0.bits_precision())
    }
}

impl<S: Storage> Zeroize for Residue<S> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl<S: Storage> ZeroizeOnDrop for Residue<S> {}

impl<S: Storage> crate::ct::Declassify for Residue<S> {
    type Output = crate::ct::Public<Residue<S>>;
    fn declassify(self) -> Self::Output {
        crate::ct::Public::wrap(Residue(crate::ct::Declassify::declassify(self.0).into_inner()))
    }
}

/// A binary operation and its in-place form, from the in-place one.
macro_rules! operations {
    ($($name:ident, $assign:ident, ($($arg:ident: $t:ty),*), $math:literal, $value:expr, [$($example:literal),*];)*) => {$(
        #[doc = $math]
        ///
        /// Leaks: nothing of the residues but their width.
        ///
        /// # Panics
        /// If the widths differ.
        ///
        /// ```
        /// use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
        /// let m = Modulus::new(U256::from_u64(101)).unwrap();
        /// let (a, b) = (m.residue(&U256::from_u64(40)), m.residue(&U256::from_u64(99)));
        $(#[doc = $example])*
        #[doc = concat!("assert!(bool::from(m.nat(&z).ct_eq(&U256::from_u64(", stringify!($value), "))));")]
        /// ```
        #[must_use]
        #[track_caller]
        pub fn $name(&self, a: &Residue<S>, $($arg: $t),*) -> Residue<S> {
            let mut z = a.clone();
            self.$assign(&mut z, $($arg),*);
            z
        }
    )*};
}

impl<S: Storage> Modulus<S> {
    operations! {
        add, add_assign, (b: &Residue<S>), "z := (a + b) mod N", 38, ["let z = m.add(&a, &b);"];
        sub, sub_assign, (b: &Residue<S>), "z := (a − b) mod N", 42, ["let z = m.sub(&a, &b);"];
        mul, mul_assign, (b: &Residue<S>), "z := a·b mod N", 21, ["let z = m.mul(&a, &b);"];
        neg, neg_assign, (), "z := −a mod N", 61, ["let z = m.neg(&a);"];
        double, double_assign, (), "z := 2a mod N", 97, ["let z = m.double(&b);"];
        halve, halve_assign, (), "z := a/2 mod N", 100, ["let z = m.halve(&b);"];
        square, square_assign, (), "z := a² mod N", 85, ["let z = m.square(&a);"];
        shl, shl_assign, (k: u32), "z := a·2^k mod N. Leaks: k.", 40, ["let z = m.shl(&a, 100);"];
    }

    /// 0
    ///
    /// ```
    /// # use tautochrone::{Modulus, U256};
    /// let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// assert!(bool::from(m.zero().is_zero()));
    /// ```
    pub fn zero(&self) -> Residue<S> {
        Residue(self.n.zeros())
    }

    /// 1
    ///
    /// ```
    /// use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
    /// let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// assert!(bool::from(m.nat(&m.one()).ct_eq(&U256::ONE)));
    /// ```
    pub fn one(&self) -> Residue<S> {
        // R²·R⁻¹ = R, the Montgomery form of 1.
        Residue(self.leave(&self.rr))
    }

    /// The residue of x, which may have any width and need not be below N.
    ///
    /// Leaks: the widths. Costs one multiplication for each width of N in x.
    ///
    /// ```
    /// use tautochrone::{Modulus, U256, U1024, subtle::ConstantTimeEq};
    /// let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// assert!(bool::from(m.residue(&U1024::from_u64(102)).ct_eq(&m.one())));
    /// ```
    pub fn residue<T: Limbs>(&self, x: &Nat<T>) -> Residue<S> {
        let (mut z, mut t) = (self.n.zeros(), self.n.wide_zeros());
        let width = z.as_limbs().len();
        // Horner in R: z·R² through R⁻¹ is z·R. A carry of z + piece, z < N, is worth one N less, and leaves a
        // number below R, which is all that the next product asks for.
        for (i, piece) in x.as_limbs().chunks(width).rev().enumerate() {
            let limbs = z.as_mut_limbs();
            if i > 0 {
                self.backend.mont_mul(limbs, self.rr.as_limbs(), self.n.as_limbs(), *self.n0, t.as_mut_limbs());
            }
            let carry = add::add_assign(limbs, piece);
            add::sub_masked(limbs, self.n.as_limbs(), Mask::of_bit(carry));
        }
        let limbs = z.as_mut_limbs();
        self.backend.mont_mul(limbs, self.rr.as_limbs(), self.n.as_limbs(), *self.n0, t.as_mut_limbs());
        Residue(z)
    }

    /// The number that a residue stands for, below N.
    ///
    /// # Panics
    /// If the widths differ.
    ///
    /// ```
    /// use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
    /// let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let x = m.nat(&m.residue(&U256::from_u64(1000)));
    /// assert!(bool::from(x.ct_eq(&U256::from_u64(91))));
    /// ```
    #[track_caller]
    pub fn nat(&self, a: &Residue<S>) -> Nat<S> {
        self.n.assert_same_width(&a.0);
        self.leave(&a.0)
    }

    /// x·R⁻¹ mod N
    fn leave(&self, x: &Nat<S>) -> Nat<S> {
        let (mut z, mut t) = (x.zeros(), x.wide_zeros());
        t.as_mut_limbs()[..x.as_limbs().len()].copy_from_slice(x.as_limbs());
        self.backend.reduce(z.as_mut_limbs(), t.as_mut_limbs(), self.n.as_limbs(), *self.n0);
        z
    }

    /// In-place [`add`](Modulus::add).
    ///
    /// ```
    /// # use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
    /// # let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let mut a = m.one();
    /// m.add_assign(&mut a, &m.one());
    /// assert!(bool::from(a.ct_eq(&m.double(&m.one()))));
    /// ```
    #[track_caller]
    pub fn add_assign(&self, a: &mut Residue<S>, b: &Residue<S>) {
        self.assert_own(a);
        self.assert_own(b);
        modular::add(a.as_mut_limbs(), b.0.as_limbs(), self.n.as_limbs());
    }

    /// In-place [`sub`](Modulus::sub).
    ///
    /// ```
    /// # use tautochrone::{Modulus, U256};
    /// # let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let mut a = m.one();
    /// m.sub_assign(&mut a, &m.one());
    /// assert!(bool::from(a.is_zero()));
    /// ```
    #[track_caller]
    pub fn sub_assign(&self, a: &mut Residue<S>, b: &Residue<S>) {
        self.assert_own(a);
        self.assert_own(b);
        modular::sub(a.as_mut_limbs(), b.0.as_limbs(), self.n.as_limbs());
    }

    /// In-place [`neg`](Modulus::neg).
    ///
    /// ```
    /// # use tautochrone::{Modulus, U256};
    /// # let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let mut a = m.zero();
    /// m.neg_assign(&mut a);
    /// assert!(bool::from(a.is_zero()));
    /// ```
    #[track_caller]
    pub fn neg_assign(&self, a: &mut Residue<S>) {
        let mut z = self.zero();
        self.sub_assign(&mut z, a);
        *a = z;
    }

    /// In-place [`double`](Modulus::double).
    ///
    /// ```
    /// # use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
    /// # let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let mut a = m.one();
    /// m.double_assign(&mut a);
    /// assert!(bool::from(m.nat(&a).ct_eq(&U256::from_u64(2))));
    /// ```
    #[track_caller]
    pub fn double_assign(&self, a: &mut Residue<S>) {
        self.assert_own(a);
        modular::double(a.as_mut_limbs(), self.n.as_limbs());
    }

    /// In-place [`halve`](Modulus::halve).
    ///
    /// ```
    /// # use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
    /// # let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let mut a = m.one();
    /// m.halve_assign(&mut a);
    /// assert!(bool::from(m.double(&a).ct_eq(&m.one())));
    /// ```
    #[track_caller]
    pub fn halve_assign(&self, a: &mut Residue<S>) {
        self.assert_own(a);
        // An odd a becomes even by adding N, which is odd; a + N may have a bit above.
        let limbs = a.as_mut_limbs();
        let odd = Mask::of_bit(limbs[0] & 1);
        let carry = add::add_masked(limbs, self.n.as_limbs(), odd);
        shift::shr(limbs, 1);
        *limbs.last_mut().expect("a modulus has limbs") |= carry << (Limb::BITS - 1);
    }

    /// In-place [`mul`](Modulus::mul).
    ///
    /// ```
    /// # use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
    /// # let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let mut a = m.residue(&U256::from_u64(7));
    /// m.mul_assign(&mut a, &m.residue(&U256::from_u64(9)));
    /// assert!(bool::from(m.nat(&a).ct_eq(&U256::from_u64(63))));
    /// ```
    #[track_caller]
    pub fn mul_assign(&self, a: &mut Residue<S>, b: &Residue<S>) {
        self.assert_own(a);
        self.assert_own(b);
        let mut t = self.n.wide_zeros();
        self.backend.mont_mul(a.as_mut_limbs(), b.0.as_limbs(), self.n.as_limbs(), *self.n0, t.as_mut_limbs());
    }

    /// In-place [`square`](Modulus::square).
    ///
    /// ```
    /// # use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
    /// # let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let mut a = m.residue(&U256::from_u64(7));
    /// m.square_assign(&mut a);
    /// assert!(bool::from(m.nat(&a).ct_eq(&U256::from_u64(49))));
    /// ```
    #[track_caller]
    pub fn square_assign(&self, a: &mut Residue<S>) {
        self.assert_own(a);
        let mut t = self.n.wide_zeros();
        self.backend.mont_square(a.as_mut_limbs(), self.n.as_limbs(), *self.n0, t.as_mut_limbs());
    }

    /// In-place [`shl`](Modulus::shl).
    ///
    /// ```
    /// # use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
    /// # let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let mut a = m.one();
    /// m.shl_assign(&mut a, 64);
    /// assert!(bool::from(m.nat(&a).ct_eq(&U256::from_u64((1u128 << 64).rem_euclid(101) as u64))));
    /// ```
    #[track_caller]
    pub fn shl_assign(&self, a: &mut Residue<S>, k: u32) {
        self.assert_own(a);
        let mut d = self.n.zeros();
        self.backend.shl(a.as_mut_limbs(), k, self.n.as_limbs(), self.bits, d.as_mut_limbs());
    }

    #[inline(always)]
    #[track_caller]
    pub(super) fn assert_own(&self, a: &Residue<S>) {
        self.n.assert_same_width(&a.0);
    }
}
