//! Every arithmetic record of `vectors/`, on every backend, on the heap and on the stack.

mod common;
#[path = "../vectors/reader.rs"]
mod reader;

use common::{Heap, Home, Stack, backends, big, missing_backends, option, power_of_two, yes};
use num_bigint::BigUint;
use reader::Record;
use tautochrone::subtle::ConstantTimeEq;
use tautochrone::{Backend, Error, Field, Limb, Modulus, Nat, Residue, limbs_for, shapes};

/// Records of these ops belong to other tests.
const ELSEWHERE: &[&str] = &["rsa_key", "rsa_key_error"];

/// How many records there were when this was written; there may be more, never fewer.
const ARITHMETIC: usize = 1321;
const KNOWN: usize = 47;

/// More one-bit steps than this are left to the word loop.
const BITWISE: u32 = 10_000;

fn number(record: &Record, key: &str) -> BigUint {
    BigUint::from_bytes_be(&record.hex(key))
}

fn count(record: &Record, key: &str) -> u32 {
    u32::try_from(record.number(key)).expect("a count of 32 bits")
}

/// The bits that a home of the record's main operands needs.
fn need(record: &Record) -> u32 {
    let keys: &[&str] = match record.get("op") {
        "mul" => &["a", "b"],
        "square" => &["a"],
        "add_mod" | "sub_mod" | "shl_mod" | "mod" | "context" | "mont_mul" | "modexp" => &["m"],
        "modulus_error" | "mul_mod" | "square_mod" | "shl_mod_in" => &["m"],
        "divrem" => &["v"],
        op => panic!("record {}: unknown op {op}", record.get("id")),
    };
    bits(keys.iter().map(|key| number(record, key)).max().as_ref().expect("a key"))
}

fn bits(value: &BigUint) -> u32 {
    u32::try_from(value.bits()).expect("lengths are counted in 32 bits").max(1)
}

/// The contexts of a modulus, made in every way there is.
fn contexts<H: Home>(home: H, m: &BigUint, backend: Backend) -> [Modulus<H::S>; 2] {
    let secret = Modulus::with_backend(home.nat(m), backend).expect("an odd modulus");
    let public = Modulus::with_backend_vartime(home.public(m), backend).expect("an odd modulus");
    [secret, public]
}

/// A number of its own width: dividends, bases and exponents need not be as wide as the modulus.
fn own(value: &BigUint) -> tautochrone::BoxedUint {
    Heap(bits(value)).nat(value)
}

fn check<H: Home>(home: H, record: &Record, backend: Backend) {
    let id = record.get("id");
    let value = |key: &str| number(record, key);
    let nat = |key| home.nat(&value(key));
    let same = |result: &BigUint, key: &str| assert_eq!(*result, value(key), "{id}, {key}, {} bits", home.bits());
    match record.get("op") {
        "mul" => {
            same(&big(&nat("a").mul_wide(&nat("b"))), "r");
            same(&big(&nat("b").mul_wide(&nat("a"))), "r");
        }
        "square" => {
            same(&big(&nat("a").square_wide()), "r");
            same(&big(&nat("a").mul_wide(&nat("a"))), "r");
        }
        "add_mod" => {
            same(&big(&nat("a").add_mod(&nat("b"), &nat("m"))), "r");
            same(&big(&nat("b").add_mod(&nat("a"), &nat("m"))), "r");
            if value("a") == value("b") {
                same(&big(&nat("a").double_mod(&nat("m"))), "r");
            }
            in_residues(home, record, backend, |m, a, b| m.add(a, b));
        }
        "sub_mod" => {
            same(&big(&nat("a").sub_mod(&nat("b"), &nat("m"))), "r");
            in_residues(home, record, backend, |m, a, b| m.sub(a, b));
        }
        "shl_mod" => check_shl_mod(home, record, backend),
        "shl_mod_in" => {
            let y = option(own(&value("y")).rem(&nat("m"))).expect("m is not zero");
            same(&big(&nat("x").shl_mod(64, &nat("m")).add_mod(&y, &nat("m"))), "r");
        }
        "mod" => {
            same(&big(&option(own(&value("a")).rem(&nat("m"))).expect("m is not zero")), "r");
            if value("m").bit(0) && bits(&value("m")) > 1 {
                for m in contexts(home, &value("m"), backend) {
                    same(&big(&m.nat(&m.residue(&own(&value("a"))))), "r");
                }
            }
        }
        "divrem" => check_division(home, record),
        "context" => check_context(home, record, backend),
        "mont_mul" => {
            // r = a·b/R, so that a·b is r moved up by the record's width, which need not be the home's.
            for m in contexts(home, &value("m"), backend) {
                let [a, b, r] = ["a", "b", "r"].map(|key| m.residue(&nat(key)));
                let product = m.mul(&a, &b);
                assert!(yes(product.ct_eq(&m.shl(&r, count(record, "width")))), "{id}");
                assert!(yes(product.ct_eq(&m.mul(&b, &a))), "{id}");
                assert_eq!(big(&m.nat(&product)), value("a") * value("b") % value("m"), "{id}");
            }
        }
        "mul_mod" => in_residues(home, record, backend, |m, a, b| m.mul(a, b)),
        "square_mod" => {
            for m in contexts(home, &value("m"), backend) {
                let a = m.residue(&nat("a"));
                same(&big(&m.nat(&m.square(&a))), "r");
                same(&big(&m.nat(&m.mul(&a, &a))), "r");
            }
        }
        "modexp" => {
            for m in contexts(home, &value("m"), backend) {
                let base = m.residue(&own(&value("a")));
                let e = value("e");
                same(&big(&m.nat(&m.pow(&base, &own(&e)))), "r");
                same(&big(&m.nat(&m.pow_vartime(&base, &Heap(bits(&e)).public(&e)))), "r");
                same(&big(&m.nat(&m.pow_bounded(&base, &Heap(bits(&e) + 70).nat(&e), bits(&e)))), "r");
            }
        }
        "modulus_error" => {
            let error = match record.get("reason") {
                "even" => Error::Even(Field::Modulus),
                "zero" | "one" => Error::TooSmall(Field::Modulus),
                reason => panic!("{id}: unknown reason {reason}"),
            };
            assert_eq!(Modulus::with_backend(nat("m"), backend).err(), Some(error), "{id}");
            let public = home.public(&value("m"));
            assert_eq!(Modulus::with_backend_vartime(public, backend).err(), Some(error), "{id}");
        }
        op => panic!("{id}: unknown op {op}"),
    }
}

type Operation<S> = fn(&Modulus<S>, &Residue<S>, &Residue<S>) -> Residue<S>;

/// r of the record as an operation on residues, where m serves as a modulus.
fn in_residues<H: Home>(home: H, record: &Record, backend: Backend, operation: Operation<H::S>) {
    let m = number(record, "m");
    if !m.bit(0) || bits(&m) < 2 {
        return;
    }
    for m in contexts(home, &m, backend) {
        let [a, b] = ["a", "b"].map(|key| m.residue(&own(&number(record, key))));
        assert_eq!(big(&m.nat(&operation(&m, &a, &b))), number(record, "r"), "{}", record.get("id"));
    }
}

fn check_shl_mod<H: Home>(home: H, record: &Record, backend: Backend) {
    let (id, r, k) = (record.get("id"), number(record, "r"), count(record, "k"));
    let [a, m] = ["a", "m"].map(|key| home.nat(&number(record, key)));
    assert_eq!(big(&a.shl_mod(k, &m)), r, "{id}, {} bits", home.bits());
    if k <= BITWISE {
        assert_eq!(big(&shapes::shl_mod_lshift1(&a, k, &m)), r, "{id}");
        assert_eq!(big(&shapes::shl_mod_doubling(&a, k, &m)), r, "{id}");
        let m = number(record, "m");
        if m.bit(0) && bits(&m) > 1 {
            for m in contexts(home, &m, backend) {
                assert_eq!(big(&m.nat(&m.shl(&m.residue(&a), k))), r, "{id}");
            }
        }
    }
}

fn check_division<H: Home>(home: H, record: &Record) {
    let id = record.get("id");
    let [u, v, q, r] = ["u", "v", "q", "r"].map(|key| number(record, key));
    let expect = |(quotient, rest): (BigUint, BigUint)| assert_eq!((&quotient, &rest), (&q, &r), "{id}");
    let parts = |x: Option<(tautochrone::BoxedUint, Nat<H::S>)>| x.map(|(q, r)| (big(&q), big(&r))).expect("v > 0");
    let (dividend, divisor) = (own(&u), home.nat(&v));
    expect(parts(option(dividend.div_rem(&divisor))));
    expect(parts(option(dividend.div_rem_bounded(&divisor, bits(&v)))));
    expect(parts(option(dividend.div_rem_bounded(&divisor, bits(&v).div_ceil(2)))));
    assert_eq!(big(&option(dividend.rem(&divisor)).expect("v > 0")), r, "{id}");
    let public = Heap(bits(&u)).public(&u).div_rem_vartime(&home.public(&v)).expect("v > 0");
    expect((big(&public.0), big(&public.1)));
    if bits(&u) <= home.bits() {
        let (q, r) = option(home.nat(&u).div_rem(&divisor)).expect("v > 0");
        expect((big(&q), big(&r)));
        let (q, r) = home.public(&u).div_rem_vartime(&home.public(&v)).expect("v > 0");
        expect((big(&q), big(&r)));
    }
}

/// What a context holds shows in what it does: `one` is R² through R⁻¹, and a residue's way in and out takes R² and n₀.
fn check_context<H: Home>(home: H, record: &Record, backend: Backend) {
    let id = record.get("id");
    let width = count(record, "width");
    let [n, one, rr] = ["m", "one", "rr"].map(|key| number(record, key));
    // The record against itself, n₀ too, so that a damaged one cannot pass.
    assert_eq!((number(record, "n0") * &n + 1_u8) % power_of_two(64), BigUint::ZERO, "{id}");
    let same = |a: &BigUint, b: &BigUint, what: &str| assert_eq!(a, b, "{id}, {what}, {} bits", home.bits());
    for m in contexts(home, &n, backend) {
        assert_eq!((m.bits(), m.bits_precision()), (count(record, "bits"), home.bits()), "{id}");
        assert!(backend != Backend::Portable || m.backend() == backend);
        same(&big(m.modulus()), &n, "modulus");
        same(&big(&m.nat(&m.one())), &BigUint::from(1_u8), "one");
        same(&big(&m.nat(&m.shl(&m.one(), width))), &one, "R");
        same(&big(&m.nat(&m.shl(&m.one(), 2 * width))), &rr, "R²");
        let r = m.residue(&home.nat(&one));
        same(&big(&m.nat(&m.square(&r))), &rr, "R·R");
        assert!(yes(m.mul(&m.residue(&home.nat(&rr)), &m.one()).ct_eq(&m.square(&r))), "{id}");
        let wide = power_of_two(width);
        assert!(yes(m.residue(&own(&wide)).ct_eq(&r)), "{id}");
    }
}

/// Shifts by 2^32 − 1 and long powers of long numbers, which are run where limbs are not so short.
fn takes_minutes(record: &Record) -> bool {
    let long = record.get("op") == "modexp" && bits(&number(record, "m")) > 1200 && bits(&number(record, "e")) > 600;
    long || record.opt("k").is_some_and(|k| k.len() > 8)
}

/// Runs one record everywhere; how many times it ran on the heap and on the stack.
fn run(record: &Record, backends: &[Backend]) -> [usize; 2] {
    let need = need(record);
    // Powers of long numbers, and shifts by 2^32 − 1, which are that many words.
    let slow = need > 600 && record.get("op") == "modexp" || record.opt("k").is_some_and(|k| k.len() > 8);
    // The least width, one limb more, and one that is more zeros than number.
    let mut heaps = vec![Heap(need), Heap(need + Limb::BITS), Heap(2 * need + 300)];
    if slow {
        heaps.truncate(1);
    }
    let mut ran = [0, 0];
    for backend in backends {
        for home in &heaps {
            check(*home, record, *backend);
            ran[0] += 1;
        }
        // The least stack that holds it and, unless it is slow, the next one.
        let mut left = if slow { 1 } else { 2 };
        macro_rules! stacks {
            ($($bits:literal)*) => {$(
                if need <= $bits && left > 0 {
                    check(Stack::<{ limbs_for($bits) }>, record, *backend);
                    ran[1] += 1;
                    left -= 1;
                }
            )*};
        }
        stacks!(64 128 256 384 576 1024 1536 2048 3072 4096 4224);
    }
    ran
}

fn run_file(text: &str, at_least: usize) {
    let backends = backends();
    let mut records = 0;
    for record in reader::records(text) {
        if ELSEWHERE.contains(&record.get("op")) {
            continue;
        }
        records += 1;
        if Limb::BITS < 32 && takes_minutes(&record) {
            continue;
        }
        let ran = run(&record, &backends);
        assert!(ran.iter().all(|ran| *ran >= backends.len()), "{} did not run everywhere", record.get("id"));
    }
    println!("{records} records on {backends:?}");
    assert!(records >= at_least, "{records} records, where there were {at_least}");
}

#[test]
fn arithmetic() {
    run_file(include_str!("../vectors/arithmetic.txt"), ARITHMETIC);
}

#[test]
fn known_answers() {
    run_file(include_str!("../vectors/known.txt"), KNOWN);
}

#[test]
fn a_backend_that_is_required_and_absent_is_seen() {
    let portable = [Backend::Portable];
    assert_eq!(missing_backends("", &portable), [""; 0]);
    assert_eq!(missing_backends("portable", &portable), [""; 0]);
    assert_eq!(missing_backends("portable, no-such-backend,", &portable), ["no-such-backend"]);
}

/// A wrong result must not pass: each record of a kind with its result changed by one bit.
#[test]
fn a_damaged_record_is_seen() {
    let text = include_str!("../vectors/arithmetic.txt");
    let mut seen = Vec::new();
    for record in reader::records(text) {
        let op = record.get("op").to_owned();
        if seen.contains(&op) || op == "modulus_error" {
            continue;
        }
        let key = match &*op {
            "divrem" => "q",
            "context" => "rr",
            _ => "r",
        };
        let flipped = format!("{:x}", number(&record, key) ^ BigUint::from(1_u8));
        let lines = record.keys().map(|name| {
            let value = if name == key { &flipped } else { record.get(name) };
            format!("{name} = {value}\n")
        });
        let damaged = reader::records(&lines.collect::<String>()).remove(0);
        let caught = std::panic::catch_unwind(|| check(Heap(need(&damaged)), &damaged, Backend::Portable));
        assert!(caught.is_err(), "{op}");
        seen.push(op);
    }
    assert_eq!(seen.len(), 10);
}
