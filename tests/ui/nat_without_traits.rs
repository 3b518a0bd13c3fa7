//! A number has no operator that would branch on it, and none that would copy it past its wiping.
use tautochrone::{BoxedUint, U256};

fn main() {
    let (a, b) = (U256::from_u64(5), U256::from_u64(7));
    let (x, y) = (BoxedUint::from_u64(5, 256), BoxedUint::from_u64(7, 256));
    let _ = a == b; //~ E0369
    let _ = a < b; //~ E0369
    let _ = x != y; //~ E0369
    let _ = x >= y; //~ E0369
    let _ = a[0]; //~ E0608
    let _ = x[0]; //~ E0608
    let _ = std::collections::HashSet::from([a.clone()]); //~ E0277
    let _ = std::collections::BTreeSet::from([x.clone()]); //~ E0277
    let _ = a.to_string(); //~ E0599
    let _ = format!("{x:x}"); //~ E0277
    let _ = (a, b, x, y);
}
