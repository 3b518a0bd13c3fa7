//! The layers are strictly one way: a file uses only what stands before it in one order of all files.

mod source;

use source::{File, Token};
use std::collections::{BTreeMap, BTreeSet};

/// All modules that are files, each using only such as stand before it. A group's own file comes first, since it
/// defines the type that the others give methods. Names of files that do not exist yet do no harm.
const ORDER: &[&str] = &[
    "error",
    "ct",
    "ct::barrier",
    "limb",
    "limbs",
    "limbs::add",
    "limbs::rows",
    "limbs::cmp",
    "limbs::table",
    "limbs::shift",
    "limbs::mul",
    "limbs::modular",
    "limbs::shapes",
    "limbs::montgomery",
    "limbs::div",
    "limbs::gcd",
    "limbs::bytes",
    "backend::kernels",
    "backend::absent",
    "backend::x86_64",
    "backend::x86_64::adx",
    "backend::x86_64::adx::asm",
    "backend::x86_64::adx::asm::steps",
    "backend::x86_64::ifma",
    "backend::x86_64::ifma::digits",
    "backend::x86_64::ifma::vector",
    "backend::x86_64::ifma::amm",
    "backend::x86_64::ifma::layout",
    "backend::x86_64::ifma8",
    "backend::aarch64",
    "backend",
    "backend::form",
    "backend::lanes",
    "backend::power",
    "storage",
    "nat",
    "nat::encoding",
    "nat::compare",
    "nat::arithmetic",
    "nat::convert",
    "nat::public",
    "nat::modular",
    "nat::divide",
    "nat::shapes",
    "nat::random",
    "montgomery",
    "montgomery::modulus",
    "montgomery::residue",
    "montgomery::pow",
    "montgomery::invert",
    "number",
    "number::exponent",
    "number::gcd",
    "number::prime",
    "rng",
    "rng::fork",
    "rng::drbg",
    "rng::thread",
    "rsa",
    "rsa::public",
    "rsa::checks",
    "rsa::key",
    "rsa::encoding",
    "rsa::export",
    "rsa::private",
    "rsa::generate",
    "rsa::blinding",
    "rsa::padding",
    "rsa::padding::pkcs1v15",
    "rsa::padding::pss",
    "rsa::padding::oaep",
    // The root may use all of them.
    "",
];

/// The module of a file: `nat/mod.rs` is `nat`, `ct/barrier.rs` is `ct::barrier`, `lib.rs` is the empty name.
fn module_of(file: &str) -> String {
    let name = file.strip_suffix(".rs").unwrap();
    let name = name.strip_suffix("/mod").unwrap_or(name);
    if name == "lib" { String::new() } else { name.replace('/', "::") }
}

fn child(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_string() } else { format!("{module}::{name}") }
}

/// One path as it is written, with the name that a `use` gives it.
struct Written {
    segments: Vec<String>,
    name: String,
    line: usize,
}

/// The paths of a tree that begins at `i`, `a::{b, c::{d, e}}` as three; behind the tree.
fn expand(tokens: &[Token], mut i: usize, prefix: &[String], found: &mut Vec<Written>) -> usize {
    let mut segments = prefix.to_vec();
    let line = tokens[i].line;
    while let Some(token) = tokens.get(i) {
        if *token == *"{" {
            i += 1;
            while i < tokens.len() && tokens[i] != *"}" {
                if tokens[i] == *"," {
                    i += 1;
                } else {
                    let next = expand(tokens, i, &segments, found);
                    // A block behind a path is not a tree; what is no path is passed over.
                    i = next.max(i + 1);
                }
            }
            return i + 1;
        }
        if !token.text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '*') {
            break;
        }
        segments.push(token.text.clone());
        i += 1;
        if tokens.get(i).is_none_or(|token| *token != *"::") {
            break;
        }
        i += 1;
    }
    let mut name = segments.last().cloned().unwrap_or_default();
    if name == "self" {
        segments.pop();
        name = segments.last().cloned().unwrap_or_default();
    }
    if tokens.get(i).is_some_and(|token| *token == *"as") && tokens.get(i + 1).is_some() {
        name = tokens[i + 1].text.clone();
        i += 2;
    }
    found.push(Written { segments, name, line });
    i
}

struct Tree {
    /// Tokens by module.
    modules: BTreeMap<String, Vec<Token>>,
    /// (module, name that it passes on from a child) to the path there.
    passed_on: BTreeMap<(String, String), Vec<String>>,
}

impl Tree {
    fn new(files: &[File]) -> Tree {
        let mut modules = BTreeMap::new();
        let mut only_tests = BTreeSet::new();
        for (file, text) in files {
            let module = module_of(file);
            let (tokens, test_modules) = source::tokens(text);
            only_tests.extend(test_modules.iter().map(|name| child(&module, name)));
            modules.insert(module, tokens);
        }
        modules.retain(|module, _| !only_tests.contains(module));
        let mut tree = Tree { modules, passed_on: BTreeMap::new() };
        tree.passed_on =
            tree.modules.iter().flat_map(|(module, tokens)| tree.uses_of_children(module, tokens)).collect();
        tree
    }

    fn uses_of_children(&self, module: &str, tokens: &[Token]) -> Vec<((String, String), Vec<String>)> {
        let mut found = Vec::new();
        for i in (0..tokens.len().saturating_sub(1)).filter(|i| tokens[*i] == *"use") {
            expand(tokens, i + 1, &[], &mut found);
        }
        found.retain(|path| self.modules.contains_key(&child(module, &path.segments[0])));
        let absolute = |path: &Written| {
            module.split("::").filter(|s| !s.is_empty()).map(String::from).chain(path.segments.clone()).collect()
        };
        found.iter().map(|path| ((module.to_string(), path.name.clone()), absolute(path))).collect()
    }

    /// The file in which an absolute path ends.
    fn resolve(&self, path: &[String]) -> String {
        let mut module = String::new();
        for (i, segment) in path.iter().enumerate() {
            let next = child(&module, segment);
            if self.modules.contains_key(&next) {
                module = next;
            } else if let Some(there) = self.passed_on.get(&(module.clone(), segment.clone())) {
                let rest = there.iter().chain(&path[i + 1..]).cloned().collect::<Vec<_>>();
                return self.resolve(&rest);
            } else {
                break;
            }
        }
        module
    }

    /// Every path of a module from the root or upwards, as (file in which it ends, line).
    fn paths(&self, module: &str) -> Vec<(String, usize)> {
        let tokens = &self.modules[module];
        let mut found = Vec::new();
        // Modules within the file, with the depth of braces at which they stand.
        let mut inline: Vec<(String, usize)> = Vec::new();
        let mut depth = 0_usize;
        let mut i = 0;
        while i < tokens.len() {
            let rest = &tokens[i..];
            match tokens[i].text.as_str() {
                "mod" if rest.get(2).is_some_and(|token| *token == *"{") => {
                    inline.push((rest[1].text.clone(), depth));
                }
                "{" => depth += 1,
                "}" => {
                    depth = depth.saturating_sub(1);
                    inline.retain(|(_, outer)| *outer < depth);
                }
                "crate" | "super" if rest.get(1).is_some_and(|token| *token == *"::") => {
                    let own = module.split("::").filter(|segment| !segment.is_empty()).map(String::from);
                    let mut base: Vec<String> = own.chain(inline.iter().map(|(name, _)| name.clone())).collect();
                    if tokens[i] == *"crate" {
                        base.clear();
                        i += 2;
                    }
                    while tokens[i] == *"super" && tokens.get(i + 1).is_some_and(|token| *token == *"::") {
                        base.pop();
                        i += 2;
                    }
                    let mut written = Vec::new();
                    // Not moved behind the tree: its braces must be counted, and it holds no further beginnings.
                    expand(tokens, i, &base, &mut written);
                    found.extend(written.iter().map(|path| (self.resolve(&path.segments), path.line)));
                    continue;
                }
                _ => {}
            }
            i += 1;
        }
        found
    }
}

/// What is wrong with the layers of these files.
fn arrows_back(files: &[File], order: &[&str]) -> Vec<String> {
    let tree = Tree::new(files);
    let rank = |module: &str| order.iter().position(|listed| *listed == module);
    let mut wrong = Vec::new();
    for module in tree.modules.keys() {
        let Some(own) = rank(module) else {
            wrong.push(format!("{module} has no place in the order of tests/layers.rs"));
            continue;
        };
        for (target, line) in tree.paths(module) {
            if target != *module && rank(&target).is_none_or(|rank| rank >= own) {
                let target = if target.is_empty() { "the root".into() } else { target };
                wrong.push(format!("{module}, line {line}: uses {target}, which does not stand before it"));
            }
        }
    }
    wrong
}

#[test]
fn no_file_uses_what_stands_behind_it() {
    let wrong = arrows_back(&source::files(), ORDER);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The reader reads something.
    let tree = Tree::new(&source::files());
    assert!(tree.modules.keys().map(|module| tree.paths(module).len()).sum::<usize>() > 100);
}

#[test]
fn the_order_names_each_file_once() {
    let distinct: BTreeSet<_> = ORDER.iter().collect();
    assert_eq!(distinct.len(), ORDER.len());
}

/// What the checker says of a middle file with this text, between `low` and `nat` on one side, `high` on the other.
fn verdict(middle: &str) -> Vec<String> {
    let files = [
        ("lib.rs", "mod high; mod low; mod nat; pub use high::Thing; pub use low::Other as Renamed;"),
        ("low.rs", "pub struct Other;"),
        ("nat/mod.rs", "mod early; mod middle; mod late; pub use early::E; pub use {late::{L, self as lately}};"),
        ("nat/early.rs", "pub struct E;"),
        ("nat/middle.rs", middle),
        ("nat/late.rs", "pub struct L;"),
        ("high/mod.rs", "#[cfg(test)] mod testing; pub struct Thing;"),
        ("high/testing.rs", "use crate::nowhere::At;"),
    ];
    let files: Vec<File> = files.iter().map(|(file, text)| (file.to_string(), text.to_string())).collect();
    arrows_back(&files, &["low", "nat", "nat::early", "nat::middle", "nat::late", "high", ""])
}

#[test]
fn arrows_forward_pass() {
    for text in [
        "use crate::low::Other; use crate::{low::{self, Other}, nat::{early::E, N}}; use super::early::E;",
        "use crate::Renamed; use super::E; use crate::nat::E;",
        "use super::{E, early}; fn f() -> crate::low::Other { if crate::low::X { super::early::y() } }",
        "// use crate::high::Thing;\n/* crate::high /* nested */ crate::high */ /// [`Thing`](crate::high::Thing)",
        "const S: &str = \"crate::high::Thing\"; const R: &str = r#\"\"crate::high\"\"#; const C: char = '\"';",
        "#[cfg(test)] mod tests { use super::*; use crate::high::Thing; } use crate::low::Other;",
        "#[cfg(all(test, feature = \"alloc\"))] #[allow(x)] mod tests { use crate::high::Thing; }",
        "mod inner { use super::Mine; use super::super::early::E; } pub(crate) struct Mine; fn f<'a>(x: &'a u8) {}",
        "fn f() { let x = 'x'; let y = '\\''; let z = b\"\\\"\"; }",
    ] {
        assert_eq!(verdict(text), [""; 0], "{text}");
    }
}

#[test]
fn arrows_back_are_seen() {
    for text in [
        "use crate::high::Thing;",
        "use crate::high;",
        "use crate::{low::Other, high::Thing};",
        "use {core::fmt, crate::high::Thing};",
        "use crate::{low::{Other, self}, nat::{early::E, late::{L}}};",
        "use super::late::L;",
        "use super::{early::E, late::L};",
        "use super::super::high::Thing;",
        "fn f() -> crate::high::Thing { loop {} }",
        "fn f() { crate::high::f(\"x\") }",
        "fn f() { match x { crate::low::Y => super::late::g(), _ => {} } }",
        // Through what others pass on.
        "use crate::Thing;",
        "use super::L;",
        "use crate::nat::L;",
        "use crate::nat::lately::L;",
        // What only the root has.
        "use crate::Nobody;",
        // Out of a module within the file, and behind one.
        "mod inner { use super::super::late::L; }",
        "mod inner { fn f() {} } use super::late::L;",
        "mod inner { mod more { use super::super::super::late::L; } }",
        // Behind tests, literals and comments.
        "#[cfg(test)] mod tests { fn f() {} } use crate::high::Thing;",
        "#[cfg(test)] use crate::low::Other; use crate::high::Thing;",
        "#[cfg(not(test))] use crate::high::Thing;",
        "const S: &str = \"\\\\\"; use crate::high::Thing;",
        "const S: &str = r\"\\\"; use crate::high::Thing;",
        "const C: char = '\\''; use crate::high::Thing; const D: char = '\"';",
        "fn f<'a>(x: &'a u8) { crate::high::g('b') }",
        "/* */ use crate::high::Thing; // */",
        "macro_rules! m { () => { $crate::high::f() } }",
    ] {
        assert_eq!(verdict(text).len(), 1, "{text}: {:?}", verdict(text));
    }
}

#[test]
fn a_file_without_a_place_is_seen() {
    let files = [("lib.rs".to_string(), "mod other;".to_string()), ("other.rs".to_string(), String::new())];
    assert_eq!(arrows_back(&files, &[""]).len(), 1);
}
