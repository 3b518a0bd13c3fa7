//! Numbers, contexts, residues and exponentiations.

use crate::common::{Heap, Home, big, power_of_two};
use crate::watch::Watch;
use num_bigint::BigUint;
use std::convert::Infallible;
use std::hint::black_box;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tautochrone::rand_core::{TryCryptoRng, TryRng};
use tautochrone::subtle::Choice;
use tautochrone::{BoxedUint, Budget, Limb, Modulus, Nat, Public, U512, pow_pair};

/// Numbers of every bit, the same each time.
struct Stream(u64);

impl TryRng for Stream {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.try_next_u64()? as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Ok((self.0 ^ self.0 >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for chunk in out.chunks_mut(8) {
            let word = self.try_next_u64()?.to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Stream {}

fn number(bits: u32, seed: u64) -> BigUint {
    let mut bytes = vec![0; bits.div_ceil(8) as usize];
    Stream(seed).try_fill_bytes(&mut bytes).unwrap();
    let top = power_of_two(bits - 1);
    (BigUint::from_bytes_le(&bytes) % &top) | top
}

/// The negative twins: what must be caught, so that silence means something.
#[test]
fn a_secret_in_plain_memory_is_caught() {
    let x = number(512, 1);
    let nat = Heap(512).nat(&x);
    let watch = Watch::over(std::slice::from_ref(&x));
    let caught = |what: &str, leaks: usize| assert_eq!(leaks, 1, "{what}");
    caught("limbs", watch.run(|| nat.as_limbs().to_vec()).leaks);
    caught("high byte first", watch.run(|| nat.to_be_bytes().to_vec()).leaks);
    caught("low byte first", watch.run(|| nat.to_le_bytes().to_vec()).leaks);
    caught("part of it", watch.run(|| nat.to_be_bytes()[13..40].to_vec()).leaks);
    caught("behind something", watch.run(|| [&[1, 2, 3], &nat.to_be_bytes()[..]].concat()).leaks);
    let grown = watch.run(|| {
        let mut bytes = nat.to_be_bytes().to_vec();
        bytes.reserve_exact(1000);
        bytes.fill(0);
        bytes
    });
    caught("a block left behind by growth", grown.leaks);
    // Behind a barrier, since what is written just before a block is freed need not be written at all.
    let boxed = || black_box(Box::new(ManuallyDrop::new(U512::try_from(&nat).unwrap())));
    let forgotten = watch.run(boxed);
    caught("a number that is not dropped", forgotten.leaks);
    // And what is wiped or none is not.
    watch.clean("a number", || nat.clone());
    watch.clean("on the stack, in a box", || black_box(Box::new(U512::try_from(&nat).unwrap())));
    assert_eq!(watch.run(|| vec![7_u8; 512]).leaks, 0);
}

#[test]
fn numbers() {
    let (x, y, d) = (number(512, 2), number(512, 3), number(300, 4));
    let width = power_of_two(512);
    let m = &x | BigUint::from(1_u8);
    let z = &y % &m;
    let up = &d << 212_u32;
    let mut secrets = vec![
        x.clone(),
        y.clone(),
        d.clone(),
        m.clone(),
        z.clone(),
        (&x + &y) % &width,
        (&x + &width - &y) % &width,
        &x * &y,
        &x * &x,
        &x >> 77_u32,
        (&x << 77_u32) % &width,
        &x / &d,
        &x % &d,
        (&x % &d) << 212_u32,
        &x << 212_u32,
        up,
        (&z + &z) % &m,
        (&z << 777_u32) % &m,
    ];
    // Every partial remainder of a shift by whole limbs.
    secrets.extend((1..20_u32).map(|i| (&z << (i * Limb::BITS)) % &m));
    let home = Heap(512);
    let (a, b, e, n, r) = (home.nat(&x), home.nat(&y), home.nat(&d), home.nat(&m), home.nat(&z));
    let short = Heap(300).nat(&d);
    let (bytes, hex) = (x.to_bytes_be(), format!("{x:x}"));
    let bad = hex.clone() + "g";
    let watch = Watch::over(&secrets);
    watch.clean("sum", || (a.overflowing_add(&b), a.wrapping_add(&b)));
    watch.clean("difference", || (a.overflowing_sub(&b), a.wrapping_sub(&b)));
    watch.clean("product", || a.mul_wide(&b));
    watch.clean("square", || a.square_wide());
    watch.clean("shifts", || (a.shl(77), a.shr(77)));
    watch.clean("selection", || Nat::select(&a, &b, Choice::from(1)));
    watch.clean("division", || a.div_rem(&e));
    watch.clean("division by a shorter one", || a.div_rem(&short));
    watch.clean("division of a shorter one", || short.div_rem(&a));
    watch.clean("bounded division", || a.div_rem_bounded(&short, 300));
    watch.clean("remainder", || a.rem(&short));
    watch.clean("division with a default", || a.div_rem_or(&e, (b.clone(), b.clone())));
    watch.clean("remainder with a default", || a.rem_or(&short, short.clone()));
    watch.clean("division by zero", || a.div_rem(&BoxedUint::zero(512)));
    watch.clean("sum modulo m", || r.add_mod(&r, &n));
    watch.clean("difference modulo m", || r.sub_mod(&e, &n));
    watch.clean("double modulo m", || r.double_mod(&n));
    for k in [1, 77, 777, 19 * Limb::BITS] {
        watch.clean("modular shift", || r.shl_mod(k, &n));
        watch.clean("modular shift, shape a", || tautochrone::shapes::shl_mod_lshift1(&r, k, &n));
        watch.clean("modular shift, shape b", || tautochrone::shapes::shl_mod_doubling(&r, k, &n));
    }
    watch.clean("bytes out", || (a.to_be_bytes(), a.to_le_bytes()));
    watch.clean("bytes in", || BoxedUint::from_be_bytes(&bytes, 512));
    watch.clean("bytes that do not fit", || BoxedUint::from_be_bytes(&bytes, 448));
    watch.clean("digits in", || BoxedUint::from_hex(&hex, 512));
    watch.clean("digits that do not fit", || BoxedUint::from_hex(&hex, 448));
    watch.clean("digits that are none", || BoxedUint::from_hex(&bad, 512));
    watch
        .clean("another width", || (a.resize(448), a.zero_extend(2048), a.resize_checked(1024), a.resize_checked(448)));
    watch.clean("another width with a default", || a.resize_checked_or(BoxedUint::zero(448)));
    watch.clean("another storage", || (black_box(Box::new(U512::try_from(&a))), BoxedUint::from(&a)));
    let panicked = || catch_unwind(AssertUnwindSafe(|| a.clone().wrapping_add(&short.clone()))).is_err();
    let seen = watch.run(|| assert!(panicked()));
    assert_eq!(seen.leaks, 0, "a panic: {seen}");
}

#[test]
fn random_numbers() {
    let bound = number(500, 5);
    let home = Heap(512);
    let (limit, public) = (home.nat(&bound), home.public(&bound));
    // What the generator gives: 128 bits, then the width.
    let mut drawn = [0; 16 + 64];
    Stream(6).try_fill_bytes(&mut drawn[..16]).unwrap();
    let mut rest = Stream(6);
    rest.try_next_u64().unwrap();
    rest.try_next_u64().unwrap();
    rest.try_fill_bytes(&mut drawn[16..]).unwrap();
    let (low, high) = (BigUint::from_bytes_le(&drawn[..16]), BigUint::from_bytes_le(&drawn[16..]));
    let result = (&high << 128_u32 | &low) % &bound;
    assert_eq!(big(&Nat::random_below(&mut Stream(6), &limit).unwrap()), result);
    let any = big(&BoxedUint::random(&mut Stream(6), 512).unwrap());
    let rejected = big(&Nat::random_below_vartime(&mut Stream(6), &public).unwrap());
    let watch = Watch::over(&[result, low, high.clone(), high % &bound, bound, any, rejected]);
    watch.clean("random", || BoxedUint::random(&mut Stream(6), 512));
    watch.clean("random below", || Nat::random_below(&mut Stream(6), &limit));
    watch.clean("random below a public bound", || Nat::random_below_vartime(&mut Stream(6), &public));
}

/// All that an exponentiation passes through: the table, and every power on the way, in and out of Montgomery form.
fn powers(base: &BigUint, e: &BigUint, n: &BigUint, r: &BigUint) -> Vec<BigUint> {
    let mut found: Vec<BigUint> = (1..32_u32).map(|i| base.modpow(&i.into(), n)).collect();
    for k in 0..e.bits() {
        let mut power = base.modpow(&(e >> k), n);
        for _ in 0..6 {
            found.push(power.clone());
            power = &power * &power % n;
        }
    }
    let montgomery: Vec<BigUint> = found.iter().map(|x| x * r % n).collect();
    found.extend(montgomery);
    found
}

#[test]
fn contexts_residues_and_powers() {
    // Shorter than its width, so that the normalised modulus is another number.
    let n = number(500, 7) | BigUint::from(1_u8);
    let (x, y, e) = (number(512, 8), number(512, 9), number(96, 10));
    let (p, q) = (&x % &n, &y % &n);
    let r = power_of_two(512) % &n;
    let form = |z: &BigUint| z * &r % &n;
    let mut secrets = vec![n.clone(), &n << 12_u32, r.clone(), &r * &r % &n, (&r << 12_u32), &n - &p, &n - form(&p)];
    secrets.extend([&x, &y, &e, &p, &q, &(&p * &q % &n), &(&p * &p % &n), &((&p << 777_u32) % &n)].map(BigUint::clone));
    secrets.extend([form(&p), form(&q), form(&(&p * &q)), form(&(&p * &p)), form(&(&p << 777_u32)), form(&(&p + &q))]);
    secrets.extend([form(&p) * form(&q), form(&p) * form(&p)]);
    secrets.extend(powers(&p, &e, &n, &r));
    let home = Heap(512);
    let (modulus, base, exponent) = (home.nat(&n), home.nat(&x), Heap(96).nat(&e));
    let other = home.nat(&y);
    let wide = base.mul_wide(&other);
    let even = home.nat(&(&n - 1_u8));
    let public = Heap(96).public(&e);
    let watch = Watch::over(&secrets);
    watch.clean("context", || Modulus::new(modulus.clone()));
    watch.clean("context that is refused", || Modulus::new(even.clone()));
    let m = Modulus::new(modulus.clone()).unwrap();
    let (a, b) = (m.residue(&base), m.residue(&other));
    watch.clean("a context's copy", || m.clone());
    watch.clean("residue", || m.residue(&base));
    watch.clean("residue of a wider number", || m.residue(&wide));
    watch.clean("number", || m.nat(&a));
    watch.clean("one", || m.one());
    watch.clean("sum", || (m.add(&a, &b), m.sub(&a, &b), m.neg(&a)));
    watch.clean("product", || m.mul(&a, &b));
    watch.clean("square", || m.square(&a));
    watch.clean("double and half", || (m.double(&a), m.halve(&a)));
    watch.clean("shift", || m.shl(&a, 777));
    watch.clean("power", || m.pow(&a, &exponent));
    watch.clean("bounded power", || m.pow_bounded(&a, &exponent, 80));
    watch.clean("power by a public exponent", || m.pow_vartime(&a, &public));
    watch.clean("two powers", || pow_pair(&m, &a, &exponent, &m, &b, &exponent));
    watch.clean("steps that are not begun", || m.pow_steps(&a, &exponent));
    for calls in [1, 10, 40, 60] {
        watch.clean("steps that stop half-way", || {
            let mut steps = m.pow_steps(&a, &exponent);
            for _ in 0..calls {
                drop(m.advance(&mut steps, Budget::multiplications(1)));
            }
            steps
        });
    }
    drop(watch);

    // The context of a public modulus holds no secret, but what is computed with it does.
    let v = Modulus::new_vartime(Public::<BoxedUint>::from_le_bytes(&n.to_bytes_le(), 512).unwrap()).unwrap();
    let secrets: Vec<BigUint> = secrets.into_iter().skip(7).collect();
    let watch = Watch::over(&secrets);
    watch.clean("power modulo a public number", || v.pow(&v.residue(&base), &exponent));
}
