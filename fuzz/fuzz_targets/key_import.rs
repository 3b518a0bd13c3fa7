//! Private keys out of anything: no panic; and a key that loads works.
#![no_main]

use tautochrone::rsa::{PrivateKey, PublicKey};
use tautochrone_fuzz::Input;

fn try_out(key: &PrivateKey) {
    let mut input = vec![0; key.size()];
    *input.last_mut().expect("a key is not empty") = 2;
    let output = key.private_op(&input).expect("what was checked holds");
    assert_eq!(*key.public_key().public_op(&output).expect("it is below n"), *input);
    // What it writes, it reads.
    let der = key.to_pkcs8_der().expect("it can be written");
    let again = PrivateKey::from_pkcs8_der(der.as_bytes()).expect("it can be read");
    assert_eq!(*again.private_op(&input).expect("it is the same key"), *output);
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    // Longer than the keys of the corpus is only slower.
    let how = input.byte();
    let bytes = input.rest();
    let key = match how % 4 {
        0 => PrivateKey::from_pkcs8_der(bytes),
        1 => PrivateKey::from_pkcs1_der(bytes),
        _ => {
            let Ok(text) = std::str::from_utf8(bytes) else { return };
            _ = PublicKey::from_spki_pem(text);
            if how % 4 == 2 { PrivateKey::from_pkcs8_pem(text) } else { PrivateKey::from_pkcs1_pem(text) }
        }
    };
    _ = PublicKey::from_spki_der(bytes);
    _ = PublicKey::from_pkcs1_der(bytes);
    if let Ok(key) = key {
        try_out(&key);
    }
});
