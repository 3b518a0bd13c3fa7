//! AWS-LC.

use super::KeyOp;
use super::bn::{self, Bn, ByBn, Power};
use crate::keys::TestKey;
use crate::operands::trimmed;
use crate::task::Task;
use aws_lc_sys as ffi;
use std::hint::black_box;
use std::ptr::{NonNull, null_mut};

pub struct AwsLc;

pub const LIBRARY: ByBn<AwsLc> = ByBn(AwsLc);

// SAFETY: each constructor is paired with its own free.
unsafe impl Bn for AwsLc {
    const NAME: &'static str = "AWS-LC";
    type Number = ffi::BIGNUM;
    type Scratch = ffi::BN_CTX;
    type Context = ffi::BN_MONT_CTX;

    unsafe fn bin2bn(bytes: &[u8]) -> *mut Self::Number {
        unsafe { ffi::BN_bin2bn(bytes.as_ptr(), bytes.len(), null_mut()) }
    }

    unsafe fn bn2bin(a: *const Self::Number) -> Vec<u8> {
        unsafe {
            let mut bytes = vec![0; ffi::BN_num_bytes(a) as usize];
            let written = ffi::BN_bn2bin(a, bytes.as_mut_ptr());
            assert_eq!(written, bytes.len());
            bytes
        }
    }

    unsafe fn context_new(n: *mut Self::Number, secret: bool, scratch: *mut Self::Scratch) -> *mut Self::Context {
        let new = if secret { ffi::BN_MONT_CTX_new_consttime } else { ffi::BN_MONT_CTX_new_for_modulus };
        unsafe { new(n, scratch) }
    }

    bn::common!(ffi);

    fn key(op: KeyOp, key: &TestKey) -> Option<Task> {
        let (pkcs1, padded) = (key.pkcs1, key.padded.clone());
        Some(match op {
            KeyOp::Private => Task::new(
                (Key::load(pkcs1), vec![0; padded.len()]),
                move |(key, signature)| key.sign(&padded, signature),
                |(_, signature)| trimmed(signature),
            ),
            KeyOp::Load => Task::new(
                None,
                move |key| *key = Some(Key::load(pkcs1)),
                move |key| {
                    let mut signature = vec![0; padded.len()];
                    key.as_ref().expect("a call went before").sign(&padded, &mut signature);
                    trimmed(&signature)
                },
            ),
        })
    }
}

struct Key(NonNull<ffi::RSA>);

impl Key {
    /// The key and the checks that its loader makes, which are AWS-LC's own `RSA_check_key`, and that function again is
    /// not needed.
    fn load(pkcs1: &[u8]) -> Self {
        let pkcs1 = black_box(pkcs1);
        // SAFETY: the slice is live.
        let key = unsafe { ffi::RSA_private_key_from_bytes(pkcs1.as_ptr(), pkcs1.len()) };
        Key(NonNull::new(key).expect("the key is good"))
    }

    fn sign(&self, input: &[u8], signature: &mut [u8]) {
        let mut len = 0;
        // SAFETY: the key, the input and the output are live, and the length of the output is told.
        let status = unsafe {
            ffi::RSA_sign_raw(
                self.0.as_ptr(),
                &mut len,
                signature.as_mut_ptr(),
                signature.len(),
                black_box(input).as_ptr(),
                input.len(),
                ffi::RSA_NO_PADDING,
            )
        };
        assert!(status == 1 && len == signature.len(), "RSA_sign_raw failed");
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: it came from the library and is dropped once.
        unsafe { ffi::RSA_free(self.0.as_ptr()) }
    }
}
