//! Exponentiation, as a state machine that can be advanced in bounded steps.

use crate::ct::Public;
use crate::limb::{LIMB_BITS, Limb};
use crate::limbs::shift::funnel;
use crate::limbs::table::{self, WINDOW};
use crate::montgomery::modulus::Modulus;
use crate::montgomery::residue::Residue;
use crate::nat::Nat;
use crate::storage::{Limbs, Storage};
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// How much work one call of [`Modulus::advance`] may do, counted in Montgomery multiplications.
///
/// ```
/// use tautochrone::Budget;
/// assert_eq!(Budget::multiplications(100), Budget::multiplications(100));
/// assert_ne!(Budget::UNLIMITED, Budget::multiplications(100));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget(u32);

impl Budget {
    /// To the end in one call.
    ///
    /// ```
    /// # use tautochrone::Budget;
    /// let budget = Budget::UNLIMITED;
    /// # let _ = budget;
    /// ```
    pub const UNLIMITED: Budget = Budget(u32::MAX);

    /// At most so many multiplications (a squaring counts as one), but always at least one whole window.
    ///
    /// ```
    /// # use tautochrone::Budget;
    /// let budget = Budget::multiplications(64);
    /// # let _ = budget;
    /// ```
    pub const fn multiplications(count: u32) -> Budget {
        Budget(count)
    }
}

/// An exponentiation under way: owned, `Send`, wiped on drop. It holds no modulus, so it can be stored beside one.
///
/// Made by [`Modulus::pow_steps`], moved on by [`Modulus::advance`].
///
/// ```
/// use tautochrone::{Budget, Modulus, U256, subtle::ConstantTimeEq};
/// let m = Modulus::new(U256::from_u64(1_000_003)).unwrap();
/// let (base, exponent) = (m.residue(&U256::from_u64(2)), U256::from_u64(1000));
/// let mut steps = m.pow_steps(&base, &exponent);
/// let power = loop {
///     if let Some(power) = m.advance(&mut steps, Budget::multiplications(50)) {
///         break power;
///     }
///     // Here an executor polls something else.
/// };
/// assert!(bool::from(power.ct_eq(&m.pow(&base, &exponent))));
/// ```
pub struct PowSteps<S: Storage, E: Limbs> {
    exponent: Nat<E>,
    /// Rows 0, 1, 2, … of powers of the base; those of `window` bits are used.
    table: Nat<S::Table>,
    /// The power so far.
    power: Nat<S>,
    row: Nat<S>,
    product: Nat<S::Wide>,
    /// Bits of the exponent.
    bits: u32,
    /// Bits of a window, and of an index into the table.
    window: u32,
    next: Next,
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

/// The window that costs least for an exponent of `bits` bits: 2^w − 2 multiplications for the table, one a window.
fn window_for(bits: u32) -> u32 {
    (1..=WINDOW).min_by_key(|w| (1 << w) + bits.div_ceil(*w)).expect("the range is not empty")
}

impl<S: Storage> Modulus<S> {
    /// z := base^exponent mod N, with 0⁰ = 1.
    ///
    /// Sizes: the exponent may have any width. Leaks: the width of the exponent, of which every bit is worked through.
    ///
    /// # Panics
    /// If the base has another width than the modulus.
    ///
    /// ```
    /// use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
    /// let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let z = m.pow(&m.residue(&U256::from_u64(2)), &U256::from_u64(100));
    /// assert!(bool::from(z.ct_eq(&m.one())));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn pow<E: Limbs>(&self, base: &Residue<S>, exponent: &Nat<E>) -> Residue<S> {
        self.pow_bounded(base, exponent, exponent.bits_precision())
    }

    /// z := base^(exponent mod 2^`exponent_bits`) mod N: for an exponent whose length has a public bound.
    ///
    /// Leaks: `exponent_bits`.
    ///
    /// # Panics
    /// If the base has another width than the modulus.
    ///
    /// ```
    /// use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
    /// let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let z = m.pow_bounded(&m.residue(&U256::from_u64(2)), &U256::from_u64(100), 7);
    /// assert!(bool::from(z.ct_eq(&m.one())));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn pow_bounded<E: Limbs>(&self, base: &Residue<S>, exponent: &Nat<E>, exponent_bits: u32) -> Residue<S> {
        let mut steps = self.pow_steps_bounded(base, exponent, exponent_bits);
        self.advance(&mut steps, Budget::UNLIMITED).expect("an unlimited budget reaches the end")
    }

    /// An exponentiation to be advanced step by step; [`pow`](Modulus::pow) is the same run to its end.
    ///
    /// # Panics
    /// If the base has another width than the modulus.
    ///
    /// ```
    /// # use tautochrone::{Budget, Modulus, U256};
    /// let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let mut steps = m.pow_steps(&m.one(), &U256::from_u64(7));
    /// assert!(m.advance(&mut steps, Budget::multiplications(1)).is_none());
    /// assert!(m.advance(&mut steps, Budget::UNLIMITED).is_some());
    /// ```
    #[track_caller]
    pub fn pow_steps<E: Limbs>(&self, base: &Residue<S>, exponent: &Nat<E>) -> PowSteps<S, E> {
        self.pow_steps_bounded(base, exponent, exponent.bits_precision())
    }

    /// [`pow_steps`](Modulus::pow_steps) for an exponent whose length has a public bound.
    ///
    /// # Panics
    /// If the base has another width than the modulus.
    ///
    /// ```
    /// # use tautochrone::{Budget, Modulus, U256};
    /// let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let mut steps = m.pow_steps_bounded(&m.one(), &U256::from_u64(7), 3);
    /// assert!(m.advance(&mut steps, Budget::UNLIMITED).is_some());
    /// ```
    #[track_caller]
    pub fn pow_steps_bounded<E: Limbs>(
        &self,
        base: &Residue<S>,
        exponent: &Nat<E>,
        exponent_bits: u32,
    ) -> PowSteps<S, E> {
        self.assert_own(base);
        let bits = exponent_bits.min(exponent.bits_precision());
        let one = self.one().0;
        let mut table = self.n.table_zeros();
        let rows = table.as_mut_limbs().chunks_exact_mut(one.as_limbs().len());
        rows.zip([&one, &base.0]).for_each(|(row, power)| row.copy_from_slice(power.as_limbs()));
        let mut steps = PowSteps {
            exponent: exponent.clone(),
            table,
            power: one,
            row: self.n.zeros(),
            product: self.n.wide_zeros(),
            bits,
            window: window_for(bits),
            next: Next::Row(1),
        };
        steps.next = if bits == 0 { Next::Done } else { steps.after_row(1) };
        steps
    }

    /// Goes on with an exponentiation for as many whole windows (or rows of its table) as the budget holds, at least
    /// one; the power once it is done, and again whenever it is asked for after that.
    ///
    /// Leaks: the number of calls, which follows from the budget and the widths. Allocates nothing but the result.
    ///
    /// # Panics
    /// If the exponentiation was begun for another width. With another modulus of the same width the result is
    /// meaningless.
    ///
    /// ```
    /// # use tautochrone::{Budget, Modulus, U256, subtle::ConstantTimeEq};
    /// let m = Modulus::new(U256::from_u64(101)).unwrap();
    /// let mut steps = m.pow_steps(&m.residue(&U256::from_u64(3)), &U256::from_u64(100));
    /// while m.advance(&mut steps, Budget::multiplications(12)).is_none() {}
    /// ```
    #[track_caller]
    pub fn advance<E: Limbs>(&self, steps: &mut PowSteps<S, E>, budget: Budget) -> Option<Residue<S>> {
        self.n.assert_same_width(&steps.power);
        let mut left = budget.0;
        loop {
            let cost = steps.cost();
            match steps.next {
                Next::Row(row) => self.fill_row(steps, row as usize),
                Next::Window(low) => self.one_window(steps, low),
                Next::Done => return Some(Residue(steps.power.clone())),
            }
            if budget != Budget::UNLIMITED {
                left = left.saturating_sub(cost);
            }
            if left < steps.cost() {
                return None;
            }
        }
    }

    /// Row i of the table: the square of row i/2, or the base times row i − 1.
    fn fill_row<E: Limbs>(&self, steps: &mut PowSteps<S, E>, i: usize) {
        let (n, t) = (self.n.as_limbs(), steps.product.as_mut_limbs());
        let width = n.len();
        let (done, rest) = steps.table.as_mut_limbs().split_at_mut(i * width);
        let row = &mut rest[..width];
        let even = i.is_multiple_of(2);
        let from = if even { i / 2 } else { i - 1 };
        row.copy_from_slice(&done[from * width..][..width]);
        if even {
            self.backend.mont_square(row, n, *self.n0, t);
        } else {
            self.backend.mont_mul(row, &done[width..2 * width], n, *self.n0, t);
        }
        steps.next = steps.after_row(i as u32);
    }

    /// power := power^(2^w)·base^digit, the digit being the window whose lowest bit is `low`; all rows are read.
    fn one_window<E: Limbs>(&self, steps: &mut PowSteps<S, E>, low: u32) {
        let (n, t) = (self.n.as_limbs(), steps.product.as_mut_limbs());
        let (power, row) = (steps.power.as_mut_limbs(), steps.row.as_mut_limbs());
        let rows = &steps.table.as_limbs()[..n.len() << steps.window];
        let digit = digit(steps.exponent.as_limbs(), low, steps.window.min(steps.bits - low));
        if low + steps.window >= steps.bits {
            table::gather(power, rows, digit);
        } else {
            table::gather(row, rows, digit);
            for _ in 0..steps.window {
                self.backend.mont_square(power, n, *self.n0, t);
            }
            self.backend.mont_mul(power, row, n, *self.n0, t);
        }
        steps.next = if low == 0 { Next::Done } else { Next::Window(low - steps.window) };
    }

    /// z := base^exponent mod N for a **public** exponent.
    ///
    /// Leaks: the exponent, nothing of the base or of N.
    ///
    /// # Panics
    /// If the base has another width than the modulus.
    ///
    /// ```
    /// use tautochrone::{Modulus, Public, U256, subtle::ConstantTimeEq};
    /// let m = Modulus::new(U256::from_u64(1_000_003)).unwrap();
    /// let z = m.pow_vartime(&m.residue(&U256::from_u64(2)), &Public::<U256>::from_u64(65537));
    /// let same = m.pow(&m.residue(&U256::from_u64(2)), &U256::from_u64(65537));
    /// assert!(bool::from(z.ct_eq(&same)));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn pow_vartime<E: Limbs>(&self, base: &Residue<S>, exponent: &Public<Nat<E>>) -> Residue<S> {
        self.assert_own(base);
        let bits = exponent.bits();
        let ones = exponent.as_limbs().iter().map(|limb| limb.count_ones()).sum::<u32>();
        // Bit by bit costs a multiplication for each one, by windows one for each window and for each row.
        let window = window_for(bits);
        if bits == 0 || ones > bits.div_ceil(window) + (1 << window) {
            return self.pow_bounded(base, exponent, bits);
        }
        let (mut power, mut t) = (base.clone(), self.n.wide_zeros());
        let (z, t, n) = (power.as_mut_limbs(), t.as_mut_limbs(), self.n.as_limbs());
        for i in (0..bits - 1).rev() {
            self.backend.mont_square(z, n, *self.n0, t);
            if digit(exponent.as_limbs(), i, 1) == 1 {
                self.backend.mont_mul(z, base.0.as_limbs(), n, *self.n0, t);
            }
        }
        power
    }
}

/// `count` bits of the exponent from bit `low` on, both public.
fn digit(exponent: &[Limb], low: u32, count: u32) -> Limb {
    let (i, bit) = ((low / LIMB_BITS) as usize, low % LIMB_BITS);
    let above = exponent.get(i + 1).copied().unwrap_or(0);
    // Down by `bit` is up by w − bit in the upper word; by 0 it is the limb itself.
    let bits = if bit == 0 { exponent[i] } else { funnel(above, exponent[i], LIMB_BITS - bit) };
    bits & ((1 << count) - 1)
}

impl<S: Storage, E: Limbs> PowSteps<S, E> {
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

impl<S: Storage, E: Limbs> fmt::Debug for PowSteps<S, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PowSteps({} bits, exponent of {} bits)", self.power.bits_precision(), self.bits)
    }
}

impl<S: Storage, E: Limbs> ZeroizeOnDrop for PowSteps<S, E> {}

/// (b₁^e₁ mod N₁, b₂^e₂ mod N₂): two independent exponentiations, as RSA-CRT needs them, which a backend may run at
/// once.
///
/// Sizes and leaks as in [`Modulus::pow`].
///
/// # Panics
/// If a base has another width than its modulus.
///
/// ```
/// use tautochrone::{Modulus, U256, pow_pair, subtle::ConstantTimeEq};
/// let (p, q) = (Modulus::new(U256::from_u64(101)).unwrap(), Modulus::new(U256::from_u64(103)).unwrap());
/// let (e1, e2) = (U256::from_u64(100), U256::from_u64(102));
/// let (x, y) = pow_pair(&p, &p.residue(&U256::from_u64(5)), &e1, &q, &q.residue(&U256::from_u64(5)), &e2);
/// assert!(bool::from(x.ct_eq(&p.one()) & y.ct_eq(&q.one())));
/// ```
#[must_use]
#[track_caller]
pub fn pow_pair<S1: Storage, S2: Storage, E1: Limbs, E2: Limbs>(
    m1: &Modulus<S1>,
    b1: &Residue<S1>,
    e1: &Nat<E1>,
    m2: &Modulus<S2>,
    b2: &Residue<S2>,
    e2: &Nat<E2>,
) -> (Residue<S1>, Residue<S2>) {
    (m1.pow(b1, e1), m2.pow(b2, e2))
}
