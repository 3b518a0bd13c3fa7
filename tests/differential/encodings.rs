//! Bytes, digits, and the way from one width and storage to another.

use crate::common::{Heap, Home, Stack, big, option, power_of_two};
use crate::draw::{cases, homes, number, width};
use num_bigint::BigUint;
use proptest::prelude::*;
use tautochrone::{BoxedUint, Error, Field, Limb, Nat, Public, Storage, Uint};

const TOO_LONG: Error = Error::TooLong(Field::Number);

/// One width through all encodings and back. `written` has `excess` bytes more than the width, or fewer.
fn out<H: Home>(home: H, x: &BigUint, excess: i32) {
    let a = home.nat(x);
    let bytes = home.bits() as usize / 8;
    let (be, le) = (a.to_be_bytes(), a.to_le_bytes());
    assert_eq!((be.len(), BigUint::from_bytes_be(&be)), (bytes, x.clone()));
    assert_eq!((le.len(), BigUint::from_bytes_le(&le)), (bytes, x.clone()));
    for i in [0, 1, home.bits() / 2, home.bits() - 1, home.bits(), home.bits() + 9, u32::MAX] {
        assert_eq!(bool::from(a.bit(i)), x.bit(i.into()));
    }

    let len = (bytes as i32 + excess).max(0) as usize;
    let fits = x.bits() <= 8 * len as u64;
    let (mut be, mut le) = (vec![0xa5; len], vec![0xa5; len]);
    assert_eq!(a.write_be_bytes(&mut be), if fits { Ok(()) } else { Err(TOO_LONG) });
    assert_eq!(a.write_le_bytes(&mut le), if fits { Ok(()) } else { Err(TOO_LONG) });
    let expected = if fits { x.clone() } else { BigUint::ZERO };
    assert_eq!((BigUint::from_bytes_be(&be), BigUint::from_bytes_le(&le)), (expected.clone(), expected));

    let public = home.public(x);
    assert_eq!(public.to_string(), x.to_string());
    assert_eq!(format!("{public:x} {public:#X}"), format!("{x:x} {x:#X}"));
    assert_eq!(u64::try_from(&public).ok(), u64::try_from(x).ok());
}

/// A number into a width that may be too short for it.
fn into(x: &BigUint, zeros: usize, n: usize) {
    let home = Heap(n as u32 * Limb::BITS);
    let fits = x.bits() <= home.bits().into();
    let expected = if fits { Ok(x.clone()) } else { Err(TOO_LONG) };
    let be = [vec![0; zeros], x.to_bytes_be()].concat();
    let le: Vec<u8> = be.iter().rev().copied().collect();
    let hex = "0".repeat(zeros) + &format!("{x:x}");
    let decimal = "0".repeat(zeros) + &x.to_string();
    let told = |read: Result<BoxedUint, Error>| assert_eq!(read.map(|nat| big(&nat)), expected);
    told(BoxedUint::from_be_bytes(&be, home.0));
    told(BoxedUint::from_le_bytes(&le, home.0));
    told(BoxedUint::from_hex(&hex, home.0));
    told(BoxedUint::from_hex(&hex.to_uppercase(), home.0));
    told(Public::<BoxedUint>::from_hex(&hex, home.0).map(Public::into_inner));
    told(Public::<BoxedUint>::from_be_bytes(&be, home.0).map(Public::into_inner));
    assert_eq!(decimal.parse::<Public<BoxedUint>>().map(|nat| big(&nat)), Ok(x.clone()));

    macro_rules! stacks {
        ($($stack:literal)*) => {
            match n {
                $($stack => {
                    let told = |read: Result<Uint<$stack>, Error>| assert_eq!(read.map(|nat| big(&nat)), expected);
                    told(Uint::from_be_bytes(&be));
                    told(Uint::from_le_bytes(&le));
                    told(Uint::from_hex(&hex));
                    told(decimal.parse::<Public<Uint<$stack>>>().map(Public::into_inner));
                    if fits && hex.len() <= Uint::<$stack>::BITS as usize / 4 {
                        told(Ok(Uint::from_be_hex(&hex)));
                    }
                    resized(Stack::<$stack>.nat(&(x % power_of_two(Uint::<$stack>::BITS))));
                })*
                _ => {}
            }
        };
    }
    stacks!(1 2 3 4 6 8 9 16 33 64);
}

/// From one width to others, and between the storages.
fn resized<const N: usize>(a: Uint<N>) {
    let x = big(&a);
    let boxed = BoxedUint::from(&a);
    assert_eq!((big(&boxed), boxed.bits_precision()), (x.clone(), a.bits_precision()));
    assert_eq!(big(&BoxedUint::from(a.clone())), x);
    fn to<const N: usize, const M: usize>(a: &Uint<N>, boxed: &BoxedUint, x: &BigUint) {
        let bits = Uint::<M>::BITS;
        let fits = x.bits() <= bits.into();
        let expected = fits.then(|| x.clone());
        assert_eq!(big(&a.resize::<M>()), x % power_of_two(bits));
        assert_eq!(option(a.resize_checked::<M>()).map(|z| big(&z)), expected);
        let (z, told) = a.resize_checked_or(Uint::<M>::MAX);
        assert_eq!((big(&z), bool::from(told)), (expected.clone().unwrap_or(power_of_two(bits) - 1_u8), fits));
        assert_eq!(Uint::<M>::try_from(boxed).map(|z| big(&z)).ok(), expected);
        assert_eq!(big(&boxed.resize(bits)), x % power_of_two(bits));
        assert_eq!(option(boxed.resize_checked(bits)).map(|z| big(&z)), expected);
        if M >= N {
            assert_eq!(big(&boxed.zero_extend(bits)), *x);
        }
        let product = a.square_wide();
        assert_eq!(big(&product.resize::<M>()), x * x % power_of_two(bits));
        let square = (x * x).bits() <= bits.into();
        assert_eq!(option(product.resize_checked::<M>()).map(|z| big(&z)), square.then(|| x * x));
    }
    to::<N, 1>(&a, &boxed, &x);
    to::<N, 5>(&a, &boxed, &x);
    to::<N, 9>(&a, &boxed, &x);
    to::<N, N>(&a, &boxed, &x);
    to::<N, 66>(&a, &boxed, &x);
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn out_of_any_width((n, x) in width().prop_flat_map(|n| (Just(n), number(n))), excess in -9..=9_i32) {
        homes!(n, out(&x, excess));
        // The least number of bytes that it takes, and one less.
        let bytes = i32::try_from(x.bits().div_ceil(8)).unwrap() - (n * size_of::<Limb>()) as i32;
        homes!(n, out(&x, bytes));
        homes!(n, out(&x, bytes - 1));
    }

    #[test]
    fn into_any_width(
        (n, x) in (width(), width()).prop_flat_map(|(n, m)| (Just(n), number(m))),
        zeros in 0..40_usize,
    ) {
        into(&x, zeros, n);
        into(&(x % power_of_two(n as u32 * Limb::BITS)), zeros, n);
    }

    /// A digit that is none, anywhere: an error, whatever else is wrong.
    #[test]
    fn digits_that_are_none(
        (n, x) in width().prop_flat_map(|n| (Just(n), number(n))),
        place in any::<usize>(),
        bad in any::<char>().prop_filter("no digit", |c| !c.is_ascii_hexdigit()),
    ) {
        let digits = format!("{x:x}");
        let at = place % (digits.len() + 1);
        let digits = format!("{}{bad}{}", &digits[..at], &digits[at..]);
        let bits = n as u32 * Limb::BITS;
        assert_eq!(BoxedUint::from_hex(&digits, bits).err(), Some(Error::InvalidDigit(Field::Number)));
        assert_eq!(Uint::<2>::from_hex(&digits).err(), Some(Error::InvalidDigit(Field::Number)));
        assert_eq!(digits.parse::<Public<Uint<2>>>().err(), Some(Error::InvalidDigit(Field::Number)));
    }
}

/// The width of a heap number follows from what is asked for alone.
#[test]
fn widths_follow_from_the_bits_asked_for() {
    fn width<S: Storage>(nat: &Nat<S>) -> u32 {
        nat.bits_precision()
    }
    for bits in 0..=1000_u32 {
        let expected = bits.max(1).next_multiple_of(Limb::BITS);
        assert_eq!(width(&BoxedUint::zero(bits)), expected);
        assert_eq!(width(&BoxedUint::from_hex("0", bits).unwrap()), expected);
        assert_eq!(width(&BoxedUint::from_be_bytes(&[], bits).unwrap()), expected);
    }
}
