//! How often memory is asked for: once an operation, whatever its loops do.

use crate::common::{Heap, Home, power_of_two};
use crate::watch::allocations;
use tautochrone::{BoxedUint, Budget, Modulus, Nat, Storage, U512, pow_pair, shapes};

fn context(bits: u32) -> Modulus<Box<[tautochrone::Limb]>> {
    Modulus::new(Heap(bits).nat(&(power_of_two(bits) - 105_u8))).unwrap()
}

fn ones(bits: u32) -> BoxedUint {
    Heap(bits).nat(&(power_of_two(bits) - 1_u8))
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| ()), 0);
    assert_eq!(allocations(|| vec![1_u8]), 1);
    assert_eq!(allocations(|| (0..5).map(Box::new).collect::<Vec<_>>()), 6);
    assert_eq!(allocations(|| ones(512).clone()), allocations(|| ones(512)) + 1);
}

#[test]
fn a_longer_loop_asks_for_no_more() {
    let m = context(512);
    let base = m.residue(&ones(512));
    let powers = |bits| allocations(|| m.pow(&base, &ones(bits))) - allocations(|| ones(bits));
    assert_eq!(powers(512), powers(1024));
    assert_eq!(powers(512), powers(4096));
    assert!(powers(512) < 20, "{}", powers(512));
    let pairs = |bits| {
        let e = ones(bits);
        allocations(|| pow_pair(&m, &base, &e, &m, &base, &e))
    };
    assert_eq!(pairs(512), pairs(1024));

    // Bits of the exponent, steps of the shift, limbs of the dividend, limbs of the modulus.
    let e = |bits| Heap(bits).public(&(power_of_two(bits) - 1_u8));
    let public = |bits| {
        let e = e(bits);
        allocations(|| m.pow_vartime(&base, &e))
    };
    assert_eq!(public(512), public(1024));
    let (x, n) = (ones(512).shr(1), ones(512));
    for shift in [Nat::shl_mod, |x: &BoxedUint, k, n: &BoxedUint| shapes::shl_mod_doubling(x, k, n)] {
        assert_eq!(allocations(|| shift(&x, 100, &n)), allocations(|| shift(&x, 5000, &n)));
    }
    let lshift1 = |k| allocations(|| shapes::shl_mod_lshift1(&x, k, &n));
    assert_eq!(lshift1(100), lshift1(5000));
    let division = |bits| {
        let (u, d) = (ones(bits), ones(256));
        allocations(|| u.div_rem(&d))
    };
    assert_eq!(division(512), division(8192));
    let residues = |bits| {
        let x = ones(bits);
        allocations(|| m.residue(&x))
    };
    assert_eq!(residues(512), residues(8192));
    let contexts = |bits| {
        let n = Heap(bits).nat(&(power_of_two(bits) - 105_u8));
        allocations(|| Modulus::new(n).unwrap())
    };
    assert_eq!(contexts(512), contexts(4096));
}

/// What is asked for while an exponentiation runs: its result, in the last call.
#[test]
fn advancing_asks_for_the_result_alone() {
    let m = context(1024);
    let mut steps = m.pow_steps(&m.residue(&ones(1024)), &ones(512));
    let mut calls = 0;
    loop {
        let mut power = None;
        let asked = allocations(|| power = m.advance(&mut steps, Budget::multiplications(7)));
        assert_eq!(asked, usize::from(power.is_some()), "call {calls}");
        calls += 1;
        if power.is_some() {
            break;
        }
    }
    assert!(calls > 50, "{calls}");
}

/// In place, nothing but the product's room.
#[test]
fn arithmetic_in_place() {
    let m = context(1024);
    let (mut a, b) = (m.residue(&ones(1024)), m.one());
    assert_eq!(allocations(|| m.add_assign(&mut a, &b)), 0);
    assert_eq!(allocations(|| m.sub_assign(&mut a, &b)), 0);
    assert_eq!(allocations(|| m.double_assign(&mut a)), 0);
    assert_eq!(allocations(|| m.halve_assign(&mut a)), 0);
    assert!(allocations(|| m.mul_assign(&mut a, &b)) <= 1);
    assert!(allocations(|| m.square_assign(&mut a)) <= 1);
}

/// On the stack no allocator is needed, for anything.
#[test]
fn numbers_on_the_stack_ask_for_nothing() {
    fn everything<S: Storage>(n: &Nat<S>, x: &Nat<S>) {
        let m = Modulus::new(n.clone()).unwrap();
        let a = m.residue(x);
        let mut steps = m.pow_steps(&a, x);
        while m.advance(&mut steps, Budget::multiplications(3)).is_none() {}
        drop((m.mul(&a, &m.one()), m.pow(&a, x), m.shl(&a, 1000), m.nat(&a), m.residue(&x.square_wide())));
        drop((x.mul_wide(n), x.shl_mod(5000, n), x.add_mod(x, n), x.shl(9), x.div_rem(n), n.rem(x)));
        let mut bytes = [0; 64];
        x.write_be_bytes(&mut bytes).unwrap();
    }
    let (n, x) = (U512::MAX, U512::MAX.shr(3));
    assert_eq!(allocations(|| everything(&n, &x)), 0);
    let public = tautochrone::Public::<U512>::from_le_bytes(&[0xff; 64]).unwrap();
    assert_eq!(allocations(|| Modulus::new_vartime(public.clone()).unwrap()), 0);
    assert_eq!(allocations(|| public.div_rem_vartime(&public)), 0);
}
