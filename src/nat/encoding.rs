//! Numbers from limbs, words, bytes and hex digits, and bytes from numbers.

use crate::ct;
use crate::error::{Error, Field};
use crate::limb::{LIMB_BITS, LIMB_BYTES, Limb, Mask};
use crate::limbs::bytes;
#[cfg(feature = "alloc")]
use crate::nat::BoxedUint;
use crate::nat::{Nat, Uint};
use crate::storage::Limbs;
use subtle::Choice;
use zeroize::Zeroize;
#[cfg(feature = "alloc")]
use {
    crate::limb::limbs_for,
    alloc::{boxed::Box, vec},
    zeroize::Zeroizing,
};

/// Constructors. Call them through an alias that names the width: `U2048::from_hex(…)`.
impl<const N: usize> Uint<N> {
    /// The number 0.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// assert!(bool::from(U256::ZERO.is_zero()));
    /// ```
    pub const ZERO: Self = Self::from_limbs([0; N]);

    /// The number 1.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// assert_eq!(*U256::ONE.to_le_bytes(), *U256::from_u64(1).to_le_bytes());
    /// ```
    pub const ONE: Self = Self::from_u64(1);

    /// The number 2^BITS − 1.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// assert_eq!(U256::MAX.to_be_bytes()[..], [0xff; 32]);
    /// ```
    pub const MAX: Self = Self::from_limbs([Limb::MAX; N]);

    /// The width in bits.
    ///
    /// ```
    /// # use tautochrone::U384;
    /// assert_eq!(U384::BITS, 384);
    /// ```
    pub const BITS: u32 = N as u32 * LIMB_BITS;

    /// The width in limbs: what turns an alias into an argument of [`resize`](Self::resize).
    ///
    /// ```
    /// use tautochrone::{Limb, U256, U512};
    /// assert_eq!(U256::LIMBS as u32 * Limb::BITS, U256::BITS);
    /// let x = U512::ONE.resize::<{ U256::LIMBS }>();
    /// assert_eq!(x.bits_precision(), 256);
    /// ```
    pub const LIMBS: usize = N;

    /// The number with these limbs, low one first. A width of no limbs does not compile.
    ///
    /// ```
    /// use tautochrone::{Limb, Uint};
    /// const X: Uint<2> = Uint::from_limbs([7, 1]);
    /// assert_eq!(X.as_limbs(), [7, 1]);
    /// assert!(bool::from(X.bit(Limb::BITS)));
    /// ```
    pub const fn from_limbs(limbs: [Limb; N]) -> Self {
        const { assert!(N > 0, "a number has at least one limb") };
        Nat { limbs }
    }

    /// The number `value`.
    ///
    /// # Panics
    /// If `value` does not fit, which takes a width below 64 bits.
    ///
    /// ```
    /// use tautochrone::U256;
    /// const E: U256 = U256::from_u64(65537);
    /// assert_eq!(E.to_be_bytes()[29..], [1, 0, 1]);
    /// ```
    pub const fn from_u64(value: u64) -> Self {
        let mut limbs = [0; N];
        let mut i = 0;
        while i < N && (i as u32) < u64::BITS.div_ceil(LIMB_BITS) {
            limbs[i] = (value >> (i as u32 * LIMB_BITS)) as Limb;
            i += 1;
        }
        if Self::BITS < u64::BITS {
            assert!(value >> Self::BITS == 0, "the value does not fit into the width");
        }
        Self::from_limbs(limbs)
    }

    /// The number with these hex digits of either case, high digit first; as many digits as the width takes, or
    /// fewer. For constants: what is not valid fails to compile there, and panics at run time;
    /// [`from_hex`](Self::from_hex) returns an error instead.
    ///
    /// Leaks: the number of digits, and by the panic whether one is invalid.
    ///
    /// # Panics
    /// If there are no digits, or more than the width takes (zeros too), or something else than digits.
    ///
    /// ```
    /// use tautochrone::U256;
    /// const P: U256 = U256::from_be_hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
    /// assert_eq!(P.to_be_bytes()[..8], [255, 255, 255, 255, 0, 0, 0, 1]);
    /// ```
    /// ```compile_fail
    /// # use tautochrone::U256;
    /// const X: U256 = U256::from_be_hex("12 34");
    /// ```
    pub const fn from_be_hex(digits: &str) -> Self {
        const LIMB_DIGITS: usize = 2 * LIMB_BYTES;
        let digits = digits.as_bytes();
        assert!(!digits.is_empty(), "there are no digits");
        assert!(digits.len() <= N * LIMB_DIGITS, "there are more digits than the width takes");
        let mut limbs = [0; N];
        let mut valid = 0xff;
        let mut i = 0;
        while i < digits.len() {
            let digit = digits[digits.len() - 1 - i];
            // Bytes of which the difference is negative are all ones from bit 8 on: masks without a branch.
            let decimal = digit.wrapping_sub(b'0');
            let letter = (digit | 0x20).wrapping_sub(b'a');
            let is_decimal = ((decimal as u16).wrapping_sub(10) >> 8) as u8;
            let is_letter = ((letter as u16).wrapping_sub(6) >> 8) as u8;
            let value = is_decimal & decimal | is_letter & letter.wrapping_add(10);
            limbs[i / LIMB_DIGITS] |= (value as Limb) << (4 * (i % LIMB_DIGITS));
            valid &= is_decimal | is_letter;
            i += 1;
        }
        assert!(valid == 0xff, "there is something else than hex digits");
        Self::from_limbs(limbs)
    }

    /// The number with these bytes, high byte first; more of them than the width takes only by leading zeros.
    ///
    /// Leaks: the number of bytes, and whether the number fits.
    ///
    /// # Errors
    /// [`Error::TooLong`] if the number does not fit.
    ///
    /// ```
    /// use tautochrone::{Error, Field, U256};
    /// let x = U256::from_be_bytes(&[1, 0])?;
    /// assert_eq!(*x.to_be_bytes(), *U256::from_u64(256).to_be_bytes());
    /// assert_eq!(U256::from_be_bytes(&[1; 33]).err(), Some(Error::TooLong(Field::Number)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_be_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::ZERO.read_be_bytes(bytes)
    }

    /// The number with these bytes, low byte first; more of them than the width takes only by zeros at the end.
    ///
    /// Leaks: the number of bytes, and whether the number fits.
    ///
    /// # Errors
    /// [`Error::TooLong`] if the number does not fit.
    ///
    /// ```
    /// use tautochrone::{Error, U256};
    /// let x = U256::from_le_bytes(&[0, 1])?;
    /// assert_eq!(*x.to_be_bytes(), *U256::from_u64(256).to_be_bytes());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_le_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::ZERO.read_le_bytes(bytes)
    }

    /// The number with these hex digits of either case, high digit first; more of them than the width takes only
    /// by leading zeros. No prefix, no separators.
    ///
    /// Leaks: the number of digits, whether all are digits, and whether the number fits.
    ///
    /// # Errors
    /// [`Error::InvalidDigit`] if there is no digit or something else than digits; [`Error::TooLong`] if the number
    /// does not fit.
    ///
    /// ```
    /// use tautochrone::{Error, Field, U256};
    /// let x = U256::from_hex("c0FFEE")?;
    /// assert_eq!(x.to_be_bytes()[29..], [0xc0, 0xff, 0xee]);
    /// assert_eq!(U256::from_hex("0x12").err(), Some(Error::InvalidDigit(Field::Number)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_hex(digits: &str) -> Result<Self, Error> {
        Self::ZERO.read_hex(digits)
    }
}

/// Constructors. `bits` is the least width; it is rounded up to whole limbs, and to one at least.
#[cfg(feature = "alloc")]
impl BoxedUint {
    /// The widest number on the heap, in bits: far from where widths, doubled, no longer count in 32 bits.
    pub(crate) const WIDEST: u32 = 1 << 28;

    /// The number 0.
    ///
    /// # Panics
    /// If `bits` is above 2^28.
    ///
    /// ```
    /// # use tautochrone::BoxedUint;
    /// assert_eq!(BoxedUint::zero(2048).bits_precision(), 2048);
    /// ```
    pub fn zero(bits: u32) -> Self {
        assert!(bits <= Self::WIDEST, "a number is wider than is supported");
        Nat::of(vec![0; limbs_for(bits).max(1)].into_boxed_slice())
    }

    /// The number `value`.
    ///
    /// # Panics
    /// If `value` does not fit, which takes a width below 64 bits.
    ///
    /// ```
    /// # use tautochrone::BoxedUint;
    /// assert_eq!(BoxedUint::from_u64(65537, 256).to_be_bytes()[29..], [1, 0, 1]);
    /// ```
    #[track_caller]
    pub fn from_u64(value: u64, bits: u32) -> Self {
        let bytes = Zeroizing::new(value.to_le_bytes());
        Self::zero(bits).read_le_bytes(&*bytes).expect("the value fits into the width")
    }

    /// The number with these bytes, high byte first; more of them than the width takes only by leading zeros.
    ///
    /// Leaks: the number of bytes, and whether the number fits.
    ///
    /// # Errors
    /// [`Error::TooLong`] if the number does not fit.
    ///
    /// ```
    /// use tautochrone::{BoxedUint, Error};
    /// let x = BoxedUint::from_be_bytes(&[1, 0], 256)?;
    /// assert_eq!(*x.to_be_bytes(), *BoxedUint::from_u64(256, 256).to_be_bytes());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_be_bytes(bytes: &[u8], bits: u32) -> Result<Self, Error> {
        Self::zero(bits).read_be_bytes(bytes)
    }

    /// The number with these bytes, low byte first; more of them than the width takes only by zeros at the end.
    ///
    /// Leaks: the number of bytes, and whether the number fits.
    ///
    /// # Errors
    /// [`Error::TooLong`] if the number does not fit.
    ///
    /// ```
    /// use tautochrone::{BoxedUint, Error};
    /// let x = BoxedUint::from_le_bytes(&[0, 1], 256)?;
    /// assert_eq!(*x.to_be_bytes(), *BoxedUint::from_u64(256, 256).to_be_bytes());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_le_bytes(bytes: &[u8], bits: u32) -> Result<Self, Error> {
        Self::zero(bits).read_le_bytes(bytes)
    }

    /// The number with these hex digits of either case, high digit first; more of them than the width takes only
    /// by leading zeros. No prefix, no separators.
    ///
    /// Leaks: the number of digits, whether all are digits, and whether the number fits.
    ///
    /// # Errors
    /// [`Error::InvalidDigit`] if there is no digit or something else than digits; [`Error::TooLong`] if the number
    /// does not fit.
    ///
    /// ```
    /// use tautochrone::{BoxedUint, Error, Field};
    /// let x = BoxedUint::from_hex("c0FFEE", 256)?;
    /// assert_eq!(x.to_be_bytes()[29..], [0xc0, 0xff, 0xee]);
    /// assert_eq!(BoxedUint::from_hex("", 256).err(), Some(Error::InvalidDigit(Field::Number)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_hex(digits: &str, bits: u32) -> Result<Self, Error> {
        Self::zero(bits).read_hex(digits)
    }
}

impl<S: Limbs> Nat<S> {
    fn read_be_bytes(mut self, bytes: &[u8]) -> Result<Self, Error> {
        let fits = bytes::from_be_bytes(self.as_mut_limbs(), bytes);
        self.fitting(fits)
    }

    fn read_le_bytes(mut self, bytes: &[u8]) -> Result<Self, Error> {
        let fits = bytes::from_le_bytes(self.as_mut_limbs(), bytes);
        self.fitting(fits)
    }

    fn read_hex(mut self, digits: &str) -> Result<Self, Error> {
        let (valid, fits) = bytes::from_hex(self.as_mut_limbs(), digits.as_bytes());
        if !ct::declassify(valid.choice(), "whether hex digits are valid, told once by the result") {
            return Err(Error::InvalidDigit(Field::Number));
        }
        self.fitting(fits)
    }

    fn fitting(self, fits: Mask) -> Result<Self, Error> {
        match ct::declassify(fits.choice(), "whether a number fits its width, told once by the result") {
            true => Ok(self),
            false => Err(Error::TooLong(Field::Number)),
        }
    }

    /// The bytes, high byte first: as many as the width has.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// let bytes = U256::from_u64(258).to_be_bytes();
    /// assert_eq!((bytes.len(), &bytes[30..]), (32, &[1, 2][..]));
    /// ```
    #[cfg(feature = "alloc")]
    pub fn to_be_bytes(&self) -> Zeroizing<Box<[u8]>> {
        let mut out = self.byte_buffer();
        bytes::to_be_bytes(&mut out, self.as_limbs());
        out
    }

    /// The bytes, low byte first: as many as the width has.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// let bytes = U256::from_u64(258).to_le_bytes();
    /// assert_eq!((bytes.len(), &bytes[..2]), (32, &[2, 1][..]));
    /// ```
    #[cfg(feature = "alloc")]
    pub fn to_le_bytes(&self) -> Zeroizing<Box<[u8]>> {
        let mut out = self.byte_buffer();
        bytes::to_le_bytes(&mut out, self.as_limbs());
        out
    }

    #[cfg(feature = "alloc")]
    fn byte_buffer(&self) -> Zeroizing<Box<[u8]>> {
        Zeroizing::new(vec![0; self.as_limbs().len() * LIMB_BYTES].into_boxed_slice())
    }

    /// Writes the bytes into the whole of `out`, high byte first, with leading zeros as needed.
    ///
    /// Leaks: whether the number fits into `out`.
    ///
    /// # Errors
    /// [`Error::TooLong`] if it does not; `out` is all zeros then.
    ///
    /// ```
    /// use tautochrone::{Error, Field, U256};
    /// let mut out = [0xff; 3];
    /// U256::from_u64(258).write_be_bytes(&mut out)?;
    /// assert_eq!(out, [0, 1, 2]);
    /// let refused = U256::from_u64(258).write_be_bytes(&mut out[..1]);
    /// assert_eq!(refused, Err(Error::TooLong(Field::Number)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn write_be_bytes(&self, out: &mut [u8]) -> Result<(), Error> {
        let fits = bytes::to_be_bytes(out, self.as_limbs());
        written(out, fits)
    }

    /// Writes the bytes into the whole of `out`, low byte first, with zeros at the end as needed.
    ///
    /// Leaks: whether the number fits into `out`.
    ///
    /// # Errors
    /// [`Error::TooLong`] if it does not; `out` is all zeros then.
    ///
    /// ```
    /// use tautochrone::{Error, U256};
    /// let mut out = [0xff; 3];
    /// U256::from_u64(258).write_le_bytes(&mut out)?;
    /// assert_eq!(out, [2, 1, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn write_le_bytes(&self, out: &mut [u8]) -> Result<(), Error> {
        let fits = bytes::to_le_bytes(out, self.as_limbs());
        written(out, fits)
    }

    /// Bit `i`, the lowest one being 0; beyond the width it is 0.
    ///
    /// Leaks: `i`.
    ///
    /// ```
    /// # use tautochrone::U256;
    /// assert!(bool::from(U256::from_u64(4).bit(2)));
    /// assert!(!bool::from(U256::MAX.bit(256)));
    /// ```
    pub fn bit(&self, i: u32) -> Choice {
        let limb = self.as_limbs().get((i / LIMB_BITS) as usize).copied().unwrap_or(0);
        Mask::of_bit((limb >> (i % LIMB_BITS)) & 1).choice()
    }
}

fn written(out: &mut [u8], fits: Mask) -> Result<(), Error> {
    if ct::declassify(fits.choice(), "whether a number fits the caller's buffer, told once by the result") {
        return Ok(());
    }
    out.zeroize();
    Err(Error::TooLong(Field::Number))
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::limbs::testing::{Carries, big, limbs};
    use num_bigint::BigUint;
    use std::{format, string::String};

    const TOO_LONG: Option<Error> = Some(Error::TooLong(Field::Number));
    const INVALID: Option<Error> = Some(Error::InvalidDigit(Field::Number));

    #[test]
    fn boxed_numbers_go_both_ways() {
        let mut carries = Carries::new();
        for n in 1..=70_usize {
            let bits = n as u32 * LIMB_BITS;
            let x = carries.limbs(n);
            let value = big(&x);
            let nat = Nat::of(x.clone().into_boxed_slice());
            assert_eq!(BigUint::from_bytes_be(&nat.to_be_bytes()), value);
            assert_eq!(BigUint::from_bytes_le(&nat.to_le_bytes()), value);
            // Shorter, as long, and longer by zeros.
            let digits = format!("{value:x}");
            for zeros in [0, 1, 2 * n * LIMB_BYTES] {
                let digits = "0".repeat(zeros) + &digits;
                assert_eq!(BoxedUint::from_hex(&digits, bits).unwrap().as_limbs(), x);
                let mut bytes = value.to_bytes_le();
                bytes.resize(bytes.len() + zeros, 0);
                assert_eq!(BoxedUint::from_le_bytes(&bytes, bits).unwrap().as_limbs(), x);
                bytes.reverse();
                assert_eq!(BoxedUint::from_be_bytes(&bytes, bits).unwrap().as_limbs(), x);
            }
            // One bit too long.
            let long = (BigUint::from(1_u8) << bits) + &value;
            assert_eq!(BoxedUint::from_be_bytes(&long.to_bytes_be(), bits).err(), TOO_LONG);
            assert_eq!(BoxedUint::from_le_bytes(&long.to_bytes_le(), bits).err(), TOO_LONG);
            assert_eq!(BoxedUint::from_hex(&format!("{long:x}"), bits).err(), TOO_LONG);

            for i in [0, 1, 7, LIMB_BITS, bits / 2, bits - 1, bits, bits + 1, u32::MAX] {
                assert_eq!(nat.bit(i).unwrap_u8() == 1, value.bit(i.into()), "{i}");
            }
        }
    }

    #[test]
    fn writing_pads_or_refuses() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            let nat = Nat::of(carries.limbs(n).into_boxed_slice());
            let value = big(nat.as_limbs());
            let least = value.bits().div_ceil(8) as usize;
            let mut out = std::vec![0xee; n * LIMB_BYTES + 20];
            for len in [0, 1, least.saturating_sub(1), least, least + 1, n * LIMB_BYTES, n * LIMB_BYTES + 20] {
                let fits = len >= least;
                for (written, decoded) in [
                    (nat.write_be_bytes(&mut out[..len]), BigUint::from_bytes_be(&out[..len])),
                    (nat.write_le_bytes(&mut out[..len]), BigUint::from_bytes_le(&out[..len])),
                ] {
                    assert_eq!(written.err(), if fits { None } else { TOO_LONG });
                    assert_eq!(decoded, if fits { value.clone() } else { BigUint::ZERO });
                }
                out[..len].fill(0xee);
            }
        }
    }

    #[test]
    fn numbers_on_the_stack_are_the_same() {
        fn check<const N: usize>(carries: &mut Carries) {
            let x = carries.limbs(N);
            let bits = Uint::<N>::BITS;
            let value = big(&x);
            let digits = format!("{value:X}");
            let nat = Uint::<N>::from_hex(&digits).unwrap();
            assert_eq!(nat.as_limbs(), x);
            assert_eq!(nat.bits_precision(), bits);
            assert_eq!(Uint::<N>::from_be_hex(&digits).as_limbs(), x);
            assert_eq!(Uint::<N>::from_be_bytes(&value.to_bytes_be()).unwrap().as_limbs(), x);
            assert_eq!(Uint::<N>::from_le_bytes(&value.to_bytes_le()).unwrap().as_limbs(), x);
            let long = (BigUint::from(1_u8) << bits) + value;
            assert_eq!(Uint::<N>::from_hex(&format!("{long:x}")).err(), TOO_LONG);
            assert_eq!(Uint::<N>::from_be_bytes(&long.to_bytes_be()).err(), TOO_LONG);
            assert_eq!(Uint::<N>::from_le_bytes(&long.to_bytes_le()).err(), TOO_LONG);
            assert_eq!(big(Uint::<N>::MAX.as_limbs()) + 1_u8, BigUint::from(1_u8) << bits);
            assert_eq!(big(Uint::<N>::ZERO.as_limbs()), BigUint::ZERO);
            assert_eq!(big(Uint::<N>::ONE.as_limbs()), BigUint::from(1_u8));
            let word = carries.word() >> (64 - bits.min(64));
            let expected = limbs(&BigUint::from(word), N);
            assert_eq!(Uint::<N>::from_u64(word).as_limbs(), expected);
            assert_eq!(BoxedUint::from_u64(word, bits).as_limbs(), expected);
        }
        let mut carries = Carries::new();
        for _ in 0..50 {
            check::<1>(&mut carries);
            check::<2>(&mut carries);
            check::<7>(&mut carries);
            check::<8>(&mut carries);
            check::<9>(&mut carries);
            check::<70>(&mut carries);
        }
    }

    #[test]
    fn hex_of_nothing_and_of_other_bytes_is_refused() {
        for digits in ["", " 1", "1 ", "0x1", "-1", "+1", "1_0", "g", "G", "@", "`", ":", "/", "\0", "é", "１"] {
            assert_eq!(Uint::<9>::from_hex(digits).err(), INVALID, "{digits:?}");
            assert_eq!(BoxedUint::from_hex(digits, 64).err(), INVALID, "{digits:?}");
            let long: String = "0".repeat(200) + digits + &"0".repeat(200);
            if !digits.is_empty() {
                assert_eq!(Uint::<9>::from_hex(&long).err(), INVALID, "{digits:?}");
            }
        }
        for byte in 0..=127_u8 {
            let digits = String::from(char::from(byte));
            let constant = std::panic::catch_unwind(|| Uint::<2>::from_be_hex(&digits)).is_ok();
            assert_eq!(constant, byte.is_ascii_hexdigit(), "{byte:#x}");
        }
    }

    #[test]
    fn a_word_too_long_panics() {
        for bits in [LIMB_BITS, 2 * LIMB_BITS].into_iter().filter(|bits| *bits < 64) {
            assert!(std::panic::catch_unwind(|| BoxedUint::from_u64(1 << bits, bits)).is_err());
            assert!(std::panic::catch_unwind(|| BoxedUint::from_u64((1 << bits) - 1, bits)).is_ok());
        }
        if LIMB_BITS < 64 {
            assert!(std::panic::catch_unwind(|| Uint::<1>::from_u64(1 << (LIMB_BITS % 64))).is_err());
        }
    }

    #[test]
    fn widths_are_rounded_up() {
        for bits in [0, 1, LIMB_BITS - 1, LIMB_BITS, LIMB_BITS + 1, 521] {
            let expected = bits.max(1).next_multiple_of(LIMB_BITS);
            assert_eq!(BoxedUint::zero(bits).bits_precision(), expected);
        }
    }
}
