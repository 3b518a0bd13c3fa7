//! With limbs of eight bits the kernels are small enough to be tried on everything, against plain integers.
//!
//! Run by `RUSTFLAGS='--cfg tautochrone_limb="8"' cargo test --lib`.

use crate::limb::{Limb, neg_inverse};
use crate::limbs::modular::Divisor;
use crate::limbs::rows::Portable;
use crate::limbs::{div, modular, montgomery, shift, table};
use crate::montgomery::Modulus;
use crate::nat::Uint;
use std::vec::Vec;

fn two(x: u32) -> [Limb; 2] {
    [x as u8, (x >> 8) as u8]
}

fn three(x: u32) -> [Limb; 3] {
    [x as u8, (x >> 8) as u8, (x >> 16) as u8]
}

fn value(x: &[Limb]) -> u32 {
    x.iter().rev().fold(0, |value, limb| value << 8 | u32::from(*limb))
}

fn bits(x: u32) -> u32 {
    u32::BITS - x.leading_zeros()
}

/// R² mod m for a secret and for a public m, which are to be the same limbs.
fn r_squared<const N: usize>(m: [Limb; N]) -> [Limb; N] {
    let length = bits(value(&m));
    let (mut secret, mut public, mut d) = ([0xaa; N], [0x55; N], [0x33; N]);
    montgomery::r_squared::<Portable, false>(&mut secret, &m, length, &mut d);
    montgomery::r_squared::<Portable, true>(&mut public, &m, length, &mut d);
    assert_eq!(secret, public, "R² mod {m:?}, secret and public");
    secret
}

#[test]
fn the_context_of_every_modulus_of_two_bytes() {
    for m in (3..1 << 16).step_by(2) {
        let (n, rr) = (two(m), (1_u64 << 32) % u64::from(m));
        assert_eq!(u64::from(value(&r_squared(n))), rr, "R² mod {m}");
        assert_eq!(n[0].wrapping_mul(neg_inverse(n[0])), 0xff, "n₀ of {m}");
        // What is made of the kernels.
        let secret = Modulus::new(Uint::from_limbs(n)).unwrap();
        let public = crate::ct::Public::<Uint<2>>::from_u64(m.into());
        let public = Modulus::new_vartime(public).unwrap();
        for x in [&secret, &public] {
            assert_eq!(x.bits(), bits(m));
            assert_eq!(value(x.nat(&x.one()).as_limbs()), 1, "one of {m}");
            // One as a residue is R mod m: a shift of one by the width, without the context's R².
            let r = x.residue(&Uint::<3>::from_limbs([0, 0, 1]));
            assert_eq!(value(x.nat(&r).as_limbs()), (1 << 16) % m, "R mod {m}");
            assert_eq!(u64::from(value(x.nat(&x.square(&r)).as_limbs())), rr, "R² mod {m}");
        }
        use subtle::ConstantTimeEq;
        assert_eq!(secret.one().ct_eq(&public.one()).unwrap_u8(), 1);
    }
    // One byte in one limb.
    for m in (3..1 << 8).step_by(2) {
        assert_eq!(value(&r_squared([m as u8])), (1 << 16) % m, "R² mod {m}");
    }
    // Three and four limbs: every modulus of two bytes, and what four times as many bits make of it.
    for m in (3..1 << 16).step_by(2) {
        let [low, high] = two(m);
        assert_eq!(value(&r_squared([low, high, 0])), ((1_u64 << 48) % u64::from(m)) as u32, "{m} in three limbs");
        assert_eq!(value(&r_squared([low, high, 0, 0])), ((1_u128 << 64) % u128::from(m)) as u32, "{m} in four");
        let long = (m << 8 | 1) ^ 0x20;
        assert_eq!(value(&r_squared(three(long))), ((1_u64 << 48) % u64::from(long)) as u32, "{long}");
        let long = m << 16 | m;
        let [a, b, c, d] = long.to_le_bytes();
        assert_eq!(value(&r_squared([a, b, c, d])), ((1_u128 << 64) % u128::from(long)) as u32, "{long}");
    }
}

/// x/256 mod m, by steps of one bit.
fn divided_by_b(mut x: u32, m: u32) -> u32 {
    for _ in 0..8 {
        x = if x.is_multiple_of(2) { x / 2 } else { (x + m) / 2 };
    }
    x % m
}

#[test]
fn every_montgomery_product_of_one_byte() {
    for m in (3..1 << 8).step_by(2) {
        let (n, n0) = ([m as u8], neg_inverse(m as u8));
        let quotients: Vec<u32> = (0..m).map(|x| divided_by_b(x, m)).collect();
        for a in 0..m {
            let mut t = [0; 2];
            for b in 0..m {
                let mut z = [a as u8];
                montgomery::mont_mul::<Portable>(&mut z, &[b as u8], &n, n0, &mut t);
                assert_eq!(u32::from(z[0]), quotients[(a * b % m) as usize], "{a}·{b}/B mod {m}");
            }
            let mut z = [a as u8];
            montgomery::mont_square::<Portable>(&mut z, &n, n0, &mut t);
            assert_eq!(u32::from(z[0]), quotients[(a * a % m) as usize], "{a}²/B mod {m}");
        }
        // Reduction of everything below R·N.
        for x in 0..m << 8 {
            let (mut z, mut t) = ([0], two(x));
            montgomery::reduce::<Portable>(&mut z, &mut t, &n, n0);
            assert_eq!(u32::from(z[0]), quotients[(x % m) as usize], "{x}/B mod {m}");
        }
    }
}

/// Bytes whose carries run, in both places, and what is next to them.
const ALPHABET: [u32; 8] = [0, 1, 2, 0x7f, 0x80, 0x81, 0xfe, 0xff];

#[test]
fn montgomery_products_of_two_bytes_from_a_carry_alphabet() {
    let numbers: Vec<u32> = ALPHABET.iter().flat_map(|high| ALPHABET.map(|low| high << 8 | low)).collect();
    for m in (3..1 << 16).step_by(2) {
        let (n, n0) = (two(m), neg_inverse(m as u8));
        // R⁻¹ mod m, by 16 halvings of 1.
        let mut inverse = 1 % m;
        for _ in 0..16 {
            inverse = if inverse.is_multiple_of(2) { inverse / 2 } else { (inverse + m) / 2 };
        }
        // The alphabet below m, and m's own neighbours.
        let near = [m - 1, m - 2, m / 2, m / 2 + 1];
        let below: Vec<u32> = numbers.iter().copied().filter(|x| *x < m).chain(near).collect();
        let mut t = [0; 4];
        for a in &below {
            // One factor may be up to R, as long as a·b < R·N: it need not be below m.
            for b in below.iter().chain([&0xffff, &0x8000]) {
                let mut z = two(*a);
                montgomery::mont_mul::<Portable>(&mut z, &two(*b), &n, n0, &mut t);
                let product = u64::from(a * b % m) * u64::from(inverse) % u64::from(m);
                assert_eq!(u64::from(value(&z)), product, "{a}·{b}/R mod {m}");
            }
            let mut z = two(*a);
            montgomery::mont_square::<Portable>(&mut z, &n, n0, &mut t);
            let square = u64::from(a * a % m) * u64::from(inverse) % u64::from(m);
            assert_eq!(u64::from(value(&z)), square, "{a}²/R mod {m}");
        }
    }
}

#[test]
fn every_modular_shift_of_one_byte() {
    for m in 1..1 << 8 {
        for a in 0..m {
            let mut expected = a;
            for k in 0..=40 {
                let (mut z, mut scratch) = ([a as u8], [0]);
                modular::shl_mod::<Portable>(&mut z, k, &[m as u8], &mut scratch);
                assert_eq!(u32::from(z[0]), expected, "{a}·2^{k} mod {m}");
                // In two limbs, of which the modulus fills one.
                let (mut z, mut scratch) = ([a as u8, 0], [0; 2]);
                modular::shl_mod::<Portable>(&mut z, k, &[m as u8, 0], &mut scratch);
                assert_eq!(value(&z), expected, "{a}·2^{k} mod {m} in two limbs");
                expected = expected * 2 % m;
            }
        }
    }
}

/// Every modulus of two bytes, odd and even, with a from the alphabet and from m's neighbours.
#[test]
fn modular_shifts_of_two_bytes() {
    for m in 1_u32..1 << 16 {
        for a in [0, 1, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, m - 1, m / 2, m / 2 + 1].map(|a| a % m) {
            for k in [1, 7, 8, 9, 16, 24, 31] {
                let (mut z, mut scratch) = (two(a), [0; 2]);
                modular::shl_mod::<Portable>(&mut z, k, &two(m), &mut scratch);
                assert_eq!(u64::from(value(&z)), (u64::from(a) << k) % u64::from(m), "{a}·2^{k} mod {m}");
            }
        }
    }
}

/// One quotient step of J digits with the quotient q and the remainder `rest` over a normalised D of N limbs.
fn step<const N: usize, const J: usize>(divisor: &Divisor<'_, false>, d: u128, q: u128, rest: u128) {
    let u = q * d + rest;
    let bytes = u.to_le_bytes();
    let (mut r, mut low) = ([0; N], [0; J]);
    low.copy_from_slice(&bytes[..J]);
    r.copy_from_slice(&bytes[J..J + N]);
    let digits = divisor.step::<Portable, J>(&mut r, &low);
    let wide = |x: &[Limb]| x.iter().rev().fold(0_u128, |value, limb| value << 8 | u128::from(*limb));
    assert_eq!((wide(&digits), wide(&r)), (q, rest), "{u:#x} / {d:#x}, {J} digits");
}

/// Steps of J digits at which an estimate has least room: exact multiples of D, and one less than a multiple, for
/// quotients at the ends, in the middle, and some others.
fn steps<const N: usize, const J: usize>(d: u128, seed: u128) {
    let mut negated: [Limb; N] = d.to_le_bytes()[..N].try_into().unwrap();
    let secret = Divisor::<false>::new(&mut negated);
    let all = (1_u128 << (8 * J)) - 1;
    let half = (all >> 1) + 1;
    let some = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) >> (128 - 8 * J);
    for q in
        [0, 1, 2, 0x7f, 0x80, half - 1, half, half + 1, all - 2, all - 1, all, some, all ^ 0x80, some | all << 8 & all]
    {
        for rest in [0, 1, d >> 1, d - 2, d - 1] {
            step::<N, J>(&secret, d, q, rest);
        }
    }
}

#[test]
fn quotient_steps_of_divisors_of_one_to_six_limbs() {
    // Every normalised divisor of one and two limbs.
    for d in 0x80..1_u128 << 8 {
        steps::<1, 1>(d, d);
        steps::<1, 2>(d, d);
        steps::<1, 3>(d, d);
        steps::<1, 4>(d, d);
    }
    for d in 0x8000..1_u128 << 16 {
        steps::<2, 1>(d, d);
        steps::<2, 2>(d, d);
        steps::<2, 3>(d, d);
        steps::<2, 4>(d, d);
    }
    // Five limbs of which the reciprocal lies next to an integer of two limbs: where one that is computed by successive
    // approximation comes closest to the exact one, and a step beyond it.
    for x in (1 << 16) + 1..1_u128 << 17 {
        for above in 0..3 {
            let d = (1 << 56) / x + above;
            if d < 1 << 40 {
                steps::<5, 4>(d, x);
            }
        }
    }
    // Longer ones from the carry alphabet, with one limb in turn that is any: a fifth limb is the last one that an
    // estimate sees, a sixth is not seen.
    for i in 0..1_u128 << 15 {
        let digit = |k: u32| u128::from(ALPHABET[(i >> (3 * k) & 7) as usize]);
        let tail = digit(0) | digit(1) << 8 | digit(2) << 16 | digit(3) << 24;
        for top in [0x80, 0x81, 0xfe, 0xff, 0x80 | i & 0x7f] {
            steps::<3, 4>(top << 16 | tail & 0xffff, i);
            steps::<4, 4>(top << 24 | tail & 0xff_ffff, i);
            steps::<5, 3>(top << 32 | tail, i);
            steps::<5, 4>(top << 32 | tail, i);
            steps::<6, 4>(top << 40 | tail << 8 | digit(4), i);
        }
    }
}

/// u of N limbs over d of M limbs in every way: (q, r) as it should be.
fn divide<const N: usize, const M: usize>(u: [Limb; N], d: [Limb; M]) {
    let (x, y) = (value(&u), value(&d));
    let (mut q, mut r, mut t, mut c) = ([0; N], [0; M], [0; 8], [0; M]);
    // Nothing known of the length of d, and all of it.
    for min_bits in [1, bits(y)] {
        let t = &mut t[..2 * N.max(M)];
        div::div_rem::<Portable>(Some(&mut q), &mut r, &u, &d, min_bits, t, &mut c);
        assert_eq!((value(&q), value(&r)), (x / y, x % y), "{x} / {y}, {min_bits} bits known");
    }
    div::div_rem::<Portable>(None, &mut r, &u, &d, 1, &mut t[..2 * N.max(M)], &mut c);
    assert_eq!(value(&r), x % y, "{x} mod {y}");
    let mut q = u;
    div::div_rem_vartime::<Portable>(&mut q, &mut r, &d, &mut c);
    assert_eq!((value(&q), value(&r)), (x / y, x % y), "{x} / {y}, public");
}

#[test]
fn every_two_bytes_over_one() {
    for d in 1..=255 {
        for u in 0..1 << 16 {
            divide(two(u), [d]);
        }
    }
}

/// A stated sample of three bytes over two: every divisor d; of dividends 0, the largest, and those at which quotient
/// estimates fail: q·d and q·d ± 1 for q from the alphabet and for the largest q, d's own limbs on top of every byte of
/// the alphabet.
#[test]
fn three_bytes_over_every_two() {
    let limit = (1 << 24) - 1;
    for d in 1..1_u32 << 16 {
        let quotients =
            ALPHABET.into_iter().chain([0x100, 0x101, 0xff00, 0xffff, limit / d, limit / d - limit / d / 3]);
        for q in quotients {
            let product = u64::from(q) * u64::from(d);
            for u in [product.saturating_sub(1), product, product + 1] {
                if u <= u64::from(limit) {
                    divide(three(u as u32), two(d));
                }
            }
        }
        for low in ALPHABET {
            divide(three(d << 8 | low), two(d));
            divide(three((d - 1) << 8 | low), two(d));
        }
        divide(three(limit), two(d));
        divide([d as u8], two(d));
    }
}

#[test]
fn every_secret_shift_of_every_two_bytes() {
    // The only amounts that exist are those of a normalisation: every one of two limbs, by a number of that length.
    let amounts: Vec<_> = (0..16).map(|s| shift::normalise(&mut two(0x8000 >> s))).collect();
    for x in 0..1_u32 << 16 {
        for (s, amount) in amounts.iter().enumerate() {
            let mut z = two(x);
            shift::shl_secret(&mut z, amount, 2);
            assert_eq!(value(&z), x << s & 0xffff, "{x} << {s}");
            let mut z = two(x);
            shift::shr_secret(&mut z, amount, 2);
            assert_eq!(value(&z), x >> s, "{x} >> {s}");
        }
        for k in 0..=17 {
            let (mut left, mut right) = (two(x), two(x));
            shift::shl(&mut left, k);
            shift::shr(&mut right, k);
            assert_eq!((value(&left), value(&right)), (x << k & 0xffff, x >> k), "{x} by {k}");
        }
        let mut z = two(x);
        let amount = shift::normalise(&mut z);
        assert_eq!(value(&z), if x == 0 { 0 } else { x << x.leading_zeros() >> 16 }, "{x} normalised");
        if x > 0 {
            shift::shr_secret(&mut z, &amount, 2);
            assert_eq!(value(&z), x);
        }
    }
}

#[test]
fn every_index_of_every_size_of_table() {
    for width in 1..=4 {
        for rows in 1..=32 {
            let table: Vec<Limb> = (0..rows * width).map(|i| (i * 7 + 1) as u8).collect();
            for index in 0..rows {
                let mut z = std::vec![0xaa; width];
                table::gather(&mut z, &table, index as Limb);
                assert_eq!(z, table[index * width..][..width], "row {index} of {rows}");
            }
        }
    }
}
