//! Montgomery arithmetic with mulx, adcx and adox, two chains of carries at a time.
//!
//! A product is rows of eight limbs of one factor over the other one, a reduction eight quotients and rows over the
//! rest of N. What is left where the length is no multiple of eight goes into widths of four to nine.

mod asm;
#[cfg(test)]
mod tests;

use crate::backend::kernels::Kernels as Interface;
use crate::limb::{LIMB_BITS, Limb, Mask, mul_add};
use crate::limbs::rows::{Portable, Rows};
use crate::limbs::{add, div, modular, montgomery, mul, rows};
use asm::{
    KERNELS, Kernels, double_and_add_squares, reduce_once, shifted_rows, shifted_rows_8, sub_scaled, upper_columns_8,
};
use zeroize::Zeroize;

/// The limb of these kernels.
const _: () = assert!(LIMB_BITS == 64);

#[cfg(not(tautochrone_ct))]
cpufeatures::new!(detected, "bmi2", "adx");
// Valgrind runs adcx and adox, and does not report them.
#[cfg(tautochrone_ct)]
cpufeatures::new!(detected, "bmi2");

/// The proof that this CPU has bmi2 and adx: only [`detect`](Token::detect) makes one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Token(());

/// The widths of the kernels.
const LEAST: usize = 4;
const MOST: usize = 9;

/// The width of the next chunk where `left` ≥ 4 limbs are left: eight as long as the rest is one chunk or two.
#[inline(always)]
fn width(left: usize) -> usize {
    match left {
        0..=MOST => left,
        10 => 5,
        11 => 6,
        _ => 8,
    }
}

/// The kernels for the next chunk, and its width.
#[inline(always)]
fn next(left: usize) -> (&'static Kernels, usize) {
    let width = width(left);
    (&KERNELS[width - LEAST], width)
}

/// m₁ where −N⁻¹ mod B² = m₁·B + n₀, for N of at least two limbs, the low ones l and h.
///
/// With n₀·l + 1 = k·B, k ≤ B as n₀, l < B: (m₁·B + n₀)(h·B + l) ≡ −1 + B·(k + n₀·h + m₁·l), so m₁ = n₀·(k + n₀·h).
#[inline(always)]
fn second_limb(n: &[Limb], n0: Limb) -> Limb {
    let k = mul_add(n0, n[0], 1, 0).1;
    n0.wrapping_mul(k.wrapping_add(n0.wrapping_mul(n[1])))
}

impl Token {
    /// A token if the CPU has what the kernels need.
    pub(crate) fn detect() -> Option<Token> {
        detected::get().then_some(Token(()))
    }
}

impl Interface for Token {
    /// Those of the bodies below; a token alone reaches them.
    type Rows = Portable;

    /// z := z·b·R⁻¹ mod N, see [`montgomery::mont_mul`].
    #[inline]
    fn mont_mul(self, z: &mut [Limb], b: &[Limb], n: &[Limb], n0: Limb, t: &mut [Limb]) {
        let len = n.len();
        assert!(z.len() == len && b.len() == len && t.len() == 2 * len);
        match len {
            0..LEAST => {
                // SAFETY: the token proves the target features.
                unsafe { compiled::mont_mul(z, b, n, n0, t) }
            }
            LEAST..=MOST => {
                let (kernels, m1) = (&KERNELS[len - LEAST], second_limb(n, n0));
                // SAFETY: the token proves the instructions; the lengths are asserted above.
                unsafe {
                    let (z, b, n, t) = (z.as_mut_ptr(), b.as_ptr(), n.as_ptr(), t.as_mut_ptr());
                    (kernels.mont_mul)(z, b, n, n0, m1, t);
                }
            }
            _ => {
                self.mul(t, z, b);
                self.reduce(z, t, n, n0);
            }
        }
    }

    /// z := z²·R⁻¹ mod N, see [`montgomery::mont_square`].
    #[inline]
    fn mont_square(self, z: &mut [Limb], n: &[Limb], n0: Limb, t: &mut [Limb]) {
        let len = n.len();
        assert!(z.len() == len && t.len() == 2 * len);
        if let LEAST..=MOST = len {
            let (kernels, m1) = (&KERNELS[len - LEAST], second_limb(n, n0));
            // SAFETY: the token proves the instructions; the lengths are asserted above.
            unsafe {
                let (z, n, t) = (z.as_mut_ptr(), n.as_ptr(), t.as_mut_ptr());
                (kernels.mont_square)(z, z, n, n0, m1, t);
            }
        } else {
            self.square(t, z);
            self.reduce(z, t, n, n0);
        }
    }

    /// z := t·R⁻¹ mod N; t is used up, see [`montgomery::reduce`].
    fn reduce(self, z: &mut [Limb], t: &mut [Limb], n: &[Limb], n0: Limb) {
        let len = n.len();
        assert!(z.len() == len && t.len() == 2 * len);
        if len < LEAST {
            // SAFETY: the token proves the target features.
            return unsafe { compiled::reduce(z, t, n, n0) };
        }
        let (m1, mut done, mut carry) = (second_limb(n, n0), 0, 0);
        while done < len {
            let (kernels, width) = next(len - done);
            let t = &mut t[done..done + len + width];
            // SAFETY: the token proves the instructions; N has at least `width` limbs, and t is `width` longer.
            carry = unsafe { (kernels.reduce_rows)(t.as_mut_ptr(), n.as_ptr(), len, n0, m1, carry) };
            done += width;
        }
        // SAFETY: the token proves the instructions; z and N are `len` long, as is the high half of t.
        unsafe { reduce_once(z.as_mut_ptr(), t[len..].as_ptr(), n.as_ptr(), len, carry) };
    }

    /// z := a·b, see [`mul::mul`].
    fn mul(self, z: &mut [Limb], a: &[Limb], b: &[Limb]) {
        assert_eq!(z.len(), a.len() + b.len());
        // The rows go over a, and b is cut up.
        let (a, b) = if b.len() < LEAST { (b, a) } else { (a, b) };
        if b.len() < LEAST {
            // SAFETY: the token proves the target features.
            return unsafe { compiled::mul(z, a, b) };
        }
        if a.is_empty() {
            z.fill(0);
            return;
        }
        if a.len() == b.len() && KARATSUBA.contains(&a.len()) {
            return karatsuba(self, z, a, b);
        }
        let mut done = 0;
        while done < b.len() {
            let (kernels, width) = next(b.len() - done);
            let (z, b) = (&mut z[done..done + a.len() + width], &b[done..done + width]);
            // SAFETY: the token proves the instructions; a is not empty, b is `width` long and z as long as both.
            let rows = if done == 0 { kernels.mul_first } else { kernels.mul_rows };
            unsafe { rows(z.as_mut_ptr(), a.as_ptr(), a.len(), b.as_ptr()) };
            done += width;
        }
    }

    /// z := a², see [`mul::square`].
    fn square(self, z: &mut [Limb], a: &[Limb]) {
        let len = a.len();
        assert_eq!(z.len(), 2 * len);
        if len < LEAST {
            // SAFETY: the token proves the target features.
            return unsafe { compiled::square(z, a) };
        }
        let mut done = 0;
        while done < len {
            let (kernels, width) = next(len - done);
            let (z, a) = (&mut z[2 * done..done + len + width], &a[done..]);
            // SAFETY: the token proves the instructions; a has at least `width` limbs, and z is `width` longer.
            let rows = if done == 0 { kernels.triangle_first } else { kernels.triangle_rows };
            unsafe { rows(z.as_mut_ptr(), a.as_ptr(), a.len()) };
            done += width;
        }
        // SAFETY: the token proves the instructions; z is twice as long as a, which is not empty.
        unsafe { double_and_add_squares(z.as_mut_ptr(), a.as_ptr(), len) };
    }

    /// z := R² mod N, see [`montgomery::r_squared`].
    fn r_squared<const VARTIME: bool>(self, z: &mut [Limb], n: &[Limb], bits: u32, d: &mut [Limb]) {
        // SAFETY: the token proves the target features.
        unsafe { compiled::r_squared::<VARTIME>(z, n, bits, d) }
    }

    /// r := r·2^k mod N for N of public length, see [`montgomery::shl`].
    fn shl(self, r: &mut [Limb], k: u32, n: &[Limb], bits: u32, d: &mut [Limb]) {
        // SAFETY: the token proves the target features.
        unsafe { compiled::shl(r, k, n, bits, d) }
    }

    /// r := r·2^k mod m, see [`modular::shl_mod`].
    fn shl_mod(self, r: &mut [Limb], k: u32, m: &[Limb], scratch: &mut [Limb]) {
        // SAFETY: the token proves the target features.
        unsafe { compiled::shl_mod(r, k, m, scratch) }
    }

    /// See [`div::div_rem`].
    #[allow(clippy::too_many_arguments, reason = "Those of the portable body.")]
    fn div_rem(
        self,
        q: Option<&mut [Limb]>,
        r: &mut [Limb],
        u: &[Limb],
        d: &[Limb],
        min_bits: u32,
        t: &mut [Limb],
        c: &mut [Limb],
    ) {
        // SAFETY: the token proves the target features.
        unsafe { compiled::div_rem(q, r, u, d, min_bits, t, c) }
    }

    /// See [`div::div_rem_vartime`].
    fn div_rem_vartime(self, q: &mut [Limb], r: &mut [Limb], d: &[Limb], c: &mut [Limb]) {
        // SAFETY: the token proves the target features.
        unsafe { compiled::div_rem_vartime(q, r, d, c) }
    }
}

/// Lengths at which three products of half the length and the sums around them are faster than the rows.
const KARATSUBA: core::ops::RangeInclusive<usize> = 56..=128;

/// z := a·b, a = a₁·B^l + a₀ and b alike: the middle is a₀b₀ + a₁b₁ + (a₀ − a₁)(b₁ − b₀).
///
/// A difference below zero is kept as d = difference + s·B^l, s = 1. Then the product of both is
/// dₐ·d_b − (sₐ·d_b + s_b·dₐ)·B^l + sₐs_b·B^2l, added up mod B^(2l+1); the middle is not negative and below 2B^2l.
///
/// Sizes: a and b of n limbs alike in `KARATSUBA`, z of 2n. Leaks: nothing. Karatsuba and Ofman, 1962.
fn karatsuba(token: Token, z: &mut [Limb], a: &[Limb], b: &[Limb]) {
    let n = a.len();
    let l = n.div_ceil(2);
    let ((a0, a1), (b0, b1)) = (a.split_at(l), b.split_at(l));
    let mut middle = [0; *KARATSUBA.end() + 1];
    let middle = &mut middle[..2 * l + 1];
    let (da, rest) = z.split_at_mut(l);
    let db = &mut rest[..l];
    da.copy_from_slice(a0);
    let sa = add::sub_assign(da, a1);
    db[n - l..].fill(0);
    db[..n - l].copy_from_slice(b1);
    let sb = add::sub_assign(db, b0);
    token.mul(&mut middle[..2 * l], da, db);
    let high = &mut middle[l..2 * l];
    let borrow = add::sub_masked(high, db, Mask::of_bit(sa)) + add::sub_masked(high, da, Mask::of_bit(sb));
    middle[2 * l] = (sa & sb).wrapping_sub(borrow);

    let (low, high) = z.split_at_mut(2 * l);
    token.mul(low, a0, b0);
    token.mul(high, a1, b1);
    add::add_assign(middle, low);
    add::add_assign(middle, high);
    add::add_assign(&mut z[l..], middle);
    middle.zeroize();
}

/// The rows of bodies that are compiled for these instructions. Only they may name it: nothing here asks for a token.
pub(crate) struct Adx;

/// From here on the row in assembly is the faster one.
const LONG: usize = 12;

impl Rows for Adx {
    const DIGITS: usize = 8;

    #[inline(always)]
    fn mul_add_block<const W: usize>(w: &mut [Limb; W], t: &mut [Limb], a: &[Limb], b: &[Limb; W]) {
        Portable::mul_add_block(w, t, a, b);
    }

    #[inline(always)]
    fn mul_add_shifted<const W: usize>(
        w: &mut [Limb; W],
        t: &mut [Limb],
        low: &[Limb; W],
        a: &[Limb],
        b: &[Limb; W],
    ) -> [Limb; W] {
        let rows = match W {
            4 if a.len() >= LONG => shifted_rows,
            8 if a.len() >= LONG => shifted_rows_8,
            _ => return Portable::mul_add_shifted(w, t, low, a, b),
        };
        assert_eq!(t.len(), a.len());
        let mut low = *low;
        // SAFETY: the bodies with these rows run behind a token alone; W is that of the rows, and the lengths are alike
        // and at least 4.
        unsafe { rows(t.as_mut_ptr(), a.as_ptr(), a.len(), b.as_ptr(), low.as_mut_ptr(), w.as_mut_ptr()) };
        low
    }

    #[inline(always)]
    fn sub_masked(z: &mut [Limb], x: &[Limb], mask: Mask) {
        assert_eq!(z.len(), x.len());
        let z = z.as_mut_ptr();
        // SAFETY: the bodies with these rows run behind a token alone; the lengths are alike.
        unsafe { sub_scaled(z, z, x.as_ptr(), x.len(), mask.bit()) };
    }

    #[inline(always)]
    fn upper_columns<const J: usize, const K: usize>(rho: &[Limb; K], v: &[Limb; K]) -> [Limb; K] {
        if (J, K) != (8, 9) {
            return rows::upper_columns::<J, K>(rho, v);
        }
        let mut sum = [0; K];
        // SAFETY: the bodies with these rows run behind a token alone; all are of nine limbs.
        unsafe { upper_columns_8(sum.as_mut_ptr(), rho.as_ptr(), v.as_ptr()) };
        sum
    }
}

/// Bodies of `limbs/`, compiled for these instructions.
mod compiled {
    use super::*;

    macro_rules! bodies {
        ($($name:ident $(<const $flag:ident: bool>)? ($($arg:ident: $t:ty),*) = $body:path;)*) => {$(
            #[target_feature(enable = "bmi2,adx")]
            pub(super) fn $name $(<const $flag: bool>)? ($($arg: $t),*) {
                $body($($arg),*);
            }
        )*};
    }

    bodies! {
        mul(z: &mut [Limb], a: &[Limb], b: &[Limb]) = mul::mul::<Portable>;
        square(z: &mut [Limb], a: &[Limb]) = mul::square::<Portable>;
        reduce(z: &mut [Limb], t: &mut [Limb], n: &[Limb], n0: Limb) = montgomery::reduce::<Portable>;
        mont_mul(z: &mut [Limb], b: &[Limb], n: &[Limb], n0: Limb, t: &mut [Limb]) = montgomery::mont_mul::<Portable>;
        r_squared<const VARTIME: bool>(z: &mut [Limb], n: &[Limb], bits: u32, d: &mut [Limb])
            = montgomery::r_squared::<Adx, VARTIME>;
        shl(r: &mut [Limb], k: u32, n: &[Limb], bits: u32, d: &mut [Limb]) = montgomery::shl::<Adx>;
        shl_mod(r: &mut [Limb], k: u32, m: &[Limb], scratch: &mut [Limb]) = modular::shl_mod::<Adx>;
        div_rem(
            q: Option<&mut [Limb]>,
            r: &mut [Limb],
            u: &[Limb],
            d: &[Limb],
            min_bits: u32,
            t: &mut [Limb],
            c: &mut [Limb]
        ) = div::div_rem::<Adx>;
        div_rem_vartime(q: &mut [Limb], r: &mut [Limb], d: &[Limb], c: &mut [Limb])
            = div::div_rem_vartime::<Adx>;
    }
}
