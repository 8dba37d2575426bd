//! A picture of the clocks: how far each was ahead of the master's, over time.
//!
//! Clocks differ by seconds and drift apart by milliseconds; what matters for
//! the order of events is the microseconds by which they leave the straight
//! line. So the line is taken off each curve, and stands in the legend.

mod axis;
mod curves;
pub mod svg;

use axis::{Axis, Unit, DISTANCE, TIME};
pub use curves::Curves;
use curves::{Curve, Point, Range};
use svg::Svg;

use crate::report::show;

const WIDTH: f64 = 1000.0;
/// Left and right edge of the fields, and how high they are.
const LEFT: f64 = 72.0;
const RIGHT: f64 = 690.0;
const FIELD: f64 = 330.0;
/// Where the first field begins, and how far one from the next.
const TOP: f64 = 76.0;
const NEXT: f64 = 400.0;
/// Okabe and Ito's colours, which few eyes confuse, on white and on black.
pub const COLOURS: [&str; 7] = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a8a8a",
];
/// Rows of the legend.
const ROWS: usize = 16;
/// Classes of text, lines and areas, on light and on dark screens.
pub const STYLE: &str = "\
text{font:12px system-ui,sans-serif;fill:#333}\
.title{font-size:15px;font-weight:600}.soft{fill:#777}\
.page{fill:#fff}.traced{fill:#f2f2f2}.grid{stroke:#ddd}.zero{stroke:#888}\
@media(prefers-color-scheme:dark){text{fill:#ddd}.soft{fill:#999}\
.page{fill:#16181b}.traced{fill:#22262a}.grid{stroke:#383d42}.zero{stroke:#888}}";

/// Returns the picture: what was recorded, and above it the whole run, if
/// clocks were compared long before or after.
pub fn svg(curves: &Curves) -> String {
    let (all, traced) = (curves.times(), (curves.traced[0], curves.traced[1]));
    let mut fields = vec![("while events were recorded", traced)];
    if all.1 - all.0 > 1.2 * (traced.1 - traced.0) {
        fields.insert(0, ("the whole run; recorded: shaded", all));
    }
    let height = TOP + NEXT * fields.len() as f64;
    let mut svg = Svg::new(WIDTH, height, STYLE);
    svg.open("rect")
        .set("class", "page")
        .set_number("width", WIDTH)
        .set_number("height", height)
        .end();
    svg.text(LEFT, 26.0, "title", &curves.title);
    let what = "ahead of the master's clock, less the straight line given on the right";
    svg.text(LEFT, 45.0, "soft", what);
    for (number, (title, times)) in fields.into_iter().enumerate() {
        let field = Field::new(number, times, curves);
        field.frame(&mut svg, title, curves.traced);
        for (number, curve) in curves.shown.iter().enumerate() {
            field.curve(&mut svg, curve, Pen::of(number));
        }
    }
    legend(&mut svg, curves);
    svg.finish()
}

/// How a curve is drawn: in another colour, then in dashes.
#[derive(Clone, Copy)]
struct Pen {
    colour: &'static str,
    dashes: &'static str,
}

impl Pen {
    fn of(number: usize) -> Pen {
        const DASHES: [&str; 4] = ["", "7 3", "2 2", "9 3 2 3"];
        Pen {
            colour: COLOURS[number % COLOURS.len()],
            dashes: DASHES[number / COLOURS.len() % DASHES.len()],
        }
    }
}

/// A field of the picture, from times and offsets to places in it.
struct Field {
    edges: [f64; 4],
    clip: String,
    time: Axis,
    ahead: Axis,
    time_unit: Unit,
    unit: Unit,
}

impl Field {
    fn new(number: usize, times: Range, curves: &Curves) -> Field {
        let top = TOP + NEXT * number as f64;
        let bottom = top + FIELD;
        let offsets = curves.offsets(times);
        Field {
            edges: [LEFT, RIGHT, top, bottom],
            clip: format!("field{number}"),
            time: Axis::new(times, (LEFT, RIGHT)),
            ahead: Axis::new(offsets, (bottom, top)),
            time_unit: TIME.of(times),
            unit: DISTANCE.of(offsets),
        }
    }

    fn frame(&self, svg: &mut Svg, title: &str, traced: [f64; 2]) {
        let [left, right, top, bottom] = self.edges;
        svg.clip(&self.clip, self.edges);
        let [from, to] = traced.map(|time| self.time.at(time).clamp(left, right));
        svg.open("rect")
            .set("class", "traced")
            .set_number("x", from)
            .set_number("y", top)
            .set_number("width", (to - from).max(1.0))
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
        let time = format!("the master's time in {}: {title}", self.time_unit.name);
        svg.text_middle((left + right) / 2.0, bottom + 39.0, &time);
        svg.text_end(left - 8.0, top - 10.0, "", self.unit.name);
    }

    fn place(&self, &(time, ahead): &Point) -> [f64; 2] {
        [self.time.at(time), self.ahead.at(ahead)]
    }

    fn curve(&self, svg: &mut Svg, curve: &Curve, pen: Pen) {
        svg.begin_group(&format!("url(#{})", self.clip));
        for band in &curve.bands {
            let there = band.iter().map(|&(time, _, high)| (time, high));
            let back = band.iter().rev().map(|&(time, low, _)| (time, low));
            let around = there.chain(back).map(|point| self.place(&point));
            svg.open("path")
                .set("fill", pen.colour)
                .set("fill-opacity", "0.1")
                .set("d", &(svg::polyline(around) + "Z"))
                .end();
        }
        svg.open("path")
            .set("fill", "none")
            .set("stroke", pen.colour)
            .set("stroke-width", "1.5")
            .set("stroke-dasharray", pen.dashes)
            .set(
                "d",
                &svg::polyline(curve.path.iter().map(|it| self.place(it))),
            )
            .end();
        // Dots that touch each other would be a thick line.
        let apart = (RIGHT - LEFT) / 10.0 * self.time.share(&curve.path);
        if (curve.knots.len() as f64) < apart {
            for knot in &curve.knots {
                svg.dot(self.place(knot), 1.8, pen.colour, false);
            }
        }
        svg.end_group();
        for measured in &curve.measured {
            self.error_bar(svg, measured, pen.colour);
        }
    }

    fn error_bar(&self, svg: &mut Svg, &(time, ahead, half_width): &(f64, f64, f64), colour: &str) {
        let [x, y] = self.place(&(time, ahead));
        if !(LEFT - 0.5..=RIGHT + 0.5).contains(&x) {
            return;
        }
        let ends = [ahead - half_width, ahead + half_width].map(|end| self.ahead.at(end));
        svg.coloured_line(colour, [x, ends[0]], [x, ends[1]]);
        for end in ends {
            svg.coloured_line(colour, [x - 4.0, end], [x + 4.0, end]);
        }
        svg.dot([x, y], 3.0, colour, true);
    }
}

/// Names the clocks beside their lines.
fn legend(svg: &mut Svg, curves: &Curves) {
    let x = RIGHT + 24.0;
    let row = |number: usize| TOP + 8.0 + 20.0 * number as f64;
    let named = curves.shown.len().min(ROWS);
    for (number, curve) in curves.shown.iter().take(named).enumerate() {
        let (y, pen) = (row(number), Pen::of(number));
        svg.open("path")
            .set("stroke", pen.colour)
            .set("stroke-width", "1.5")
            .set("stroke-dasharray", pen.dashes)
            .set("d", &svg::polyline([[x, y - 4.0], [x + 16.0, y - 4.0]]))
            .end();
        svg.text(x + 22.0, y, "", &curve.name);
        svg.text_end(WIDTH - 14.0, y, "soft", &curve.line.text());
    }
    let rest = curves.all.saturating_sub(named);
    if rest > 0 {
        let more = format!("and {}", show::counted(rest as u64, "more clock"));
        svg.text(x, row(named), "soft", &more);
    }
    let marks = "circles: measured; dots: knots; shade: uncertainty";
    svg.text(RIGHT - 300.0, TOP - 10.0, "soft", marks);
}

#[cfg(test)]
mod tests;
