//! The two older shapes of the modular shift, kept so that tests and benches can hold all three side by side.
//!
//! Not part of the API proper: use [`Nat::shl_mod`].

use crate::limbs::{add, cmp, modular};
use crate::nat::Nat;
use crate::storage::Limbs;

/// (a) One bit at a time, each a whole `lshift1` into a temporary that is reduced and copied back.
///
/// z := x·2^k mod m; requires x < m. Leaks: k.
pub fn shl_mod_lshift1<S: Limbs>(x: &Nat<S>, k: u32, m: &Nat<S>) -> Nat<S> {
    x.assert_same_width(m);
    let mut z = x.clone();
    // The temporaries of a step are made and wiped by it, but their memory is asked for once.
    let (mut twice, mut reduced) = (x.zeros(), x.zeros());
    for _ in 0..k {
        twice.as_mut_limbs().copy_from_slice(z.as_limbs());
        let carry = modular::double_plain(twice.as_mut_limbs());
        modular::reduce_once_into(reduced.as_mut_limbs(), twice.as_limbs(), carry, m.as_limbs());
        z.as_mut_limbs().copy_from_slice(reduced.as_limbs());
        zeroize::Zeroize::zeroize(&mut twice);
        zeroize::Zeroize::zeroize(&mut reduced);
    }
    z
}

/// (b) A doubling loop: one conditional subtraction a bit, one scratch for all.
///
/// z := x·2^k mod m; requires x < m. Leaks: k.
pub fn shl_mod_doubling<S: Limbs>(x: &Nat<S>, k: u32, m: &Nat<S>) -> Nat<S> {
    x.assert_same_width(m);
    let mut z = x.clone();
    let mut scratch = x.zeros();
    let (z_limbs, scratch, m) = (z.as_mut_limbs(), scratch.as_mut_limbs(), m.as_limbs());
    for _ in 0..k {
        let carry = modular::double_plain(z_limbs);
        let borrow = add::sub(scratch, z_limbs, m);
        let keep = crate::limb::Mask::of_bit(borrow) & !crate::limb::Mask::of_bit(carry);
        cmp::assign(z_limbs, scratch, !keep);
    }
    z
}
