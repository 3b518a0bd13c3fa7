//! The speed of tautochrone beside its rivals: `cargo run --release -p peers -- [SECTION]… [--json]`.

mod floors;
mod group;
mod keys;
mod libraries;
mod machine;
mod operands;
mod report;
mod sections;
mod task;
mod timing;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use floors::Floors;
use libraries::{Ours, default_backend};
use machine::Machine;
use operands::SIZES;
use sections::{Run, Section};
use std::process::ExitCode;
use tautochrone::Backend;

/// The speed of tautochrone beside its rivals
///
/// All libraries are timed in turns within one run, in CPU time of the thread; times are medians of the rounds. Before
/// anything is timed, its result is compared with that of num-bigint, and a wrong one ends the run.
///
/// Turns beside a busy neighbour on the same core do not count; ~ marks a ratio for which there were too few others.
///
/// A ratio is our time over that of the fastest rival: below 1, we are faster.
#[derive(Parser)]
#[command(name = "peers", version)]
struct Arguments {
    /// What to measure; everything if none is named
    #[arg(value_enum)]
    sections: Vec<Section>,

    /// Print JSON, one object a line, instead of tables
    #[arg(long)]
    json: bool,

    /// Our code for moduli; by default the crate's own choice. Keys and shl_mod take none
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Backend::available().map(Backend::name)))]
    backend: Option<String>,

    /// Only these lengths, separated by commas
    #[arg(long, value_name = "BITS", value_delimiter = ',', value_parser = size)]
    bits: Vec<u32>,

    /// How often everybody has a turn at least
    #[arg(long, default_value_t = 31, value_parser = clap::value_parser!(u16).range(15..))]
    rounds: u16,
}

/// One of the lengths that are measured.
fn size(text: &str) -> Result<u32, String> {
    let known = |bits: &u32| SIZES.contains(bits);
    text.parse().ok().filter(known).ok_or_else(|| format!("the lengths are {SIZES:?}"))
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peers: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let named = |name: &String| Backend::available().find(|backend| backend.name() == name);
    let backend = arguments.backend.as_ref().and_then(named).unwrap_or_else(default_backend);
    let run = Run {
        libraries: libraries::all(Ours(backend)),
        backend: backend.name(),
        default_backend: default_backend().name(),
        rounds: arguments.rounds.into(),
        machine: Machine::new(),
        floors: Floors::default(),
    };
    let all = <Section as clap::ValueEnum>::value_variants();
    let sections = if arguments.sections.is_empty() { all } else { &arguments.sections };
    for section in sections {
        section_at_all_sizes(*section, &run, arguments)?;
    }
    print!("{}", if arguments.json { report::floors_json(&run.floors) } else { report::floors_text(&run.floors) });
    Ok(())
}

fn section_at_all_sizes(section: Section, run: &Run, arguments: &Arguments) -> Result<(), String> {
    let wanted = |bits: &&u32| arguments.bits.is_empty() || arguments.bits.contains(bits);
    let mut lines = Vec::new();
    for bits in section.sizes().iter().filter(wanted) {
        let measured = section.measure(run, *bits)?;
        if arguments.json {
            measured.iter().for_each(|line| println!("{}", line.json()));
        }
        lines.extend(measured);
    }
    if !arguments.json {
        print!("{}", report::tables(&lines));
    }
    Ok(())
}
