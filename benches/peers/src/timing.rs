//! The rounds, and what is read off them.

use crate::machine::{Machine, QUIET, nanoseconds};
use std::time::{Duration, Instant};

/// Calls are bundled into samples of at least this length, of which reading the clock is no part that matters.
const SAMPLE: Duration = Duration::from_micros(300);
/// Rounds go on for so long, however few have been asked for.
const AT_LEAST: Duration = Duration::from_millis(250);
/// And for so long at most, for the sake of a quiet machine.
const AT_MOST: Duration = Duration::from_secs(4);
/// Rounds under a figure: if fewer were quiet, the quietest ones.
const ENOUGH: usize = 15;

/// What a competitor's turn has come to.
#[derive(Clone, Copy)]
pub struct Sample {
    /// Of one call.
    pub ns: f64,
    /// The slower one of the probes around it, over the best one.
    pub loudness: f64,
}

/// How many calls fill a sample; also warms up.
fn calls_per_sample(mut run: impl FnMut(u32)) -> u32 {
    let mut calls = 1;
    loop {
        let elapsed = nanoseconds(|| run(calls));
        if elapsed >= SAMPLE.as_nanos() as f64 {
            return calls;
        }
        // Straight to the goal once the clock tells something, doubling until then.
        let needed = SAMPLE.as_nanos() as f64 / elapsed.max(1.0) * f64::from(calls);
        calls = (needed.ceil() as u32).clamp(calls + 1, 16 * calls);
    }
}

/// Times all competitors once in each round: `samples[competitor][round]`.
///
/// Each round begins with another one, so that nobody always follows the same neighbour. There are at least `rounds`
/// rounds, and more until everybody has so many quiet samples, within reason.
pub fn round_robin<T>(
    machine: &Machine,
    competitors: &mut [T],
    rounds: usize,
    mut run: impl FnMut(&mut T, u32),
) -> Vec<Vec<Sample>> {
    let calls: Vec<u32> = competitors.iter_mut().map(|one| calls_per_sample(|calls| run(one, calls))).collect();
    let mut samples = vec![Vec::with_capacity(rounds); competitors.len()];
    let begin = Instant::now();
    let mut round = 0;
    loop {
        let mut before = machine.probe();
        for i in 0..competitors.len() {
            let i = (i + round) % competitors.len();
            let elapsed = nanoseconds(|| run(&mut competitors[i], calls[i]));
            let after = machine.probe();
            samples[i].push(Sample { ns: elapsed / f64::from(calls[i]), loudness: before.max(after) });
            before = after;
        }
        round += 1;
        let elapsed = begin.elapsed();
        let quiet = |samples: &Vec<Sample>| samples.iter().filter(|sample| sample.loudness <= QUIET).count() >= rounds;
        let content = elapsed >= AT_LEAST && samples.iter().all(quiet);
        if round >= rounds && (content || elapsed >= AT_MOST) {
            return samples;
        }
    }
}

/// The values that count, given with their loudness: the quiet ones, or the quietest if those are too few. And whether
/// they were enough.
fn quietest(mut values: Vec<(f64, f64)>) -> (Vec<f64>, bool) {
    values.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let quiet = values.partition_point(|(_, loudness)| *loudness <= QUIET);
    values.truncate(quiet.max(ENOUGH));
    (values.into_iter().map(|(value, _)| value).collect(), quiet >= ENOUGH)
}

/// Median time of the samples that count.
pub fn time(samples: &[Sample]) -> f64 {
    median(&quietest(samples.iter().map(|sample| (sample.ns, sample.loudness)).collect()).0)
}

/// Two competitors, round by round.
pub struct Ratio {
    pub median: f64,
    pub interquartile_range: f64,
    /// Whether it rests on rounds that were quiet for both.
    pub quiet: bool,
}

impl Ratio {
    pub fn of(ours: &[Sample], rival: &[Sample]) -> Self {
        let ratio = |(ours, rival): (&Sample, &Sample)| (ours.ns / rival.ns, ours.loudness.max(rival.loudness));
        let (ratios, quiet) = quietest(ours.iter().zip(rival).map(ratio).collect());
        let interquartile_range = quantile(&ratios, 0.75) - quantile(&ratios, 0.25);
        Ratio { median: median(&ratios), interquartile_range, quiet }
    }
}

fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// By interpolation between the two nearest values.
fn quantile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = part * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    low + (high - low) * at.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(ns: f64, loudness: f64, count: usize) -> Vec<Sample> {
        vec![Sample { ns, loudness }; count]
    }

    #[test]
    fn quantiles_interpolate() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(median(&values), 2.5);
        assert_eq!(quantile(&values, 0.25), 1.75);
        assert_eq!(median(&[7.0]), 7.0);
    }

    #[test]
    fn the_quietest_samples_count() {
        let mixed = [samples(1.0, 1.0, ENOUGH), samples(5.0, 1.5, 5 * ENOUGH)].concat();
        let rival = samples(1.0, 1.0, 6 * ENOUGH);
        assert_eq!(time(&mixed), 1.0);
        let ratio = Ratio::of(&mixed, &rival);
        assert!(ratio.quiet && ratio.median == 1.0 && ratio.interquartile_range == 0.0);
        // One quiet sample too few.
        let ratio = Ratio::of(&mixed[1..], &rival[1..]);
        assert!(!ratio.quiet && ratio.median == 1.0);
        let ratio = Ratio::of(&mixed[ENOUGH..], &rival[ENOUGH..]);
        assert!(!ratio.quiet && ratio.median == 5.0);
    }

    #[test]
    fn every_competitor_has_a_sample_of_every_round() {
        let mut spent = [0_u64; 3];
        let samples = round_robin(&Machine::new(), &mut spent, 5, |spent, calls| {
            for i in 0..1000 * u64::from(calls) {
                *spent = std::hint::black_box(*spent + i);
            }
        });
        assert!(samples.len() == 3 && samples[0].len() >= 5);
        assert!(samples.iter().all(|rounds| rounds.len() == samples[0].len()));
        assert!(samples.iter().flatten().all(|sample| sample.ns > 0.0));
    }
}
