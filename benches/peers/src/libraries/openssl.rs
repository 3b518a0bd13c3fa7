//! OpenSSL, built by `build.rs`.

use super::KeyOp;
use super::bn::{self, Bn, ByBn, Power};
use crate::keys::TestKey;
use crate::operands::trimmed;
use crate::task::Task;
use std::hint::black_box;
use std::ptr::{NonNull, null_mut};

pub struct OpenSsl;

pub const LIBRARY: ByBn<OpenSsl> = ByBn(OpenSsl);

/// What is called of libcrypto, from `openssl/bn.h`, `evp.h` and `rsa.h`.
#[allow(non_snake_case, non_camel_case_types, clippy::upper_case_acronyms)]
mod ffi {
    use std::ffi::{c_int, c_long, c_uchar, c_void};

    macro_rules! opaque {
        ($($name:ident)*) => {$(#[repr(C)] pub struct $name([u8; 0]);)*};
    }
    opaque!(BIGNUM BN_CTX BN_MONT_CTX EVP_PKEY EVP_PKEY_CTX);

    pub const BN_FLG_CONSTTIME: c_int = 4;
    pub const EVP_PKEY_RSA: c_int = 6;
    pub const RSA_NO_PADDING: c_int = 3;

    unsafe extern "C" {
        pub fn BN_bin2bn(bytes: *const c_uchar, len: c_int, z: *mut BIGNUM) -> *mut BIGNUM;
        pub fn BN_bn2bin(a: *const BIGNUM, bytes: *mut c_uchar) -> c_int;
        pub fn BN_num_bits(a: *const BIGNUM) -> c_int;
        pub fn BN_clear_free(a: *mut BIGNUM);
        pub fn BN_set_flags(a: *mut BIGNUM, flags: c_int);
        pub fn BN_CTX_new() -> *mut BN_CTX;
        pub fn BN_CTX_free(scratch: *mut BN_CTX);
        pub fn BN_MONT_CTX_new() -> *mut BN_MONT_CTX;
        pub fn BN_MONT_CTX_set(m: *mut BN_MONT_CTX, n: *const BIGNUM, scratch: *mut BN_CTX) -> c_int;
        pub fn BN_MONT_CTX_free(m: *mut BN_MONT_CTX);
        pub fn BN_to_montgomery(z: *mut BIGNUM, a: *const BIGNUM, m: *mut BN_MONT_CTX, scratch: *mut BN_CTX) -> c_int;
        pub fn BN_from_montgomery(z: *mut BIGNUM, a: *const BIGNUM, m: *mut BN_MONT_CTX, scratch: *mut BN_CTX)
        -> c_int;
        pub fn BN_mod_mul_montgomery(
            z: *mut BIGNUM,
            a: *const BIGNUM,
            b: *const BIGNUM,
            m: *mut BN_MONT_CTX,
            scratch: *mut BN_CTX,
        ) -> c_int;
        pub fn BN_mod_exp_mont(
            z: *mut BIGNUM,
            a: *const BIGNUM,
            e: *const BIGNUM,
            n: *const BIGNUM,
            scratch: *mut BN_CTX,
            m: *mut BN_MONT_CTX,
        ) -> c_int;
        pub fn BN_mod_exp_mont_consttime(
            z: *mut BIGNUM,
            a: *const BIGNUM,
            e: *const BIGNUM,
            n: *const BIGNUM,
            scratch: *mut BN_CTX,
            m: *mut BN_MONT_CTX,
        ) -> c_int;
        pub fn BN_mod_exp_mont_consttime_x2(
            z1: *mut BIGNUM,
            a1: *const BIGNUM,
            e1: *const BIGNUM,
            n1: *const BIGNUM,
            m1: *mut BN_MONT_CTX,
            z2: *mut BIGNUM,
            a2: *const BIGNUM,
            e2: *const BIGNUM,
            n2: *const BIGNUM,
            m2: *mut BN_MONT_CTX,
            scratch: *mut BN_CTX,
        ) -> c_int;

        pub fn d2i_PrivateKey(
            kind: c_int,
            key: *mut *mut EVP_PKEY,
            der: *mut *const c_uchar,
            len: c_long,
        ) -> *mut EVP_PKEY;
        pub fn EVP_PKEY_free(key: *mut EVP_PKEY);
        pub fn EVP_PKEY_CTX_new(key: *mut EVP_PKEY, engine: *mut c_void) -> *mut EVP_PKEY_CTX;
        pub fn EVP_PKEY_CTX_free(operation: *mut EVP_PKEY_CTX);
        pub fn EVP_PKEY_sign_init(operation: *mut EVP_PKEY_CTX) -> c_int;
        pub fn EVP_PKEY_CTX_set_rsa_padding(operation: *mut EVP_PKEY_CTX, padding: c_int) -> c_int;
        pub fn EVP_PKEY_sign(
            operation: *mut EVP_PKEY_CTX,
            signature: *mut c_uchar,
            len: *mut usize,
            input: *const c_uchar,
            input_len: usize,
        ) -> c_int;
    }
}

// SAFETY: each constructor is paired with its own free.
unsafe impl Bn for OpenSsl {
    const NAME: &'static str = "OpenSSL";
    type Number = ffi::BIGNUM;
    type Scratch = ffi::BN_CTX;
    type Context = ffi::BN_MONT_CTX;

    unsafe fn bin2bn(bytes: &[u8]) -> *mut Self::Number {
        unsafe { ffi::BN_bin2bn(bytes.as_ptr(), bytes.len() as i32, null_mut()) }
    }

    unsafe fn bn2bin(a: *const Self::Number) -> Vec<u8> {
        unsafe {
            let mut bytes = vec![0; (ffi::BN_num_bits(a) as usize).div_ceil(8)];
            let written = ffi::BN_bn2bin(a, bytes.as_mut_ptr());
            assert_eq!(written as usize, bytes.len());
            bytes
        }
    }

    /// OpenSSL has one function; a flag of the modulus keeps it from branching.
    unsafe fn context_new(n: *mut Self::Number, secret: bool, scratch: *mut Self::Scratch) -> *mut Self::Context {
        unsafe {
            if secret {
                ffi::BN_set_flags(n, ffi::BN_FLG_CONSTTIME);
            }
            let context = ffi::BN_MONT_CTX_new();
            if ffi::BN_MONT_CTX_set(context, n, scratch) == 1 {
                return context;
            }
            ffi::BN_MONT_CTX_free(context);
            null_mut()
        }
    }

    bn::common!(ffi);

    /// No loading: `d2i_PrivateKey` checks nothing, and `EVP_PKEY_check` tests the primes too, which nobody else does.
    fn key(op: KeyOp, key: &TestKey) -> Option<Task> {
        let KeyOp::Private = op else { return None };
        let padded = key.padded.clone();
        Some(Task::new(
            (Key::load(key.pkcs1), vec![0; padded.len()]),
            move |(key, signature)| key.sign(&padded, signature),
            |(_, signature)| trimmed(signature),
        ))
    }
}

/// A key and a signing operation without padding, which can be repeated.
struct Key {
    key: NonNull<ffi::EVP_PKEY>,
    operation: NonNull<ffi::EVP_PKEY_CTX>,
}

impl Key {
    fn load(pkcs1: &[u8]) -> Self {
        let mut der = pkcs1.as_ptr();
        // SAFETY: the slice is live; the rest takes what the calls before it gave.
        unsafe {
            let key = ffi::d2i_PrivateKey(ffi::EVP_PKEY_RSA, null_mut(), &mut der, pkcs1.len() as i64);
            let key = NonNull::new(key).expect("the key is good");
            let operation = ffi::EVP_PKEY_CTX_new(key.as_ptr(), null_mut());
            let operation = NonNull::new(operation).expect("a key can be used");
            assert_eq!(ffi::EVP_PKEY_sign_init(operation.as_ptr()), 1, "a key can sign");
            let status = ffi::EVP_PKEY_CTX_set_rsa_padding(operation.as_ptr(), ffi::RSA_NO_PADDING);
            assert_eq!(status, 1, "there are operations without padding");
            Key { key, operation }
        }
    }

    fn sign(&self, input: &[u8], signature: &mut [u8]) {
        let mut len = signature.len();
        // SAFETY: the operation, the input and the output are live, and the length of the output is told.
        let status = unsafe {
            let input = black_box(input);
            ffi::EVP_PKEY_sign(self.operation.as_ptr(), signature.as_mut_ptr(), &mut len, input.as_ptr(), input.len())
        };
        assert!(status == 1 && len == signature.len(), "EVP_PKEY_sign failed");
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: both came from the library and are dropped once.
        unsafe {
            ffi::EVP_PKEY_CTX_free(self.operation.as_ptr());
            ffi::EVP_PKEY_free(self.key.as_ptr());
        }
    }
}
