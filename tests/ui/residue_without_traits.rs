//! Residues compare under masks, and do not tell what they hold.
use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};

fn main() {
    let m = Modulus::new(U256::from_u64(101)).unwrap();
    let (a, b) = (m.one(), m.zero());
    let _ = a.ct_eq(&b);
    let _ = a == b; //~ E0369
    let _ = a < b; //~ E0369
    let _ = a.0; //~ E0616
    let _ = a.as_limbs(); //~ E0599
    let _ = m.n; //~ E0616
    let _ = m == m; //~ E0369
    let _ = std::collections::HashSet::from([a.clone()]); //~ E0277
}
