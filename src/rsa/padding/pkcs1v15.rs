//! Signatures RSASSA-PKCS1-v1_5 (RFC 8017, 8.2), with the traits of the `signature` crate.
//!
//! ```
//! use sha2::Sha256;
//! use signature::{Keypair, SignatureEncoding, Signer, Verifier};
//! use tautochrone::rsa::{PrivateKey, pkcs1v15::{Signature, SigningKey}};
//!
//! let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pem"));
//! let key = SigningKey::<Sha256>::new(PrivateKey::from_pkcs8_pem(pem)?);
//! let bytes = key.try_sign(b"message")?.to_bytes();
//! assert_eq!(bytes.len(), 256);
//! let signature = Signature::try_from(&bytes[..])?;
//! key.verifying_key().verify(b"message", &signature)?;
//! assert!(key.verifying_key().verify(b"another", &signature).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::ct::declassify;
use crate::error::{Error, Field};
use crate::rsa::key::PrivateKey;
use crate::rsa::public::PublicKey;
use alloc::{boxed::Box, vec};
use core::fmt;
use core::marker::PhantomData;
use der::asn1::{AnyRef, OctetStringRef};
use der::{Encode, EncodeValue, FixedTag, Length, Tag, Writer};
use digest::const_oid::AssociatedOid;
use digest::{Digest, FixedOutput, HashMarker, Update};
use pkcs8::spki::AlgorithmIdentifierRef;
use signature::{DigestSigner, DigestVerifier, Keypair, SignatureEncoding, Signer, Verifier};
use zeroize::ZeroizeOnDrop;

/// A private key that signs messages hashed with `D`.
///
/// ```
/// use sha2::Sha512;
/// use signature::Signer;
/// use tautochrone::rsa::{PrivateKey, pkcs1v15::SigningKey};
/// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pem"));
/// let key = SigningKey::<Sha512>::new(PrivateKey::from_pkcs8_pem(pem)?);
/// let signature = key.try_sign(b"message")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SigningKey<D> {
    key: PrivateKey,
    hash: PhantomData<fn() -> D>,
}

/// A public key that verifies signatures of messages hashed with `D`.
///
/// ```
/// use sha2::Sha256;
/// use signature::Verifier;
/// use tautochrone::rsa::{PublicKey, pkcs1v15::{Signature, VerifyingKey}};
/// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pub.pem"));
/// let message = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/message.txt"));
/// let signature = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.sig"));
/// let key = VerifyingKey::<Sha256>::new(PublicKey::from_spki_pem(pem)?);
/// key.verify(message, &Signature::try_from(&signature[..])?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct VerifyingKey<D> {
    key: PublicKey,
    hash: PhantomData<fn() -> D>,
}

/// A signature: as many bytes as the modulus has.
///
/// ```
/// use tautochrone::rsa::pkcs1v15::Signature;
/// let signature = Signature::try_from(&[7; 256][..])?;
/// assert_eq!(signature.as_ref(), [7; 256]);
/// # Ok::<(), signature::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature(Box<[u8]>);

impl<D> SigningKey<D> {
    /// The key for messages hashed with `D`.
    ///
    /// ```
    /// use tautochrone::rsa::{PrivateKey, pkcs1v15::SigningKey};
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pem"));
    /// let key = SigningKey::<sha2::Sha384>::new(PrivateKey::from_pkcs8_pem(pem)?);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn new(key: PrivateKey) -> Self {
        SigningKey { key, hash: PhantomData }
    }
}

impl<D> VerifyingKey<D> {
    /// The key for messages hashed with `D`.
    ///
    /// ```
    /// use tautochrone::rsa::{PublicKey, pkcs1v15::VerifyingKey};
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pub.pem"));
    /// let key = VerifyingKey::<sha2::Sha384>::new(PublicKey::from_spki_pem(pem)?);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn new(key: PublicKey) -> Self {
        VerifyingKey { key, hash: PhantomData }
    }
}

impl<D: AssociatedOid> SigningKey<D> {
    fn sign_hash(&self, hash: &[u8]) -> Result<Signature, Error> {
        let message = encode::<D>(hash, self.key.size())?;
        let mut signature = self.key.private_op(&message)?;
        declassify(&signature[..], "a signature that holds is public");
        Ok(Signature(core::mem::take(&mut *signature)))
    }
}

impl<D: AssociatedOid> VerifyingKey<D> {
    /// The encoded message is made anew and compared as a whole; nothing of what was signed is parsed. Signature and
    /// message are public.
    fn verify_hash(&self, hash: &[u8], signature: &Signature) -> Result<(), Error> {
        let expected = encode::<D>(hash, self.key.size())?;
        match self.key.public_op(&signature.0) {
            Ok(message) if message == expected => Ok(()),
            _ => Err(Error::Verification),
        }
    }
}

/// DigestInfo of RFC 8017, A.2.4.
struct DigestInfo<'a> {
    algorithm: AlgorithmIdentifierRef<'a>,
    digest: &'a OctetStringRef,
}

impl FixedTag for DigestInfo<'_> {
    const TAG: Tag = Tag::Sequence;
}

impl EncodeValue for DigestInfo<'_> {
    fn value_len(&self) -> der::Result<Length> {
        self.algorithm.encoded_len()? + self.digest.encoded_len()?
    }

    fn encode_value(&self, writer: &mut impl Writer) -> der::Result<()> {
        self.algorithm.encode(writer)?;
        self.digest.encode(writer)
    }
}

/// EMSA-PKCS1-v1_5 (RFC 8017, 9.2) in `size` bytes: 00 01 FF … FF 00 and the DigestInfo, with at least eight FF.
fn encode<D: AssociatedOid>(hash: &[u8], size: usize) -> Result<Box<[u8]>, Error> {
    let info = OctetStringRef::new(hash).and_then(|digest| {
        let algorithm = AlgorithmIdentifierRef { oid: D::OID, parameters: Some(AnyRef::NULL) };
        DigestInfo { algorithm, digest }.to_der()
    });
    let info = info.map_err(|_| Error::TooLong(Field::Input))?;
    if size < info.len() + 11 {
        return Err(Error::TooSmall(Field::N));
    }
    let mut message = vec![0xff; size].into_boxed_slice();
    let (padding, tail) = message.split_at_mut(size - info.len());
    (padding[0], padding[1], padding[padding.len() - 1]) = (0, 1, 0);
    tail.copy_from_slice(&info);
    Ok(message)
}

impl<D: Digest + AssociatedOid> Signer<Signature> for SigningKey<D> {
    /// Fails where the modulus is too short for the hash, and on a fault; [`core::error::Error::source`] says which.
    fn try_sign(&self, message: &[u8]) -> signature::Result<Signature> {
        Ok(self.sign_hash(&D::digest(message))?)
    }
}

impl<D: Default + FixedOutput + HashMarker + Update + AssociatedOid> DigestSigner<D, Signature> for SigningKey<D> {
    fn try_sign_digest<F: Fn(&mut D) -> signature::Result<()>>(&self, f: F) -> signature::Result<Signature> {
        let mut hash = D::default();
        f(&mut hash)?;
        Ok(self.sign_hash(&hash.finalize_fixed())?)
    }
}

impl<D: Digest + AssociatedOid> Verifier<Signature> for VerifyingKey<D> {
    fn verify(&self, message: &[u8], signature: &Signature) -> signature::Result<()> {
        Ok(self.verify_hash(&D::digest(message), signature)?)
    }
}

impl<D: Default + FixedOutput + HashMarker + Update + AssociatedOid> DigestVerifier<D, Signature> for VerifyingKey<D> {
    fn verify_digest<F: Fn(&mut D) -> signature::Result<()>>(
        &self,
        f: F,
        signature: &Signature,
    ) -> signature::Result<()> {
        let mut hash = D::default();
        f(&mut hash)?;
        Ok(self.verify_hash(&hash.finalize_fixed(), signature)?)
    }
}

impl<D> Keypair for SigningKey<D> {
    type VerifyingKey = VerifyingKey<D>;
    fn verifying_key(&self) -> VerifyingKey<D> {
        VerifyingKey::new(self.key.public_key().clone())
    }
}

impl SignatureEncoding for Signature {
    type Repr = Box<[u8]>;
}

/// Any number of bytes; whether it is the right one is seen when the signature is verified.
impl TryFrom<&[u8]> for Signature {
    type Error = signature::Error;
    fn try_from(bytes: &[u8]) -> signature::Result<Self> {
        Ok(Signature(bytes.into()))
    }
}

impl From<Signature> for Box<[u8]> {
    fn from(signature: Signature) -> Box<[u8]> {
        signature.0
    }
}

impl AsRef<[u8]> for Signature {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl<D> From<PrivateKey> for SigningKey<D> {
    fn from(key: PrivateKey) -> Self {
        Self::new(key)
    }
}

impl<D> From<PublicKey> for VerifyingKey<D> {
    fn from(key: PublicKey) -> Self {
        Self::new(key)
    }
}

impl<D> AsRef<PrivateKey> for SigningKey<D> {
    fn as_ref(&self) -> &PrivateKey {
        &self.key
    }
}

impl<D> AsRef<PublicKey> for VerifyingKey<D> {
    fn as_ref(&self) -> &PublicKey {
        &self.key
    }
}

impl<D> Clone for SigningKey<D> {
    fn clone(&self) -> Self {
        Self::new(self.key.clone())
    }
}

impl<D> Clone for VerifyingKey<D> {
    fn clone(&self) -> Self {
        Self::new(self.key.clone())
    }
}

impl<D> fmt::Debug for SigningKey<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SigningKey").field(&self.key).finish()
    }
}

impl<D> fmt::Debug for VerifyingKey<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VerifyingKey").field(&self.key).finish()
    }
}

impl<D> ZeroizeOnDrop for SigningKey<D> {}

/// A signature that does not hold stays without a source, as the `signature` crate wants it; other errors are the source.
impl From<Error> for signature::Error {
    fn from(error: Error) -> signature::Error {
        match error {
            Error::Verification => signature::Error::new(),
            other => signature::Error::from_source(other),
        }
    }
}
