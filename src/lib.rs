#![no_std]
#![deny(unsafe_code, missing_docs)]
//! Fixed-width integers and Montgomery arithmetic for **secret** moduli.
//!
//! # The three nouns
//! | | is | public | secret |
//! |---|---|---|---|
//! | [`Nat`] | a natural number of fixed width: [`Uint`] on the stack, `BoxedUint` on the heap | its width | its value, its length |
//! | [`Modulus`] | an odd modulus with all that Montgomery arithmetic needs, built eagerly | width, length, oddness | its value |
//! | [`Residue`] | a number modulo one modulus, always reduced, always in Montgomery form | its width | its value |
//!
//! ```
//! use tautochrone::{Modulus, U256, subtle::ConstantTimeEq};
//! let m = Modulus::new(U256::from_u64(1_000_003))?;
//! let a = m.residue(&U256::from_u64(2));
//! let b = m.pow(&a, &U256::from_u64(1_000_002));
//! assert!(bool::from(b.ct_eq(&m.one())));
//! # Ok::<(), tautochrone::Error>(())
//! ```
//!
//! # The contract
//! **Secret by default.** Whatever is not wrapped in [`Public`] is secret: no branch, address, loop bound, shift
//! amount, division or early exit depends on it. Functions that leak end in `_vartime` and take the operands that
//! they leak as [`Public`], so that a secret there does not compile. [`ct::declassify`] is the one door out.
//! For callers, `bool::from(choice)` and the methods of `CtOption` are declassifications of their own.
//!
//! **What leaks** stands at each function. In general: widths; the length in bits of a modulus and whether it is odd;
//! amounts of public shifts; bounds that the caller declares public.
//!
//! **Panic, `Result`, `CtOption`.** A panic means a programming error: two operands of one operation that differ in
//! width. What comes from outside gives a `Result` whose [`Error`] names the field. What depends on a secret gives a
//! `CtOption`, or by its `_or` twin a value with a `Choice`.
//!
//! **Wiping.** Every secret, every intermediate and every power table lives in a type that wipes on drop; bytes come
//! out as `Zeroizing`. Registers, spills and moved copies on the stack are not promised.
//!
//! **Not promised**: anything against power analysis, electromagnetic emanation or speculative execution, or on CPUs
//! whose multiplication takes a time that depends on its operands.
//!
//! # Features
//! None is needed: without any the crate is `no_std` and needs no allocator. `alloc` brings `BoxedUint`, `std` the
//! same and no more, `rand_core` random numbers, `rsa` keys and signatures. The default is `std` and `rsa`.
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
#[cfg(feature = "rsa")]
mod number;
#[cfg(feature = "rsa")]
pub mod rsa;
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

/// The example of the README.
#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct Readme;
