//! A public number cannot be overwritten by a secret one behind its name.
use tautochrone::{Public, U256};

fn main() {
    let mut n = Public::<U256>::from_u64(5);
    n = Public::<U256>::from_u64(6);
    let secret = U256::from_u64(7);
    *n = secret.clone(); //~ E0594
    n.wrapping_add_assign(&secret); //~ E0596
    std::mem::swap(&mut *n, &mut secret.clone()); //~ E0596
    n.0 = secret.clone(); //~ E0616
    let _ = (n, secret);
}
