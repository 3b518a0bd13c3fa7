//! The context of a secret modulus is never made by division.
use tautochrone::{Backend, BoxedUint, Modulus, Public, U256};

fn main() {
    let _ = Modulus::new_vartime(Public::<U256>::from_u64(101));
    let _ = Modulus::new_vartime(U256::from_u64(101)); //~ E0308
    let _ = Modulus::new_vartime(BoxedUint::from_u64(101, 64)); //~ E0308
    let _ = Modulus::with_backend_vartime(U256::from_u64(101), Backend::Portable); //~ E0308
}
