//! Values against bits on logarithmic axes, in one style for all charts.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The sizes that the benches measure, in bits.
pub const SIZES: [u32; 9] = [256, 384, 512, 521, 1024, 1536, 2048, 3072, 4096];

/// A value at each size, in the order of the sizes.
pub type Series = Vec<(u32, f64)>;

/// One line of a chart.
#[derive(Clone)]
pub struct Line {
    /// Beside its end.
    pub name: &'static str,
    /// In the legend.
    pub what: &'static str,
    pub colour: RGBColor,
    pub series: Series,
}

/// A chart, but for what all have in common.
pub struct Chart {
    pub title: &'static str,
    pub subtitle: String,
    pub x: &'static str,
    pub y: &'static str,
    /// The ends of the vertical axis.
    pub range: (f64, f64),
    /// Values with a label and a line across.
    pub marks: Vec<f64>,
    /// Values as text.
    pub text: fn(f64) -> String,
    /// A value with a strong line across, and what is written on it.
    pub bar: Option<(f64, &'static str)>,
    pub legend: SeriesLabelPosition,
    pub lines: Vec<Line>,
}

const SIZE: (u32, u32) = (800, 500);
const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
const GRID: RGBColor = RGBColor(0xd8, 0xd8, 0xd8);
/// Pixels from one label beside the lines to the next.
const LABEL_HEIGHT: i32 = 20;
const BITS: (f64, f64) = (235.0, 4460.0);
/// Bits with a label; 521 would stand on the label of 512.
const LABELLED: [f64; 8] = [256.0, 384.0, 512.0, 1024.0, 1536.0, 2048.0, 3072.0, 4096.0];

impl Chart {
    pub fn svg(&self) -> Result<String, String> {
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|error| format!("the chart: {error}"))?;
        Ok(svg)
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        // A page in dark mode must not shine through.
        root.fill(&WHITE)?;
        let text = |size: u32| (FONT, size).into_font().color(&INK);
        root.draw(&Text::new(self.title, (20, 14), text(22)))?;
        root.draw(&Text::new(self.subtitle.as_str(), (20, 43), text(16)))?;

        let (low, high) = self.range;
        let mut chart = ChartBuilder::on(&root)
            .margin_top(74)
            .margin_right(160)
            .margin_left(10)
            .margin_bottom(10)
            .x_label_area_size(48)
            .y_label_area_size(80)
            .build_cartesian_2d(
                (BITS.0..BITS.1).log_scale().with_key_points(LABELLED.to_vec()),
                (low..high).log_scale().with_key_points(self.marks.clone()),
            )?;
        chart
            .configure_mesh()
            .max_light_lines(0)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(text(16))
            .axis_desc_style(text(16))
            .x_desc(self.x)
            .y_desc(self.y)
            .x_label_formatter(&|bits| format!("{bits}"))
            .y_label_formatter(&|value| (self.text)(*value))
            .draw()?;
        if let Some((value, what)) = self.bar {
            chart.draw_series(LineSeries::new([(BITS.0, value), (BITS.1, value)], INK.stroke_width(2)))?;
            let (x, y) = chart.backend_coord(&(BITS.1, value));
            let above = (FONT, 15).into_font().color(&INK).pos(Pos::new(HPos::Right, VPos::Bottom));
            root.draw(&Text::new(what, (x - 6, y - 2), above))?;
        }
        let mut ends = Vec::new();
        for line in &self.lines {
            let colour = line.colour;
            let points = || line.series.iter().map(|(bits, value)| (f64::from(*bits), *value));
            chart
                .draw_series(LineSeries::new(points(), colour.stroke_width(2)))?
                .label(line.what)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], colour.stroke_width(3)));
            chart.draw_series(points().map(|point| Circle::new(point, 3, colour.filled())))?;
            if let Some(last) = points().next_back() {
                ends.push((chart.backend_coord(&last), format!("{} {}", line.name, (self.text)(last.1)), colour));
            }
        }
        // Lines that end close together leave their labels room, downwards from the highest one.
        ends.sort_by_key(|((_, y), _, _)| *y);
        let mut lowest_label = 0;
        for ((x, y), label, colour) in ends {
            let y = y.max(lowest_label + LABEL_HEIGHT);
            lowest_label = y;
            let beside = (FONT, 17).into_font().color(&colour).pos(Pos::new(HPos::Left, VPos::Center));
            root.draw(&Text::new(label, (x + 26, y), beside))?;
        }
        chart
            .configure_series_labels()
            .position(self.legend.clone())
            .margin(12)
            .legend_area_size(30)
            .background_style(WHITE)
            .border_style(GRID)
            .label_font(text(16))
            .draw()?;
        root.present()?;
        Ok(())
    }
}
