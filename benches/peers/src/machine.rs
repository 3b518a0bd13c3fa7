//! The clock, and whether somebody else is at work on the same core.

use std::arch::asm;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// CPU time of this thread in nanoseconds: what other processes do is not in it, but for what they leave in the caches
/// and, on a core with two threads, take from its units.
fn now() -> f64 {
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

/// What is known of the machine so far.
pub struct Machine {
    /// The best time of the probe.
    best: Cell<f64>,
}

/// A probe within so much of the best one tells that nobody is in the way. The loop of the probe slows down by 1.7
/// where a product of ours does so by 1.6.
pub const QUIET: f64 = 1.08;
/// Long enough for the clock rate to rise and for some neighbours to pause.
const WARM_UP: Duration = Duration::from_millis(500);

impl Machine {
    pub fn new() -> Self {
        let machine = Machine { best: Cell::new(f64::INFINITY) };
        let begin = Instant::now();
        while begin.elapsed() < WARM_UP {
            machine.probe();
        }
        machine
    }

    /// The time of a loop that fills every cycle with as many instructions as a core can begin: a thread beside us on
    /// the same core shows there at once, whatever units it is after. Over the best time so far.
    pub fn probe(&self) -> f64 {
        let time = nanoseconds(|| fill(1000));
        self.best.set(self.best.get().min(time));
        time / self.best.get()
    }
}

fn fill(turns: u64) {
    // SAFETY: nothing but the named registers changes.
    unsafe {
        asm!(
            "2:",
            ".rept 8",
            "imul r8, rdx, 7",
            "add r9, 1",
            "add r10, 1",
            "add r11, 1",
            "add r12, 1",
            "add r13, 1",
            ".endr",
            "dec {turns}",
            "jnz 2b",
            turns = inout(reg) turns => _,
            in("rdx") 5_u64,
            out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
            options(nomem, nostack),
        );
    }
}
