//! The forms that powers are computed in: rows of limbs as one backend likes them.

use crate::backend::Backend;
use crate::limb::Limb;
use crate::limbs::table;

/// What the arithmetic of one modulus reads: N, R² mod N and n₀, all secret, and the length of N, which is public.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) n: &'a [Limb],
    pub(crate) rr: &'a [Limb],
    pub(crate) n0: Limb,
    pub(crate) bits: u32,
    pub(crate) backend: Backend,
}

impl Context<'_> {
    /// z := z·b·R⁻¹ mod N
    pub(crate) fn mul(&self, z: &mut [Limb], b: &[Limb], t: &mut [Limb]) {
        self.backend.mont_mul(z, b, self.n, self.n0, t);
    }

    /// z := z²·R⁻¹ mod N
    pub(crate) fn square(&self, z: &mut [Limb], t: &mut [Limb]) {
        self.backend.mont_square(z, self.n, self.n0, t);
    }

    /// z := z·R mod N
    pub(crate) fn enter(&self, z: &mut [Limb], t: &mut [Limb]) {
        self.mul(z, self.rr, t);
    }

    /// z := x·R⁻¹ mod N
    pub(crate) fn leave(&self, z: &mut [Limb], x: &[Limb], t: &mut [Limb]) {
        t[..x.len()].copy_from_slice(x);
        t[x.len()..].fill(0);
        self.backend.reduce(z, t, self.n, self.n0);
    }
}

/// What the limbs of a number below N stand for where it enters or leaves a [`Form`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum As {
    /// a·R mod N for a: a residue.
    Residue,
    /// a itself.
    Nat,
    /// What [`write_product`](Form::write_product) takes as its factor.
    Row,
}

/// Numbers modulo `I` moduli at once, in rows of limbs as one backend likes them.
///
/// `m` is always the contexts, `work` the constants and scratch of the form, filled by `prepare`. Leaks: nothing but
/// public sizes.
pub(crate) trait Form<const I: usize>: Copy {
    /// Limbs of a row.
    fn row(&self) -> usize;
    /// Limbs of `work`.
    fn work(&self) -> usize;
    /// Fills `work`, which is all zero.
    fn prepare(&self, work: &mut [Limb], m: &[Context<'_>; I]);
    /// row := x
    fn read(&self, row: &mut [Limb], x: [&[Limb]; I], what: As, work: &mut [Limb], m: &[Context<'_>; I]);
    /// row := 1
    fn one(&self, row: &mut [Limb], work: &mut [Limb], m: &[Context<'_>; I]);
    /// z := row, fully reduced, as a residue or a number.
    fn write(&self, z: [&mut [Limb]; I], row: &[Limb], what: As, work: &mut [Limb], m: &[Context<'_>; I]);
    /// z := x·b, fully reduced, as a number, for a b read as a [`Row`](As::Row).
    fn write_product(&self, z: [&mut [Limb]; I], x: &[Limb], b: &[Limb], work: &mut [Limb], m: &[Context<'_>; I]);
    /// z := z·b
    fn mul(&self, z: &mut [Limb], b: &[Limb], work: &mut [Limb], m: &[Context<'_>; I]);
    /// z := z²
    fn square(&self, z: &mut [Limb], work: &mut [Limb], m: &[Context<'_>; I]);
    /// z := row `digit` of the table, of which all rows are read; each modulus has a digit of its own.
    fn gather(&self, z: &mut [Limb], table: &[Limb], digit: [Limb; I]);
    /// z := z^(2^squarings)·row, the row being that of `digit`.
    fn window(
        &self,
        z: &mut [Limb],
        table: &[Limb],
        digit: [Limb; I],
        squarings: u32,
        work: &mut [Limb],
        m: &[Context<'_>; I],
    );
}

/// Montgomery form itself: a row is a residue. `work` holds a product and a row.
#[derive(Clone, Copy)]
pub(crate) struct Residues {
    width: usize,
}

impl Residues {
    pub(crate) fn new(m: &Context<'_>) -> Residues {
        Residues { width: m.n.len() }
    }

    /// Limbs of a product.
    fn product(&self) -> usize {
        2 * self.width
    }
}

impl Form<1> for Residues {
    fn row(&self) -> usize {
        self.width
    }

    fn work(&self) -> usize {
        self.product() + self.width
    }

    fn prepare(&self, _: &mut [Limb], _: &[Context<'_>; 1]) {}

    fn read(&self, row: &mut [Limb], [x]: [&[Limb]; 1], what: As, work: &mut [Limb], [m]: &[Context<'_>; 1]) {
        row.copy_from_slice(x);
        if what == As::Nat {
            m.enter(row, &mut work[..self.product()]);
        }
    }

    fn one(&self, row: &mut [Limb], work: &mut [Limb], [m]: &[Context<'_>; 1]) {
        m.leave(row, m.rr, &mut work[..self.product()]);
    }

    fn write(&self, [z]: [&mut [Limb]; 1], row: &[Limb], what: As, work: &mut [Limb], [m]: &[Context<'_>; 1]) {
        match what {
            As::Nat => m.leave(z, row, &mut work[..self.product()]),
            As::Residue | As::Row => z.copy_from_slice(row),
        }
    }

    /// x is x'·R and b a number: x'·R·b·R⁻¹ is a number again.
    fn write_product(&self, [z]: [&mut [Limb]; 1], x: &[Limb], b: &[Limb], work: &mut [Limb], [m]: &[Context<'_>; 1]) {
        z.copy_from_slice(x);
        m.mul(z, b, &mut work[..self.product()]);
    }

    fn mul(&self, z: &mut [Limb], b: &[Limb], work: &mut [Limb], [m]: &[Context<'_>; 1]) {
        m.mul(z, b, &mut work[..self.product()]);
    }

    fn square(&self, z: &mut [Limb], work: &mut [Limb], [m]: &[Context<'_>; 1]) {
        m.square(z, &mut work[..self.product()]);
    }

    fn gather(&self, z: &mut [Limb], table: &[Limb], [digit]: [Limb; 1]) {
        table::gather(z, table, digit);
    }

    fn window(
        &self,
        z: &mut [Limb],
        table: &[Limb],
        [digit]: [Limb; 1],
        squarings: u32,
        work: &mut [Limb],
        [m]: &[Context<'_>; 1],
    ) {
        let (t, row) = work.split_at_mut(self.product());
        table::gather(row, table, digit);
        for _ in 0..squarings {
            m.square(z, t);
        }
        m.mul(z, row, t);
    }
}
