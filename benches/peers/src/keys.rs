//! RSA keys from the crate's vectors, and the input that all private operations share.

use num_bigint::BigUint;
use tautochrone::rsa::Components;

/// A private key as it stands in files.
pub struct TestKey {
    pub bits: u32,
    pub pkcs8: &'static [u8],
    pub pkcs1: &'static [u8],
    /// [`MESSAGE`], hashed and padded by PKCS#1 v1.5: what a library without raw operations makes of it, and what the
    /// others are given.
    pub padded: Vec<u8>,
    /// Its signature, by num-bigint.
    pub signature: Vec<u8>,
}

/// Signed under SHA-256.
pub const MESSAGE: &[u8] = b"tautochrone";

/// DER of the algorithm and the length, before the 32 bytes of the hash: RFC 8017, 9.2, note 1.
const SHA256_PREFIX: [u8; 19] = *b"\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\x04\x20";

macro_rules! files {
    ($($bits:literal)*) => {
        [$((
            $bits,
            include_bytes!(concat!("../../../vectors/keys/rsa", $bits, ".der")),
            include_bytes!(concat!("../../../vectors/keys/rsa", $bits, ".pkcs1.der")),
        )),*]
    };
}

/// The lengths of n in bits, with PKCS#8 and PKCS#1.
const FILES: [(u32, &[u8], &[u8]); 3] = files!(2048 3072 4096);

/// The key of so many bits, if there is one.
pub fn of(bits: u32) -> Option<TestKey> {
    let (_, pkcs8, pkcs1) = FILES.into_iter().find(|file| file.0 == bits)?;
    let components = Components::from_pkcs1_der(pkcs1).expect("the vectors hold good keys");
    let n = BigUint::from_bytes_be(&components.n.clone().into_inner().to_be_bytes());
    let d = BigUint::from_bytes_be(&components.d.to_be_bytes());
    let padded = pad(bits as usize / 8);
    let signature = BigUint::from_bytes_be(&padded).modpow(&d, &n).to_bytes_be();
    Some(TestKey { bits, pkcs8, pkcs1, padded, signature })
}

fn pad(size: usize) -> Vec<u8> {
    let hash = ring::digest::digest(&ring::digest::SHA256, MESSAGE);
    let tail = [&SHA256_PREFIX, hash.as_ref()].concat();
    let filling = vec![0xff; size - tail.len() - 3];
    [&[0, 1][..], &filling, &[0], &tail].concat()
}
