//! The tree as a flame graph (Gregg 2016), hanging: as wide as its time, each
//! place in the program lies below the one that contains it.

use std::fmt::Write;

use mpiscope_analysis::statistics::Node;
use mpiscope_archive::model::statistics::{Kind, Statistics};

use super::{labels, speedscope::parts};
use crate::report::show;

const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 18.0;
/// Narrower than this is not drawn.
const LEAST: f64 = 0.3;
/// Width of a letter, about.
const LETTER: f64 = 6.6;

const STYLE: &str =
    "rect{stroke:#fff;stroke-width:.5}text{font:11px monospace;pointer-events:none}\
    .program{fill:#ccc}.procedure{fill:#8ab6d6}.loop{fill:#a9d18e}.communication{fill:#f4a261}";

/// Returns the picture.
pub fn svg(statistics: &Statistics, root: &Node) -> String {
    let mut boxes = String::new();
    let whole = whole(root).max(1);
    let depth = draw(statistics, root, whole, (0.0, 0), &mut boxes);
    let height = HEIGHT * (depth + 1) as f64;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\">\n<style>{STYLE}</style>\n{boxes}</svg>\n"
    )
}

/// The time of a node as drawn: what lies below it may have been counted longer.
fn whole(node: &Node) -> u64 {
    let (own, below) = parts(node);
    below.iter().map(whole).fold(own, u64::saturating_add)
}

/// Draws a node and what lies below it; returns the lowest row.
fn draw(
    statistics: &Statistics,
    node: &Node,
    all: u64,
    (left, row): (f64, usize),
    boxes: &mut String,
) -> usize {
    let time = whole(node);
    let width = time as f64 / all as f64 * WIDTH;
    if width < LEAST {
        return row.saturating_sub(1);
    }
    let name = labels::node(statistics, node);
    let (top, room) = (HEIGHT * row as f64, (width / LETTER) as usize);
    let short: String = name.chars().take(room.saturating_sub(1)).collect();
    let _ = writeln!(
        boxes,
        "<g><title>{}: {}, {}</title><rect class=\"{}\" x=\"{left:.2}\" y=\"{top}\" \
         width=\"{width:.2}\" height=\"{HEIGHT}\"/><text x=\"{:.2}\" y=\"{}\">{}</text></g>",
        escaped(&name),
        show::duration(time as f64),
        show::share(time, all),
        class(statistics, node),
        left + 3.0,
        top + 13.0,
        escaped(&short)
    );
    let mut lowest = row;
    let mut begin = left;
    for child in parts(node).1 {
        lowest = lowest.max(draw(statistics, child, all, (begin, row + 1), boxes));
        begin += whole(child) as f64 / all as f64 * WIDTH;
    }
    lowest
}

fn class(statistics: &Statistics, node: &Node) -> &'static str {
    let statement = node
        .statement
        .and_then(|number| statistics.statements.get(number));
    match statement.map(|statement| statement.kind) {
        None => "program",
        Some(Kind::Procedure | Kind::Call) => "procedure",
        Some(Kind::Loop) => "loop",
        Some(Kind::Communication) => "communication",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
