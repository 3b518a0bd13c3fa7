//! What is printed: JSON for programs, tables for people.

use crate::floors::Floors;
use crate::timing::Ratio;
use std::fmt::Write;

/// One operation at one size.
pub struct Line {
    pub op: &'static str,
    pub bits: u32,
    /// Medians.
    pub ours_ns: f64,
    pub best_ns: f64,
    /// The fastest rival.
    pub best: &'static str,
    /// Ours over the fastest rival in the same round, median and interquartile range: a CPU that changes its pace
    /// changes it for both.
    pub ratio: Ratio,
    pub backend: &'static str,
    /// What the multiplier of this CPU takes for the products alone.
    pub floor_ns: Option<f64>,
    pub rivals: Vec<Rival>,
}

pub struct Rival {
    pub name: &'static str,
    pub ns: f64,
    /// Or only shown.
    pub counts: bool,
}

impl Line {
    pub fn json(&self) -> String {
        let Line { op, bits, ours_ns, best_ns, best, ratio, backend, .. } = self;
        let Ratio { median, interquartile_range: iqr, quiet } = ratio;
        let mut json = format!(
            r#"{{"op":"{op}","bits":{bits},"ours_ns":{ours_ns:.2},"best_ns":{best_ns:.2},"best":"{best}","ratio":{median:.4},"iqr":{iqr:.4},"backend":"{backend}","quiet":{quiet}"#
        );
        if let Some(floor) = self.floor_ns {
            write!(json, r#","floor_ns":{floor:.2}"#).expect("strings can be written");
        }
        json + "}"
    }
}

/// Lines of JSON for the floors, in operations per nanosecond.
pub fn floors_json(floors: &Floors) -> String {
    let line = |(name, rate): (&str, f64)| format!("{{\"floor\":\"{name}\",\"per_ns\":{rate:.3}}}\n");
    floors.rates().map(line).collect()
}

pub fn floors_text(floors: &Floors) -> String {
    let line = |(name, rate): (&str, f64)| format!("floor: {rate:.2} {name} a nanosecond\n");
    format!("\n{}", floors.rates().map(line).collect::<String>())
}

impl Ratio {
    /// With a mark where the machine was not quiet.
    fn text(&self) -> String {
        format!("{}{:.3}", if self.quiet { "" } else { "~" }, self.median)
    }
}

/// A table for each operation in the lines, in the order in which they come.
pub fn tables(lines: &[Line]) -> String {
    let mut ops: Vec<&str> = Vec::new();
    for line in lines {
        if !ops.contains(&line.op) {
            ops.push(line.op);
        }
    }
    ops.iter().map(|op| table(op, &lines.iter().filter(|line| line.op == *op).collect::<Vec<_>>())).collect()
}

fn table(op: &str, lines: &[&Line]) -> String {
    let rivals = &lines[0].rivals;
    let names: Vec<&str> = rivals.iter().map(|rival| rival.name).collect();
    let titles = rivals.iter().map(|rival| if rival.counts { rival.name.into() } else { format!("({})", rival.name) });
    let floors = lines.iter().any(|line| line.floor_ns.is_some());
    let last = ["ratio", "iqr", "best"].into_iter().chain(floors.then_some("floor"));
    let head: Vec<String> =
        ["bits", "ours"].into_iter().map(Into::into).chain(titles).chain(last.map(Into::into)).collect();
    let rows = lines.iter().map(|line| {
        let rivals = names.iter().map(|name| line.rivals.iter().find(|rival| rival.name == *name));
        let rivals = rivals.map(|rival| rival.map_or("-".into(), |rival| duration(rival.ns)));
        let ratio = [line.ratio.text(), format!("{:.3}", line.ratio.interquartile_range), line.best.to_owned()];
        let floor = floors.then(|| line.floor_ns.map_or("-".into(), duration));
        [line.bits.to_string(), duration(line.ours_ns)].into_iter().chain(rivals).chain(ratio).chain(floor).collect()
    });
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|i| rows.iter().map(|row| row[i].chars().count()).max().expect("there is a head"))
        .collect();
    let text = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
        format!("  {}\n", cells.collect::<Vec<_>>().join("  "))
    };
    format!("\n{op} ({})\n{}", lines[0].backend, rows.iter().map(text).collect::<String>())
}

/// Nanoseconds with three digits and a unit.
fn duration(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns < 999.5 => (ns, "ns"),
        ns if ns < 999.5e3 => (ns / 1e3, "µs"),
        ns => (ns / 1e6, "ms"),
    };
    let digits = match value {
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(op: &'static str, bits: u32) -> Line {
        Line {
            op,
            bits,
            ours_ns: 250.0,
            best_ns: 1000.0,
            best: "AWS-LC",
            ratio: Ratio { median: 0.25, interquartile_range: 0.0125, quiet: true },
            backend: "portable",
            floor_ns: None,
            rivals: vec![
                Rival { name: "GMP", ns: 900.0, counts: false },
                Rival { name: "AWS-LC", ns: 1000.0, counts: true },
            ],
        }
    }

    #[test]
    fn json_has_one_object_a_line() {
        let expected = r#"{"op":"setup/secret","bits":1024,"ours_ns":250.00,"best_ns":1000.00,"best":"AWS-LC","ratio":0.2500,"iqr":0.0125,"backend":"portable","quiet":true}"#;
        assert_eq!(line("setup/secret", 1024).json(), expected);
        let with_floor = Line { floor_ns: Some(7.0), ..line("pow", 256) };
        assert!(with_floor.json().ends_with(r#","floor_ns":7.00}"#));
    }

    #[test]
    fn each_operation_has_a_table_with_all_rivals() {
        let text = tables(&[line("pow", 256), line("pow_pair", 256), line("pow", 4096)]);
        let expected = "
pow (portable)
  bits    ours   (GMP)   AWS-LC  ratio    iqr    best
   256  250 ns  900 ns  1.00 µs  0.250  0.013  AWS-LC
  4096  250 ns  900 ns  1.00 µs  0.250  0.013  AWS-LC

pow_pair (portable)
";
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn durations_have_three_digits() {
        for (ns, text) in [(9.0, "9.00 ns"), (12.34, "12.3 ns"), (999.6, "1.00 µs"), (2.5e8, "250 ms")] {
            assert_eq!(duration(ns), text);
        }
    }
}
