//! From a key file to a signature: `cargo run --release --example rsa_private_key -- vectors/keys/rsa2048.pem`.

use clap::Parser;
use sha2::Sha256;
use signature::{Keypair, Signer, Verifier};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tautochrone::rsa::pkcs1v15::{Signature, SigningKey};
use tautochrone::rsa::{Components, PrivateKey, Stage};
use tautochrone::{Error, Field};
use zeroize::Zeroizing;

/// Loads an RSA private key (PKCS#8 or PKCS#1, PEM or DER), shows what each stage takes, signs and verifies.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The file with the private key.
    key: PathBuf,
    /// Sign the contents of this file, not a line of text.
    #[arg(long, value_name = "FILE")]
    message: Option<PathBuf>,
    /// Write the signature (PKCS#1 v1.5 with SHA-256), as it is, to this file.
    #[arg(long, value_name = "OUT")]
    signature: Option<PathBuf>,
    /// Write the public half in PEM to this file.
    #[arg(long, value_name = "OUT")]
    public: Option<PathBuf>,
}

const MESSAGE: &[u8] = b"Wherever it starts, the bead arrives after the same time.";

fn main() -> ExitCode {
    // Printed at once: a reader that goes away is an error like any other.
    let printed = run(&Arguments::parse())
        .and_then(|report| std::io::stdout().write_all(report.as_bytes()).map_err(|error| format!("output: {error}")));
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(line) => {
            eprintln!("{line}");
            ExitCode::FAILURE
        }
    }
}

/// The report; an error is one line that names the file.
fn run(arguments: &Arguments) -> Result<String, String> {
    let path = &arguments.key;
    // Wiped when it is dropped, as is everything that is made of it.
    let file = Zeroizing::new(fs::read(path).map_err(|error| line(path, error))?);
    let message = arguments.message.as_ref().map(|path| fs::read(path).map_err(|error| line(path, error)));
    let message = message.transpose()?.unwrap_or_else(|| MESSAGE.to_vec());

    let start = Instant::now();
    let (format, components) = parse(&file).map_err(|error| line(path, error))?;
    let parsed = start.elapsed();
    drop(file);
    let mut report =
        format!("{}: {format}, RSA of {} bits, e = {}\n", path.display(), components.n.bits(), components.e);
    row(&mut report, "parse", parsed);

    let mut lap = Instant::now();
    let observe = |stage| {
        row(&mut report, name(stage), lap.elapsed());
        lap = Instant::now();
    };
    let key = PrivateKey::from_components_with(components, observe).map_err(|error| line(path, error))?;

    let key = SigningKey::<Sha256>::new(key);
    let start = Instant::now();
    let signature = key.try_sign(&message).map_err(|error| line(path, reason(&error)))?;
    row(&mut report, "sign", start.elapsed());

    let public = key.verifying_key();
    let start = Instant::now();
    public.verify(&message, &signature).map_err(|error| line(path, reason(&error)))?;
    row(&mut report, "verify", start.elapsed());
    describe(&mut report, &signature);

    if let Some(out) = &arguments.signature {
        fs::write(out, &signature).map_err(|error| line(out, error))?;
    }
    if let Some(out) = &arguments.public {
        let pem = public.as_ref().to_spki_pem().map_err(|error| line(path, error))?;
        fs::write(out, pem).map_err(|error| line(out, error))?;
    }
    Ok(report)
}

/// The format of a file and the components in it.
fn parse(file: &[u8]) -> Result<(&'static str, Components), Error> {
    match str::from_utf8(file) {
        // DER begins with 0x30, which is the digit 0.
        Ok(text) if text.contains("-----BEGIN ") || !text.starts_with('0') => {
            // Only the label is looked at, not the secret text behind it.
            let label = text.split_once("-----BEGIN ").map(|(_, label)| label);
            match label.is_some_and(|label| label.starts_with("RSA PRIVATE KEY-----")) {
                true => Ok(("PKCS#1 in PEM", Components::from_pkcs1_pem(text)?)),
                false => Ok(("PKCS#8 in PEM", Components::from_pkcs8_pem(text)?)),
            }
        }
        _ => match Components::from_pkcs8_der(file) {
            // Whatever else is wrong is wrong in PKCS#1 as well.
            Err(Error::Malformed(Field::Document)) => Ok(("PKCS#1 in DER", Components::from_pkcs1_der(file)?)),
            components => Ok(("PKCS#8 in DER", components?)),
        },
    }
}

fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::ContextN => "context n",
        Stage::ContextP => "context p",
        Stage::ContextQ => "context q",
        Stage::Checks => "checks",
        _ => "stage",
    }
}

/// One line of the report.
fn row(report: &mut String, what: &str, time: Duration) {
    writeln!(report, "{what:10} {:9.1} µs", time.as_secs_f64() * 1e6).expect("a string takes everything");
}

fn describe(report: &mut String, signature: &Signature) {
    let bytes = signature.as_ref();
    let head: String = bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    writeln!(report, "signature  {head}… ({} bytes)", bytes.len()).expect("a string takes everything");
}

fn line(path: &Path, reason: impl std::fmt::Display) -> String {
    format!("{}: {reason}", path.display())
}

/// `signature` keeps the reason in the source of its error.
fn reason(error: &signature::Error) -> String {
    std::error::Error::source(error).map_or_else(|| Error::Verification.to_string(), ToString::to_string)
}
