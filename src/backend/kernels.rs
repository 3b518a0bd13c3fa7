//! What a backend may replace, and the portable meaning of each.

use crate::limb::Limb;
use crate::limbs::rows::{Portable, Rows};
use crate::limbs::{div, modular, montgomery, mul};

/// The kernels of one backend. A method that it does not write is the body of `limbs/`, on its rows.
///
/// Sizes, bounds and leaks are those of the bodies, which are named in each method.
pub(crate) trait Kernels: Copy {
    type Rows: Rows;

    #[inline]
    fn mont_mul(self, z: &mut [Limb], b: &[Limb], n: &[Limb], n0: Limb, t: &mut [Limb]) {
        montgomery::mont_mul::<Self::Rows>(z, b, n, n0, t);
    }

    #[inline]
    fn mont_square(self, z: &mut [Limb], n: &[Limb], n0: Limb, t: &mut [Limb]) {
        montgomery::mont_square::<Self::Rows>(z, n, n0, t);
    }

    fn reduce(self, z: &mut [Limb], t: &mut [Limb], n: &[Limb], n0: Limb) {
        montgomery::reduce::<Self::Rows>(z, t, n, n0);
    }

    fn mul(self, z: &mut [Limb], a: &[Limb], b: &[Limb]) {
        mul::mul::<Self::Rows>(z, a, b);
    }

    fn square(self, z: &mut [Limb], a: &[Limb]) {
        mul::square::<Self::Rows>(z, a);
    }

    fn r_squared<const VARTIME: bool>(self, z: &mut [Limb], n: &[Limb], bits: u32, d: &mut [Limb]) {
        montgomery::r_squared::<Self::Rows, VARTIME>(z, n, bits, d);
    }

    fn shl(self, r: &mut [Limb], k: u32, n: &[Limb], bits: u32, d: &mut [Limb]) {
        montgomery::shl::<Self::Rows>(r, k, n, bits, d);
    }

    fn shl_mod(self, r: &mut [Limb], k: u32, m: &[Limb], scratch: &mut [Limb]) {
        modular::shl_mod::<Self::Rows>(r, k, m, scratch);
    }

    #[expect(clippy::too_many_arguments, reason = "Those of the body.")]
    fn div_rem(
        self,
        q: Option<&mut [Limb]>,
        r: &mut [Limb],
        u: &[Limb],
        d: &[Limb],
        min_bits: u32,
        t: &mut [Limb],
        c: &mut [Limb],
    ) {
        div::div_rem::<Self::Rows>(q, r, u, d, min_bits, t, c);
    }

    fn div_rem_vartime(self, q: &mut [Limb], r: &mut [Limb], d: &[Limb], c: &mut [Limb]) {
        div::div_rem_vartime::<Self::Rows>(q, r, d, c);
    }
}

impl Kernels for Portable {
    type Rows = Portable;
}
