//! Contexts of secret and public moduli, and the arithmetic of residues.
#![no_main]

use num_bigint::BigUint;
use tautochrone::subtle::ConstantTimeEq;
use tautochrone::{Backend, Modulus};
use tautochrone_fuzz::common::{Heap, Home, big, yes};
use tautochrone_fuzz::{Input, homes};

fn check<H: Home>(home: H, n: &BigUint, wide: u32, x: &BigUint, y: &BigUint, k: u32) {
    for backend in Backend::available() {
        let m = Modulus::with_backend(home.nat(n), backend);
        let v = Modulus::with_backend_vartime(home.public(n), backend);
        assert_eq!(m.as_ref().err(), v.as_ref().err());
        assert_eq!(m.is_ok(), n.bit(0) && n.bits() > 1);
        let (Ok(m), Ok(v)) = (m, v) else { return };
        assert!(u64::from(m.bits()) == n.bits() && yes(m.one().ct_eq(&v.one())));
        let (a, b) = (m.residue(&Heap(wide).nat(x)), m.residue(&Heap(wide).nat(y)));
        assert!(yes(a.ct_eq(&v.residue(&Heap(wide).nat(x)))));
        let (p, q) = (x % n, y % n);
        let half = if p.bit(0) { (&p + n) >> 1 } else { &p >> 1 };
        for (residue, value) in [
            (m.one(), BigUint::from(1_u8)),
            (a.clone(), p.clone()),
            (m.add(&a, &b), &p + &q),
            (m.sub(&a, &b), &p + n - &q),
            (m.mul(&a, &b), &p * &q),
            (m.square(&a), &p * &p),
            (m.neg(&a), n - &p),
            (m.double(&a), &p + &p),
            (m.halve(&a), half),
            (m.shl(&a, k), &p << k),
        ] {
            let value = value % n;
            assert_eq!(big(&m.nat(&residue)), value);
            assert!(yes(residue.ct_eq(&v.residue(&home.nat(&value)))));
        }
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let (bits, wide) = (input.bits(u32::MAX), input.bits(u32::MAX));
    let k = input.short() % (2 * bits + 200);
    // One in four as it is, so that even ones come too.
    let odd = u8::from(!input.byte().is_multiple_of(4));
    let n = input.number(bits) | BigUint::from(odd);
    let (x, y) = (input.number(wide), input.number(wide));
    homes!(bits, check(&n, wide, &x, &y, k));
});
