//! Ways for tests to damage what nobody else can write.

use crate::limb::Limb;
use crate::montgomery::{Modulus, Residue};
use crate::storage::Storage;

impl<S: Storage> Modulus<S> {
    /// N, R² and n₀.
    pub(crate) fn fields_mut(&mut self) -> (&mut [Limb], &mut [Limb], &mut [Limb]) {
        (self.n.as_mut_limbs(), self.rr.as_mut_limbs(), core::slice::from_mut(&mut *self.n0))
    }
}

impl<S: Storage> Residue<S> {
    /// The limbs of the Montgomery form.
    pub(crate) fn form_mut(&mut self) -> &mut [Limb] {
        self.as_mut_limbs()
    }
}
