//! The chart of the modular left shift: time against bits, a line for each shape.

use crate::chart::{Chart, Line, SIZES};
use crate::criterion;
use plotters::prelude::{RGBColor, SeriesLabelPosition};
use std::path::Path;

/// Name in the ids of the benches, words of the legend, colour; the slowest one first, as the lines lie.
const SHAPES: [(&str, &str, RGBColor); 3] = [
    ("lshift1", "(a) lshift1 for each bit, with temporaries", RGBColor(0xc2, 0x4e, 0x00)),
    ("doubling", "(b) a conditional subtraction for each bit", RGBColor(0x00, 0x62, 0xa3)),
    ("words", "(c) a quotient step for each word", RGBColor(0x00, 0x7a, 0x55)),
];

/// The chart of what criterion left in a folder.
pub fn chart(folder: &Path) -> Result<Chart, String> {
    let line = |(name, what, colour)| {
        let one = |bits| Ok((bits, criterion::shl_mod(folder, name, bits)?));
        let series = SIZES.into_iter().map(one).collect::<Result<_, String>>()?;
        Ok(Line { name, what, colour, series })
    };
    Ok(of(SHAPES.into_iter().map(line).collect::<Result<_, String>>()?))
}

fn of(lines: Vec<Line>) -> Chart {
    let (low, high) = decades(&lines);
    Chart {
        title: "The modular left shift, r·2^k mod m for a secret m",
        subtitle: "k = 64n + 64 bits, where n words of 64 bits hold m; plain Rust on one core; lower is faster".into(),
        x: "length of m (bits, log scale)",
        y: "time (log scale)",
        range: (low, high),
        marks: (0..12).map(|power| 10_f64.powi(power)).filter(|time| (low * 0.99..=high).contains(time)).collect(),
        text: duration,
        bar: None,
        legend: SeriesLabelPosition::UpperLeft,
        lines,
    }
}

/// Whole powers of ten around all times, a little wider for the points on the edge.
fn decades(lines: &[Line]) -> (f64, f64) {
    let times = || lines.iter().flat_map(|line| &line.series).map(|(_, time)| time.log10());
    let low = times().fold(f64::INFINITY, f64::min).floor();
    let high = times().fold(f64::NEG_INFINITY, f64::max).ceil();
    (10_f64.powf(low), 10_f64.powf(high) * 1.05)
}

/// Nanoseconds with two digits and a unit.
fn duration(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        ns if ns < 999.5 => (ns, "ns"),
        ns if ns < 999.5e3 => (ns / 1e3, "µs"),
        ns => (ns / 1e6, "ms"),
    };
    if value < 9.95 && value.fract() != 0.0 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        for (nanoseconds, text) in
            [(1.0, "1 ns"), (346.4, "346 ns"), (1569.0, "1.6 µs"), (14.9e3, "15 µs"), (2.07e6, "2.1 ms")]
        {
            assert_eq!(duration(nanoseconds), text);
        }
    }

    #[test]
    fn the_chart_names_every_shape_on_a_white_ground() {
        let series = vec![(256, 100.0), (4096, 2e6)];
        let lines = SHAPES.map(|(name, what, colour)| Line { name, what, colour, series: series.clone() });
        let svg = of(lines.to_vec()).svg().unwrap();
        for (name, what, _) in SHAPES {
            assert!(svg.contains(name) && svg.contains(what), "{name}");
        }
        assert!(svg.contains("#FFFFFF"));
    }

    #[test]
    fn a_series_holds_every_size_and_names_what_is_missing() {
        let folder = std::env::temp_dir().join(format!("plots-{}", std::process::id()));
        for (name, ..) in SHAPES {
            for bits in SIZES {
                let folder = folder.join(format!("shl_mod/{name}/{bits}_portable/new"));
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(folder.join("estimates.json"), criterion::tests::ESTIMATES).unwrap();
            }
        }
        let lines = chart(&folder).unwrap().lines;
        assert!(lines.iter().all(|line| line.series == SIZES.map(|bits| (bits, 1.5))));
        std::fs::remove_dir_all(folder.join("shl_mod/words/521_portable")).unwrap();
        let error = chart(&folder).err().unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(
            error.contains("shl_mod/words/521/portable") && error.contains("cargo bench --bench shl_mod"),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1);
    }
}
