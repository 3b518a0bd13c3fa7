//! `key_load/BITS/BACKEND`, from the bytes of a PKCS#8 file to a key that is ready and wiped again, and
//! `private_op/BITS/BACKEND`, with its result verified.

mod common;

use common::FEW_SAMPLES;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use tautochrone::rsa::PrivateKey;
use tautochrone::{Backend, Modulus, U1024};

const KEYS: [(u32, &[u8]); 3] = [
    (2048, include_bytes!("../vectors/keys/rsa2048.der")),
    (3072, include_bytes!("../vectors/keys/rsa3072.der")),
    (4096, include_bytes!("../vectors/keys/rsa4096.der")),
];

/// A key takes the backend that a context of the width of its primes takes unasked.
fn backend() -> Backend {
    Modulus::new(U1024::from_u64(3)).expect("3 will do").backend()
}

fn key_load(c: &mut Criterion) {
    let mut group = c.benchmark_group("key_load");
    for (bits, der) in KEYS {
        group.bench_function(BenchmarkId::new(bits.to_string(), backend().name()), |b| {
            b.iter(|| drop(black_box(PrivateKey::from_pkcs8_der(black_box(der)).expect("the key is good"))));
        });
    }
    group.finish();
}

fn private_op(c: &mut Criterion) {
    let mut group = c.benchmark_group("private_op");
    for (bits, der) in KEYS {
        let key = PrivateKey::from_pkcs8_der(der).expect("the key is good");
        // As long as n, and below it by one bit.
        let mut input = common::bytes(bits, 0b11, 4);
        input[0] &= 0x7f;
        if bits >= 4096 {
            group.sample_size(FEW_SAMPLES);
        }
        group.bench_function(BenchmarkId::new(bits.to_string(), backend().name()), |b| {
            b.iter(|| drop(black_box(key.private_op(black_box(&input)).expect("the input is below n"))));
        });
    }
    group.finish();
}

criterion_group! { name = benches; config = common::criterion(); targets = key_load, private_op }
criterion_main!(benches);
