//! What the integration tests share: numbers of either storage from and to `num-bigint`, and the backends to run.
#![allow(dead_code, reason = "A test that includes this file uses the parts that it needs.")]

use num_bigint::BigUint;
use tautochrone::subtle::{Choice, CtOption};
use tautochrone::{Backend, BoxedUint, Limb, Limbs, Nat, Public, Storage, Uint};

/// A place for numbers of one width. Generic tests run on both kinds, since the shells differ though the kernels do
/// not.
pub trait Home: Copy {
    type S: Storage;
    fn bits(self) -> u32;
    /// The value, which fits.
    fn nat(self, value: &BigUint) -> Nat<Self::S>;
    fn public(self, value: &BigUint) -> Public<Nat<Self::S>>;
}

/// `BoxedUint`, in the width that holds so many bits.
#[derive(Clone, Copy, Debug)]
pub struct Heap(pub u32);

impl Home for Heap {
    type S = Box<[Limb]>;
    fn bits(self) -> u32 {
        self.0.max(1).next_multiple_of(Limb::BITS)
    }
    fn nat(self, value: &BigUint) -> BoxedUint {
        BoxedUint::from_le_bytes(&value.to_bytes_le(), self.0).expect("the value fits")
    }
    fn public(self, value: &BigUint) -> Public<BoxedUint> {
        Public::<BoxedUint>::from_le_bytes(&value.to_bytes_le(), self.0).expect("the value fits")
    }
}

/// `Uint<N>`.
#[derive(Clone, Copy, Debug)]
pub struct Stack<const N: usize>;

impl<const N: usize> Home for Stack<N> {
    type S = [Limb; N];
    fn bits(self) -> u32 {
        Uint::<N>::BITS
    }
    fn nat(self, value: &BigUint) -> Uint<N> {
        Uint::from_le_bytes(&value.to_bytes_le()).expect("the value fits")
    }
    fn public(self, value: &BigUint) -> Public<Uint<N>> {
        Public::<Uint<N>>::from_le_bytes(&value.to_bytes_le()).expect("the value fits")
    }
}

/// The value of a number, read from its limbs, so that a fault of the encodings does not cancel out.
pub fn big<S: Limbs>(x: &Nat<S>) -> BigUint {
    let bytes: Vec<u8> = x.as_limbs().iter().flat_map(|limb| limb.to_le_bytes()).collect();
    BigUint::from_bytes_le(&bytes)
}

/// 2^k
pub fn power_of_two(k: u32) -> BigUint {
    BigUint::from(1_u8) << k
}

pub fn yes(choice: Choice) -> bool {
    bool::from(choice)
}

/// The option as one of the language.
pub fn option<T>(x: CtOption<T>) -> Option<T> {
    x.into_option()
}

/// All backends that this machine can run. `TAUTOCHRONE_REQUIRE_BACKENDS=adx,ifma` turns the silent absence of one
/// into a failure.
pub fn backends() -> Vec<Backend> {
    let available: Vec<Backend> = Backend::available().collect();
    let required = std::env::var("TAUTOCHRONE_REQUIRE_BACKENDS").unwrap_or_default();
    let missing = missing_backends(&required, &available);
    assert!(missing.is_empty(), "backends that must be available and are not: {missing:?} (there are {available:?})");
    assert!(available.contains(&Backend::Portable));
    available
}

pub fn missing_backends<'a>(required: &'a str, available: &[Backend]) -> Vec<&'a str> {
    let names = required.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.filter(|name| available.iter().all(|backend| backend.name() != *name)).collect()
}
