//! Against num-bigint and the portable code, at every width, with guards behind every output.

use super::*;
use crate::limb::neg_inverse;
use crate::limbs::testing::{Carries, big, limbs};
use num_bigint::BigUint;
use std::vec;
use std::vec::Vec;

const CANARY: Limb = 0x5afe_c0de_5afe_c0de;

/// A number between two canaries.
struct Guarded(Vec<Limb>);

impl Guarded {
    fn new(x: &[Limb]) -> Guarded {
        Guarded([&[CANARY; 4], x, &[CANARY; 4]].concat())
    }

    fn get(&mut self) -> &mut [Limb] {
        let end = self.0.len() - 4;
        &mut self.0[4..end]
    }

    #[track_caller]
    fn value(&self) -> BigUint {
        let end = self.0.len() - 4;
        assert_eq!((&self.0[..4], &self.0[end..]), (&[CANARY; 4][..], &[CANARY; 4][..]));
        big(&self.0[4..end])
    }
}

fn one() -> BigUint {
    BigUint::from(1_u8)
}

fn token() -> Option<Token> {
    let token = Token::detect();
    assert_eq!(token.is_some(), std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx"));
    token
}

/// Odd moduli of at most n limbs: of full length, short by a bit and by limbs, next to the powers of two, with long
/// runs of ones and of zeros, and the least one.
fn moduli(carries: &mut Carries, n: usize) -> Vec<(Vec<Limb>, u32)> {
    let width = n as u32 * LIMB_BITS;
    let some = 2 + carries.below(u64::from(width) - 1) as u32;
    let mut moduli = Vec::new();
    for bits in [width, width - 1, some, width - width / 2 + 1] {
        let top = one() << (bits - 1);
        moduli.push(&top | (big(&carries.limbs(n)) % &top) | one());
        let c = carries.word() % 1000 * 2 + 1;
        moduli.push((one() << bits) - c.min((1 << (bits - 1).min(11)) - 1));
        moduli.push(&top + ((c % (1 << (bits - 1).min(11))) | 1));
    }
    moduli.push(BigUint::from(3_u8));
    moduli.into_iter().map(|m| (limbs(&m, n), m.bits() as u32)).collect()
}

#[test]
fn montgomery_products_of_every_width() {
    let Some(token) = token() else { return };
    let mut carries = Carries::new();
    for n in 1..=70 {
        let r = one() << (n * LIMB_BITS as usize);
        for (m, _) in moduli(&mut carries, n) {
            let n0 = neg_inverse(m[0]);
            let value = big(&m);
            let inverse = r.modinv(&value).unwrap();
            let largest = limbs(&(&value - one()), n);
            let below = limbs(&(big(&carries.limbs(n)) % &value), n);
            for (a, b) in [
                (carries.limbs(n), &below),
                (vec![Limb::MAX; n], &largest),
                (largest.clone(), &largest),
                (carries.limbs(n), &vec![0; n]),
                (below.clone(), &carries.limbs(n)),
                (largest.clone(), &vec![Limb::MAX; n]),
            ] {
                let (mut z, mut t) = (Guarded::new(&a), Guarded::new(&carries.limbs(2 * n)));
                token.mont_mul(z.get(), b, &m, n0, t.get());
                t.value();
                assert_eq!(z.value(), big(&a) * big(b) * &inverse % &value, "{n}");
                let mut plain = a.clone();
                montgomery::mont_mul::<Portable>(&mut plain, b, &m, n0, t.get());
                assert_eq!(z.get(), plain);

                let a = limbs(&(big(&a) % &value), n);
                let (mut z, mut t) = (Guarded::new(&a), Guarded::new(&carries.limbs(2 * n)));
                token.mont_square(z.get(), &m, n0, t.get());
                t.value();
                assert_eq!(z.value(), big(&a) * big(&a) * &inverse % &value, "{n}");
            }
            for x in [big(&carries.limbs(2 * n)) % (&value * &r), &value * &r - one(), BigUint::ZERO, value.clone()] {
                let (mut z, mut t) = (Guarded::new(&carries.limbs(n)), Guarded::new(&limbs(&x, 2 * n)));
                token.reduce(z.get(), t.get(), &m, n0);
                t.value();
                assert_eq!(z.value(), x * &inverse % &value, "{n}");
            }
        }
    }
}

#[test]
fn products_of_every_two_widths() {
    let Some(token) = token() else { return };
    let mut carries = Carries::new();
    for n in (0..=70).chain([95, 96, 97, 127, 128, 129, 160]) {
        for m in (0..=20).chain([n, n + 2, 31, 50, 70]) {
            for (a, b) in [(carries.limbs(n), carries.limbs(m)), (vec![Limb::MAX; n], vec![Limb::MAX; m])] {
                let mut z = Guarded::new(&carries.limbs(n + m));
                token.mul(z.get(), &a, &b);
                assert_eq!(z.value(), big(&a) * big(&b), "{n} {m}");
            }
        }
        for a in [carries.limbs(n), carries.limbs(n), carries.limbs(n), vec![Limb::MAX; n], vec![0; n]] {
            let mut z = Guarded::new(&carries.limbs(2 * n));
            token.square(z.get(), &a);
            assert_eq!(z.value(), big(&a) * big(&a), "{n}");
        }
    }
}

#[test]
fn set_up_and_shifts_of_every_width() {
    let Some(token) = token() else { return };
    let mut carries = Carries::new();
    for n in 1..=70 {
        let k = 2 * n as u32 * LIMB_BITS;
        for (m, bits) in moduli(&mut carries, n) {
            let value = big(&m);
            let (mut z, mut d) = (Guarded::new(&carries.limbs(n)), Guarded::new(&carries.limbs(n)));
            token.r_squared::<false>(z.get(), &m, bits, d.get());
            assert_eq!(z.value(), (one() << k) % &value, "{n} {bits}");
            token.r_squared::<true>(z.get(), &m, bits, d.get());
            assert_eq!(z.value(), (one() << k) % &value, "{n} {bits}");
            for k in [0, 5, LIMB_BITS + 1, k + carries.below(200) as u32] {
                let x = big(&carries.limbs(n)) % &value;
                let mut z = Guarded::new(&limbs(&x, n));
                token.shl(z.get(), k, &m, bits, d.get());
                assert_eq!(z.value(), (&x << k) % &value, "{n} {bits} {k}");
                let even = &value - one();
                let x = &x % &even;
                let mut z = Guarded::new(&limbs(&x, n));
                token.shl_mod(z.get(), k, &limbs(&even, n), d.get());
                assert_eq!(z.value(), (&x << k) % &even, "{n} {bits} {k}");
            }
            d.value();
        }
    }
}

#[test]
fn divisions_at_uneven_widths() {
    let Some(token) = token() else { return };
    let mut carries = Carries::new();
    for n in 1..=40 {
        for m in [1, 2, 3, n - n / 2, n, n + 1, n + 3, 2 * n, 2 * n + 5] {
            let (d, bits) = moduli(&mut carries, n).swap_remove(carries.below(13) as usize);
            let u = carries.limbs(m);
            let (quotient, remainder) = (big(&u) / big(&d), big(&u) % big(&d));
            let (mut t, mut c) = (Guarded::new(&carries.limbs(2 * m.max(n))), Guarded::new(&carries.limbs(n)));
            for min_bits in [1, bits] {
                let (mut q, mut r) = (Guarded::new(&carries.limbs(m)), Guarded::new(&carries.limbs(n)));
                token.div_rem(Some(q.get()), r.get(), &u, &d, min_bits, t.get(), c.get());
                assert_eq!((q.value(), r.value()), (quotient.clone(), remainder.clone()), "{m} {n} {bits}");
            }
            let (mut q, mut r) = (Guarded::new(&u), Guarded::new(&carries.limbs(n)));
            token.div_rem_vartime(q.get(), r.get(), &d, c.get());
            assert_eq!((q.value(), r.value()), (quotient, remainder), "{m} {n} {bits}");
            t.value();
            c.value();
        }
    }
}
