//! An exponentiation under way is neither copied nor looked into, and a budget is not a plain number.
use tautochrone::{Budget, Modulus, U256};

fn main() {
    let m = Modulus::new(U256::from_u64(101)).unwrap();
    let mut steps = m.pow_steps(&m.one(), &U256::from_u64(3));
    let _ = m.advance(&mut steps, Budget::multiplications(5));
    let _ = m.advance(&mut steps, 5); //~ E0308
    let _ = steps.clone(); //~ E0599
    let _ = steps.state; //~ E0616
    let _ = steps.exponent; //~ E0616
}
