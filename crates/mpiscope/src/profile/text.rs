//! A profile as people read it.

use super::facts::{Facts, MessageRow, Messages, Row, Table};
use crate::cli::{ByTable, Profile};
use crate::report::show::{self, counted};

/// Writes the report; `clock` names the times.
pub fn text(facts: &Facts, clock: &str, arguments: &Profile) -> String {
    let top = arguments.top as usize;
    let tables = facts.tables.iter().map(|it| table(it, facts, top));
    let messages = facts.messages.iter().map(|it| messages(it, top));
    let lists = [
        list("not known", &facts.unknown),
        list("of the times", &facts.notes),
    ];
    let parts = [head(facts, clock)].into_iter().chain(tables);
    let counters = facts.counters.iter().flat_map(|it| it.text(top));
    let parts = parts.chain(messages).chain(counters).chain(lists);
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

fn time(ns: i64) -> String {
    show::duration(ns as f64)
}

fn share(ns: i64, whole: i64) -> String {
    show::share(ns.max(0) as u64, whole.max(0) as u64)
}

fn head(facts: &Facts, clock: &str) -> String {
    let mut lines = vec![format!(
        "{}: {}, {} of all threads together, in {clock}",
        facts.path.display(),
        counted(facts.ranks, "rank"),
        time(facts.time_ns)
    )];
    if !facts.selection.is_empty() {
        lines.push(format!("selected: {}", facts.selection.join("; ")));
    }
    if facts.selected_ns != facts.time_ns {
        let of = share(facts.selected_ns, facts.time_ns);
        lines.push(format!("of that time {} ({of})", time(facts.selected_ns)));
    }
    lines.join("\n")
}

fn title(by: ByTable) -> &'static str {
    match by {
        ByTable::Region => "region",
        ByTable::Callpath => "call path",
        ByTable::Line => "line",
        ByTable::Location => "location",
        ByTable::Rank => "rank",
        ByTable::Host => "host",
        ByTable::Communicator => "communicator",
        ByTable::Counter => "counter",
        ByTable::Size => "size",
        ByTable::Matrix => "sender and receiver",
        ByTable::HostMatrix => "hosts of sender and receiver",
    }
}

fn table(table: &Table, facts: &Facts, top: usize) -> String {
    let header = [
        title(table.by),
        "visits",
        "inclusive",
        "exclusive",
        "share",
        "waiting",
        "least",
        "mean",
        "most",
        "on rank",
    ];
    if table.rows.is_empty() {
        return format!("{}: nothing is selected", title(table.by));
    }
    let (shown, others) = table.rows.split_at(top.min(table.rows.len()));
    let row = |row: &Row| {
        [
            row.name.clone(),
            show::count(row.visits),
            time(row.inclusive_ns),
            time(row.exclusive_ns),
            share(row.exclusive_ns, facts.time_ns),
            waiting(row.waiting_ns),
            time(row.least_ns),
            time(row.mean_ns),
            time(row.most_ns),
            row.most_rank.to_string(),
        ]
    };
    let mut rows: Vec<[String; 10]> = shown.iter().map(row).collect();
    if !others.is_empty() {
        let sum = |of: fn(&Row) -> i64| {
            others
                .iter()
                .fold(0i64, |sum, it| sum.saturating_add(of(it)))
        };
        let exclusive = sum(|it| it.exclusive_ns);
        let mut row = [const { String::new() }; 10];
        row[0] = format!("and {}", counted(others.len() as u64, "other row"));
        let visits = others.iter().map(|it| it.visits);
        row[1] = show::count(visits.fold(0, u64::saturating_add));
        row[3] = time(exclusive);
        row[4] = share(exclusive, facts.time_ns);
        row[5] = waiting(sum(|it| it.waiting_ns));
        rows.push(row);
    }
    let columns = match table.by {
        // Of one rank there is nothing to spread.
        ByTable::Location | ByTable::Rank => 6,
        _ => header.len(),
    };
    let header = header[..columns].iter().map(|it| (*it).to_owned());
    let rows = rows.into_iter().map(|row| row[..columns].to_vec());
    show::grid(header.collect(), rows.collect())
}

fn waiting(ns: i64) -> String {
    match ns {
        0 => "–".to_owned(),
        ns => time(ns),
    }
}

fn messages(table: &Messages, top: usize) -> String {
    let (shown, others) = match table.by {
        // There are few sizes, and a gap would mislead.
        ByTable::Size => table.rows.split_at(table.rows.len()),
        _ => table.rows.split_at(top.min(table.rows.len())),
    };
    if table.rows.is_empty() {
        return format!("{}: no messages were sent", title(table.by));
    }
    let row = |row: &MessageRow| {
        [
            row.name.clone(),
            show::count(row.messages),
            show::count(row.bytes),
            row.time_ns.map_or(String::new(), time),
        ]
    };
    let sum = |of: fn(&MessageRow) -> u64| others.iter().map(of).fold(0, u64::saturating_add);
    let mut rows: Vec<[String; 4]> = shown.iter().map(row).collect();
    if !others.is_empty() {
        rows.push([
            format!("and {}", counted(others.len() as u64, "other row")),
            show::count(sum(|it| it.messages)),
            show::count(sum(|it| it.bytes)),
            String::new(),
        ]);
    }
    let calls = if table.by == ByTable::Size {
        "in their calls"
    } else {
        ""
    };
    show::table([title(table.by), "messages", "bytes", calls], rows)
}

fn list(title: &str, sentences: &[String]) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    let lines = sentences.iter().map(|it| format!("  {it}"));
    let lines: Vec<String> = [title.to_owned()].into_iter().chain(lines).collect();
    lines.join("\n")
}
