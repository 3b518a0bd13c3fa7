//! Cycles and ratios of the operations side by side, in one process: `cargo bench --bench targets [-- BITS …]`.
//!
//! Nothing is asserted, the table is for people. How it measures:
//!
//! * The operations take turns, so that what disturbs the machine disturbs all of them.
//! * Nanoseconds become core cycles by a chain of dependent multiplications timed right before each sample, **on the
//!   assumption that one such multiplication takes [`CYCLES_PER_MULTIPLICATION`] cycles**: so it is on x86-64 since
//!   2008. Elsewhere the cycles are off by a constant factor, and the ratios hold.
//! * A sample counts if a loop that is bound by the multiplier's throughput ran before and after it in at most
//!   [`QUIET`] times its best time: a busy neighbour on the same core, or an interrupt, shows there. If no sample of
//!   an operation counts within the time limit, its least one stands for it, marked with `~`.

mod common;

use common::{Operands, for_each_size, limbs64, shift};
use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};
use tautochrone::{Backend, Modulus, shapes};

const CYCLES_PER_MULTIPLICATION: f64 = 3.0;
const QUIET: f64 = 1.06;
/// Samples that count, for each operation.
const ENOUGH: usize = 201;
/// For each size.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// Calls are bundled into samples of at least this length, of which the clock's reading is no part that matters.
const SAMPLE: Duration = Duration::from_micros(30);

/// An operation and what was measured of it.
struct Operation<'a> {
    name: String,
    /// Does it so many times.
    run: Box<dyn FnMut(u32) + 'a>,
    calls: u32,
    samples: Vec<Sample>,
}

#[derive(Clone, Copy)]
struct Sample {
    /// Of one call.
    cycles: f64,
    /// The slower one of the two throughput loops around it, in nanoseconds.
    loudness: f64,
}

impl<'a> Operation<'a> {
    fn new(name: impl Into<String>, mut call: impl FnMut() + 'a) -> Self {
        let run = Box::new(move |calls| (0..calls).for_each(|_| call()));
        Operation { name: name.into(), run, calls: 1, samples: Vec::new() }
    }

    /// Also warms up.
    fn choose_calls(&mut self) {
        while nanoseconds(|| (self.run)(self.calls)) < SAMPLE.as_nanos() as f64 {
            self.calls *= 2;
        }
    }

    fn sample(&mut self, machine: &mut Machine) {
        let before = machine.loudness();
        let cycle = machine.cycle();
        let elapsed = machine.time(|| (self.run)(self.calls));
        let loudness = before.max(machine.loudness());
        self.samples.push(Sample { cycles: elapsed / cycle / f64::from(self.calls), loudness });
    }

    fn counting(&self, machine: &Machine) -> impl Iterator<Item = f64> {
        let bar = QUIET * machine.best;
        self.samples.iter().filter(move |sample| sample.loudness <= bar).map(|sample| sample.cycles)
    }

    fn figure(&self, machine: &Machine) -> Figure {
        let mut cycles: Vec<f64> = self.counting(machine).collect();
        cycles.sort_by(f64::total_cmp);
        if cycles.is_empty() {
            let least = self.samples.iter().map(|sample| sample.cycles).fold(f64::INFINITY, f64::min);
            return Figure { median: Estimate(least, true), quartile: Estimate(least, true) };
        }
        let at = |quarters| Estimate(cycles[cycles.len() * quarters / 4], false);
        Figure { median: at(2), quartile: at(1) }
    }
}

/// Cycles of one call.
#[derive(Clone, Copy)]
struct Figure {
    median: Estimate,
    quartile: Estimate,
}

/// A value, and whether it rests on samples that do not count.
#[derive(Clone, Copy)]
struct Estimate(f64, bool);

impl Estimate {
    fn over(self, other: Estimate) -> Estimate {
        Estimate(self.0 / other.0, self.1 || other.1)
    }

    fn divided(self, by: u32) -> Estimate {
        Estimate(self.0 / f64::from(by), self.1)
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = if self.0 < 100.0 { 2 } else { 0 };
        f.pad(&format!("{}{:.digits$}", if self.1 { "~" } else { "" }, self.0))
    }
}

/// The clock, and what is known of the machine.
struct Machine {
    /// What it takes to read the clock, in nanoseconds.
    clock: f64,
    /// The best time of the throughput loop, in nanoseconds.
    best: f64,
}

impl Machine {
    fn new() -> Self {
        let clock = (0..1000).map(|_| nanoseconds(|| ())).fold(f64::INFINITY, f64::min);
        let mut machine = Machine { clock, best: f64::INFINITY };
        // Long enough for the clock rate to rise.
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_millis(100) {
            machine.loudness();
        }
        machine
    }

    fn time(&self, f: impl FnOnce()) -> f64 {
        nanoseconds(f) - self.clock
    }

    /// The time of a loop that keeps the multiplier busy: four chains that do not depend on one another.
    fn loudness(&mut self) -> f64 {
        let time = self.time(|| {
            let ([mut a, mut b, mut c, mut d], x) = (black_box([1_u64, 3, 5, 7]), black_box(0x9e37_79b9_7f4a_7c15_u64));
            for i in 0..4000 {
                a = a.wrapping_mul(x).wrapping_add(i);
                b = b.wrapping_mul(x).wrapping_add(i);
                c = c.wrapping_mul(x).wrapping_add(i);
                d = d.wrapping_mul(x).wrapping_add(i);
            }
            black_box([a, b, c, d]);
        });
        self.best = self.best.min(time);
        time
    }

    /// Nanoseconds of a core cycle.
    fn cycle(&self) -> f64 {
        const MULTIPLICATIONS: u32 = 4000;
        // A square needs nothing but the square before it, so the chain is multiplications and nothing else.
        let time = self.time(|| {
            let x = black_box(0x9e37_79b9_7f4a_7c15_u64);
            black_box((0..MULTIPLICATIONS).fold(x, |x, _| x.wrapping_mul(x)));
        });
        time / f64::from(MULTIPLICATIONS) / CYCLES_PER_MULTIPLICATION
    }
}

fn nanoseconds(f: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    f();
    begin.elapsed().as_nanos() as f64
}

/// What is measured at one size.
fn operations<'a, const N: usize>(bits: u32, operands: &'a Operands<N>) -> Vec<Operation<'a>> {
    let (m, x, k) = (&operands.modulus, &operands.x, shift(bits));
    let mut all = vec![
        Operation::new("shl_mod/words", move || drop(black_box(black_box(x).shl_mod(black_box(k), m)))),
        Operation::new("shl_mod/doubling", move || {
            drop(black_box(shapes::shl_mod_doubling(black_box(x), black_box(k), m)));
        }),
        Operation::new("shl_mod/lshift1", move || {
            drop(black_box(shapes::shl_mod_lshift1(black_box(x), black_box(k), m)));
        }),
        Operation::new("shl_mod/words by 1 bit", move || drop(black_box(black_box(x).shl_mod(black_box(1), m)))),
        Operation::new("shl_mod/doubling by 1 bit", move || {
            drop(black_box(shapes::shl_mod_doubling(black_box(x), black_box(1), m)));
        }),
    ];
    for backend in Backend::available() {
        let name = |operation| format!("{operation} {}", backend.name());
        let context = Modulus::with_backend(m.clone(), backend).expect("the modulus is odd");
        let (mut x, y) = operands.residues(&context);
        let (same, mut z) = (context.clone(), y.clone());
        let public = operands.public_modulus();
        all.extend([
            Operation::new(name("mont_mul"), move || black_box(&context).mul_assign(&mut x, black_box(&y))),
            Operation::new(name("mont_square"), move || black_box(&same).square_assign(&mut z)),
            Operation::new(name("setup/secret"), move || {
                let context = Modulus::with_backend(black_box(m).clone(), backend).expect("the modulus is odd");
                black_box(&context);
            }),
            Operation::new(name("setup/public"), move || {
                let public = black_box(&public).clone();
                let context = Modulus::with_backend_vartime(public, backend).expect("the modulus is odd");
                black_box(&context);
            }),
        ]);
    }
    #[cfg(feature = "rsa")]
    if bits == 1024 {
        all.push(Operation::new("key_load(2048)", || {
            let der: &[u8] = include_bytes!("../vectors/keys/rsa2048.der");
            let key = tautochrone::rsa::PrivateKey::from_pkcs8_der(black_box(der)).expect("the key is good");
            black_box(&key);
        }));
    }
    all
}

fn measure(all: &mut [Operation<'_>], machine: &mut Machine, quick: bool) {
    if quick {
        return all.iter_mut().for_each(|operation| operation.sample(machine));
    }
    all.iter_mut().for_each(Operation::choose_calls);
    let begin = Instant::now();
    let mut done = false;
    while !done && begin.elapsed() < TIME_LIMIT {
        all.iter_mut().for_each(|operation| operation.sample(machine));
        done = all.iter().all(|operation| operation.counting(machine).count() >= ENOUGH);
    }
}

fn report(bits: u32, all: &[Operation<'_>], machine: &Machine) {
    println!("\n{bits} bits, {} limbs of 64 bits", limbs64(bits));
    println!("  {:<28}{:>14}{:>16}{:>18}", "cycles", "median", "lower quartile", "samples counted");
    for operation in all {
        let Figure { median, quartile } = operation.figure(machine);
        let samples = format!("{} of {}", operation.counting(machine).count(), operation.samples.len());
        println!("  {:<28}{median:>14}{quartile:>16}{samples:>18}", operation.name);
    }
    let cycles = |name: &str| {
        let operation = all.iter().find(|operation| operation.name == name).expect("it was measured");
        operation.figure(machine).median
    };
    let line = |name: &str, value: Estimate| println!("  {name:<42}{value:>16}");
    let (words, doubling) = (cycles("shl_mod/words"), cycles("shl_mod/doubling"));
    println!("  ratios of medians");
    line("shl_mod: lshift1 over words", cycles("shl_mod/lshift1").over(words));
    line("shl_mod: doubling over words", doubling.over(words));
    line("shl_mod: lshift1 over doubling", cycles("shl_mod/lshift1").over(doubling));
    line("doubling, cycles a limb and bit", doubling.divided(limbs64(bits) * shift(bits)));
    line("by 1 bit: words over doubling", cycles("shl_mod/words by 1 bit").over(cycles("shl_mod/doubling by 1 bit")));
    for backend in Backend::available() {
        let of = |operation: &str| cycles(&format!("{operation} {}", backend.name()));
        let named = |ratio: &str| format!("{ratio}, {}", backend.name());
        line(&named("setup: public over secret"), of("setup/public").over(of("setup/secret")));
        line(&named("setup/secret in mont_mul"), of("setup/secret").over(of("mont_mul")));
        line(&named("mont_square over mont_mul"), of("mont_square").over(of("mont_mul")));
        if cfg!(feature = "rsa") && bits == 1024 {
            line(&named("key_load(2048) in mont_mul(1024)"), cycles("key_load(2048)").over(of("mont_mul")));
        }
    }
}

fn size<const N: usize>(bits: u32, machine: &mut Machine, wanted: &[u32], quick: bool) {
    if wanted.is_empty() || wanted.contains(&bits) {
        let operands = Operands::<N>::new(bits);
        let mut all = operations(bits, &operands);
        measure(&mut all, machine, quick);
        report(bits, &all, machine);
    }
}

fn main() {
    // Cargo says --bench when it means to measure; as a test each operation runs once.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    let quick = !has("--bench") || has("--test");
    // Criterion's arguments reach every bench, this one too. A word is a filter on its ids, of which there are none
    // here; numbers that are no size belong to its options.
    let is_word = |argument: &String| !argument.starts_with('-') && argument.parse::<f64>().is_err();
    if has("--list") || arguments.iter().any(is_word) {
        return;
    }
    let wanted: Vec<u32> =
        arguments.iter().filter_map(|argument| argument.parse().ok()).filter(|n| *n >= 256).collect();
    let machine = &mut Machine::new();
    println!(
        "Portable code unless a backend is named. A dependent multiplication is taken for {CYCLES_PER_MULTIPLICATION} cycles;"
    );
    println!("~ marks what rests on samples beside a busy neighbour.");
    for_each_size!(size(machine, &wanted, quick));
}
