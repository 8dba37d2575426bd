//! Collective operations: the k-th of each member of a communicator, in the order in which they began,
//! are one (MPI 4.1 §6.1). Who leaves one has heard those whose data it needs, so it needs them.

use mpiscope_analysis::wait_states::Kind;
use mpiscope_model::events::{ROOT_SELF, ROOT_THIS_GROUP};
use mpiscope_model::{CollectiveOp, CommId, Communicator, Event, Note};

use super::{At, Twin, Unless};

/// What one member does in an operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub op: CollectiveOp,
    pub begins: At,
    pub ends: At,
    /// Its rank in its group, and whether that is the second.
    pub rank: u32,
    pub is_second: bool,
    pub root: Option<u32>,
    pub sends: bool,
    pub receives: bool,
    pub is_dense: bool,
}

/// On whom members of an operation depend.
enum Form {
    Root,
    ToRoot,
    All,
    /// All that say that they sent something to everybody.
    Dense,
    Lower,
    /// All, of no bytes too.
    Presence,
    Neighbors,
    DenseNeighbors,
    Nobody,
}

fn form(op: CollectiveOp) -> Form {
    use CollectiveOp::*;
    match op {
        Bcast | Scatter | Scatterv => Form::Root,
        Reduce | Gather | Gatherv => Form::ToRoot,
        Allreduce | Allgather | Allgatherv | Alltoall | ReduceScatter | ReduceScatterBlock => {
            Form::All
        }
        Alltoallv | Alltoallw => Form::Dense,
        Scan | Exscan => Form::Lower,
        NeighborAllgather | NeighborAllgatherv | NeighborAlltoall => Form::Neighbors,
        NeighborAlltoallv | NeighborAlltoallw => Form::DenseNeighbors,
        Barrier | Fence | CreateHandle | Init | Finalize => Form::Presence,
        _ => Form::Nobody,
    }
}

impl Form {
    /// Returns what waiting in an operation is called.
    fn kind(&self, op: CollectiveOp, name: &str) -> Kind {
        match (self, op) {
            (Form::Root, _) => Kind::LateBroadcast,
            (Form::ToRoot, _) => Kind::EarlyReduce,
            (Form::Lower, _) => Kind::EarlyScan,
            (Form::Presence, CollectiveOp::Barrier) => Kind::Barrier,
            (Form::Presence, CollectiveOp::Init) => Kind::Initialization,
            (Form::Presence, CollectiveOp::Finalize) => Kind::Finalization,
            (Form::Presence, _) if name.starts_with("MPI_Win_create") => Kind::WindowCreation,
            (Form::Presence, _) if name.starts_with("MPI_Win_allocate") => Kind::WindowCreation,
            (Form::Presence, _) if name == "MPI_Win_fence" => Kind::Fence,
            (Form::Presence, _) => Kind::Collective,
            _ => Kind::NxN,
        }
    }
}

impl Twin<'_> {
    pub(super) fn collectives(&mut self) {
        for comm in 0..self.trace.definitions.communicators.len() {
            let comm = CommId(comm as u32);
            // Each that is persistent meets itself alone (MPI 4.1 §6.13).
            for persistent in [None, Some(0), Some(1)] {
                let of_member = |location: usize| self.parts(location, comm, persistent);
                let all = (0..self.trace.locations.len()).map(of_member).collect();
                self.meet(comm, all);
            }
            self.creations(comm);
        }
        self.ends("MPI_Init", CollectiveOp::Init);
        self.ends("MPI_Finalize", CollectiveOp::Finalize);
    }

    /// Brings together the k-th operations of all locations.
    pub(super) fn meet(&mut self, comm: CommId, all: Vec<Vec<Option<Part>>>) {
        let most = all.iter().map(Vec::len).max().unwrap_or(0);
        for turn in 0..most {
            let parts = all.iter().filter_map(|of| *of.get(turn)?);
            self.operation(comm, &parts.collect::<Vec<Part>>());
        }
    }

    fn operation(&mut self, comm: CommId, parts: &[Part]) {
        let Some(first) = parts.first() else { return };
        let two = self.comm(comm).is_some_and(|it| it.remote.is_some());
        let agrees = |it: &Part| it.op == first.op && (two || it.root == first.root);
        if !parts.iter().all(agrees) {
            return;
        }
        let (form_of_first, name) = (form(first.op), self.name(first.ends));
        if !matches!(
            form_of_first,
            Form::Neighbors | Form::DenseNeighbors | Form::Nobody
        ) {
            let kind = form_of_first.kind(first.op, &name);
            self.met.push((kind, parts.to_vec()));
        }
        for waits in parts {
            for other in parts {
                let form = form(other.op);
                if self.hears(&form, comm, waits, other, parts) {
                    let kind = form.kind(other.op, &self.name(waits.ends));
                    self.need(waits.ends, other.begins, kind, Unless::Never);
                }
            }
        }
    }

    /// Returns whether one member needs another one's data, or, where that is the operation's
    /// purpose, its presence.
    fn hears(&self, form: &Form, comm: CommId, me: &Part, other: &Part, all: &[Part]) -> bool {
        let is_across = self.comm(comm).is_some_and(|it| it.remote.is_some());
        let gives = other.sends && me.receives;
        let reaches = is_across == (me.is_second != other.is_second);
        reaches
            && match form {
                Form::Root => gives && is_root(other, all, is_across),
                Form::ToRoot => gives && is_root(me, all, is_across),
                Form::All => gives,
                Form::Dense => other.is_dense && me.receives,
                Form::Lower => gives && other.rank < me.rank,
                Form::Presence => true,
                Form::Neighbors => gives && self.edge(comm, other, me),
                Form::DenseNeighbors => other.is_dense && me.receives && self.edge(comm, other, me),
                Form::Nobody => false,
            }
    }

    fn edge(&self, comm: CommId, from: &Part, to: &Part) -> bool {
        let comm = self.comm(comm).and_then(|it| it.destinations.as_ref());
        comm.is_some_and(|of| of[from.rank as usize].contains(&to.rank))
    }

    pub(super) fn comm(&self, comm: CommId) -> Option<&Communicator> {
        self.trace.definitions.communicators.get(comm.index())
    }

    /// Returns the rank of a location in its group of a communicator, and whether that is the second.
    pub(super) fn member(&self, comm: CommId, location: usize) -> Option<(u32, bool)> {
        let comm = self.comm(comm)?;
        let me = self.rank(location);
        let first = comm.members.iter().position(|it| it.0 == me);
        let mut others = comm.remote.iter().flatten();
        let second = others.position(|it| it.0 == me);
        let first = first.map(|rank| (rank as u32, false));
        first.or_else(|| second.map(|rank| (rank as u32, true)))
    }

    pub(super) fn name(&self, event: At) -> String {
        let call = self.call(event);
        call.map_or(String::new(), |call| call.name.clone())
    }

    /// Returns the operations of a location on a communicator, in the order in which they began.
    fn parts(&self, location: usize, comm: CommId, persistent: Option<u64>) -> Vec<Option<Part>> {
        let begins = self.events_of(location).into_iter();
        let begins = begins.filter(|(at, _)| self.persistent(*at) == persistent);
        let ended = begins.filter_map(|(begins, event)| match event {
            Event::MpiCollectiveBegin => Some((begins, self.ended(begins, None)?)),
            Event::NonBlockingCollectiveRequest(it) => {
                Some((begins, self.ended(begins, Some(it.0))?))
            }
            _ => None,
        });
        let parts = ended.filter_map(|(begins, ends)| self.part(begins, ends, comm));
        parts.map(Some).collect()
    }

    /// Returns which persistent operation an event starts.
    fn persistent(&self, (location, event): At) -> Option<u64> {
        let mut notes = self.trace.locations[location].events.notes_of(event);
        notes.find_map(|note| match note {
            Note::Persistent(number) => Some(number),
            _ => None,
        })
    }

    /// Returns where an operation that began ended, if it did.
    fn ended(&self, begins: At, request: Option<u64>) -> Option<At> {
        let after = self.events_of(begins.0).into_iter().skip(begins.1 + 1);
        let mut ends = after.filter(|(_, event)| match event {
            Event::MpiCollectiveEnd(_) => request.is_none(),
            Event::NonBlockingCollectiveComplete(it, _) => request == Some(it.0),
            _ => false,
        });
        ends.next().map(|(at, _)| at)
    }

    fn part(&self, begins: At, ends: At, comm: CommId) -> Option<Part> {
        let (Event::MpiCollectiveEnd(told) | Event::NonBlockingCollectiveComplete(_, told)) =
            self.event(ends)
        else {
            return None;
        };
        if told.comm != comm {
            return None;
        }
        let (rank, is_second) = self.member(comm, ends.0)?;
        let mut notes = self.trace.locations[ends.0].events.notes_of(ends.1);
        Some(Part {
            op: told.op,
            begins,
            ends,
            rank,
            is_second,
            root: told.root,
            sends: told.sent > 0,
            receives: told.received > 0,
            is_dense: notes.any(|note| note == Note::Dense),
        })
    }

    /// All members of a communicator meet where it is created; two groups do not.
    fn creations(&mut self, comm: CommId) {
        let two = self.comm(comm).is_none_or(|it| it.remote.is_some());
        if two {
            return;
        }
        let mut all = Vec::new();
        for location in 0..self.trace.locations.len() {
            let events = self.events_of(location).into_iter();
            let created = events.filter(|(at, event)| self.creates(*at, *event, comm));
            let parts =
                created.map(|(at, _)| self.whole_call(at, comm, CollectiveOp::CreateHandle));
            all.push(parts.collect());
        }
        self.meet(comm, all);
    }

    fn creates(&self, (location, event): At, what: Event, comm: CommId) -> bool {
        let mut notes = self.trace.locations[location].events.notes_of(event);
        what == Event::CommCreate(comm) || notes.any(|note| note == Note::Created(comm))
    }

    /// Returns the part of who meets others in all of the call around an event.
    pub(super) fn whole_call(&self, at: At, comm: CommId, op: CollectiveOp) -> Option<Part> {
        let call = self.call(at)?;
        let (rank, is_second) = self.member(comm, at.0)?;
        Some(Part {
            op,
            begins: (at.0, call.enter),
            ends: (at.0, call.leave),
            rank,
            is_second,
            root: None,
            sends: false,
            receives: false,
            is_dense: false,
        })
    }

    /// All processes meet in a call that each has once.
    fn ends(&mut self, name: &str, op: CollectiveOp) {
        let world = CommId(0);
        let calls = self.calls.iter().filter(|call| call.name == name);
        let parts = calls.map(|call| self.whole_call((call.location, call.enter), world, op));
        let parts: Vec<Part> = parts.flatten().collect();
        self.operation(world, &parts);
    }
}

/// Returns whether a member is the root, as the members tell together: in one group by its rank; else
/// the root says so itself.
fn is_root(part: &Part, all: &[Part], is_across: bool) -> bool {
    let told = |it: &Part| it.root != Some(ROOT_SELF) && it.root != Some(ROOT_THIS_GROUP);
    match is_across {
        true => part.root == Some(ROOT_SELF),
        false => all.iter().all(|it| told(it) && it.root == Some(part.rank)),
    }
}
