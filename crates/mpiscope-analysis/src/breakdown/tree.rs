//! The calls of one location as a tree: one pass over its events.

use std::ops::Range;

use mpiscope_model::events::ThreadEvent;
use mpiscope_model::{
    CallSiteId, Duration, EventKind, Events, Location, RegionId, Timestamp, Trace,
};
use rustc_hash::FxHashMap;

use super::calls::Calls;
use super::{Selection, Sent, Sum, Used, What};
use crate::nesting::Nesting;
use crate::timeline::Regions;
use crate::wait_states::WaitState;

/// The node that stands for no region.
const ROOT: u32 = 0;

/// A region that was reached by one path.
#[derive(Debug)]
pub(super) struct Node {
    pub parent: u32,
    pub what: What,
    pub site: Option<CallSiteId>,
    pub visits: u64,
    /// Exclusive.
    pub time: Duration,
    pub waiting: Duration,
    pub is_selected: bool,
    /// It, or a region around it, is one of those that were asked for.
    is_within: bool,
    /// It is of the groups that were asked for.
    is_wanted: bool,
    /// It is a call of MPI, or a part of one.
    pub is_mpi: bool,
    /// Waiting for others is known in it.
    may_wait: bool,
}

/// What is known of a location.
#[derive(Debug)]
pub(super) struct OfLocation {
    /// Parents before children.
    pub nodes: Vec<Node>,
    pub communicators: FxHashMap<Used, Sum>,
    pub sizes: FxHashMap<u32, Sent>,
    /// By world rank.
    pub receivers: FxHashMap<Option<u32>, Sent>,
    /// From its first to its last event, as far as it is in the window.
    pub time: Duration,
    pub unopened: u64,
    pub unclosed: u64,
}

impl OfLocation {
    /// Returns the time of all selected nodes.
    pub fn selected(&self) -> Duration {
        let nodes = self.nodes.iter().filter(|node| node.is_selected);
        nodes.fold(Duration::ZERO, |sum, node| sum + node.time)
    }
}

/// What is known of the trace while its locations are looked at.
pub(super) struct Look<'a> {
    pub trace: &'a Trace,
    pub selection: &'a Selection,
    /// The first call site of each line.
    pub first: &'a [CallSiteId],
    pub regions: &'a Regions,
    /// Of each region whether it is a function of MPI.
    pub is_mpi: &'a [bool],
}

impl Look<'_> {
    /// Looks at a location; `times` never go backwards.
    pub fn at(
        &self,
        location: &Location,
        times: &[Timestamp],
        waits: &[WaitState],
        window: Range<Timestamp>,
    ) -> OfLocation {
        let mut pass = Pass {
            look: self,
            events: &location.events,
            nodes: vec![self.node(None, What::Outside, None)],
            children: FxHashMap::default(),
            nesting: Nesting::default(),
            stack: vec![ROOT],
            operation: None,
            is_off: false,
            is_idle: false,
            time: Duration::ZERO,
            waits: Waits::new(waits),
            calls: Calls::new(self.trace, location),
            window,
        };
        let mut since = times.first().copied().unwrap_or_default();
        for (index, &time) in times.iter().enumerate() {
            pass.passes(since, time);
            pass.event(index, time);
            since = time;
        }
        pass.calls.ends();
        OfLocation {
            nodes: pass.nodes,
            communicators: pass.calls.communicators,
            sizes: pass.calls.sizes,
            receivers: pass.calls.receivers,
            time: pass.time,
            unopened: pass.nesting.unopened(),
            unclosed: pass.nesting.open().count() as u64,
        }
    }

    fn node(&self, parent: Option<(u32, &Node)>, what: What, site: Option<CallSiteId>) -> Node {
        let around = parent.filter(|_| what != What::Unrecorded);
        let in_mpi = around.filter(|(_, parent)| parent.is_mpi);
        let within = |regions: &Vec<RegionId>| match what {
            What::Region(region) => regions.contains(&region),
            _ => false,
        };
        let is_within = self.selection.within.as_ref().is_none_or(within)
            || parent.is_some_and(|(_, parent)| parent.is_within);
        let is_wanted = match in_mpi {
            // What a call of MPI calls is of its group.
            Some((_, parent)) => parent.is_wanted,
            None => self.wants(what),
        };
        let of_threads = match what {
            What::Region(region) => self.regions.is_among_threads(region.0),
            _ => what == What::Idle,
        };
        let is_mpi = in_mpi.is_some() || self.is_call(what);
        Node {
            parent: parent.map_or(ROOT, |(number, _)| number),
            what,
            site,
            visits: 0,
            time: Duration::ZERO,
            waiting: Duration::ZERO,
            is_selected: is_within && is_wanted,
            is_within,
            is_wanted,
            is_mpi,
            may_wait: is_mpi || of_threads,
        }
    }

    fn is_call(&self, what: What) -> bool {
        match what {
            What::Region(region) => self.is_mpi.get(region.index()) == Some(&true),
            What::Operation => true,
            _ => false,
        }
    }

    /// Returns whether something is of the groups that were asked for.
    fn wants(&self, what: What) -> bool {
        let Some(only) = &self.selection.only else {
            return true;
        };
        match what {
            What::Region(region) => only.regions.get(region.index()) == Some(&true),
            What::Operation => only.operations,
            What::Outside => only.outside,
            What::Idle => only.idle,
            What::Unrecorded => false,
        }
    }
}

/// The pass over one location.
struct Pass<'a> {
    look: &'a Look<'a>,
    events: &'a Events,
    nodes: Vec<Node>,
    children: FxHashMap<(u32, What, Option<CallSiteId>), u32>,
    nesting: Nesting,
    /// The nodes of what is open: the root, then one for each region of `nesting`.
    stack: Vec<u32>,
    /// The node of an operation without region, and how many nodes are around it.
    operation: Option<(usize, u32)>,
    is_off: bool,
    is_idle: bool,
    time: Duration,
    waits: Waits,
    calls: Calls<'a>,
    window: Range<Timestamp>,
}

impl Pass<'_> {
    /// Counts the time between two events.
    fn passes(&mut self, since: Timestamp, until: Timestamp) {
        let (since, until) = (since.max(self.window.start), until.min(self.window.end));
        if until <= since {
            return;
        }
        let number = self.current();
        let node = &mut self.nodes[number as usize];
        let waiting = match node.may_wait {
            true => self.waits.within(since, until),
            false => Duration::ZERO,
        };
        node.time += until - since;
        node.waiting += waiting;
        self.time += until - since;
        if node.is_selected {
            self.calls.passes(node.is_mpi, until - since, waiting);
        }
    }

    fn event(&mut self, index: usize, time: Timestamp) {
        let kind = self.events.kinds()[index];
        self.is_idle = false;
        match kind {
            EventKind::Enter => self.enter(index, time),
            EventKind::Leave => self.leave(index),
            EventKind::MpiCollectiveBegin => self.begins(index, time),
            EventKind::MpiCollectiveEnd => {
                self.uses(index, time);
                if self.operation.take().is_some() && !self.is_in_mpi() {
                    self.calls.ends();
                }
            }
            EventKind::MeasurementOnOff => self.is_off = self.events.args()[index] == 0,
            EventKind::Thread => self.is_idle = self.ends_team(index),
            _ => self.uses(index, time),
        }
    }

    fn enter(&mut self, index: usize, time: Timestamp) {
        let parent = self.top();
        self.nesting.step(self.events, index);
        let what = What::Region(RegionId(self.events.args()[index]));
        let site = self.events.call_site(index);
        let first = |site: CallSiteId| self.look.first.get(site.index()).copied().unwrap_or(site);
        let node = self.child(parent, what, site.map(first));
        self.stack.push(node);
        self.visit(parent, node, self.events.polls(index).unwrap_or(1), time);
    }

    fn leave(&mut self, index: usize) {
        let was_in_mpi = self.is_in_mpi();
        self.nesting.step(self.events, index);
        let open = self.stack.len() - self.nesting.ended().len();
        self.stack.truncate(open);
        if self.operation.is_some_and(|(around, _)| around > open) {
            self.operation = None;
        }
        if was_in_mpi && !self.is_in_mpi() {
            self.calls.ends();
        }
    }

    /// Begins an operation that stands in no region.
    fn begins(&mut self, index: usize, time: Timestamp) {
        // Of a begin without end nobody knows how long it lasted.
        if self.is_in_mpi() || self.events.args()[index] == u32::MAX {
            return;
        }
        let parent = self.top();
        let node = self.child(parent, What::Operation, None);
        self.operation = Some((self.stack.len(), node));
        self.visit(parent, node, 1, time);
    }

    fn visit(&mut self, parent: u32, number: u32, visits: u64, time: Timestamp) {
        if !self.window.contains(&time) {
            return;
        }
        let is_outermost = !self.nodes[parent as usize].is_mpi;
        let node = &mut self.nodes[number as usize];
        node.visits = node.visits.saturating_add(visits);
        if node.is_selected && node.is_mpi && is_outermost {
            self.calls.begins(visits);
        }
    }

    /// Takes an event that may tell of a communicator and of messages.
    fn uses(&mut self, index: usize, time: Timestamp) {
        let node = &self.nodes[self.top() as usize];
        if node.is_selected {
            let is_in_window = self.window.contains(&time);
            self.calls.event(index, node.is_mpi, is_in_window);
        }
    }

    /// Returns whether a thread ends in a team and next begins in another, and nothing is open.
    fn ends_team(&self, index: usize) -> bool {
        let team = |index: usize| match self.events.kinds().get(index) {
            Some(EventKind::Thread) => {
                let number = self.events.args()[index] as usize;
                self.events.threads().get(number).map(|(_, event)| event)
            }
            _ => None,
        };
        self.top() == ROOT
            && !self.is_off
            && matches!(team(index), Some(ThreadEvent::TeamEnd(_)))
            && matches!(team(index + 1), Some(ThreadEvent::TeamBegin(_)))
    }

    fn is_in_mpi(&self) -> bool {
        self.nodes[self.top() as usize].is_mpi
    }

    /// Returns the innermost node that is open.
    fn top(&self) -> u32 {
        match self.operation {
            Some((around, node)) if around == self.stack.len() => node,
            _ => self.stack.last().copied().unwrap_or(ROOT),
        }
    }

    /// Returns the node in which time passes now.
    fn current(&mut self) -> u32 {
        match (self.is_off, self.is_idle) {
            (true, _) => self.child(self.top(), What::Unrecorded, None),
            (false, true) => self.child(ROOT, What::Idle, None),
            (false, false) => self.top(),
        }
    }

    fn child(&mut self, parent: u32, what: What, site: Option<CallSiteId>) -> u32 {
        let new = self.nodes.len() as u32;
        let number = *self.children.entry((parent, what, site)).or_insert(new);
        if number == new {
            let around = Some((parent, &self.nodes[parent as usize]));
            let node = self.look.node(around, what, site);
            self.nodes.push(node);
        }
        number
    }
}

/// When a location waits: stretches by time that do not overlap.
struct Waits {
    stretches: Vec<(Timestamp, Timestamp)>,
    /// Those before ended in the past.
    next: usize,
}

impl Waits {
    fn new(waits: &[WaitState]) -> Waits {
        let mut all: Vec<_> = waits.iter().map(|it| (it.begin, it.end)).collect();
        all.sort_unstable();
        let mut stretches: Vec<(Timestamp, Timestamp)> = Vec::with_capacity(all.len());
        for (begin, end) in all {
            match stretches.last_mut() {
                Some(last) if last.1 >= begin => last.1 = last.1.max(end),
                _ => stretches.push((begin, end)),
            }
        }
        Waits { stretches, next: 0 }
    }

    /// Returns how much of a stretch is waiting; each stretch begins where the last ended, or later.
    fn within(&mut self, since: Timestamp, until: Timestamp) -> Duration {
        let past = |(_, end): &&(Timestamp, Timestamp)| *end <= since;
        self.next += self.stretches[self.next..].iter().take_while(past).count();
        let these = self.stretches[self.next..].iter();
        let these = these.take_while(|(begin, _)| *begin < until);
        these.fold(Duration::ZERO, |sum, (begin, end)| {
            sum + ((*end).min(until) - (*begin).max(since))
        })
    }
}
