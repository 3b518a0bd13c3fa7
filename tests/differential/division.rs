//! Division of secrets and of public numbers, at uneven widths.

use crate::common::{Heap, Home, big, option, power_of_two};
use crate::draw::{cases, divisor, homes, number, width};
use num_bigint::BigUint;
use proptest::prelude::*;
use tautochrone::subtle::Choice;
use tautochrone::{BoxedUint, Limb, Nat};

/// u of any width over d in `home`.
fn divide<H: Home>(home: H, n: usize, u: &BigUint, d: &BigUint) {
    let wide = Heap(n as u32 * Limb::BITS);
    let (dividend, divisor) = (wide.nat(u), home.nat(d));
    let expected = (u / d, u % d);
    let told = |(q, r): (BoxedUint, Nat<H::S>)| {
        assert_eq!((q.bits_precision(), r.bits_precision()), (wide.bits(), home.bits()));
        assert_eq!((big(&q), big(&r)), expected, "{u:x} / {d:x}");
    };
    let length = u32::try_from(d.bits()).expect("short");
    told(option(dividend.div_rem(&divisor)).expect("d > 0"));
    // The bound may be anything up to the true length, 0 too.
    for bound in [0, 1, length / 2, length.saturating_sub(1), length] {
        told(option(dividend.div_rem_bounded(&divisor, bound)).expect("d > 0"));
    }
    let default = (dividend.clone(), divisor.clone());
    let (parts, some) = dividend.div_rem_or(&divisor, default);
    assert!(bool::from(some));
    told(parts);
    assert_eq!(big(&option(dividend.rem(&divisor)).expect("d > 0")), expected.1);
    let (rest, some) = dividend.rem_or(&divisor, divisor.clone());
    assert_eq!((big(&rest), bool::from(some)), (expected.1.clone(), true));

    let (q, r) = wide.public(u).div_rem_vartime(&home.public(d)).expect("d > 0");
    assert_eq!((q.bits_precision(), r.bits_precision()), (wide.bits(), home.bits()));
    assert_eq!((big(&q), big(&r)), expected, "{u:x} / {d:x}, public");
}

/// The same in one width on one storage.
fn divide_evenly<H: Home>(home: H, u: &BigUint, d: &BigUint) {
    let (q, r) = option(home.nat(u).div_rem(&home.nat(d))).expect("d > 0");
    assert_eq!((big(&q), big(&r)), (u / d, u % d), "{u:x} / {d:x}");
    let (q, r) = home.public(u).div_rem_vartime(&home.public(d)).expect("d > 0");
    assert_eq!((big(&q), big(&r)), (u / d, u % d), "{u:x} / {d:x}, public");
}

fn divide_by_zero<H: Home>(home: H, u: &BigUint) {
    let (dividend, zero) = (home.nat(u), home.nat(&BigUint::ZERO));
    for bound in [0, 1, home.bits(), u32::MAX] {
        assert!(option(dividend.div_rem_bounded(&zero, bound)).is_none());
    }
    assert!(option(dividend.div_rem(&zero)).is_none());
    assert!(option(dividend.rem(&zero)).is_none());
    let default = || home.nat(&BigUint::from(7_u8));
    let ((q, r), some) = dividend.div_rem_or(&zero, (default(), default()));
    assert_eq!((big(&q), big(&r), bool::from(some)), (7_u8.into(), 7_u8.into(), false));
    let (r, some): (_, Choice) = dividend.rem_or(&zero, default());
    assert_eq!((big(&r), bool::from(some)), (7_u8.into(), false));
    assert!(home.public(u).div_rem_vartime(&home.public(&BigUint::ZERO)).is_none());
}

/// A bound that is not one: some numbers of the right widths, and no panic.
fn false_bound<H: Home>(home: H, u: &BigUint, d: &BigUint) {
    for bound in [home.bits() - 1, home.bits(), home.bits() + 1, u32::MAX] {
        let parts = option(home.nat(u).div_rem_bounded(&home.nat(d), bound)).expect("d > 0");
        assert_eq!((parts.0.bits_precision(), parts.1.bits_precision()), (home.bits(), home.bits()));
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn anything_over_anything(
        (n, m, u, d) in (width(), width()).prop_flat_map(|(n, m)| (Just(n), Just(m), number(n), divisor(m))),
    ) {
        homes!(m, divide(n, &u, &d));
    }

    #[test]
    fn anything_over_its_width((n, u, d) in width().prop_flat_map(|n| (Just(n), number(n), divisor(n)))) {
        homes!(n, divide_evenly(&u, &d));
        homes!(n, divide_by_zero(&u));
        homes!(n, false_bound(&u, &d));
    }

    /// u = q·d + r with r at the ends, and with d's own top limbs in u: where estimates are too large.
    #[test]
    fn products_and_their_neighbours(
        (n, m, q, d) in (width(), width()).prop_flat_map(|(n, m)| (Just(n), Just(m), number(n), divisor(m))),
    ) {
        let product = &q * &d;
        let top = &d << (n as u32 * Limb::BITS);
        for u in [&product + &d - 1_u8, product.clone(), product.max(1_u8.into()) - 1_u8, &top - 1_u8, top] {
            homes!(m, divide(n + m, &u, &d));
        }
    }
}

/// d = 2^4159 + 1, q = 2^4096 − 1, r = d − 1: the add-back that one in 2^62 random ones meets.
#[test]
fn an_addback_that_random_numbers_miss() {
    for (high, low) in [(4159, 4096), (2111, 2048), (129, 64), (577, 521), (17, 8)] {
        let d = power_of_two(high) + 1_u8;
        let q = power_of_two(low) - 1_u8;
        let u = &q * &d + &d - 1_u8;
        let n = (u.bits() as u32).div_ceil(Limb::BITS) as usize;
        divide(Heap(high + 1), n, &u, &d);
        divide(Heap(high + 1 + 3 * Limb::BITS), n + 2, &u, &d);
    }
}
