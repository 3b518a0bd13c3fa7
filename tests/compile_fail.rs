//! What must not compile: each file of `tests/ui` is a program that compiles but for the lines marked `//~ E0000`.
//!
//! Each marked line must give an error of that code, with all others in place; and without the marked lines the file
//! must compile, so that nothing else in it is the reason. Only codes and lines are compared: the words of the compiler
//! change from one version to the next, and files of expected output would tie the test to one of them. (Codes in
//! `compile_fail` doctests are checked by a nightly compiler only.) So this runs `cargo check` itself, on one package
//! with a program for each marked line, and one for each file without any.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const MARK: &str = "//~ ";

/// A program: the file it comes from, and what is expected of it, (line, code).
struct Case {
    name: String,
    text: String,
    expected: Option<(usize, String)>,
}

/// The programs of one file: one without marked lines, and for each marked line one with that line alone. Lines keep
/// their numbers. A marked line that opens a block takes the block away with it, up to a closing brace in its column.
fn cases(stem: &str, text: &str) -> Vec<Case> {
    let lines: Vec<&str> = text.lines().collect();
    let marks: Vec<(usize, &str)> = lines
        .iter()
        .enumerate()
        .filter_map(|(i, line)| line.split_once(MARK).map(|(_, code)| (i, code.trim())))
        .collect();
    let with = |kept: Option<usize>| {
        let mut program = String::new();
        let mut until: Option<String> = None;
        for (i, line) in lines.iter().enumerate() {
            let marked = line.contains(MARK) && kept != Some(i);
            let dropped = marked || until.is_some();
            if marked && line.split(MARK).next().unwrap().trim_end().ends_with('{') {
                until = Some(line.chars().take_while(|c| c.is_whitespace()).collect::<String>() + "}");
            } else if until.as_deref() == Some(*line) {
                until = None;
            }
            writeln!(program, "{}", if dropped { "" } else { line }).unwrap();
        }
        program
    };
    let bad = marks.iter().map(|(i, code)| Case {
        name: format!("{stem}_{}", i + 1),
        text: with(Some(*i)),
        expected: Some((i + 1, code.to_string())),
    });
    let good = Case { name: format!("{stem}_ok"), text: with(None), expected: None };
    bad.chain([good]).collect()
}

/// What the compiler says of each program: name, line, code, which is empty where an error has none.
fn errors(stderr: &str) -> BTreeSet<(String, usize, String)> {
    let mut found = BTreeSet::new();
    for line in stderr.lines() {
        // src/bin/NAME.rs:LINE:COLUMN: error[CODE]: words, or without a code
        let Some((place, rest)) = line.split_once(": error") else { continue };
        let code = rest.strip_prefix('[').and_then(|rest| rest.split(']').next()).unwrap_or_default();
        let file = place.split(':').next().unwrap_or_default();
        let number = place.split(':').nth(1).and_then(|number| number.parse().ok()).unwrap_or(0);
        let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
        found.insert((name.into_owned(), number, code.to_owned()));
    }
    found
}

/// Writes the package and checks it. The lock file is the crate's own, so that nothing is looked up or downloaded.
fn check(cases: &[Case]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("ui");
    let programs = package.join("src/bin");
    _ = std::fs::remove_dir_all(&programs);
    std::fs::create_dir_all(&programs).unwrap();
    for case in cases {
        std::fs::write(programs.join(&case.name).with_extension("rs"), &case.text).unwrap();
    }
    let manifest = format!(
        "[package]\nname = \"ui\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         tautochrone = {{ path = {root:?}, default-features = false, features = [\"alloc\"] }}\n"
    );
    std::fs::write(package.join("Cargo.toml"), manifest).unwrap();
    _ = std::fs::remove_file(package.join("Cargo.lock"));
    if let Ok(lock) = std::fs::read(root.join("Cargo.lock")) {
        std::fs::write(package.join("Cargo.lock"), lock).unwrap();
    }
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["check", "--offline", "--quiet", "--bins", "--keep-going", "--message-format", "short"])
        .args(["--color", "never", "--target-dir", "target"])
        .current_dir(&package)
        .output()
        .expect("cargo runs");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_must_not_compile_does_not() {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&ui).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 10, "{files:?}");
    let mut all = Vec::new();
    for file in &files {
        let stem = file.file_stem().unwrap().to_string_lossy();
        let cases = cases(&stem, &std::fs::read_to_string(file).unwrap());
        assert!(cases.len() > 1, "{stem} marks no line");
        all.extend(cases);
    }
    let stderr = check(&all);
    let found = errors(&stderr);
    let mut wrong = Vec::new();
    for case in &all {
        let of_case: Vec<_> = found.iter().filter(|(name, ..)| *name == case.name).collect();
        let right = match &case.expected {
            None => of_case.is_empty(),
            Some((line, code)) => of_case.len() == 1 && of_case[0].1 == *line && of_case[0].2 == *code,
        };
        if !right {
            wrong.push(format!("{}: expected {:?}, found {of_case:?}", case.name, case.expected));
        }
    }
    // Nothing failed for a reason that has no case: a crate that does not build at all, for one.
    let strangers: Vec<_> = found.iter().filter(|(name, ..)| all.iter().all(|case| case.name != *name)).collect();
    assert!(wrong.is_empty() && strangers.is_empty(), "{}\n{strangers:?}\n{stderr}", wrong.join("\n"));
    assert_eq!(found.len(), all.iter().filter(|case| case.expected.is_some()).count());
}

#[test]
fn programs_are_cut_out_of_a_file() {
    let text = "fn main() {\n    a(); //~ E0001\n    b();\n    c(); //~ E0002\n}\nimpl X { //~ E0003\n    d\n}\ne\n";
    let cases = cases("file", text);
    let texts: Vec<(&str, &str)> = cases.iter().map(|case| (&*case.name, &*case.text)).collect();
    assert_eq!(
        texts,
        [
            ("file_2", "fn main() {\n    a(); //~ E0001\n    b();\n\n}\n\n\n\ne\n"),
            ("file_4", "fn main() {\n\n    b();\n    c(); //~ E0002\n}\n\n\n\ne\n"),
            ("file_6", "fn main() {\n\n    b();\n\n}\nimpl X { //~ E0003\n    d\n}\ne\n"),
            ("file_ok", "fn main() {\n\n    b();\n\n}\n\n\n\ne\n"),
        ]
    );
    let said = "src/bin/a.rs:2:5: error[E0001]: words: more\nerror: could not compile\nwarning: x\n\
                src/bin/b.rs:7:1: error: expected one of\n";
    assert_eq!(errors(said), BTreeSet::from([("a".into(), 2, "E0001".into()), ("b".into(), 7, String::new())]));
}
