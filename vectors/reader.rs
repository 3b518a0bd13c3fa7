//! The reader of the test vectors in this folder: plain `std`, no dependencies.
//!
//! A test includes it by its path:
//!
//! ```text
//! #[path = "../vectors/reader.rs"]
//! mod reader;
//! ```
//!
//! A file is made of lines. A line that begins with `#` is a comment. A record is a run of `key = value` lines, and
//! blank lines separate records. Every record has an `id` and an `op`; which other keys it has depends on `op` and is
//! listed in `README.md`. Numbers are lowercase hexadecimal without a prefix, counts are decimal.
//!
//! The reader is strict: whatever does not fit stops the test with the line's number, so that a damaged file cannot
//! pass for a short one.

/// One record: its keys and values in the order of the file.
#[derive(Clone, Debug)]
#[allow(dead_code, reason = "A test that includes this file uses the parts that it needs.")]
pub struct Record {
    line: usize,
    entries: Vec<(String, String)>,
}

#[allow(dead_code, reason = "A test that includes this file uses the accessors that it needs.")]
impl Record {
    /// The value of `key`.
    ///
    /// # Panics
    /// When the record has no such key; the message names the record and the key.
    #[track_caller]
    pub fn get(&self, key: &str) -> &str {
        match self.opt(key) {
            Some(value) => value,
            None => panic!("record {} has no `{key}`", self.name()),
        }
    }

    /// The value of `key`, or `None` where the record has no such key.
    pub fn opt(&self, key: &str) -> Option<&str> {
        let entry = self.entries.iter().find(|(name, _)| name == key)?;
        Some(&entry.1)
    }

    /// The number under `key`, big-endian. Hexadecimal of odd length reads as if a zero digit stood in front, so the
    /// result has `digits.div_ceil(2)` bytes; leading zero digits are kept.
    ///
    /// # Panics
    /// When the key is missing or its value is not lowercase hexadecimal.
    #[track_caller]
    pub fn hex(&self, key: &str) -> Vec<u8> {
        let digits = self.get(key).as_bytes();
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            _ => panic!("record {}: `{key}` is not lowercase hex", self.name()),
        };
        let (head, pairs) = digits.split_at(digits.len() % 2);
        let mut bytes: Vec<u8> = head.iter().map(|&byte| digit(byte)).collect();
        bytes.extend(pairs.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])));
        bytes
    }

    /// The decimal count under `key`.
    ///
    /// # Panics
    /// When the key is missing or its value is not a decimal number below 2^64.
    #[track_caller]
    pub fn number(&self, key: &str) -> u64 {
        let value = self.get(key);
        let plain = value.bytes().all(|byte| byte.is_ascii_digit());
        match value.parse() {
            Ok(number) if plain => number,
            _ => panic!("record {}: `{key}` is not a decimal number", self.name()),
        }
    }

    /// The keys of the record, in the order of the file.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(name, _)| name.as_str())
    }

    /// The number of the record's first line in its file, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// How messages name the record: its id where it has one, and its first line.
    fn name(&self) -> String {
        let id = self.opt("id").unwrap_or("without id");
        format!("`{id}` (line {})", self.line)
    }
}

/// All records of `text`, the contents of one file.
///
/// # Panics
/// With the line's number, when a line is none of comment, blank line and `key = value`; when a key stands twice in a
/// record; when a record has no `id` or no `op`; when an id stands twice in the file. A file without any record panics
/// too.
#[track_caller]
#[allow(dead_code, reason = "The way in: unused only where a test includes this file for its own tests.")]
pub fn records(text: &str) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if line.starts_with('#') {
            continue;
        }
        if line.is_empty() {
            inside = false;
            continue;
        }
        let Some((key, value)) = split(line) else {
            panic!("line {number}: not a `key = value` line: {line:?}");
        };
        if !inside {
            records.push(Record { line: number, entries: Vec::new() });
            inside = true;
        }
        let record = records.last_mut().expect("a record was opened above");
        if record.opt(key).is_some() {
            panic!("line {number}: `{key}` stands twice in record {}", record.name());
        }
        record.entries.push((key.to_owned(), value.to_owned()));
    }
    assert!(!records.is_empty(), "no record in the file");
    let mut ids = std::collections::HashSet::new();
    for record in &records {
        let (id, _) = (record.get("id"), record.get("op"));
        assert!(ids.insert(id), "line {}: the id `{id}` stands twice", record.line);
    }
    records
}

/// The two sides of a `key = value` line; `None` when the line has another shape.
fn split(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(" = ")?;
    let first = key.bytes().next()?;
    let named = key.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    let sound = named && first.is_ascii_lowercase() && !value.is_empty() && value.trim() == value;
    sound.then_some((key, value))
}

#[cfg(test)]
mod tests {
    use super::{Record, records};

    const SAMPLE: &str = "# head\n\nid = one\nop = mul\na = 0ff\nb = 00\nk = 65\n\n\n# between\nid = two\nop = mod\n";

    fn refusal(text: &str) -> String {
        let text = text.to_owned();
        let caught = std::panic::catch_unwind(move || records(&text)).expect_err("must be refused");
        message(caught)
    }

    fn message(caught: Box<dyn std::any::Any + Send>) -> String {
        match caught.downcast::<String>() {
            Ok(text) => *text,
            Err(other) => (*other.downcast::<&str>().expect("a message")).to_owned(),
        }
    }

    fn sample() -> Vec<Record> {
        records(SAMPLE)
    }

    #[test]
    fn reads_records_and_values() {
        let all = sample();
        assert_eq!(all.len(), 2);
        assert_eq!((all[0].line(), all[1].line()), (3, 11));
        assert_eq!(all[0].keys().collect::<Vec<_>>(), ["id", "op", "a", "b", "k"]);
        assert_eq!(all[0].hex("a"), [0x00, 0xff]);
        assert_eq!(all[0].hex("b"), [0x00]);
        assert_eq!(all[0].number("k"), 65);
        assert_eq!(all[1].get("op"), "mod");
        assert_eq!(all[1].opt("a"), None);
    }

    #[test]
    fn carriage_returns_are_not_data() {
        let all = records(&SAMPLE.replace('\n', "\r\n"));
        assert_eq!(all[0].get("a"), "0ff");
    }

    #[test]
    fn a_malformed_line_is_named() {
        for line in ["mul", "a=1", "a = ", "a =  1", "A = 1", " a = 1", "a = 1 ", "= 1", "1a = 1"] {
            let told = refusal(&format!("# head\nid = one\nop = mul\n{line}\n"));
            assert!(told.starts_with("line 4: "), "{line:?}: {told}");
        }
    }

    #[test]
    fn doubles_and_gaps_are_refused() {
        assert!(refusal("id = a\nop = b\nop = b\n").starts_with("line 3: `op` stands twice"));
        assert!(refusal("id = a\nop = b\n\nid = a\nop = b\n").starts_with("line 4: the id"));
        assert!(refusal("op = b\n").contains("no `id`"));
        assert!(refusal("id = a\n").contains("no `op`"));
        assert!(refusal("# nothing\n").contains("no record"));
    }

    #[test]
    fn accessors_name_the_record_and_the_key() {
        let caught = |call: fn(&Record)| {
            let record = sample().remove(0);
            let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| call(&record)));
            message(ran.expect_err("must panic"))
        };
        assert_eq!(caught(|r| drop(r.hex("m"))), "record `one` (line 3) has no `m`");
        assert_eq!(caught(|r| drop(r.hex("id"))), "record `one` (line 3): `id` is not lowercase hex");
        assert_eq!(caught(|r| _ = r.number("a")), "record `one` (line 3): `a` is not a decimal number");
    }
}
