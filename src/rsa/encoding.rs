//! Keys from DER and PEM: strict, by the readers of `der`, `pkcs1`, `pkcs8` and `pem`.

use crate::ct::Public;
use crate::error::{Error, Field};
use crate::nat::BoxedUint;
use crate::rsa::key::{Components, PrivateKey};
use crate::rsa::public::{E_BITS, N_BITS, PublicKey};
use der::asn1::{AnyRef, OctetStringRef, UintRef};
use der::{Decode, ErrorKind, Reader, SliceReader, Tag, Tagged, pem};
use pkcs8::spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfo, SubjectPublicKeyInfoRef};
use pkcs8::{KeyError, PrivateKeyInfoRef};
use zeroize::Zeroizing;

const PKCS8: &str = "PRIVATE KEY";
const PKCS1: &str = "RSA PRIVATE KEY";
const SPKI: &str = "PUBLIC KEY";
const PKCS1_PUBLIC: &str = "RSA PUBLIC KEY";

impl Components {
    /// The components in a PKCS#8 document (RFC 5958); nothing is checked but their encoding and their sizes.
    ///
    /// # Leaks
    /// n and e; the byte length of each integer and the top bit of its leading octet.
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::Trailing`], [`Error::Malformed`] with what is not strict DER;
    /// [`Error::Algorithm`], [`Error::Encrypted`], [`Error::PublicKey`], [`Error::MultiPrime`] for what is no RSA
    /// private key of two primes; [`Error::TooSmall`], [`Error::TooLarge`] and [`Error::TooLong`] for encoded lengths
    /// outside the limits.
    ///
    /// ```
    /// use tautochrone::rsa::Components;
    /// let der = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.der"));
    /// assert_eq!(Components::from_pkcs8_der(der)?.n.bits(), 2048);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn from_pkcs8_der(der: &[u8]) -> Result<Self, Error> {
        whole(der)?;
        match PrivateKeyInfoRef::from_der(der) {
            Ok(info) => Self::from_pkcs8(&info),
            Err(_) => Err(recognise(der).unwrap_or(Error::Malformed(Field::Document))),
        }
    }

    /// [`from_pkcs8_der`](Self::from_pkcs8_der) in PEM, label `PRIVATE KEY`.
    ///
    /// # Errors
    /// As there; [`Error::Encrypted`] and [`Error::PublicKey`] by the label or a `Proc-Type` header already.
    ///
    /// ```
    /// use tautochrone::{Error, rsa::Components};
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pem"));
    /// assert_eq!(Components::from_pkcs8_pem(pem)?.n.bits(), 2048);
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pub.pem"));
    /// assert_eq!(Components::from_pkcs8_pem(pem).err(), Some(Error::PublicKey));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_pkcs8_pem(text: &str) -> Result<Self, Error> {
        Self::from_pkcs8_der(&unwrap_private(text, PKCS8)?)
    }

    /// The components in an RSAPrivateKey of PKCS#1 (RFC 8017, A.1.2).
    ///
    /// # Leaks
    /// As [`from_pkcs8_der`](Self::from_pkcs8_der).
    ///
    /// # Errors
    /// As [`from_pkcs8_der`](Self::from_pkcs8_der).
    ///
    /// ```
    /// use tautochrone::rsa::Components;
    /// let der = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pkcs1.der"));
    /// assert_eq!(Components::from_pkcs1_der(der)?.e.to_string(), "65537");
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn from_pkcs1_der(der: &[u8]) -> Result<Self, Error> {
        whole(der)?;
        read(der, Self::read_fields).map_err(|error| match error {
            Error::Malformed(_) => recognise(der).unwrap_or(error),
            other => other,
        })
    }

    /// [`from_pkcs1_der`](Self::from_pkcs1_der) in PEM, label `RSA PRIVATE KEY`.
    ///
    /// # Errors
    /// As [`from_pkcs8_pem`](Self::from_pkcs8_pem).
    ///
    /// ```
    /// use tautochrone::rsa::Components;
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pkcs1.pem"));
    /// assert_eq!(Components::from_pkcs1_pem(pem)?.n.bits(), 2048);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn from_pkcs1_pem(text: &str) -> Result<Self, Error> {
        Self::from_pkcs1_der(&unwrap_private(text, PKCS1)?)
    }

    fn from_pkcs8(info: &PrivateKeyInfoRef<'_>) -> Result<Self, Error> {
        check_algorithm(&info.algorithm)?;
        Self::from_pkcs1_der(info.private_key.as_bytes())
    }

    /// The fields of an RSAPrivateKey. Sizes are looked at before any number is made.
    fn read_fields<'a>(reader: &mut SliceReader<'a>) -> Result<Self, Error> {
        // A version of its own names a multi-prime key, before the primes that no reader here would take.
        match reader.decode::<pkcs1::Version>() {
            Ok(pkcs1::Version::TwoPrime) => {}
            Ok(pkcs1::Version::Multi) => return Err(Error::MultiPrime),
            Err(_) => return Err(Error::Malformed(Field::Document)),
        }
        let (n, e) = read_public(reader)?;
        let fields = [Field::D, Field::P, Field::Q, Field::Dp, Field::Dq, Field::Qinv];
        let mut integers = [&[][..]; 6];
        for (integer, field) in integers.iter_mut().zip(fields) {
            *integer = read_integer(reader, field)?;
        }
        if Tag::peek(reader) == Ok(Tag::Sequence) {
            return Err(Error::MultiPrime);
        }
        check_lengths(n, e)?;
        for (integer, field) in integers.iter().zip(fields) {
            if integer.len() > n.len() {
                return Err(Error::TooLong(field));
            }
        }
        let [d, p, q, dp, dq, qinv] = integers;
        Ok(Components {
            n: Public::wrap(number(n)?),
            e: Public::wrap(number(e)?),
            d: number(d)?,
            p: number(p)?,
            q: number(q)?,
            dp: number(dp)?,
            dq: number(dq)?,
            qinv: number(qinv)?,
        })
    }
}

/// A constructor of keys by way of [`Components`].
macro_rules! constructors {
    ($($name:ident $input:ty, $include:ident $file:literal, $what:literal;)*) => {
        /// Constructors from files.
        impl PrivateKey {$(
            #[doc = $what]
            ///
            /// # Leaks
            #[doc = concat!("What [`Components::", stringify!($name), "`] and")]
            /// [`from_components`](Self::from_components) leak.
            ///
            /// # Errors
            #[doc = concat!("Those of [`Components::", stringify!($name), "`] and")]
            /// [`from_components`](Self::from_components).
            ///
            /// ```
            /// use tautochrone::rsa::PrivateKey;
            #[doc = concat!("let file = ", stringify!($include), "!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"", $file, "\"));")]
            #[doc = concat!("assert_eq!(PrivateKey::", stringify!($name), "(file)?.bits(), 2048);")]
            /// # Ok::<(), tautochrone::Error>(())
            /// ```
            pub fn $name(input: &$input) -> Result<Self, Error> {
                Self::from_components(Components::$name(input)?)
            }
        )*}
    };
}
constructors! {
    from_pkcs8_der [u8], include_bytes "/vectors/keys/rsa2048.der", "The key in a PKCS#8 document, checked.";
    from_pkcs8_pem str, include_str "/vectors/keys/rsa2048.pem", "The key in PEM with the label `PRIVATE KEY`, checked.";
    from_pkcs1_der [u8], include_bytes "/vectors/keys/rsa2048.pkcs1.der", "The key in an RSAPrivateKey, checked.";
    from_pkcs1_pem str, include_str "/vectors/keys/rsa2048.pkcs1.pem",
        "The key in PEM with the label `RSA PRIVATE KEY`, checked.";
}

impl PublicKey {
    /// The key in a SubjectPublicKeyInfo (RFC 5280, 4.1).
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::Trailing`], [`Error::Malformed`], [`Error::Algorithm`], and those of
    /// [`from_components`](Self::from_components).
    ///
    /// ```
    /// use tautochrone::rsa::PublicKey;
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pub.pem"));
    /// let key = PublicKey::from_spki_pem(pem)?;
    /// assert_eq!(PublicKey::from_spki_der(key.to_spki_der()?.as_bytes())?, key);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn from_spki_der(der: &[u8]) -> Result<Self, Error> {
        whole(der)?;
        let info = SubjectPublicKeyInfoRef::from_der(der).map_err(|_| Error::Malformed(Field::Document))?;
        Self::from_spki(&info)
    }

    /// [`from_spki_der`](Self::from_spki_der) in PEM, label `PUBLIC KEY`.
    ///
    /// # Errors
    /// As there.
    ///
    /// ```
    /// use tautochrone::rsa::PublicKey;
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pub.pem"));
    /// assert_eq!(PublicKey::from_spki_pem(pem)?.bits(), 2048);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn from_spki_pem(text: &str) -> Result<Self, Error> {
        Self::from_spki_der(&unwrap_pem(text, SPKI).map_err(|_| Error::Malformed(Field::Document))?)
    }

    /// The key in an RSAPublicKey of PKCS#1 (RFC 8017, A.1.1).
    ///
    /// # Errors
    /// As [`from_spki_der`](Self::from_spki_der).
    ///
    /// ```
    /// use tautochrone::{Error, Field, rsa::PublicKey};
    /// let refused = PublicKey::from_pkcs1_der(&[0x30, 0x03, 0x02, 0x01]);
    /// assert_eq!(refused.err(), Some(Error::Truncated(Field::Document)));
    /// ```
    pub fn from_pkcs1_der(der: &[u8]) -> Result<Self, Error> {
        whole(der)?;
        read(der, |reader| {
            let (n, e) = read_public(reader)?;
            check_lengths(n, e)?;
            Self::from_components(Public::wrap(number(n)?), Public::wrap(number(e)?))
        })
    }

    /// [`from_pkcs1_der`](Self::from_pkcs1_der) in PEM, label `RSA PUBLIC KEY`.
    ///
    /// # Errors
    /// As there.
    ///
    /// ```
    /// use tautochrone::rsa::PublicKey;
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pub.pkcs1.pem"));
    /// assert_eq!(PublicKey::from_pkcs1_pem(pem)?.bits(), 2048);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn from_pkcs1_pem(text: &str) -> Result<Self, Error> {
        Self::from_pkcs1_der(&unwrap_pem(text, PKCS1_PUBLIC).map_err(|_| Error::Malformed(Field::Document))?)
    }

    fn from_spki(info: &SubjectPublicKeyInfoRef<'_>) -> Result<Self, Error> {
        check_algorithm(&info.algorithm)?;
        let key = info.subject_public_key.as_bytes().ok_or(Error::Malformed(Field::Document))?;
        Self::from_pkcs1_der(key)
    }
}

/// Whether these bytes are one whole SEQUENCE: neither too few of them nor too many.
fn whole(der: &[u8]) -> Result<(), Error> {
    match AnyRef::from_der(der) {
        Ok(any) if any.tag() == Tag::Sequence => Ok(()),
        Ok(_) => Err(Error::Malformed(Field::Document)),
        Err(error) => Err(match error.kind() {
            ErrorKind::Incomplete { .. } => Error::Truncated(Field::Document),
            ErrorKind::TrailingData { .. } => Error::Trailing(Field::Document),
            _ => Error::Malformed(Field::Document),
        }),
    }
}

/// [`Error`] where `der` demands that its own can become one.
struct Failed(Error);

impl From<der::Error> for Failed {
    fn from(_: der::Error) -> Failed {
        Failed(Error::Malformed(Field::Document))
    }
}

/// What `fields` makes of a SEQUENCE, all of which it must read.
fn read<'a, T>(der: &'a [u8], fields: impl FnOnce(&mut SliceReader<'a>) -> Result<T, Error>) -> Result<T, Error> {
    let read = |reader: &mut SliceReader<'a>| fields(reader).map_err(Failed);
    SliceReader::new(der).map_err(Failed::from).and_then(|mut reader| reader.sequence(read)).map_err(|failed| failed.0)
}

fn read_public<'a>(reader: &mut SliceReader<'a>) -> Result<(&'a [u8], &'a [u8]), Error> {
    Ok((read_integer(reader, Field::N)?, read_integer(reader, Field::E)?))
}

/// The bytes of an integer that is not negative, without the octet for its sign.
fn read_integer<'a>(reader: &mut SliceReader<'a>, field: Field) -> Result<&'a [u8], Error> {
    reader.decode::<UintRef<'a>>().map(|integer| integer.as_bytes()).map_err(|_| Error::Malformed(field))
}

/// The lengths of n and e in bytes; their lengths in bits are looked at when they are numbers.
fn check_lengths(n: &[u8], e: &[u8]) -> Result<(), Error> {
    match n.len() {
        length if length > (*N_BITS.end() / 8) as usize => Err(Error::TooLarge(Field::N)),
        length if length < (*N_BITS.start() / 8) as usize => Err(Error::TooSmall(Field::N)),
        _ if e.len() > (E_BITS / 8) as usize => Err(Error::TooLong(Field::E)),
        _ => Ok(()),
    }
}

/// A number as wide as its bytes.
fn number(bytes: &[u8]) -> Result<BoxedUint, Error> {
    BoxedUint::from_be_bytes(bytes, 8 * bytes.len() as u32)
}

/// rsaEncryption, and its parameters as RFC 8017 wants them: NULL.
fn check_algorithm(algorithm: &AlgorithmIdentifierRef<'_>) -> Result<(), Error> {
    if *algorithm == pkcs1::ALGORITHM_ID { Ok(()) } else { Err(Error::Algorithm) }
}

/// What a document is that is no private key, if it is something known.
fn recognise(der: &[u8]) -> Option<Error> {
    // EncryptedPrivateKeyInfo has the shape of a SubjectPublicKeyInfo with an OCTET STRING for the BIT STRING.
    type EncryptedPrivateKeyInfo<'a> = SubjectPublicKeyInfo<AnyRef<'a>, &'a OctetStringRef>;
    let is_public = SubjectPublicKeyInfoRef::from_der(der).is_ok() || pkcs1::RsaPublicKeyRef::from_der(der).is_ok();
    match is_public {
        true => Some(Error::PublicKey),
        false => EncryptedPrivateKeyInfo::from_der(der).ok().map(|_| Error::Encrypted),
    }
}

/// The DER in a PEM of this label.
fn unwrap_private(text: &str, label: &str) -> Result<Zeroizing<alloc::vec::Vec<u8>>, Error> {
    unwrap_pem(text, label).map_err(|other| match other {
        // The header of OpenSSL's traditional encryption, which PEM after RFC 7468 does not have. It is looked for
        // only in what is refused anyway: the text of a key is read by nothing but the decoder.
        _ if text.lines().any(|line| line.starts_with("Proc-Type:")) => Error::Encrypted,
        Some("ENCRYPTED PRIVATE KEY") => Error::Encrypted,
        Some(SPKI | PKCS1_PUBLIC) => Error::PublicKey,
        _ => Error::Malformed(Field::Document),
    })
}

/// The same; the error is the label where it is another one.
fn unwrap_pem<'a>(text: &'a str, label: &str) -> Result<Zeroizing<alloc::vec::Vec<u8>>, Option<&'a str>> {
    let text = text.as_bytes();
    let actual = pem::decode_label(text).map_err(|_| None)?;
    if actual != label {
        return Err(Some(actual));
    }
    // What this looks for is the width of the lines, which is public; the digits are decoded in constant time.
    let mut decoder = pem::Decoder::new_detect_wrap(text).map_err(|_| None)?;
    // Of the final size from the beginning: nothing is left behind by a vector that grows.
    let mut der = Zeroizing::new(alloc::vec![0; decoder.remaining_len()]);
    decoder.decode(&mut der).map_err(|_| None)?;
    Ok(der)
}

/// The trait `DecodePrivateKey` comes with it.
impl TryFrom<PrivateKeyInfoRef<'_>> for PrivateKey {
    type Error = pkcs8::Error;
    fn try_from(info: PrivateKeyInfoRef<'_>) -> Result<Self, pkcs8::Error> {
        Ok(Self::from_components(Components::from_pkcs8(&info)?)?)
    }
}

impl pkcs1::DecodeRsaPrivateKey for PrivateKey {
    fn from_pkcs1_der(der: &[u8]) -> pkcs1::Result<Self> {
        Ok(PrivateKey::from_pkcs1_der(der)?)
    }
}

/// The trait `DecodePublicKey` comes with it.
impl TryFrom<SubjectPublicKeyInfoRef<'_>> for PublicKey {
    type Error = pkcs8::spki::Error;
    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> Result<Self, pkcs8::spki::Error> {
        Self::from_spki(&info).map_err(|error| pkcs8::Error::from(error).into())
    }
}

impl pkcs1::DecodeRsaPublicKey for PublicKey {
    fn from_pkcs1_der(der: &[u8]) -> pkcs1::Result<Self> {
        Ok(PublicKey::from_pkcs1_der(der)?)
    }
}

/// The nearest that `pkcs8` has.
impl From<Error> for pkcs8::Error {
    fn from(error: Error) -> pkcs8::Error {
        match error {
            Error::TooSmall(Field::N) => KeyError::TooShort.into(),
            Error::TooLarge(_) | Error::TooLong(_) => KeyError::TooLong.into(),
            _ => KeyError::Invalid.into(),
        }
    }
}

/// The nearest that `pkcs1` has.
impl From<Error> for pkcs1::Error {
    fn from(error: Error) -> pkcs1::Error {
        match error {
            Error::MultiPrime => pkcs1::Error::Version,
            Error::Inconsistent(_) | Error::OutOfRange(_) | Error::Even(_) => pkcs1::Error::Crypto,
            _ => pkcs1::Error::KeyMalformed,
        }
    }
}
