//! `shl_mod/SHAPE/BITS/BACKEND`: the modular left shift by k = 64n + 64 bits in its three shapes, and by one bit.

mod common;

use common::{FEW_SAMPLES, Operands, for_each_size, shift};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use tautochrone::{Backend, shapes};

fn size<const N: usize>(bits: u32, group: &mut BenchmarkGroup<'_, WallTime>) {
    let Operands { modulus: m, x, .. } = Operands::<N>::new(bits);
    let k = shift(bits);
    // A number belongs to no backend: its shifts run on the portable rows.
    let size = format!("{bits}/{}", Backend::Portable.name());
    let id = |shape| BenchmarkId::new(shape, &size);
    group.bench_function(id("words"), |b| b.iter(|| drop(black_box(black_box(&x).shl_mod(black_box(k), &m)))));
    group.bench_function(id("one_bit"), |b| b.iter(|| drop(black_box(black_box(&x).shl_mod(black_box(1), &m)))));
    group.bench_function(id("doubling"), |b| {
        b.iter(|| drop(black_box(shapes::shl_mod_doubling(black_box(&x), black_box(k), &m))));
    });
    // The last id of a size, since the count of samples holds for all that follow.
    if bits >= 4096 {
        group.sample_size(FEW_SAMPLES);
    }
    group.bench_function(id("lshift1"), |b| {
        b.iter(|| drop(black_box(shapes::shl_mod_lshift1(black_box(&x), black_box(k), &m))));
    });
}

fn shl_mod(c: &mut Criterion) {
    let mut group = c.benchmark_group("shl_mod");
    for_each_size!(size(&mut group));
    group.finish();
}

criterion_group! { name = benches; config = common::criterion(); targets = shl_mod }
criterion_main!(benches);
