//! Waiting that a trace cannot tell: never taken for none.

use std::collections::BTreeSet;

use mpiscope_analysis::errors;
use mpiscope_analysis::evidence::Evidence;
use mpiscope_archive::model::definitions::Paradigm;
use mpiscope_archive::model::{CommId, Trace};

use super::facts::{Statement, Unknown};
use super::traced::Told;
use crate::call::SourcePlace;
use crate::evidence;
use crate::report::show;

/// Messages whose receives the trace lacks.
const RECEIVES: &str = "messages whose receives are missing";
/// Messages that stand beside calls.
const OUTSIDE: &str = "messages in no call";

impl Unknown {
    /// Returns whether it is about waiting for other ranks, of which the rest is then a part.
    pub fn is_of_ranks(&self) -> bool {
        self.calls > 0 || [RECEIVES, OUTSIDE].contains(&&*self.what)
    }
}

/// Calls on windows that can wait for another process, without `MPI_Win_`.
const ON_WINDOWS: &[&str] = &[
    "allocate",
    "allocate_shared",
    "complete",
    "create",
    "create_dynamic",
    "fence",
    "flush",
    "flush_all",
    "free",
    "lock",
    "lock_all",
    "start",
    "unlock",
    "unlock_all",
    "wait",
];

/// Returns whether a call may have waited without the trace telling: on
/// windows of which it has no event, for all who opened a file, or in functions of
/// which it tells nothing but their calls.
pub fn is_untold(trace: &Trace, evidence: &Evidence, place: &SourcePlace) -> bool {
    let call = place.call.as_deref().unwrap_or("");
    if is_silent(trace, evidence, call) {
        return true;
    }
    let name = call.to_lowercase();
    let name = name.strip_prefix("mpi_").unwrap_or("");
    let on_window = name.strip_prefix("win_");
    let on_window = on_window.is_some_and(|name| ON_WINDOWS.contains(&name));
    let on_file = name.strip_prefix("file_").is_some_and(|name| {
        let all = ["open", "close", "sync", "set_view", "set_size"].contains(&name);
        all || name.contains("_all") || name.contains("_ordered")
    });
    // Those of CUDA and the like are not what MPI's calls are about.
    let mut windows = trace.definitions.windows.iter();
    let of_mpi = windows.any(|window| window.comm != CommId::NONE);
    on_window && !of_mpi || on_file
}

fn is_silent(trace: &Trace, evidence: &Evidence, call: &str) -> bool {
    let regions = &trace.definitions.regions;
    let mut silent = evidence.silent.iter();
    silent.any(|it| regions[it.region.index()].name == call)
}

/// Lists what is not known of the waiting in a trace; `statements` are those
/// in which it is not.
pub fn all(trace: &Trace, told: &Told, statements: &[&Statement]) -> Vec<Unknown> {
    let evidence = &told.evidence;
    let of_calls = |what: &'static str, prefix: &str, why: &str| {
        let is_one = |it: &&&Statement| {
            let name = it.place.call.as_deref().unwrap_or("").to_lowercase();
            name.starts_with(prefix)
        };
        let these: Vec<&&Statement> = statements.iter().filter(is_one).collect();
        (!these.is_empty()).then(|| Unknown {
            what: what.into(),
            calls: these.iter().map(|it| it.calls).sum(),
            time_ns: Some(these.iter().map(|it| it.time_ns).sum()),
            why: why.to_owned(),
        })
    };
    let windows = of_calls(
        "one-sided communication",
        "mpi_win_",
        "the trace does not tell who waits for whom at windows",
    );
    let files = of_calls(
        "collective operations on files",
        "mpi_file_",
        "the trace does not tell who waits for whom at files",
    );
    let others = [
        pairwise(trace, evidence, statements),
        receives(evidence),
        outside(evidence),
        silent(trace, evidence, statements),
        threads(trace, told),
        metrics(trace),
        hung(trace),
    ];
    let found = [windows, files].into_iter().chain(others);
    found.flatten().collect()
}

/// Operations in which members need not have data for all others: what is neither on windows nor on
/// files, nor of functions that tell nothing.
fn pairwise(trace: &Trace, evidence: &Evidence, statements: &[&Statement]) -> Option<Unknown> {
    let is_one = |it: &&&Statement| {
        let call = it.place.call.as_deref().unwrap_or("");
        let name = call.to_lowercase();
        let others = ["mpi_win_", "mpi_file_"];
        !others.iter().any(|it| name.starts_with(it)) && !is_silent(trace, evidence, call)
    };
    let these: Vec<&&Statement> = statements.iter().filter(is_one).collect();
    (!these.is_empty()).then(|| Unknown {
        what: "collective operations among some".into(),
        calls: these.iter().map(|it| it.calls).sum(),
        time_ns: Some(these.iter().map(|it| it.time_ns).sum()),
        why: "the trace does not tell who sent to whom in MPI_Alltoallv and MPI_Alltoallw, unless \
              everybody sent to all, nor among neighbours whose topology it lacks"
            .into(),
    })
}

fn receives(evidence: &Evidence) -> Option<Unknown> {
    Some(Unknown {
        what: RECEIVES.into(),
        calls: 0,
        time_ns: None,
        why: evidence::receives(evidence)?,
    })
}

fn outside(evidence: &Evidence) -> Option<Unknown> {
    Some(Unknown {
        what: OUTSIDE.into(),
        calls: 0,
        time_ns: None,
        why: evidence::outside(evidence)?,
    })
}

/// Calls of functions that may wait, and of which nothing else is told.
fn silent(trace: &Trace, evidence: &Evidence, statements: &[&Statement]) -> Option<Unknown> {
    let names = evidence::silent(trace, evidence);
    let is_one = |it: &&&Statement| {
        let call = it.place.call.as_deref();
        call.is_some_and(|call| is_silent(trace, evidence, call))
    };
    let these: Vec<&&Statement> = statements.iter().filter(is_one).collect();
    (!these.is_empty()).then(|| Unknown {
        what: "calls of which nothing else is told".into(),
        calls: these.iter().map(|it| it.calls).sum(),
        time_ns: Some(these.iter().map(|it| it.time_ns).sum()),
        why: format!(
            "{}; with whom they communicated, and for whom they waited, is not told",
            show::list(&names, 6)
        ),
    })
}

/// Threads of which only regions are told, and not who came before whom.
fn threads(trace: &Trace, told: &Told) -> Option<Unknown> {
    let regions = trace.definitions.regions.iter();
    let mut paradigms = regions.map(|region| region.paradigm);
    let any = paradigms.any(|it| matches!(it, Paradigm::OpenMp | Paradigm::Pthread));
    (any && !told.of_threads).then(|| Unknown {
        what: "waiting among threads".into(),
        calls: 0,
        time_ns: None,
        why: "the trace does not tell which threads (OpenMP, Pthreads) waited for which others"
            .into(),
    })
}

fn metrics(trace: &Trace) -> Option<Unknown> {
    let metrics = trace.definitions.metrics.iter();
    let metrics: BTreeSet<&str> = metrics.map(|metric| &*metric.name).collect();
    let metrics: Vec<&str> = metrics.into_iter().collect();
    (!metrics.is_empty()).then(|| Unknown {
        what: "metrics".into(),
        calls: 0,
        time_ns: None,
        why: format!("not looked at: {}", show::list(&metrics, 6)),
    })
}

/// Calls that never returned.
fn hung(trace: &Trace) -> Option<Unknown> {
    let calls = errors::unreturned(trace);
    let named = calls.iter().map(|&it| SourcePlace::of(trace, it).shown());
    let mut places: Vec<String> = named.collect();
    places.sort_unstable();
    places.dedup();
    (!places.is_empty()).then(|| Unknown {
        what: "calls that never returned".into(),
        calls: calls.len() as u64,
        time_ns: None,
        why: format!(
            "how long they waited is not recorded: {}; `mpiscope races` says for whom",
            show::list(&places, 4)
        ),
    })
}
