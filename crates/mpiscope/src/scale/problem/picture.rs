//! A picture of how a program grows: core time of the whole and of its lines by size, and efficiencies.

use super::{Facts, RowFacts, SizeFacts};
use crate::report::plot::svg::Svg;
use crate::report::plot::COLOURS;
use crate::report::show::counted;
use crate::scale::field::{efficiencies, page, powers_of, Field, LEFT, LEGEND, NEXT};
use crate::scale::text::{time, Factor};

const HEIGHT: f64 = 620.0;
/// Lines of the program that have a curve.
const LINES: usize = 5;
/// The colour of the whole, and those of lines.
const WHOLE: &str = COLOURS[COLOURS.len() - 1];
/// Characters of a name that the legend has room for.
const NAME: usize = 64;

const CURVES: [Factor<SizeFacts>; 4] = [
    ("parallel efficiency", |it| it.of.parallel),
    ("load balance", |it| it.of.load_balance),
    ("serialization", |it| it.of.serialization),
    ("transfer", |it| it.of.transfer),
];

/// Draws it.
pub fn svg(facts: &Facts) -> String {
    let title = format!("growth with the size, on {}", counted(facts.ranks, "rank"));
    let mut svg = page(HEIGHT, &title);
    let first = facts.verdict.first().map_or("", String::as_str);
    svg.text(LEFT[0], 46.0, "soft", first);
    times(&mut svg, facts);
    efficiencies(&mut svg, ("size", marks(facts)), &facts.sizes, &CURVES);
    svg.finish()
}

fn marks(facts: &Facts) -> Vec<(f64, String)> {
    let marks = facts.sizes.iter();
    marks.map(|it| (it.size, it.size.to_string())).collect()
}

/// Returns the places of a curve; of no time there is none, as it has no logarithm.
fn points(facts: &Facts, core_ns: impl Iterator<Item = i64>) -> Vec<(f64, f64)> {
    let points = facts.sizes.iter().zip(core_ns);
    let points = points.filter(|(_, ns)| *ns > 0);
    points.map(|(it, ns)| (it.size, ns as f64)).collect()
}

/// Returns those rows that take most at the largest size.
fn lines(facts: &Facts) -> Vec<&RowFacts> {
    let mut rows: Vec<&RowFacts> = facts.rows.iter().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.of.core_ns.last().copied()));
    rows.truncate(LINES);
    rows
}

fn times(svg: &mut Svg, facts: &Facts) {
    let whole = points(facts, facts.sizes.iter().map(|it| it.of.core_ns));
    let mut curves = vec![("all", whole)];
    let of_row = |row: &RowFacts| points(facts, row.of.core_ns.iter().copied());
    let rows = lines(facts);
    curves.extend(
        rows.iter()
            .map(|row| (row.of.named.what.as_str(), of_row(row))),
    );
    let all = curves.iter().flat_map(|it| &it.1).map(|it| it.1);
    let values = (
        all.clone().fold(f64::INFINITY, f64::min),
        all.fold(1.0, f64::max),
    );
    let field = Field {
        along: marks(facts),
        what: "size",
        values: (values.0.min(values.1), values.1),
        edges: LEFT,
        is_logarithmic: true,
    };
    field.frame(svg, "core time", &ticks(field.values));
    for (number, (name, points)) in curves.iter().enumerate() {
        let colour = match number {
            0 => WHOLE,
            number => COLOURS[(number - 1) % (COLOURS.len() - 1)],
        };
        field.curve(svg, points, colour, "");
        let y = LEGEND + NEXT * number as f64;
        svg.dot([LEFT[0] + 4.0, y - 4.0], 4.0, colour, false);
        svg.text(LEFT[0] + 14.0, y, "", &short(name));
    }
}

/// Returns powers of ten between two times, else the times themselves.
fn ticks(values: (f64, f64)) -> Vec<(f64, String)> {
    let powers = powers_of(10.0, values);
    let ticks = match powers.len() {
        0 | 1 => vec![values.0, values.1],
        _ => powers,
    };
    ticks.into_iter().map(|it| (it, time(it as i64))).collect()
}

fn short(name: &str) -> String {
    match name.chars().count() > NAME {
        true => name.chars().take(NAME).chain(['…']).collect(),
        false => name.to_owned(),
    }
}
