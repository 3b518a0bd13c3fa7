//! Competitors in one operation: held against the right result, then timed in turns.

use crate::keys::TestKey;
use crate::libraries::{KeyOp, Library, NumberOp};
use crate::machine::Machine;
use crate::operands::Operands;
use crate::report::{Line, Rival};
use crate::task::Task;
use crate::timing::{self, Ratio, Sample, time};
use std::ops::Range;

/// Calls after which the result of a chain must be the right one.
pub const CHECKED_CALLS: u32 = 3;

struct Competitor {
    name: &'static str,
    task: Task,
    /// Or only shown.
    counts: bool,
}

/// All that is timed in one go.
pub struct Group {
    bits: u32,
    competitors: Vec<Competitor>,
}

impl Group {
    pub fn new(bits: u32) -> Self {
        Group { bits, competitors: Vec::new() }
    }

    /// Adds one competitor, whose result after `calls` calls must be the expected one.
    ///
    /// # Errors
    /// Tells who has another result.
    pub fn add(&mut self, name: &'static str, mut task: Task, calls: u32, expected: &[u8]) -> Result<usize, String> {
        task.run(calls);
        let result = task.result();
        if result != expected {
            let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            let (result, expected, bits) = (hex(&result), hex(expected), self.bits);
            return Err(format!("{name} is wrong at {bits} bits:\n  result   {result}\n  expected {expected}"));
        }
        self.competitors.push(Competitor { name, task, counts: true });
        Ok(self.competitors.len() - 1)
    }

    /// Adds all libraries that have the operation; ours is the first of the range.
    pub fn add_all(
        &mut self,
        libraries: &[Box<dyn Library>],
        task: impl Fn(&dyn Library) -> Option<Task>,
        calls: u32,
        expected: &[u8],
    ) -> Result<Range<usize>, String> {
        let begin = self.competitors.len();
        for library in libraries {
            if let Some(task) = task(library.as_ref()) {
                self.add(library.name(), task, calls, expected)?;
            }
        }
        Ok(begin..self.competitors.len())
    }

    pub fn add_number(
        &mut self,
        libraries: &[Box<dyn Library>],
        op: NumberOp,
        operands: &Operands,
        calls: u32,
        expected: &[u8],
    ) -> Result<Range<usize>, String> {
        let all = self.add_all(libraries, |library| library.number(op, operands), calls, expected)?;
        for competitor in &mut self.competitors[all.clone()] {
            let library = libraries.iter().find(|library| library.name() == competitor.name);
            competitor.counts = library.is_some_and(|library| library.offers(op));
        }
        Ok(all)
    }

    pub fn add_key(
        &mut self,
        libraries: &[Box<dyn Library>],
        op: KeyOp,
        key: &TestKey,
    ) -> Result<Range<usize>, String> {
        self.add_all(libraries, |library| library.key(op, key), 1, &key.signature)
    }

    /// Times everybody. A call counts as so many operations.
    pub fn measure(mut self, machine: &Machine, rounds: usize, operations: u32) -> Measured {
        let mut samples = timing::round_robin(machine, &mut self.competitors, rounds, |one, calls| one.task.run(calls));
        samples.iter_mut().flatten().for_each(|sample| sample.ns /= f64::from(operations));
        let of = |(one, samples): (&Competitor, _)| Times { name: one.name, counts: one.counts, samples };
        Measured { bits: self.bits, results: self.competitors.iter().zip(samples).map(of).collect() }
    }
}

/// One competitor's times in all rounds.
struct Times {
    name: &'static str,
    counts: bool,
    samples: Vec<Sample>,
}

/// What a group has come to.
pub struct Measured {
    bits: u32,
    results: Vec<Times>,
}

impl Measured {
    /// The line of a table for an operation: one of ours against rivals, both by their places in the group.
    pub fn line(&self, op: &'static str, backend: &'static str, ours: usize, rivals: Range<usize>) -> Line {
        let (ours, rivals) = (&self.results[ours], &self.results[rivals]);
        let best = rivals
            .iter()
            .filter(|rival| rival.counts)
            .min_by(|a, b| time(&a.samples).total_cmp(&time(&b.samples)))
            .expect("every operation has a rival");
        Line {
            op,
            bits: self.bits,
            ours_ns: time(&ours.samples),
            best_ns: time(&best.samples),
            best: best.name,
            ratio: Ratio::of(&ours.samples, &best.samples),
            backend,
            floor_ns: None,
            rivals: rivals
                .iter()
                .map(|rival| Rival { name: rival.name, ns: time(&rival.samples), counts: rival.counts })
                .collect(),
        }
    }

    /// A line in which the first of a range is ours and the others are its rivals.
    pub fn first_against_rest(&self, op: &'static str, backend: &'static str, all: Range<usize>) -> Line {
        self.line(op, backend, all.start, all.start + 1..all.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter() -> Task {
        Task::new(0_u8, |count| *count = std::hint::black_box(count.wrapping_add(1)), |count| vec![*count])
    }

    #[test]
    fn a_wrong_result_ends_the_run() {
        let mut group = Group::new(8);
        assert_eq!(group.add("right", counter(), 3, &[3]), Ok(0));
        let error = group.add("wrong", counter(), 3, &[4]).unwrap_err();
        assert!(error.contains("wrong is wrong at 8 bits"), "{error}");
    }

    #[test]
    fn the_ratio_is_to_the_fastest_rival() {
        let of = |name, counts, times: [f64; 3]| {
            let samples = times.map(|ns| Sample { ns, loudness: 1.0 }).to_vec();
            Times { name, counts, samples }
        };
        let results = vec![
            of("ours", true, [2.0, 4.0, 3.0]),
            of("slow", true, [9.0, 9.0, 9.0]),
            of("fast", true, [4.0, 10.0, 6.0]),
            of("shown", false, [1.0, 1.0, 1.0]),
        ];
        let line = Measured { bits: 8, results }.first_against_rest("op", "portable", 0..4);
        assert_eq!((line.best, line.ours_ns, line.best_ns, line.ratio.median), ("fast", 3.0, 6.0, 0.5));
        assert!((line.ratio.interquartile_range - 0.05).abs() < 1e-9 && line.rivals.len() == 3);
    }
}
