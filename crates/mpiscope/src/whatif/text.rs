//! The report as people read it.

use super::facts::{Facts, Mending, Rank};
use crate::cli::Whatif;
use crate::report::show::{self, counted};

/// Writes the report; `clock` names the times.
pub fn text(facts: &Facts, clock: &str, arguments: &Whatif) -> String {
    let top = arguments.top as usize;
    let parts = [
        head(facts, clock),
        lengths(facts),
        facts.warnings.join("\n"),
        ranks(facts, top),
        mendings(facts, top),
        list("taken for granted", &facts.assumptions),
        list("not modelled", &facts.not_modelled),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

fn time(ns: i64) -> String {
    show::duration(ns as f64)
}

fn head(facts: &Facts, clock: &str) -> String {
    let what = format!(
        "{}: {} replayed, in {clock}",
        facts.path.display(),
        counted(facts.ranks, "rank")
    );
    let changes = facts.changes.iter().map(|it| format!("what if {it}"));
    let lines: Vec<String> = [what].into_iter().chain(changes).collect();
    lines.join("\n")
}

fn lengths(facts: &Facts) -> String {
    let unchanged = match facts.unchanged_error_ns {
        0 => "exactly as measured: what a replay does not explain stays as it was".to_owned(),
        ns => format!("{} of the measured time: see below", signed(ns)),
    };
    let mut rows = vec![
        (
            "measured",
            facts.measured_ns,
            "first to last event".to_owned(),
        ),
        (
            "replayed with nothing changed",
            facts.unchanged_ns,
            unchanged,
        ),
    ];
    if let Some(predicted) = facts.predicted_ns {
        let change = signed_share(
            predicted.saturating_sub(facts.measured_ns),
            facts.measured_ns,
        );
        let speedup = facts.speedup.map(show::three_digits);
        let speedup = speedup.filter(|it| it != "1");
        let speedup = speedup.map_or(String::new(), |it| format!(": {it} times as fast"));
        rows.push(("predicted", predicted, change + &speedup));
    }
    let row =
        |(what, ns, more): &(&str, i64, String)| format!("  {what:<30}{:>9}  {more}", time(*ns));
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// Writes `+3.2 ms`.
fn signed(ns: i64) -> String {
    match ns {
        0 => "±0".to_owned(),
        _ => format!(
            "{}{}",
            if ns > 0 { "+" } else { "−" },
            time(ns.saturating_abs())
        ),
    }
}

fn signed_share(ns: i64, whole: i64) -> String {
    let share = show::share(ns.unsigned_abs(), whole.max(0) as u64);
    match ns {
        0 => "no change".to_owned(),
        _ if share.starts_with('<') => share,
        _ => format!("{}{share}", if ns > 0 { "+" } else { "−" }),
    }
}

fn ranks(facts: &Facts, top: usize) -> String {
    if facts.by_rank.is_empty() {
        return String::new();
    }
    let mut all: Vec<&Rank> = facts.by_rank.iter().collect();
    if all.len() > top {
        let change = |it: &Rank| {
            let waiting = it
                .predicted_waiting_ns
                .saturating_sub(it.waiting_ns)
                .saturating_abs();
            waiting.max(
                it.predicted_time_ns
                    .saturating_sub(it.time_ns)
                    .saturating_abs(),
            )
        };
        all.sort_by_key(|it| (std::cmp::Reverse(change(it)), it.rank));
    }
    let row = |it: &&Rank| {
        [
            it.rank.to_string(),
            time(it.time_ns),
            time(it.predicted_time_ns),
            signed(it.predicted_time_ns.saturating_sub(it.time_ns)),
            time(it.waiting_ns),
            time(it.predicted_waiting_ns),
            signed(it.predicted_waiting_ns.saturating_sub(it.waiting_ns)),
        ]
    };
    let header = [
        "rank", "time", "then", "change", "waiting", "then", "change",
    ];
    let rows = all.iter().take(top).map(row).collect();
    show::table(header, rows) + &more(all.len(), top)
}

/// How the table of changes begins.
pub const HEADER: [&str; 4] = [
    "what if, each by itself",
    "predicted",
    "change",
    "of the run",
];

/// Returns at most so many rows of changes of a run that took so long.
pub fn rows(mendings: &[Mending], measured_ns: i64, top: usize) -> Vec<[String; 4]> {
    let row = |it: &Mending| {
        [
            it.change.clone(),
            time(it.predicted_ns),
            signed(it.gain_ns.saturating_neg()),
            signed_share(it.gain_ns.saturating_neg(), measured_ns),
        ]
    };
    let shown = super::mendings::top(mendings, top);
    shown.into_iter().map(row).collect()
}

/// Says how many changes gain nothing; nothing if all do.
pub fn without_gain(changes: u64) -> String {
    match changes {
        0 => String::new(),
        1 => "1 other change was tried and gains nothing".to_owned(),
        some => format!("{some} other changes were tried and gain nothing"),
    }
}

fn mendings(facts: &Facts, top: usize) -> String {
    let without = without_gain(facts.without_gain);
    if facts.mendings.is_empty() {
        return without;
    }
    let rows = rows(&facts.mendings, facts.measured_ns, top);
    let options = facts.mendings.first().map(|it| {
        let words: Vec<String> = it.options.iter().map(|word| quoted(word)).collect();
        format!(
            "\nthe first of them more closely: mpiscope whatif {} {}",
            show::word(&facts.path),
            words.join(" ")
        )
    });
    let without = match without.is_empty() {
        true => without,
        false => format!("\n  {without}"),
    };
    let more = more(facts.mendings.len(), top);
    show::table(HEADER, rows) + &more + &without + &options.unwrap_or_default()
}

/// Writes a word as a shell reads it.
fn quoted(word: &str) -> String {
    show::word(std::path::Path::new(word))
}

fn more(all: usize, top: usize) -> String {
    match all.saturating_sub(top) {
        0 => String::new(),
        rest => format!("\n  … and {rest} more: --top {all}"),
    }
}

fn list(title: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = lines.iter().map(|it| format!("  {it}")).collect();
    format!("{title}:\n{}", lines.join("\n"))
}
