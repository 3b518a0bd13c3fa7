//! Whole exponentiations in radix 2⁵², on the 52-bit multiply-add of AVX-512 (IFMA).
//!
//! Layers: [`digits`] (limbs to digits and back, scalar), [`vector`] (registers), [`amm`] (the product), [`layout`]
//! (what callers see). Radix 2⁵² never leaves this folder: limbs come in, limbs go out.
//!
//! A number, or a pair of numbers modulo two moduli, stands in W rows of eight lanes: digit W·l + r of instance h in
//! row r, lane I·l + h, where I is 1 or 2, the number of instances. So a shift by one digit turns row r into row
//! r − 1, which is a renaming of registers, and only one row in W needs its lanes moved. Rows live in the caller's
//! limbs and may move in memory between two calls: every load and store is an unaligned one.

mod digits;

mod vector;

mod amm;

mod layout;

#[cfg(test)]
mod tests;

pub(crate) use layout::Layout;

use crate::backend::x86_64::adx;

/// One register as it lies in memory.
type Row = [u64; 8];
/// Bits of a digit.
const DIGIT: u32 = 52;
/// The largest digit.
const MAX_DIGIT: u64 = (1 << DIGIT) - 1;
/// The most rows that a number takes.
const MAX_ROWS: usize = 20;

/// Proof that this CPU, and its operating system, run everything in this folder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Token {
    scalar: adx::Token,
}

cpufeatures::new!(cpu, "avx512f", "avx512ifma", "avx512vl", "avx512bw", "avx512dq", "bmi2", "adx");

/// Limbs of a state, in widths of the modulus, that are enough for every layout: a pair at 512 bits has rows of three
/// widths, 37 of them, 5 widths more, and 8 limbs.
pub(crate) const STATE: usize = 120;
/// The same for a public exponent: 7 rows of at most two widths, 3 widths and 8 limbs.
pub(crate) const WORK: usize = 18;

impl Token {
    /// None where a feature is missing, BMI2 and ADX among them, so that a scalar operation beside these kernels may
    /// count on them; and none under the taint checker, which knows no AVX-512.
    pub(crate) fn detect() -> Option<Token> {
        let scalar = adx::Token::detect()?;
        (!cfg!(tautochrone_ct) && cpu::get()).then_some(Token { scalar })
    }

    /// The token of the scalar kernels.
    pub(crate) fn scalar(self) -> adx::Token {
        self.scalar
    }
}
