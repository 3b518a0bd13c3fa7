//! Builds OpenSSL and links its libcrypto, statically.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let openssl = openssl_src::Build::new().build();
    println!("cargo:rustc-link-search=native={}", openssl.lib_dir().display());
    println!("cargo:rustc-link-lib=static=crypto");
}
