//! The contract at its edges: panics, errors, what is printed, what may cross threads, and bounded work.

mod common;

use common::{Heap, Home, Stack, backends, big, yes};
use num_bigint::BigUint;
use tautochrone::subtle::{Choice, ConstantTimeEq, ConstantTimeGreater, ConstantTimeLess};
use tautochrone::zeroize::{Zeroize, ZeroizeOnDrop};
use tautochrone::{
    Backend, BoxedUint, Budget, Error, Field, Limb, Modulus, Nat, PowSteps, Public, RandomError, Residue, U256, U512,
    Uint, ct, limbs_for, pow_pair, shapes,
};

/// The message with which `call` panics.
#[track_caller]
fn panic_of<T>(call: impl FnOnce() -> T) -> String {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).err().expect("it does not panic");
    let text = caught.downcast_ref::<String>().cloned();
    text.or_else(|| caught.downcast_ref::<&str>().map(|text| text.to_string())).expect("a message")
}

#[test]
fn operands_of_one_operation_have_one_width() {
    let (a, b) = (BoxedUint::from_u64(7, 256), BoxedUint::from_u64(9, 512));
    let m = Modulus::new(BoxedUint::from_u64(101, 256)).unwrap();
    let other = Modulus::new(BoxedUint::from_u64(101, 512)).unwrap();
    let (own, foreign) = (m.one(), other.one());
    let e = U256::from_u64(3);
    macro_rules! panics {
        ($($call:expr),* $(,)?) => {$(
            let told = panic_of(|| drop($call));
            assert!(told.contains("operands differ in width"), "{}: {told}", stringify!($call));
        )*};
    }
    panics!(
        a.overflowing_add(&b),
        a.overflowing_sub(&b),
        a.wrapping_add(&b),
        a.wrapping_sub(&b),
        a.mul_wide(&b),
        a.add_mod(&a, &b),
        a.add_mod(&b, &a),
        a.sub_mod(&a, &b),
        a.sub_mod(&b, &a),
        a.double_mod(&b),
        a.shl_mod(3, &b),
        a.shl_mod(300, &b),
        shapes::shl_mod_doubling(&a, 3, &b),
        shapes::shl_mod_lshift1(&a, 3, &b),
        Nat::select(&a, &b, Choice::from(0)),
        m.add(&own, &foreign),
        m.add(&foreign, &own),
        m.sub(&own, &foreign),
        m.mul(&own, &foreign),
        m.mul(&foreign, &own),
        m.square(&foreign),
        m.neg(&foreign),
        m.double(&foreign),
        m.halve(&foreign),
        m.shl(&foreign, 70),
        m.nat(&foreign),
        m.pow(&foreign, &e),
        m.pow_bounded(&foreign, &e, 2),
        m.pow_vartime(&foreign, &Public::<U256>::from_u64(3)),
        m.pow_steps(&foreign, &e),
        m.advance(&mut other.pow_steps(&foreign, &e), Budget::UNLIMITED),
        pow_pair(&m, &own, &e, &m, &foreign, &e),
        Residue::select(&own, &foreign, Choice::from(1)),
    );
    // Those that give a choice or change in place.
    for told in [
        panic_of(|| a.ct_eq(&b)),
        panic_of(|| a.ct_lt(&b)),
        panic_of(|| a.ct_gt(&b)),
        panic_of(|| own.ct_eq(&foreign)),
        panic_of(|| a.clone().overflowing_add_assign(&b)),
        panic_of(|| a.clone().wrapping_sub_assign(&b)),
        panic_of(|| a.clone().conditional_assign(&b, Choice::from(0))),
        panic_of(|| Nat::conditional_swap(&mut a.clone(), &mut b.clone(), Choice::from(0))),
        panic_of(|| m.mul_assign(&mut own.clone(), &foreign)),
        panic_of(|| m.shl_assign(&mut foreign.clone(), 1)),
    ] {
        assert!(told.contains("operands differ in width"), "{told}");
    }
    assert!(panic_of(|| b.zero_extend(256)).contains("narrower"));
}

/// Numbers of different roles may differ in width.
#[test]
fn roles_may_differ_in_width() {
    let m = Modulus::new(BoxedUint::from_u64(101, 256)).unwrap();
    let base = m.residue(&U512::from_u64(104));
    let power = m.pow(&base, &Uint::<1>::from_limbs([4]));
    assert!(yes(power.ct_eq(&m.residue(&BoxedUint::from_u64(81, 64)))));
    let (q, r) = U512::from_u64(100).div_rem(&BoxedUint::from_u64(7, 64)).expect("not zero");
    assert_eq!((big(&q), big(&r)), (14_u8.into(), 2_u8.into()));
    // Wider than the modulus, of which all bits count: 3^(2^300) = 3^(2^300 mod 100) modulo 101.
    let e = U512::ONE.shl(300);
    let short = BigUint::from(1_u8) << 300_u32;
    let expected = BigUint::from(3_u8).modpow(&short, &101_u8.into());
    assert_eq!(big(&m.nat(&m.pow(&base, &e))), expected);
}

#[test]
fn constants_do_not_take_bad_digits() {
    let long = "0".repeat(U256::BITS as usize / 4 + 1);
    for (digits, told) in [("", "no digits"), (&*long, "more digits"), ("12 3", "hex digits"), ("0x1", "hex digits")] {
        assert!(panic_of(|| U256::from_be_hex(digits)).contains(told), "{digits}");
    }
}

fn refused<H: Home>(home: H, n: u64, error: Error) {
    let n = BigUint::from(n);
    assert_eq!(Modulus::new(home.nat(&n)).err(), Some(error));
    assert_eq!(Modulus::new_vartime(home.public(&n)).err(), Some(error));
    for backend in backends() {
        assert_eq!(Modulus::with_backend(home.nat(&n), backend).err(), Some(error));
        assert_eq!(Modulus::with_backend_vartime(home.public(&n), backend).err(), Some(error));
    }
}

#[test]
fn what_comes_from_outside_gives_errors() {
    for (n, error) in [
        (0, Error::TooSmall(Field::Modulus)),
        (1, Error::TooSmall(Field::Modulus)),
        (2, Error::Even(Field::Modulus)),
        (200, Error::Even(Field::Modulus)),
    ] {
        refused(Heap(8), n, error);
        refused(Heap(2048), n, error);
        refused(Stack::<4>, n, error);
    }
    let (invalid, long) = (Error::InvalidDigit(Field::Number), Error::TooLong(Field::Number));
    let bytes = [1; 33];
    let digits = "1".repeat(65);
    let decimal = "9".repeat(80);
    assert_eq!(U256::from_be_bytes(&bytes).err(), Some(long));
    assert_eq!(U256::from_le_bytes(&bytes).err(), Some(long));
    assert_eq!(U256::from_hex(&digits).err(), Some(long));
    assert_eq!(BoxedUint::from_be_bytes(&bytes, 256).err(), Some(long));
    assert_eq!(BoxedUint::from_le_bytes(&bytes, 256).err(), Some(long));
    assert_eq!(BoxedUint::from_hex(&digits, 256).err(), Some(long));
    assert_eq!(Public::<U256>::from_be_bytes(&bytes).err(), Some(long));
    assert_eq!(Public::<U256>::from_hex(&digits).err(), Some(long));
    assert_eq!(decimal.parse::<Public<U256>>().err(), Some(long));
    assert_eq!(U256::try_from(&BoxedUint::from_hex(&digits, 300).unwrap()).err(), Some(long));
    assert_eq!(u64::try_from(&Public::<U256>::from_hex("10000000000000000").unwrap()), Err(long));
    assert_eq!(U256::MAX.write_be_bytes(&mut [0; 31]), Err(long));
    assert_eq!(U256::MAX.write_le_bytes(&mut [0; 31]), Err(long));
    for bad in ["", "0x1", " 1", "1 ", "-1", "+1", "g", "1_0", "１"] {
        assert_eq!(U256::from_hex(bad).err(), Some(invalid), "{bad:?}");
        assert_eq!(BoxedUint::from_hex(bad, 256).err(), Some(invalid), "{bad:?}");
        assert_eq!(Public::<BoxedUint>::from_hex(bad, 256).err(), Some(invalid), "{bad:?}");
        assert_eq!(bad.parse::<Public<U256>>().err(), Some(invalid), "{bad:?}");
    }
}

#[test]
fn errors_are_errors_and_name_the_field() {
    fn is_error<E: std::error::Error + Copy + Eq + Send + Sync + 'static>(error: E) -> String {
        error.to_string()
    }
    assert_eq!(is_error(Error::Even(Field::Modulus)), "modulus is even");
    assert_eq!(is_error(Error::TooLong(Field::Number)), "number does not fit into its width");
    let bound = RandomError::<std::fmt::Error>::Bound(Error::TooSmall(Field::Bound));
    assert_eq!(is_error(bound), "bound is too small");
}

/// Neither a value nor a length of a secret is printed, whatever flags are asked for.
#[test]
fn debug_shows_no_value() {
    const SECRET: &str = "c0ffee0ddba11decafbadfee1deadf00ddeadbeefcafebabe8badf00d0defacedf";
    let x = U512::from_hex(SECRET).unwrap();
    let m = Modulus::new(x.clone()).unwrap();
    let residue = m.residue(&x);
    let steps = m.pow_steps(&m.one(), &x);
    let boxed = BoxedUint::from(&x);
    let printed = [
        (format!("{x:?} {x:#?}"), "Nat(512 bits) Nat(512 bits)"),
        (format!("{boxed:?}"), "Nat(512 bits)"),
        (format!("{:?}", x.square_wide()), "Nat(1024 bits)"),
        (format!("{residue:?} {residue:#?}"), "Residue(512 bits) Residue(512 bits)"),
        (format!("{m:?}"), &format!("Modulus(264 of 512 bits, {})", m.backend().name())),
        (format!("{steps:?}"), "PowSteps(512 bits, exponent of 512 bits)"),
    ];
    for (text, expected) in printed {
        assert_eq!(text, expected);
    }
    // A public one shows its value.
    assert_eq!(format!("{:?}", Public::<U256>::from_u64(0xc0ffee)), "Public(0xc0ffee, 256 bits)");
}

#[test]
fn everything_crosses_threads_and_is_wiped() {
    fn crosses<T: Send + Sync + Unpin + 'static>() {}
    fn is_wiped<T: ZeroizeOnDrop>() {}
    fn wipes<T: Zeroize>() {}
    type Boxed = Box<[Limb]>;
    type Array = [Limb; 4];
    crosses::<(Nat<Array>, Nat<Boxed>, Nat<[Array; 2]>, Public<Nat<Array>>, Public<Nat<Boxed>>)>();
    crosses::<(Modulus<Array>, Modulus<Boxed>, Residue<Array>, Residue<Boxed>)>();
    crosses::<(PowSteps<Array, Boxed>, PowSteps<Boxed, Array>, PowSteps<Boxed, [Array; 2]>)>();
    crosses::<(Budget, Backend, Error, Field, RandomError<Error>)>();
    is_wiped::<Nat<Array>>();
    is_wiped::<Nat<Boxed>>();
    is_wiped::<Modulus<Array>>();
    is_wiped::<Modulus<Boxed>>();
    is_wiped::<Residue<Boxed>>();
    is_wiped::<PowSteps<Boxed, Array>>();
    wipes::<Nat<Boxed>>();
    wipes::<Residue<Array>>();
    let mut x = U256::MAX;
    x.zeroize();
    assert!(yes(x.is_zero()));

    // One context serves all threads, without a lock.
    let m = Modulus::new(BoxedUint::from_u64(1_000_003, 256)).unwrap();
    let e = BoxedUint::from_u64(1_000_002, 64);
    std::thread::scope(|scope| {
        for base in 2..6 {
            let (m, e) = (&m, &e);
            scope.spawn(move || {
                let power = m.pow(&m.residue(&BoxedUint::from_u64(base, 64)), e);
                assert!(yes(power.ct_eq(&m.one())));
            });
        }
    });
    // An exponentiation can move from one to another between two calls.
    let mut steps = m.pow_steps(&m.residue(&BoxedUint::from_u64(2, 64)), &e);
    assert!(m.advance(&mut steps, Budget::multiplications(20)).is_none());
    let power = std::thread::scope(|scope| scope.spawn(|| m.advance(&mut steps, Budget::UNLIMITED)).join().unwrap());
    assert!(yes(power.expect("it is done").ct_eq(&m.one())));
}

#[test]
fn a_public_value_goes_wherever_a_secret_is_asked_for() {
    let n = Public::<U256>::from_u64(101);
    fn secret(x: &U256) -> BigUint {
        big(x)
    }
    assert_eq!(secret(&n), 101_u8.into());
    let m = Modulus::new(n.clone().into_inner()).unwrap();
    let x = Public::<U256>::from_u64(7);
    assert_eq!(big(&m.nat(&m.pow(&m.residue(&x), &x))), BigUint::from(7_u8).modpow(&7_u8.into(), &101_u8.into()));
    assert_eq!(big(&x.wrapping_add(&n)), 108_u8.into());
    assert_eq!(big(&x.shl_mod(9, &n)), BigUint::from(7_u32 << 9) % 101_u8);
    // The way out is the door.
    let sum = ct::declassify(x.wrapping_add(&n), "made of public numbers");
    assert_eq!((sum.to_string(), sum.bits()), ("108".into(), 7));
    assert!(ct::declassify(Choice::from(1), "a constant"));
    let residue = ct::declassify(m.one(), "a constant");
    assert!(yes(m.mul(&residue, &residue).ct_eq(&m.one())));
}

/// The windows of a 64-bit exponent: how many multiplications one call may cost at most, by the calls it takes.
#[test]
fn a_budget_bounds_the_work_of_a_call() {
    let m = Modulus::new(U256::from_u64(1_000_003)).unwrap();
    let (base, e) = (m.residue(&U256::from_u64(5)), U256::from_u64(0xdead_beef));
    let expected = m.pow(&base, &e);
    let calls = |budget: u32| {
        let mut steps = m.pow_steps(&base, &e);
        let mut calls = 1;
        while m.advance(&mut steps, Budget::multiplications(budget)).is_none() {
            calls += 1;
        }
        let power = m.advance(&mut steps, Budget::multiplications(budget)).expect("it stays done");
        assert!(yes(power.ct_eq(&expected)));
        calls
    };
    // No budget, and one: a whole step a call all the same, so that it ends.
    let singles = calls(0);
    assert_eq!(calls(1), singles);
    // More budget, no more calls; in the end a single one.
    let counts: Vec<u32> = (0..400).map(calls).collect();
    assert!(counts.windows(2).all(|pair| pair[1] <= pair[0]), "{counts:?}");
    assert!(counts[100] > 1 && counts[100] < singles && counts[399] == 1, "{counts:?}");
    // 256 squarings and 52 windows, if they are of five bits: a call of 100 multiplications is a third of that.
    assert!(counts[100] >= 3, "{counts:?}");
    assert_eq!(calls(u32::MAX), 1);
    assert_ne!(Budget::UNLIMITED, Budget::multiplications(1));
}

#[test]
fn exponents_and_bases_at_the_edges() {
    fn check<H: Home>(home: H) {
        for backend in backends() {
            for n in [3_u64, 101, 253] {
                let m = Modulus::with_backend(home.nat(&n.into()), backend).unwrap();
                for base in [0, 1, 2, n - 1, n, n + 1] {
                    let b = m.residue(&Heap(64).nat(&base.into()));
                    for e in [0_u64, 1, 2, 31, 32, 33, 255] {
                        let expected = BigUint::from(base).modpow(&e.into(), &n.into());
                        for wide in [8, 64, 512] {
                            let exponent = Heap(wide).nat(&e.into());
                            assert_eq!(big(&m.nat(&m.pow(&b, &exponent))), expected, "{base}^{e} mod {n}");
                            let power = m.pow_vartime(&b, &Heap(wide).public(&e.into()));
                            assert_eq!(big(&m.nat(&power)), expected, "{base}^{e} mod {n}");
                            let mut steps = m.pow_steps(&b, &exponent);
                            let power = loop {
                                if let Some(power) = m.advance(&mut steps, Budget::multiplications(3)) {
                                    break power;
                                }
                            };
                            assert_eq!(big(&m.nat(&power)), expected, "{base}^{e} mod {n}");
                        }
                    }
                    // No bits of the exponent at all.
                    assert!(yes(m.pow_bounded(&b, &home.nat(&7_u8.into()), 0).ct_eq(&m.one())));
                }
            }
        }
    }
    check(Heap(8));
    check(Heap(521));
    check(Stack::<{ limbs_for(256) }>);
}

#[test]
fn shifts_at_the_limits_of_their_amount() {
    for x in [BoxedUint::from_u64(0xff, 64), BoxedUint::from_hex(&"f".repeat(64), 256).unwrap()] {
        for k in [x.bits_precision(), x.bits_precision() + 1, 1 << 31, u32::MAX] {
            assert!(yes(x.shl(k).is_zero() & x.shr(k).is_zero()), "{k}");
        }
        assert!(!yes(x.bit(u32::MAX)));
    }
    // 2^(2^32 − 1) modulo 7 by Fermat, and modulo 8, which is even: too many words where limbs are short.
    if Limb::BITS >= 32 {
        for (m, expected) in [(7_u8, 1_u8), (8, 0)] {
            let z = BoxedUint::from_u64(1, 8).shl_mod(u32::MAX, &BoxedUint::from_u64(m.into(), 8));
            assert_eq!(big(&z), expected.into(), "{m}");
        }
    }
}
