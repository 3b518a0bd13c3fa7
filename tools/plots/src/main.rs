//! The chart of the README: `cargo run --release -p plots -- docs/shl_mod.svg [CRITERION]`.
//!
//! CRITERION is the folder where criterion leaves its results, by default `criterion` in the target folder.

mod chart;
mod results;

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "usage: plots OUT.svg [CRITERION]";

fn run(arguments: &[String]) -> Result<(), String> {
    let (out, criterion) = match arguments {
        [out] => (out, default_criterion()),
        [out, criterion] => (out, PathBuf::from(criterion)),
        _ => return Err(USAGE.to_owned()),
    };
    let shapes = chart::SHAPES
        .into_iter()
        .map(|shape| Ok((shape, results::series(&criterion, shape.name)?)))
        .collect::<Result<Vec<_>, String>>()?;
    std::fs::write(out, chart::svg(&shapes)?).map_err(|error| format!("{out}: {error}"))
}

fn default_criterion() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from).join("criterion")
}

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("plots: {error}");
            ExitCode::FAILURE
        }
    }
}
