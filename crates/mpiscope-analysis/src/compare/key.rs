//! What a row is, by names that two builds of a program share.

use std::fmt;

use mpiscope_model::Trace;

use super::Phase;
use crate::profile::{Activity, Statement};
use crate::timeline::is_init;

/// A call of MPI in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// `MPI_Recv`.
    pub name: String,
    /// Source file without folders, else executable or library; empty if nothing is known.
    pub file: String,
    /// The function around it; empty if it is not known.
    pub function: String,
    /// Line, else where the call returns to in the executable.
    pub at: u64,
    /// `at` is a line.
    pub is_line: bool,
}

impl Call {
    /// Names a statement.
    pub fn of(trace: &Trace, statement: &Statement) -> Call {
        let definitions = &trace.definitions;
        let place = statement.place;
        let site = place
            .site
            .and_then(|id| definitions.call_sites.get(id.index()));
        let region = place
            .region
            .and_then(|id| definitions.regions.get(id.index()));
        let name = region.map(|it| it.name.clone()).filter(|it| !it.is_empty());
        let mut call = Call {
            name: name.unwrap_or_else(|| "a call".to_owned()),
            ..Call::default()
        };
        let Some(site) = site else {
            return call;
        };
        call.function = site.function.clone().unwrap_or_default();
        match (&site.file, site.line) {
            (Some(file), Some(line)) => {
                call.file = base(file).to_owned();
                (call.at, call.is_line) = (line.into(), true);
            }
            _ if !site.module.is_empty() => {
                call.file = base(&site.module).to_owned();
                call.at = site.offset;
            }
            _ => {}
        }
        call
    }

    /// Returns its line, if that is known.
    pub fn line(&self) -> Option<u32> {
        let line = self.is_line.then_some(self.at)?;
        u32::try_from(line).ok()
    }

    fn with(&self, between: &str) -> String {
        let Call { name, file, at, .. } = self;
        match (file.is_empty(), self.is_line) {
            (true, _) => name.clone(),
            (_, true) => format!("{name}{between}{file}:{at}"),
            (_, false) => format!("{name}{between}{file}+{at:#x}"),
        }
    }

    /// Writes `MPI_Recv@heat.c:42`.
    pub fn typed(&self) -> String {
        self.with("@")
    }

    pub(super) fn is_outside(&self) -> bool {
        is_init(&self.name) || self.name == "MPI_Finalize"
    }
}

/// Writes `MPI_Recv at heat.c:42`.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with(" at "))
    }
}

/// Returns a path without folders.
pub(super) fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Of what a change has to be a good part to matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// Of the row itself.
    Own,
    /// Of the time from MPI_Init to MPI_Finalize.
    Time,
    /// Of the time of all ranks.
    Total,
}

/// A row of measures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// From MPI_Init to MPI_Finalize.
    Time,
    /// The length of an iteration, in the middle.
    Iteration,
    /// A part of that time: before, in and after the iterations.
    Phase(Phase),
    /// All computation, summed over ranks.
    Computation,
    /// All waiting, summed over ranks.
    Waiting,
    /// All time in MPI, summed over ranks: of runs of which statistics tell.
    Mpi,
    /// In a call, without waiting as far as that is told apart.
    Call(Call),
    /// Waiting in a call.
    WaitingIn(Call),
    /// In a region of the program.
    Region(String),
    /// Between two calls; nothing for begin and end.
    Between(Option<Call>, Option<Call>),
    /// Threads waited for each other, or idled.
    Threads(Call),
    /// Recording was off.
    Unrecorded,
    /// What of such a row, a region's, a call's or of waiting in one, was reached by these regions,
    /// outermost first.
    Path(Vec<String>, Box<Key>),
}

impl Key {
    /// Names an activity; nothing for what is before MPI is up or after it is down.
    pub(crate) fn of(trace: &Trace, activity: &Activity) -> Option<Key> {
        let call = |it: &Statement| Call::of(trace, it);
        let key = match activity {
            Activity::Mpi(it) => Key::Call(call(it)),
            Activity::Threads(it) => Key::Threads(call(it)),
            Activity::Region(region) => {
                let region = trace.definitions.regions.get(region.index());
                Key::Region(region.map(|it| it.name.clone()).unwrap_or_default())
            }
            Activity::Between(from, to) => {
                Key::Between(from.as_ref().map(call), to.as_ref().map(call))
            }
            Activity::Unrecorded => Key::Unrecorded,
        };
        let is_outside = match &key {
            Key::Call(call) => call.is_outside(),
            Key::Between(None, Some(to)) => is_init(&to.name),
            Key::Between(Some(from), None) => from.name == "MPI_Finalize",
            _ => false,
        };
        (!is_outside).then_some(key)
    }

    /// Returns whether it is a sum of other rows, or the length of something.
    pub fn is_total(&self) -> bool {
        matches!(
            self,
            Key::Time | Key::Iteration | Key::Phase(_) | Key::Computation | Key::Waiting | Key::Mpi
        )
    }

    /// Returns whether it is a length by the clock, and not summed over ranks.
    pub fn is_length(&self) -> bool {
        matches!(self, Key::Time | Key::Iteration | Key::Phase(_))
    }

    /// Returns of what a change of it has to be a good part to matter.
    pub fn whole(&self) -> Whole {
        match self {
            Key::Time | Key::Iteration => Whole::Own,
            Key::Phase(_) => Whole::Time,
            _ => Whole::Total,
        }
    }

    /// Returns the calls in it.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        let (first, second) = match self {
            Key::Call(it) | Key::WaitingIn(it) | Key::Threads(it) => (Some(it), None),
            Key::Between(from, to) => (from.as_ref(), to.as_ref()),
            Key::Path(_, inner) => match &**inner {
                Key::Call(it) | Key::WaitingIn(it) => (Some(it), None),
                _ => (None, None),
            },
            _ => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// Returns the same with other calls.
    pub(super) fn map(&self, other: &impl Fn(&Call) -> Call) -> Key {
        match self {
            Key::Call(it) => Key::Call(other(it)),
            Key::WaitingIn(it) => Key::WaitingIn(other(it)),
            Key::Threads(it) => Key::Threads(other(it)),
            Key::Between(from, to) => {
                Key::Between(from.as_ref().map(other), to.as_ref().map(other))
            }
            Key::Path(around, inner) => Key::Path(around.clone(), Box::new(inner.map(other))),
            key => key.clone(),
        }
    }

    /// Writes it as one types it: `MPI_Recv@heat.c:42`, `relax`, `MPI_Send@a.c:8..MPI_Recv@b.c:9`.
    pub fn typed(&self) -> String {
        let end = |it: &Option<Call>| it.as_ref().map(Call::typed).unwrap_or_default();
        match self {
            Key::Time => "time".to_owned(),
            Key::Iteration => "iteration".to_owned(),
            Key::Phase(phase) => phase.name().to_owned(),
            Key::Computation => "computation".to_owned(),
            Key::Waiting => "waiting".to_owned(),
            Key::Mpi => "mpi".to_owned(),
            Key::Call(it) => it.typed(),
            Key::WaitingIn(it) => format!("waiting in {}", it.typed()),
            Key::Region(name) => name.clone(),
            Key::Between(from, to) => format!("{}..{}", end(from), end(to)),
            Key::Threads(it) => format!("threads in {}", it.typed()),
            Key::Unrecorded => "unrecorded".to_owned(),
            Key::Path(around, inner) => reached(around, &inner.typed()),
        }
    }
}

/// Writes `main/solve/MPI_Recv@heat.c:42`, `waiting in main/solve/MPI_Recv@heat.c:42`.
fn reached(around: &[String], inner: &str) -> String {
    let (before, inner) = match inner.strip_prefix(WAITING_IN) {
        Some(call) => (WAITING_IN, call),
        None => ("", inner),
    };
    format!("{before}{}/{inner}", around.join("/"))
}

/// What names of rows of waiting begin with.
const WAITING_IN: &str = "waiting in ";

/// Writes it as sentences have it.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Time => f.write_str("time from MPI_Init to MPI_Finalize"),
            Key::Iteration => f.write_str("an iteration (median)"),
            Key::Phase(phase) => write!(f, "{phase}"),
            Key::Computation => f.write_str("all computation"),
            Key::Waiting => f.write_str("all waiting"),
            Key::Mpi => f.write_str("all time in MPI"),
            Key::Call(it) => write!(f, "{it}"),
            Key::WaitingIn(it) => write!(f, "waiting in {it}"),
            Key::Region(name) => write!(f, "{name}"),
            Key::Between(None, None) => f.write_str("computation without calls"),
            Key::Between(None, Some(to)) => write!(f, "computation before {to}"),
            Key::Between(Some(from), None) => write!(f, "computation after {from}"),
            Key::Between(Some(from), Some(to)) if from == to => {
                write!(f, "computation between two calls of {to}")
            }
            Key::Between(Some(from), Some(to)) => {
                write!(f, "computation between {from} and {to}")
            }
            Key::Threads(it) => write!(f, "threads that wait in {it}"),
            Key::Unrecorded => f.write_str("recording was off"),
            Key::Path(around, inner) => f.write_str(&reached(around, &inner.to_string())),
        }
    }
}
