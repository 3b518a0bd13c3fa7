//! Sums, products, shifts, comparison, selection.

use crate::common::{Home, big, power_of_two, yes};
use crate::draw::{amount, cases, homes, number, width};
use num_bigint::BigUint;
use proptest::prelude::*;
use tautochrone::Nat;
use tautochrone::subtle::{Choice, ConstantTimeEq, ConstantTimeGreater, ConstantTimeLess};

fn sums_and_products<H: Home>(home: H, x: &BigUint, y: &BigUint) {
    let (a, b) = (home.nat(x), home.nat(y));
    let modulus = power_of_two(home.bits());
    let (sum, difference) = ((x + y) % &modulus, (x + &modulus - y) % &modulus);

    let (z, carry) = a.overflowing_add(&b);
    assert_eq!((big(&z), yes(carry)), (sum.clone(), x + y >= modulus));
    let (z, borrow) = a.overflowing_sub(&b);
    assert_eq!((big(&z), yes(borrow)), (difference.clone(), x < y));
    assert_eq!(big(&a.wrapping_add(&b)), sum);
    assert_eq!(big(&a.wrapping_sub(&b)), difference);
    let mut z = a.clone();
    assert_eq!(yes(z.overflowing_add_assign(&b)), x + y >= modulus);
    assert_eq!(big(&z), sum);
    z.wrapping_sub_assign(&b);
    assert_eq!(big(&z), *x);
    assert_eq!(yes(z.overflowing_sub_assign(&b)), x < y);
    assert_eq!(big(&z), difference);
    z.wrapping_add_assign(&b);
    assert_eq!(big(&z), *x);

    assert_eq!(big(&a.mul_wide(&b)), x * y);
    assert_eq!(big(&a.square_wide()), x * x);
    assert_eq!(a.mul_wide(&b).bits_precision(), 2 * home.bits());
}

fn shifts<H: Home>(home: H, x: &BigUint, k: u32) {
    let a = home.nat(x);
    let left = if k < home.bits() { (x << k) % power_of_two(home.bits()) } else { BigUint::ZERO };
    let right = if k < home.bits() { x >> k } else { BigUint::ZERO };
    assert_eq!((big(&a.shl(k)), big(&a.shr(k))), (left.clone(), right.clone()));
    let (mut y, mut z) = (a.clone(), a);
    y.shl_assign(k);
    z.shr_assign(k);
    assert_eq!((big(&y), big(&z)), (left, right));
}

fn comparison<H: Home>(home: H, x: &BigUint, y: &BigUint) {
    let (a, b) = (home.nat(x), home.nat(y));
    assert_eq!((yes(a.ct_eq(&b)), yes(a.ct_lt(&b)), yes(a.ct_gt(&b))), (x == y, x < y, x > y));
    assert_eq!((yes(a.is_zero()), yes(a.is_odd())), (*x == BigUint::ZERO, x.bit(0)));
    for (choice, first, second) in [(0, x, y), (1, y, x)] {
        let choice = Choice::from(choice);
        assert_eq!(big(&Nat::select(&a, &b, choice)), *first);
        let mut z = a.clone();
        z.conditional_assign(&b, choice);
        assert_eq!(big(&z), *first);
        let (mut c, mut d) = (a.clone(), b.clone());
        Nat::conditional_swap(&mut c, &mut d, choice);
        assert_eq!((&big(&c), &big(&d)), (first, second));
    }
    let (p, q) = (home.public(x), home.public(y));
    assert_eq!((p.cmp(&q), p == q, u64::from(p.bits())), (x.cmp(y), x == y, x.bits()));
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn sums_and_products_of_any_width((n, x, y) in width().prop_flat_map(|n| (Just(n), number(n), number(n)))) {
        homes!(n, sums_and_products(&x, &y));
        homes!(n, sums_and_products(&x, &x));
    }

    #[test]
    fn shifts_of_any_width((n, x, k) in width().prop_flat_map(|n| (Just(n), number(n), amount(n)))) {
        homes!(n, shifts(&x, k));
        homes!(n, shifts(&x, u32::MAX - k));
    }

    /// Equal ones too, and such as differ in one bit.
    #[test]
    fn comparison_of_any_width(
        (n, x, y) in width().prop_flat_map(|n| (Just(n), number(n), number(n))),
        place in any::<u64>(),
    ) {
        let bit = place % (n as u64 * u64::from(tautochrone::Limb::BITS));
        let mut near = x.clone();
        near.set_bit(bit, !x.bit(bit));
        homes!(n, comparison(&x, &y));
        homes!(n, comparison(&x, &x));
        homes!(n, comparison(&x, &near));
    }
}
