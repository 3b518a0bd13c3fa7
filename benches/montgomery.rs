//! `mont_mul/BITS/BACKEND`, `mont_square/…` and `pow/…`: through the methods that a user calls.
//!
//! Product and square form a chain, each needing the one before: latency, as an exponentiation sees it.

mod common;

use common::{FEW_SAMPLES, Operands, for_each_size};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use tautochrone::{Backend, Limb, Modulus};

type Group<'a> = BenchmarkGroup<'a, WallTime>;

/// The operands and their context on each backend, with the id of the bench.
fn contexts<const N: usize>(bits: u32) -> impl Iterator<Item = (BenchmarkId, Operands<N>, Modulus<[Limb; N]>)> {
    Backend::available().map(move |backend| {
        let operands = Operands::<N>::new(bits);
        let m = Modulus::with_backend(operands.modulus.clone(), backend).expect("the modulus is odd");
        (BenchmarkId::new(bits.to_string(), backend.name()), operands, m)
    })
}

fn mul_of_size<const N: usize>(bits: u32, group: &mut Group<'_>) {
    for (id, operands, m) in contexts::<N>(bits) {
        let (mut x, y) = operands.residues(&m);
        group.bench_function(id, |b| b.iter(|| black_box(&m).mul_assign(&mut x, black_box(&y))));
    }
}

fn square_of_size<const N: usize>(bits: u32, group: &mut Group<'_>) {
    for (id, operands, m) in contexts::<N>(bits) {
        let (mut x, _) = operands.residues(&m);
        group.bench_function(id, |b| b.iter(|| black_box(&m).square_assign(&mut x)));
    }
}

fn pow_of_size<const N: usize>(bits: u32, group: &mut Group<'_>) {
    if bits >= 3072 {
        group.sample_size(FEW_SAMPLES);
    }
    for (id, operands, m) in contexts::<N>(bits) {
        let (x, _) = operands.residues(&m);
        let exponent = &operands.y;
        // 521 bits stand in nine limbs: the bound keeps the exponent as long as the id says.
        group.bench_function(id, |b| {
            b.iter(|| drop(black_box(m.pow_bounded(black_box(&x), black_box(exponent), bits))))
        });
    }
}

fn mont_mul(c: &mut Criterion) {
    let mut group = c.benchmark_group("mont_mul");
    for_each_size!(mul_of_size(&mut group));
    group.finish();
}

fn mont_square(c: &mut Criterion) {
    let mut group = c.benchmark_group("mont_square");
    for_each_size!(square_of_size(&mut group));
    group.finish();
}

fn pow(c: &mut Criterion) {
    let mut group = c.benchmark_group("pow");
    for_each_size!(pow_of_size(&mut group));
    group.finish();
}

criterion_group! { name = benches; config = common::criterion(); targets = mont_mul, mont_square, pow }
criterion_main!(benches);
