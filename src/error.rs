//! The one error of everything that comes from outside.

use core::fmt;

/// What an [`Error`] speaks of: an operand, or one component of a key.
///
/// ```
/// use tautochrone::Field;
/// assert_eq!(Field::Qinv.to_string(), "qInv");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Field {
    /// A modulus handed to [`Modulus::new`](crate::Modulus::new).
    Modulus,
    /// A number given as bytes, hex or decimal digits.
    Number,
    /// The upper bound of a random number.
    Bound,
    /// The input of a private or public RSA operation.
    Input,
    /// A whole key file: PEM, PKCS#8 or PKCS#1 document.
    Document,
    /// The public modulus of an RSA key.
    N,
    /// The public exponent of an RSA key.
    E,
    /// The private exponent of an RSA key.
    D,
    /// The first prime of an RSA key.
    P,
    /// The second prime of an RSA key.
    Q,
    /// d mod (p − 1), "exponent1".
    Dp,
    /// d mod (q − 1), "exponent2".
    Dq,
    /// q⁻¹ mod p, "coefficient".
    Qinv,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::Modulus => "modulus",
            Field::Number => "number",
            Field::Bound => "bound",
            Field::Input => "input",
            Field::Document => "document",
            Field::N => "n",
            Field::E => "e",
            Field::D => "d",
            Field::P => "p",
            Field::Q => "q",
            Field::Dp => "dP",
            Field::Dq => "dQ",
            Field::Qinv => "qInv",
        })
    }
}

/// Why something from outside was refused. It names the field and holds no secret.
///
/// ```
/// use tautochrone::{Error, Field, Modulus, U256};
/// let refused = Modulus::new(U256::from_u64(10)).err();
/// assert_eq!(refused, Some(Error::Even(Field::Modulus)));
/// assert_eq!(Error::Even(Field::Modulus).to_string(), "modulus is even");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Error {
    /// An even number where only an odd one will do.
    Even(Field),
    /// Below the least value that makes sense: a modulus of 0 or 1, a key below 512 bits.
    TooSmall(Field),
    /// Does not fit into its width.
    TooLong(Field),
    /// Larger than this crate serves; a key file is refused by its encoded lengths, before any arithmetic.
    TooLarge(Field),
    /// Not the number of bytes that is asked for.
    Length(Field),
    /// Outside the range that is allowed for it.
    OutOfRange(Field),
    /// Something other than digits of the radix, or no digit at all.
    InvalidDigit(Field),
    /// The encoding ends too early.
    Truncated(Field),
    /// The encoding goes on after its end.
    Trailing(Field),
    /// The encoding breaks a rule of its format.
    Malformed(Field),
    /// A key of another algorithm than rsaEncryption.
    Algorithm,
    /// An encrypted key; decrypt it first.
    Encrypted,
    /// A public key where a private one is needed.
    PublicKey,
    /// A key of more than two primes.
    MultiPrime,
    /// A component that contradicts the others.
    Inconsistent(Field),
    /// A value that is valid but not served yet.
    Unsupported(Field),
    /// The result of a private operation did not verify: a fault, or a damaged key. No byte of it leaves.
    Fault,
    /// A signature or a padding that does not hold.
    Verification,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Even(field) => write!(f, "{field} is even"),
            Error::TooSmall(field) => write!(f, "{field} is too small"),
            Error::TooLong(field) => write!(f, "{field} does not fit into its width"),
            Error::TooLarge(field) => write!(f, "{field} is larger than is supported"),
            Error::Length(field) => write!(f, "{field} has the wrong length"),
            Error::OutOfRange(field) => write!(f, "{field} is out of range"),
            Error::InvalidDigit(field) => write!(f, "{field} has an invalid digit"),
            Error::Truncated(field) => write!(f, "{field} is truncated"),
            Error::Trailing(field) => write!(f, "{field} is followed by trailing data"),
            Error::Malformed(field) => write!(f, "{field} is malformed"),
            Error::Algorithm => f.write_str("document holds a key of another algorithm than RSA"),
            Error::Encrypted => f.write_str("document is encrypted"),
            Error::PublicKey => f.write_str("document holds a public key, not a private one"),
            Error::MultiPrime => f.write_str("document holds a multi-prime key"),
            Error::Inconsistent(field) => write!(f, "{field} contradicts the rest of the key"),
            Error::Unsupported(field) => write!(f, "{field} is valid but not supported"),
            Error::Fault => f.write_str("private operation failed its own check"),
            Error::Verification => f.write_str("verification failed"),
        }
    }
}

impl core::error::Error for Error {}
