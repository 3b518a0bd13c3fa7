//! The backend that is asked for is the one that computes, and all of them compute the same.

mod common;

use common::{Heap, Home, Stack, backends, big, option, power_of_two, yes};
use num_bigint::BigUint;
use tautochrone::subtle::ConstantTimeEq;
use tautochrone::{Backend, BoxedUint, Budget, Limb, Modulus, pow_pair};

/// Odd numbers of this length whose products carry: next to its ends, and with long runs of ones and zeros.
fn moduli(bits: u32) -> Vec<BigUint> {
    let (top, end) = (power_of_two(bits - 1), power_of_two(bits));
    let runs = &top + power_of_two(bits / 2) - power_of_two(bits / 4) + 1_u8;
    vec![&end - 1_u8, &end - 105_u8, &top + 1_u8, &top + 111_u8, &end - power_of_two(bits / 2) + 1_u8, runs]
}

/// Numbers below n, its ends among them.
fn numbers(n: &BigUint) -> Vec<BigUint> {
    let one = BigUint::from(1_u8);
    vec![BigUint::ZERO, one.clone(), n - 1_u8, n - 2_u8, n >> 1, (n >> 3) * 5_u8 + &one]
}

#[test]
fn a_backend_is_taken_where_it_serves_the_length() {
    for backend in backends() {
        for bits in [2, 63, 64, 65, 511, 512, 513, 521, 1024, 4096, 8191, 8192, 8193, 9000] {
            let n = power_of_two(bits) - 1_u8;
            let serves = backend.name() != "ifma" || (512..=8192).contains(&bits);
            let expected = if serves { backend.name() } else { "adx" };
            for m in [
                Modulus::with_backend(Heap(bits).nat(&n), backend).unwrap(),
                Modulus::with_backend_vartime(Heap(bits).public(&n), backend).unwrap(),
                // A width beyond the length changes nothing.
                Modulus::with_backend(Heap(bits + 700).nat(&n), backend).unwrap(),
            ] {
                assert_eq!(m.backend().name(), expected, "{bits}");
            }
        }
    }
    let first = Backend::available().next().unwrap();
    assert_eq!(Modulus::new(Heap(2048).nat(&moduli(2048)[1])).unwrap().backend(), first);
}

#[test]
fn names_are_those_of_the_environment() {
    assert_eq!(common::missing_backends("portable, none", &backends()), ["none"]);
}

/// Primes of unequal and odd sizes in one pair are where CVE-2022-2274 was.
#[test]
fn pairs_of_any_lengths() {
    let lengths = [
        (512, 512),
        (513, 521),
        (521, 400),
        (768, 767),
        (1000, 1024),
        (1024, 1024),
        (1024, 769),
        (1023, 512),
        (1536, 1537),
        (2048, 2048),
        (2049, 1700),
        (2500, 2499),
        (3118, 3116),
        (3119, 3119),
    ];
    for backend in backends() {
        for (i, (bits1, bits2)) in lengths.into_iter().enumerate() {
            let (ns1, ns2) = (moduli(bits1), moduli(bits2));
            for k in 0..ns1.len() {
                let (n1, n2) = (&ns1[k], &ns2[(k + i) % ns2.len()]);
                let m1 = Modulus::with_backend(Heap(bits1).nat(n1), backend).unwrap();
                let m2 = Modulus::with_backend(Heap(bits2).nat(n2), backend).unwrap();
                let (x1, x2) = (&numbers(n1)[k], &numbers(n2)[(k + 3) % 6]);
                // Exponents of different widths, so that one is read beyond its end.
                let e1 = power_of_two(127) - power_of_two(60) + 3_u8;
                let e2 = BigUint::from(u64::MAX - 12);
                let (z1, z2) = pow_pair(
                    &m1,
                    &m1.residue(&Heap(bits1).nat(x1)),
                    &Heap(128).nat(&e1),
                    &m2,
                    &m2.residue(&Heap(bits2).nat(x2)),
                    &Heap(64).nat(&e2),
                );
                assert_eq!(big(&m1.nat(&z1)), x1.modpow(&e1, n1), "{bits1} beside {bits2}, {n1:x}");
                assert_eq!(big(&m2.nat(&z2)), x2.modpow(&e2, n2), "{bits2} beside {bits1}, {n2:x}");
            }
        }
    }
}

/// Every kind of exponentiation at the lengths where the vectors' rows change, on the heap.
#[test]
fn powers_at_the_lengths_of_rows() {
    let lengths = (1..=20_u32).map(|rows| 8 * rows * 52).flat_map(|end| [end - 3, end - 2, end - 1, end - 54]);
    let lengths = lengths.chain([512, 521, 1024, 1536, 2048, 3072, 4096, 8192]).filter(|bits| *bits >= 512);
    for (i, bits) in lengths.enumerate() {
        let n = &moduli(bits)[i % 6];
        let x = &numbers(n)[(i / 2) % 6];
        let e = power_of_two(70) - 9_u8;
        for backend in backends() {
            let m = Modulus::with_backend(Heap(bits).nat(n), backend).unwrap();
            let base = m.residue(&Heap(bits).nat(x));
            let exponent = Heap(71).nat(&e);
            assert_eq!(big(&m.nat(&m.pow(&base, &exponent))), x.modpow(&e, n), "{bits}, {n:x}");
            let few = BigUint::from(65537_u32);
            let power = m.pow_vartime(&base, &Heap(17).public(&few));
            assert_eq!(big(&m.nat(&power)), x.modpow(&few, n), "{bits}, {n:x}");
        }
    }
}

/// On the stack the state is an array with room for any form: the shortest modulus of each width needs most of it.
#[test]
fn powers_on_the_stack() {
    fn at<const N: usize>() {
        let bits = N as u32 * Limb::BITS;
        for bits in [bits, bits - 1, (bits - Limb::BITS + 1).max(2), 2, 512.min(bits)] {
            let n = &(power_of_two(bits) - 1_u8);
            let x = &numbers(n)[5] % n;
            // Long enough for windows of six bits.
            let e = power_of_two(4100) - power_of_two(77) - 1_u8;
            for backend in backends() {
                let m = Modulus::with_backend(Stack::<N>.nat(n), backend).unwrap();
                let base = m.residue(&Stack::<N>.nat(&x));
                let exponent = Heap(4100).nat(&e);
                let power = m.pow(&base, &exponent);
                assert_eq!(big(&m.nat(&power)), x.modpow(&e, n), "{N} limbs, {bits} bits");
                // A public exponent with few ones has a smaller state of its own.
                let few = BigUint::from(65537_u32);
                let raised = m.pow_vartime(&base, &Heap(17).public(&few));
                assert_eq!(big(&m.nat(&raised)), x.modpow(&few, n), "{N} limbs, {bits} bits");
                let (first, second) = pow_pair(&m, &base, &exponent, &m, &m.one(), &exponent);
                assert!(yes(first.ct_eq(&power) & second.ct_eq(&m.one())));
            }
        }
    }
    at::<1>();
    at::<8>();
    at::<9>();
    at::<13>();
    at::<16>();
    at::<33>();
    at::<64>();
}

/// An exponentiation may be moved between two steps, and its state has no address in it.
#[test]
fn steps_are_moved() {
    for backend in backends() {
        let n = &moduli(1024)[1];
        let m = Modulus::with_backend(Stack::<{ tautochrone::limbs_for(1024) }>.nat(n), backend).unwrap();
        let (base, e) = (m.residue(&BoxedUint::from_u64(3, 64)), BoxedUint::from_u64(u64::MAX, 64));
        // Two places, one used after the other.
        let mut places = [Some(m.pow_steps(&base, &e)), None];
        let power = loop {
            places.rotate_right(1);
            let here = places.iter_mut().flatten().next().unwrap();
            if let Some(power) = m.advance(here, Budget::multiplications(1)) {
                break power;
            }
        };
        assert_eq!(big(&m.nat(&power)), BigUint::from(3_u8).modpow(&u64::MAX.into(), n));
    }
}

/// Division and shifts without a modulus at widths where they leave portable code.
#[test]
fn numbers_without_a_modulus() {
    for limbs in [1, 15, 16, 17, 24, 33, 40, 64, 70] {
        let bits = limbs * Limb::BITS;
        for n in moduli(bits) {
            for x in numbers(&n) {
                let (m, a) = (Heap(bits).nat(&n), Heap(bits).nat(&x));
                for k in [1, 7, 64, 1000, 2 * bits + 5] {
                    assert_eq!(big(&a.shl_mod(k, &m)), (&x << k) % &n, "{bits} {k}");
                }
                let product = a.square_wide();
                assert_eq!(big(&product), &x * &x);
                assert_eq!(big(&a.mul_wide(&m)), &x * &n);
                let (q, r) = option(product.div_rem(&m)).unwrap();
                assert_eq!((big(&q), big(&r)), (&x * &x / &n, &x * &x % &n));
                let wide = Heap(2 * bits).public(&(&x * &x));
                let (q, r) = wide.div_rem_vartime(&Heap(bits).public(&n)).unwrap();
                assert_eq!((big(&q), big(&r)), (&x * &x / &n, &x * &x % &n));
            }
        }
    }
}
