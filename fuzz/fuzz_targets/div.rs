//! Division of secrets and of public numbers, at two widths.
#![no_main]

use num_bigint::BigUint;
use tautochrone_fuzz::common::{Heap, Home, big, option};
use tautochrone_fuzz::{Input, homes};

fn check<H: Home>(home: H, wide: u32, u: &BigUint, d: &BigUint, bound: u32) {
    let (dividend, divisor) = (Heap(wide).nat(u), home.nat(d));
    let parts = option(dividend.div_rem(&divisor));
    // Whatever is claimed of the divisor's length: no panic.
    let bounded = option(dividend.div_rem_bounded(&divisor, bound));
    let rest = option(dividend.rem(&divisor));
    let public = Heap(wide).public(u).div_rem_vartime(&home.public(d));
    if *d == BigUint::ZERO {
        assert!(parts.is_none() && bounded.is_none() && rest.is_none() && public.is_none());
        return;
    }
    let expected = (u / d, u % d);
    let (q, r) = parts.expect("d > 0");
    assert_eq!((big(&q), big(&r)), expected);
    assert_eq!(big(&rest.expect("d > 0")), expected.1);
    let (q, r) = public.expect("d > 0");
    assert_eq!((big(&q), big(&r)), expected);
    let (q, r) = bounded.expect("d > 0");
    if u64::from(bound) <= d.bits() {
        assert_eq!((big(&q), big(&r)), expected);
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let (bits, wide) = (input.bits(u32::MAX), input.bits(u32::MAX));
    let bound = input.short();
    let (d, u) = (input.number(bits), input.number(wide));
    // As it is, or as a multiple of d with a small distance.
    let near = input.byte();
    let u = if near < 128 { u } else { (&u * &d + near).max(160_u8.into()) - 160_u8 };
    let wide = wide + if near < 128 { 0 } else { bits + 1 };
    homes!(bits, check(wide, &u, &d, bound));
});
