//! Exponentiation, as a state machine that can be advanced in bounded steps.

use crate::backend::form::As;
use crate::backend::lanes::Lanes;
use crate::backend::power::{AnyForm, STATE, Steps, is_sparse, raise, raise_limbs};
use crate::ct::Public;
use crate::limb::LIMB_BITS;
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
    steps: Steps<AnyForm, 1>,
    /// Powers of the base, the power so far, and scratch.
    state: Nat<S::Table>,
    /// Limbs of the modulus.
    width: usize,
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
        let m = [self.context()];
        let mut steps = Steps::new(AnyForm::new(&m), exponent_bits.min(exponent.bits_precision()), m[0].n.len());
        let mut state = self.n.table_zeros(steps.limbs());
        steps.begin(state.as_mut_limbs(), &m, [base.0.as_limbs()], As::Residue);
        PowSteps { exponent: exponent.clone(), steps, state, width: self.n.as_limbs().len() }
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
        let PowSteps { exponent, steps, state, width } = steps;
        assert_eq!(self.n.as_limbs().len(), *width, "operands differ in width (limbs)");
        let (m, state) = ([self.context()], state.as_mut_limbs());
        let budget = (budget != Budget::UNLIMITED).then_some(budget.0);
        steps.advance(state, &m, [exponent.as_limbs()], budget).then(|| {
            let mut z = self.n.zeros();
            steps.finish([z.as_mut_limbs()], state, &m, As::Residue);
            Residue(z)
        })
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
        let mut z = self.n.zeros();
        self.raise(&mut z, &base.0, As::Residue, exponent);
        Residue(z)
    }

    /// z := x^exponent mod N, for a public exponent and an x < N that is as secret as it was.
    #[cfg(feature = "rsa")]
    pub(crate) fn pow_nat_vartime<E: Limbs>(&self, x: &Nat<S>, exponent: &Public<Nat<E>>) -> Nat<S> {
        self.n.assert_same_width(x);
        let mut z = self.n.zeros();
        self.raise(&mut z, x, As::Nat, exponent);
        z
    }

    fn raise<E: Limbs>(&self, z: &mut Nat<S>, x: &Nat<S>, what: As, exponent: &Public<Nat<E>>) {
        let (e, bits, m) = (exponent.as_limbs(), exponent.bits(), [self.context()]);
        let (z, x) = (z.as_mut_limbs(), x.as_limbs());
        if is_sparse(e, bits, m[0].n.len()) {
            let form = AnyForm::for_raising(&m);
            let mut state = self.n.work_zeros(raise_limbs(&form));
            return raise(&form, z, x, what, (e, bits), state.as_mut_limbs(), &m);
        }
        let mut steps = Steps::new(AnyForm::new(&m), bits, m[0].n.len());
        let mut state = self.n.table_zeros(steps.limbs());
        let state = state.as_mut_limbs();
        steps.begin(state, &m, [x], what);
        steps.advance(state, &m, [e], None);
        steps.finish([z], state, &m, what);
    }
}

impl<S: Storage, E: Limbs> fmt::Debug for PowSteps<S, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PowSteps({} bits, exponent of {} bits)", self.width as u32 * LIMB_BITS, self.steps.bits())
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
    m1.assert_own(b1);
    m2.assert_own(b2);
    let (m, bits) = ([m1.context(), m2.context()], e1.bits_precision().max(e2.bits_precision()));
    let width = m1.n.as_limbs().len();
    let steps = Lanes::new(&m).map(|lanes| Steps::new(lanes, bits, width));
    let Some(mut steps) = steps.filter(|steps| steps.limbs() <= STATE * width) else {
        return (m1.pow(b1, e1), m2.pow(b2, e2));
    };
    let (mut z1, mut z2, mut state) = (m1.zero(), m2.zero(), m1.n.table_zeros(steps.limbs()));
    let state = state.as_mut_limbs();
    steps.begin(state, &m, [b1.0.as_limbs(), b2.0.as_limbs()], As::Residue);
    steps.advance(state, &m, [e1.as_limbs(), e2.as_limbs()], None);
    steps.finish([z1.as_mut_limbs(), z2.as_mut_limbs()], state, &m, As::Residue);
    (z1, z2)
}
