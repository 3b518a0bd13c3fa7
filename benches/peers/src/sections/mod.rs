//! What can be asked for on the command line, each section with the operations that it measures at one size.

mod keys;
mod mul;
mod pow;
mod setup;
mod shl_mod;

use crate::floors::Floors;
use crate::libraries::Library;
use crate::machine::Machine;
use crate::operands::SIZES;
use crate::report::Line;
use clap::ValueEnum;

/// A part of the bench
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Section {
    /// Contexts of moduli, with allocation and wiping: setup/secret, setup/secret_vs_public, setup/public
    Setup,
    /// The modular left shift beside its older shapes: shl_mod/lshift1, shl_mod/doubling
    ShlMod,
    /// One product in a chain, in Montgomery form: mont_mul, mont_square
    Mul,
    /// Exponentiations: pow and pow_pair with a secret exponent, pow_public with 65537
    Pow,
    /// RSA's private operation: rsa_private
    Rsa,
    /// RSA keys, from DER to a checked key: rsa_load
    Load,
}

/// What all sections need.
pub struct Run {
    /// Ours first.
    pub libraries: Vec<Box<dyn Library>>,
    pub backend: &'static str,
    /// Where the crate takes no backend.
    pub default_backend: &'static str,
    pub machine: Machine,
    pub rounds: usize,
    pub floors: Floors,
}

impl Section {
    pub fn sizes(self) -> &'static [u32] {
        match self {
            Section::Rsa | Section::Load => &[2048, 3072, 4096],
            _ => &SIZES,
        }
    }

    /// # Errors
    /// Tells who computes something wrong.
    pub fn measure(self, run: &Run, bits: u32) -> Result<Vec<Line>, String> {
        run.floors.refine();
        match self {
            Section::Setup => setup::measure(run, bits),
            Section::ShlMod => shl_mod::measure(run, bits),
            Section::Mul => mul::measure(run, bits),
            Section::Pow => pow::measure(run, bits),
            Section::Rsa => keys::private(run, bits),
            Section::Load => keys::load(run, bits),
        }
    }
}
