//! The n-th collective operation of each member of a communicator belong
//! together, in the order in which they began.

use rustc_hash::FxHashMap;

use super::channels::{Channels, Key, Moment, Stretch, NONE, UNKNOWN};
use super::groups::{Groups, Membership};
use crate::definitions::CommId;
use crate::events::{Collective, Events, Note, RequestId};
use crate::messages::{CollectiveInstance, CollectiveMember, Matching};
use crate::trace::{EventRef, Trace};

/// Brings together the calls of all processes.
pub(super) fn collect(trace: &Trace, calls: &[Calls], groups: &Groups, matching: &mut Matching) {
    let count = calls.iter().map(|calls| calls.all.len()).sum();
    let mut assembly = Assembly::new(trace, groups, count, matching);
    for (process, calls) in calls.iter().enumerate() {
        assembly.add(process, calls.stretches(), calls.told(trace));
    }
    assembly.gather();
}

/// One call of a collective operation.
#[derive(Clone, Copy)]
struct Call {
    enter: Option<EventRef>,
    exit: EventRef,
    /// Where its exit's location tells the particulars.
    row: Row,
    /// Whose next it is.
    stretch: u32,
}

/// A row among the blocking operations of a location, or the nonblocking ones.
#[derive(Clone, Copy)]
enum Row {
    /// It has not ended yet.
    Open,
    /// It is nonblocking, and has not completed yet.
    Initiated,
    Blocking(u32),
    Nonblocking(u32),
}

impl Call {
    fn open(enter: EventRef) -> Call {
        Call {
            enter: Some(enter),
            exit: enter,
            row: Row::Open,
            stretch: NONE,
        }
    }

    /// Returns it with its particulars.
    #[inline(always)]
    fn told(&self, trace: &Trace) -> Told {
        let events = &trace.locations[self.exit.location.index()].events;
        Told {
            enter: self.enter,
            exit: self.exit,
            collective: match self.row {
                Row::Open | Row::Initiated => None,
                Row::Blocking(row) => events.collectives().get(row as usize).copied(),
                Row::Nonblocking(row) => events.completions().get(row as usize).map(|it| it.1),
            },
            initiated: matches!(self.row, Row::Initiated),
            stretch: self.stretch,
        }
    }
}

/// A call with what its end tells of it.
pub(super) struct Told {
    pub enter: Option<EventRef>,
    pub exit: EventRef,
    /// Nothing if it has not ended.
    pub collective: Option<Collective>,
    /// It is nonblocking, and has not completed.
    initiated: bool,
    /// Which of the stretches it was counted on.
    pub stretch: u32,
}

/// The collective operations of one process, in the order in which they began.
#[derive(Default)]
pub(super) struct Calls {
    all: Vec<Call>,
    channels: Channels,
    /// Nonblocking operations under way: the row in `all`, and which of the
    /// persistent ones of its communicator it is.
    initiated: FxHashMap<u64, (usize, Option<u64>)>,
}

impl Calls {
    /// Returns the calls of a process with their particulars.
    pub fn told<'a>(&'a self, trace: &'a Trace) -> impl Iterator<Item = Told> + 'a {
        self.all.iter().map(|call| call.told(trace))
    }

    /// Returns the stretches that they were counted on.
    pub fn stretches(&self) -> &[Stretch] {
        &self.channels.stretches
    }

    /// Reads the begin of a blocking operation.
    pub fn begin(&mut self, enter: EventRef) {
        self.all.push(Call::open(enter));
    }

    /// Reads the end of the blocking operation in row `row` of its location.
    pub fn end(&mut self, events: &Events, row: usize, exit: EventRef, moment: Moment) {
        let begin = events.collective_begin(row);
        let enter = begin.map(|begin| EventRef::new(exit.location, begin));
        let call = Call {
            enter,
            exit,
            row: Row::Blocking(row as u32),
            stretch: self.count(events.collectives()[row].comm, None, moment),
        };
        let mut begun = self.all.iter_mut().rev();
        match enter.and_then(|_| begun.find(|call| call.enter == enter)) {
            Some(place) => *place = call,
            None => self.all.push(call),
        }
    }

    /// Reads the initiation of a nonblocking operation, or the start of a
    /// persistent one.
    pub fn initiate(&mut self, events: &Events, request: RequestId, enter: EventRef) {
        let persistent = events.notes_of(enter.index as usize);
        let persistent = persistent.filter_map(|note| match note {
            Note::Persistent(number) => Some(number),
            _ => None,
        });
        let row = self.all.len();
        self.initiated.insert(request.0, (row, persistent.last()));
        self.all.push(Call {
            row: Row::Initiated,
            ..Call::open(enter)
        });
    }

    /// Reads the completion of a nonblocking operation.
    pub fn complete(&mut self, events: &Events, row: usize, exit: EventRef, moment: Moment) {
        let (request, collective) = &events.completions()[row];
        let initiated = self.initiated.remove(&request.0);
        let persistent = initiated.and_then(|(_, persistent)| persistent);
        let call = Call {
            enter: initiated.and_then(|(number, _)| self.all[number].enter),
            exit,
            row: Row::Nonblocking(row as u32),
            stretch: self.count(collective.comm, persistent, moment),
        };
        match initiated {
            Some((number, _)) => self.all[number] = call,
            None => self.all.push(call),
        }
    }

    /// Collective operations of a communicator form one channel, and each that
    /// is persistent another, as it meets itself alone (MPI 4.1 §6.13).
    fn count(&mut self, comm: CommId, persistent: Option<u64>, moment: Moment) -> u32 {
        let which = persistent.map_or(0, |number| number.saturating_add(1));
        let key = Key {
            peer: (which >> 32) as u32,
            comm,
            tag: which as u32,
        };
        self.channels.count(key, moment)
    }
}

/// Rows of the collective operations of one communicator, by their number.
#[derive(Default)]
struct Instances {
    dense: Vec<u32>,
    /// Those whose number is far beyond what was counted.
    sparse: FxHashMap<u64, u32>,
}

/// No operation has this number yet.
const NEW: u32 = u32::MAX;

impl Instances {
    fn of(&mut self, number: u64) -> &mut u32 {
        const NEAR: u64 = 1024;
        let dense = self.dense.len() as u64;
        if number >= dense {
            let near = number < dense + NEAR && !self.sparse.contains_key(&number);
            if !near {
                return self.sparse.entry(number).or_insert(NEW);
            }
            self.dense.resize(number as usize + 1, NEW);
        }
        let place = &mut self.dense[number as usize];
        if *place == NEW && !self.sparse.is_empty() {
            *place = self.sparse.remove(&number).unwrap_or(NEW);
        }
        place
    }
}

/// How far a process has come in the stretches that its calls were counted on.
pub(super) struct Turns<'a> {
    counted: &'a [Stretch],
    turns: Vec<Turn>,
}

struct Turn {
    /// Number of the next operation, if known.
    next: Option<u64>,
    place: Option<Membership>,
}

impl<'a> Turns<'a> {
    pub fn new(groups: &Groups, process: usize, counted: &'a [Stretch]) -> Turns<'a> {
        let turn = |stretch: &Stretch| Turn {
            next: (stretch.first != UNKNOWN).then_some(stretch.first),
            place: groups.place(process, stretch.key.comm),
        };
        Turns {
            counted,
            turns: counted.iter().map(turn).collect(),
        }
    }

    /// Returns where in the communicator the process of the next call stands, and the number of the
    /// call there; nothing if it is not known.
    #[inline(always)]
    pub fn next(&mut self, call: &Told) -> Option<(Membership, u64)> {
        let turn = &mut self.turns[call.stretch as usize];
        let (place, number) = (turn.place?, turn.next?);
        turn.next = number.checked_add(1);
        Some((place, number))
    }

    /// Passes by a call that did not end.
    pub fn pass(&mut self, call: &Told) {
        if call.initiated {
            self.forget();
        }
    }

    /// Forgets the numbers of all that comes next, but for those told after a
    /// pause: an operation that was initiated and never completed does not tell on
    /// which communicator it was counted.
    #[cold]
    fn forget(&mut self) {
        for (turn, stretch) in self.turns.iter_mut().zip(self.counted) {
            if turn.next != Some(stretch.first) || stretch.is_from_begin() {
                turn.next = None;
            }
        }
    }
}

/// Brings together who met.
pub(super) struct Assembly<'a> {
    trace: &'a Trace,
    groups: &'a Groups<'a>,
    /// Of each channel.
    instances: Vec<Instances>,
    channels: FxHashMap<(u32, u32, u32), usize>,
    met: Vec<(u32, CollectiveMember)>,
    matching: &'a mut Matching,
}

impl<'a> Assembly<'a> {
    /// Begins with no operation in `matching`; there will be so many calls.
    pub fn new(
        trace: &'a Trace,
        groups: &'a Groups<'a>,
        calls: usize,
        matching: &'a mut Matching,
    ) -> Assembly<'a> {
        Assembly {
            trace,
            groups,
            instances: Vec::new(),
            channels: FxHashMap::default(),
            met: Vec::with_capacity(calls),
            matching,
        }
    }

    /// Adds the calls of a process, which were counted on these stretches.
    fn add(&mut self, process: usize, counted: &[Stretch], calls: impl Iterator<Item = Told>) {
        let channels: Vec<usize> = counted.iter().map(|it| self.channel(it.key)).collect();
        let mut turns = Turns::new(self.groups, process, counted);
        for call in calls {
            let Some(collective) = &call.collective else {
                turns.pass(&call);
                continue;
            };
            let Some((place, number)) = turns.next(&call) else {
                self.matching.unmatched_collectives.push(call.exit);
                continue;
            };
            let row = self.instance(channels[call.stretch as usize], number, collective);
            match call.enter {
                Some(enter) => self.meet(row, member(enter, call.exit, place, collective)),
                None => self.matching.unmatched_collectives.push(call.exit),
            }
        }
    }

    /// Adds a member to an operation.
    #[inline(always)]
    pub fn meet(&mut self, row: u32, member: CollectiveMember) {
        self.matching.collectives[row as usize].members.end += 1;
        self.met.push((row, member));
    }

    /// Returns the channel of a key.
    pub fn channel(&mut self, Key { peer, comm, tag }: Key) -> usize {
        let new = self.instances.len();
        let channel = *self.channels.entry((peer, comm.0, tag)).or_insert(new);
        if channel == new {
            self.instances.push(Instances::default());
        }
        channel
    }

    /// Returns the operation of a number, and looks whether `collective`
    /// agrees with it.
    pub fn instance(&mut self, channel: usize, number: u64, collective: &Collective) -> u32 {
        let communicator = &self.trace.definitions.communicators[collective.comm.index()];
        let mut alone = NEW;
        let row = match communicator.is_self {
            // One definition for as many communicators as there are
            // processes: each instance is its caller's alone.
            true => &mut alone,
            false => self.instances[channel].of(number),
        };
        let instances = &mut self.matching.collectives;
        if *row == NEW {
            *row = instances.len() as u32;
            instances.push(CollectiveInstance {
                op: collective.op,
                comm: collective.comm,
                root: collective.root,
                members: 0..0,
                complete: false,
                consistent: true,
            });
        }
        let instance = &mut instances[*row as usize];
        // Groups of an intercommunicator name the root differently.
        let one_group = communicator.remote.is_none();
        let same_root = instance.root == collective.root || !one_group;
        instance.consistent &= instance.op == collective.op && same_root;
        *row
    }

    /// Puts the members of each instance together (a counting sort, which
    /// keeps the order in which they came).
    pub fn gather(self) {
        let mut next = Vec::with_capacity(self.matching.collectives.len());
        let mut total = 0;
        for instance in &mut self.matching.collectives {
            next.push(total);
            instance.members = total..total + instance.members.end;
            total = instance.members.end;
            let communicator = &self.trace.definitions.communicators[instance.comm.index()];
            instance.complete = instance.members.len() == communicator.size();
        }
        let Some(&(_, filler)) = self.met.first() else {
            return;
        };
        self.matching.members = vec![filler; total];
        for (row, member) in self.met {
            let place = &mut next[row as usize];
            self.matching.members[*place] = member;
            *place += 1;
        }
    }
}

/// Returns the member that a call makes of its process.
#[inline(always)]
pub(super) fn member(
    enter: EventRef,
    exit: EventRef,
    place: Membership,
    collective: &Collective,
) -> CollectiveMember {
    CollectiveMember {
        enter,
        exit,
        rank: place.rank,
        remote: place.remote,
        sent: collective.sent,
        received: collective.received,
    }
}
