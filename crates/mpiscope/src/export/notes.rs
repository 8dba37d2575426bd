//! What an export says of what is not in it.

use mpiscope_analysis::evidence::Evidence;

use super::source::Source;
use crate::evidence;
use crate::report::show;

/// What the input itself lacks.
pub fn of_input(source: &Source) -> Vec<String> {
    let mut notes = source.input.not_kept();
    let matching = &source.matching;
    let unmatched = [
        (matching.unmatched_sends.len(), "send"),
        (matching.unmatched_receives.len(), "receive"),
    ];
    let unmatched: Vec<String> = unmatched
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| show::counted(*count as u64, what))
        .collect();
    if !unmatched.is_empty() {
        notes.push(format!(
            "the other side of {} is not in the trace: these are among the events and no messages",
            unmatched.join(" and ")
        ));
    }
    let evidence = Evidence::of(source.trace, matching);
    notes.extend(evidence::sentences(source.trace, &evidence));
    notes.extend(reversed(source));
    notes.extend(source.clock_note.clone());
    notes
}

/// Says how many messages seem to arrive before they were sent, and what would mend that.
fn reversed(source: &Source) -> Option<String> {
    let time = |event| source.trace.time(event);
    let messages = source.matching.messages.iter();
    let reversed = messages.filter(|it| time(it.receive) < time(it.send));
    let count = reversed.count() as u64;
    (count > 0).then(|| {
        format!(
            "by these clocks {} received before sent; `mpiscope sync {}` corrects the times",
            show::counted(count, "message") + if count == 1 { " was" } else { " were" },
            show::word(&source.input.path)
        )
    })
}

/// What the shape of call stacks does not allow.
#[derive(Debug, Default)]
pub struct Stacks {
    /// Regions that were never left, and end where the one around them does.
    pub cut: u64,
    /// Leaves of what was never entered.
    pub unopened: u64,
    /// Times that lay before the one before.
    pub backward: u64,
    /// Events that no stack has room for.
    pub others: u64,
}

impl Stacks {
    /// Says what there is of it.
    pub fn sentences(&self, format: &str) -> Vec<String> {
        let sentences = [
            (
                self.others,
                "event",
                "lacks",
                format!("for which {format} has no place"),
            ),
            (
                self.cut,
                "call",
                "ends",
                "which the program never left, with the call around or with the location".into(),
            ),
            (
                self.unopened,
                "leave",
                "lacks",
                "as nothing of that name had been entered".into(),
            ),
            (
                self.backward,
                "event",
                "delays",
                "whose time lay before that of the event before".into(),
            ),
        ];
        let there = sentences.into_iter().filter(|(count, ..)| *count > 0);
        there
            .map(|(count, what, does, why)| {
                format!("the file {does} {}, {why}", show::counted(count, what))
            })
            .collect()
    }
}
