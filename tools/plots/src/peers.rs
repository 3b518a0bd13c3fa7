//! The chart of the ratios to the best rival, from what `peers --json` prints.

use crate::chart::{Chart, Line};
use plotters::prelude::{RGBColor, SeriesLabelPosition};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Operation, words of the legend, colour.
const OPS: [(&str, &str, RGBColor); 5] = [
    ("setup/secret", "context of a secret modulus", RGBColor(0x00, 0x7a, 0x55)),
    ("mont_mul", "one product, radix 2^64", RGBColor(0x8a, 0x5a, 0x00)),
    ("pow", "exponentiation, secret exponent", RGBColor(0x00, 0x62, 0xa3)),
    ("pow_pair", "one of two exponentiations at once", RGBColor(0x7a, 0x3d, 0xb8)),
    ("rsa_private", "RSA private operation, checked", RGBColor(0xc2, 0x4e, 0x00)),
];

/// Ratios with a label, as far as the lines reach.
const MARKS: [f64; 13] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0];
/// What stays free above and below the lines.
const MARGIN: f64 = 1.15;
/// The part of the height that the lines have; the legend lies below them.
const LINES: f64 = 0.66;

/// The chart of such lines; where an operation stands twice at one size, the later one counts.
pub fn chart(json: &str) -> Result<Chart, String> {
    let mut ratios: BTreeMap<String, BTreeMap<u32, f64>> = BTreeMap::new();
    let mut backends = BTreeSet::new();
    for (number, line) in json.lines().enumerate() {
        let value: Value = serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))?;
        // The floors stand on lines of their own, without an operation.
        let Some(op) = value.get("op").and_then(Value::as_str) else { continue };
        let (bits, ratio, backend) =
            measurement(&value).ok_or_else(|| format!("line {}: no bits, ratio and backend", number + 1))?;
        if OPS.iter().any(|(name, ..)| *name == op) {
            ratios.entry(op.to_owned()).or_default().insert(bits, ratio);
            backends.insert(backend);
        }
    }
    let line = |(name, what, colour)| {
        let series = ratios.remove(name).map(Vec::from_iter).ok_or_else(|| {
            format!("no line for {name}; make it with: cargo run --release -p peers -- setup mul pow rsa --json")
        })?;
        Ok(Line { name, what, colour, series })
    };
    let lines = OPS.into_iter().map(line).collect::<Result<Vec<_>, String>>()?;
    Ok(of(lines, &Vec::from_iter(backends).join(" and ")))
}

fn measurement(value: &Value) -> Option<(u32, f64, String)> {
    let bits = u32::try_from(value.get("bits")?.as_u64()?).ok()?;
    let ratio = value.get("ratio")?.as_f64().filter(|ratio| *ratio > 0.0)?;
    Some((bits, ratio, value.get("backend")?.as_str()?.to_owned()))
}

fn of(lines: Vec<Line>, backends: &str) -> Chart {
    let ratios = || lines.iter().flat_map(|line| &line.series).map(|(_, ratio)| *ratio);
    let (low, high) = (ratios().fold(1.0, f64::min) / MARGIN, ratios().fold(1.0, f64::max) * MARGIN);
    let low_with_legend = high / (high / low).powf(1.0 / LINES);
    Chart {
        title: "Our time over that of the fastest rival",
        subtitle: format!(
            "AWS-LC, OpenSSL, GMP, crypto-bigint, rsa, ring, num-bigint; backend {backends}; lower is faster"
        ),
        x: "length of the modulus, or of n (bits, log scale)",
        y: "ratio (log scale)",
        range: (low_with_legend, high),
        marks: MARKS.into_iter().filter(|mark| (low..=high).contains(mark)).collect(),
        text: ratio,
        bar: Some((1.0, "1.0: the fastest rival")),
        legend: SeriesLabelPosition::LowerLeft,
        lines,
    }
}

/// With two digits.
fn ratio(ratio: f64) -> String {
    if ratio < 0.0995 { format!("{ratio:.3}") } else { format!("{ratio:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::SIZES;

    /// What peers prints, with a floor and an operation that is not in the chart.
    fn json() -> String {
        let line = |op: &str, bits: u32, ratio: f64| {
            format!(
                r#"{{"op":"{op}","bits":{bits},"ours_ns":1,"best_ns":2,"best":"GMP","ratio":{ratio},"iqr":0.01,"backend":"ifma"}}"#
            )
        };
        let mut lines = vec![r#"{"floor":"mulx","per_ns":2.9}"#.to_owned(), line("rsa_load", 2048, 0.001)];
        for (i, (op, ..)) in OPS.iter().enumerate() {
            lines.extend(SIZES.map(|bits| line(op, bits, 0.3 * (i + 1) as f64)));
        }
        lines.join("\n")
    }

    #[test]
    fn the_chart_has_all_operations_and_the_line_at_one() {
        let chart = chart(&json()).unwrap();
        assert!(chart.lines.iter().all(|line| line.series.iter().map(|(bits, _)| *bits).eq(SIZES)));
        assert_eq!(chart.lines[1].series[3], (521, 0.6));
        let (low, high) = chart.range;
        assert!(low < 0.3 && high > 1.5 && chart.marks.contains(&0.3) && !chart.marks.contains(&0.2), "{low} {high}");
        let svg = chart.svg().unwrap();
        for (name, what, _) in OPS {
            assert!(svg.contains(name) && svg.contains(what), "{name}");
        }
        assert!(svg.contains("1.0: the fastest rival") && svg.contains("backend ifma"));
    }

    #[test]
    fn the_line_at_one_is_there_when_everything_is_faster() {
        let chart =
            chart(&json().replace(r#""ratio":0.9"#, r#""ratio":0.4"#).replace(r#""ratio":1."#, r#""ratio":0."#));
        assert!(chart.unwrap().range.1 > 1.0);
    }

    #[test]
    fn the_later_result_counts() {
        let json = format!("{}\n{}", json(), r#"{"op":"pow","bits":1024,"ratio":0.75,"backend":"adx"}"#);
        let chart = chart(&json).unwrap();
        assert_eq!(chart.lines[2].series[4], (1024, 0.75));
        assert!(chart.subtitle.contains("backend adx and ifma"), "{}", chart.subtitle);
    }

    #[test]
    fn what_is_missing_is_named() {
        let without = |op: &str| json().lines().filter(|line| !line.contains(op)).collect::<Vec<_>>().join("\n");
        let error = chart(&without("rsa_private")).err().unwrap();
        assert!(error.contains("no line for rsa_private") && error.contains("-p peers"), "{error}");
        for (line, error) in
            [("{", "line 1: "), (r#"{"op":"pow","bits":1,"ratio":0,"backend":"x"}"#, "line 1: no bits")]
        {
            assert!(chart(line).err().unwrap().starts_with(error), "{line}");
        }
    }
}
