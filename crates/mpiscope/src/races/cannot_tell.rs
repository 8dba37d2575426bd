//! What the input cannot tell, and why: never taken for absent.

use std::borrow::Cow;
use std::collections::BTreeMap;

use mpiscope_analysis::errors;
use mpiscope_analysis::evidence::{Evidence, WHY_CALLS_LACK};
use mpiscope_archive::model::{Event, EventKind, Location, Rank, Timestamp, Trace};
use serde::{Deserialize, Serialize};

use crate::evidence;
use crate::input::Input;
use crate::report::show;

/// A question without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CannotTell {
    /// What is not known: `races`, `errors of what is missing`, …
    pub what: Cow<'static, str>,
    /// Why, in a sentence.
    pub why: String,
}

/// Which receives could have got another message.
pub const RACES: &str = "races";
/// Messages that nobody received, requests that were lost, calls that never
/// return: errors that show in what is *not* there.
pub const MISSING: &str = "what is missing";
const DEADLOCKS: &str = "deadlocks and truncation";
const TYPES: &str = "types";
const WINDOWS: &str = "windows";

/// Returns why, if a question has no answer; one row for each reason.
type Row = (&'static str, fn(&Input) -> Option<String>);

const ROWS: &[Row] = &[
    (RACES, wildcards),
    (RACES, lost),
    (RACES, left_out),
    (RACES, threads),
    (MISSING, lost),
    (MISSING, paused),
    (MISSING, left_out),
    (MISSING, unobserved),
    (DEADLOCKS, posted),
    (TYPES, types),
    (WINDOWS, windows),
];

/// Lists what cannot be told.
pub fn all(input: &Input, evidence: &Evidence) -> Vec<CannotTell> {
    let lacks = [evidence::missing(evidence), evidence::impossible(evidence)];
    let lacks = lacks.into_iter().flatten();
    let of_archive = lacks.flat_map(|why| [(RACES, why.clone()), (MISSING, why)]);
    let of_input = ROWS
        .iter()
        .filter_map(|(what, why)| Some((*what, why(input)?)));
    let all = of_input.chain(of_archive);
    let row = |(what, why): (&'static str, _)| CannotTell {
        what: what.into(),
        why,
    };
    all.map(row).collect()
}

fn wildcards(input: &Input) -> Option<String> {
    let trace = &input.trace;
    if trace.definitions.told.wildcards {
        return None;
    }
    let receives = count(trace, |kind| {
        use EventKind::{MpiIrecv, MpiProbe, MpiRecv};
        matches!(kind, MpiRecv | MpiIrecv | MpiProbe)
    });
    (receives > 0).then(|| {
        format!(
            "the archive does not record which of its {} said MPI_ANY_SOURCE",
            show::counted(receives, "receive")
        )
    })
}

fn lost(input: &Input) -> Option<String> {
    let lost = input.run.as_ref()?.lost();
    (!lost.is_empty()).then(|| lost.join(", "))
}

fn paused(input: &Input) -> Option<String> {
    errors::was_switched(&input.trace)
        .then(|| "recording was switched off for a part of the run".to_owned())
}

fn left_out(input: &Input) -> Option<String> {
    (!input.trace.definitions.told.calls)
        .then(|| format!("calls of MPI are not in the trace {WHY_CALLS_LACK}"))
}

/// Which of several threads gets a message is up to them, where they receive on one channel meanwhile.
fn threads(input: &Input) -> Option<String> {
    let trace = &input.trace;
    let mut ranks: BTreeMap<Rank, Vec<&Location>> = BTreeMap::new();
    for location in trace.locations.iter().filter(|it| it.is_thread()) {
        ranks.entry(location.rank).or_default().push(location);
    }
    let share = |(rank, of): (Rank, Vec<&Location>)| share_a_channel(&of).then_some(rank.0);
    let several = ranks.into_iter().filter(|(_, of)| of.len() > 1);
    let sharing: Vec<u32> = several.filter_map(share).collect();
    (!sharing.is_empty()).then(|| {
        format!(
            "several threads of {} receive from one source with one tag: which of them gets a message is \
             not looked at",
            show::ranks(&sharing)
        )
    })
}

/// Returns whether threads of a process receive from one source, with one tag of one communicator,
/// and not one after the other.
fn share_a_channel(threads: &[&Location]) -> bool {
    let mut channels: BTreeMap<(u32, u32, u32), Vec<(Timestamp, Timestamp)>> = BTreeMap::new();
    for thread in threads {
        let mut own: BTreeMap<(u32, u32, u32), (Timestamp, Timestamp)> = BTreeMap::new();
        for (time, event) in thread.events.iter() {
            if let Event::MpiRecv(it) | Event::MpiIrecv(it) = event {
                let span = own
                    .entry((it.peer, it.comm.0, it.tag))
                    .or_insert((time, time));
                span.1 = time;
            }
        }
        for (channel, span) in own {
            channels.entry(channel).or_default().push(span);
        }
    }
    let overlap = |spans: &mut Vec<(Timestamp, Timestamp)>| {
        spans.sort_unstable();
        spans.windows(2).any(|pair| pair[1].0 < pair[0].1)
    };
    channels.values_mut().any(overlap)
}

/// What went past us may have received a message, or completed a request.
fn unobserved(input: &Input) -> Option<String> {
    let names = &input.run.as_ref()?.unobserved;
    (!names.is_empty()).then(|| {
        format!(
            "the program can call what is not observed: {}",
            show::list(names, 4)
        )
    })
}

fn posted(input: &Input) -> Option<String> {
    (!input.trace.definitions.told.posted && has_calls(&input.trace))
        .then(|| "the archive does not record what a call asked for when it began".to_owned())
}

fn types(input: &Input) -> Option<String> {
    (!input.trace.definitions.told.types && has_calls(&input.trace))
        .then(|| "the archive does not record the types of data".to_owned())
}

/// Calls that access windows, without `MPI_`.
const ACCESSES: [&str; 8] = [
    "put",
    "get",
    "accumulate",
    "get_accumulate",
    "fetch_and_op",
    "compare_and_swap",
    "rput",
    "rget",
];

fn windows(input: &Input) -> Option<String> {
    let regions = input.trace.definitions.regions.iter();
    let mut names = regions.map(|region| region.name.to_lowercase());
    let accesses = |name: &String| {
        let name = name.strip_prefix("mpi_");
        name.is_some_and(|name| ACCESSES.contains(&name))
    };
    names
        .any(|name| accesses(&name))
        .then(|| "one-sided communication (MPI_Put and the like) is not looked at".to_owned())
}

fn has_calls(trace: &Trace) -> bool {
    let mut locations = trace.locations.iter();
    locations.any(|it| it.events.kinds().contains(&EventKind::Enter))
}

fn count(trace: &Trace, wanted: impl Fn(EventKind) -> bool) -> u64 {
    let kinds = trace.locations.iter().flat_map(|it| it.events.kinds());
    kinds.filter(|kind| wanted(**kind)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_share_a_channel_meanwhile_cannot_be_told_apart() {
        let of = |first: &str, second: &str| {
            let picture = format!(
                "0: 0 send>1(tag=3) 1 send>1(tag=3) 2 send>1(tag=3)\n1.0: {first}\n1.1: {second}"
            );
            threads(&Input {
                trace: Trace::parse(&picture).unwrap(),
                ..Input::default()
            })
        };
        let told = of("10 recv<0(tag=3) 30 recv<0(tag=3)", "20 recv<0(tag=3)");
        let told = told.unwrap();
        assert!(
            told.starts_with("several threads of rank 1 receive"),
            "{told}"
        );
        let after = of("10 recv<0(tag=3) 30 recv<0(tag=3)", "40 recv<0(tag=3)");
        assert_eq!(after, None);
        let other_tag = of("10 recv<0(tag=3) 30 recv<0(tag=3)", "20 recv<0(tag=4)");
        assert_eq!(other_tag, None);
    }
}
