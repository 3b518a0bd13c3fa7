//! Sums, products, shifts and comparisons.
#![no_main]

use num_bigint::BigUint;
use tautochrone::subtle::{ConstantTimeEq, ConstantTimeLess};
use tautochrone_fuzz::common::{Home, big, power_of_two, yes};
use tautochrone_fuzz::{Input, homes};

fn check<H: Home>(home: H, x: &BigUint, y: &BigUint, k: u32) {
    let (a, b) = (home.nat(x), home.nat(y));
    let modulus = power_of_two(home.bits());
    assert_eq!(big(&a.mul_wide(&b)), x * y);
    assert_eq!(big(&b.mul_wide(&a)), x * y);
    assert_eq!(big(&a.square_wide()), x * x);
    let (sum, carry) = a.overflowing_add(&b);
    assert_eq!((big(&sum), yes(carry)), ((x + y) % &modulus, x + y >= modulus));
    let (difference, borrow) = a.overflowing_sub(&b);
    assert_eq!((big(&difference), yes(borrow)), ((x + &modulus - y) % &modulus, x < y));
    assert_eq!((yes(a.ct_eq(&b)), yes(a.ct_lt(&b))), (x == y, x < y));
    let shift = k.min(home.bits());
    assert_eq!(big(&a.shl(k)), (x << shift) % &modulus);
    assert_eq!(big(&a.shr(k)), x >> shift);
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let bits = input.bits(u32::MAX);
    let k = input.short() % (bits + 200);
    let (x, y) = (input.number(bits), input.number(bits));
    homes!(bits, check(&x, &y, k));
});
