//! The clock, the rounds, and what is read off them.

use std::time::{Duration, Instant};

/// Calls are bundled into samples of at least this length, of which reading the clock is no part that matters.
const SAMPLE: Duration = Duration::from_micros(300);
/// Rounds go on for so long, however many have been asked for: loud moments of the machine are then few among them.
const AT_LEAST: Duration = Duration::from_millis(250);

/// CPU time of this thread in nanoseconds: what other processes do is not in it, but for what they leave in the caches.
pub fn now() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a timespec that outlives the call.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "the clock of the thread cannot be read");
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// Nanoseconds that `f` takes.
pub fn nanoseconds(f: impl FnOnce()) -> f64 {
    let begin = now();
    f();
    now() - begin
}

/// How many calls fill a sample; also warms up.
pub fn calls_per_sample(mut run: impl FnMut(u32)) -> u32 {
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

/// Nanoseconds of one call of each competitor in each round, of which there are at least `rounds`:
/// `samples[competitor][round]`.
///
/// Every round times all competitors once, and each round begins with another one, so that nobody always follows the
/// same neighbour.
pub fn round_robin<T>(competitors: &mut [T], rounds: usize, mut run: impl FnMut(&mut T, u32)) -> Vec<Vec<f64>> {
    let calls: Vec<u32> = competitors.iter_mut().map(|one| calls_per_sample(|calls| run(one, calls))).collect();
    let mut samples = vec![Vec::with_capacity(rounds); competitors.len()];
    let begin = Instant::now();
    let mut round = 0;
    while round < rounds || begin.elapsed() < AT_LEAST {
        for i in 0..competitors.len() {
            let i = (i + round) % competitors.len();
            let elapsed = nanoseconds(|| run(&mut competitors[i], calls[i]));
            samples[i].push(elapsed / f64::from(calls[i]));
        }
        round += 1;
    }
    samples
}

/// The median.
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// Upper quartile less lower quartile.
pub fn interquartile_range(values: &[f64]) -> f64 {
    quantile(values, 0.75) - quantile(values, 0.25)
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

    #[test]
    fn quantiles_interpolate() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(median(&values), 2.5);
        assert_eq!(interquartile_range(&values), 1.5);
        assert_eq!(median(&[7.0]), 7.0);
    }

    #[test]
    fn every_competitor_has_a_sample_of_every_round() {
        let mut spent = [0_u64; 3];
        let samples = round_robin(&mut spent, 5, |spent, calls| {
            for i in 0..1000 * u64::from(calls) {
                *spent = std::hint::black_box(*spent + i);
            }
        });
        assert!(samples.len() == 3 && samples[0].len() >= 5);
        assert!(samples.iter().all(|rounds| rounds.len() == samples[0].len()));
        assert!(samples.iter().flatten().all(|time| *time > 0.0));
    }
}
