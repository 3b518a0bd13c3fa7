//! Nothing makes a number public but its own constructors and the door, which is called by name.
use tautochrone::{BoxedUint, Public, U256, ct};

fn main() {
    let a = U256::from_u64(5);
    let x = BoxedUint::from_u64(5, 64);
    let _: Public<U256> = ct::declassify(a.clone(), "an example");
    let _ = Public(a.clone()); //~ E0423
    let _ = Public::new(a.clone()); //~ E0599
    let _ = Public::wrap(a.clone()); //~ E0624
    let _ = Public::from(a.clone()); //~ E0308
    let _: Public<U256> = a.clone().into(); //~ E0277
    let _ = Public::<BoxedUint>::from(x.clone()); //~ E0308
    let _: &Public<U256> = &a; //~ E0308
    let _ = Public { 0: x.clone() }; //~ E0451
    let _ = (a, x);
}
