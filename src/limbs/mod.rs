//! The algorithms, all of them on slices of limbs, low limb first.
//!
//! Every function here is constant time in the limbs: branches, addresses and loop bounds come from lengths and
//! from arguments that its contract calls public. The exceptions end in `_vartime`. Lengths that do not fit each
//! other are a programming error inside this crate and panic.

pub(crate) mod rows;

pub(crate) mod add;
pub(crate) mod cmp;
pub(crate) mod table;

pub(crate) mod shift;

pub(crate) mod mul;

pub(crate) mod modular;
pub(crate) mod shapes;

pub(crate) mod montgomery;

pub(crate) mod div;

pub(crate) mod bytes;

#[cfg(all(test, tautochrone_limb = "8"))]
mod exhaustive;
#[cfg(test)]
pub(crate) mod testing;
