//! The two older shapes of the modular left shift, one step a bit, beside which [`modular::shl_mod`] is held.

use crate::limb::{Limb, Mask};
use crate::limbs::{add, cmp, modular};
use zeroize::Zeroize;

/// z := z·2^k mod m, (a): each bit a whole doubling into a temporary, a reduction into a second one, and a copy back;
/// both are wiped after the step, as if they had been made for it.
///
/// Sizes: all alike. Requires: z < m. Leaks: k.
pub(crate) fn lshift1(z: &mut [Limb], k: u32, m: &[Limb], twice: &mut [Limb], reduced: &mut [Limb]) {
    for _ in 0..k {
        twice.copy_from_slice(z);
        let carry = modular::double_plain(twice);
        modular::reduce_once_into(reduced, twice, carry, m);
        z.copy_from_slice(reduced);
        twice.zeroize();
        reduced.zeroize();
    }
}

/// z := z·2^k mod m, (b): each bit a doubling and one conditional subtraction, with one scratch for all.
///
/// Sizes: all alike. Requires: z < m. Leaks: k.
pub(crate) fn doubling(z: &mut [Limb], k: u32, m: &[Limb], scratch: &mut [Limb]) {
    for _ in 0..k {
        let carry = modular::double_plain(z);
        let borrow = add::sub(scratch, z, m);
        cmp::assign(z, scratch, Mask::of_bit(carry) | !Mask::of_bit(borrow));
    }
}
