//! Rules of the source that a compiler does not hold: one door out of secrecy, `unsafe` in few files, short files.

mod source;

use source::{File, Token, starts_with};

/// Ways from a secret to a `bool` or an `Option`.
const WAYS_OUT: &[&[&str]] = &[
    &["bool", "::", "from"],
    &["unwrap_u8"],
    &["Option", "::", "from"],
    &["is_some", "(", ")", ".", "into"],
    &["is_none", "(", ")", ".", "into"],
    &["into_option"],
];

/// Where `unsafe` may stand; each argues why it is sound.
const UNSAFE: &[&str] = &["ct/barrier.rs", "backend/", "rng/fork.rs"];

const LINES: usize = 700;
const LINES_OF_ROOT: usize = 150;

/// What breaks a rule in these files.
fn breaches(files: &[File]) -> Vec<String> {
    // Modules under `#[cfg(test)]` have files of their own, too.
    let tests: Vec<String> = files.iter().flat_map(|(_, text)| source::tokens(text).1).collect();
    let is_test = |file: &str| tests.iter().any(|name| file.ends_with(&format!("/{name}.rs")));
    files.iter().filter(|(file, _)| !is_test(file)).flat_map(|(file, text)| breaches_of(file, text)).collect()
}

/// Every call of `declassify` outside of tests and comments, with its reason.
fn declassifications(files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in files.iter().filter(|(file, _)| *file != "ct.rs") {
        let code = text.split("\nmod tests {").next().unwrap_or_default();
        let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for call in code.join(" ").split("declassify(").skip(1) {
            // A definition has no reason; a call's stands before the statement ends.
            if let Some(reason) = call.split(';').next().and_then(|call| call.split('"').nth(1)) {
                found.push(format!("{file}: {reason}"));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_declassification_is_on_the_list() {
    let found = declassifications(&source::files()).join("\n");
    let listed = include_str!("declassify.txt").lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>();
    assert_eq!(found, listed.join("\n"), "tests/declassify.txt lists what becomes public and why; read the change");
}

fn breaches_of(file: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let lines = text.lines().count();
    if lines > LINES || file == "lib.rs" && lines >= LINES_OF_ROOT {
        found.push(format!("{file}: {lines} lines"));
    }
    let may_be_unsafe =
        UNSAFE.iter().any(|allowed| file == *allowed || allowed.ends_with('/') && file.starts_with(allowed));
    let (tokens, _) = source::tokens(text);
    let mut function = String::new();
    for statement in tokens.split(|token| matches!(&*token.text, ";" | "{" | "}")) {
        if let Some(named) = statement.windows(2).find(|pair| pair[0] == *"fn") {
            function = named[1].text.clone();
        }
        let is_door = file == "ct.rs"
            || file == "limb.rs" && function == "of_choice"
            || statement.iter().any(|token| *token == *"declassify");
        for i in 0..statement.len() {
            let token = &statement[i];
            if !is_door && is_way_out(&statement[i..]) {
                found.push(format!("{file}, line {}: {} without declassify", token.line, token.text));
            }
            if *token == *"unsafe" && !may_be_unsafe {
                found.push(format!("{file}, line {}: unsafe", token.line));
            }
            if token.text.starts_with("debug_assert") {
                found.push(format!("{file}, line {}: {}, which a release does not check", token.line, token.text));
            }
        }
    }
    found
}

fn is_way_out(tokens: &[Token]) -> bool {
    // `Option::<T>::from` is read as `Option::from`.
    let plain: Vec<Token> = match tokens {
        [head, colons, open, rest @ ..] if *colons == *"::" && *open == *"<" => {
            let close = rest.iter().position(|token| *token == *"::").map_or(0, |i| i + 1);
            [head, colons].into_iter().chain(&rest[close..]).take(6).cloned().collect()
        }
        _ => tokens.iter().take(6).cloned().collect(),
    };
    WAYS_OUT.iter().any(|way| starts_with(&plain, way))
}

#[test]
fn the_source_keeps_the_rules() {
    let found = breaches(&source::files());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_is_allowed_passes() {
    for (file, text) in [
        ("ct.rs", "fn f() { bool::from(x.unwrap_u8()) }"),
        ("limb.rs", "impl Mask { fn of_choice(choice: Choice) -> Mask { Mask::of_bit(choice.unwrap_u8()) } }"),
        ("nat/a.rs", "fn f() { if bool::from(declassify(x, \"reason; and {more}\")) { g() } }"),
        ("nat/a.rs", "fn f() {\n let x = ct::declassify(\n y.is_some(), \"why\",\n ).into();\n }"),
        ("nat/a.rs", "// bool::from(x) unsafe\nconst S: &str = \"unsafe debug_assert!\";"),
        ("nat/a.rs", "#[cfg(test)] mod tests { fn f() { bool::from(x); debug_assert!(y); } }"),
        ("lib.rs", "#![deny(unsafe_code)]"),
        ("backend/x86_64/adx.rs", "unsafe fn f() {}"),
        ("ct/barrier.rs", "fn f() { unsafe { g() } }"),
    ] {
        assert_eq!(breaches_of(file, text), [""; 0], "{text}");
    }
    assert!(breaches_of("nat/a.rs", &"\n".repeat(LINES)).is_empty());
    assert!(breaches_of("lib.rs", &"\n".repeat(LINES_OF_ROOT - 1)).is_empty());
}

#[test]
fn what_is_not_allowed_is_seen() {
    for (file, text) in [
        ("nat/a.rs", "fn f() { if bool::from(x) { g() } }"),
        ("nat/a.rs", "fn f() { let y = x.map(bool::from); }"),
        ("nat/a.rs", "fn f() { declassify(x, \"why\"); bool::from(y) }"),
        ("nat/a.rs", "fn f() { x.unwrap_u8() == 1 }"),
        ("nat/a.rs", "fn f() { Option::from(x) }"),
        ("nat/a.rs", "fn f() { Option::<Nat<S>>::from(x) }"),
        ("nat/a.rs", "fn f() { x.is_some().into() }"),
        ("nat/a.rs", "fn f() { x\n.is_some()\n.into() }"),
        ("nat/a.rs", "fn f() { x.into_option() }"),
        ("limb.rs", "fn of_choice() {} fn g() { x.unwrap_u8() }"),
        ("nat/a.rs", "fn f() { unsafe { g() } }"),
        ("rng/drbg.rs", "unsafe fn f() {}"),
        ("ct.rs", "unsafe fn f() {}"),
        ("nat/a.rs", "fn f() { debug_assert_eq!(x, y) }"),
    ] {
        assert_eq!(breaches_of(file, text).len(), 1, "{text}");
    }
    assert_eq!(breaches_of("nat/a.rs", &"\n".repeat(LINES + 1)).len(), 1);
    assert_eq!(breaches_of("lib.rs", &"\n".repeat(LINES_OF_ROOT)).len(), 1);
}
