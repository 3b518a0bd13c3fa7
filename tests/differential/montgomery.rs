//! Contexts of secret and public moduli, and the arithmetic of residues.

use crate::common::{Heap, Home, backends, big, power_of_two, yes};
use crate::draw::{amount, cases, homes, number, odd, width};
use num_bigint::BigUint;
use proptest::prelude::*;
use tautochrone::subtle::{Choice, ConstantTimeEq};
use tautochrone::{Error, Field, Limb, Modulus, Residue, Storage};

/// Two contexts are the same in all that can be seen: sizes, R and R² by way of `one` and `residue`, and each
/// representation, since residues compare by their limbs.
fn same_context<S: Storage>(m: &Modulus<S>, v: &Modulus<S>, xs: &[Residue<S>]) {
    assert_eq!((m.bits(), m.bits_precision(), m.backend()), (v.bits(), v.bits_precision(), v.backend()));
    assert!(yes(m.modulus().ct_eq(v.modulus()) & m.one().ct_eq(&v.one())));
    for x in xs {
        let nat = m.nat(x);
        assert!(yes(nat.ct_eq(&v.nat(x)) & v.residue(&nat).ct_eq(x) & m.square(x).ct_eq(&v.square(x))));
    }
}

/// Arithmetic of x and y, both wider than the modulus and not reduced.
fn arithmetic<H: Home>(home: H, n: &BigUint, wide: usize, x: &BigUint, y: &BigUint, k: u32) {
    let wide = Heap(wide as u32 * Limb::BITS);
    for backend in backends() {
        let m = Modulus::with_backend(home.nat(n), backend).expect("odd");
        let v = Modulus::with_backend_vartime(home.public(n), backend).expect("odd");
        assert_eq!((u64::from(m.bits()), m.bits_precision()), (n.bits(), home.bits()));
        let (a, b) = (m.residue(&wide.nat(x)), m.residue(&wide.nat(y)));
        same_context(&m, &v, &[m.zero(), m.one(), a.clone(), b.clone()]);

        // (a residue, what it stands for): reduced, and of the one representation that it has.
        let same = |residue: &Residue<H::S>, value: BigUint| {
            let value = value % n;
            assert_eq!(big(&m.nat(residue)), value, "modulo {n:x}");
            assert!(yes(residue.ct_eq(&m.residue(&home.nat(&value)))), "modulo {n:x}");
            assert_eq!(yes(residue.is_zero()), value == BigUint::ZERO);
        };
        let (p, q) = (x % n, y % n);
        same(&m.zero(), BigUint::ZERO);
        same(&m.one(), 1_u8.into());
        same(&a, p.clone());
        same(&m.add(&a, &b), &p + &q);
        same(&m.sub(&a, &b), &p + n - &q);
        same(&m.mul(&a, &b), &p * &q);
        same(&m.square(&a), &p * &p);
        same(&m.mul(&a, &a), &p * &p);
        same(&m.neg(&a), n - &p);
        same(&m.neg(&m.zero()), BigUint::ZERO);
        same(&m.sub(&a, &a), BigUint::ZERO);
        same(&m.mul(&a, &m.zero()), BigUint::ZERO);
        same(&m.double(&a), &p + &p);
        same(&m.halve(&a), if p.bit(0) { (&p + n) >> 1 } else { &p >> 1 });
        same(&m.shl(&a, k), &p << k);
        same(&Residue::select(&a, &b, Choice::from(0)), p.clone());
        same(&Residue::select(&a, &b, Choice::from(1)), q.clone());
        // −1 squared, and what is congruent to zero only after reduction.
        same(&m.square(&m.neg(&m.one())), 1_u8.into());
        same(&m.residue(&home.nat(n)), BigUint::ZERO);
        assigning(&m, &a, &b, k);
    }
}

/// The in-place forms give what the others give.
fn assigning<S: Storage>(m: &Modulus<S>, a: &Residue<S>, b: &Residue<S>, k: u32) {
    let check = |change: &dyn Fn(&mut Residue<S>), expected: Residue<S>| {
        let mut z = a.clone();
        change(&mut z);
        assert!(yes(z.ct_eq(&expected)));
    };
    check(&|z| m.add_assign(z, b), m.add(a, b));
    check(&|z| m.sub_assign(z, b), m.sub(a, b));
    check(&|z| m.mul_assign(z, b), m.mul(a, b));
    check(&|z| m.square_assign(z), m.square(a));
    check(&|z| m.neg_assign(z), m.neg(a));
    check(&|z| m.double_assign(z), m.double(a));
    check(&|z| m.halve_assign(z), m.halve(a));
    check(&|z| m.shl_assign(z, k), m.shl(a, k));
}

/// R² of a secret modulus is the modular left shift of 1 by twice the width; nothing else shares the two.
fn rr_is_a_shift<H: Home>(home: H, n: &BigUint) {
    let m = Modulus::new(home.nat(n)).expect("odd");
    let width = home.bits();
    let one = home.nat(&BigUint::from(1_u8));
    let (r, rr) = (one.shl_mod(width, &home.nat(n)), one.shl_mod(2 * width, &home.nat(n)));
    assert_eq!((big(&r), big(&rr)), (power_of_two(width) % n, power_of_two(2 * width) % n));
    assert!(yes(m.nat(&m.square(&m.residue(&r))).ct_eq(&rr)));
    // One and R lie a shift by the width apart.
    assert!(yes(m.shl(&m.one(), width).ct_eq(&m.residue(&r))));
}

fn refused<H: Home>(home: H, n: &BigUint) {
    let even: BigUint = n >> 1 << 1;
    let error = if even == BigUint::ZERO { Error::TooSmall(Field::Modulus) } else { Error::Even(Field::Modulus) };
    for backend in backends() {
        assert_eq!(Modulus::with_backend(home.nat(&even), backend).err(), Some(error));
        assert_eq!(Modulus::with_backend_vartime(home.public(&even), backend).err(), Some(error));
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn arithmetic_of_residues(
        (m, n, wide, x, y, k) in (width(), width()).prop_flat_map(|(m, wide)| {
            (Just(m), odd(m), Just(wide), number(wide), number(wide), amount(m))
        }),
    ) {
        homes!(m, arithmetic(&n, wide, &x, &y, k));
        // The ends of the ring, and x·x mod x.
        homes!(m, arithmetic(&n, m, &(&n - 1_u8), &(&n - 1_u8), k));
        homes!(m, arithmetic(&n, m, &(&n >> 1), &((&n >> 1) + 1_u8), k));
        homes!(m, arithmetic(&n, m, &n, &power_of_two(m as u32 * Limb::BITS - 1), k));
    }

    #[test]
    fn r_squared((m, n) in width().prop_flat_map(|m| (Just(m), odd(m)))) {
        homes!(m, rr_is_a_shift(&n));
        homes!(m, refused(&n));
    }
}

/// (m − 1)² = 1 for m = 2^k − c: where lost carries of released libraries showed.
#[test]
fn minus_one_squared_just_below_powers_of_two() {
    for k in (64..=4096).step_by(64) {
        for c in [1_u8, 3, 5, 15, 105, 255] {
            let n = power_of_two(k) - c;
            for backend in backends() {
                let m = Modulus::with_backend(Heap(k).nat(&n), backend).expect("odd");
                let minus_one = m.residue(&Heap(k).nat(&(&n - 1_u8)));
                assert!(yes(m.mul(&minus_one, &minus_one).ct_eq(&m.one())), "{k} {c}");
                assert!(yes(m.square(&minus_one).ct_eq(&m.one())), "{k} {c}");
                assert!(yes(m.add(&minus_one, &m.one()).is_zero()), "{k} {c}");
            }
        }
    }
}
