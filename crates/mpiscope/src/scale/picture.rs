//! A picture of how it scales: speedup against ideal, and the efficiencies that multiply to it.

use super::facts::{Facts, SizeFacts};
use super::verdict::spread as spread_of;
use crate::report::plot::svg::{polyline, Svg};
use crate::report::plot::{COLOURS, STYLE};
use crate::report::show::{counted, three_digits};

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 556.0;
const TOP: f64 = 120.0;
const BOTTOM: f64 = 436.0;
/// From one line of the sentence to the next.
const LINE: f64 = 16.0;
/// Left and right edges of both fields.
const SPEEDUP: [f64; 2] = [64.0, 480.0];
const EFFICIENCY: [f64; 2] = [560.0, 976.0];
/// Ticks at most, and how near to each other labels may stand.
const TICKS: u32 = 8;
const NEAR: f64 = 26.0;

/// A curve: what it is called, and its value at each size.
type Curve = (&'static str, fn(&SizeFacts) -> Option<f64>);

const CURVES: [Curve; 6] = [
    ("speedup by ideal", |it| Some(it.scaling_efficiency)),
    ("parallel efficiency", |it| it.parallel),
    ("computation scalability", |it| it.computation_scalability),
    ("load balance", |it| it.load_balance),
    ("serialization", |it| it.serialization),
    ("transfer", |it| it.transfer),
];

/// Draws it.
pub fn svg(facts: &Facts) -> String {
    let mut svg = Svg::new(WIDTH, HEIGHT, STYLE);
    svg.open("rect")
        .set("class", "page")
        .set_number("width", WIDTH)
        .set_number("height", HEIGHT)
        .end();
    let reference = counted(facts.reference, "rank");
    let title = format!("{} scaling, compared with {reference}", facts.scaling);
    svg.text(SPEEDUP[0], 26.0, "title", &title);
    for (number, line) in sentence(facts).iter().enumerate() {
        svg.text(SPEEDUP[0], 46.0 + LINE * number as f64, "soft", line);
    }
    speedup(&mut svg, facts);
    efficiencies(&mut svg, facts);
    svg.finish()
}

/// Returns what is said first: what is lost, how fast it is, and that runs differ as much if they do.
fn sentence(facts: &Facts) -> Vec<String> {
    let first = facts.verdict.first().map_or("", String::as_str);
    let (lost, fast) = first.split_once(": ").unwrap_or((first, ""));
    let spread = facts.first().zip(facts.sizes.last());
    let spread = spread.and_then(|(first, last)| spread_of(first, last, facts));
    let lines = [format!("{lost}:"), fast.to_owned()].into_iter();
    lines
        .chain(spread.map(|it| it.trim_start().to_owned()))
        .collect()
}

/// A field whose values lie between two bounds each.
struct Field {
    ranks: (f64, f64),
    values: (f64, f64),
    edges: [f64; 2],
    is_logarithmic: bool,
}

/// Returns where between two places a value lies that is between two others.
fn between(value: f64, (low, high): (f64, f64), [from, to]: [f64; 2]) -> f64 {
    match high > low {
        true => from + (value - low) / (high - low) * (to - from),
        false => (from + to) / 2.0,
    }
}

impl Field {
    fn place(&self, ranks: f64, value: f64) -> [f64; 2] {
        let logarithms = |(low, high): (f64, f64)| (low.ln(), high.ln());
        let x = between(ranks.ln(), logarithms(self.ranks), self.edges);
        let y = [BOTTOM, TOP];
        let y = match self.is_logarithmic {
            true => between(value.ln(), logarithms(self.values), y),
            false => between(value, self.values, y),
        };
        [x, y]
    }

    fn frame(&self, svg: &mut Svg, title: &str, sizes: &[SizeFacts], ticks: &[(f64, String)]) {
        let [left, right] = self.edges;
        svg.text(left, TOP - 14.0, "", title);
        for (value, label) in ticks {
            let [_, y] = self.place(self.ranks.0, *value);
            svg.line("grid", [left, y], [right, y]);
            svg.text_end(left - 8.0, y + 4.0, "", label);
        }
        svg.line("zero", [left, BOTTOM], [right, BOTTOM]);
        let mut last = f64::NEG_INFINITY;
        for size in sizes {
            let [x, _] = self.place(size.ranks as f64, self.values.0.max(1.0));
            svg.line("zero", [x, BOTTOM], [x, BOTTOM + 5.0]);
            if x - last >= NEAR {
                svg.text_middle(x, BOTTOM + 20.0, &size.ranks.to_string());
                last = x;
            }
        }
        svg.text_middle((left + right) / 2.0, BOTTOM + 38.0, "ranks");
    }

    fn curve(&self, svg: &mut Svg, points: &[(f64, f64)], colour: &str, dashes: &str) {
        let places = points
            .iter()
            .map(|(ranks, value)| self.place(*ranks, *value));
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

fn ranks(facts: &Facts) -> (f64, f64) {
    let of = |size: Option<&SizeFacts>| size.map_or(1.0, |it| it.ranks as f64);
    (of(facts.sizes.first()), of(facts.sizes.last()))
}

fn speedup(svg: &mut Svg, facts: &Facts) {
    let all = facts
        .sizes
        .iter()
        .flat_map(|it| [it.speedup, it.ideal_speedup]);
    let values = (
        all.clone().fold(f64::INFINITY, f64::min),
        all.fold(0.0, f64::max),
    );
    let field = Field {
        ranks: ranks(facts),
        values,
        edges: SPEEDUP,
        is_logarithmic: true,
    };
    field.frame(svg, "speedup; dashed: ideal", &facts.sizes, &powers(values));
    let points = |of: fn(&SizeFacts) -> f64| -> Vec<(f64, f64)> {
        facts
            .sizes
            .iter()
            .map(|it| (it.ranks as f64, of(it)))
            .collect()
    };
    field.curve(svg, &points(|it| it.ideal_speedup), COLOURS[6], "7 3");
    field.curve(svg, &points(|it| it.speedup), COLOURS[0], "");
}

/// Returns powers of two between two values, not more than there is room for.
fn powers((low, high): (f64, f64)) -> Vec<(f64, String)> {
    let bounds = (low.log2().ceil() as i32, high.log2().floor() as i32);
    let step = (bounds.1 - bounds.0).max(0) as u32 / TICKS + 1;
    let all = (bounds.0..=bounds.1).step_by(step as usize);
    let value = |power: i32| 2f64.powi(power);
    all.map(|it| (value(it), three_digits(value(it)))).collect()
}

fn efficiencies(svg: &mut Svg, facts: &Facts) {
    let values = facts
        .sizes
        .iter()
        .flat_map(|size| CURVES.map(|(_, of)| of(size)));
    let most = values.flatten().fold(1.0, f64::max);
    // What is far above ideal must not flatten all below.
    let most = (most * 10.0).ceil() / 10.0;
    let field = Field {
        ranks: ranks(facts),
        values: (0.0, most),
        edges: EFFICIENCY,
        is_logarithmic: false,
    };
    let count = (most * 5.0).floor() as u32;
    let step = count / TICKS + 1;
    let ticks = (0..=count).step_by(step as usize);
    let ticks = ticks.map(|it| (f64::from(it) / 5.0, format!("{} %", it * 20)));
    let ticks: Vec<(f64, String)> = ticks.collect();
    field.frame(svg, "efficiencies", &facts.sizes, &ticks);
    let has_some = |(_, of): &&Curve| facts.sizes.iter().any(|it| of(it).is_some());
    for (number, (name, of)) in CURVES.iter().filter(has_some).enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let points = facts.sizes.iter();
        let points = points.filter_map(|it| Some((it.ranks as f64, of(it)?)));
        field.curve(svg, &points.collect::<Vec<_>>(), colour, "");
        let x = EFFICIENCY[0] + 210.0 * (number % 2) as f64;
        let y = BOTTOM + 66.0 + 18.0 * (number / 2) as f64;
        svg.dot([x + 4.0, y - 4.0], 4.0, colour, false);
        svg.text(x + 14.0, y, "", name);
    }
}
