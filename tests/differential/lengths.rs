//! A modulus may have any length in bits within its width: the numbers stay the same.

use crate::common::{Heap, Home, Stack, backends, big, power_of_two, yes};
use crate::draw::of_length;
use num_bigint::BigUint;
use tautochrone::subtle::ConstantTimeEq;
use tautochrone::{Limb, Modulus, limbs_for};

/// Something of every bit: what a generator would give, the same each time.
fn noise(bits: u32, seed: u64) -> BigUint {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u32
    };
    BigUint::new((0..bits.div_ceil(32)).map(|_| next()).collect()) % power_of_two(bits)
}

/// What is asked of one modulus in one home: the numbers and not their representation.
fn answers<H: Home>(home: H, n: &BigUint) -> Vec<BigUint> {
    let mut seen = Vec::new();
    for backend in backends() {
        let m = Modulus::with_backend(home.nat(n), backend).expect("odd");
        let v = Modulus::with_backend_vartime(home.public(n), backend).expect("odd");
        assert_eq!(u64::from(m.bits()), n.bits());
        assert!(yes(m.one().ct_eq(&v.one())));
        let (x, y) = (noise(n.bits() as u32 + 100, 1), noise(n.bits() as u32 + 100, 2));
        let wide = Heap(n.bits() as u32 + 100);
        let (a, b) = (m.residue(&wide.nat(&x)), v.residue(&wide.nat(&y)));
        let shifted = (home.nat(&(&x % n))).shl_mod(777, &home.nat(n));
        assert_eq!(big(&shifted), (&x << 777_u32) % n);
        let power = m.pow(&a, &Heap(64).nat(&0xdead_beef_0bad_cafe_u64.into()));
        let found = [
            big(&m.nat(&a)),
            big(&m.nat(&m.mul(&a, &b))),
            big(&m.nat(&m.square(&b))),
            big(&m.nat(&m.shl(&a, 777))),
            big(&m.nat(&m.halve(&a))),
            big(&m.nat(&power)),
            big(&shifted),
        ];
        assert_eq!(found[1], &x * &y % n, "{} bits in {}", n.bits(), home.bits());
        seen.push(found.to_vec());
    }
    assert!(seen.iter().all(|found| *found == seen[0]));
    seen.remove(0)
}

#[test]
fn short_moduli_in_long_homes() {
    for length in [2, 3, 8, 63, 64, 65, 127, 521, 575, 576] {
        let n = of_length(&noise(length, 3), length.into()) | BigUint::from(1_u8);
        let expected = answers(Heap(length), &n);
        for bits in [576, 577, 1024, 4096] {
            assert_eq!(answers(Heap(bits), &n), expected, "{length} in {bits}");
        }
        assert_eq!(answers(Stack::<{ limbs_for(576) }>, &n), expected, "{length}");
        assert_eq!(answers(Stack::<{ limbs_for(1024) }>, &n), expected, "{length}");
        assert_eq!(answers(Stack::<{ limbs_for(4096) }>, &n), expected, "{length}");
    }
}

/// p = 3, and 2^521 − 1, in 4096 bits.
#[test]
fn the_least_modulus_in_the_widest_home() {
    for n in [BigUint::from(3_u8), power_of_two(521) - 1_u8] {
        assert_eq!(answers(Heap(4096), &n), answers(Heap(n.bits() as u32), &n));
    }
}

/// Every length: the least, the largest and some odd number of it.
fn every_length<H: Home>(home: H) {
    for length in 2..=u64::from(home.bits()) {
        let top = BigUint::from(1_u8) << (length - 1);
        let some = of_length(&noise(length as u32, length), length);
        for n in [&top | BigUint::from(1_u8), (&top << 1_u8) - 1_u8, some | BigUint::from(1_u8)] {
            let m = Modulus::new(home.nat(&n)).expect("odd");
            let v = Modulus::new_vartime(home.public(&n)).expect("odd");
            let x = noise(home.bits(), length + 1);
            let a = m.residue(&home.nat(&x));
            assert!(yes(m.one().ct_eq(&v.one()) & a.ct_eq(&v.residue(&home.nat(&x)))), "{n:x}");
            assert_eq!(big(&m.nat(&m.one())), BigUint::from(1_u8), "{n:x}");
            assert_eq!(big(&m.nat(&m.square(&a))), &x * &x % &n, "{n:x}");
            let k = 2 * home.bits();
            let shifted = home.nat(&(&x % &n)).shl_mod(k, &home.nat(&n));
            assert_eq!(big(&shifted), (&x << k) % &n, "{n:x}");
            assert_eq!(big(&m.nat(&m.shl(&a, k))), (&x << k) % &n, "{n:x}");
        }
    }
}

#[test]
fn every_length_within_a_width() {
    for limbs in [1, 2, 3, 4, 5, 8] {
        every_length(Heap(limbs * Limb::BITS));
    }
    every_length(Heap(521));
    every_length(Heap(1024));
    every_length(Stack::<4>);
    every_length(Stack::<9>);
}
