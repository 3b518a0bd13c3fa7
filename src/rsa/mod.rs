//! RSA keys: from a file to a key that signs, every check and every private operation in constant time.
//!
//! A [`PrivateKey`] is built whole, with the Montgomery contexts of n, p and q, and never changes: share it between
//! threads by reference or in an `Arc`, without a lock. Every private operation verifies its own result with the public
//! exponent before a byte leaves.
//!
//! # What loading a key leaks
//! n and e; the byte length of each encoded integer and the top bit of its leading octet; the bit lengths of p and q;
//! for a refused key, which field. Not the order of p and q where their lengths are equal, nor any other bit of d, p, q,
//! dP, dQ and qInv.
//!
//! ```
//! use sha2::Sha256;
//! use tautochrone::rsa::{PrivateKey, pkcs1v15::SigningKey};
//! use signature::{Keypair, Signer, Verifier};
//!
//! let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pem"));
//! let key = SigningKey::<Sha256>::new(PrivateKey::from_pkcs8_pem(pem)?);
//! let signature = key.try_sign(b"message")?;
//! key.verifying_key().verify(b"message", &signature)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checks;
mod encoding;
mod export;
mod key;
mod padding;
mod private;
mod public;

pub use key::{Components, PrivateKey, Stage};
pub use padding::pkcs1v15;
pub use public::PublicKey;
