//! Exponentiation at once, in steps and by a public exponent.
#![no_main]

use num_bigint::BigUint;
use tautochrone::subtle::ConstantTimeEq;
use tautochrone::{Backend, Budget, Modulus, pow_pair};
use tautochrone_fuzz::common::{Heap, Home, big, yes};
use tautochrone_fuzz::{Input, homes};

fn check<H: Home>(home: H, n: &BigUint, x: &BigUint, width: u32, e: &BigUint, budget: u32) {
    for backend in Backend::available() {
        let m = Modulus::with_backend(home.nat(n), backend).expect("odd");
        let (base, exponent) = (m.residue(&home.nat(x)), Heap(width).nat(e));
        let power = m.pow(&base, &exponent);
        assert_eq!(big(&m.nat(&power)), x.modpow(e, n));
        let public = m.pow_vartime(&base, &Heap(width).public(e));
        let bounded = m.pow_bounded(&base, &exponent, e.bits() as u32);
        let mut steps = m.pow_steps(&base, &exponent);
        let stepped = loop {
            if let Some(power) = m.advance(&mut steps, Budget::multiplications(budget)) {
                break power;
            }
        };
        let (first, second) = pow_pair(&m, &base, &exponent, &m, &m.one(), &exponent);
        let same = [&public, &bounded, &stepped, &first].map(|other| yes(other.ct_eq(&power)));
        assert_eq!(same, [true; 4]);
        assert!(yes(second.ct_eq(&m.one())));
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let (bits, width) = (input.bits(700), input.bits(130));
    let budget = input.byte();
    let n = input.number(bits) | BigUint::from(if bits == 1 { 3_u8 } else { 1 });
    // 1 is no modulus.
    let n = if n.bits() < 2 { n + 2_u8 } else { n };
    let (x, e) = (input.number(bits), input.number(width));
    homes!(bits.max(2), check(&n, &x, width, &e, budget.into()));
});
