//! Keys to DER and PEM.

use crate::error::{Error, Field};
use crate::rsa::key::PrivateKey;
use crate::rsa::public::PublicKey;
use alloc::string::String;
use der::asn1::{BitStringRef, OctetStringRef, UintRef};
use der::pem::{LineEnding, PemLabel};
use der::{Document, SecretDocument};
use pkcs1::{RsaPrivateKeyRef, RsaPublicKeyRef};
use pkcs8::PrivateKeyInfoRef;
use pkcs8::spki::{SubjectPublicKeyInfo, SubjectPublicKeyInfoRef};
use zeroize::Zeroizing;

/// No key within the limits of this crate is too long for `der`; an error all the same, never a panic.
fn failed<E>(_: E) -> Error {
    Error::TooLarge(Field::Document)
}

impl PrivateKey {
    /// The key as an RSAPrivateKey of PKCS#1 (RFC 8017, A.1.2).
    ///
    /// # Leaks
    /// The number of leading zero bytes of d, p, q, dP, dQ and qInv, and the top bit of the byte that follows: DER has no
    /// other way.
    ///
    /// # Errors
    /// None that a key can cause.
    ///
    /// ```
    /// use tautochrone::rsa::PrivateKey;
    /// let der = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pkcs1.der"));
    /// assert_eq!(PrivateKey::from_pkcs1_der(der)?.to_pkcs1_der()?.as_bytes(), der);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn to_pkcs1_der(&self) -> Result<SecretDocument, Error> {
        let qinv = self.p.nat(&self.qinv);
        let secrets = [&self.d, self.p.modulus(), self.q.modulus(), &self.dp, &self.dq, &qinv].map(|x| x.to_be_bytes());
        let [n, e] = [&self.public.n, &self.public.e].map(|x| x.to_be_bytes());
        let [d, p, q, dp, dq, qinv] = secrets.each_ref().map(|bytes| UintRef::new(bytes).map_err(failed));
        let key = RsaPrivateKeyRef {
            modulus: UintRef::new(&n).map_err(failed)?,
            public_exponent: UintRef::new(&e).map_err(failed)?,
            private_exponent: d?,
            prime1: p?,
            prime2: q?,
            exponent1: dp?,
            exponent2: dq?,
            coefficient: qinv?,
            other_prime_infos: None,
        };
        SecretDocument::encode_msg(&key).map_err(failed)
    }

    /// The key as a PKCS#8 document (RFC 5958).
    ///
    /// # Leaks
    /// As [`to_pkcs1_der`](Self::to_pkcs1_der).
    ///
    /// # Errors
    /// None that a key can cause.
    ///
    /// ```
    /// use tautochrone::rsa::PrivateKey;
    /// let der = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.der"));
    /// assert_eq!(PrivateKey::from_pkcs8_der(der)?.to_pkcs8_der()?.as_bytes(), der);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn to_pkcs8_der(&self) -> Result<SecretDocument, Error> {
        let key = self.to_pkcs1_der()?;
        let key = OctetStringRef::new(key.as_bytes()).map_err(failed)?;
        SecretDocument::encode_msg(&PrivateKeyInfoRef::new(pkcs1::ALGORITHM_ID, key)).map_err(failed)
    }

    /// [`to_pkcs8_der`](Self::to_pkcs8_der) in PEM, label `PRIVATE KEY`.
    ///
    /// # Leaks
    /// As [`to_pkcs1_der`](Self::to_pkcs1_der).
    ///
    /// # Errors
    /// None that a key can cause.
    ///
    /// ```
    /// use tautochrone::rsa::PrivateKey;
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pem"));
    /// assert_eq!(*PrivateKey::from_pkcs8_pem(pem)?.to_pkcs8_pem()?, pem);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn to_pkcs8_pem(&self) -> Result<Zeroizing<String>, Error> {
        self.to_pkcs8_der()?.to_pem(PrivateKeyInfoRef::PEM_LABEL, LineEnding::LF).map_err(failed)
    }
}

impl PublicKey {
    /// The key as an RSAPublicKey of PKCS#1 (RFC 8017, A.1.1).
    ///
    /// # Errors
    /// None that a key can cause.
    ///
    /// ```
    /// use tautochrone::rsa::PublicKey;
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pub.pkcs1.pem"));
    /// let key = PublicKey::from_pkcs1_pem(pem)?;
    /// assert_eq!(PublicKey::from_pkcs1_der(key.to_pkcs1_der()?.as_bytes())?, key);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn to_pkcs1_der(&self) -> Result<Document, Error> {
        let [n, e] = [&self.n, &self.e].map(|x| x.to_be_bytes());
        let (modulus, public_exponent) = (UintRef::new(&n).map_err(failed)?, UintRef::new(&e).map_err(failed)?);
        Document::encode_msg(&RsaPublicKeyRef { modulus, public_exponent }).map_err(failed)
    }

    /// The key as a SubjectPublicKeyInfo (RFC 5280, 4.1).
    ///
    /// # Errors
    /// None that a key can cause.
    ///
    /// ```
    /// use tautochrone::rsa::PublicKey;
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pub.pem"));
    /// let key = PublicKey::from_spki_pem(pem)?;
    /// assert_eq!(PublicKey::from_spki_der(key.to_spki_der()?.as_bytes())?, key);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn to_spki_der(&self) -> Result<Document, Error> {
        let key = self.to_pkcs1_der()?;
        let subject_public_key = BitStringRef::from_bytes(key.as_bytes()).map_err(failed)?;
        Document::encode_msg(&SubjectPublicKeyInfo { algorithm: pkcs1::ALGORITHM_ID, subject_public_key })
            .map_err(failed)
    }

    /// [`to_spki_der`](Self::to_spki_der) in PEM, label `PUBLIC KEY`.
    ///
    /// # Errors
    /// None that a key can cause.
    ///
    /// ```
    /// use tautochrone::rsa::PublicKey;
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pub.pem"));
    /// assert_eq!(PublicKey::from_spki_pem(pem)?.to_spki_pem()?, pem);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn to_spki_pem(&self) -> Result<String, Error> {
        self.to_spki_der()?.to_pem(SubjectPublicKeyInfoRef::PEM_LABEL, LineEnding::LF).map_err(failed)
    }
}

impl pkcs8::EncodePrivateKey for PrivateKey {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        Ok(PrivateKey::to_pkcs8_der(self)?)
    }
}

impl pkcs8::EncodePublicKey for PublicKey {
    fn to_public_key_der(&self) -> pkcs8::spki::Result<Document> {
        self.to_spki_der().map_err(|error| pkcs8::Error::from(error).into())
    }
}
