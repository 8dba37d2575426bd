//! A field of a picture: curves over ranks, or over sizes of the problem.

use super::text::Factor;
use crate::report::plot::svg::{polyline, Svg};
use crate::report::plot::{COLOURS, STYLE};

const WIDTH: f64 = 1000.0;
/// Upper and lower edge of all fields.
pub const TOP: f64 = 120.0;
pub const BOTTOM: f64 = 436.0;
/// Left and right edges of both fields.
pub const LEFT: [f64; 2] = [64.0, 480.0];
pub const RIGHT: [f64; 2] = [560.0, 976.0];
/// The first line of a legend, and from one to the next.
pub const LEGEND: f64 = BOTTOM + 66.0;
pub const NEXT: f64 = 18.0;
/// Ticks at most, and how near to each other labels may stand.
const TICKS: u32 = 8;
const NEAR: f64 = 26.0;

/// Begins a picture of this height with its title.
pub fn page(height: f64, title: &str) -> Svg {
    let mut svg = Svg::new(WIDTH, height, STYLE);
    svg.open("rect")
        .set("class", "page")
        .set_number("width", WIDTH)
        .set_number("height", height)
        .end();
    svg.text(LEFT[0], 26.0, "title", title);
    svg
}

/// A field whose values lie between two bounds.
pub struct Field {
    /// Where runs are along it, ascending, and what is written there.
    pub along: Vec<(f64, String)>,
    /// What runs differ in.
    pub what: &'static str,
    /// The bounds.
    pub values: (f64, f64),
    /// Left and right edge.
    pub edges: [f64; 2],
    /// Values are drawn by their logarithms, as what is along the field always is.
    pub is_logarithmic: bool,
}

/// Returns where between two places a value lies that is between two others.
fn between(value: f64, (low, high): (f64, f64), [from, to]: [f64; 2]) -> f64 {
    match high > low {
        true => from + (value - low) / (high - low) * (to - from),
        false => (from + to) / 2.0,
    }
}

impl Field {
    fn bounds(&self) -> (f64, f64) {
        let of = |it: Option<&(f64, String)>| it.map_or(1.0, |it| it.0);
        (of(self.along.first()), of(self.along.last()))
    }

    fn place(&self, along: f64, value: f64) -> [f64; 2] {
        let logarithms = |(low, high): (f64, f64)| (low.ln(), high.ln());
        let x = between(along.ln(), logarithms(self.bounds()), self.edges);
        let y = [BOTTOM, TOP];
        let y = match self.is_logarithmic {
            true => between(value.ln(), logarithms(self.values), y),
            false => between(value, self.values, y),
        };
        [x, y]
    }

    /// Draws what is around the curves.
    pub fn frame(&self, svg: &mut Svg, title: &str, ticks: &[(f64, String)]) {
        let [left, right] = self.edges;
        svg.text(left, TOP - 14.0, "", title);
        for (value, label) in ticks {
            let [_, y] = self.place(self.bounds().0, *value);
            svg.line("grid", [left, y], [right, y]);
            svg.text_end(left - 8.0, y + 4.0, "", label);
        }
        svg.line("zero", [left, BOTTOM], [right, BOTTOM]);
        let mut last = f64::NEG_INFINITY;
        for (along, label) in &self.along {
            let [x, _] = self.place(*along, self.values.0.max(1.0));
            svg.line("zero", [x, BOTTOM], [x, BOTTOM + 5.0]);
            if x - last >= NEAR {
                svg.text_middle(x, BOTTOM + 20.0, label);
                last = x;
            }
        }
        svg.text_middle((left + right) / 2.0, BOTTOM + 38.0, self.what);
    }

    /// Draws a curve; one of dashes has no dots.
    pub fn curve(&self, svg: &mut Svg, points: &[(f64, f64)], colour: &str, dashes: &str) {
        let places = points
            .iter()
            .map(|(along, value)| self.place(*along, *value));
        svg.open("path")
            .set("fill", "none")
            .set("stroke", colour)
            .set("stroke-width", "1.5")
            .set("stroke-dasharray", dashes)
            .set("d", &polyline(places.clone()))
            .end();
        if dashes.is_empty() {
            places.for_each(|place| svg.dot(place, 3.0, colour, false));
        }
    }
}

/// Returns powers of a number between two values, not more than there is room for.
pub fn powers_of(base: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let exponent = |value: f64| value.ln() / base.ln();
    let bounds = (exponent(low).ceil() as i32, exponent(high).floor() as i32);
    let step = (bounds.1 - bounds.0).max(0) as u32 / TICKS + 1;
    let all = (bounds.0..=bounds.1).step_by(step as usize);
    all.map(|it| base.powi(it)).collect()
}

/// Draws efficiencies into the field at the right.
pub fn efficiencies<Size>(
    svg: &mut Svg,
    (what, along): (&'static str, Vec<(f64, String)>),
    sizes: &[Size],
    curves: &[Factor<Size>],
) {
    let values = |(_, of): &Factor<Size>| -> Vec<f64> { sizes.iter().filter_map(of).collect() };
    let most = curves.iter().flat_map(values).fold(1.0, f64::max);
    // What is far above ideal must not flatten all below.
    let most = (most * 10.0).ceil() / 10.0;
    let places: Vec<f64> = along.iter().map(|it| it.0).collect();
    let field = Field {
        along,
        what,
        values: (0.0, most),
        edges: RIGHT,
        is_logarithmic: false,
    };
    field.frame(svg, "efficiencies", &shares(most));
    let has_some = |it: &&Factor<Size>| !values(it).is_empty();
    for (number, (name, of)) in curves.iter().filter(has_some).enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let points = places.iter().zip(sizes);
        let points = points.filter_map(|(at, it)| Some((*at, of(it)?)));
        field.curve(svg, &points.collect::<Vec<_>>(), colour, "");
        let x = RIGHT[0] + 210.0 * (number % 2) as f64;
        let y = LEGEND + NEXT * (number / 2) as f64;
        svg.dot([x + 4.0, y - 4.0], 4.0, colour, false);
        svg.text(x + 14.0, y, "", name);
    }
}

/// Returns shares up to the greatest, a fifth from each other or more.
fn shares(most: f64) -> Vec<(f64, String)> {
    let count = (most * 5.0).floor() as u32;
    let step = count / TICKS + 1;
    let ticks = (0..=count).step_by(step as usize);
    let tick = |it: u32| (f64::from(it) / 5.0, format!("{} %", it * 20));
    ticks.map(tick).collect()
}
