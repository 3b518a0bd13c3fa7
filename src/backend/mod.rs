//! Who computes: the kernels where the time goes, one match each.
//!
//! `limbs/` is the portable code and the meaning of every kernel; a backend replaces its rows or a whole body. It is
//! chosen once per modulus, so nothing is looked up inside an exponentiation.

#[cfg(all(
    target_arch = "x86_64",
    target_pointer_width = "64",
    not(any(tautochrone_limb = "8", tautochrone_limb = "16", tautochrone_limb = "32"))
))]
#[allow(dead_code, unused_imports, reason = "Nothing dispatches to it yet.")]
mod x86_64;

use crate::limb::Limb;
use crate::limbs::montgomery;
use crate::limbs::rows::Portable;

/// The code that does the arithmetic of one [`Modulus`](crate::Modulus).
///
/// ```
/// use tautochrone::{Backend, Modulus, U256};
/// for backend in Backend::available() {
///     let m = Modulus::with_backend(U256::from_u64(101), backend).unwrap();
///     assert_eq!(m.backend(), backend);
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Backend {
    /// Plain Rust on every target.
    Portable,
}

impl Backend {
    /// The backends that this CPU can run, the preferred one first.
    ///
    /// ```
    /// assert!(tautochrone::Backend::available().any(|b| b == tautochrone::Backend::Portable));
    /// ```
    pub fn available() -> impl Iterator<Item = Backend> {
        [Backend::Portable].into_iter()
    }

    /// The name in tables and on command lines.
    ///
    /// ```
    /// assert_eq!(tautochrone::Backend::Portable.name(), "portable");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Backend::Portable => "portable",
        }
    }

    /// The backend of a modulus for which none is asked.
    pub(crate) fn preferred() -> Backend {
        Backend::Portable
    }

    /// z := z·b·R⁻¹ mod N, see [`montgomery::mont_mul`].
    #[inline]
    pub(crate) fn mont_mul(self, z: &mut [Limb], b: &[Limb], n: &[Limb], n0: Limb, t: &mut [Limb]) {
        match self {
            Backend::Portable => montgomery::mont_mul::<Portable>(z, b, n, n0, t),
        }
    }

    /// z := z²·R⁻¹ mod N, see [`montgomery::mont_square`].
    #[inline]
    pub(crate) fn mont_square(self, z: &mut [Limb], n: &[Limb], n0: Limb, t: &mut [Limb]) {
        match self {
            Backend::Portable => montgomery::mont_square::<Portable>(z, n, n0, t),
        }
    }

    /// z := t·R⁻¹ mod N, see [`montgomery::reduce`].
    pub(crate) fn reduce(self, z: &mut [Limb], t: &mut [Limb], n: &[Limb], n0: Limb) {
        match self {
            Backend::Portable => montgomery::reduce::<Portable>(z, t, n, n0),
        }
    }

    /// z := R² mod N for a secret N, see [`montgomery::r_squared`].
    pub(crate) fn r_squared(self, z: &mut [Limb], n: &[Limb], bits: u32, d: &mut [Limb]) {
        match self {
            Backend::Portable => montgomery::r_squared::<Portable, false>(z, n, bits, d),
        }
    }

    /// z := R² mod N for a public N, see [`montgomery::r_squared`].
    pub(crate) fn r_squared_vartime(self, z: &mut [Limb], n: &[Limb], bits: u32, d: &mut [Limb]) {
        match self {
            Backend::Portable => montgomery::r_squared::<Portable, true>(z, n, bits, d),
        }
    }
}
