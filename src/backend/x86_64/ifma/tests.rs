use super::*;
use crate::limb::neg_inverse;
use crate::limbs::testing::{Carries, big, limbs};
use num_bigint::BigUint;
use std::array::from_ref;
use std::vec::Vec;
use std::{eprintln, vec};

/// The token, or a visible word that nothing was tested.
fn token() -> Option<Token> {
    let token = Token::detect();
    if token.is_none() {
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
        Case { layout, n, m, context }
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

    fn inverse_of_r(&self, h: usize) -> BigUint {
        power_of_two(self.layout.r_bits()).modinv(&self.n[h]).unwrap()
    }

    /// Product, square, leaving of these operands, below 2M.
    fn products(&mut self, x: &[BigUint; I], y: &[BigUint; I]) {
        let size = self.layout.row();
        let words = self.n.iter().map(|n| n.bits().div_ceil(64) as usize).max().unwrap();
        let inverse: [BigUint; I] = std::array::from_fn(|h| self.inverse_of_r(h));
        let mut z = self.row(x);
        let other = self.row(y);
        self.layout.mul(&mut self.context, &mut z[..size], &other[..size]);
        self.check_row(&z, std::array::from_fn(|h| &x[h] * &y[h] * &inverse[h]));
        let mut z = self.row(x);
        self.layout.square(&mut self.context, &mut z[..size], 2);
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
        self.layout.leave_times(&mut self.context, &mut z[..size], &factor[..size], out);
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
    for bits in lengths(512, 4096) {
        pairs(token, &mut carries, bits);
    }
}
