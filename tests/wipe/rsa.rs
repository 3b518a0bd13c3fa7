//! Private keys: loaded from every encoding, used, exported, refused.

use crate::common::{big, power_of_two};
use crate::watch::{Watch, allocations};
use num_bigint::BigUint;
use tautochrone::rsa::{Components, PrivateKey};

const DER: &[u8] = include_bytes!("../../vectors/keys/rsa1024.der");
const PEM: &str = include_str!("../../vectors/keys/rsa1024.pem");
const PKCS1_DER: &[u8] = include_bytes!("../../vectors/keys/rsa1024.pkcs1.der");
const PKCS1_PEM: &str = include_str!("../../vectors/keys/rsa1024.pkcs1.pem");

/// The components, what the contexts of the primes hold, and what an operation on c passes through.
fn secrets(components: &Components, c: &BigUint) -> Vec<BigUint> {
    let [d, p, q, dp, dq, qinv] =
        [&components.d, &components.p, &components.q, &components.dp, &components.dq, &components.qinv].map(big);
    let n = big(&components.n);
    let mut all = vec![&p - 1_u8, &q - 1_u8, c.modpow(&d, &n)];
    let (m1, m2) = (c.modpow(&dp, &p), c.modpow(&dq, &q));
    let h = (&m1 + &p - &m2 % &p) * &qinv % &p;
    all.push(&h * &q);
    for (prime, others) in [(&p, vec![c % &p, m1.clone(), &m2 % &p, h, qinv.clone()]), (&q, vec![c % &q, m2])] {
        let r = power_of_two(u32::try_from(prime.bits().next_multiple_of(64)).unwrap()) % prime;
        all.push(&r * &r % prime);
        all.extend(others.iter().map(|x| x * &r % prime));
        all.extend([r]);
        // n₀ tells the low limb of the prime.
        let word = BigUint::from(1_u8) << 64;
        all.push(&word - prime.modinv(&word).unwrap());
        all.extend(others);
    }
    all.extend([d, p, q, dp, dq, qinv]);
    all
}

#[test]
fn keys_are_wiped() {
    let components = Components::from_pkcs1_der(PKCS1_DER).unwrap();
    let input = [0x5a; 128];
    let secrets = secrets(&components, &BigUint::from_bytes_be(&input));
    let watch = Watch::over(&secrets);
    watch.clean("components", || components.clone());
    watch.clean("PKCS#8 DER", || PrivateKey::from_pkcs8_der(DER));
    watch.clean("PKCS#8 PEM", || PrivateKey::from_pkcs8_pem(PEM));
    watch.clean("PKCS#1 DER", || PrivateKey::from_pkcs1_der(PKCS1_DER));
    watch.clean("PKCS#1 PEM", || PrivateKey::from_pkcs1_pem(PKCS1_PEM));
    watch.clean("components in", || PrivateKey::from_components(components.clone()));
    let (p, q, e) = (&components.p, &components.q, &components.e);
    watch.clean("primes in", || PrivateKey::from_primes(p.clone(), q.clone(), e.clone()));
    let key = PrivateKey::from_pkcs8_der(DER).unwrap();
    watch.clean("a key's copy", || key.clone());
    watch.clean("a key on the heap", || Box::new(key.clone()));
    watch.clean("private operation", || key.private_op(&input).unwrap());
    watch.clean("an input that is refused", || (key.private_op(&[0xff; 128]), vec![0_u8]));
    watch.clean("DER out", || (key.to_pkcs8_der().unwrap(), key.to_pkcs1_der().unwrap()));
    watch.clean("PEM out", || key.to_pkcs8_pem().unwrap());
    // The negative twin: p as an encoding holds it.
    assert_eq!(watch.run(|| DER.to_vec()).leaks, 1);
}

/// Files cut off, altered and with tails: what was decoded until then is wiped.
#[test]
fn refused_keys_are_wiped() {
    let components = Components::from_pkcs1_der(PKCS1_DER).unwrap();
    let secrets = secrets(&components, &BigUint::from(3_u8));
    let damaged: Vec<Vec<u8>> = (0..PKCS1_DER.len())
        .step_by(7)
        .flat_map(|i| {
            let mut flipped = PKCS1_DER.to_vec();
            flipped[i] ^= 0x10;
            [PKCS1_DER[..i].to_vec(), flipped]
        })
        .chain([[PKCS1_DER, &[0]].concat()])
        .collect();
    let watch = Watch::over(&secrets);
    let mut refused = 0;
    for (i, der) in damaged.iter().enumerate() {
        let seen = watch.run(|| refused += usize::from(PrivateKey::from_pkcs1_der(der).is_err()));
        assert_eq!(seen.leaks, 0, "damage {i}: {seen}");
    }
    assert_eq!(refused, damaged.len());
}

/// No allocation inside a loop: a key of four times the length asks for as many blocks.
#[test]
fn longer_keys_ask_for_no_more() {
    let load = |der: &[u8]| allocations(|| PrivateKey::from_pkcs1_der(der).unwrap());
    let long = include_bytes!("../../vectors/keys/rsa4096.pkcs1.der");
    assert_eq!(load(PKCS1_DER), load(long));
    let (short, long) = (PrivateKey::from_pkcs1_der(PKCS1_DER).unwrap(), PrivateKey::from_pkcs1_der(long).unwrap());
    let operation = |key: &PrivateKey| {
        let input = vec![1; key.size()];
        allocations(|| key.private_op(&input).unwrap())
    };
    assert_eq!(operation(&short), operation(&long));
}
