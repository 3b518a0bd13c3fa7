//! Division by Knuth's algorithm is a method of public numbers, with a public divisor.
use tautochrone::{BoxedUint, Public, U256};

fn main() {
    let (u, d) = (U256::from_u64(100), U256::from_u64(7));
    let public = Public::<U256>::from_u64(100);
    let _ = public.div_rem_vartime(&public);
    let _ = u.div_rem(&d);
    let _ = u.div_rem_vartime(&d); //~ E0599
    let _ = u.div_rem_vartime(&public); //~ E0599
    let _ = public.div_rem_vartime(&d); //~ E0308
    let _ = BoxedUint::from_u64(9, 64).div_rem_vartime(&public); //~ E0599
    let _ = u.bits(); //~ E0599
    let _ = u64::try_from(&u); //~ E0277
}
