//! What must hold between the components of a private key, as choices of which one verdict is made.

use crate::ct::{Public, declassify};
use crate::error::{Error, Field};
use crate::limb::Limb;
use crate::montgomery::Modulus;
use crate::nat::BoxedUint;
use crate::rsa::public::{equal, product};
use alloc::boxed::Box;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, ConstantTimeGreater, ConstantTimeLess};

/// A number that should fit into the width that the lengths of n, p and q give it, and whether it does.
pub(super) struct Fitted {
    pub(super) value: BoxedUint,
    pub(super) fits: Choice,
}

impl Fitted {
    /// `x` in the width of numbers of `bits` bits. Leaks: the two widths.
    pub(super) fn new(x: &BoxedUint, bits: u32) -> Fitted {
        let (value, fits) = x.resize_checked_or(BoxedUint::zero(bits));
        Fitted { value, fits }
    }
}

/// All parts of a key, in their widths, before they are believed.
pub(super) struct Parts<'a> {
    pub(super) n: &'a Public<BoxedUint>,
    pub(super) e: &'a Public<BoxedUint>,
    pub(super) p: &'a Modulus<Box<[Limb]>>,
    pub(super) q: &'a Modulus<Box<[Limb]>>,
    pub(super) d: &'a Fitted,
    pub(super) dp: &'a Fitted,
    pub(super) dq: &'a Fitted,
    pub(super) qinv: &'a Fitted,
}

/// One half: a prime r with its exponent.
struct Half {
    /// 0 < dr < r − 1
    range: Choice,
    /// d ≡ dr mod r − 1
    congruent: Choice,
    /// dr·e ≡ 1 mod r − 1
    inverse: Choice,
}

impl Half {
    fn new(prime: &Modulus<Box<[Limb]>>, dr: &BoxedUint, d: &BoxedUint, e: &BoxedUint) -> Half {
        let r1 = minus_one(prime.modulus());
        // r is odd: r − 1 is as long as r.
        let rem = |x: &BoxedUint| x.rem_bounded(&r1, prime.bits());
        Half {
            range: !dr.is_zero() & dr.ct_lt(&r1),
            congruent: rem(d).ct_eq(dr),
            inverse: equal(&rem(&product(dr, e)), &one(prime.bits())),
        }
    }
}

/// x − 1 for an odd x.
pub(super) fn minus_one(x: &BoxedUint) -> BoxedUint {
    let mut z = x.clone();
    z.as_mut_limbs()[0] &= !1;
    z
}

fn one(bits: u32) -> BoxedUint {
    BoxedUint::from_u64(1, bits)
}

/// All checks; the first of the table that fails is the error.
///
/// Leaks: which one that is. All of them run, and one number is declassified: 0, or the place in the table.
pub(super) fn check(parts: &Parts<'_>) -> Result<(), Error> {
    use Error::{Inconsistent, OutOfRange, TooLong};
    let Parts { n, e, p, q, d, dp, dq, qinv } = *parts;
    let whole = equal(&product(p.modulus(), q.modulus()), n);
    let d_range = d.value.ct_gt(&one(n.bits())) & d.value.ct_lt(n);
    let of_p = Half::new(p, &dp.value, &d.value, e);
    let of_q = Half::new(q, &dq.value, &d.value, e);
    let qinv_range = !qinv.value.is_zero() & qinv.value.ct_lt(p.modulus());
    let unit = p.mul(&p.residue(&qinv.value), &p.residue(q.modulus()));
    // Where d agrees with both halves and none of the two with e, e is the odd one out.
    let of_e = of_p.inverse | of_q.inverse | !(of_p.congruent & of_q.congruent);
    let table = [
        (Inconsistent(Field::N), whole),
        (TooLong(Field::D), d.fits),
        (OutOfRange(Field::D), d_range),
        (TooLong(Field::Dp), dp.fits),
        (OutOfRange(Field::Dp), of_p.range),
        (TooLong(Field::Dq), dq.fits),
        (OutOfRange(Field::Dq), of_q.range),
        (TooLong(Field::Qinv), qinv.fits),
        (OutOfRange(Field::Qinv), qinv_range),
        (Inconsistent(Field::E), of_e),
        (Inconsistent(Field::Dp), of_p.inverse),
        (Inconsistent(Field::Dq), of_q.inverse),
        (Inconsistent(Field::D), of_p.congruent & of_q.congruent),
        (Inconsistent(Field::Qinv), unit.ct_eq(&p.one())),
    ];
    let mut code = 0_u32;
    // From the last to the first, so that the first that fails stays.
    for (i, (_, holds)) in table.iter().enumerate().rev() {
        code.conditional_assign(&(i as u32 + 1), !*holds);
    }
    let code = declassify(code, "the field for which a key is refused, or that it is not");
    match code.checked_sub(1) {
        None => Ok(()),
        Some(i) => Err(table[i as usize].0),
    }
}
