//! RSA keys from every encoding, the private operation, signatures, and what must be refused.
#![cfg(feature = "rsa")]

#[path = "../vectors/reader.rs"]
mod reader;

use num_bigint::BigUint;
use reader::Record;
use sha2::{Sha256, Sha384, Sha512};
use signature::{DigestSigner, DigestVerifier, Keypair, SignatureEncoding, Signer, Verifier};
use std::fs;
use std::path::PathBuf;
use tautochrone::rsa::pkcs1v15::{Signature, SigningKey, VerifyingKey};
use tautochrone::rsa::{Components, PrivateKey, PublicKey, Stage};
use tautochrone::zeroize::ZeroizeOnDrop;
use tautochrone::{BoxedUint, Error, Field, Limb, Public};

fn path(file: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "vectors", file].iter().collect()
}

fn bytes(file: &str) -> Vec<u8> {
    fs::read(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn text(file: &str) -> String {
    String::from_utf8(bytes(file)).unwrap()
}

fn records(file: &str) -> Vec<Record> {
    reader::records(&text(file))
}

/// The key of a form in which files come: `pkcs1_der`, `pkcs8_der`, `pkcs1_pem` or `pkcs8_pem`.
fn load(form: &str, file: &str) -> Result<PrivateKey, Error> {
    match form {
        "pkcs1_der" => PrivateKey::from_pkcs1_der(&bytes(file)),
        "pkcs8_der" => PrivateKey::from_pkcs8_der(&bytes(file)),
        "pkcs1_pem" => PrivateKey::from_pkcs1_pem(&text(file)),
        "pkcs8_pem" => PrivateKey::from_pkcs8_pem(&text(file)),
        other => panic!("unknown form {other}"),
    }
}

fn key(name: &str) -> PrivateKey {
    load("pkcs8_pem", &format!("keys/{name}.pem")).unwrap()
}

fn components(name: &str) -> Components {
    Components::from_pkcs1_der(&bytes(&format!("keys/{name}.pkcs1.der"))).unwrap()
}

/// The names of all keys.
fn names() -> Vec<String> {
    let files = fs::read_dir(path("keys")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = files.filter_map(|file| Some(file.strip_suffix(".pub.pem")?.to_string())).collect();
    names.sort();
    assert!(names.len() >= 15);
    names
}

fn secret(x: &BigUint, bits: u32) -> BoxedUint {
    BoxedUint::from_be_bytes(&x.to_bytes_be(), bits).unwrap()
}

fn public(x: &BigUint, bits: u32) -> Public<BoxedUint> {
    Public::<BoxedUint>::from_be_bytes(&x.to_bytes_be(), bits).unwrap()
}

fn big(x: &BoxedUint) -> BigUint {
    BigUint::from_bytes_be(&x.to_be_bytes())
}

#[test]
fn every_key_in_every_encoding() {
    for name in names() {
        let forms =
            [("pkcs8_pem", "pem"), ("pkcs8_der", "der"), ("pkcs1_pem", "pkcs1.pem"), ("pkcs1_der", "pkcs1.der")];
        let files = forms.map(|(form, suffix)| (form, format!("keys/{name}.{suffix}")));
        let pkcs1 = bytes(&format!("keys/{name}.pkcs1.der"));
        let public = PublicKey::from_spki_pem(&text(&format!("keys/{name}.pub.pem"))).unwrap();
        let mut loaded = 0;
        for (form, file) in files.iter().filter(|(_, file)| path(file).exists()) {
            let key = load(form, file).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert_eq!(key.to_pkcs1_der().unwrap().as_bytes(), pkcs1, "{file}");
            assert_eq!(*key.public_key(), public, "{file}");
            let exported = key.to_pkcs8_pem().unwrap();
            assert_eq!(*exported, text(&format!("keys/{name}.pem")), "{file}");
            let again = PrivateKey::from_pkcs8_der(key.to_pkcs8_der().unwrap().as_bytes()).unwrap();
            assert_eq!(again.to_pkcs1_der().unwrap().as_bytes(), pkcs1);
            loaded += 1;
        }
        assert!(loaded >= 2, "{name}");
        let copy = PublicKey::from_pkcs1_der(public.to_pkcs1_der().unwrap().as_bytes()).unwrap();
        assert_eq!((&copy, copy.size()), (&public, public.bits().div_ceil(8) as usize));
        assert_eq!(public.to_spki_pem().unwrap(), text(&format!("keys/{name}.pub.pem")));
    }
}

#[test]
fn private_operations_and_their_refusals() {
    let records = records("keys/keys.txt");
    let mut done = 0;
    for name in names() {
        let key = key(&name);
        for record in records.iter().filter(|record| record.get("key") == name) {
            let id = record.get("id");
            match record.get("op") {
                "rsa_private_op" => {
                    let (c, r) = (record.hex("c"), record.hex("r"));
                    // Leading zeros are part of the result.
                    assert_eq!(key.private_op(&c).unwrap()[..], r[..], "{id}");
                    assert_eq!(key.public_key().public_op(&r).unwrap()[..], c[..], "{id}");
                }
                "rsa_private_op_error" => {
                    let error = match record.get("reason") {
                        "length" => Error::Length(Field::Input),
                        "out_of_range" => Error::OutOfRange(Field::Input),
                        other => panic!("{id}: {other}"),
                    };
                    assert_eq!(key.private_op(&record.hex("c")).err(), Some(error), "{id}");
                    assert_eq!(key.public_key().public_op(&record.hex("c")).err(), Some(error), "{id}");
                }
                "rsa_pkcs1v15_sha256" => {
                    let signature = SigningKey::<Sha256>::new(key.clone()).try_sign(&record.hex("message")).unwrap();
                    assert_eq!(signature.to_vec(), record.hex("signature"), "{id}");
                }
                other => panic!("{id}: {other}"),
            }
            done += 1;
        }
    }
    assert_eq!(done, records.len());
}

fn field(name: &str) -> Field {
    match name {
        "document" | "version" | "algorithm" => Field::Document,
        "n" => Field::N,
        "e" => Field::E,
        "d" => Field::D,
        "p" => Field::P,
        "q" => Field::Q,
        "dp" => Field::Dp,
        "dq" => Field::Dq,
        "qinv" => Field::Qinv,
        other => panic!("unknown field {other}"),
    }
}

/// Whether an error is that of a reason and a field of the index.
fn fits(error: Error, reason: &str, field: Field) -> bool {
    match reason {
        "truncated" => error == Error::Truncated(field),
        "trailing" => error == Error::Trailing(field),
        "malformed" | "not_a_key" => error == Error::Malformed(field),
        "even" => error == Error::Even(field),
        "too_small" => error == Error::TooSmall(field),
        "too_long" => error == Error::TooLong(field),
        "too_large" => error == Error::TooLarge(field),
        "out_of_range" => error == Error::OutOfRange(field),
        // A component that was damaged may happen to be out of its range by that.
        "inconsistent" => [Error::Inconsistent(field), Error::OutOfRange(field)].contains(&error),
        "algorithm" => error == Error::Algorithm,
        "encrypted" => error == Error::Encrypted,
        "public_key" => error == Error::PublicKey,
        "multi_prime" => error == Error::MultiPrime,
        other => panic!("unknown reason {other}"),
    }
}

#[test]
fn every_bad_file_is_refused_for_its_reason() {
    let records = records("bad/index.txt");
    let mut listed: Vec<&str> = records.iter().map(|record| record.get("file")).collect();
    for record in &records {
        let (id, reason) = (record.get("id"), record.get("reason"));
        let Err(error) = load(record.get("form"), &format!("bad/{}", record.get("file"))) else {
            panic!("{id}: accepted");
        };
        let fields = [record.get("field")].into_iter().chain(record.opt("also").unwrap_or("").split_whitespace());
        assert!(fields.map(field).any(|field| fits(error, reason, field)), "{id}: {error:?} for {reason}");
    }
    let files = fs::read_dir(path("bad")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<String> = files.filter(|file| file != "index.txt").collect();
    files.sort();
    listed.sort();
    assert_eq!(files, listed);
}

#[test]
fn every_prefix_and_every_damaged_byte_of_a_document() {
    for (file, pkcs8) in [("keys/rsa1024.der", true), ("keys/rsa1024.pkcs1.der", false)] {
        let good = bytes(file);
        let load = |der: &[u8]| if pkcs8 { PrivateKey::from_pkcs8_der(der) } else { PrivateKey::from_pkcs1_der(der) };
        assert!(load(&good).is_ok());
        for length in 0..good.len() {
            assert_eq!(load(&good[..length]).err(), Some(Error::Truncated(Field::Document)), "{file} {length}");
        }
        for i in 0..good.len() {
            for flip in [1, 0x80, 0xff] {
                let mut bad = good.clone();
                bad[i] ^= flip;
                assert!(load(&bad).is_err(), "{file} {i} {flip}");
            }
        }
    }
}

#[test]
fn every_flipped_bit_of_every_component() {
    type Pick = fn(&mut Components) -> &mut BoxedUint;
    let secrets: [(Field, Pick); 6] = [
        (Field::D, |c| &mut c.d),
        (Field::P, |c| &mut c.p),
        (Field::Q, |c| &mut c.q),
        (Field::Dp, |c| &mut c.dp),
        (Field::Dq, |c| &mut c.dq),
        (Field::Qinv, |c| &mut c.qinv),
    ];
    for name in ["rsa1024", "rsa1128_unequal"] {
        let good = components(name);
        assert!(PrivateKey::from_components(good.clone()).is_ok());
        for (field, pick) in secrets {
            let mut bad = good.clone();
            let value = pick(&mut bad).to_be_bytes();
            for bit in 0..8 * value.len() {
                let mut flipped = value.clone();
                flipped[bit / 8] ^= 0x80 >> (bit % 8);
                *pick(&mut bad) = BoxedUint::from_be_bytes(&flipped, 8 * value.len() as u32).unwrap();
                let error = PrivateKey::from_components(bad.clone()).unwrap_err();
                let blamed = |field| {
                    [Error::Inconsistent(field), Error::OutOfRange(field), Error::TooLong(field), Error::Even(field)]
                        .contains(&error)
                };
                let of_primes = matches!(field, Field::P | Field::Q) && blamed(Field::N);
                assert!(blamed(field) || of_primes, "{name} {field} {bit}: {error:?}");
            }
        }
        for bit in 0..good.n.bits() {
            let n = big(&good.n) ^ (BigUint::from(1_u8) << bit);
            let bad = Components { n: public(&n, good.n.bits()), ..good.clone() };
            let error = PrivateKey::from_components(bad).unwrap_err();
            assert!([Error::Inconsistent(Field::N), Error::Even(Field::N)].contains(&error), "{bit}: {error:?}");
        }
        for bit in 0..40 {
            let e = big(&good.e) ^ (BigUint::from(1_u8) << bit);
            let bad = Components { e: public(&e, 64), ..good.clone() };
            let error = PrivateKey::from_components(bad).unwrap_err();
            let blamed = [Field::E, Field::Dp, Field::Dq].map(Error::Inconsistent);
            let outside = [Error::Even(Field::E), Error::TooSmall(Field::E)];
            assert!(blamed.contains(&error) || outside.contains(&error), "{bit}: {error:?}");
        }
    }
}

/// Widths are the caller's business: numbers in wide containers give the same key.
#[test]
fn components_of_any_width() {
    let Components { n, e, d, p, q, dp, dq, qinv } = components("rsa1128_unequal");
    let wide = |x: &BoxedUint| x.resize(5000);
    let padded = Components {
        n: public(&big(&n), 3000),
        e: public(&big(&e), 2000),
        d: wide(&d),
        p: wide(&p),
        q: wide(&q),
        dp: wide(&dp),
        dq: wide(&dq),
        qinv: wide(&qinv),
    };
    let der = PrivateKey::from_components(padded.clone()).unwrap().to_pkcs1_der().unwrap();
    assert_eq!(der.as_bytes(), bytes("keys/rsa1128_unequal.pkcs1.der"));
    for (field, bad) in [
        (Field::D, Components { d: d.resize(5000).wrapping_add(&n.resize(5000).shl(800)), ..padded.clone() }),
        (Field::Dp, Components { dp: wide(&dp).wrapping_add(&wide(&p).shl(800)), ..padded.clone() }),
        (Field::Dq, Components { dq: wide(&dq).wrapping_add(&wide(&q).shl(800)), ..padded.clone() }),
        (Field::Qinv, Components { qinv: wide(&qinv).wrapping_add(&wide(&p).shl(800)), ..padded.clone() }),
    ] {
        assert_eq!(PrivateKey::from_components(bad).err(), Some(Error::TooLong(field)));
    }
    let zero = Components { p: BoxedUint::zero(64), ..padded };
    assert_eq!(PrivateKey::from_components(zero).err(), Some(Error::TooSmall(Field::P)));
}

#[test]
fn from_primes_agrees_with_files() {
    for name in names() {
        let Components { n, e, d, p, q, .. } = components(&name);
        let key = PrivateKey::from_primes(p, q, e.clone());
        if e.bits() > 64 {
            assert_eq!(key.err(), Some(Error::Unsupported(Field::E)), "{name}");
            continue;
        }
        let made = Components::from_pkcs1_der(key.unwrap().to_pkcs1_der().unwrap().as_bytes()).unwrap();
        assert_eq!(made.n, n);
        if name == "rsa2048_lambda" {
            // d modulo φ(n), where the file has it modulo λ(n).
            let file = components(&name);
            assert_ne!(big(&made.d), big(&d));
            assert_eq!(big(&made.qinv), big(&file.qinv));
            assert_eq!((big(&made.dp), big(&made.dq)), (big(&file.dp), big(&file.dq)));
        } else {
            let der = PrivateKey::from_components(made).unwrap().to_pkcs1_der().unwrap();
            assert_eq!(der.as_bytes(), bytes(&format!("keys/{name}.pkcs1.der")), "{name}");
        }
    }
}

#[test]
fn primes_that_make_no_key() {
    let Components { e, p, q, .. } = components("rsa1024");
    let (e, p, q) = (|| e.clone(), || p.clone(), || q.clone());
    let refused = |p, q, e| PrivateKey::from_primes(p, q, e).err();
    assert_eq!(refused(p(), p(), e()), Some(Error::Inconsistent(Field::P)));
    let two = BoxedUint::from_u64(2, 512);
    assert_eq!(refused(p().wrapping_add(&two), q(), e()), Some(Error::Inconsistent(Field::P)));
    assert_eq!(refused(p().wrapping_sub(&BoxedUint::from_u64(1, 512)), q(), e()), Some(Error::Even(Field::P)));
    assert_eq!(refused(p(), BoxedUint::from_u64(1, 512), e()), Some(Error::TooSmall(Field::Q)));
    assert_eq!(refused(BoxedUint::zero(64), q(), e()), Some(Error::TooSmall(Field::P)));
    // 3 is a prime.
    let three = PrivateKey::from_primes(BoxedUint::from_u64(3, 64), q(), e()).unwrap();
    let result = three.private_op(&[1; 65]).unwrap();
    assert_eq!(three.public_key().public_op(&result).unwrap()[..], [1; 65]);
    for (value, error) in [(0, Error::TooSmall(Field::E)), (1, Error::TooSmall(Field::E)), (2, Error::Even(Field::E))] {
        assert_eq!(refused(p(), q(), Public::<BoxedUint>::from_u64(value, 64)), Some(error));
    }
    // Every small e: an inverse or an error.
    let (p1, q1) = (big(&p()) - 1_u8, big(&q()) - 1_u8);
    let mut without = 0;
    for small in (3_u64..200).step_by(2) {
        let shares = (3..=small).any(|f| small % f == 0 && (&p1 % f == BigUint::ZERO || &q1 % f == BigUint::ZERO));
        let expected = shares.then_some(Error::Inconsistent(Field::E));
        assert_eq!(refused(p(), q(), Public::<BoxedUint>::from_u64(small, 64)), expected, "e = {small}");
        without += u32::from(shares);
    }
    assert!(without > 0);
}

fn mersenne(k: u32) -> BoxedUint {
    secret(&((BigUint::from(1_u8) << k) - 1_u8), k)
}

fn f4() -> Public<BoxedUint> {
    Public::<BoxedUint>::from_u64(65537, 64)
}

#[test]
fn the_smallest_and_the_largest() {
    // The prime of secp256k1 and the order of P-256: n of 512 bits.
    let (a, b) = (
        BoxedUint::from_hex("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", 256).unwrap(),
        BoxedUint::from_hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 256).unwrap(),
    );
    let key = PrivateKey::from_primes(a.clone(), b, f4()).unwrap();
    assert_eq!(key.bits(), 512);
    let result = key.private_op(&[9; 64]).unwrap();
    assert_eq!(key.public_key().public_op(&result).unwrap()[..], [9; 64]);
    assert!(SigningKey::<Sha256>::new(key.clone()).try_sign(b"").is_ok());
    let short = SigningKey::<Sha512>::new(key).try_sign(b"").unwrap_err();
    let source = std::error::Error::source(&short).unwrap();
    assert_eq!(source.downcast_ref::<Error>(), Some(&Error::TooSmall(Field::N)));
    // 255 and 256 bits: 510 or 511.
    let low = secret(&((BigUint::from(1_u8) << 255) - 19_u8), 255);
    assert_eq!(PrivateKey::from_primes(a, low, f4()).err(), Some(Error::TooSmall(Field::N)));

    // 15636 bits, of which the primes have 11213 and 4423; with limbs of a byte that takes minutes.
    if Limb::BITS >= 32 {
        let key = PrivateKey::from_primes(mersenne(4423), mersenne(11213), f4()).unwrap();
        assert_eq!((key.bits(), key.size()), (15636, 1955));
        let mut input = vec![7; 1955];
        input[0] = 0;
        let result = key.private_op(&input).unwrap();
        assert_eq!(key.public_key().public_op(&result).unwrap()[..], input[..]);
    }
    // 16385 bits and more are refused before anything is computed with them.
    let large = mersenne(9689);
    assert_eq!(PrivateKey::from_primes(large.clone(), large, f4()).err(), Some(Error::TooLarge(Field::N)));
    let half = mersenne(8193);
    assert_eq!(PrivateKey::from_primes(half.clone(), half, f4()).err(), Some(Error::TooLarge(Field::N)));
}

#[test]
fn limits_of_public_keys() {
    let with = |n: &BigUint, e: u64| PublicKey::from_components(public(n, 20000), Public::<BoxedUint>::from_u64(e, 64));
    let power = |k: u32| BigUint::from(1_u8) << k;
    assert_eq!(with(&(power(511) - 1_u8), 3).err(), Some(Error::TooSmall(Field::N)));
    assert_eq!(with(&(power(511) + 1_u8), 3).unwrap().bits(), 512);
    assert_eq!(with(&(power(16384) - 1_u8), 3).unwrap().size(), 2048);
    assert_eq!(with(&(power(16384) + 1_u8), 3).err(), Some(Error::TooLarge(Field::N)));
    assert_eq!(with(&power(1000), 3).err(), Some(Error::Even(Field::N)));
    assert_eq!(with(&(power(1000) + 1_u8), 1).err(), Some(Error::TooSmall(Field::E)));
    let n = public(&(power(1000) + 1_u8), 1001);
    let e = |x: BigUint| PublicKey::from_components(n.clone(), public(&x, 300)).err();
    assert_eq!(e(power(256) - 1_u8), None);
    assert_eq!(e(power(256) + 1_u8), Some(Error::TooLong(Field::E)));
}

#[test]
fn known_keys() {
    let mut loaded = 0;
    for record in records("known.txt").iter().filter(|record| record.get("op") == "rsa_key") {
        let number = |key: &str| BigUint::from_bytes_be(&record.hex(key));
        let part = |key: &str| secret(&number(key), number(key).bits() as u32);
        let (n, e) = (number("n"), number("e"));
        let (bits, e) = (n.bits() as u32, public(&e, 64));
        let components = Components {
            n: public(&n, bits),
            e: e.clone(),
            d: part("d"),
            p: part("p"),
            q: part("q"),
            dp: part("dp"),
            dq: part("dq"),
            qinv: part("qinv"),
        };
        let key = PrivateKey::from_components(components);
        if bits < 512 {
            assert_eq!(key.err(), Some(Error::TooSmall(Field::N)));
            continue;
        }
        let key = key.unwrap_or_else(|error| panic!("{}: {error}", record.get("id")));
        let c = number("n") / 3_u8;
        let mut input = vec![0; key.size()];
        input[key.size() - c.to_bytes_be().len()..].copy_from_slice(&c.to_bytes_be());
        let result = BigUint::from_bytes_be(&key.private_op(&input).unwrap());
        assert_eq!(result, c.modpow(&number("d"), &n));
        let made = PrivateKey::from_primes(part("p"), part("q"), e).unwrap();
        assert_eq!(made.private_op(&input).unwrap(), key.private_op(&input).unwrap());
        loaded += 1;
    }
    assert!(loaded >= 3);
}

#[test]
fn signatures() {
    let message = bytes("keys/message.txt");
    let key = SigningKey::<Sha256>::new(key("rsa2048"));
    let signature = key.try_sign(&message).unwrap();
    assert_eq!(signature.as_ref(), bytes("keys/rsa2048.sig"));
    assert_eq!((signature.to_bytes().len(), signature.encoded_len()), (256, 256));
    let hash = |hash: &mut Sha256| {
        digest::Update::update(hash, &message);
        Ok(())
    };
    let by_digest: Signature = key.try_sign_digest(hash).unwrap();
    assert_eq!(by_digest, signature);

    let verifying: VerifyingKey<Sha256> = key.verifying_key();
    verifying.verify(&message, &signature).unwrap();
    verifying.verify_digest(hash, &signature).unwrap();
    assert!(verifying.verify(b"other", &signature).is_err());
    let other = VerifyingKey::<Sha384>::new(verifying.as_ref().clone());
    assert!(other.verify(&message, &signature).is_err());
    let other = SigningKey::<Sha384>::new(PrivateKey::clone(key.as_ref()));
    other.verifying_key().verify(&message, &other.try_sign(&message).unwrap()).unwrap();

    // Every byte counts, and so does every length.
    for i in (0..256).step_by(5) {
        let mut bad = signature.to_vec();
        bad[i] ^= 0x10;
        assert!(verifying.verify(&message, &Signature::try_from(&bad[..]).unwrap()).is_err(), "{i}");
    }
    let long = [&[0][..], signature.as_ref()].concat();
    for bad in [&signature.as_ref()[1..], &signature.as_ref()[..255], &long, &[], &[0; 256], &[0xff; 256]] {
        assert!(verifying.verify(&message, &Signature::try_from(bad).unwrap()).is_err());
    }
    // s + n, where it fits into the bytes at all.
    let sum = BigUint::from_bytes_be(signature.as_ref()) + big(verifying.as_ref().n());
    let sum = sum.to_bytes_be();
    assert!(verifying.verify(&message, &Signature::try_from(&sum[sum.len() - 256..]).unwrap()).is_err());
    assert!(verifying.verify(&message, &Signature::try_from(&sum[..]).unwrap()).is_err());
    // Nothing is parsed: a padding that is valid DER but not the one encoding does not pass.
    let error = verifying.verify(b"other", &signature).unwrap_err();
    assert!(std::error::Error::source(&error).is_none());
}

#[test]
fn documents_of_another_kind() {
    let der = |pem: &str| der::Document::from_pem(&text(pem)).unwrap().1.to_vec();
    let both = |der: &[u8], error| {
        assert_eq!(PrivateKey::from_pkcs8_der(der).err(), Some(error));
        assert_eq!(PrivateKey::from_pkcs1_der(der).err(), Some(error));
    };
    both(&der("keys/rsa2048.pub.pem"), Error::PublicKey);
    both(&der("keys/rsa2048.pub.pkcs1.pem"), Error::PublicKey);
    both(&der("bad/encrypted.pem"), Error::Encrypted);
    // Each format under the name of the other.
    let malformed = Some(Error::Malformed(Field::Document));
    assert_eq!(PrivateKey::from_pkcs8_der(&bytes("keys/rsa1024.pkcs1.der")).err(), malformed);
    assert_eq!(PrivateKey::from_pkcs8_pem(&text("keys/rsa1024.pkcs1.pem")).err(), malformed);
    assert_eq!(PrivateKey::from_pkcs1_pem(&text("keys/rsa1024.pem")).err(), malformed);
    assert!(matches!(PrivateKey::from_pkcs1_der(&bytes("keys/rsa1024.der")).err(), Some(Error::Malformed(_))));
    assert_eq!(PublicKey::from_spki_pem(&text("keys/rsa1024.pem")).err(), malformed);
    assert_eq!(PublicKey::from_spki_der(&bytes("keys/rsa1024.pkcs1.der")).err(), malformed);
    assert_eq!(PublicKey::from_spki_pem(&text("keys/rsa2048.pub.pkcs1.pem")).err(), malformed);
    assert_eq!(PublicKey::from_pkcs1_pem(&text("keys/rsa2048.pub.pem")).err(), malformed);
    let trailing = [der("keys/rsa2048.pub.pem"), vec![0]].concat();
    assert_eq!(PublicKey::from_spki_der(&trailing).err(), Some(Error::Trailing(Field::Document)));

    // An OtherPrimeInfos in a document that calls itself one of two primes.
    let good = bytes("keys/rsa1024.pkcs1.der");
    let mut more = good.clone();
    more.extend([0x30, 0x00]);
    let length = u16::from_be_bytes([more[2], more[3]]) + 2;
    more[2..4].copy_from_slice(&length.to_be_bytes());
    assert_eq!(PrivateKey::from_pkcs1_der(&more).err(), Some(Error::MultiPrime));
    let at = more.len() - 2;
    more[at] = 0x04;
    assert_eq!(PrivateKey::from_pkcs1_der(&more).err(), malformed);

    // Other line ends and other line lengths are PEM all the same.
    let pem = text("keys/rsa1024.pem");
    assert!(PrivateKey::from_pkcs8_pem(&pem.replace('\n', "\r\n")).is_ok());
    let lines: Vec<&str> = pem.lines().collect();
    let one_line = [lines[0], &lines[1..lines.len() - 1].concat(), lines[lines.len() - 1], ""].join("\n");
    assert!(PrivateKey::from_pkcs8_pem(&one_line).is_ok());
}

#[test]
fn traits_of_other_crates() {
    use pkcs1::{DecodeRsaPrivateKey, DecodeRsaPublicKey};
    use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
    let pem = text("keys/rsa2048.pem");
    let key = <PrivateKey as DecodePrivateKey>::from_pkcs8_pem(&pem).unwrap();
    assert_eq!(*<PrivateKey as EncodePrivateKey>::to_pkcs8_pem(&key, pkcs8::LineEnding::LF).unwrap(), pem);
    let pem = text("keys/rsa2048.pkcs1.pem");
    assert!(<PrivateKey as DecodeRsaPrivateKey>::from_pkcs1_pem(&pem).is_ok());
    let pem = text("keys/rsa2048.pub.pem");
    let public = <PublicKey as DecodePublicKey>::from_public_key_pem(&pem).unwrap();
    assert_eq!(public, *key.public_key());
    assert_eq!(public.to_public_key_pem(pkcs8::LineEnding::LF).unwrap(), pem);
    let pem = text("keys/rsa2048.pub.pkcs1.pem");
    assert_eq!(<PublicKey as DecodeRsaPublicKey>::from_pkcs1_pem(&pem).unwrap(), public);

    let bad = bytes("bad/d_bit_0.pkcs1.der");
    assert_eq!(<PrivateKey as DecodeRsaPrivateKey>::from_pkcs1_der(&bad).err(), Some(pkcs1::Error::Crypto));
    let bad = bytes("bad/ec_der.der");
    let invalid = pkcs8::Error::KeyMalformed(pkcs8::KeyError::Invalid);
    assert_eq!(<PrivateKey as DecodePrivateKey>::from_pkcs8_der(&bad).err(), Some(invalid));
}

#[test]
fn stages_come_in_order() {
    let mut stages = Vec::new();
    PrivateKey::from_components_with(components("rsa1024"), |stage| stages.push(stage)).unwrap();
    assert_eq!(stages, [Stage::ContextN, Stage::ContextP, Stage::ContextQ, Stage::Checks]);
}

#[test]
fn nothing_secret_is_shown() {
    let key = key("rsa1024");
    let shown = [
        format!("{key:?}"),
        format!("{:?}", components("rsa1024")),
        format!("{:?}", SigningKey::<Sha256>::new(key.clone())),
    ];
    assert_eq!(shown[0], "PrivateKey(n of 1024 bits, p of 512, q of 512)");
    assert_eq!(shown[1], "Components(n of 1024 bits, e = 0x10001)");
    assert_eq!(shown[2], "SigningKey(PrivateKey(n of 1024 bits, p of 512, q of 512))");
    assert_eq!(format!("{:?}", key.public_key()), "PublicKey(n of 1024 bits, e = 0x10001)");
}

const fn is_shared_and_wiped<T: Send + Sync + ZeroizeOnDrop + 'static>() {}
const _: () = {
    is_shared_and_wiped::<PrivateKey>();
    is_shared_and_wiped::<Components>();
    is_shared_and_wiped::<SigningKey<Sha256>>();
};

#[test]
fn threads_share_a_key() {
    let key = key("rsa2048");
    let expected: Vec<_> = (1..5).map(|i| key.private_op(&[i; 256]).unwrap()).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (i, expected) in (1..5).zip(&expected) {
                    assert_eq!(key.private_op(&[i; 256]).unwrap(), *expected);
                }
            });
        }
    });
}
