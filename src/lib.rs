#![no_std]
#![deny(unsafe_code, missing_docs)]
//! Constant-time big integers and Montgomery arithmetic for secret moduli.
#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

mod backend;
pub mod ct;
mod error;
mod limb;
mod limbs;
mod montgomery;
mod nat;
mod storage;

pub use backend::Backend;
pub use ct::Public;
pub use error::{Error, Field};
pub use limb::{Limb, limbs_for};
pub use montgomery::{Budget, Modulus, PowSteps, Residue, pow_pair};
#[cfg(feature = "alloc")]
pub use nat::BoxedUint;
#[cfg(feature = "rand_core")]
pub use nat::RandomError;
#[doc(hidden)]
pub use nat::shapes;
pub use nat::{Nat, Uint};
#[cfg(feature = "rand_core")]
pub use rand_core;
pub use storage::{Limbs, Storage};
pub use subtle;
pub use zeroize;

macro_rules! widths {
    ($($name:ident $bits:literal),*) => {$(
        #[doc = concat!("A number of ", $bits, " bits.")]
        ///
        /// ```
        #[doc = concat!("assert_eq!(tautochrone::", stringify!($name), "::BITS, ", $bits, ");")]
        /// ```
        pub type $name = Uint<{ limbs_for($bits) }>;
    )*};
}
widths!(
    U256 256, U384 384, U512 512, U768 768, U1024 1024, U1536 1536, U2048 2048, U3072 3072, U4096 4096, U6144 6144,
    U8192 8192
);
