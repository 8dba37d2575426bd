//! How a program grows with the size of its problem, as people read it.

use super::{Facts, RowFacts, SizeFacts};
use crate::report::show::{self, counted};
use crate::scale::text::{
    between, factors, power_of, signed, signed_percent, spread, table_of_rows, time, Factor, UNSURE,
};

/// So many places are named.
const NAMED: usize = 3;

/// Places with a smaller part of all core time at the largest size are not named, in percent.
const SMALL: f64 = 1.0;

/// Writes the report.
pub fn text(facts: &Facts, top: usize) -> String {
    let notes = facts.notes.iter().map(|it| format!("note: {it}"));
    let parts = [
        facts.verdict.join("\n"),
        sizes(facts),
        efficiencies(facts),
        rows(facts, top),
        notes.collect::<Vec<_>>().join("\n"),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    parts.join("\n\n")
}

/// Says what to know first.
pub fn verdict(facts: &Facts) -> Vec<String> {
    let (Some(first), Some(last)) = (facts.sizes.first(), facts.sizes.last()) else {
        return Vec::new();
    };
    let times = last.of.core_ns as f64 / first.of.core_ns.max(1) as f64;
    let larger = last.size / first.size;
    let mut lines = vec![format!(
        "From size {} to {}, {} times as much, on {} the program takes {} times the core time{}",
        first.size,
        last.size,
        show::three_digits(larger),
        counted(facts.ranks, "rank"),
        show::three_digits(times),
        match power(facts.exponent, facts.exponent_half_width) {
            Some(power) => format!(": it grows as {power}"),
            None => ": with which power it grows cannot be told".to_owned(),
        }
    )];
    let named: Vec<&RowFacts> = outgrowing(facts).take(NAMED).collect();
    lines.extend(named.iter().map(|row| outgrows(row, last)));
    if named.is_empty() {
        lines.push(format!("  {}", none(facts)));
    }
    lines
}

/// Returns the rows that grow faster than all else, and are some of it.
fn outgrowing(facts: &Facts) -> impl Iterator<Item = &RowFacts> {
    let is_some = |row: &&RowFacts| row.share_percent.last().is_some_and(|it| *it >= SMALL);
    let rows = facts.rows.iter().filter(|row| row.outgrows == Some(true));
    rows.filter(|row| row.of.within_spread != Some(true))
        .filter(is_some)
}

fn outgrows(row: &RowFacts, last: &SizeFacts) -> String {
    let own = power(row.of.exponent, row.of.exponent_half_width);
    let own = own.map_or(String::new(), |power| format!(" grows as {power},"));
    let faster = power(row.against_rest, row.against_rest_half_width);
    let faster = faster.map_or("faster than all else".to_owned(), |power| {
        format!("faster than all else by {power}")
    });
    let share = |at: Option<&f64>| show::percent(at.copied().unwrap_or(0.0));
    let shares = (
        share(row.share_percent.first()),
        share(row.share_percent.last()),
    );
    let half = row.half_from.map(|from| match from <= last.size {
        true => format!(", more than half of all from {from} on"),
        false => format!(
            ", more than half of all from about {} on, if it goes on like this",
            rounded(from)
        ),
    });
    format!(
        "  {}:{own} {faster}: {} of core time at the smallest size, {} at the largest{}",
        row.of.named.what,
        shares.0,
        shares.1,
        half.unwrap_or_default()
    )
}

/// Writes a size that was computed.
fn rounded(size: f64) -> String {
    match size >= 1.0 {
        true => show::three_digits(size),
        false => format!("{size:.2e}"),
    }
}

/// Says that nothing is known to grow faster, and why.
fn none(facts: &Facts) -> &'static str {
    let is_told = facts.rows.iter().any(|row| row.against_rest.is_some());
    match is_told {
        true => "no line is known to grow faster than all else",
        false => "which lines grow faster than all else cannot be told",
    }
}

/// Writes a power of the size; nothing of one that is too unsure to tell anything.
fn power(exponent: Option<f64>, half_width: Option<f64>) -> Option<String> {
    let (exponent, half_width) = exponent.zip(half_width).filter(|it| it.1 <= UNSURE)?;
    Some(power_of("N", exponent, half_width))
}

fn sizes(facts: &Facts) -> String {
    let header = ["size", "runs", "time", "spread", "core time", "times"];
    let first = facts.sizes.first().map_or(1, |it| it.of.core_ns.max(1));
    let rows = facts.sizes.iter().map(|it| {
        [
            it.size.to_string(),
            it.of.paths.len().to_string(),
            time(it.of.time_ns),
            between(&it.of),
            time(it.of.core_ns),
            show::three_digits(it.of.core_ns as f64 / first as f64),
        ]
    });
    show::table(header, rows.collect())
}

/// Parallel efficiency and its factors: each is the product of those that are indented below it.
const FACTORS: [Factor<SizeFacts>; 5] = [
    ("parallel", |it| it.of.parallel),
    ("  load balance", |it| it.of.load_balance),
    ("  communication", |it| it.of.communication),
    ("    serialization", |it| it.of.serialization),
    ("    transfer", |it| it.of.transfer),
];

fn efficiencies(facts: &Facts) -> String {
    if facts.sizes.iter().all(|it| it.of.parallel.is_none()) {
        return String::new();
    }
    let header = at(facts, "efficiencies").collect();
    show::grid(header, factors(&FACTORS, &facts.sizes))
}

/// Begins a header with a column for each size.
fn at<'a>(facts: &'a Facts, first: &str) -> impl Iterator<Item = String> + 'a {
    let sizes = facts.sizes.iter().map(|it| format!("at {}", it.size));
    [first.to_owned()].into_iter().chain(sizes)
}

fn rows(facts: &Facts, top: usize) -> String {
    let more = [
        "of all",
        "beyond",
        "grows as",
        "against the rest",
        "half from",
        "",
    ];
    let header = at(facts, "core time").chain(more.map(str::to_owned));
    let rows = facts.rows.iter().map(|row| (&row.of, cells(row)));
    table_of_rows(header.collect(), rows, top)
}

fn cells(row: &RowFacts) -> Vec<String> {
    let told = |power: Option<String>| power.unwrap_or_else(|| "cannot tell".to_owned());
    vec![
        signed_percent(row.share_percent.last().copied().unwrap_or(0.0)),
        signed(row.of.excess_ns),
        told(power(row.of.exponent, row.of.exponent_half_width)),
        told(power(row.against_rest, row.against_rest_half_width)),
        row.half_from.map_or("–".to_owned(), rounded),
        spread(&row.of),
    ]
}
