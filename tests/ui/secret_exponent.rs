//! What leaks its exponent takes a public one.
use tautochrone::{BoxedUint, Modulus, Public, U256};

fn main() {
    let m = Modulus::new(U256::from_u64(101)).unwrap();
    let _ = m.pow_vartime(&m.one(), &Public::<U256>::from_u64(3));
    let _ = m.pow_vartime(&m.one(), &Public::<BoxedUint>::from_u64(3, 64));
    let _ = m.pow_vartime(&m.one(), &U256::from_u64(3)); //~ E0308
    let _ = m.pow_vartime(&m.one(), &BoxedUint::from_u64(3, 64)); //~ E0308
}
