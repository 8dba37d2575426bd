//! What is known of a job at a moment: the fields of `--json`.

use mpiscope_analysis::errors::{ErrorKind, Stand, Standing};
use mpiscope_analysis::last_calls::{is_unrecorded, polling};
use mpiscope_analysis::waiting_for::of_trace::Picture;
use mpiscope_archive::model::{CommId, Event, Trace};
use serde::Serialize;

use super::since::{since, waited};
use crate::call::{self, SourcePlace};
use crate::end_of_run::POLLS_AT_ONCE;
use crate::races::WaitsFor;

/// How a job is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Job {
    /// Some of its processes live.
    Lives,
    /// All ranks came to MPI_Finalize, and their archive is written.
    #[default]
    Finished,
    /// Its processes have ended otherwise.
    Died,
    /// That cannot be told from here.
    Unknown,
}

/// What is known of a job.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Facts {
    /// The run, as given.
    pub run: String,
    /// When it was looked at, nanoseconds since 1970.
    pub at: u64,
    /// How the job is.
    pub job: Job,
    /// When it ended, nanoseconds since 1970, if that is known.
    pub finished: Option<u64>,
    /// The command's exit code, if it has ended and that is known.
    pub exit_code: Option<i32>,
    /// Size of MPI_COMM_WORLD; 0 if nobody knows.
    pub world_size: u32,
    /// What is to be said first, in sentences.
    pub verdict: Vec<String>,
    /// Ranks that certainly wait for ever.
    pub stuck: Vec<u32>,
    /// Groups of them that wait for each other.
    pub circles: Vec<Vec<u32>>,
    /// Ranks that wait for ever if calls that may return earlier do not; those above among them.
    pub presumably_stuck: Vec<u32>,
    /// Groups of these that wait for each other.
    pub presumed_circles: Vec<Vec<u32>>,
    /// The program asked for threads.
    #[serde(skip)]
    pub threads: bool,
    /// What members of a communicator do not agree in.
    pub errors: Vec<String>,
    /// What each thread that has called MPI does, and a row for each rank of which nothing is seen.
    pub ranks: Vec<RankFacts>,
    /// What cannot be told, and why.
    pub cannot_tell: Vec<String>,
}

/// What a thread of a rank does.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RankFacts {
    /// World rank.
    pub rank: u32,
    /// Number of the thread; 0 initialised MPI.
    pub thread: Option<u32>,
    /// Its host.
    pub host: Option<String>,
    /// Its process there.
    pub pid: Option<u32>,
    /// Whether the process lives; nothing if that cannot be told from here.
    pub lives: Option<bool>,
    /// `in_call`, `outside`, `not_recorded`, `finalized`, `no_call` or `not_seen`.
    pub doing: &'static str,
    /// The call that it is in, or the last one before.
    pub call: Option<SourcePlace>,
    /// For how long it has been in that call, or outside of MPI, or has polled, nanoseconds; of a
    /// process that has ended at least.
    pub since_ns: Option<i64>,
    /// How many polls in that time found nothing, at least; nothing if it does not poll.
    pub polls: Option<u64>,
    /// What the call names.
    pub names: Option<Names>,
    /// What has to be done for the call to return; empty if that cannot be told.
    pub waits_for: Vec<WaitsFor>,
    /// All of that; else one thing of it is enough.
    pub all: bool,
}

/// What a call names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Names {
    /// `source`, `destination` or `root`.
    pub role: &'static str,
    /// Rank in the communicator; nothing for MPI_ANY_SOURCE, and where there is no root.
    pub peer: Option<u32>,
    /// The tag; nothing for MPI_ANY_TAG, and in collective operations.
    pub tag: Option<u32>,
    /// The communicator.
    pub communicator: String,
}

pub const IN_CALL: &str = "in_call";
pub const OUTSIDE: &str = "outside";
pub const NOT_RECORDED: &str = "not_recorded";
pub const FINALIZED: &str = "finalized";
pub const NO_CALL: &str = "no_call";
pub const NOT_SEEN: &str = "not_seen";

impl Facts {
    /// Returns whether ranks certainly wait for ever.
    pub fn is_deadlocked(&self) -> bool {
        !self.stuck.is_empty()
    }

    /// Returns whether another look may tell more.
    pub fn may_go_on(&self) -> bool {
        matches!(self.job, Job::Lives | Job::Unknown)
    }

    /// Takes over who waits for ever, and what is an error.
    pub fn of_picture(&mut self, trace: &Trace, picture: &Picture) {
        self.threads = picture.threads;
        let ranks = |all: Vec<usize>| all.into_iter().map(|rank| rank as u32).collect();
        let groups = |all: Vec<Vec<usize>>| all.into_iter().map(ranks).collect();
        self.stuck = ranks(picture.certain.waiting());
        self.circles = groups(picture.certain.circles());
        self.presumably_stuck = ranks(picture.presumed.waiting());
        self.presumed_circles = groups(picture.presumed.circles());
        let said = picture.disagreements.iter().map(|error| {
            let what = match error.kind {
                ErrorKind::CollectiveRoot => "name different roots",
                _ => "call different operations",
            };
            let events = std::iter::once(&error.event).chain(&error.others);
            let calls: Vec<String> = events
                .map(|event| call::named(trace, event.location, &SourcePlace::of(trace, *event)))
                .collect();
            format!("members of one communicator {what}: {}", calls.join(", "))
        });
        self.errors = said.collect();
    }
}

impl RankFacts {
    /// Says what a thread does.
    pub fn of(trace: &Trace, stand: &Stand, after_last: i64) -> RankFacts {
        let location = &trace.locations[stand.location.index()];
        let waits_for = stand.waits_for.iter().map(|waits| WaitsFor {
            ranks: waits.ranks.iter().map(|rank| rank.0).collect(),
            any: waits.any,
        });
        let inside = stand.standing == Standing::Within;
        let since_ns = since(trace, stand, after_last);
        let is_off = !inside && is_unrecorded(trace, stand.location);
        let still = inside || since_ns.is_some_and(|outside| outside < POLLS_AT_ONCE && !is_off);
        let polling = stand
            .call
            .filter(|_| still)
            .and_then(|call| polling(trace, call));
        RankFacts {
            rank: location.rank.0,
            thread: Some(location.thread),
            doing: match stand.standing {
                Standing::Within => IN_CALL,
                Standing::Outside if is_off => NOT_RECORDED,
                Standing::Outside => OUTSIDE,
                Standing::Finalized => FINALIZED,
            },
            call: stand.call.map(|call| SourcePlace::of(trace, call)),
            since_ns: match polling {
                Some(polls) => waited(trace, polls.first, after_last),
                None => since_ns,
            },
            polls: polling.map(|found| found.polls),
            names: names(trace, stand).filter(|_| inside),
            waits_for: waits_for.collect(),
            all: stand.all,
            ..RankFacts::default()
        }
    }
}

/// Returns what the call names that a thread is in.
fn names(trace: &Trace, stand: &Stand) -> Option<Names> {
    let enter = stand.call?;
    let events = &trace.locations[enter.location.index()].events;
    let index = enter.index as usize;
    let communicator = |id: CommId| {
        let comm = trace.definitions.communicators.get(id.index());
        comm.map(|comm| comm.name.clone())
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| format!("communicator {}", id.0))
    };
    if let Some(posted) = events.posted(index) {
        // Of others than receives and probes only the communicator is told there.
        let name = SourcePlace::of(trace, enter).call.unwrap_or_default();
        let name = name.to_lowercase();
        let receives = ["recv", "probe", "start"]
            .iter()
            .any(|it| name.contains(it));
        return Some(Names {
            role: if receives { "source" } else { "root" },
            peer: posted.source.filter(|_| receives),
            tag: posted.tag.filter(|_| receives),
            communicator: communicator(posted.comm),
        });
    }
    if index + 1 >= events.len() {
        return None;
    }
    match (events.event(index + 1), events.posted(index + 1)) {
        (Event::MpiSend(message), _) => Some(Names {
            role: "destination",
            peer: Some(message.peer),
            tag: Some(message.tag),
            communicator: communicator(message.comm),
        }),
        (Event::MpiCollectiveBegin, Some(posted)) => Some(Names {
            role: "root",
            peer: posted.source,
            tag: None,
            communicator: communicator(posted.comm),
        }),
        _ => None,
    }
}
