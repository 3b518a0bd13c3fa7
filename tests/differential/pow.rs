//! Exponentiation in all its forms: at once, bounded, in steps, in pairs, by a public exponent.

use crate::common::{Heap, Home, backends, big, power_of_two, yes};
use crate::draw::{cases, homes, number, odd, width};
use num_bigint::BigUint;
use proptest::prelude::*;
use tautochrone::subtle::ConstantTimeEq;
use tautochrone::{Budget, Limb, Limbs, Modulus, Nat, Residue, Storage, pow_pair};

const BUDGETS: [Budget; 4] =
    [Budget::multiplications(1), Budget::multiplications(7), Budget::multiplications(100), Budget::UNLIMITED];

/// The power by steps of each budget, and the calls that each took.
fn in_steps<S: Storage, E: Limbs>(m: &Modulus<S>, base: &Residue<S>, e: &Nat<E>, expected: &Residue<S>) -> Vec<u32> {
    let run = |budget| {
        let mut steps = m.pow_steps(base, e);
        let mut calls = 1;
        let power = loop {
            if let Some(power) = m.advance(&mut steps, budget) {
                break power;
            }
            calls += 1;
        };
        assert!(yes(power.ct_eq(expected)));
        // Once more after the end: the same.
        assert!(yes(m.advance(&mut steps, budget).expect("it is done").ct_eq(expected)));
        calls
    };
    BUDGETS.map(run).to_vec()
}

fn powers<H: Home>(home: H, n: &BigUint, x: &BigUint, exponents: usize, e: &BigUint) {
    let exponent_home = Heap(exponents as u32 * Limb::BITS);
    let width = exponent_home.bits();
    for backend in backends() {
        let m = Modulus::with_backend(home.nat(n), backend).expect("odd");
        let base = m.residue(&home.nat(x));
        let exponent = exponent_home.nat(e);
        let expected = x.modpow(e, n);
        let power = m.pow(&base, &exponent);
        assert_eq!(big(&m.nat(&power)), expected, "{x:x} ^ {e:x} modulo {n:x}");
        assert!(yes(power.ct_eq(&m.pow_vartime(&base, &exponent_home.public(e)))));

        let length = u32::try_from(e.bits()).expect("short");
        for bits in [length, length + 1, width, width + 1, u32::MAX] {
            assert!(yes(power.ct_eq(&m.pow_bounded(&base, &exponent, bits))), "{bits} bits of {e:x}");
        }
        // A bound below the length cuts the exponent off.
        let cut = length / 2;
        let low = x.modpow(&(e % power_of_two(cut)), n);
        assert_eq!(big(&m.nat(&m.pow_bounded(&base, &exponent, cut))), low, "{cut} bits of {e:x}");

        // The same calls whatever the numbers are.
        let calls = in_steps(&m, &base, &exponent, &power);
        let zero = exponent_home.nat(&BigUint::ZERO);
        assert_eq!(calls, in_steps(&m, &m.zero(), &zero, &m.one()));
        let other = Modulus::with_backend(home.nat(&BigUint::from(3_u8)), backend).expect("odd");
        let ones = exponent_home.nat(&(power_of_two(width) - 1_u8));
        let two = other.neg(&other.one());
        assert_eq!(calls, in_steps(&other, &two, &ones, &two));
        assert_eq!(calls[3], 1);
        assert!(calls[0] >= calls[1] && calls[1] >= calls[2] && calls[2] >= 1);
        // At least a window a call, which is at most five bits, and the table's rows before.
        assert!(calls[0] >= width.div_ceil(5) && calls[0] <= width + 32, "{calls:?}");

        // The other one of the pair has another width and storage.
        let p = Modulus::with_backend(Heap(192).nat(&0xffff_fffb_u32.into()), backend).expect("odd");
        let (b, five) = (p.residue(&home.nat(x)), Heap(64).nat(&5_u8.into()));
        let (first, second) = pow_pair(&m, &base, &exponent, &p, &b, &five);
        assert!(yes(first.ct_eq(&power) & second.ct_eq(&p.pow(&b, &five))));
        let (second, first) = pow_pair(&p, &b, &five, &m, &base, &exponent);
        assert!(yes(first.ct_eq(&power) & second.ct_eq(&p.pow(&b, &five))));
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn powers_of_any_width(
        (m, n, x, exponents, e) in (width(), 1..=12_usize).prop_flat_map(|(m, exponents)| {
            (Just(m), odd(m), number(m), Just(exponents), number(exponents))
        }),
    ) {
        homes!(m, powers(&n, &x, exponents, &e));
    }

    /// Short exponents at every length, and those with few ones, which go bit by bit when they are public.
    #[test]
    fn powers_by_short_exponents(
        (m, n, x) in width().prop_flat_map(|m| (Just(m), odd(m), number(m))),
        length in 0..=130_u32,
        low in 0..=3_u8,
    ) {
        let e: BigUint = (power_of_two(length) >> 1) + low;
        let exponents = (e.bits() as usize).div_ceil(Limb::BITS as usize).max(1);
        homes!(m, powers(&n, &x, exponents, &e));
    }
}

/// e = 65537, 3 and 2^32 + 15 at the usual sizes, as a signature is verified.
#[test]
fn public_exponents_of_keys() {
    for bits in [1024, 2048, 4096] {
        let n = power_of_two(bits) - 105_u8;
        let x = power_of_two(bits - 3) / 7_u8;
        for e in [3_u64, 65537, (1 << 32) + 15, u64::MAX] {
            let m = Modulus::new_vartime(Heap(bits).public(&n)).expect("odd");
            let power = m.pow_vartime(&m.residue(&Heap(bits).nat(&x)), &Heap(64).public(&e.into()));
            assert_eq!(big(&m.nat(&power)), x.modpow(&e.into(), &n), "{bits} {e}");
        }
    }
}
