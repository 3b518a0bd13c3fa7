//! The context of an odd modulus, built eagerly.

use crate::backend::{Backend, form::Context};
use crate::ct::{Public, declassify};
use crate::error::{Error, Field};
use crate::limb::{Limb, neg_inverse};
use crate::limbs::cmp;
use crate::nat::Nat;
use crate::storage::Storage;
use core::fmt;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// An odd modulus N ≥ 3 with everything that Montgomery arithmetic needs: n₀ = −N⁻¹ mod B and R² mod N, R = 2^width.
///
/// Built eagerly and never changed: shared between threads it needs no lock. Public: the width and the length of N in
/// bits. Secret: its value, unless it was made by [`new_vartime`](Modulus::new_vartime). N may have any length within
/// its width; 521 bits in a width of 576 or 4096 give the same residues' values.
///
/// The methods come after the modulus: `m.mul(&a, &b)`. A [`Residue`](crate::Residue) holds no modulus; one of another
/// modulus of the same width gives a meaningless result.
///
/// ```
/// use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
/// let m = Modulus::new(U256::from_u64(101))?;
/// let a = m.residue(&U256::from_u64(77));
/// let b = m.residue(&U256::from_u64(1000));
/// let product = m.nat(&m.mul(&a, &b));
/// assert!(bool::from(product.ct_eq(&U256::from_u64(77 * 1000 % 101))));
/// # Ok::<(), tautochrone::Error>(())
/// ```
#[derive(Clone)]
pub struct Modulus<S: Storage> {
    pub(super) n: Nat<S>,
    pub(super) rr: Nat<S>,
    /// −N⁻¹ mod B: as secret as the low limb of N.
    pub(super) n0: Zeroizing<Limb>,
    pub(super) bits: u32,
    pub(super) backend: Backend,
}

impl<S: Storage> Modulus<S> {
    /// The context of a **secret** modulus, in constant time.
    ///
    /// # Leaks
    /// The length of n in bits, and whether it is odd: both are declassified here.
    ///
    /// # Errors
    /// [`Error::TooSmall`] for 0 and 1, [`Error::Even`] for an even modulus.
    ///
    /// ```
    /// use tautochrone::{Error, Field, Modulus, U1024};
    /// assert_eq!(Modulus::new(U1024::from_u64(0xffef)).unwrap().bits(), 16);
    /// assert_eq!(Modulus::new(U1024::ONE).err(), Some(Error::TooSmall(Field::Modulus)));
    /// ```
    pub fn new(n: Nat<S>) -> Result<Self, Error> {
        Self::with_backend(n, Backend::preferred())
    }

    /// [`new`](Modulus::new) on a backend of the caller's choice, or on the next one where it does not serve this length:
    /// [`backend`](Modulus::backend) names the one in use.
    ///
    /// ```
    /// use tautochrone::{Backend, Modulus, U256};
    /// let m = Modulus::with_backend(U256::from_u64(13), Backend::Portable).unwrap();
    /// assert_eq!(m.backend().name(), "portable");
    /// ```
    pub fn with_backend(n: Nat<S>, backend: Backend) -> Result<Self, Error> {
        let bits = declassify(cmp::bits(n.as_limbs()), "the length of a modulus is public");
        let odd = declassify(n.as_limbs()[0] & 1, "whether a modulus is odd is public");
        let n0 = Self::check(&n, bits, odd)?;
        let (mut rr, mut d) = (n.zeros(), n.zeros());
        let backend = backend.serving(bits);
        backend.r_squared::<false>(rr.as_mut_limbs(), n.as_limbs(), bits, d.as_mut_limbs());
        Ok(Modulus { n, rr, n0, bits, backend })
    }

    /// The context of a **public** modulus, by division with branches: bit for bit the same as [`new`](Modulus::new) gives.
    ///
    /// # Leaks
    /// n, while the context is built. What is done with it later is constant time all the same.
    ///
    /// # Errors
    /// As [`new`](Modulus::new).
    ///
    /// ```
    /// use tautochrone::{Modulus, Public, U2048};
    /// let n = Public::<U2048>::from_hex("c5062b58d8539c765e1e5dbaf14cf75dd56c2e13105fecfd1a930bbb5948ff32b9").unwrap();
    /// assert_eq!(Modulus::new_vartime(n).unwrap().bits(), 264);
    /// ```
    pub fn new_vartime(n: Public<Nat<S>>) -> Result<Self, Error> {
        Self::with_backend_vartime(n, Backend::preferred())
    }

    /// [`new_vartime`](Modulus::new_vartime) on a backend of the caller's choice.
    ///
    /// ```
    /// use tautochrone::{Backend, Modulus, Public, U256};
    /// let m = Modulus::with_backend_vartime(Public::<U256>::from_u64(13), Backend::Portable).unwrap();
    /// assert_eq!(m.bits(), 4);
    /// ```
    pub fn with_backend_vartime(n: Public<Nat<S>>, backend: Backend) -> Result<Self, Error> {
        let (bits, n) = (n.bits(), n.into_inner());
        let n0 = Self::check(&n, bits, n.as_limbs()[0] & 1)?;
        let (mut rr, mut d) = (n.zeros(), n.zeros());
        let backend = backend.serving(bits);
        backend.r_squared::<true>(rr.as_mut_limbs(), n.as_limbs(), bits, d.as_mut_limbs());
        Ok(Modulus { n, rr, n0, bits, backend })
    }

    /// What kernels read of it.
    pub(super) fn context(&self) -> Context<'_> {
        let (n, rr) = (self.n.as_limbs(), self.rr.as_limbs());
        Context { n, rr, n0: *self.n0, bits: self.bits, backend: self.backend }
    }

    /// n₀ of a modulus that will do. `bits` and `odd` are public.
    fn check(n: &Nat<S>, bits: u32, odd: Limb) -> Result<Zeroizing<Limb>, Error> {
        match (bits, odd) {
            (0 | 1, _) => Err(Error::TooSmall(Field::Modulus)),
            (_, 0) => Err(Error::Even(Field::Modulus)),
            _ => Ok(Zeroizing::new(neg_inverse(n.as_limbs()[0]))),
        }
    }

    /// The length of the modulus in bits, which is public.
    ///
    /// ```
    /// # use tautochrone::{Modulus, U256};
    /// assert_eq!(Modulus::new(U256::from_u64(255)).unwrap().bits(), 8);
    /// ```
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The width of the modulus and of its residues, in bits.
    ///
    /// ```
    /// # use tautochrone::{Modulus, U256};
    /// assert_eq!(Modulus::new(U256::from_u64(255)).unwrap().bits_precision(), 256);
    /// ```
    pub fn bits_precision(&self) -> u32 {
        self.n.bits_precision()
    }

    /// The backend in use.
    ///
    /// ```
    /// # use tautochrone::{Backend, Modulus, U256};
    /// let m = Modulus::new(U256::from_u64(255)).unwrap();
    /// assert!(Backend::available().any(|backend| backend == m.backend()));
    /// ```
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The modulus itself, as secret as it was.
    ///
    /// ```
    /// use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
    /// let m = Modulus::new(U256::from_u64(255)).unwrap();
    /// assert!(bool::from(m.modulus().ct_eq(&U256::from_u64(255))));
    /// ```
    pub fn modulus(&self) -> &Nat<S> {
        &self.n
    }
}

impl<S: Storage> fmt::Debug for Modulus<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Modulus({} of {} bits, {})", self.bits, self.bits_precision(), self.backend.name())
    }
}

impl<S: Storage> ZeroizeOnDrop for Modulus<S> {}
