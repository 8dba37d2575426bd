//! What the input cannot tell, and why: never taken for absent.

use std::borrow::Cow;

use mpiscope_analysis::errors;
use mpiscope_analysis::evidence::Evidence;
use mpiscope_archive::model::{EventKind, Trace};
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
        .then(|| "functions of MPI were left out of the trace (--filter, --only-mpi)".to_owned())
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
