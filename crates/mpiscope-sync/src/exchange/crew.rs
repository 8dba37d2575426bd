//! Who does the parts of a stage: threads of this process, or several processes
//! of which this is one.

use mpiscope_model::plain::{read, written};
use mpiscope_model::{Processes, Trace};

use super::{on_threads, sent_by_first, Division, Exchange, Plain, Threads};

/// As many as there are parts.
#[derive(Clone, Copy)]
pub(crate) enum Crew<'p> {
    /// Threads of this process.
    Threads(usize),
    /// The same, which tell each other everything in bytes.
    InBytes(usize),
    /// Processes: what is done here is one part.
    Processes(&'p dyn Processes),
}

impl<'p> Crew<'p> {
    /// The processes, if there are several, else so many threads.
    pub fn new(processes: Option<&'p dyn Processes>, threads: usize) -> Crew<'p> {
        match processes.filter(|processes| processes.count() > 1) {
            Some(processes) => Crew::Processes(processes),
            None => Crew::Threads(threads.max(1)),
        }
    }

    /// Returns how many parts there are.
    pub fn parts(self) -> usize {
        match self {
            Crew::Threads(parts) | Crew::InBytes(parts) => parts,
            Crew::Processes(processes) => processes.count(),
        }
    }

    /// Returns the parts that are done in this process.
    pub fn here(self) -> std::ops::Range<usize> {
        match self {
            Crew::Threads(parts) | Crew::InBytes(parts) => 0..parts,
            Crew::Processes(processes) => processes.me()..processes.me() + 1,
        }
    }

    /// Divides a trace: for threads by clocks and weights; processes have the
    /// same parts in all stages.
    pub fn divide(
        self,
        trace: &Trace,
        clock_of: &[u32],
        weight: impl Fn(usize) -> usize,
    ) -> Division {
        match self {
            Crew::Threads(parts) | Crew::InBytes(parts) => Division::new(parts, clock_of, weight),
            Crew::Processes(processes) => Division::by_process(processes.count(), trace),
        }
    }

    /// Returns which process has which locations; nothing for threads of one.
    pub fn among_processes(self, trace: &Trace) -> Option<Division> {
        match self {
            Crew::Threads(_) | Crew::InBytes(_) => None,
            Crew::Processes(_) => Some(self.divide(trace, &[], |_| 0)),
        }
    }

    /// Runs `work` for each part that is done here, which begins with what is
    /// its own; returns what each made of it.
    pub fn run<S: Send, R: Send>(
        self,
        parts: Vec<S>,
        work: impl Fn(&Way, S) -> R + Sync,
    ) -> Vec<R> {
        let here = |threads: &Threads, mine| work(&Way::Thread(threads), mine);
        let in_bytes = |threads: &Threads, mine| work(&Way::Bytes(threads), mine);
        match self {
            Crew::Threads(_) => on_threads(parts, here),
            Crew::InBytes(_) => on_threads(parts, in_bytes),
            Crew::Processes(processes) => {
                let way = Way::Process(processes);
                parts.into_iter().map(|mine| work(&way, mine)).collect()
            }
        }
    }

    /// Returns the way from this process to the others, as one part to whom all
    /// parts here belong.
    pub fn outside(self) -> Way<'p> {
        match self {
            Crew::Threads(_) | Crew::InBytes(_) => Way::Alone,
            Crew::Processes(processes) => Way::Process(processes),
        }
    }
}

/// Returns the way to who has the other events of a trace; alone, if all are here.
pub(crate) fn sharers<'p>(trace: &Trace, processes: Option<&'p dyn Processes>) -> Way<'p> {
    let shared = processes.filter(|_| !trace.parts.is_empty());
    Crew::new(shared, 1).outside()
}

/// One part's way to the others.
pub(crate) enum Way<'t> {
    /// There is no other.
    Alone,
    Thread(&'t Threads<'t>),
    Bytes(&'t Threads<'t>),
    Process(&'t dyn Processes),
}

impl Exchange for Way<'_> {
    fn parts(&self) -> usize {
        match self {
            Way::Alone => 1,
            Way::Thread(threads) | Way::Bytes(threads) => threads.parts(),
            Way::Process(processes) => processes.count(),
        }
    }

    fn me(&self) -> usize {
        match self {
            Way::Alone => 0,
            Way::Thread(threads) | Way::Bytes(threads) => threads.me(),
            Way::Process(processes) => processes.me(),
        }
    }

    fn shares_nothing(&self) -> bool {
        matches!(self, Way::Process(_))
    }

    fn all_to_all<T: Plain>(&self, outgoing: Vec<Vec<T>>) -> Vec<Vec<T>> {
        match self {
            Way::Alone => outgoing,
            Way::Thread(threads) => threads.all_to_all(outgoing),
            Way::Bytes(threads) => read(threads.pass(written(&outgoing))),
            Way::Process(processes) => processes.exchange(outgoing),
        }
    }

    fn told_by_first<T: Plain>(&self, mine: Vec<T>) -> Vec<T> {
        match self {
            Way::Process(processes) => processes.tell_list(mine),
            _ => sent_by_first(self, mine),
        }
    }

    fn all_gather<T: Plain>(&self, mine: Vec<T>) -> Vec<Vec<T>> {
        match self {
            Way::Process(processes) => processes.share_all(mine),
            _ => self.all_to_all(vec![mine; self.parts()]),
        }
    }
}

/// Runs `work` as [`on_threads`] does; all that parts tell each other goes through bytes, as it
/// would from one process to another.
#[cfg(test)]
pub(crate) fn in_bytes<S: Send, R: Send>(
    parts: Vec<S>,
    work: impl Fn(&Way, S) -> R + Sync,
) -> Vec<R> {
    Crew::InBytes(parts.len()).run(parts, work)
}
