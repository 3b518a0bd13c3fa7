//! The allocator that looks into what is freed, and counts what is asked for.
#![allow(unsafe_code, reason = "An allocator cannot be written without.")]

use num_bigint::BigUint;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tautochrone::Limb;

/// Patterns of eight bytes, hashed into slots; 0 is an empty one.
const SLOTS: usize = 1 << 18;
static PATTERNS: [AtomicU64; SLOTS] = [const { AtomicU64::new(0) }; SLOTS];
static ARMED: AtomicBool = AtomicBool::new(false);
static LEAKS: AtomicUsize = AtomicUsize::new(0);
static FIRST: AtomicUsize = AtomicUsize::new(0);
/// Blocks looked into, so that a watch over nothing is seen.
static FREED: AtomicUsize = AtomicUsize::new(0);
/// One watch at a time: the patterns are those of one test.
static WATCH: Mutex<()> = Mutex::new(());

thread_local! {
    /// Allocations of this thread.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

pub struct Checking;

// SAFETY: each block comes from `System` and goes back to it with the layout it came with; nothing else is promised.
// `realloc` is the default one, by way of `alloc` and `dealloc`, so that blocks left behind by growth are seen.
unsafe impl GlobalAlloc for Checking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are the ones that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if ARMED.load(SeqCst) {
            // SAFETY: the block is alive, of this size, and nobody else's: it is just being given back.
            unsafe { inspect(block, layout.size()) };
        }
        // SAFETY: the block came from `System` with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Counts the block as a leak if it holds a pattern at any offset.
///
/// # Safety
/// `block` points to `size` bytes that may be read.
unsafe fn inspect(block: *const u8, size: usize) {
    FREED.fetch_add(1, SeqCst);
    let mut window = 0;
    for i in 0..size {
        // SAFETY: i < size. Volatile, since a byte may never have been written: whatever is there is looked at, as an
        // attacker would, and the compiler draws no conclusions.
        let byte = unsafe { block.add(i).read_volatile() };
        window = window >> 8 | u64::from(byte) << 56;
        if i >= 7 && is_pattern(window) {
            if LEAKS.fetch_add(1, SeqCst) == 0 {
                FIRST.store(size, SeqCst);
            }
            return;
        }
    }
}

/// The slots in which a pattern may stand, in their order.
fn slots(pattern: u64) -> impl Iterator<Item = &'static AtomicU64> {
    let first = (pattern.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
    (0..SLOTS).map(move |i| &PATTERNS[(first + i) % SLOTS])
}

fn is_pattern(window: u64) -> bool {
    window != 0
        && slots(window).map(|slot| slot.load(SeqCst)).take_while(|found| *found != 0).any(|found| found == window)
}

/// Windows that anything may hold: few different bytes.
fn is_telling(window: u64) -> bool {
    let mut bytes = window.to_le_bytes();
    bytes.sort_unstable();
    bytes.windows(2).filter(|pair| pair[0] != pair[1]).count() >= 4
}

fn register(bytes: &[u8]) {
    for chunk in bytes.as_chunks::<8>().0 {
        let window = u64::from_le_bytes(*chunk);
        if is_telling(window) {
            let slot = slots(window).find(|slot| matches!(slot.load(SeqCst), found if found == 0 || found == window));
            slot.expect("a slot is free").store(window, SeqCst);
        }
    }
}

/// What a watch has seen.
pub struct Seen {
    pub leaks: usize,
    pub freed: usize,
    /// Bytes of the first block that leaked.
    first: usize,
}

impl std::fmt::Display for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} blocks leak, the first one of {} bytes", self.leaks, self.freed, self.first)
    }
}

/// Secrets that no freed block may hold while something runs.
pub struct Watch {
    _alone: MutexGuard<'static, ()>,
}

impl Watch {
    pub fn over(secrets: &[BigUint]) -> Watch {
        // A test that failed under its watch has told so itself.
        let alone = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
        PATTERNS.iter().for_each(|slot| slot.store(0, SeqCst));
        for secret in secrets {
            let mut bytes = secret.to_bytes_le();
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            // As limbs lie in memory, and as byte strings of both orders.
            let limbs = bytes.as_chunks::<{ size_of::<Limb>() }>().0.iter();
            register(&limbs.flat_map(|limb| Limb::from_le_bytes(*limb).to_ne_bytes()).collect::<Vec<u8>>());
            register(&bytes);
            // Byte strings may begin within a word: the windows are counted from the low end.
            bytes.reverse();
            register(&bytes);
            let short = secret.to_bytes_be();
            register(&short);
        }
        assert!(PATTERNS.iter().any(|slot| slot.load(SeqCst) != 0), "there is something to look for");
        Watch { _alone: alone }
    }

    /// Runs `call` and drops what it gives, watching.
    pub fn run<T>(&self, call: impl FnOnce() -> T) -> Seen {
        for counter in [&LEAKS, &FIRST, &FREED] {
            counter.store(0, SeqCst);
        }
        ARMED.store(true, SeqCst);
        drop(call());
        ARMED.store(false, SeqCst);
        Seen { leaks: LEAKS.load(SeqCst), first: FIRST.load(SeqCst), freed: FREED.load(SeqCst) }
    }

    /// Runs `call`: it frees something, and nothing of that holds a secret.
    #[track_caller]
    pub fn clean<T>(&self, what: &str, call: impl FnOnce() -> T) {
        let seen = self.run(call);
        assert_eq!(seen.leaks, 0, "{what}: {seen}");
        assert!(seen.freed > 0, "{what} frees nothing");
    }
}

/// How many blocks `call` asks for, on this thread.
pub fn allocations<T>(call: impl FnOnce() -> T) -> usize {
    let before = ALLOCATIONS.get();
    let result = call();
    let after = ALLOCATIONS.get();
    drop(result);
    after - before
}
