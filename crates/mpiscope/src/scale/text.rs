//! How it scales, as people read it.

use super::facts::{CauseFacts, Facts, RowFacts, SizeFacts};
use super::shared::{OfRow, OfRuns};
use crate::report::show;

/// So many causes of waiting are listed.
const CAUSES: usize = 5;

/// An exponent that is less sure tells nothing: it may be 0 or 1.
pub const UNSURE: f64 = 1.0;

/// Writes the report.
pub fn text(facts: &Facts, top: usize) -> String {
    let notes = facts.notes.iter().map(|it| format!("note: {it}"));
    let parts = [
        facts.verdict.join("\n"),
        sizes(facts),
        efficiencies(facts),
        rows(facts, top),
        causes(facts),
        notes.collect::<Vec<_>>().join("\n"),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    parts.join("\n\n")
}

fn sizes(facts: &Facts) -> String {
    let by = format!("of that on {}", facts.reference);
    let header = [
        "ranks",
        "runs",
        "time",
        "spread",
        "speedup",
        "ideal",
        "efficiency",
        &by,
    ];
    let rows = facts.sizes.iter().map(|it| {
        [
            it.ranks.to_string(),
            it.of.paths.len().to_string(),
            time(it.of.time_ns),
            between(&it.of),
            show::three_digits(it.speedup),
            show::three_digits(it.ideal_speedup),
            percent(it.scaling_efficiency),
            bar(it.scaling_efficiency),
        ]
    });
    show::table(header, rows.collect())
}

/// Cells of a bar of 100 %.
const CELLS: usize = 40;

/// Draws an efficiency as a bar; dots are what lacks to ideal.
fn bar(efficiency: f64) -> String {
    let cells = (efficiency * CELLS as f64).round() as usize;
    let cells = cells.min(CELLS);
    format!("{}{}", "█".repeat(cells), "·".repeat(CELLS - cells))
}

/// A factor of runs of one size: what it is called, and its value.
pub type Factor<Size> = (&'static str, fn(&Size) -> Option<f64>);

/// The efficiencies of the POP project: each is the product of those that are indented below it.
const FACTORS: [Factor<SizeFacts>; 10] = [
    ("global", |it| it.global),
    ("  parallel", |it| it.of.parallel),
    ("    load balance", |it| it.of.load_balance),
    ("    communication", |it| it.of.communication),
    ("      serialization", |it| it.of.serialization),
    ("      transfer", |it| it.of.transfer),
    ("  computation scalability", |it| it.computation_scalability),
    ("    instructions", |it| it.instruction_scalability),
    ("    instructions per cycle", |it| it.ipc_scalability),
    ("    frequency", |it| it.frequency_scalability),
];

/// Those that no counters are needed for.
const UNCOUNTED: usize = 7;

fn efficiencies(facts: &Facts) -> String {
    if facts.sizes.iter().all(|it| it.of.parallel.is_none()) {
        return String::new();
    }
    let header = on(facts, "efficiencies").collect();
    let is_counted = facts.sizes.iter().any(|it| it.ipc_scalability.is_some());
    let table = if is_counted {
        &FACTORS[..]
    } else {
        &FACTORS[..UNCOUNTED]
    };
    show::grid(header, factors(table, &facts.sizes))
}

/// Writes a table of factors, a column for each size.
pub fn factors<Size>(table: &[Factor<Size>], sizes: &[Size]) -> Vec<Vec<String>> {
    let row = |(name, of): &Factor<Size>| {
        let values = sizes.iter().map(|it| factor(of(it)));
        [(*name).to_owned()].into_iter().chain(values).collect()
    };
    table.iter().map(row).collect()
}

/// Begins a header with a column for each size.
fn on<'a>(facts: &'a Facts, first: &str) -> impl Iterator<Item = String> + 'a {
    let sizes = facts.sizes.iter().map(|it| format!("on {}", it.ranks));
    [first.to_owned()].into_iter().chain(sizes)
}

fn rows(facts: &Facts, top: usize) -> String {
    let more = ["lost", "of the loss", "times ideal", "grows as", ""];
    let header = on(facts, "core time").chain(more.map(str::to_owned));
    let rows = facts.rows.iter().map(|row| (&row.of, cells(row)));
    table_of_rows(header.collect(), rows, top)
}

/// Writes a table of rows that have some time at all: of each its times, then cells of its own.
pub fn table_of_rows<'a>(
    header: Vec<String>,
    rows: impl Iterator<Item = (&'a OfRow, Vec<String>)>,
    top: usize,
) -> String {
    let has_some = |(row, _): &(&OfRow, _)| row.core_ns.iter().any(|ns| *ns != 0);
    let all = rows.filter(has_some).map(|(row, last)| {
        let first = [row.named.what.clone()];
        first.into_iter().chain(times(&row.core_ns)).chain(last)
    });
    let all: Vec<Vec<String>> = all.map(Iterator::collect).collect();
    let rest = match all.len().saturating_sub(top) {
        0 => String::new(),
        rest => format!("\n  … and {rest} more: --top {}", all.len()),
    };
    show::grid(header, all.into_iter().take(top).collect()) + &rest
}

fn cells(row: &RowFacts) -> Vec<String> {
    let growth = row.of.exponent.zip(row.of.exponent_half_width);
    let growth = growth.filter(|it| it.1 <= UNSURE);
    let growth = growth.map_or("cannot tell".to_owned(), |(exponent, half_width)| {
        power_of("P", exponent, half_width)
    });
    vec![
        signed(row.of.excess_ns),
        row.share_percent.map_or_else(String::new, signed_percent),
        row.times_ideal.map_or("–".to_owned(), show::three_digits),
        growth,
        spread(&row.of),
    ]
}

/// Writes a power of something, with the minus of other figures.
pub fn power_of(of: &str, exponent: f64, half_width: f64) -> String {
    // What rounds to nothing has no sign.
    let sign = if exponent <= -0.005 { "−" } else { "" };
    format!("{of}^{sign}{:.2} ± {half_width:.2}", exponent.abs())
}

/// Says of a row that what it exceeds is no more than repetitions differ.
pub fn spread(row: &OfRow) -> String {
    match row.within_spread {
        Some(true) => "within spread".to_owned(),
        _ => String::new(),
    }
}

/// Says how far runs that are compared as one differ.
pub fn between(runs: &OfRuns) -> String {
    match runs.paths.len() {
        1 => "–".to_owned(),
        _ => time(runs.longest_ns - runs.shortest_ns),
    }
}

fn causes(facts: &Facts) -> String {
    let all = facts.causes.iter().flatten();
    let all: Vec<&CauseFacts> = all.filter(|it| it.excess_ns > 0).collect();
    if all.is_empty() {
        return String::new();
    }
    let more = ["lost", "most on rank"].map(str::to_owned);
    let header = on(facts, "others wait for").chain(more);
    let row = |it: &&CauseFacts| {
        let last = [signed(it.excess_ns), it.rank.to_string()];
        let first = [it.named.what.clone()]
            .into_iter()
            .chain(times(&it.waiting_ns));
        first.chain(last).collect()
    };
    let rows = all.iter().take(CAUSES).map(row);
    show::grid(header.collect(), rows.collect())
}

/// Writes times; what is none as a dash.
pub fn times(all: &[i64]) -> impl Iterator<Item = String> + '_ {
    all.iter().map(|ns| match ns {
        0 => "–".to_owned(),
        ns => time(*ns),
    })
}

/// Writes a time.
pub fn time(ns: i64) -> String {
    show::duration(ns as f64)
}

/// Writes a time with its sign.
pub fn signed(ns: i64) -> String {
    match ns {
        0 => "±0".to_owned(),
        ns if ns > 0 => format!("+{}", time(ns)),
        ns => format!("−{}", show::duration(-(ns as f64))),
    }
}

/// Writes a percentage with its sign, if that is a minus.
pub fn signed_percent(value: f64) -> String {
    match value < 0.0 {
        true => format!("−{}", show::percent(-value)),
        false => show::percent(value),
    }
}

/// Writes a share in percent.
pub fn percent(share: f64) -> String {
    show::percent(share * 100.0)
}

fn factor(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), percent)
}
