//! Encodings: anything in, and what came in out again.
#![no_main]

use num_bigint::BigUint;
use tautochrone::{BoxedUint, Error, Field, Public, U256};
use tautochrone_fuzz::Input;
use tautochrone_fuzz::common::{big, power_of_two};

const TOO_LONG: Error = Error::TooLong(Field::Number);
const INVALID: Error = Error::InvalidDigit(Field::Number);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let (bits, len) = (input.bits(u32::MAX), input.short() as usize % 700);
    let bytes = input.rest();
    let width = BoxedUint::zero(bits).bits_precision();
    let fitting = |value: BigUint, width: u32| if value.bits() <= width.into() { Ok(value) } else { Err(TOO_LONG) };

    for (value, heap, stack) in [
        (BigUint::from_bytes_be(bytes), BoxedUint::from_be_bytes(bytes, bits), U256::from_be_bytes(bytes)),
        (BigUint::from_bytes_le(bytes), BoxedUint::from_le_bytes(bytes, bits), U256::from_le_bytes(bytes)),
    ] {
        assert_eq!(stack.map(|nat| big(&nat)), fitting(value.clone(), 256));
        assert_eq!(heap.as_ref().map(big).map_err(|error| *error), fitting(value.clone(), width));
        let Ok(nat) = heap else { continue };
        assert_eq!(BigUint::from_bytes_be(&nat.to_be_bytes()), value);
        assert_eq!(BigUint::from_bytes_le(&nat.to_le_bytes()), value);
        let (mut be, mut le) = (vec![7; len], vec![7; len]);
        let fits = value < power_of_two(8 * len as u32);
        assert_eq!(nat.write_be_bytes(&mut be).is_ok(), fits);
        assert_eq!(nat.write_le_bytes(&mut le).is_ok(), fits);
        let expected = if fits { value } else { BigUint::ZERO };
        assert_eq!((BigUint::from_bytes_be(&be), BigUint::from_bytes_le(&le)), (expected.clone(), expected));
    }

    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let is = |test: fn(&char) -> bool| !text.is_empty() && text.chars().all(|c| test(&c));
    let hex = if is(char::is_ascii_hexdigit) { BigUint::parse_bytes(bytes, 16).ok_or(INVALID) } else { Err(INVALID) };
    let expected = hex.and_then(|value| fitting(value, width));
    assert_eq!(BoxedUint::from_hex(text, bits).map(|nat| big(&nat)), expected);
    let decimal = if is(char::is_ascii_digit) { BigUint::parse_bytes(bytes, 10).ok_or(INVALID) } else { Err(INVALID) };
    let parsed = text.parse::<Public<BoxedUint>>();
    assert_eq!(parsed.as_ref().map(|nat| big(nat)).map_err(|error| *error), decimal);
    let short = text.parse::<Public<U256>>().map(|nat| big(&nat));
    assert_eq!(short, decimal.and_then(|value| fitting(value, 256)));
    if let Ok(public) = parsed {
        let value = big(&public);
        assert_eq!((public.to_string(), format!("{public:x}")), (value.to_string(), format!("{value:x}")));
    }
});
