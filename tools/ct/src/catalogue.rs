//! The secret operations: a table, one row each, to which later work adds.

use crate::valgrind::make_secret;
use sha2::Sha256;
use signature::Signer;
use std::cell::Cell;
use std::hint::black_box;
use tautochrone::rand_core::{TryCryptoRng, TryRng};
use tautochrone::rsa::pkcs1v15::SigningKey;
use tautochrone::rsa::{Components, PrivateKey};
use tautochrone::subtle::{ConstantTimeEq, ConstantTimeLess};
use tautochrone::{Backend, BoxedUint, Budget, Modulus, Nat, Public, Residue, U256, Uint, pow_pair};

/// An operation on secrets of some bits.
pub struct Operation {
    pub name: &'static str,
    /// In the fast gate.
    pub quick: bool,
    /// The lengths of its secrets, each of which is run.
    pub bits: &'static [u32],
    pub run: fn(bits: u32),
}

const fn op(name: &'static str, run: fn(u32)) -> Operation {
    // The first three have code of their own; 521 fills no limb; from 20 limbs on quotient steps are longer.
    Operation { name, quick: true, bits: &[256, 384, 512, 521, 1344], run }
}

/// An operation of a key of 1024 bits.
const fn rsa(name: &'static str, quick: bool, run: fn(u32)) -> Operation {
    Operation { name, quick, bits: &[1024], run }
}

pub const OPERATIONS: &[Operation] = &[
    op("add_sub", |bits| {
        let (a, b) = (secret(bits), secret(bits));
        black_box((a.overflowing_add(&b), a.overflowing_sub(&b)));
    }),
    op("mul_square", |bits| {
        let (a, b) = (secret(bits), secret(bits));
        black_box((a.mul_wide(&b), a.square_wide()));
    }),
    // Where products are taken apart: halves of unequal length, and of equal length.
    Operation {
        name: "long_products",
        quick: true,
        bits: &[3648, 4096],
        run: |bits| {
            let (a, b) = (secret(bits), secret(bits));
            black_box((a.mul_wide(&b), a.square_wide()));
            let m = modulus(bits);
            black_box(m.mul(&m.residue(&a), &m.residue(&b)));
        },
    },
    op("shift", |bits| {
        let a = secret(bits);
        black_box((a.shl(bits / 3), a.shr(bits / 3), a.bit(7)));
    }),
    op("compare_select", |bits| {
        let (mut a, mut b) = (secret(bits), secret(bits));
        let choice = a.ct_eq(&b) | a.ct_lt(&b) | a.is_zero();
        Nat::conditional_swap(&mut a, &mut b, choice);
        black_box(Nat::select(&a, &b, choice));
    }),
    op("bytes", |bits| {
        let a = secret(bits);
        black_box((a.to_be_bytes(), a.to_le_bytes()));
        black_box(a.write_be_bytes(&mut [0; 1024])).expect("it fits");
    }),
    op("hex", |bits| {
        let mut digits = "5aF".repeat(bits as usize / 12).into_bytes();
        make_secret(&mut digits);
        // SAFETY: these are ASCII digits. The check of UTF-8 would branch on them, and is not ours.
        let digits = unsafe { std::str::from_utf8_unchecked(&digits) };
        black_box(BoxedUint::from_hex(digits, bits)).expect("these are digits");
    }),
    op("add_mod", |bits| {
        let (a, b, m) = (secret(bits - 2), secret(bits - 2), secret(bits));
        black_box((a.add_mod(&b, &m), a.sub_mod(&b, &m), a.double_mod(&m)));
    }),
    op("shl_mod", |bits| {
        let (a, m) = (secret(bits - 2), secret(bits));
        black_box((a.shl_mod(1, &m), a.shl_mod(bits + 65, &m)));
    }),
    op("div_rem", |bits| {
        let (u, d) = (secret(2 * bits), secret(bits));
        black_box((u.div_rem(&d), u.div_rem_bounded(&d, bits - 1), u.rem(&d), d.rem(&u)));
    }),
    op("modulus_new", |bits| {
        black_box(modulus(bits));
    }),
    op("residue", |bits| {
        let m = modulus(bits);
        black_box(m.nat(&m.residue(&secret(3 * bits))));
    }),
    op("residue_arithmetic", |bits| {
        let m = modulus(bits);
        let (a, b) = (m.residue(&secret(bits)), m.residue(&secret(bits)));
        black_box((m.add(&a, &b), m.sub(&a, &b), m.neg(&a), m.double(&a), m.halve(&a), m.shl(&a, 100)));
        black_box((m.mul(&a, &b), m.square(&a), Residue::select(&a, &b, a.ct_eq(&b))));
    }),
    op("pow", |bits| {
        let m = modulus(bits);
        black_box(m.pow(&m.residue(&secret(bits)), &secret(64)));
    }),
    op("pow_steps", |bits| {
        let m = modulus(bits);
        let mut steps = m.pow_steps(&m.residue(&secret(bits)), &secret(64));
        while m.advance(&mut steps, Budget::multiplications(10)).is_none() {}
    }),
    op("pow_vartime", |bits| {
        let m = modulus(bits);
        black_box(m.pow_vartime(&m.residue(&secret(bits)), &Public::<U256>::from_u64(65537)));
    }),
    op("pow_pair", |bits| {
        let (m1, m2) = (modulus(bits), modulus(bits));
        let (b1, b2) = (m1.residue(&secret(bits)), m2.residue(&secret(bits)));
        black_box(pow_pair(&m1, &b1, &secret(64), &m2, &b2, &secret(64)));
    }),
    op("on_the_stack", |_| {
        let wide = |bits| Uint::<8>::try_from(&secret(bits)).expect("it fits");
        let (a, b, m) = (wide(510), wide(500), wide(512));
        black_box((a.mul_wide(&b), a.shl_mod(700, &m), m.div_rem(&a), a.wrapping_add(&b)));
        let m = Modulus::with_backend(m, backend()).expect("odd and long enough");
        black_box(m.pow_bounded(&m.residue(&a), &b, 60));
    }),
    op("random_below", |bits| {
        black_box(Nat::random_below(&mut SecretStream(7), &secret(bits))).expect("the bound is not 0");
    }),
    op("resize", |bits| {
        let a = secret(bits);
        black_box((a.resize(bits / 2), a.zero_extend(bits + 99), a.resize_checked(bits / 2)));
        black_box(a.div_rem_or(&secret(bits), (a.clone(), a.clone())));
    }),
    rsa("rsa_key_load", true, |_| {
        black_box(key());
    }),
    rsa("rsa_private_op", false, |_| {
        let key = key();
        let mut input = vec![0x11; key.size()];
        input[0] = 0;
        black_box(key.private_op(&input)).expect("the key is sound");
    }),
    rsa("rsa_sign", false, |_| {
        let key = SigningKey::<Sha256>::new(key());
        let signature = key.sign(b"a message, which is public");
        assert_ne!(signature.as_ref(), [0; 128]);
    }),
    rsa("rsa_from_primes", false, |_| {
        let Components { e, p, q, .. } = components();
        black_box(PrivateKey::from_primes(p, q, e)).expect("the primes are sound");
    }),
];

/// Leaks on purpose, each of which must be caught.
pub const TWINS: &[Operation] = &[
    op("twin_branch", |bits| {
        let a = secret(bits);
        if a.as_limbs()[0] & 2 == 0 {
            work();
        }
    }),
    op("twin_indexed_load", |bits| {
        let table: Vec<u64> = (0..256).collect();
        black_box(black_box(&table)[(secret(bits).as_limbs()[0] & 0xff) as usize]);
    }),
    op("twin_loop_length", |bits| {
        let count = secret(bits).as_limbs()[0] & 7;
        for i in 0..count {
            black_box(i);
        }
    }),
    op("twin_early_exit", |bits| {
        let (a, b) = (secret(bits), secret(bits));
        black_box(a.as_limbs().iter().zip(b.as_limbs()).all(|(a, b)| a == b));
    }),
    op("twin_trimmed_output", |bits| {
        let bytes = secret(bits).to_be_bytes();
        let first = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
        black_box(bytes[first..].to_vec());
    }),
];

/// Something that the compiler can neither inline nor do without: the branch around it stays one.
#[inline(never)]
fn work() {
    black_box(black_box(1_u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
}

/// `bits` bits, the highest and the lowest set, in the width of as many; undefined from here on.
fn secret(bits: u32) -> BoxedUint {
    let mut bytes = vec![0_u8; (bits as usize).div_ceil(8)];
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = (i as u8).wrapping_mul(0x4d) ^ 0xc3;
    }
    bytes[0] = 1 << ((bits - 1) % 8);
    let last = bytes.len() - 1;
    bytes[last] |= 1;
    make_secret(&mut bytes);
    BoxedUint::from_be_bytes(&bytes, bits).expect("it fits")
}

/// A generator of bytes that are secret as soon as they are there.
struct SecretStream(u64);

impl TryRng for SecretStream {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.try_next_u64()? as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        for byte in out.iter_mut() {
            self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            *byte = (self.0 >> 56) as u8;
        }
        make_secret(out);
        Ok(())
    }
}

impl TryCryptoRng for SecretStream {}

thread_local! {
    static BACKEND: Cell<Backend> = const { Cell::new(Backend::Portable) };
}

/// The backend of the moduli from here on. Keys, and numbers without a modulus, take the preferred one.
pub fn use_backend(backend: Backend) {
    BACKEND.set(backend);
}

fn backend() -> Backend {
    BACKEND.get()
}

fn modulus(bits: u32) -> Modulus<Box<[tautochrone::Limb]>> {
    Modulus::with_backend(secret(bits), backend()).expect("odd and long enough")
}

/// A key's numbers after decoding: the lengths are public, the secret numbers undefined.
fn components() -> Components {
    let der = include_bytes!("../../../vectors/keys/rsa1024.der");
    let c = Components::from_pkcs8_der(der).expect("the file is a key");
    let hide = |x: &BoxedUint| {
        let mut bytes = x.to_be_bytes();
        make_secret(&mut bytes);
        BoxedUint::from_be_bytes(&bytes, x.bits_precision()).expect("it fits")
    };
    let (d, p, q, dp, dq, qinv) = (hide(&c.d), hide(&c.p), hide(&c.q), hide(&c.dp), hide(&c.dq), hide(&c.qinv));
    Components { n: c.n, e: c.e, d, p, q, dp, dq, qinv }
}

fn key() -> PrivateKey {
    PrivateKey::from_components(components()).expect("the key is sound")
}
