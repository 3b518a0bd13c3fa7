//! Who computes: the kernels where the time goes, one match for all of them.
//!
//! `limbs/` is the portable code and the meaning of every kernel; a backend replaces its rows or a whole body
//! ([`kernels`]), or the form in which powers are computed ([`form`]). It is chosen once per modulus, so nothing is
//! looked up inside an exponentiation.
//!
//! # Soundness of the assembly and of target features
//! 1. **A token is the proof.** A kernel that needs instructions beyond the target's own is a method of a token, and
//!    only `detect` makes one, after the CPU and the operating system reported those instructions. So a call of a
//!    `#[target_feature]` function or of assembly from such a method never meets an unknown instruction. On other
//!    targets nothing makes tokens (`absent.rs`, in place of `x86_64`).
//! 2. **Memory.** A kernel reads and writes what its slices span. Their lengths are checked by `assert!` in the method
//!    that makes pointers of them, in release builds too. An output is `&mut`, so it overlaps no input; where an
//!    operation works in place the assembly gets one pointer, and no reference to the same limbs lives beside it.
//! 3. **Alignment.** Limbs are aligned as limbs. Vector loads and stores on them are the unaligned ones; only spills of
//!    the compiler's own are aligned, in frames that it aligned itself.
//! 4. **Registers and flags.** A naked function keeps what its ABI says that it keeps and clears the direction flag
//!    never; an `asm!` block names all that it clobbers, and says `nostack` or `nomem` only where that holds.
//! 5. **No panic crosses assembly**, since assembly calls nothing.

#[cfg_attr(
    not(all(
        target_arch = "x86_64",
        target_pointer_width = "64",
        not(any(tautochrone_limb = "8", tautochrone_limb = "16", tautochrone_limb = "32"))
    )),
    path = "absent.rs"
)]
mod x86_64;

pub(crate) mod form;
mod kernels;
pub(crate) mod lanes;
pub(crate) mod power;

use crate::limb::Limb;
use crate::limbs::rows::Portable;
use kernels::Kernels;
use x86_64::{adx, ifma};

/// The code that does the arithmetic of one [`Modulus`](crate::Modulus).
///
/// A variant beyond `Portable` carries the proof that this CPU can run it: [`available`](Backend::available) hands it
/// out, nothing else can make one.
///
/// ```
/// use tautochrone::{Backend, Modulus, U1024};
/// for backend in Backend::available() {
///     let m = Modulus::with_backend(U1024::MAX, backend).unwrap();
///     assert_eq!(m.backend(), backend);
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Backend {
    /// Plain Rust on every target.
    Portable,
    /// mulx, adcx and adox of x86-64, with limbs of 64 bits.
    Adx(adx::Token),
    /// Exponentiations of 512 to 8192 bits in vectors of 52-bit digits (AVX-512 IFMA), everything else as `Adx`.
    Ifma(ifma::Token),
}

/// `$body` with `$kernels` of the backend.
macro_rules! dispatch {
    ($backend:expr, |$kernels:ident| $body:expr) => {
        match $backend {
            Backend::Portable => {
                let $kernels = Portable;
                $body
            }
            Backend::Adx($kernels) => $body,
            Backend::Ifma(token) => {
                let $kernels = token.scalar();
                $body
            }
        }
    };
}

impl Backend {
    /// The backends that this CPU can run, the preferred one first.
    ///
    /// ```
    /// assert!(tautochrone::Backend::available().any(|b| b == tautochrone::Backend::Portable));
    /// ```
    pub fn available() -> impl Iterator<Item = Backend> {
        let ifma = ifma::Token::detect().map(Backend::Ifma);
        let adx = adx::Token::detect().map(Backend::Adx);
        [ifma, adx, Some(Backend::Portable)].into_iter().flatten()
    }

    /// The name in tables and on command lines.
    ///
    /// ```
    /// assert_eq!(tautochrone::Backend::Portable.name(), "portable");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Backend::Portable => "portable",
            Backend::Adx(_) => "adx",
            Backend::Ifma(_) => "ifma",
        }
    }

    /// The backend of a modulus for which none is asked.
    pub(crate) fn preferred() -> Backend {
        Backend::available().next().unwrap_or(Backend::Portable)
    }

    /// **The selection table**: the first of this backend and those after it that serves a modulus of `bits` bits.
    pub(crate) fn serving(self, bits: u32) -> Backend {
        match self {
            Backend::Ifma(token) if ifma::Layout::<1>::new(token, bits).is_none() => Backend::Adx(token.scalar()),
            other => other,
        }
    }

    /// The backend of an operation on numbers of so many limbs that has no modulus. Short ones are fastest where the
    /// compiler sees their widths.
    pub(crate) fn of_width(limbs: usize) -> Backend {
        if limbs < 16 { Backend::Portable } else { Backend::preferred() }
    }

    /// z := z·b·R⁻¹ mod N, see [`mont_mul`](crate::limbs::montgomery::mont_mul).
    #[inline]
    pub(crate) fn mont_mul(self, z: &mut [Limb], b: &[Limb], n: &[Limb], n0: Limb, t: &mut [Limb]) {
        dispatch!(self, |kernels| kernels.mont_mul(z, b, n, n0, t));
    }

    /// z := z²·R⁻¹ mod N, see [`mont_square`](crate::limbs::montgomery::mont_square).
    #[inline]
    pub(crate) fn mont_square(self, z: &mut [Limb], n: &[Limb], n0: Limb, t: &mut [Limb]) {
        dispatch!(self, |kernels| kernels.mont_square(z, n, n0, t));
    }

    /// z := t·R⁻¹ mod N, see [`reduce`](crate::limbs::montgomery::reduce).
    pub(crate) fn reduce(self, z: &mut [Limb], t: &mut [Limb], n: &[Limb], n0: Limb) {
        dispatch!(self, |kernels| kernels.reduce(z, t, n, n0));
    }

    /// z := a·b, see [`mul`](crate::limbs::mul::mul).
    pub(crate) fn mul(self, z: &mut [Limb], a: &[Limb], b: &[Limb]) {
        dispatch!(self, |kernels| kernels.mul(z, a, b));
    }

    /// z := a², see [`square`](crate::limbs::mul::square).
    pub(crate) fn square(self, z: &mut [Limb], a: &[Limb]) {
        dispatch!(self, |kernels| kernels.square(z, a));
    }

    /// z := R² mod N, see [`r_squared`](crate::limbs::montgomery::r_squared). Leaks N if `VARTIME`.
    pub(crate) fn r_squared<const VARTIME: bool>(self, z: &mut [Limb], n: &[Limb], bits: u32, d: &mut [Limb]) {
        dispatch!(self, |kernels| kernels.r_squared::<VARTIME>(z, n, bits, d));
    }

    /// r := r·2^k mod N, see [`shl`](crate::limbs::montgomery::shl).
    pub(crate) fn shl(self, r: &mut [Limb], k: u32, n: &[Limb], bits: u32, d: &mut [Limb]) {
        dispatch!(self, |kernels| kernels.shl(r, k, n, bits, d));
    }

    /// r := r·2^k mod m, see [`shl_mod`](crate::limbs::modular::shl_mod).
    #[inline]
    pub(crate) fn shl_mod(self, r: &mut [Limb], k: u32, m: &[Limb], scratch: &mut [Limb]) {
        dispatch!(self, |kernels| kernels.shl_mod(r, k, m, scratch));
    }

    /// q := ⌊u/d⌋ and r := u mod d, see [`div_rem`](crate::limbs::div::div_rem).
    #[expect(clippy::too_many_arguments, reason = "Those of the body.")]
    pub(crate) fn div_rem(
        self,
        q: Option<&mut [Limb]>,
        r: &mut [Limb],
        u: &[Limb],
        d: &[Limb],
        min_bits: u32,
        t: &mut [Limb],
        c: &mut [Limb],
    ) {
        dispatch!(self, |kernels| kernels.div_rem(q, r, u, d, min_bits, t, c));
    }

    /// q := ⌊q/d⌋ and r := q mod d, see [`div_rem_vartime`](crate::limbs::div::div_rem_vartime).
    pub(crate) fn div_rem_vartime(self, q: &mut [Limb], r: &mut [Limb], d: &[Limb], c: &mut [Limb]) {
        dispatch!(self, |kernels| kernels.div_rem_vartime(q, r, d, c));
    }
}
