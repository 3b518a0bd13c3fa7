//! Numbers that were never secret: what only they can do. All of it is variable time.

use crate::ct::Public;
use crate::error::{Error, Field};
use crate::limb::{Double, LIMB_BITS, Limb, join, mul_add};
use crate::limbs::bytes;
#[cfg(feature = "alloc")]
use crate::nat::BoxedUint;
use crate::nat::{Nat, Uint};
use crate::storage::Limbs;
use core::cmp::Ordering;
use core::fmt::{self, Write};
use core::hash::{Hash, Hasher};
use core::str::FromStr;

/// Constructors. Call them through an alias that names the width: `Public::<U2048>::from_hex(…)`.
impl<const N: usize> Public<Uint<N>> {
    /// The number `value`.
    ///
    /// # Panics
    /// If `value` does not fit, which takes a width below 64 bits.
    ///
    /// ```
    /// use tautochrone::{Public, U256};
    /// const E: Public<U256> = Public::<U256>::from_u64(65537);
    /// assert_eq!(E.to_string(), "65537");
    /// ```
    pub const fn from_u64(value: u64) -> Self {
        Public::wrap(Uint::from_u64(value))
    }

    /// The number with these bytes, high byte first; more of them than the width takes only by leading zeros.
    ///
    /// # Errors
    /// [`Error::TooLong`] if the number does not fit.
    ///
    /// ```
    /// use tautochrone::{Error, Public, U256};
    /// assert_eq!(Public::<U256>::from_be_bytes(&[1, 0])?, Public::<U256>::from_u64(256));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_be_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Uint::from_be_bytes(bytes).map(Public::wrap)
    }

    /// The number with these bytes, low byte first; more of them than the width takes only by zeros at the end.
    ///
    /// # Errors
    /// [`Error::TooLong`] if the number does not fit.
    ///
    /// ```
    /// use tautochrone::{Error, Public, U256};
    /// assert_eq!(Public::<U256>::from_le_bytes(&[0, 1])?, Public::<U256>::from_u64(256));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_le_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Uint::from_le_bytes(bytes).map(Public::wrap)
    }

    /// The number with these hex digits of either case, high digit first; more of them than the width takes only
    /// by leading zeros. No prefix, no separators. Decimal digits go through [`FromStr`].
    ///
    /// # Errors
    /// [`Error::InvalidDigit`] if there is no digit or something else than digits; [`Error::TooLong`] if the number
    /// does not fit.
    ///
    /// ```
    /// use tautochrone::{Error, Public, U256};
    /// let x = Public::<U256>::from_hex("fF")?;
    /// assert_eq!(x, "255".parse()?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_hex(digits: &str) -> Result<Self, Error> {
        Uint::from_hex(digits).map(Public::wrap)
    }
}

/// Constructors. `bits` is the least width; it is rounded up to whole limbs, and to one at least.
#[cfg(feature = "alloc")]
impl Public<BoxedUint> {
    /// The number `value`.
    ///
    /// # Panics
    /// If `value` does not fit, which takes a width below 64 bits.
    ///
    /// ```
    /// use tautochrone::{BoxedUint, Public};
    /// assert_eq!(Public::<BoxedUint>::from_u64(65537, 256).to_string(), "65537");
    /// ```
    #[track_caller]
    pub fn from_u64(value: u64, bits: u32) -> Self {
        Public::wrap(BoxedUint::from_u64(value, bits))
    }

    /// The number with these bytes, high byte first; more of them than the width takes only by leading zeros.
    ///
    /// # Errors
    /// [`Error::TooLong`] if the number does not fit.
    ///
    /// ```
    /// use tautochrone::{BoxedUint, Error, Public};
    /// let x = Public::<BoxedUint>::from_be_bytes(&[1, 0], 256)?;
    /// assert_eq!(x.to_string(), "256");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_be_bytes(bytes: &[u8], bits: u32) -> Result<Self, Error> {
        BoxedUint::from_be_bytes(bytes, bits).map(Public::wrap)
    }

    /// The number with these bytes, low byte first; more of them than the width takes only by zeros at the end.
    ///
    /// # Errors
    /// [`Error::TooLong`] if the number does not fit.
    ///
    /// ```
    /// use tautochrone::{BoxedUint, Error, Public};
    /// let x = Public::<BoxedUint>::from_le_bytes(&[0, 1], 256)?;
    /// assert_eq!(x.to_string(), "256");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_le_bytes(bytes: &[u8], bits: u32) -> Result<Self, Error> {
        BoxedUint::from_le_bytes(bytes, bits).map(Public::wrap)
    }

    /// The number with these hex digits of either case, high digit first; more of them than the width takes only
    /// by leading zeros. No prefix, no separators. Decimal digits go through [`FromStr`].
    ///
    /// # Errors
    /// [`Error::InvalidDigit`] if there is no digit or something else than digits; [`Error::TooLong`] if the number
    /// does not fit.
    ///
    /// ```
    /// use tautochrone::{BoxedUint, Error, Public};
    /// let x = Public::<BoxedUint>::from_hex("fF", 256)?;
    /// assert_eq!(x.to_string(), "255");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_hex(digits: &str, bits: u32) -> Result<Self, Error> {
        BoxedUint::from_hex(digits, bits).map(Public::wrap)
    }
}

impl<S: Limbs> Public<Nat<S>> {
    /// The length in bits; 0 for 0.
    ///
    /// ```
    /// use tautochrone::{Public, U256};
    /// let x = Public::<U256>::from_u64(256);
    /// assert_eq!((x.bits(), x.bits_precision()), (9, 256));
    /// ```
    pub fn bits(&self) -> u32 {
        self.bits_secret()
    }

    /// The limbs without leading zeros.
    fn significant(&self) -> &[Limb] {
        &self.as_limbs()[..self.bits().div_ceil(LIMB_BITS) as usize]
    }
}

/// By value: widths may differ.
impl<S: Limbs> PartialEq for Public<Nat<S>> {
    fn eq(&self, other: &Self) -> bool {
        self.significant() == other.significant()
    }
}

impl<S: Limbs> Eq for Public<Nat<S>> {}

/// By value: widths may differ.
impl<S: Limbs> Ord for Public<Nat<S>> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.significant(), other.significant());
        a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
    }
}

impl<S: Limbs> PartialOrd for Public<Nat<S>> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By value, as equality is.
impl<S: Limbs> Hash for Public<Nat<S>> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.significant().hash(state);
    }
}

impl<S: Limbs> TryFrom<&Public<Nat<S>>> for u64 {
    type Error = Error;
    fn try_from(x: &Public<Nat<S>>) -> Result<u64, Error> {
        let mut word = [0; 8];
        let fits = bytes::to_le_bytes(&mut word, x.as_limbs());
        if fits.bit() == 1 { Ok(u64::from_le_bytes(word)) } else { Err(Error::TooLong(Field::Number)) }
    }
}

impl<S: Limbs> TryFrom<Public<Nat<S>>> for u64 {
    type Error = Error;
    fn try_from(x: Public<Nat<S>>) -> Result<u64, Error> {
        u64::try_from(&x)
    }
}

/// The value in hex, and the width.
impl<S: Limbs> fmt::Debug for Public<Nat<S>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Public({self:#x}, {} bits)", self.bits_precision())
    }
}

impl<S: Limbs> fmt::LowerHex for Public<Nat<S>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(self, f, |nibble| char::from_digit(nibble, 16))
    }
}

impl<S: Limbs> fmt::UpperHex for Public<Nat<S>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(self, f, |nibble| char::from_digit(nibble, 16).map(|digit| digit.to_ascii_uppercase()))
    }
}

fn write_hex<S: Limbs>(
    x: &Public<Nat<S>>,
    f: &mut fmt::Formatter<'_>,
    digit: impl Fn(u32) -> Option<char>,
) -> fmt::Result {
    let digits = x.bits().div_ceil(4).max(1);
    pad(f, "0x", digits as usize, |f| {
        for i in (0..digits).rev() {
            let limb = x.as_limbs()[(4 * i / LIMB_BITS) as usize];
            let nibble = (limb >> (4 * i % LIMB_BITS)) & 15;
            f.write_char(digit(u32::from(nibble as u8)).expect("a nibble is a digit"))?;
        }
        Ok(())
    })
}

/// The decimal digits of one limb, all of which can be any.
const CHUNK_DIGITS: usize = Limb::MAX.ilog10() as usize;
const CHUNK: Limb = Limb::pow(10, CHUNK_DIGITS as u32);

/// In decimal.
///
/// The chunks of digits come lowest first and are kept in two numbers of the same width: a limb of w bits has
/// ⌊w·log₁₀2⌋ ≥ 0.83·w·log₁₀2 of the digits that its share of the value has, so n limbs take at most
/// ⌈1.21n⌉ ≤ 2n chunks.
impl<S: Limbs> fmt::Display for Public<Nat<S>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut value: Nat<S> = Nat::clone(self);
        let mut chunks: [Nat<S>; 2] = [value.zeros(), value.zeros()];
        let n = value.as_limbs().len();
        let mut length = self.significant().len();
        let mut count = 0;
        loop {
            let mut rest = 0;
            for limb in value.as_mut_limbs()[..length].iter_mut().rev() {
                let x = join(*limb, rest);
                // rest < CHUNK, so that the quotient is a limb.
                *limb = (x / Double::from(CHUNK)) as Limb;
                rest = (x % Double::from(CHUNK)) as Limb;
            }
            chunks[count / n].as_mut_limbs()[count % n] = rest;
            count += 1;
            while length > 0 && value.as_limbs()[length - 1] == 0 {
                length -= 1;
            }
            if length == 0 {
                break;
            }
        }
        let chunk = |i: usize| chunks[i / n].as_limbs()[i % n];
        let top = chunk(count - 1);
        let digits = (count - 1) * CHUNK_DIGITS + top.checked_ilog10().unwrap_or(0) as usize + 1;
        pad(f, "", digits, |f| {
            write!(f, "{top}")?;
            (0..count - 1).rev().try_for_each(|i| write!(f, "{:0width$}", chunk(i), width = CHUNK_DIGITS))
        })
    }
}

/// Writes a number of that many digits under the formatter's flags, as the integers of `core` do.
fn pad(
    f: &mut fmt::Formatter<'_>,
    prefix: &str,
    digits: usize,
    write: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    let sign = if f.sign_plus() { "+" } else { "" };
    let prefix = if f.alternate() { prefix } else { "" };
    let missing = f.width().unwrap_or(0).saturating_sub(sign.len() + prefix.len() + digits);
    let zeros = if f.sign_aware_zero_pad() { missing } else { 0 };
    let left = match f.align() {
        _ if zeros > 0 => 0,
        Some(fmt::Alignment::Left) => 0,
        Some(fmt::Alignment::Center) => missing / 2,
        Some(fmt::Alignment::Right) | None => missing,
    };
    let fill = f.fill();
    (0..left).try_for_each(|_| f.write_char(fill))?;
    f.write_str(sign)?;
    f.write_str(prefix)?;
    (0..zeros).try_for_each(|_| f.write_char('0'))?;
    write(f)?;
    (0..missing - zeros - left).try_for_each(|_| f.write_char(fill))
}

/// Decimal digits.
///
/// # Errors
/// [`Error::InvalidDigit`] if there is no digit or something else than digits; [`Error::TooLong`] if the number does
/// not fit.
impl<const N: usize> FromStr for Public<Uint<N>> {
    type Err = Error;
    fn from_str(digits: &str) -> Result<Self, Error> {
        let mut value = Uint::ZERO;
        from_decimal(value.as_mut_limbs(), digits)?;
        Ok(Public::wrap(value))
    }
}

/// Decimal digits. The width is what any number of that many digits, leading zeros among them, needs: ⌈3.322·digits⌉
/// bits, rounded up to whole limbs.
///
/// # Errors
/// [`Error::InvalidDigit`] if there is no digit or something else than digits; [`Error::TooLarge`] if there are more
/// than the widest number takes.
#[cfg(feature = "alloc")]
impl FromStr for Public<BoxedUint> {
    type Err = Error;
    fn from_str(digits: &str) -> Result<Self, Error> {
        // log₂10 = 3.32192…
        let bits = (digits.len() as u64).saturating_mul(3322).div_ceil(1000);
        let bits = u32::try_from(bits).ok().filter(|bits| *bits <= BoxedUint::WIDEST);
        let mut value = BoxedUint::zero(bits.ok_or(Error::TooLarge(Field::Number))?);
        from_decimal(value.as_mut_limbs(), digits)?;
        Ok(Public::wrap(value))
    }
}

/// z := the number with these decimal digits. Leaks: the digits.
fn from_decimal(z: &mut [Limb], digits: &str) -> Result<(), Error> {
    let digits = digits.as_bytes();
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(Error::InvalidDigit(Field::Number));
    }
    z.fill(0);
    for chunk in digits.chunks(CHUNK_DIGITS) {
        // z·10^len + chunk
        let scale = Limb::pow(10, chunk.len() as u32);
        let mut carry = chunk.iter().fold(0, |value: Limb, digit| 10 * value + Limb::from(digit - b'0'));
        for limb in z.iter_mut() {
            (*limb, carry) = mul_add(*limb, scale, carry, 0);
        }
        if carry != 0 {
            return Err(Error::TooLong(Field::Number));
        }
    }
    Ok(())
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::limbs::testing::{Carries, big};
    use num_bigint::BigUint;
    use std::collections::hash_map::DefaultHasher;
    use std::{format, string::String, string::ToString};

    fn public(limbs: &[Limb]) -> Public<BoxedUint> {
        Public::wrap(Nat::of(limbs.into()))
    }

    #[test]
    fn text_of_every_width() {
        let mut carries = Carries::new();
        for n in 1..=70 {
            for _ in 0..8 {
                let x = public(&carries.limbs(n));
                let value = big(x.as_limbs());
                assert_eq!(u64::from(x.bits()), value.bits());
                assert_eq!(x.to_string(), value.to_string());
                assert_eq!(format!("{x:x}"), format!("{value:x}"));
                assert_eq!(format!("{x:#X}"), format!("{value:#X}"));
                assert_eq!(format!("{x:?}"), format!("Public({value:#x}, {} bits)", n * LIMB_BITS as usize));
                let decimal = value.to_string();
                let parsed: Public<BoxedUint> = decimal.parse().unwrap();
                assert_eq!(parsed, x);
                assert_eq!(Public::<BoxedUint>::from_str(&("000".to_string() + &decimal)).unwrap(), x);
                assert_eq!(Public::<BoxedUint>::from_hex(&format!("{x:x}"), x.bits()).unwrap(), x);
                assert_eq!(Public::<BoxedUint>::from_be_bytes(&x.to_be_bytes(), x.bits()).unwrap(), x);
                assert_eq!(Public::<BoxedUint>::from_le_bytes(&x.to_le_bytes(), x.bits()).unwrap(), x);
                assert_eq!(u64::try_from(&x).ok(), u64::try_from(&value).ok());
                assert_eq!(u64::try_from(x).ok(), u64::try_from(value).ok());
            }
            let largest = public(&std::vec![Limb::MAX; n]);
            assert_eq!(largest.to_string(), big(largest.as_limbs()).to_string());
            // The width takes any number of as many digits.
            let nines = "9".repeat(n);
            assert_eq!(Public::<BoxedUint>::from_str(&nines).unwrap().to_string(), nines);
        }
    }

    #[test]
    fn flags_do_what_they_do_for_integers() {
        macro_rules! same {
            ($($flags:literal)*) => {$(
                for value in [0_u64, 9, 255, 65_536, u64::MAX] {
                    let x = Public::<BoxedUint>::from_u64(value, 512);
                    assert_eq!(format!($flags, x), format!($flags, value), "{}", $flags);
                }
            )*};
        }
        same!("{}" "{:+}" "{:30}" "{:<30}" "{:^31}" "{:>30}" "{:*^30}" "{:030}" "{:+030}" "{:é<28}" "{:3}" "{:#}");
        same!("{:x}" "{:#x}" "{:X}" "{:#X}" "{:30x}" "{:#030x}" "{:<#30X}" "{:_^+#31x}" "{:#07x}" "{:-<#040x}");
    }

    #[test]
    fn order_and_hash_follow_the_value() {
        fn hash(x: &Public<BoxedUint>) -> u64 {
            let mut state = DefaultHasher::new();
            x.hash(&mut state);
            state.finish()
        }
        let mut carries = Carries::new();
        for n in 1..=70 {
            for m in [1, n, n + 1, 2 * n] {
                let a = carries.limbs(n);
                let mut b = if carries.below(2) == 0 { a.clone() } else { carries.limbs(m) };
                b.resize(m, 0);
                let (a, b) = (public(&a), public(&b));
                let order = big(a.as_limbs()).cmp(&big(b.as_limbs()));
                assert_eq!(a.cmp(&b), order);
                assert_eq!(a.partial_cmp(&b), Some(order));
                assert_eq!(a == b, order.is_eq());
                assert_eq!(hash(&a) == hash(&b), order.is_eq());
            }
        }
    }

    #[test]
    fn decimal_that_is_refused() {
        type Short = Uint<2>;
        let parse = |digits: &str| Public::<Short>::from_str(digits);
        let limit = BigUint::from(1_u8) << Short::BITS;
        assert_eq!(parse(&limit.to_string()), Err(Error::TooLong(Field::Number)));
        assert_eq!(parse(&(&limit * 10_u8).to_string()), Err(Error::TooLong(Field::Number)));
        assert_eq!(parse(&(&limit - 1_u8).to_string()), Ok(Public::wrap(Short::MAX)));
        assert_eq!(parse("0000000000000000000000000000000000000000000000000017"), Ok(Public::<Short>::from_u64(17)));
        for digits in ["", " 1", "+1", "-1", "1_0", "a", "1.", "0x1", "٣"] {
            assert_eq!(parse(digits), Err(Error::InvalidDigit(Field::Number)), "{digits:?}");
            assert_eq!(digits.parse::<Public<BoxedUint>>(), Err(Error::InvalidDigit(Field::Number)), "{digits:?}");
            let long: String = limit.to_string() + digits;
            if !digits.is_empty() {
                assert_eq!(parse(&long), Err(Error::InvalidDigit(Field::Number)), "{digits:?}");
            }
        }
    }
}
