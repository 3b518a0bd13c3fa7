//! The two older shapes of the modular shift, kept so that tests and benches can hold all three side by side.
//!
//! Not part of the API proper: use [`Nat::shl_mod`].

use crate::limbs::shapes;
use crate::nat::Nat;
use crate::storage::Limbs;

/// (a) One bit at a time, each a whole `lshift1` into a temporary that is reduced and copied back.
///
/// z := x·2^k mod m; requires x < m. Leaks: k.
pub fn shl_mod_lshift1<S: Limbs>(x: &Nat<S>, k: u32, m: &Nat<S>) -> Nat<S> {
    x.assert_same_width(m);
    let (mut z, mut twice, mut reduced) = (x.clone(), x.zeros(), x.zeros());
    shapes::lshift1(z.as_mut_limbs(), k, m.as_limbs(), twice.as_mut_limbs(), reduced.as_mut_limbs());
    z
}

/// (b) A doubling loop: one conditional subtraction a bit, one scratch for all.
///
/// z := x·2^k mod m; requires x < m. Leaks: k.
pub fn shl_mod_doubling<S: Limbs>(x: &Nat<S>, k: u32, m: &Nat<S>) -> Nat<S> {
    x.assert_same_width(m);
    let (mut z, mut scratch) = (x.clone(), x.zeros());
    shapes::doubling(z.as_mut_limbs(), k, m.as_limbs(), scratch.as_mut_limbs());
    z
}
