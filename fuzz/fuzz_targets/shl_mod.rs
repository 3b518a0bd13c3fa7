//! The modular left shift in its three shapes, and operands that break its contract.
#![no_main]

use num_bigint::BigUint;
use tautochrone::shapes;
use tautochrone_fuzz::common::{Home, big};
use tautochrone_fuzz::{Input, homes};

fn check<H: Home>(home: H, x: &BigUint, k: u32, m: &BigUint) {
    let modulus = home.nat(m);
    // Not reduced, and m may be zero: some number of the width.
    assert_eq!(home.nat(x).shl_mod(k, &modulus).bits_precision(), home.bits());
    if *m == BigUint::ZERO {
        return;
    }
    let x = x % m;
    let (a, expected) = (home.nat(&x), (&x << k) % m);
    assert_eq!(big(&a.shl_mod(k, &modulus)), expected);
    if k <= 300 {
        assert_eq!(big(&shapes::shl_mod_doubling(&a, k, &modulus)), expected);
        assert_eq!(big(&shapes::shl_mod_lshift1(&a, k, &modulus)), expected);
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let bits = input.bits(u32::MAX);
    let k = input.short() % (3 * bits + 200);
    let (m, x) = (input.number(bits), input.number(bits));
    homes!(bits, check(&x, k, &m));
});
