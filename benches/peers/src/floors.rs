//! How fast this CPU multiplies at all: loops in which no instruction waits for another one.

use crate::machine::nanoseconds;
use std::arch::asm;
use std::cell::Cell;

/// Instructions a nanosecond, the best of all tries so far; 0 where the CPU lacks them.
#[derive(Default)]
pub struct Floors {
    mulx: Cell<f64>,
    vpmadd52: Cell<f64>,
}

const TURNS: u64 = 2000;
const UNROLLED: u64 = 16;
const TRIES: usize = 50;
/// Of an exponentiation at the sizes that matter here: one multiplication for so many squarings.
const WINDOW: f64 = 5.0;

impl Floors {
    /// Tries again: once is not enough on a machine with neighbours.
    pub fn refine(&self) {
        let refine = |rate: &Cell<f64>, turns: fn(u64)| {
            let best = (0..TRIES).map(|_| nanoseconds(|| turns(TURNS))).fold(f64::INFINITY, f64::min);
            rate.set(rate.get().max((TURNS * UNROLLED) as f64 / best));
        };
        if is_x86_feature_detected!("bmi2") {
            refine(&self.mulx, mulx);
        }
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512ifma") {
            refine(&self.vpmadd52, vpmadd52);
        }
    }

    /// What there is, by name.
    pub fn rates(&self) -> impl Iterator<Item = (&'static str, f64)> {
        [("mulx", self.mulx.get()), ("vpmadd52", self.vpmadd52.get())].into_iter().filter(|(_, rate)| *rate > 0.0)
    }

    /// n² products of words and n² + n of the reduction.
    pub fn mont_mul(&self, bits: u32) -> Option<f64> {
        let n = f64::from(bits.div_ceil(64));
        time(2.0 * n * n + n, self.mulx.get())
    }

    /// As before, but of the square's products each is needed once.
    pub fn mont_square(&self, bits: u32) -> Option<f64> {
        let n = f64::from(bits.div_ceil(64));
        time(n * (n + 1.0) / 2.0 + n * n + n, self.mulx.get())
    }

    /// An exponentiation by whichever instruction is faster: a square a bit, a multiplication a window. By vectors, a
    /// square costs what a product costs: lower and upper halves of digits of 52 bits, eight a vector.
    pub fn pow(&self, bits: u32) -> Option<f64> {
        let (squares, products) = (f64::from(bits), f64::from(bits) / WINDOW);
        let words = Some(squares * self.mont_square(bits)? + products * self.mont_mul(bits)?);
        let digits = f64::from(bits.div_ceil(52));
        let vectors = time((squares + products) * 4.0 * digits * (digits / 8.0).ceil(), self.vpmadd52.get());
        words.into_iter().chain(vectors).min_by(f64::total_cmp)
    }
}

fn time(count: f64, rate: f64) -> Option<f64> {
    (rate > 0.0).then(|| count / rate)
}

/// Only on CPUs with BMI2.
fn mulx(turns: u64) {
    // SAFETY: the CPU has the instruction, see `refine`; nothing but the named registers changes.
    unsafe {
        asm!(
            "2:",
            ".rept 8",
            "mulx r8, r9, rdx",
            "mulx r10, r11, rdx",
            ".endr",
            "dec {turns}",
            "jnz 2b",
            turns = inout(reg) turns => _,
            in("rdx") 0x9e37_79b9_7f4a_7c15_u64,
            out("r8") _, out("r9") _, out("r10") _, out("r11") _,
            options(nomem, nostack),
        );
    }
}

/// Only on CPUs with AVX-512 IFMA.
fn vpmadd52(turns: u64) {
    // SAFETY: as before. Sixteen sums of their own hide the latency of each.
    unsafe {
        asm!(
            "vpternlogd zmm16, zmm16, zmm16, 255",
            "2:",
            "vpmadd52luq zmm0, zmm16, zmm16", "vpmadd52huq zmm1, zmm16, zmm16",
            "vpmadd52luq zmm2, zmm16, zmm16", "vpmadd52huq zmm3, zmm16, zmm16",
            "vpmadd52luq zmm4, zmm16, zmm16", "vpmadd52huq zmm5, zmm16, zmm16",
            "vpmadd52luq zmm6, zmm16, zmm16", "vpmadd52huq zmm7, zmm16, zmm16",
            "vpmadd52luq zmm8, zmm16, zmm16", "vpmadd52huq zmm9, zmm16, zmm16",
            "vpmadd52luq zmm10, zmm16, zmm16", "vpmadd52huq zmm11, zmm16, zmm16",
            "vpmadd52luq zmm12, zmm16, zmm16", "vpmadd52huq zmm13, zmm16, zmm16",
            "vpmadd52luq zmm14, zmm16, zmm16", "vpmadd52huq zmm15, zmm16, zmm16",
            "dec {turns}",
            "jnz 2b",
            "vzeroupper",
            turns = inout(reg) turns => _,
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _, out("xmm16") _,
            options(nomem, nostack),
        );
    }
}
