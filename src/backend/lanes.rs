//! Powers in vectors of digits: the IFMA backend's form, for one modulus or for two at once.

use crate::backend::Backend;
use crate::backend::form::{As, Context, Form};
use crate::backend::x86_64::ifma::Layout;
use crate::limb::Limb;

/// `work` holds the context of the kernels, a row, a product, and a number for each modulus.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<const I: usize> {
    layout: Layout<I>,
    /// Limbs of the widest modulus.
    width: usize,
}

struct Work<'a> {
    context: &'a mut [Limb],
    row: &'a mut [Limb],
    product: &'a mut [Limb],
    numbers: &'a mut [Limb],
}

impl<const I: usize> Lanes<I> {
    /// None unless all moduli are on the IFMA backend and of lengths that it serves together.
    pub(crate) fn new(m: &[Context<'_>; I]) -> Option<Self> {
        let longest = m.iter().map(|m| m.bits).max()?;
        let width = m.iter().map(|m| m.n.len()).max()?;
        // Alone at 512 bits the scalar kernels are faster by a fifth.
        if I == 1 && longest <= 512 {
            return None;
        }
        // A modulus that is much shorter than the other one is faster alone.
        if m.iter().any(|m| m.bits < longest / 4 * 3) {
            return None;
        }
        let mut layout = None;
        for m in m {
            let Backend::Ifma(token) = m.backend else { return None };
            layout = Layout::new(token, longest);
        }
        Some(Lanes { layout: layout?, width })
    }

    fn parts<'a>(&self, work: &'a mut [Limb]) -> Work<'a> {
        let (context, rest) = work.split_at_mut(self.layout.context());
        let (row, rest) = rest.split_at_mut(self.layout.row());
        let (product, numbers) = rest.split_at_mut(2 * self.width);
        Work { context, row, product, numbers }
    }

    fn context<'a>(&self, work: &'a mut [Limb]) -> &'a mut [Limb] {
        &mut work[..self.layout.context()]
    }

    /// row := numbers·R, with R that of the digits.
    fn enter_numbers(&self, row: &mut [Limb], work: Work<'_>, m: &[Context<'_>; I]) {
        let Work { product, numbers, .. } = work;
        for (x, m) in numbers.chunks_exact_mut(self.width).zip(m) {
            let len = m.n.len();
            m.backend.shl(&mut x[..len], self.layout.r_bits(), m.n, m.bits, &mut product[..len]);
        }
        let mut x = numbers.chunks_exact(self.width);
        self.layout.enter(row, m.map(|m| &x.next().expect("one number each")[..m.n.len()]));
    }
}

impl<const I: usize> Form<I> for Lanes<I> {
    fn row(&self) -> usize {
        self.layout.row()
    }

    fn work(&self) -> usize {
        self.layout.context() + self.layout.row() + (2 + I) * self.width
    }

    fn prepare(&self, work: &mut [Limb], m: &[Context<'_>; I]) {
        self.layout.begin(self.context(work), m.map(|m| m.n), m.map(|m| m.n0));
    }

    fn read(&self, row: &mut [Limb], x: [&[Limb]; I], what: As, work: &mut [Limb], m: &[Context<'_>; I]) {
        if what == As::Row {
            return self.layout.enter(row, x);
        }
        let parts = self.parts(work);
        for ((z, x), m) in parts.numbers.chunks_exact_mut(self.width).zip(x).zip(m) {
            let z = &mut z[..x.len()];
            match what {
                As::Residue => m.leave(z, x, &mut parts.product[..2 * x.len()]),
                As::Nat | As::Row => z.copy_from_slice(x),
            }
        }
        self.enter_numbers(row, parts, m);
    }

    fn one(&self, row: &mut [Limb], work: &mut [Limb], m: &[Context<'_>; I]) {
        let parts = self.parts(work);
        parts.numbers.fill(0);
        parts.numbers.chunks_exact_mut(self.width).for_each(|x| x[0] = 1);
        self.enter_numbers(row, parts, m);
    }

    fn write(&self, mut z: [&mut [Limb]; I], row: &[Limb], what: As, work: &mut [Limb], m: &[Context<'_>; I]) {
        let parts = self.parts(work);
        parts.row.copy_from_slice(row);
        self.layout.leave(parts.context, parts.row, z.each_mut().map(|z| &mut z[..]));
        if what == As::Residue {
            for (z, m) in z.into_iter().zip(m) {
                m.enter(z, &mut parts.product[..2 * m.n.len()]);
            }
        }
    }

    fn write_product(&self, z: [&mut [Limb]; I], x: &[Limb], b: &[Limb], work: &mut [Limb], _: &[Context<'_>; I]) {
        let parts = self.parts(work);
        parts.row.copy_from_slice(x);
        self.layout.leave_times(parts.context, parts.row, b, z);
    }

    fn mul(&self, z: &mut [Limb], b: &[Limb], work: &mut [Limb], _: &[Context<'_>; I]) {
        self.layout.mul(self.context(work), z, b);
    }

    fn square(&self, z: &mut [Limb], work: &mut [Limb], _: &[Context<'_>; I]) {
        self.layout.square(self.context(work), z, 1);
    }

    fn gather(&self, z: &mut [Limb], table: &[Limb], digit: [Limb; I]) {
        self.layout.gather(z, table, digit);
    }

    fn window(
        &self,
        z: &mut [Limb],
        table: &[Limb],
        digit: [Limb; I],
        squarings: u32,
        work: &mut [Limb],
        _: &[Context<'_>; I],
    ) {
        self.layout.window(self.context(work), z, table, digit, squarings);
    }
}
