//! `setup/secret/BITS/BACKEND` and `setup/public/BITS/BACKEND`: from a number to a context, and its wiping.

mod common;

use common::{Operands, for_each_size};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use tautochrone::{Backend, Modulus};

fn size<const N: usize>(bits: u32, group: &mut BenchmarkGroup<'_, WallTime>) {
    let operands = Operands::<N>::new(bits);
    let (secret, public) = (&operands.modulus, operands.public_modulus());
    for backend in Backend::available() {
        let size = format!("{bits}/{}", backend.name());
        group.bench_function(BenchmarkId::new("secret", &size), |b| {
            b.iter(|| {
                let m = Modulus::with_backend(black_box(secret).clone(), backend).expect("the modulus is odd");
                black_box(&m);
            });
        });
        group.bench_function(BenchmarkId::new("public", &size), |b| {
            b.iter(|| {
                let m = Modulus::with_backend_vartime(black_box(&public).clone(), backend).expect("the modulus is odd");
                black_box(&m);
            });
        });
    }
}

fn setup(c: &mut Criterion) {
    let mut group = c.benchmark_group("setup");
    for_each_size!(size(&mut group));
    group.finish();
}

criterion_group! { name = benches; config = common::criterion(); targets = setup }
criterion_main!(benches);
