//! The collective operations of each process, in the order in which it began
//! them: also those that never ended, and those that OTF2 has no event for.
//!
//! The n-th operation of each member of a communicator belong together
//! (MPI 4.1 §6.1, §6.12). A persistent one meets itself alone, and is left out;
//! operations on a window are in an order of their own.

use std::collections::{BTreeMap, BTreeSet};

use mpiscope_model::{
    Collective, CollectiveOp, CommId, Event, EventKind, EventRef, LocationIndex, Note, PostedCall,
    Trace,
};
use rustc_hash::FxHashMap;

use super::calls::{Calls, End};
use super::plain_name;
use crate::processes::Processes;

/// Calls without an event of their own in which all members of the
/// communicator that they ask for, or of its window, take part.
const COLLECTIVE_CALLS: &[&str] = &[
    "comm_dup",
    "comm_dup_with_info",
    "comm_create",
    "comm_split",
    "comm_split_type",
    "cart_create",
    "cart_sub",
    "graph_create",
    "dist_graph_create",
    "dist_graph_create_adjacent",
    "intercomm_merge",
    "win_create",
    "win_create_dynamic",
    "win_allocate",
    "win_allocate_shared",
    "win_fence",
    "win_free",
    "file_open",
];

/// An operation that a process began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    /// Its begin, its initiation, or the entry of its call.
    pub begin: EventRef,
    /// Its end, or nothing if it has none.
    pub end: Option<EventRef>,
}

/// A row of operations: a communicator, and a window made on it.
pub(super) type Row = (CommId, Option<u32>);

/// What all processes began.
#[derive(Default)]
pub(super) struct Sequences {
    of: BTreeMap<(u32, Row), Vec<Begun>>,
    /// Rows in which something never ended.
    pub open: BTreeSet<Row>,
    /// By process: it began something of which the trace does not tell on
    /// which communicator.
    unknown: Vec<bool>,
}

impl Sequences {
    /// Reads all operations of a trace.
    pub fn new(trace: &Trace, processes: &Processes, calls: &Calls) -> Sequences {
        let mut sequences = Sequences {
            unknown: vec![false; processes.locations.len()],
            ..Sequences::default()
        };
        for (process, locations) in (0..).zip(&processes.locations) {
            for &location in locations {
                sequences.read(trace, process, location, calls.ends[location.index()]);
            }
            if locations.len() > 1 {
                let of_process = (process, (CommId(0), None))..(process + 1, (CommId(0), None));
                for (_, begun) in sequences.of.range_mut(of_process) {
                    begun.sort_by_key(|begun| trace.time(begun.begin));
                }
            }
        }
        sequences
    }

    /// Returns the operation of a process in a row with this number.
    pub fn get(&self, process: u32, row: Row, number: usize) -> Option<&Begun> {
        self.of.get(&(process, row))?.get(number)
    }

    /// Returns the operations of a process in a row that never ended, with
    /// their numbers.
    pub fn open_of(&self, process: u32, row: Row) -> impl Iterator<Item = (usize, Begun)> + '_ {
        let begun = self.of.get(&(process, row)).into_iter().flatten();
        let numbered = begun.copied().enumerate();
        numbered.filter(|(_, begun)| begun.end.is_none())
    }

    /// Returns the number of the operation that began at an event.
    pub fn number(&self, process: u32, row: Row, begin: EventRef) -> Option<usize> {
        let begun = self.of.get(&(process, row))?;
        begun.iter().rposition(|begun| begun.begin == begin)
    }

    /// Returns whether it is known on which communicators a process began all
    /// that it began.
    pub fn is_known(&self, process: u32) -> bool {
        !self.unknown[process as usize]
    }

    fn read(&mut self, trace: &Trace, process: u32, location: LocationIndex, end: End) {
        let mut reader = Reader {
            sequences: self,
            process,
            ends_within: match end {
                End::Within(enter) => Some(enter),
                _ => None,
            },
            begun: None,
            requests: FxHashMap::default(),
        };
        let regions: Vec<bool> = (trace.definitions.regions.iter())
            .map(|region| COLLECTIVE_CALLS.contains(&plain_name(&region.name).as_str()))
            .collect();
        let events = &trace.locations[location.index()].events;
        for index in 0..events.len() {
            let at = EventRef::new(location, index);
            let posted = || events.posted(index);
            match events.event(index) {
                Event::Enter(region) if regions.get(region.index()) == Some(&true) => {
                    reader.call(at, posted());
                }
                Event::MpiCollectiveBegin => reader.begin(at, posted()),
                Event::MpiCollectiveEnd(ended) => reader.end(at, ended),
                Event::NonBlockingCollectiveRequest(request) => {
                    let mut notes = events.notes_of(index);
                    let persistent = notes.any(|note| matches!(note, Note::Persistent(_)));
                    reader.initiate(at, request.0, posted().filter(|_| !persistent), persistent);
                }
                Event::NonBlockingCollectiveComplete(request, ended) => {
                    reader.complete(at, request.0, ended);
                }
                _ => {}
            }
        }
        reader.finish();
    }
}

/// Reads one location.
struct Reader<'a> {
    sequences: &'a mut Sequences,
    process: u32,
    ends_within: Option<EventRef>,
    /// A blocking operation that has not ended yet: its begin and, if it is
    /// told, its communicator.
    begun: Option<(EventRef, Option<CommId>)>,
    /// Nonblocking operations under way.
    requests: FxHashMap<u64, Initiated>,
}

/// A nonblocking operation under way.
struct Initiated {
    /// Its row and number; nothing if it is persistent, or its communicator is
    /// not told.
    place: Option<(Row, usize)>,
    persistent: bool,
}

impl Reader<'_> {
    fn push(&mut self, row: Row, begun: Begun) -> usize {
        let all = self.sequences.of.entry((self.process, row)).or_default();
        all.push(begun);
        if begun.end.is_none() {
            self.sequences.open.insert(row);
        }
        all.len() - 1
    }

    /// Reads a call that has no event of its own.
    fn call(&mut self, enter: EventRef, posted: Option<&PostedCall>) {
        let Some(posted) = posted else {
            return;
        };
        let returned = self.ends_within != Some(enter);
        let begun = Begun {
            begin: enter,
            end: returned.then_some(enter),
        };
        self.push((posted.comm, posted.tag), begun);
    }

    fn begin(&mut self, at: EventRef, posted: Option<&PostedCall>) {
        self.begun = Some((at, posted.map(|posted| posted.comm)));
    }

    fn end(&mut self, at: EventRef, ended: &Collective) {
        let begin = self.begun.take().map_or(at, |(begin, _)| begin);
        if is_ordered(ended.op) {
            let end = Some(at);
            self.push((ended.comm, None), Begun { begin, end });
        }
    }

    fn initiate(
        &mut self,
        at: EventRef,
        request: u64,
        posted: Option<&PostedCall>,
        persistent: bool,
    ) {
        let place = posted.map(|posted| {
            let row = (posted.comm, None);
            let begun = Begun {
                begin: at,
                end: None,
            };
            let all = self.sequences.of.entry((self.process, row)).or_default();
            all.push(begun);
            (row, all.len() - 1)
        });
        self.requests
            .insert(request, Initiated { place, persistent });
    }

    fn complete(&mut self, at: EventRef, request: u64, ended: &Collective) {
        match self.requests.remove(&request) {
            Some(Initiated {
                place: Some((row, number)),
                ..
            }) => {
                let all = self.sequences.of.get_mut(&(self.process, row));
                if let Some(begun) = all.and_then(|all| all.get_mut(number)) {
                    begun.end = Some(at);
                }
            }
            Some(Initiated {
                persistent: true, ..
            }) => {}
            // Its place among the others is not known.
            _ if is_ordered(ended.op) => self.sequences.unknown[self.process as usize] = true,
            _ => {}
        }
    }

    /// Notes what never ended.
    fn finish(mut self) {
        match self.begun.take() {
            Some((begin, Some(comm))) => {
                self.push((comm, None), Begun { begin, end: None });
            }
            Some((_, None)) => self.sequences.unknown[self.process as usize] = true,
            None => {}
        }
        for Initiated { place, persistent } in self.requests.values() {
            match place {
                Some((row, _)) => {
                    self.sequences.open.insert(*row);
                }
                None => self.sequences.unknown[self.process as usize] |= !persistent,
            }
        }
    }
}

/// Operations of MPI_COMM_SELF have one member, those of threads no communicator,
/// and what creates something is told elsewhere.
pub(super) fn is_ordered(op: CollectiveOp) -> bool {
    !matches!(
        op,
        CollectiveOp::Init
            | CollectiveOp::Finalize
            | CollectiveOp::CreateHandle
            | CollectiveOp::CreateHandleAndAllocate
            | CollectiveOp::Fence
            | CollectiveOp::ThreadBarrier
    )
}

/// Returns whether an event begins a nonblocking operation.
pub(super) fn is_nonblocking(trace: &Trace, begin: EventRef) -> bool {
    let kinds = trace.locations[begin.location.index()].events.kinds();
    kinds.get(begin.index as usize) == Some(&EventKind::NonBlockingCollectiveRequest)
}
