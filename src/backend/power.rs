//! Exponentiations on slices: a schedule that follows from public sizes alone, and a state that it moves on.
//!
//! Powers stand in rows of the [`Form`] that the backend is fastest in, so that nothing is converted between the first
//! row of the table and the last window.

use crate::backend::form::{As, Context, Form, Residues};
use crate::backend::lanes::Lanes;
use crate::backend::x86_64::ifma;
use crate::limb::{LIMB_BITS, Limb};
use crate::limbs::shift::funnel;

/// Bits of the widest window, of that for long exponents, and the bits from which an exponent is long.
const WINDOW: u32 = 5;
const LONG_WINDOW: u32 = 6;
const LONG: u32 = 4096;

/// Limbs of a state, in widths of the modulus, that are enough for windows of [`WINDOW`] bits in every form. That of
/// residues has 3 of work, a power and the table.
pub(crate) const STATE: usize = max(4 + (1 << WINDOW), ifma::STATE);
/// The same for [`raise`]: 3 of work and 3 rows.
pub(crate) const WORK: usize = max(6, ifma::WORK);

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// The form of one modulus's powers.
#[derive(Clone, Copy)]
pub(crate) enum AnyForm {
    Residues(Residues),
    Lanes(Lanes<1>),
}

impl AnyForm {
    pub(crate) fn new(m: &[Context<'_>; 1]) -> AnyForm {
        Lanes::new(m).map_or_else(|| AnyForm::Residues(Residues::new(&m[0])), AnyForm::Lanes)
    }

    /// For [`raise`]: below 800 bits the way into vectors and out of them takes longer than what they save.
    pub(crate) fn for_raising(m: &[Context<'_>; 1]) -> AnyForm {
        if m[0].bits < 800 { AnyForm::Residues(Residues::new(&m[0])) } else { AnyForm::new(m) }
    }
}

/// The methods of a form, from those of the variants.
macro_rules! each_form {
    ($($name:ident($($arg:ident: $t:ty),*) $(-> $result:ty)?;)*) => {
        impl Form<1> for AnyForm {
            $(fn $name(&self, $($arg: $t),*) $(-> $result)? {
                match self {
                    AnyForm::Residues(form) => form.$name($($arg),*),
                    AnyForm::Lanes(form) => form.$name($($arg),*),
                }
            })*
        }
    };
}
each_form! {
    row() -> usize;
    work() -> usize;
    prepare(work: &mut [Limb], m: &[Context<'_>; 1]);
    read(row: &mut [Limb], x: [&[Limb]; 1], what: As, work: &mut [Limb], m: &[Context<'_>; 1]);
    one(row: &mut [Limb], work: &mut [Limb], m: &[Context<'_>; 1]);
    write(z: [&mut [Limb]; 1], row: &[Limb], what: As, work: &mut [Limb], m: &[Context<'_>; 1]);
    write_product(z: [&mut [Limb]; 1], x: &[Limb], b: &[Limb], work: &mut [Limb], m: &[Context<'_>; 1]);
    mul(z: &mut [Limb], b: &[Limb], work: &mut [Limb], m: &[Context<'_>; 1]);
    square(z: &mut [Limb], work: &mut [Limb], m: &[Context<'_>; 1]);
    gather(z: &mut [Limb], table: &[Limb], digit: [Limb; 1]);
    window(z: &mut [Limb], table: &[Limb], digit: [Limb; 1], squarings: u32, work: &mut [Limb], m: &[Context<'_>; 1]);
}

/// What an exponentiation does next. Everything in it is public.
#[derive(Clone, Copy)]
enum Next {
    /// This row of the table.
    Row(u32),
    /// The window whose lowest bit is this one.
    Window(u32),
    Done,
}

/// An exponentiation by fixed windows. The state, whose size it names, is `work`, the power so far, and the table.
#[derive(Clone, Copy)]
pub(crate) struct Steps<F, const I: usize> {
    form: F,
    /// Bits of the exponent.
    bits: u32,
    /// Bits of a window, and of an index into the table.
    window: u32,
    next: Next,
}

impl<F: Form<I>, const I: usize> Steps<F, I> {
    /// For an exponent of `bits` bits and a modulus of `width` limbs. The state has at most [`STATE`] times the width.
    pub(crate) fn new(form: F, bits: u32, width: usize) -> Self {
        let steps = |window| Steps { form, bits, window, next: Next::Done };
        let long = steps(LONG_WINDOW);
        if bits >= LONG && long.limbs() <= STATE * width { long } else { steps(window_for(bits, width)) }
    }

    /// Bits of the exponent.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// Limbs of the state.
    pub(crate) fn limbs(&self) -> usize {
        self.form.work() + (1 + (1 << self.window)) * self.form.row()
    }

    /// (work, power, table) of a state.
    fn parts<'a>(&self, state: &'a mut [Limb]) -> (&'a mut [Limb], &'a mut [Limb], &'a mut [Limb]) {
        let (work, rest) = state[..self.limbs()].split_at_mut(self.form.work());
        let (power, table) = rest.split_at_mut(self.form.row());
        (work, power, table)
    }

    /// Rows 0 and 1 of the table, and 1 as the power so far, into a state that is all zero.
    pub(crate) fn begin(&mut self, state: &mut [Limb], m: &[Context<'_>; I], base: [&[Limb]; I], what: As) {
        let (work, power, table) = self.parts(state);
        let (zeroth, rest) = table.split_at_mut(self.form.row());
        self.form.prepare(work, m);
        self.form.one(zeroth, work, m);
        power.copy_from_slice(zeroth);
        self.form.read(&mut rest[..self.form.row()], base, what, work, m);
        self.next = if self.bits == 0 { Next::Done } else { self.after_row(1) };
    }

    /// Goes on for as many whole windows or rows as the budget holds, at least one; whether it is done.
    pub(crate) fn advance(
        &mut self,
        state: &mut [Limb],
        m: &[Context<'_>; I],
        exponent: [&[Limb]; I],
        mut budget: Option<u32>,
    ) -> bool {
        loop {
            let cost = self.cost();
            match self.next {
                Next::Row(i) => {
                    self.fill_row(state, m, i as usize);
                    self.next = self.after_row(i);
                }
                Next::Window(low) => {
                    self.work_window(state, m, exponent, low);
                    self.next = if low == 0 { Next::Done } else { Next::Window(low - self.window) };
                }
                Next::Done => return true,
            }
            if let Some(left) = &mut budget {
                *left = left.saturating_sub(cost);
                if *left < self.cost() {
                    return false;
                }
            }
        }
    }

    /// z := the power, once it is done. The state stays as it is.
    pub(crate) fn finish(&self, z: [&mut [Limb]; I], state: &mut [Limb], m: &[Context<'_>; I], what: As) {
        let (work, power, _) = self.parts(state);
        self.form.write(z, power, what, work, m);
    }

    /// Row i of the table: the square of row i/2, or the base times row i − 1.
    fn fill_row(&self, state: &mut [Limb], m: &[Context<'_>; I], i: usize) {
        let (work, _, table) = self.parts(state);
        let len = self.form.row();
        let (done, rest) = table.split_at_mut(i * len);
        let row = &mut rest[..len];
        let from = if i.is_multiple_of(2) { i / 2 } else { i - 1 };
        row.copy_from_slice(&done[from * len..][..len]);
        if i.is_multiple_of(2) {
            self.form.square(row, work, m);
        } else {
            self.form.mul(row, &done[len..][..len], work, m);
        }
    }

    /// power := power^(2^w)·base^digit; the top window only sets the power.
    fn work_window(&self, state: &mut [Limb], m: &[Context<'_>; I], exponent: [&[Limb]; I], low: u32) {
        let (work, power, table) = self.parts(state);
        let digit = exponent.map(|exponent| digit(exponent, low, self.window.min(self.bits - low)));
        if low + self.window >= self.bits {
            self.form.gather(power, table, digit);
        } else {
            self.form.window(power, table, digit, self.window, work, m);
        }
    }

    /// What follows row `i` of the table: the next row, or the top window, the one that may be short of bits.
    fn after_row(&self, i: u32) -> Next {
        if i + 1 < 1 << self.window {
            Next::Row(i + 1)
        } else {
            Next::Window((self.bits - 1) / self.window * self.window)
        }
    }

    /// Multiplications of the next step.
    fn cost(&self) -> u32 {
        match self.next {
            Next::Row(_) => 1,
            Next::Window(_) => self.window + 1,
            Next::Done => 0,
        }
    }
}

/// Limbs of the state of [`raise`].
pub(crate) fn raise_limbs<F: Form<1>>(form: &F) -> usize {
    form.work() + 3 * form.row()
}

/// z := x^e mod N, bit by bit: for a public e with few ones. x and z are both residues or both numbers.
///
/// Numbers end with a product by x itself where e is odd: a·R·x·R⁻¹ is a number again.
///
/// Requires: e ≥ 1, `bits` its length, and a state of zeros. Leaks: e.
pub(crate) fn raise<F: Form<1>>(
    form: &F,
    z: &mut [Limb],
    x: &[Limb],
    what: As,
    (e, bits): (&[Limb], u32),
    state: &mut [Limb],
    m: &[Context<'_>; 1],
) {
    let (work, rest) = state.split_at_mut(form.work());
    let (power, rest) = rest.split_at_mut(form.row());
    let (base, last) = rest.split_at_mut(form.row());
    let last = &mut last[..form.row()];
    let by_number = what == As::Nat && bits > 1 && e[0] & 1 == 1;
    form.prepare(work, m);
    form.read(base, [x], what, work, m);
    power.copy_from_slice(base);
    for i in (0..bits - 1).rev() {
        form.square(power, work, m);
        if digit(e, i, 1) == 1 && !(by_number && i == 0) {
            form.mul(power, base, work, m);
        }
    }
    if by_number {
        form.read(last, [x], As::Row, work, m);
        form.write_product([z], power, last, work, m);
    } else {
        form.write([z], power, what, work, m);
    }
}

/// Whether [`raise`] takes fewer multiplications than windows: one for each one of the exponent, not one for each
/// window and row. Leaks: the exponent.
pub(crate) fn is_sparse(e: &[Limb], bits: u32, width: usize) -> bool {
    let ones = e.iter().map(|limb| limb.count_ones()).sum::<u32>();
    let window = window_for(bits, width);
    bits > 0 && ones <= bits.div_ceil(window) + (1 << window)
}

/// The window that costs least for an exponent of `bits` bits: 2^w multiplications for the table, and for each window
/// one and a look-up, which takes about 2^w/(8·width) multiplications where it matters, at few limbs.
fn window_for(bits: u32, width: usize) -> u32 {
    let cost = |w: &u32| {
        let (rows, width) = (1_u64 << w, 8 * width as u64);
        width * rows + u64::from(bits.div_ceil(*w)) * (width + rows)
    };
    (1..=WINDOW).min_by_key(cost).expect("the range is not empty")
}

/// `count` bits of the exponent from bit `low` on, both public; bits above it are zero.
fn digit(exponent: &[Limb], low: u32, count: u32) -> Limb {
    let (i, bit) = ((low / LIMB_BITS) as usize, low % LIMB_BITS);
    let [limb, above] = [i, i + 1].map(|i| exponent.get(i).copied().unwrap_or(0));
    // Down by `bit` is up by w − bit in the upper word; by 0 it is the limb itself.
    let bits = if bit == 0 { limb } else { funnel(above, limb, LIMB_BITS - bit) };
    bits & ((1 << count) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Backend;
    use crate::limb::limbs_for;
    use std::vec;

    /// The states of arrays hold every form, at every length that has one and in the least width.
    #[test]
    fn states_fit_at_every_length() {
        for backend in Backend::available() {
            for bits in 2..=8300 {
                let width = limbs_for(bits);
                let n = vec![Limb::MAX; width];
                let m = [Context { n: &n, rr: &n, n0: 1, bits, backend: backend.serving(bits) }];
                for exponent in [1, bits, LONG] {
                    let limbs = Steps::new(AnyForm::new(&m), exponent, width).limbs();
                    assert!(limbs <= STATE * width, "{bits} bits, {exponent}: {limbs} limbs");
                }
                assert!(raise_limbs(&AnyForm::for_raising(&m)) <= WORK * width, "{bits} bits");
            }
        }
    }
}
