//! Time against bits on logarithmic axes, a line for each shape.

use crate::results::Series;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A shape of the modular left shift, as the chart shows it.
#[derive(Clone, Copy)]
pub struct Shape {
    /// In the ids of the benches.
    pub name: &'static str,
    /// In the legend.
    what: &'static str,
    colour: RGBColor,
}

/// The slowest one first, as the lines lie.
pub const SHAPES: [Shape; 3] = [
    Shape { name: "lshift1", what: "(a) lshift1 for each bit, with temporaries", colour: RGBColor(0xc2, 0x4e, 0x00) },
    Shape { name: "doubling", what: "(b) a conditional subtraction for each bit", colour: RGBColor(0x00, 0x62, 0xa3) },
    Shape { name: "words", what: "(c) a quotient step for each word", colour: RGBColor(0x00, 0x7a, 0x55) },
];

const SIZE: (u32, u32) = (800, 500);
const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
const GRID: RGBColor = RGBColor(0xd8, 0xd8, 0xd8);
/// Pixels from one label beside the lines to the next.
const LABEL_HEIGHT: i32 = 20;
/// Bits with a label; 521 would stand on the label of 512.
const LABELLED: [f64; 8] = [256.0, 384.0, 512.0, 1024.0, 1536.0, 2048.0, 3072.0, 4096.0];

/// The chart of these shapes.
pub fn svg(shapes: &[(Shape, Series)]) -> Result<String, String> {
    let mut svg = String::new();
    draw(&mut svg, shapes).map_err(|error| format!("the chart: {error}"))?;
    Ok(svg)
}

fn draw(svg: &mut String, shapes: &[(Shape, Series)]) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    // A page in dark mode must not shine through.
    root.fill(&WHITE)?;
    let text = |size: u32| (FONT, size).into_font().color(&INK);
    root.draw(&Text::new("The modular left shift, r·2^k mod m for a secret m", (20, 14), text(22)))?;
    root.draw(&Text::new(
        "k = 64n + 64 bits, where n words of 64 bits hold m; plain Rust on one core; lower is faster",
        (20, 43),
        text(16),
    ))?;

    let (low, high) = decades(shapes);
    let mut chart = ChartBuilder::on(&root)
        .margin_top(74)
        .margin_right(160)
        .margin_left(10)
        .margin_bottom(10)
        .x_label_area_size(48)
        .y_label_area_size(80)
        .build_cartesian_2d(
            (235.0..4460.0).log_scale().with_key_points(LABELLED.to_vec()),
            (low..high).log_scale().with_key_points(powers_of_ten(low, high)),
        )?;
    chart
        .configure_mesh()
        .max_light_lines(0)
        .bold_line_style(GRID)
        .axis_style(INK)
        .label_style(text(16))
        .axis_desc_style(text(16))
        .x_desc("length of m (bits, log scale)")
        .y_desc("time (log scale)")
        .x_label_formatter(&|bits| format!("{bits}"))
        .y_label_formatter(&|time| duration(*time))
        .draw()?;
    let mut lowest_label = 0;
    for (shape, series) in shapes {
        let colour = shape.colour;
        let points = || series.iter().map(|(bits, time)| (f64::from(*bits), *time));
        chart
            .draw_series(LineSeries::new(points(), colour.stroke_width(2)))?
            .label(shape.what)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], colour.stroke_width(3)));
        chart.draw_series(points().map(|point| Circle::new(point, 3, colour.filled())))?;
        if let Some(last) = points().next_back() {
            let (x, y) = chart.backend_coord(&last);
            // Lines that end close together leave their labels room, downwards as they come.
            let y = y.max(lowest_label + LABEL_HEIGHT);
            lowest_label = y;
            let beside = (FONT, 17).into_font().color(&colour).pos(Pos::new(HPos::Left, VPos::Center));
            root.draw(&Text::new(format!("{} {}", shape.name, duration(last.1)), (x + 26, y), beside))?;
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .margin(12)
        .legend_area_size(30)
        .background_style(WHITE)
        .border_style(GRID)
        .label_font(text(16))
        .draw()?;
    root.present()?;
    Ok(())
}

/// Whole powers of ten around all times, a little wider for the points on the edge.
fn decades(shapes: &[(Shape, Series)]) -> (f64, f64) {
    let times = || shapes.iter().flat_map(|(_, series)| series).map(|(_, time)| time.log10());
    let low = times().fold(f64::INFINITY, f64::min).floor();
    let high = times().fold(f64::NEG_INFINITY, f64::max).ceil();
    (10_f64.powf(low), 10_f64.powf(high) * 1.05)
}

fn powers_of_ten(low: f64, high: f64) -> Vec<f64> {
    (0..12).map(|power| 10_f64.powi(power)).filter(|time| (low * 0.99..=high).contains(time)).collect()
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
        let svg = svg(&SHAPES.map(|shape| (shape, series.clone()))).unwrap();
        for shape in SHAPES {
            assert!(svg.contains(shape.name) && svg.contains(shape.what), "{}", shape.name);
        }
        assert!(svg.contains("#FFFFFF"));
    }
}
