//! What callers see: numbers of a public length in rows, and the steps of an exponentiation on them.

use super::amm::{Amm, amm, stride};
use super::digits::{multiple, pack, split, subtract};
use super::vector::{gather, wipe_registers};
use super::{DIGIT, MAX_DIGIT, MAX_ROWS, Row, Token};

/// How I numbers modulo I moduli of at most `bits` bits stand in rows. Made of public sizes alone.
///
/// A caller holds flat limbs: one context for the moduli, and rows of [`row`](Layout::row) limbs for numbers. Rows
/// hold digits of values x·R mod N, not always reduced; they mean nothing outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout<const I: usize> {
    token: Token,
    /// R = 2^(52·digits).
    digits: usize,
    /// Rows of eight lanes.
    width: usize,
    /// Whether products are reduced by a multiple of N that is −1 mod 2⁵².
    multiple: bool,
}

/// The kernels of one width.
struct Kernels {
    /// Modulo N.
    plain: Amm,
    /// Modulo N, or modulo its multiple where that is faster.
    fast: Amm,
    gather: unsafe fn(&mut [Row], &[Row], [u64; 2]),
}

/// The pieces of a context.
struct Parts<'a> {
    n: &'a [Row],
    k0: [u64; 2],
    /// M + 1 for the multiple M, where that is used.
    multiple: &'a [Row],
}

/// Rows for which there are kernels. Numbers of another width are padded: every width would cost three times the code.
const WIDTHS: [usize; 10] = [2, 3, 4, 5, 6, 8, 10, 12, 15, MAX_ROWS];

/// The most rows of a layout. Pairs end at 15, 3118 bits: from there two singles take no longer than a pair of 20 rows.
const fn max_rows(instances: usize) -> usize {
    if instances == 1 { MAX_ROWS } else { 15 }
}

/// The multiple of N spares a product in the chain of each quotient digit, and row 0 its quotient, for one digit more.
///
/// Measured, a product of K digits against one of K + 1 with the multiple. Singles gain 5 to 20 % where the rows stay as
/// many, and up to 5 rows, where the chain is the bound, also for one row more; at 2048 bits 5 rows and 6 take the same
/// time, and 5 make the smaller table. Pairs are bound by their products: 5 % at 8 rows (1536 bits), nothing at 10 and
/// above, and at 1024 and 2048 bits the digit more would need more rows. So pairs have it at 8 rows alone, which also
/// keeps the code small.
const fn has_multiple<const I: usize>(width: usize) -> bool {
    I == 1 || width == 8
}

impl<const I: usize> Layout<I> {
    /// None if `bits` is below 512 or too long for the rows there are: above 8192 for one, 3118 for a pair.
    ///
    /// All moduli of one layout have one number of digits, whatever their own lengths.
    pub(crate) fn new(token: Token, bits: u32) -> Option<Self> {
        const { assert!(I == 1 || I == 2) };
        if !(512..=8192).contains(&bits) {
            return None;
        }
        // R > 4N for N < 2^bits. The multiple is below 2^(bits + 52): one digit more.
        let digits = (bits + 2).div_ceil(DIGIT) as usize;
        let plain = Layout::with_digits(token, digits, false)?;
        let rows = if I == 1 { plain.width.max(5) } else { plain.width };
        let multiple = Layout::with_digits(token, digits + 1, true);
        multiple.filter(|layout| has_multiple::<I>(layout.width) && layout.width <= rows).or(Some(plain))
    }

    fn with_digits(token: Token, digits: usize, multiple: bool) -> Option<Self> {
        let width = WIDTHS.into_iter().find(|width| width * 8 >= digits * I && *width <= max_rows(I))?;
        Some(Layout { token, digits: digits.next_multiple_of(stride(width)), width, multiple })
    }

    /// Limbs of a row: I numbers.
    pub(crate) fn row(&self) -> usize {
        8 * self.width
    }

    /// Limbs of a context: the moduli in rows, and one row for a factor.
    pub(crate) fn context(&self) -> usize {
        8 + self.row() * (2 + usize::from(self.multiple))
    }

    /// r with R = 2^r: what [`enter`](Layout::enter) takes is x·2^r mod N.
    pub(crate) fn r_bits(&self) -> u32 {
        self.digits as u32 * DIGIT
    }

    fn parts<'a>(&self, context: &'a [u64]) -> Parts<'a> {
        let (head, rows) = rows(context).split_at(1);
        let (n, rows) = rows.split_at(self.width);
        Parts { n, k0: [head[0][0], head[0][1]], multiple: &rows[..if self.multiple { self.width } else { 0 }] }
    }

    /// What is derived from the moduli, and the row for a factor.
    fn parts_mut<'a>(&self, context: &'a mut [u64]) -> (Parts<'a>, &'a mut [Row]) {
        assert_eq!(context.len(), self.context());
        let (fixed, factor) = context.split_at_mut(self.context() - self.row());
        (self.parts(fixed), rows_mut(factor))
    }

    /// context := the moduli n, with what is derived from them. `n0` holds −n⁻¹ mod 2⁶⁴ each.
    ///
    /// Requires: n odd and of at most as many bits as the layout.
    pub(crate) fn begin(&self, context: &mut [u64], n: [&[u64]; I], n0: [u64; I]) {
        assert_eq!(context.len(), self.context());
        context.fill(0);
        let (head, rows) = rows_mut(context).split_at_mut(1);
        let (n_rows, rows) = rows.split_at_mut(self.width);
        for h in 0..I {
            let k0 = n0[h] & MAX_DIGIT;
            head[0][h] = k0;
            split::<I>(n_rows, h, n[h]);
            if self.multiple {
                multiple::<I>(&mut rows[..self.width], n_rows, h, k0);
            }
        }
    }

    /// row := the digits of x.
    ///
    /// Requires: each x below its N, or below twice that.
    pub(crate) fn enter(&self, row: &mut [u64], x: [&[u64]; I]) {
        assert_eq!(row.len(), self.row());
        for (h, x) in x.into_iter().enumerate() {
            split::<I>(rows_mut(row), h, x);
        }
    }

    /// z := z·a·R⁻¹, almost reduced.
    pub(crate) fn mul(&self, context: &[u64], z: &mut [u64], a: &[u64]) {
        self.run(&self.parts(context), rows_mut(z), Some(rows(a)), 1);
    }

    /// z := z^(2^times) in Montgomery form, almost reduced.
    pub(crate) fn square(&self, context: &[u64], z: &mut [u64], times: u32) {
        self.run(&self.parts(context), rows_mut(z), None, times);
    }

    /// z := for each instance h its number in entry `index[h]` of the table.
    ///
    /// Requires: indices below the number of entries. Leaks: nothing; every row is read.
    pub(crate) fn gather(&self, z: &mut [u64], table: &[u64], index: [u64; I]) {
        self.look_up(rows_mut(z), rows(table), index);
    }

    /// power := power^(2^w)·(entry `index` of the table): one window of an exponentiation.
    ///
    /// Requires: indices below the number of entries. Leaks: w.
    pub(crate) fn window(&self, context: &mut [u64], power: &mut [u64], table: &[u64], index: [u64; I], w: u32) {
        let (parts, factor) = self.parts_mut(context);
        let power = rows_mut(power);
        // First, since nothing waits for it: the squarings begin before it ends.
        self.look_up(factor, rows(table), index);
        self.run(&parts, power, None, w);
        self.run(&parts, power, Some(factor), 1);
        self.wipe();
    }

    /// z := row·R⁻¹ mod N, fully reduced, from a row in Montgomery form, which is used up.
    pub(crate) fn leave(&self, context: &mut [u64], row: &mut [u64], z: [&mut [u64]; I]) {
        let (parts, factor) = self.parts_mut(context);
        factor.as_flattened_mut().fill(0);
        factor[0][..I].fill(1);
        self.finish(&parts, row, factor, z);
    }

    /// z := row·a·R⁻¹ mod N, fully reduced: row in Montgomery form by a in none, as [`enter`](Layout::enter) makes
    /// it of plain limbs; the row is used up.
    ///
    /// Requires: a < N.
    pub(crate) fn leave_times(&self, context: &[u64], row: &mut [u64], a: &[u64], z: [&mut [u64]; I]) {
        self.finish(&self.parts(context), row, rows(a), z);
    }

    /// The product modulo N itself, and one subtraction.
    ///
    /// The row is below 2M < R/2, for M = N or its multiple. With a < N the product is below (R/2)·N/R + N = 3N/2,
    /// with a = 1 at most N, which it is for row ≡ 0: either way one masked subtraction is all.
    fn finish(&self, parts: &Parts, row: &mut [u64], a: &[Row], z: [&mut [u64]; I]) {
        let row = rows_mut(row);
        // SAFETY: the token says that the CPU has the features.
        unsafe { (self.kernels().plain)(row, Some(a), parts.n, parts.k0, self.digits, 1) };
        for (h, z) in z.into_iter().enumerate() {
            subtract::<I>(row, parts.n, h);
            pack::<I>(z, row, h);
        }
        self.wipe();
    }

    fn run(&self, parts: &Parts, z: &mut [Row], b: Option<&[Row]>, times: u32) {
        let n = if self.multiple { parts.multiple } else { parts.n };
        // SAFETY: the token says that the CPU has the features.
        unsafe { (self.kernels().fast)(z, b, n, parts.k0, self.digits, times) };
    }

    fn look_up(&self, z: &mut [Row], table: &[Row], index: [u64; I]) {
        assert!(z.len() == self.width && table.len().is_multiple_of(self.width));
        // SAFETY: the token says that the CPU has the features.
        unsafe { (self.kernels().gather)(z, table, [index[0], index[I - 1]]) };
    }

    fn wipe(&self) {
        // SAFETY: the token says that the CPU has the features.
        unsafe { wipe_registers() };
    }

    fn kernels(&self) -> Kernels {
        macro_rules! widths {
            ($($w:literal)*) => {
                match self.width {
                    $($w => Kernels::of_width::<I, $w>(self.multiple),)*
                    _ => unreachable!("a layout has one of the widths"),
                }
            };
        }
        widths!(2 3 4 5 6 8 10 12 15 20)
    }
}

impl Kernels {
    /// Code for layouts that exist, and for no others.
    fn of_width<const I: usize, const W: usize>(multiple: bool) -> Kernels {
        if const { W > max_rows(I) } {
            unreachable!("a pair has fewer rows");
        }
        let plain = amm::<I, W, false>;
        let fast = if const { has_multiple::<I>(W) } && multiple { amm::<I, W, true> } else { plain as Amm };
        Kernels { plain, fast, gather: gather::<W> }
    }
}

fn rows(limbs: &[u64]) -> &[Row] {
    limbs.as_chunks().0
}

fn rows_mut(limbs: &mut [u64]) -> &mut [Row] {
    limbs.as_chunks_mut().0
}
