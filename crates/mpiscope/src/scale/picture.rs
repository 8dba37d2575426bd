//! A picture of how it scales: speedup against ideal, and the efficiencies that multiply to it.

use super::facts::{Facts, SizeFacts};
use super::field::{efficiencies, page, powers_of, Field, LEFT};
use super::text::Factor;
use super::verdict::spread as spread_of;
use crate::report::plot::svg::Svg;
use crate::report::plot::COLOURS;
use crate::report::show::{counted, three_digits};

const HEIGHT: f64 = 556.0;
/// From one line of the sentence to the next.
const LINE: f64 = 16.0;

const CURVES: [Factor<SizeFacts>; 6] = [
    ("speedup by ideal", |it| Some(it.scaling_efficiency)),
    ("parallel efficiency", |it| it.of.parallel),
    ("computation scalability", |it| it.computation_scalability),
    ("load balance", |it| it.of.load_balance),
    ("serialization", |it| it.of.serialization),
    ("transfer", |it| it.of.transfer),
];

/// Draws it.
pub fn svg(facts: &Facts) -> String {
    let reference = counted(facts.reference, "rank");
    let title = format!("{} scaling, compared with {reference}", facts.scaling);
    let mut svg = page(HEIGHT, &title);
    for (number, line) in sentence(facts).iter().enumerate() {
        svg.text(LEFT[0], 46.0 + LINE * number as f64, "soft", line);
    }
    speedup(&mut svg, facts);
    efficiencies(&mut svg, ("ranks", marks(facts)), &facts.sizes, &CURVES);
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

/// Numbers of ranks along the fields.
fn marks(facts: &Facts) -> Vec<(f64, String)> {
    let marks = facts.sizes.iter();
    let marks = marks.map(|it| (it.ranks as f64, it.ranks.to_string()));
    marks.collect()
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
        along: marks(facts),
        what: "ranks",
        values,
        edges: LEFT,
        is_logarithmic: true,
    };
    field.frame(svg, "speedup; dashed: ideal", &powers(values));
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
fn powers(values: (f64, f64)) -> Vec<(f64, String)> {
    let powers = powers_of(2.0, values).into_iter();
    powers.map(|it| (it, three_digits(it))).collect()
}
