//! The almost-Montgomery product in radix 2⁵², for one instance in eight lanes or two in four lanes each.
// Iterators and closures over arrays of registers end as memory, loops over indices as registers.
#![allow(clippy::needless_range_loop)]

use super::vector::{group, lanes_down, lanes_up, load, low, opaque, spread, store};
use super::{DIGIT, MAX_DIGIT, MAX_ROWS, Row};
use crate::ct::barrier::barrier;
use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// [`amm`] of one width. A pointer, so that the width is looked up once and not per product.
pub(super) type Amm = unsafe fn(&mut [Row], Option<&[Row]>, &[Row], [u64; 2], usize, u32);

/// The number of digits is a multiple of this: in the longest loop, few places to leave it from spare spills, and a
/// fifth of the time.
pub(super) const fn stride(width: usize) -> usize {
    if width == MAX_ROWS { 5 } else { 1 }
}

/// `late`, which the compiler may not compute before `early`.
///
/// Without it the products a·b, which are ready early, move ahead of the chain of quotient digits that everything
/// waits for. It is no instruction, so the CPU is not held back.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
#[inline]
fn after(early: __m128i, mut late: __m512i) -> __m512i {
    // SAFETY: no instruction at all.
    unsafe {
        asm!("/* {0} {1} */", in(xmm_reg) early, inout(zmm_reg) late, options(pure, nomem, nostack, preserves_flags));
    }
    late
}

/// z := z·b·R⁻¹ mod M, almost reduced, `times` times over; without b, z := z², each time. R = 2^(52·`digits`).
///
/// `n` holds M and k0 = −M⁻¹ mod 2⁵². With MULTIPLE it holds M + 1 for an M ≡ −1 mod 2⁵², and k0 is not read: the
/// quotient digit is the low digit q of the sum t itself, and (t + q·M)/2⁵² = ⌊t/2⁵²⌋ + q·(M + 1)/2⁵².
///
/// Sizes: z, b, n of W rows; digits ≤ 8W/I and a multiple of the [`stride`]. Requires: z, b and M below R/2, digits
/// below 2⁵². The result is (z·b + q·M)/R with q < R, so it is below z·b/R + M: below 2M again for z and b below 2M
/// and 4M < R. On the way the sum stays below z + M < R, so that no digit above the last one is ever needed.
/// Leaks: nothing.
///
/// Gueron and Krasnov, "Software implementation of modular exponentiation, using advanced vector instructions
/// architectures"; Montgomery without final subtraction after Walter.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
pub(super) fn amm<const I: usize, const W: usize, const MULTIPLE: bool>(
    z: &mut [Row],
    b: Option<&[Row]>,
    n: &[Row],
    k0: [u64; 2],
    digits: usize,
    times: u32,
) {
    // With more rows there are not registers enough for two sums.
    let join = const { W > 9 };
    // The address of one aligned local aligns the frame, and with it whatever spills.
    let mut frame = MaybeUninit::<__m512i>::uninit();
    // SAFETY: no instruction at all.
    unsafe { asm!("/* {0} */", in(reg) frame.as_mut_ptr(), options(nostack, preserves_flags)) };
    assert!(digits > 0 && digits <= 8 * W / I && digits.is_multiple_of(stride(W)));
    let z: &mut [Row; W] = z.try_into().expect("one width");
    let n: &[Row; W] = n.try_into().expect("one width");
    let b: Option<&[Row; W]> = b.map(|b| b.try_into().expect("one width"));
    let zero = _mm512_setzero_si512();
    let max = _mm_set1_epi64x(MAX_DIGIT as i64);
    let k0 = _mm_set_epi64x(k0[1] as i64, k0[0] as i64);
    let mut m = [zero; W];
    for r in 0..W {
        m[r] = load(&n[r]);
    }
    let squares = b.is_none();
    let mut a = [zero; W];
    for r in 0..W {
        a[r] = load(&z[r]);
    }
    let mut b0 = group::<I>(&b.unwrap_or(&*z)[0], 0);
    for _ in 0..times {
        let b = b.unwrap_or(&*z);
        if join {
            // By way of memory again: with so many rows nothing is gained by holding them for longer.
            for r in 0..W {
                a[r] = load(&z[r]);
            }
            b0 = group::<I>(&b[0], 0);
        }
        // The sum is x + y, but for row 0, where x is all of it. t is row 0 in the lowest lanes, exactly.
        //
        // A lane gathers at most four products of 52 bits and one carry below 2¹² for each digit of b: with 159
        // digits less than 2⁶², and 2⁶⁴ − 2⁵² would be allowed.
        let mut bi = b0;
        let mut y = [zero; W];
        for r in 0..W {
            y[r] = _mm512_madd52lo_epu64(zero, a[r], bi);
        }
        let mut x = if join { y } else { [zero; W] };
        x[0] = y[0];
        let mut t = low(x[0]);
        let mut left = digits;
        macro_rules! steps {
            ($($r:literal)*) => {
                'all: for l in 0..8 / I {
                    $(if $r < W {
                        // The chain of quotient digits, in the short registers, whose latency is smaller.
                        let q1 = if MULTIPLE { t } else { _mm_madd52lo_epu64(_mm_setzero_si128(), t, k0) };
                        // t + low(q·n₀) is a multiple of 2⁵², so what t has below 2⁵² carries one, if not zero.
                        let carry = _mm_srli_epi64::<{ DIGIT as i32 }>(if MULTIPLE { t } else { _mm_add_epi64(t, max) });
                        let bj = after(q1, bi);
                        // The next digit; zero, or not used, behind the last one.
                        bi = if $r + 1 < W { group::<I>(&b[($r + 1) % W], l) }
                            else if l + 1 < 8 / I { group::<I>(&b[0], l + 1) }
                            else { zero };
                        let from = if join { x[1] } else { y[1] };
                        y[0] = _mm512_madd52lo_epu64(_mm512_madd52hi_epu64(from, a[0], bj), a[0], bi);
                        // Row 1 is row 0 from here on; when joined, y has all of it.
                        let x1 = if join { y[0] } else { x[1] };
                        let h = if join { carry } else { _mm_add_epi64(low(y[0]), carry) };
                        let h = if MULTIPLE { h } else { _mm_madd52hi_epu64(h, low(m[0]), q1) };
                        t = _mm_add_epi64(_mm_madd52lo_epu64(low(x1), low(m[1]), q1), h);
                        let q = after(t, spread::<I>(q1));
                        // The other rows of a·b, not needed soon.
                        let bj = if MULTIPLE || join { bj } else { after(low(q), bj) };
                        for r in 2..W {
                            let from = if join { x[r] } else { y[r] };
                            y[r - 1] = _mm512_madd52lo_epu64(_mm512_madd52hi_epu64(from, a[r - 1], bj), a[r - 1], bi);
                        }
                        y[W - 1] = _mm512_madd52lo_epu64(_mm512_madd52hi_epu64(zero, a[W - 1], bj), a[W - 1], bi);
                        let top = lanes_down::<I>(_mm512_madd52lo_epu64(x[0], m[0], q));
                        // It goes through the lanes first; pairs are faster without that order.
                        let q = if I == 1 { after(low(top), q) } else { q };
                        if join {
                            for r in 1..W {
                                x[r - 1] = _mm512_madd52lo_epu64(_mm512_madd52hi_epu64(y[r - 1], m[r - 1], q), m[r], q);
                            }
                            x[W - 1] = _mm512_madd52hi_epu64(_mm512_add_epi64(top, y[W - 1]), m[W - 1], q);
                        } else {
                            x[0] = _mm512_add_epi64(
                                _mm512_madd52lo_epu64(x1, m[1], q), _mm512_madd52hi_epu64(y[0], m[0], q));
                            for r in 2..W {
                                x[r - 1] = _mm512_madd52lo_epu64(_mm512_madd52hi_epu64(x[r], m[r - 1], q), m[r], q);
                            }
                            x[W - 1] = if W == 2 {
                                // Row 1 is the next row 0: a sum instead of a product in a row with the shift.
                                _mm512_add_epi64(top, _mm512_madd52hi_epu64(zero, m[W - 1], q))
                            } else {
                                _mm512_madd52hi_epu64(top, m[W - 1], q)
                            };
                        }
                        if ($r + 1) % stride(W) == 0 {
                            left -= stride(W);
                            if left == 0 {
                                break 'all;
                            }
                        }
                    })*
                }
            };
        }
        steps!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        x[0] = _mm512_mask_mov_epi64(x[0], (1 << I) - 1, opaque(_mm512_castsi128_si512(t)));
        if !join {
            for r in 1..W {
                x[r] = _mm512_add_epi64(x[r], y[r]);
            }
        }
        a = normalise::<I, W>(x);
        for r in 0..W {
            store(&mut z[r], a[r]);
        }
        if squares {
            // No carry enters the lowest digit, so it is known before the others are, and not by way of memory. Products
            // read the lower 52 bits alone.
            b0 = spread::<I>(t);
        }
    }
}

/// Brings every digit below 2⁵², the carries running along the digits of each instance.
///
/// Requires: a value that fits, so that no carry leaves the last digit.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
#[inline]
pub(super) fn normalise<const I: usize, const W: usize>(mut x: [__m512i; W]) -> [__m512i; W] {
    let max = _mm512_set1_epi64(MAX_DIGIT as i64);
    let one = opaque(_mm512_set1_epi64(1));
    for r in 1..W {
        x[r] = _mm512_add_epi64(x[r], _mm512_srli_epi64::<DIGIT>(x[r - 1]));
    }
    let carry = lanes_up::<I>(_mm512_srli_epi64::<DIGIT>(x[W - 1]));
    for r in 0..W {
        x[r] = _mm512_and_si512(x[r], max);
    }
    // Now every row is below 2⁵², and row 0 gets at most 2¹² from the lane before. What may still leave row 0 is one,
    // and it runs on through rows that are all ones: lanes whose rows 1, …, r − 1 are, and those whose last row is.
    let mut full = [0xff; W];
    let mut all = max;
    for r in 1..W {
        full[r] = if r == 1 { 0xff } else { early(_mm512_cmpeq_epu64_mask(all, max)) };
        all = _mm512_and_si512(all, x[r]);
    }
    let end = word(_mm512_cmpeq_epu64_mask(all, max));
    x[0] = _mm512_add_epi64(x[0], carry);
    let above = word(_mm512_cmpgt_epu64_mask(x[0], max));
    let equal = word(_mm512_cmpeq_epu64_mask(x[0], max));
    let enters = entered::<I>(above & end, equal & end);
    let leaves = (above | equal & enters) as u8;
    x[0] = increment(x[0], enters as u8, one);
    x[0] = _mm512_and_si512(x[0], max);
    for r in 1..W {
        x[r] = _mm512_and_si512(increment(x[r], full[r] & leaves, one), max);
    }
    x
}

/// The mask, made now: the compiler would compare under the mask that it is joined with, later, and in memory.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
#[inline]
fn early(mut mask: u8) -> u8 {
    // SAFETY: no instruction at all.
    unsafe { asm!("/* {0} */", inout(kreg) mask, options(pure, nomem, nostack, preserves_flags)) };
    mask
}

/// The mask in a general register, where sums take a cycle and not four.
#[inline(always)]
fn word(mask: u8) -> u32 {
    barrier(usize::from(mask)) as u32
}

/// v + 1 in the lanes of the mask.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
#[inline]
fn increment(v: __m512i, lanes: u8, one: __m512i) -> __m512i {
    // A one that the compiler does not know: it would make a vector of the mask first.
    _mm512_mask_add_epi64(v, lanes, v, one)
}

/// The lanes that a carry enters, of those that send one out (g) and those that pass one on (p).
///
/// One addition: a carry out of bit i is added at bit i + 1, runs through ones of p, and what then differs from p are
/// the places where it arrived.
#[inline(always)]
fn entered<const I: usize>(g: u32, p: u32) -> u32 {
    let run = |g: u32, p: u32| ((g << 1) + p) ^ p;
    if I == 1 {
        return run(g, p);
    }
    // Each instance has a half of its own, where the lanes of the other one pass everything on.
    let s = run((g & 0x55) | (g & 0xaa) << 16, (p | 0xaa) & 0xff | (p | 0x55) << 16);
    s & 0x55 | s >> 16 & 0xaa
}
