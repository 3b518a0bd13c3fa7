//! Reads this crate's own source for the tests that hold its rules.
#![allow(dead_code)] // each of them uses a part

use std::fs;
use std::path::{Path, PathBuf};

/// A file: its path below `src`, with `/`, and its text.
pub type File = (String, String);

/// A word, a `::` or a single sign, with its line. Comments and literals are gone.
#[derive(Clone, Debug)]
pub struct Token {
    pub text: String,
    pub line: usize,
}

impl PartialEq<str> for Token {
    fn eq(&self, text: &str) -> bool {
        self.text == text
    }
}

/// Every `.rs` file below `src`.
pub fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let (inner, files): (Vec<PathBuf>, _) = entries.partition(|path| path.is_dir());
        folders.extend(inner);
        for path in files.into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "rs")) {
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            found.push((name, fs::read_to_string(path).unwrap()));
        }
    }
    found.sort();
    found
}

/// The tokens of a file without its items under `#[cfg(test)]`, and the names of modules among those.
pub fn tokens(text: &str) -> (Vec<Token>, Vec<String>) {
    let all = tokenize(text);
    let (mut kept, mut test_modules) = (Vec::new(), Vec::new());
    let mut i = 0;
    while i < all.len() {
        if is_test_attribute(&all[i..]) {
            let end = item_end(&all, i);
            let module = all[i..end].windows(2).find(|pair| pair[0] == *"mod");
            test_modules.extend(module.map(|pair| pair[1].text.clone()));
            i = end;
        } else {
            kept.push(all[i].clone());
            i += 1;
        }
    }
    (kept, test_modules)
}

/// `#[cfg(test)]` and `#[cfg(all(test, …))]`.
fn is_test_attribute(tokens: &[Token]) -> bool {
    starts_with(tokens, &["#", "[", "cfg", "(", "test", ")", "]"])
        || starts_with(tokens, &["#", "[", "cfg", "(", "all", "(", "test", ","])
}

pub fn starts_with(tokens: &[Token], texts: &[&str]) -> bool {
    tokens.len() >= texts.len() && tokens.iter().zip(texts).all(|(token, text)| token == *text)
}

/// Behind the item at `i`, its attributes included: after its first `;` outside brackets, or its `{…}`.
fn item_end(tokens: &[Token], mut i: usize) -> usize {
    while i < tokens.len() && tokens[i] == *"#" {
        i = group_end(tokens, i + 1);
    }
    while i < tokens.len() {
        match tokens[i].text.as_str() {
            ";" => return i + 1,
            "{" => return group_end(tokens, i),
            "(" | "[" => i = group_end(tokens, i),
            _ => i += 1,
        }
    }
    i
}

/// Behind the bracket that closes the one at `i`.
fn group_end(tokens: &[Token], mut i: usize) -> usize {
    let mut depth = 0_usize;
    while i < tokens.len() {
        match tokens[i].text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        i += 1;
        if depth == 0 {
            break;
        }
    }
    i
}

fn tokenize(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let (mut i, mut line) = (0, 1);
    while i < chars.len() {
        let start = i;
        let mut token = None;
        match at(i) {
            '/' if at(i + 1) == '/' => i += chars[i..].iter().take_while(|c| **c != '\n').count(),
            '/' if at(i + 1) == '*' => i = comment_end(&chars, i),
            '"' => i = string_end(&chars, i),
            '\'' if at(i + 1) == '\\' => {
                i += 3;
                i += chars[i..].iter().take_while(|c| **c != '\'').count() + 1;
            }
            '\'' if at(i + 2) == '\'' => i += 3,
            c if is_word(c) => {
                i += chars[i..].iter().take_while(|c| is_word(**c)).count();
                let word: String = chars[start..i].iter().collect();
                let hashes = chars[i..].iter().take_while(|c| **c == '#').count();
                if matches!(&*word, "r" | "br" | "cr") && at(i + hashes) == '"' {
                    i = raw_string_end(&chars, i, hashes);
                } else {
                    token = Some(word);
                }
            }
            ':' if at(i + 1) == ':' => {
                i += 2;
                token = Some("::".into());
            }
            c => {
                i += 1;
                token = (!c.is_whitespace()).then(|| c.into());
            }
        }
        tokens.extend(token.map(|text| Token { text, line }));
        line += chars[start..i.min(chars.len())].iter().filter(|c| **c == '\n').count();
    }
    tokens
}

fn comment_end(chars: &[char], mut i: usize) -> usize {
    let mut depth = 0;
    while i < chars.len() {
        match chars[i..] {
            ['/', '*', ..] => depth += 1,
            ['*', '/', ..] => depth -= 1,
            _ => {
                i += 1;
                continue;
            }
        }
        i += 2;
        if depth == 0 {
            break;
        }
    }
    i
}

fn string_end(chars: &[char], mut i: usize) -> usize {
    i += 1;
    while i < chars.len() && chars[i] != '"' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

fn raw_string_end(chars: &[char], i: usize, hashes: usize) -> usize {
    let close: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
    let body = i + hashes + 1;
    let length = chars[body..].windows(close.len()).position(|part| part == close);
    body + length.map_or(chars.len() - body, |length| length + close.len())
}
