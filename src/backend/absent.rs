//! Stands in for the kernels of a CPU that this target is not: tokens that nobody can make.

use crate::backend::kernels::Kernels;
use crate::limb::Limb;
use crate::limbs::rows::Portable;

/// Nothing makes one. (With no values at all, every arm for it would be reported as unreachable.)
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Token(());

impl Token {
    pub(crate) fn detect() -> Option<Token> {
        None
    }
}

impl Kernels for Token {
    type Rows = Portable;
}

pub(crate) mod adx {
    pub use super::Token;
}

pub(crate) mod ifma {
    pub use super::Token;
    use super::*;

    /// Limbs of a state, in widths of the modulus.
    pub(crate) const STATE: usize = 0;
    /// The same for a public exponent.
    pub(crate) const WORK: usize = 0;

    impl Token {
        pub(crate) fn scalar(self) -> Token {
            self
        }
    }

    /// No value of it exists.
    #[derive(Clone, Copy)]
    pub(crate) enum Layout<const I: usize> {}

    macro_rules! never {
        ($($name:ident($($t:ty),*) $(-> $result:ty)?;)*) => {
            impl<const I: usize> Layout<I> {
                pub(crate) fn new(_: Token, _: u32) -> Option<Self> {
                    None
                }
                $(pub(crate) fn $name(&self $(, _: $t)*) $(-> $result)? {
                    match *self {}
                })*
            }
        };
    }
    never! {
        row() -> usize;
        context() -> usize;
        r_bits() -> u32;
        begin(&mut [Limb], [&[Limb]; I], [Limb; I]);
        enter(&mut [Limb], [&[Limb]; I]);
        mul(&[Limb], &mut [Limb], &[Limb]);
        square(&[Limb], &mut [Limb], u32);
        gather(&mut [Limb], &[Limb], [Limb; I]);
        window(&mut [Limb], &mut [Limb], &[Limb], [Limb; I], u32);
        leave(&mut [Limb], &mut [Limb], [&mut [Limb]; I]);
        leave_times(&[Limb], &mut [Limb], &[Limb], [&mut [Limb]; I]);
    }
}
