//! The numbers that every library is given: the same in each run, high byte first.

use num_bigint::BigUint;

/// Lengths of moduli, in bits.
pub const SIZES: [u32; 9] = [256, 384, 512, 521, 1024, 1536, 2048, 3072, 4096];

/// The public exponent of nearly every RSA key.
pub const PUBLIC_EXPONENT: u32 = 65537;

/// Runs the body with `$size`, a constant, equal to `$bits`, one of [`SIZES`]: for types whose width is a constant.
macro_rules! with_size {
    ($bits:expr, $size:ident => $body:expr) => {
        with_size!(@ $bits, $size, $body, 256 384 512 521 1024 1536 2048 3072 4096)
    };
    (@ $bits:expr, $size:ident, $body:expr, $($n:literal)*) => {
        match $bits {
            $($n => {
                const $size: u32 = $n;
                $body
            })*
            bits => unreachable!("{bits} bits are not among the sizes"),
        }
    };
}
pub(crate) use with_size;

/// A modulus and what is done modulo it. All have exactly `bits` bits, so that no library takes a shorter path.
pub struct Operands {
    pub bits: u32,
    /// Odd.
    pub modulus: Vec<u8>,
    /// Two different numbers below the modulus.
    pub x: Vec<u8>,
    pub y: Vec<u8>,
    pub exponent: Vec<u8>,
}

impl Operands {
    /// Operands of a length; each `seed` gives others.
    pub fn new(bits: u32, seed: u64) -> Self {
        let mut random = Random(seed);
        // The modulus begins with the bits 11, the others with 10: they are below it.
        let mut number = |second| random.number(bits, second).to_bytes_be();
        let mut modulus = number(true);
        *modulus.last_mut().expect("a modulus has bytes") |= 1;
        Operands { bits, modulus, x: number(false), y: number(false), exponent: number(false) }
    }

    /// What num-bigint makes of the operands, given as (modulus, x, y, exponent).
    pub fn expect(&self, f: impl FnOnce(&BigUint, &BigUint, &BigUint, &BigUint) -> BigUint) -> Vec<u8> {
        let [m, x, y, e] = [&self.modulus, &self.x, &self.y, &self.exponent].map(|bytes| BigUint::from_bytes_be(bytes));
        f(&m, &x, &y, &e).to_bytes_be()
    }
}

/// The generator of Steele, Lea and Flood.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Of exactly `bits` bits, the second highest one as told.
    fn number(&mut self, bits: u32, second: bool) -> BigUint {
        let words: Vec<u8> = (0..bits.div_ceil(64)).flat_map(|_| self.word().to_le_bytes()).collect();
        let bits = u64::from(bits);
        let mut number = BigUint::from_bytes_le(&words) & ((BigUint::from(1u8) << bits) - 1u8);
        number.set_bit(bits - 1, true);
        number.set_bit(bits - 2, second);
        number
    }
}

/// Without leading zeros, as all results are compared.
pub fn trimmed(bytes: &[u8]) -> Vec<u8> {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    bytes[zeros..].to_vec()
}

/// Words of 64 bits, low one first, of numbers given high byte first.
pub fn words(bytes: &[u8], count: usize) -> Vec<u64> {
    let mut words: Vec<u64> =
        bytes.rchunks(8).map(|chunk| chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))).collect();
    assert!(words.len() <= count, "the number is wider than {count} words");
    words.resize(count, 0);
    words
}

/// The other way, without leading zeros.
pub fn bytes(words: &[u64]) -> Vec<u8> {
    let bytes: Vec<u8> = words.iter().rev().flat_map(|word| word.to_be_bytes()).collect();
    trimmed(&bytes)
}
