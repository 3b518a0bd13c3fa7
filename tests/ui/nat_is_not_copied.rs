//! A number moves, and a clone is written as one.
use tautochrone::{Modulus, U256};

fn two<T: Copy>(x: T) -> (T, T) {
    (x, x)
}

fn main() {
    let _ = two(5_u8);
    let a = U256::from_u64(5);
    let m = Modulus::new(U256::from_u64(101)).unwrap();
    let one = m.one();
    let _ = two(a); //~ E0277
    let _ = two(one); //~ E0277
    let _ = two(m); //~ E0277
}
