//! `cargo run --release -p ct -- taint [NAME]`: runs the catalogue under valgrind with its secrets undefined, and leaky
//! twins that must be caught.

mod catalogue;
mod valgrind;

use catalogue::{OPERATIONS, Operation, TWINS};
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use tautochrone::Backend;

/// The status by which valgrind tells that it saw an error.
const CAUGHT: i32 = 99;
/// The worker's status where there is no valgrind around it.
const NOT_UNDER_VALGRIND: u8 = 3;

/// Checks of the constant-time claim, on the built code
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Runs the operations under valgrind with their secrets marked undefined
    Taint {
        /// Only operations whose name contains this
        name: Option<String>,
        /// Leave out the slow ones
        #[arg(long)]
        quick: bool,
    },
    /// One operation, to be started under valgrind by `taint`
    #[command(hide = true)]
    Worker { name: String },
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Action::Taint { name, quick } => match taint(name.as_deref().unwrap_or(""), quick) {
            Ok(0) => ExitCode::SUCCESS,
            Ok(_) => ExitCode::FAILURE,
            Err(reason) => {
                eprintln!("{reason}");
                ExitCode::FAILURE
            }
        },
        Action::Worker { name } => worker(&name),
    }
}

fn worker(name: &str) -> ExitCode {
    if !cfg!(tautochrone_ct) || !valgrind::running() {
        eprintln!("a worker means nothing outside valgrind, or without the marks of the library");
        return ExitCode::from(NOT_UNDER_VALGRIND);
    }
    let operation = OPERATIONS.iter().chain(TWINS).find(|operation| operation.name == name).expect("a known name");
    // Every backend that valgrind can run: vectors of AVX-512 are not among them.
    for backend in Backend::available() {
        catalogue::use_backend(backend);
        operation.bits.iter().for_each(|bits| (operation.run)(*bits));
    }
    ExitCode::SUCCESS
}

/// The number of operations that leak and of twins that were not caught.
fn taint(name: &str, quick: bool) -> Result<usize, String> {
    let worker = build()?;
    let wanted = |operation: &&Operation| operation.name.contains(name) && (operation.quick || !quick);
    let (mut clean, mut caught, mut failed) = (0, 0, 0);
    for operation in OPERATIONS.iter().filter(wanted) {
        match run(&worker, operation.name)? {
            Verdict::Clean => clean += 1,
            Verdict::Caught(report) => {
                failed += 1;
                println!("{}: LEAKS\n{report}", operation.name);
            }
        }
    }
    for twin in TWINS {
        match run(&worker, twin.name)? {
            Verdict::Caught(_) => caught += 1,
            Verdict::Clean => {
                failed += 1;
                println!("{}: NOT CAUGHT", twin.name);
            }
        }
    }
    if clean + failed == 0 {
        return Err(format!("no operation is called like {name:?}"));
    }
    println!("{clean} operations clean, {caught} leaky twins caught, {failed} failed");
    Ok(failed)
}

enum Verdict {
    Clean,
    Caught(String),
}

fn run(worker: &PathBuf, name: &str) -> Result<Verdict, String> {
    let output = Command::new("valgrind")
        .args(["-q", &format!("--error-exitcode={CAUGHT}")])
        .arg(worker)
        .args(["worker", name])
        .output()
        .map_err(|error| format!("valgrind does not start: {error}"))?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.code() {
        Some(0) => Ok(Verdict::Clean),
        Some(CAUGHT) => Ok(Verdict::Caught(report)),
        status => Err(format!("{name}: the worker ended with {status:?}\n{report}")),
    }
}

/// Builds this program again with the library's marks in it, in a target folder of its own.
fn build() -> Result<PathBuf, String> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let target = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/ct"));
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--manifest-path", manifest, "--target-dir"])
        .arg(&target)
        .env("RUSTFLAGS", "--cfg tautochrone_ct")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "1")
        .status()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    let worker = target.join("release/ct");
    if status.success() { Ok(worker) } else { Err("the worker does not build".into()) }
}
