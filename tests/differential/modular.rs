//! Sums, doublings and the modular left shift, modulo odd and even numbers; and operands that break the contract.

use crate::common::{Home, big};
use crate::draw::{amount, cases, divisor, homes, number, width};
use num_bigint::BigUint;
use proptest::prelude::*;
use tautochrone::shapes;

fn sums<H: Home>(home: H, x: &BigUint, y: &BigUint, m: &BigUint) {
    let (a, b, modulus) = (home.nat(x), home.nat(y), home.nat(m));
    assert_eq!(big(&a.add_mod(&b, &modulus)), (x + y) % m);
    assert_eq!(big(&a.sub_mod(&b, &modulus)), (x + m - y) % m);
    assert_eq!(big(&a.double_mod(&modulus)), (x + x) % m);
}

fn shift<H: Home>(home: H, x: &BigUint, k: u32, m: &BigUint) {
    let (a, modulus) = (home.nat(x), home.nat(m));
    let expected = (x << k) % m;
    assert_eq!(big(&a.shl_mod(k, &modulus)), expected, "{k}");
    assert_eq!(big(&shapes::shl_mod_lshift1(&a, k, &modulus)), expected, "{k}");
    assert_eq!(big(&shapes::shl_mod_doubling(&a, k, &modulus)), expected, "{k}");
}

/// Operands not below m, and m of 0 or 1 or even: some number of the width, and never a panic. This runs with
/// overflow checks.
fn broken_contract<H: Home>(home: H, x: &BigUint, y: &BigUint, k: u32, m: &BigUint) {
    let (a, b, m) = (home.nat(x), home.nat(y), home.nat(m));
    for z in [a.add_mod(&b, &m), a.sub_mod(&b, &m), a.double_mod(&m), a.shl_mod(k, &m)] {
        assert_eq!(z.bits_precision(), home.bits());
    }
    for z in [shapes::shl_mod_lshift1(&a, k, &m), shapes::shl_mod_doubling(&a, k, &m)] {
        assert_eq!(z.bits_precision(), home.bits());
    }
}

/// Values around the edges of [0, m): 0, 1, m − 1, and what is near half of it.
fn below(x: &BigUint, m: &BigUint, edge: u8) -> BigUint {
    match edge {
        0 => BigUint::ZERO,
        1 => BigUint::from(1_u8) % m,
        2 => m - 1_u8,
        3 => m >> 1,
        4 => ((m >> 1) + 1_u8) % m,
        _ => x % m,
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn sums_modulo_anything(
        (n, x, y, m) in width().prop_flat_map(|n| (Just(n), number(n), number(n), divisor(n))),
        edges in (0..12_u8, 0..12_u8),
    ) {
        let (x, y) = (below(&x, &m, edges.0), below(&y, &m, edges.1));
        homes!(n, sums(&x, &y, &m));
    }

    #[test]
    fn shifts_modulo_anything(
        (n, x, k, m) in width().prop_flat_map(|n| (Just(n), number(n), amount(n), divisor(n))),
        edge in 0..12_u8,
    ) {
        homes!(n, shift(&below(&x, &m, edge), k, &m));
    }

    #[test]
    fn operands_that_break_the_contract(
        (n, x, y, k, m) in width().prop_flat_map(|n| (Just(n), number(n), number(n), amount(n), number(n))),
    ) {
        homes!(n, broken_contract(&x, &y, k, &m));
        for m in [0_u8, 1, 2] {
            homes!(n, broken_contract(&x, &y, k, &BigUint::from(m)));
        }
    }
}
