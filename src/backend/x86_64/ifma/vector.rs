//! Registers: loads and stores, lanes, and the masked look-up in a table.

use super::Row;
use core::arch::asm;
use core::arch::x86_64::*;

/// The row as it lies in memory.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
#[inline]
pub(super) fn load(row: &Row) -> __m512i {
    // SAFETY: a row is 64 readable bytes, and the load asks for no alignment.
    unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
#[inline]
pub(super) fn store(row: &mut Row, v: __m512i) {
    // SAFETY: a row is 64 bytes that only we write, and the store asks for no alignment.
    unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), v) }
}

/// The lowest digit of each instance.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
#[inline]
pub(super) fn low(v: __m512i) -> __m128i {
    _mm512_castsi512_si128(v)
}

/// The lowest digit of each instance in all of its lanes.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
#[inline]
pub(super) fn spread<const I: usize>(low: __m128i) -> __m512i {
    if I == 1 { _mm512_broadcastq_epi64(low) } else { _mm512_broadcast_i64x2(low) }
}

/// Lane group l of a row, spread.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
#[inline]
pub(super) fn group<const I: usize>(row: &Row, l: usize) -> __m512i {
    if I == 1 {
        _mm512_set1_epi64(row[l] as i64)
    } else {
        _mm512_broadcast_i64x2(_mm_set_epi64x(row[2 * l + 1] as i64, row[2 * l] as i64))
    }
}

/// Each group of lanes one place down, the lowest one lost.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
#[inline]
pub(super) fn lanes_down<const I: usize>(v: __m512i) -> __m512i {
    let zero = _mm512_setzero_si512();
    if I == 1 { _mm512_alignr_epi64::<1>(zero, v) } else { _mm512_alignr_epi64::<2>(zero, v) }
}

/// Each group of lanes one place up, zeros in the lowest one.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
#[inline]
pub(super) fn lanes_up<const I: usize>(v: __m512i) -> __m512i {
    let zero = _mm512_setzero_si512();
    if I == 1 { _mm512_alignr_epi64::<7>(v, zero) } else { _mm512_alignr_epi64::<6>(v, zero) }
}

/// `v`, of which the optimiser knows nothing any more.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
#[inline]
pub(super) fn opaque(mut v: __m512i) -> __m512i {
    // SAFETY: no instruction at all.
    unsafe { asm!("/* {0} */", inout(zmm_reg) v, options(pure, nomem, nostack, preserves_flags)) };
    v
}

/// z := for each instance h its lanes of entry `index[h]` of the table.
///
/// Sizes: z of W rows, the table of any number of entries of W rows. Requires: each index below that number.
/// Leaks: nothing; every row is read, in order, and kept under a mask that the optimiser cannot see through (it would
/// make masked loads of the selection, whose faults and timing are another matter).
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
pub(super) fn gather<const W: usize>(z: &mut [Row], table: &[Row], index: [u64; 2]) {
    let index = spread::<2>(_mm_set_epi64x(index[1] as i64, index[0] as i64));
    let mut kept = [_mm512_setzero_si512(); W];
    let mut entry = _mm512_setzero_si512();
    for rows in table.as_chunks::<W>().0 {
        let mask = opaque(_mm512_movm_epi64(_mm512_cmpeq_epi64_mask(index, entry)));
        for r in 0..W {
            // kept | (mask & row)
            kept[r] = _mm512_ternarylogic_epi64::<0b1111_1000>(kept[r], mask, load(&rows[r]));
        }
        entry = _mm512_add_epi64(entry, _mm512_set1_epi64(1));
    }
    for (z, kept) in z.iter_mut().zip(kept) {
        store(z, kept);
    }
}

/// Zeros in every vector and mask register.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
pub(super) fn wipe_registers() {
    // SAFETY: it writes registers alone, all of which are named.
    unsafe {
        asm!(
            "vzeroall",
            "vpxorq xmm16, xmm16, xmm16",
            "vpxorq xmm17, xmm17, xmm17",
            "vpxorq xmm18, xmm18, xmm18",
            "vpxorq xmm19, xmm19, xmm19",
            "vpxorq xmm20, xmm20, xmm20",
            "vpxorq xmm21, xmm21, xmm21",
            "vpxorq xmm22, xmm22, xmm22",
            "vpxorq xmm23, xmm23, xmm23",
            "vpxorq xmm24, xmm24, xmm24",
            "vpxorq xmm25, xmm25, xmm25",
            "vpxorq xmm26, xmm26, xmm26",
            "vpxorq xmm27, xmm27, xmm27",
            "vpxorq xmm28, xmm28, xmm28",
            "vpxorq xmm29, xmm29, xmm29",
            "vpxorq xmm30, xmm30, xmm30",
            "vpxorq xmm31, xmm31, xmm31",
            "kxorq k1, k1, k1",
            "kxorq k2, k2, k2",
            "kxorq k3, k3, k3",
            "kxorq k4, k4, k4",
            "kxorq k5, k5, k5",
            "kxorq k6, k6, k6",
            "kxorq k7, k7, k7",
            out("zmm0") _, out("zmm1") _, out("zmm2") _, out("zmm3") _,
            out("zmm4") _, out("zmm5") _, out("zmm6") _, out("zmm7") _,
            out("zmm8") _, out("zmm9") _, out("zmm10") _, out("zmm11") _,
            out("zmm12") _, out("zmm13") _, out("zmm14") _, out("zmm15") _,
            out("zmm16") _, out("zmm17") _, out("zmm18") _, out("zmm19") _,
            out("zmm20") _, out("zmm21") _, out("zmm22") _, out("zmm23") _,
            out("zmm24") _, out("zmm25") _, out("zmm26") _, out("zmm27") _,
            out("zmm28") _, out("zmm29") _, out("zmm30") _, out("zmm31") _,
            out("k1") _, out("k2") _, out("k3") _, out("k4") _, out("k5") _, out("k6") _, out("k7") _,
            options(nomem, nostack, preserves_flags),
        );
    }
}
