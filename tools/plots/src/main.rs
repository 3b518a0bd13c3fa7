//! The charts of the README: `cargo run --release -p plots -- docs/shl_mod.svg [CRITERION]`, and with `--peers FILE`
//! the ratios to the best rival.

mod chart;
mod criterion;
mod peers;
mod shapes;

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;

/// The charts of the README
#[derive(Parser)]
#[command(name = "plots", version)]
struct Arguments {
    /// The SVG file to write
    out: PathBuf,

    /// Draw the modular left shift from the folder where criterion leaves its results; by default `criterion` in the
    /// target folder
    criterion: Option<PathBuf>,

    /// Draw the ratios to the best rival instead, from what `peers --json` has printed
    #[arg(long, value_name = "FILE", conflicts_with = "criterion")]
    peers: Option<PathBuf>,
}

fn run(arguments: Arguments) -> Result<(), String> {
    let chart = match arguments.peers {
        Some(file) => {
            let in_file = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
            let json = std::fs::read_to_string(&file).map_err(|error| in_file(&error))?;
            peers::chart(&json).map_err(|error| in_file(&error))?
        }
        None => shapes::chart(&arguments.criterion.unwrap_or_else(default_criterion))?,
    };
    let out = arguments.out;
    std::fs::write(&out, chart.svg()?).map_err(|error| format!("{}: {error}", out.display()))
}

fn default_criterion() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from).join("criterion")
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("plots: {error}");
            ExitCode::FAILURE
        }
    }
}
