//! A picture of the clocks: how far each was ahead of the master's, over time.
//!
//! Clocks differ by seconds and drift apart by milliseconds; what matters for
//! the order of events is the microseconds by which they leave the straight
//! line. So the line is taken off each curve, and stands in the legend.

mod axis;
mod curves;
mod svg;

use axis::{Axis, Unit, DISTANCE, TIME};
pub use curves::Curves;
use curves::{Curve, Point};
use svg::Svg;

use crate::show;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 480.0;
/// Left, right, top and bottom edge of the field.
const FIELD: [f64; 4] = [72.0, 690.0, 64.0, 428.0];
/// Okabe and Ito's colours, which few eyes confuse, on white and on black.
const COLOURS: [&str; 7] = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a8a8a",
];
/// Rows of the legend.
const ROWS: usize = 17;
const STYLE: &str = "\
text{font:12px system-ui,sans-serif;fill:#333}\
.title{font-size:15px;font-weight:600}.soft{fill:#777}\
.page{fill:#fff}.traced{fill:#f2f2f2}.grid{stroke:#ddd}.zero{stroke:#888}\
@media(prefers-color-scheme:dark){text{fill:#ddd}.soft{fill:#999}\
.page{fill:#16181b}.traced{fill:#22262a}.grid{stroke:#383d42}.zero{stroke:#888}}";

/// Returns the picture.
pub fn svg(curves: &Curves) -> String {
    let mut svg = Svg::new(WIDTH, HEIGHT, STYLE);
    svg.open("rect")
        .set("class", "page")
        .set_number("width", WIDTH)
        .set_number("height", HEIGHT)
        .end();
    svg.text(FIELD[0], 26.0, "title", &curves.title);
    let what = "ahead of the master's clock, less the straight line given on the right";
    svg.text(FIELD[0], 45.0, "soft", what);
    svg.clip("field", FIELD);
    let view = View::new(curves);
    view.field(&mut svg, curves);
    for (number, curve) in curves.shown.iter().enumerate() {
        view.curve(&mut svg, curve, COLOURS[number % COLOURS.len()]);
    }
    legend(&mut svg, curves);
    svg.finish()
}

/// From times and offsets to places in the picture.
struct View {
    time: Axis,
    ahead: Axis,
    time_unit: Unit,
    unit: Unit,
}

impl View {
    fn new(curves: &Curves) -> View {
        let [left, right, top, bottom] = FIELD;
        let (times, offsets) = curves.range();
        let (time_unit, unit) = (TIME.of(times), DISTANCE.of(offsets));
        View {
            time: Axis::new(times, (left, right)),
            ahead: Axis::new(offsets, (bottom, top)),
            time_unit,
            unit,
        }
    }

    fn field(&self, svg: &mut Svg, curves: &Curves) {
        let [left, right, top, bottom] = FIELD;
        let [from, to] = curves
            .traced
            .map(|time| self.time.at(time).clamp(left, right));
        svg.open("rect")
            .set("class", "traced")
            .set_number("x", from)
            .set_number("y", top)
            .set_number("width", to - from)
            .set_number("height", bottom - top)
            .end();
        for tick in self.ahead.ticks(6, self.unit) {
            let y = self.ahead.at(tick.value);
            let class = if tick.value == 0.0 { "zero" } else { "grid" };
            svg.line(class, [left, y], [right, y]);
            svg.text_end(left - 8.0, y + 4.0, "", &tick.label);
        }
        for tick in self.time.ticks(6, self.time_unit) {
            let x = self.time.at(tick.value);
            svg.line("zero", [x, bottom], [x, bottom + 5.0]);
            svg.text_middle(x, bottom + 20.0, &tick.label);
        }
        svg.line("zero", [left, bottom], [right, bottom]);
        let time = format!(
            "the master's time in {} (traced: shaded)",
            self.time_unit.name
        );
        svg.text_middle((left + right) / 2.0, bottom + 40.0, &time);
        svg.text_end(left - 8.0, top - 12.0, "", self.unit.name);
    }

    fn curve(&self, svg: &mut Svg, curve: &Curve, colour: &str) {
        let place = |&(time, ahead): &Point| [self.time.at(time), self.ahead.at(ahead)];
        for band in &curve.bands {
            let there = band.iter().map(|&(time, _, high)| place(&(time, high)));
            let back = band.iter().rev().map(|&(time, low, _)| place(&(time, low)));
            svg.open("path")
                .set("fill", colour)
                .set("fill-opacity", "0.15")
                .set("clip-path", "url(#field)")
                .set("d", &(svg::polyline(there.chain(back)) + "Z"))
                .end();
        }
        svg.open("path")
            .set("fill", "none")
            .set("stroke", colour)
            .set("stroke-width", "1.5")
            .set("d", &svg::polyline(curve.path.iter().map(place)))
            .end();
        for knot in &curve.knots {
            svg.dot(place(knot), 1.8, colour, false);
        }
        for &(time, ahead, half_width) in &curve.measured {
            let [x, middle] = place(&(time, ahead));
            let ends = [ahead - half_width, ahead + half_width].map(|end| self.ahead.at(end));
            for [from, to] in [
                [[x, ends[0]], [x, ends[1]]],
                [[x - 4.0, ends[0]], [x + 4.0, ends[0]]],
                [[x - 4.0, ends[1]], [x + 4.0, ends[1]]],
            ] {
                svg.coloured_line(colour, from, to);
            }
            svg.dot([x, middle], 3.0, colour, true);
        }
    }
}

/// Names the clocks beside their lines.
fn legend(svg: &mut Svg, curves: &Curves) {
    let x = FIELD[1] + 24.0;
    let row = |number: usize| FIELD[2] + 8.0 + 22.0 * number as f64;
    for (number, curve) in curves.shown.iter().take(ROWS).enumerate() {
        let y = row(number);
        let colour = COLOURS[number % COLOURS.len()];
        svg.coloured_line(colour, [x, y - 4.0], [x + 16.0, y - 4.0]);
        svg.text(x + 22.0, y, "", &curve.name);
        svg.text_end(WIDTH - 14.0, y, "soft", &curve.line.text());
    }
    let rest = curves.all.saturating_sub(curves.shown.len().min(ROWS));
    if rest > 0 {
        let more = format!("and {}", show::counted(rest as u64, "more clock"));
        svg.text(x, row(curves.shown.len().min(ROWS)), "soft", &more);
    }
    let marks = "circles: measured; dots: knots; shade: uncertainty";
    svg.text(x, FIELD[3], "soft", marks);
}

#[cfg(test)]
mod tests;
