//! Choices and differences in words.

use mpiscope_run::order::{Found, Outcome, Taken};

use super::Report;
use crate::report::show;

/// Says what a receive took.
pub fn taken(taken: Taken) -> String {
    match taken.tag {
        Some(tag) => format!("rank {}, tag {tag}", taken.source),
        None => format!("rank {}", taken.source),
    }
}

/// Says what a wait or poll returned.
pub fn outcome(outcome: &Outcome) -> String {
    let index = |index: Option<u32>| index.map_or("no request".into(), |k| format!("request {k}"));
    let indices = |all: &Option<Vec<u32>>| match all {
        None => "no request".to_owned(),
        Some(all) => format!("requests {}", show::list(all, 6)),
    };
    match outcome {
        Outcome::Index(k) => index(*k),
        Outcome::Indices(all) => indices(all),
        Outcome::Success { misses, found } => {
            let found = match found {
                Found::Nothing => "yes".to_owned(),
                Found::Index(k) => index(*k),
                Found::Indices(all) => indices(all),
                Found::Message(it) => taken(*it),
            };
            format!("{found} after {misses} in vain")
        }
    }
}

/// Writes the report.
pub fn text(report: &Report) -> String {
    let mut lines = vec![match report.equal {
        true => format!(
            "{} and {} took their messages in the same order: {}",
            report.a,
            report.b,
            show::counted(report.compared, "choice")
        ),
        false => format!(
            "{} and {} differ; the first of each thread:",
            report.a, report.b
        ),
    }];
    lines.extend(report.notes.iter().map(|note| format!("note: {note}")));
    for it in &report.differences {
        let thread = match it.thread {
            0 => String::new(),
            thread => format!(", thread {thread}"),
        };
        let call = it
            .call
            .as_ref()
            .map_or(String::new(), |call| format!(", {call}"));
        let first = if it.first {
            " (follows from no other)"
        } else {
            ""
        };
        lines.push(format!(
            "  rank {}{thread}, {} {}{call}: {} | {}{first}",
            it.rank, it.what, it.number, it.a, it.b
        ));
    }
    lines.join("\n")
}
