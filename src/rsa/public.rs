//! The public half of a key, and the public operation.

use crate::backend::Backend;
use crate::ct::{Public, declassify};
use crate::error::{Error, Field};
use crate::limb::Limb;
use crate::limbs::cmp;
use crate::montgomery::Modulus;
use crate::nat::BoxedUint;
use alloc::boxed::Box;
use alloc::vec;
use core::fmt;
use subtle::ConstantTimeLess;

/// The least and the greatest length of n in bits.
pub(super) const N_BITS: core::ops::RangeInclusive<u32> = 512..=16384;
/// The greatest length of e in bits.
pub(super) const E_BITS: u32 = 256;

/// The public half of an RSA key: n with its Montgomery context, and e.
///
/// ```
/// use tautochrone::rsa::PublicKey;
/// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pub.pem"));
/// let key = PublicKey::from_spki_pem(pem)?;
/// assert_eq!((key.bits(), key.size(), key.e().to_string()), (2048, 256, "65537".to_string()));
/// # Ok::<(), tautochrone::Error>(())
/// ```
#[derive(Clone)]
pub struct PublicKey {
    pub(super) context: Modulus<Box<[Limb]>>,
    pub(super) n: Public<BoxedUint>,
    pub(super) e: Public<BoxedUint>,
}

/// Whether n and e are within the limits of this crate.
pub(super) fn check_sizes(n: &Public<BoxedUint>, e: &Public<BoxedUint>) -> Result<(), Error> {
    if n.bits() > *N_BITS.end() {
        return Err(Error::TooLarge(Field::N));
    }
    if n.bits() < *N_BITS.start() {
        return Err(Error::TooSmall(Field::N));
    }
    // 512 bits of n and 256 of e hold e < n as well.
    match e.bits() {
        0 | 1 => Err(Error::TooSmall(Field::E)),
        _ if e.as_limbs()[0] & 1 == 0 => Err(Error::Even(Field::E)),
        bits if bits > E_BITS => Err(Error::TooLong(Field::E)),
        _ => Ok(()),
    }
}

impl PublicKey {
    /// The key of n and e, which may have any widths.
    ///
    /// # Errors
    /// [`Error::TooSmall`], [`Error::TooLarge`] for an n outside 512 to 16384 bits; [`Error::Even`] for an even n or e;
    /// [`Error::TooSmall`] for e below 3, [`Error::TooLong`] for one above 256 bits.
    ///
    /// ```
    /// use tautochrone::{BoxedUint, Error, Field, Public, rsa::PublicKey};
    /// let n = Public::<BoxedUint>::from_hex(&"ff".repeat(128), 1024)?;
    /// let key = PublicKey::from_components(n.clone(), Public::<BoxedUint>::from_u64(3, 64))?;
    /// assert_eq!(key.bits(), 1024);
    /// let even = PublicKey::from_components(n, Public::<BoxedUint>::from_u64(4, 64));
    /// assert_eq!(even.err(), Some(Error::Even(Field::E)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_components(n: Public<BoxedUint>, e: Public<BoxedUint>) -> Result<Self, Error> {
        check_sizes(&n, &e)?;
        // Numbers as wide as they are long, whatever the widths that they came in.
        let n = Public::wrap(n.resize(n.bits()));
        let e = Public::wrap(e.resize(e.bits()));
        let context = Modulus::new_vartime(n.clone()).map_err(|error| match error {
            Error::Even(_) => Error::Even(Field::N),
            other => other,
        })?;
        Ok(PublicKey { context, n, e })
    }

    /// The modulus.
    ///
    /// ```
    /// # use tautochrone::rsa::PublicKey;
    /// # let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pub.pem"));
    /// # let key = PublicKey::from_spki_pem(pem)?;
    /// assert_eq!(key.n().bits(), 2048);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn n(&self) -> &Public<BoxedUint> {
        &self.n
    }

    /// The public exponent.
    ///
    /// ```
    /// # use tautochrone::rsa::PublicKey;
    /// # let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pub.pem"));
    /// # let key = PublicKey::from_spki_pem(pem)?;
    /// assert_eq!(u64::try_from(key.e()), Ok(65537));
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn e(&self) -> &Public<BoxedUint> {
        &self.e
    }

    /// The length of n in bits.
    ///
    /// ```
    /// # use tautochrone::rsa::PublicKey;
    /// # let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2049.pub.pem"));
    /// # let key = PublicKey::from_spki_pem(pem)?;
    /// assert_eq!(key.bits(), 2049);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn bits(&self) -> u32 {
        self.context.bits()
    }

    /// The length of n in bytes: that of every input, output and signature.
    ///
    /// ```
    /// # use tautochrone::rsa::PublicKey;
    /// # let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2049.pub.pem"));
    /// # let key = PublicKey::from_spki_pem(pem)?;
    /// assert_eq!(key.size(), 257);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn size(&self) -> usize {
        self.bits().div_ceil(8) as usize
    }

    /// input^e mod n, both big-endian and [`size`](Self::size) bytes long: the operation without any padding.
    ///
    /// # Leaks
    /// n and e, and whether the input is below n; otherwise nothing of the input, which may be secret.
    ///
    /// # Errors
    /// [`Error::Length`] unless the input has exactly [`size`](Self::size) bytes; [`Error::OutOfRange`] unless it is
    /// below n.
    ///
    /// ```
    /// use tautochrone::{Error, Field, rsa::PublicKey};
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pub.pem"));
    /// let key = PublicKey::from_spki_pem(pem)?;
    /// let mut one = [0; 256];
    /// one[255] = 1;
    /// assert_eq!(*key.public_op(&one)?, one);
    /// assert_eq!(key.public_op(&[0xff; 256]).err(), Some(Error::OutOfRange(Field::Input)));
    /// assert_eq!(key.public_op(&[1; 255]).err(), Some(Error::Length(Field::Input)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn public_op(&self, input: &[u8]) -> Result<Box<[u8]>, Error> {
        let x = self.read_input(input)?;
        let mut out = vec![0; self.size()].into_boxed_slice();
        self.raise(&x).write_be_bytes(&mut out)?;
        Ok(out)
    }

    /// The number of an input of exactly `size` bytes, below n.
    pub(super) fn read_input(&self, input: &[u8]) -> Result<BoxedUint, Error> {
        if input.len() != self.size() {
            return Err(Error::Length(Field::Input));
        }
        let x = BoxedUint::from_be_bytes(input, self.bits()).map_err(|_| Error::OutOfRange(Field::Input))?;
        if !declassify(x.ct_lt(&self.n), "whether an input is below n, told by the result") {
            return Err(Error::OutOfRange(Field::Input));
        }
        Ok(x)
    }

    /// x^e mod n, in constant time for x.
    pub(super) fn raise(&self, x: &BoxedUint) -> BoxedUint {
        self.context.pow_nat_vartime(x, &self.e)
    }
}

/// By n and e.
impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.n == other.n && self.e == other.e
    }
}

impl Eq for PublicKey {}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey(n of {} bits, e = {:#x})", self.bits(), self.e)
    }
}

/// The product of two numbers of any widths, as wide as both together.
pub(super) fn product(a: &BoxedUint, b: &BoxedUint) -> BoxedUint {
    let mut z = BoxedUint::zero(a.bits_precision() + b.bits_precision());
    Backend::of_width(a.as_limbs().len()).mul(z.as_mut_limbs(), a.as_limbs(), b.as_limbs());
    z
}

/// Set where a = b; widths may differ.
pub(super) fn equal(a: &BoxedUint, b: &BoxedUint) -> subtle::Choice {
    cmp::equal(a.as_limbs(), b.as_limbs()).choice()
}
