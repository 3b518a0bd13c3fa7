use super::*;
use crate::limb::neg_inverse;
use crate::limbs::testing::{Carries, big, limbs};
use num_bigint::BigUint;
use std::array::from_ref;
use std::vec::Vec;
use std::{eprintln, vec};

/// The token, or a visible word that nothing was tested; a failure where the backend is asked for.
fn token() -> Option<Token> {
    let token = Token::detect();
    if token.is_none() {
        let required = std::env::var("TAUTOCHRONE_REQUIRE_BACKENDS").unwrap_or_default();
        assert!(!required.split(',').any(|name| name == "ifma"), "this CPU has no AVX-512 IFMA");
        eprintln!("SKIPPED: this CPU has no AVX-512 IFMA, the kernels were not run");
    }
    token
}

fn power_of_two(k: u32) -> BigUint {
    BigUint::from(1_u32) << k
}

/// Odd moduli of at most `bits` bits: near the ends, short ones, and such whose limbs make carries run.
fn moduli(carries: &mut Carries, bits: u32) -> Vec<BigUint> {
    let top = power_of_two(bits);
    let half = power_of_two(bits - 1);
    let n = bits.div_ceil(64) as usize;
    let any = (big(&carries.limbs(n)) % &half + &half) | BigUint::from(1_u32);
    let short = (big(&carries.limbs(n)) % power_of_two(bits / 2 + 1)) | BigUint::from(1_u32);
    vec![&top - 1_u32, &top - 189_u32, &half + 1_u32, &half + 95_u32, any, short]
}

/// Digits of an instance, and whether all are below 2⁵² with the digits above R's zero.
fn value<const I: usize>(layout: &Layout<I>, row: &[u64], instance: usize) -> BigUint {
    let rows = row.as_chunks::<8>().0;
    let mut value = BigUint::ZERO;
    for l in (0..8 / I).rev() {
        for r in (0..rows.len()).rev() {
            assert!(rows[r][I * l + instance] <= MAX_DIGIT);
            value = (value << DIGIT) + rows[r][I * l + instance];
        }
    }
    assert!(value < power_of_two(layout.r_bits()));
    value
}

/// Operands below `bound`: its ends, zero, one, all ones in the lower digits, carry-prone ones.
fn operands(carries: &mut Carries, bound: &BigUint, n: &BigUint) -> Vec<BigUint> {
    let words = bound.bits().div_ceil(64) as usize;
    let mut all = vec![BigUint::ZERO, BigUint::from(1_u32), n - 1_u32, n % bound, bound - 1_u32];
    all.push((power_of_two(bound.bits() as u32 - 1) - 1_u32) % bound);
    all.extend((0..3).map(|_| big(&carries.limbs(words)) % bound));
    all
}

/// One context with canaries behind it and behind every row.
struct Case<const I: usize> {
    layout: Layout<I>,
    n: [BigUint; I],
    /// What reduces: N, or the multiple.
    m: [BigUint; I],
    context: Vec<u64>,
    /// R⁻¹ mod N.
    inverse: [BigUint; I],
}

const CANARY: u64 = 0xc0de_face_dead_beef;

impl<const I: usize> Case<I> {
    fn new(token: Token, bits: u32, n: [BigUint; I]) -> Self {
        let layout = Layout::new(token, bits).unwrap();
        let words = bits.div_ceil(64) as usize;
        let n_limbs: [Vec<u64>; I] = std::array::from_fn(|h| limbs(&n[h], words));
        let mut context = vec![CANARY; layout.context() + 1];
        let (own, canary) = context.split_at_mut(layout.context());
        layout.begin(own, n_limbs.each_ref().map(|n| &n[..]), n_limbs.each_ref().map(|n| neg_inverse(n[0])));
        assert_eq!(*canary, [CANARY]);
        context.pop();
        let m = std::array::from_fn(|h| match layout.r_bits() >= bits + 2 + DIGIT {
            true => &n[h] * (neg_inverse(n_limbs[h][0]) & MAX_DIGIT),
            false => n[h].clone(),
        });
        let inverse = n.each_ref().map(|n| power_of_two(layout.r_bits()).modinv(n).unwrap());
        Case { layout, n, m, context, inverse }
    }

    fn row(&self, x: &[BigUint; I]) -> Vec<u64> {
        let x = x.each_ref().map(|x| limbs(x, x.bits().div_ceil(64) as usize));
        let mut row = vec![CANARY; self.layout.row() + 1];
        self.layout.enter(&mut row[..self.layout.row()], x.each_ref().map(|x| &x[..]));
        row
    }

    fn check_row(&self, row: &[u64], expected: [BigUint; I]) {
        assert_eq!(row[self.layout.row()], CANARY);
        for (h, expected) in expected.into_iter().enumerate() {
            let value = value(&self.layout, &row[..self.layout.row()], h);
            assert!(value < &self.m[h] * 2_u32);
            assert_eq!(value % &self.n[h], expected % &self.n[h]);
        }
    }

    /// Product, square, leaving of these operands, below 2M.
    fn products(&mut self, x: &[BigUint; I], y: &[BigUint; I]) {
        let size = self.layout.row();
        let words = self.n.iter().map(|n| n.bits().div_ceil(64) as usize).max().unwrap();
        let inverse = self.inverse.clone();
        let mut z = self.row(x);
        let other = self.row(y);
        self.layout.mul(&self.context, &mut z[..size], &other[..size]);
        self.check_row(&z, std::array::from_fn(|h| &x[h] * &y[h] * &inverse[h]));
        let mut z = self.row(x);
        self.layout.square(&self.context, &mut z[..size], 2);
        let square = |x: &BigUint, h: usize| x * x * &inverse[h] % &self.n[h];
        self.check_row(&z, std::array::from_fn(|h| square(&square(&x[h], h), h)));

        let mut z = self.row(x);
        let mut left: [Vec<u64>; I] = std::array::from_fn(|_| vec![CANARY; words + 1]);
        self.layout.leave(&mut self.context, &mut z[..size], left.each_mut().map(|z| &mut z[..words]));
        for h in 0..I {
            assert_eq!(left[h][words], CANARY);
            assert_eq!(big(&left[h][..words]), &x[h] * &inverse[h] % &self.n[h]);
        }
        let reduced: [BigUint; I] = std::array::from_fn(|h| &y[h] % &self.n[h]);
        let mut z = self.row(x);
        let factor = self.row(&reduced);
        let out = left.each_mut().map(|z| &mut z[..words]);
        self.layout.leave_times(&self.context, &mut z[..size], &factor[..size], out);
        for h in 0..I {
            assert_eq!(left[h][words], CANARY);
            assert_eq!(big(&left[h][..words]), &x[h] * &y[h] * &inverse[h] % &self.n[h]);
        }
    }
}

fn singles(token: Token, carries: &mut Carries, bits: u32) {
    for n in moduli(carries, bits) {
        let mut case = Case::new(token, bits, [n.clone()]);
        let xs = operands(carries, &(&case.m[0] * 2_u32), &n);
        for (i, x) in xs.iter().enumerate() {
            let y = &xs[(i * 5 + carries.below(9) as usize) % xs.len()];
            case.products(from_ref(x), from_ref(y));
        }
    }
}

fn pairs(token: Token, carries: &mut Carries, bits: u32) {
    let first = moduli(carries, bits);
    // The CVE-2022-2274 case: the second one is shorter, of an odd size.
    let shorter = bits - carries.below(u64::from(bits) / 3) as u32;
    let second = moduli(carries, shorter);
    for (i, n) in first.iter().enumerate() {
        let mut n = [n.clone(), second[(i + carries.below(6) as usize) % 6].clone()];
        if carries.below(2) == 0 {
            n.reverse();
        }
        let mut case = Case::new(token, bits, n.clone());
        let xs: [Vec<BigUint>; 2] = std::array::from_fn(|h| operands(carries, &(&n[h] * 2_u32), &n[h]));
        for i in 0..xs[0].len() {
            let mut any = || carries.below(9) as usize;
            let x = [xs[0][i].clone(), xs[1][any()].clone()];
            case.products(&x, &[xs[0][any()].clone(), xs[1][any()].clone()]);
        }
    }
}

/// Every number of digits from both ends of its lengths, and lengths that fill no limb.
fn lengths(from: u32, to: u32) -> impl Iterator<Item = u32> {
    let ends = (from.div_ceil(DIGIT)..=to / DIGIT)
        .flat_map(|k| [-3, -2, -1, 0, 1].map(|d| (k * DIGIT).saturating_add_signed(d)));
    let common = [512, 513, 521, 1024, 1536, 2048, 3072, 4096, 8191, 8192];
    ends.chain(common).filter(move |bits| (from..=to).contains(bits))
}

#[test]
fn products_of_one() {
    let Some(token) = token() else { return };
    let mut carries = Carries::new();
    for bits in lengths(512, 8192) {
        singles(token, &mut carries, bits);
    }
}

#[test]
fn products_of_two() {
    let Some(token) = token() else { return };
    let mut carries = Carries::new();
    for bits in lengths(512, 3118) {
        pairs(token, &mut carries, bits);
    }
}

/// base^exponent by windows of w bits, the way an exponentiation runs.
fn power<const I: usize>(case: &mut Case<I>, base: &[BigUint; I], exponent: &[BigUint; I], w: u32) -> [BigUint; I] {
    let (layout, size) = (case.layout, case.layout.row());
    let words = case.n.iter().map(|n| n.bits().div_ceil(64) as usize).max().unwrap();
    let montgomery = |x: &BigUint, h: usize| (x << layout.r_bits()) % &case.n[h];
    let one = case.row(&std::array::from_fn(|h| montgomery(&BigUint::from(1_u32), h)));
    let first = case.row(&std::array::from_fn(|h| montgomery(&base[h], h)));
    let mut table = [&one[..size], &first[..size]].concat();
    for i in 2..1 << w {
        let mut row = table[(i - 1) * size..].to_vec();
        layout.mul(&case.context, &mut row, &first[..size]);
        table.extend(row);
    }
    let digit = |i: u32| exponent.each_ref().map(|e| ((e >> i) % (1_u32 << w)).iter_u64_digits().next().unwrap_or(0));
    let bits = exponent.iter().map(|e| e.bits() as u32).max().unwrap().next_multiple_of(w);
    let mut power = one[..size].to_vec();
    for i in (0..bits / w).rev() {
        // At another address each time.
        let mut moved = vec![0; size + 8];
        let at = i as usize % 8;
        moved[at..at + size].copy_from_slice(&power);
        layout.window(&mut case.context, &mut moved[at..at + size], &table, digit(i * w), w);
        power.copy_from_slice(&moved[at..at + size]);
    }
    let mut z: [Vec<u64>; I] = std::array::from_fn(|_| vec![CANARY; words]);
    layout.leave(&mut case.context, &mut power, z.each_mut().map(|z| &mut z[..]));
    z.map(|z| big(&z))
}

#[test]
fn powers_of_one_and_of_two() {
    let Some(token) = token() else { return };
    let mut carries = Carries::new();
    for (i, bits) in [512, 521, 1024, 1536, 2048, 3072, 4096].into_iter().enumerate() {
        let n = moduli(&mut carries, bits).swap_remove(4);
        let short = moduli(&mut carries, bits - 41).swap_remove(4);
        let mut any = |bits: u32| big(&carries.limbs(bits.div_ceil(64) as usize));
        let (x, e) = ([any(bits) % &n, any(bits) % &short], [any(192), any(192)]);
        let z = power(&mut Case::new(token, bits, [n.clone()]), from_ref(&x[0]), from_ref(&e[0]), 4 + i as u32 % 3);
        assert_eq!(z[0], x[0].modpow(&e[0], &n));
        if Layout::<2>::new(token, bits).is_none() {
            continue;
        }
        let z = power(&mut Case::new(token, bits, [n.clone(), short.clone()]), &x, &e, 5);
        assert_eq!(z, [x[0].modpow(&e[0], &n), x[1].modpow(&e[1], &short)]);
    }
}

#[test]
fn public_exponent_leaves_by_the_plain_base() {
    let Some(token) = token() else { return };
    let mut carries = Carries::new();
    for bits in [512, 1000, 1024, 2048, 3072, 4096, 8192] {
        for n in moduli(&mut carries, bits) {
            let case = Case::new(token, bits, [n.clone()]);
            let size = case.layout.row();
            for s in [BigUint::ZERO, &n - 1_u32, big(&carries.limbs(bits.div_ceil(64) as usize)) % &n] {
                let mut power = case.row(&[(&s << case.layout.r_bits()) % &n]);
                let base = case.row(from_ref(&s));
                case.layout.square(&case.context, &mut power[..size], 16);
                let mut z = vec![0; bits.div_ceil(64) as usize];
                case.layout.leave_times(&case.context, &mut power[..size], &base[..size], [&mut z]);
                assert_eq!(big(&z), s.modpow(&BigUint::from(65537_u32), &n));
            }
        }
    }
}

#[test]
fn every_entry_of_a_table_is_found() {
    let Some(token) = token() else { return };
    for bits in lengths(512, 3118) {
        let layout = Layout::<2>::new(token, bits).unwrap();
        let size = layout.row();
        let table: Vec<u64> = (0..64 * size as u64).collect();
        for i in 0..64_u64 {
            let index = [i, (i * 29 + 3) % 64];
            let mut z = vec![CANARY; size + 1];
            layout.gather(&mut z[..size], &table, index);
            let expected = |at: usize| index[at % 2] * size as u64 + at as u64;
            assert!((0..size).all(|at| z[at] == expected(at)));
            assert_eq!(z[size], CANARY);
        }
    }
}

/// The vector registers, as the caller of a window finds them.
#[target_feature(enable = "avx512f")]
fn registers() -> [[u64; 8]; 32] {
    let mut z = [[0; 8]; 32];
    macro_rules! save {
        ($($i:literal)*) => {
            // SAFETY: it writes 32 · 64 bytes at `z`.
            unsafe {
                core::arch::asm!(
                    $(concat!("vmovdqu64 [{0} + 64 * ", $i, "], zmm", $i)),*,
                    in(reg) &mut z, options(nostack, preserves_flags)
                )
            }
        };
    }
    save!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
    z
}

#[test]
fn registers_are_empty_behind_a_window() {
    let Some(token) = token() else { return };
    let n = power_of_two(2048) - 1_u32;
    let mut case = Case::new(token, 2048, [n.clone()]);
    let size = case.layout.row();
    let mut power = case.row(&[n - 2_u32]);
    let table = power[..size].repeat(32);
    let dirty =
        |z: [[u64; 8]; 32]| z.iter().enumerate().any(|(i, z)| z[if i < 16 { 2 } else { 0 }..].iter().any(|x| *x != 0));
    case.layout.square(&case.context, &mut power[..size], 1);
    // SAFETY: the token says that the CPU has the features.
    assert!(dirty(unsafe { registers() }), "the test sees nothing");
    case.layout.window(&mut case.context, &mut power[..size], &table, [3], 5);
    // The lower quarter of the lower half may serve the caller as scratch again.
    // SAFETY: the token says that the CPU has the features.
    assert!(!dirty(unsafe { registers() }));
}

#[test]
fn layouts() {
    let Some(token) = token() else { return };
    assert!(Layout::<1>::new(token, 511).is_none() && Layout::<1>::new(token, 8193).is_none());
    assert!(Layout::<2>::new(token, 511).is_none() && Layout::<2>::new(token, 3119).is_none());
    for bits in 512..=8192 {
        let layout = Layout::<1>::new(token, bits).unwrap();
        assert!(layout.r_bits() >= bits + 2 && layout.r_bits() as usize <= layout.row() * DIGIT as usize);
    }
}

/// [`amm::normalise`] on rows in memory.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,bmi2")]
fn normalise<const I: usize, const W: usize>(rows: &mut [Row; W]) {
    let x = amm::normalise::<I, W>(rows.each_ref().map(|row| vector::load(row)));
    for (row, x) in rows.iter_mut().zip(x) {
        vector::store(row, x);
    }
}

fn carries_run<const I: usize, const W: usize>(carries: &mut Carries) {
    // The sum of digits that need not be below 2⁵².
    let value = |rows: &[Row; W], h: usize| {
        let places = (0..8 / I).rev().flat_map(|l| (0..W).rev().map(move |r| (r, I * l + h)));
        places.fold(BigUint::ZERO, |sum, (r, lane)| (sum << DIGIT) + rows[r][lane])
    };
    for round in 0..3000_u64 {
        let mut rows = [[MAX_DIGIT; 8]; W];
        for lane in rows.iter_mut().flatten() {
            // Mostly digits that pass a carry on, at first nothing else.
            *lane = match carries.below(40).min(round) {
                36 => carries.word() >> 1,
                37 => carries.word() & MAX_DIGIT,
                38 => MAX_DIGIT - 1 + carries.below(3),
                39 => carries.below(2) * ((1 << 62) - 1),
                _ => MAX_DIGIT,
            };
        }
        for h in 0..I {
            // The lowest one sends it; the highest two take it.
            rows[0][h] = MAX_DIGIT + carries.below(2);
            rows[W - 1][8 - I + h] = 0;
            rows[W - 2][8 - I + h] &= MAX_DIGIT;
        }
        let before: [BigUint; I] = std::array::from_fn(|h| value(&rows, h));
        // SAFETY: the callers have the token.
        unsafe { normalise::<I, W>(&mut rows) };
        assert!(rows.iter().flatten().all(|digit| *digit <= MAX_DIGIT));
        assert_eq!(before, std::array::from_fn(|h| value(&rows, h)));
    }
}

#[test]
fn carries_run_through_all_lanes() {
    let Some(_) = token() else { return };
    let mut carries = Carries::new();
    carries_run::<1, 2>(&mut carries);
    carries_run::<1, 3>(&mut carries);
    carries_run::<1, 8>(&mut carries);
    carries_run::<1, 20>(&mut carries);
    carries_run::<2, 3>(&mut carries);
    carries_run::<2, 5>(&mut carries);
    carries_run::<2, 10>(&mut carries);
}
