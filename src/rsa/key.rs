//! Private keys: from their components, or from two primes.

use crate::ct::{Public, declassify};
use crate::error::{Error, Field};
use crate::limb::Limb;
use crate::montgomery::{Modulus, Residue};
use crate::nat::BoxedUint;
use crate::number::exponent::private_exponent;
use crate::rsa::checks::{Fitted, Parts, check, minus_one};
use crate::rsa::public::{N_BITS, PublicKey, check_sizes, product};
use alloc::boxed::Box;
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// The components of a private key as they stand in a file, before anything of them is checked.
///
/// Every number may have any width; what it leaks is its width alone. `d` modulo φ(n) or modulo λ(n).
///
/// ```
/// use tautochrone::rsa::{Components, PrivateKey};
/// let der = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pkcs1.der"));
/// let components = Components::from_pkcs1_der(der)?;
/// assert_eq!(format!("{components:?}"), "Components(n of 2048 bits, e = 0x10001)");
/// let key = PrivateKey::from_components(components)?;
/// # Ok::<(), tautochrone::Error>(())
/// ```
#[derive(Clone)]
pub struct Components {
    /// The modulus, p·q.
    pub n: Public<BoxedUint>,
    /// The public exponent.
    pub e: Public<BoxedUint>,
    /// The private exponent.
    pub d: BoxedUint,
    /// The first prime.
    pub p: BoxedUint,
    /// The second prime.
    pub q: BoxedUint,
    /// d mod (p − 1), "exponent1".
    pub dp: BoxedUint,
    /// d mod (q − 1), "exponent2".
    pub dq: BoxedUint,
    /// q⁻¹ mod p, "coefficient".
    pub qinv: BoxedUint,
}

impl fmt::Debug for Components {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Components(n of {} bits, e = {:#x})", self.n.bits(), self.e)
    }
}

impl ZeroizeOnDrop for Components {}

/// What has just been finished while a key is built.
///
/// ```
/// use tautochrone::rsa::{Components, PrivateKey, Stage};
/// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pem"));
/// let mut stages = Vec::new();
/// PrivateKey::from_components_with(Components::from_pkcs8_pem(pem)?, |stage| stages.push(stage))?;
/// assert_eq!(stages, [Stage::ContextN, Stage::ContextP, Stage::ContextQ, Stage::Checks]);
/// # Ok::<(), tautochrone::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Stage {
    /// The Montgomery context of n.
    ContextN,
    /// The Montgomery context of p.
    ContextP,
    /// The Montgomery context of q.
    ContextQ,
    /// The checks of all components against each other.
    Checks,
}

/// A private key, checked and ready: immutable, `Send` and `Sync`, wiped when it is dropped.
///
/// It holds the Montgomery contexts of n, p and q, all of them built while it was loaded.
///
/// ```
/// use tautochrone::rsa::PrivateKey;
/// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pem"));
/// let key = PrivateKey::from_pkcs8_pem(pem)?;
/// assert_eq!(format!("{key:?}"), "PrivateKey(n of 2048 bits, p of 1024, q of 1024)");
/// # Ok::<(), tautochrone::Error>(())
/// ```
#[derive(Clone)]
pub struct PrivateKey {
    pub(super) public: PublicKey,
    pub(super) p: Modulus<Box<[Limb]>>,
    pub(super) q: Modulus<Box<[Limb]>>,
    pub(super) d: BoxedUint,
    pub(super) dp: BoxedUint,
    pub(super) dq: BoxedUint,
    pub(super) qinv: Residue<Box<[Limb]>>,
}

impl ZeroizeOnDrop for PrivateKey {}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrivateKey(n of {} bits, p of {}, q of {})", self.bits(), self.p.bits(), self.q.bits())
    }
}

impl PrivateKey {
    /// The key of these components, all of which are checked against each other.
    ///
    /// # Leaks
    /// n and e; the widths of all components; the bit lengths of p and q, and whether they are odd; for a refused key,
    /// for which field.
    ///
    /// # Errors
    /// [`Error::TooSmall`], [`Error::TooLarge`] for an n outside 512 to 16384 bits; [`Error::Even`],
    /// [`Error::TooSmall`] and [`Error::TooLong`] for e, which must be odd, 3 or more and of 256 bits at most; the first
    /// two for p and q; [`Error::OutOfRange`] or [`Error::TooLong`] for d, dP, dQ and qInv; [`Error::Inconsistent`] with
    /// the field that contradicts the others.
    ///
    /// ```
    /// use tautochrone::{BoxedUint, Error, Field, rsa::{Components, PrivateKey}};
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pem"));
    /// let mut components = Components::from_pkcs8_pem(pem)?;
    /// components.qinv = BoxedUint::from_u64(5, 1024);
    /// assert_eq!(PrivateKey::from_components(components).err(), Some(Error::Inconsistent(Field::Qinv)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_components(components: Components) -> Result<Self, Error> {
        Self::from_components_with(components, |_| ())
    }

    /// [`from_components`](Self::from_components), with a call after each stage.
    ///
    /// # Errors
    /// As [`from_components`](Self::from_components).
    ///
    /// ```
    /// use tautochrone::rsa::{Components, PrivateKey};
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pem"));
    /// let start = std::time::Instant::now();
    /// PrivateKey::from_components_with(Components::from_pkcs8_pem(pem)?, |stage| {
    ///     println!("{stage:?} after {:?}", start.elapsed());
    /// })?;
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn from_components_with(components: Components, mut observe: impl FnMut(Stage)) -> Result<Self, Error> {
        let Components { n, e, d, p, q, dp, dq, qinv } = components;
        check_sizes(&n, &e)?;
        let (p_bits, q_bits) = prime_sizes(&p, &q)?;
        if !(n.bits()..=n.bits() + 1).contains(&p_bits.saturating_add(q_bits)) {
            return Err(Error::Inconsistent(Field::N));
        }
        let public = PublicKey::from_components(n, e)?;
        observe(Stage::ContextN);
        let p = context(&p, p_bits, Field::P)?;
        observe(Stage::ContextP);
        let q = context(&q, q_bits, Field::Q)?;
        observe(Stage::ContextQ);
        let d = Fitted::new(&d, public.bits());
        let (dp, dq, qinv) = (Fitted::new(&dp, p_bits), Fitted::new(&dq, q_bits), Fitted::new(&qinv, p_bits));
        let key = Self::checked(public, p, q, [d, dp, dq, qinv])?;
        observe(Stage::Checks);
        Ok(key)
    }

    /// The key of two primes: dP and dQ, d modulo φ(n) and qInv are computed, then checked as a key from a file is.
    /// Whether p and q are prime is not tested; qInv = q^(p−2) mod p comes out wrong for most p that are not, a q that is
    /// not goes unnoticed until private operations fail their check.
    ///
    /// # Leaks
    /// n = p·q and e; the widths and bit lengths of p and q, and whether they are odd; for a refused key, for which
    /// field.
    ///
    /// # Errors
    /// As [`from_components`](Self::from_components); [`Error::Inconsistent`] with e where it has no inverse modulo
    /// p − 1 or q − 1, with p where qInv does not hold (p = q, or p not a prime); [`Error::Unsupported`] for an e of
    /// more than 64 bits.
    ///
    /// ```
    /// use tautochrone::{BoxedUint, Error, Public, rsa::{Components, PrivateKey}};
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pem"));
    /// let Components { n, e, p, q, .. } = Components::from_pkcs8_pem(pem)?;
    /// let key = PrivateKey::from_primes(p, q, e)?;
    /// assert_eq!(*key.public_key().n(), n);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_primes(p: BoxedUint, q: BoxedUint, e: Public<BoxedUint>) -> Result<Self, Error> {
        let (p_bits, q_bits) = prime_sizes(&p, &q)?;
        // n has as many bits as p and q together, or one less: beyond the limits it is not even computed.
        match p_bits.saturating_add(q_bits) {
            sum if sum < *N_BITS.start() => return Err(Error::TooSmall(Field::N)),
            sum if sum > *N_BITS.end() + 1 => return Err(Error::TooLarge(Field::N)),
            _ => {}
        }
        let n = product(&p.resize(p_bits), &q.resize(q_bits));
        let n = declassify(n, "n, the product of two primes, is public");
        check_sizes(&n, &e)?;
        let word = u64::try_from(&e).map_err(|_| Error::Unsupported(Field::E))?;
        let (p, q) = (context(&p, p_bits, Field::P)?, context(&q, q_bits, Field::Q)?);
        let public = PublicKey::from_components(n, e)?;

        let (p1, q1) = (minus_one(p.modulus()), minus_one(q.modulus()));
        let (dp, p_coprime) = private_exponent(&p1, word);
        let (dq, q_coprime) = private_exponent(&q1, word);
        let (d, _) = private_exponent(&product(&p1, &q1), word);
        if !declassify(p_coprime & q_coprime, "whether e has inverses, told by the result") {
            return Err(Error::Inconsistent(Field::E));
        }
        // p is odd and 3 or more: p − 2 = (p − 1) − 1 borrows at most through p.
        let mut exponent = p1;
        crate::limbs::add::sub_assign(exponent.as_mut_limbs(), &[1]);
        let qinv = p.nat(&p.pow_bounded(&p.residue(q.modulus()), &exponent, p_bits));
        let d = Fitted::new(&d, public.bits());
        let [dp, dq, qinv] =
            [(dp, p_bits), (dq, q_bits), (qinv, p_bits)].map(|(value, bits)| Fitted::new(&value, bits));
        Self::checked(public, p, q, [d, dp, dq, qinv]).map_err(|error| match error {
            // What was not given cannot be blamed.
            Error::Inconsistent(_) | Error::OutOfRange(Field::Qinv) => Error::Inconsistent(Field::P),
            other => other,
        })
    }

    fn checked(
        public: PublicKey,
        p: Modulus<Box<[Limb]>>,
        q: Modulus<Box<[Limb]>>,
        [d, dp, dq, qinv]: [Fitted; 4],
    ) -> Result<Self, Error> {
        let (n, e) = (&public.n, &public.e);
        check(&Parts { n, e, p: &p, q: &q, d: &d, dp: &dp, dq: &dq, qinv: &qinv })?;
        let qinv = p.residue(&qinv.value);
        Ok(PrivateKey { public, p, q, d: d.value, dp: dp.value, dq: dq.value, qinv })
    }

    /// The public half.
    ///
    /// ```
    /// use tautochrone::rsa::{PrivateKey, PublicKey};
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pem"));
    /// let public = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pub.pem"));
    /// let key = PrivateKey::from_pkcs8_pem(pem)?;
    /// assert_eq!(*key.public_key(), PublicKey::from_spki_pem(public)?);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// The length of n in bits.
    ///
    /// ```
    /// # use tautochrone::rsa::PrivateKey;
    /// # let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2049.pem"));
    /// # let key = PrivateKey::from_pkcs8_pem(pem)?;
    /// assert_eq!(key.bits(), 2049);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn bits(&self) -> u32 {
        self.public.bits()
    }

    /// The length of n in bytes: that of every input, output and signature.
    ///
    /// ```
    /// # use tautochrone::rsa::PrivateKey;
    /// # let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2049.pem"));
    /// # let key = PrivateKey::from_pkcs8_pem(pem)?;
    /// assert_eq!(key.size(), 257);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn size(&self) -> usize {
        self.public.size()
    }
}

/// The lengths of p and q in bits, neither 0 nor 1, both odd.
///
/// Leaks: the lengths and the parities.
fn prime_sizes(p: &BoxedUint, q: &BoxedUint) -> Result<(u32, u32), Error> {
    let bits = [p, q].map(|x| declassify(x.bits_secret(), "the lengths of p and q are public"));
    for (bits, field) in bits.into_iter().zip([Field::P, Field::Q]) {
        if bits < 2 {
            return Err(Error::TooSmall(field));
        }
    }
    for (x, field) in [(p, Field::P), (q, Field::Q)] {
        if !declassify(x.is_odd(), "whether p and q are odd is public") {
            return Err(Error::Even(field));
        }
    }
    Ok(bits.into())
}

/// The context of a prime, in the width that follows from its length.
fn context(prime: &BoxedUint, bits: u32, field: Field) -> Result<Modulus<Box<[Limb]>>, Error> {
    Modulus::new(prime.resize(bits)).map_err(|error| match error {
        Error::Even(_) => Error::Even(field),
        _ => Error::TooSmall(field),
    })
}
