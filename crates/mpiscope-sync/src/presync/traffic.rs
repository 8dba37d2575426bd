//! What the messages of a trace tell about its clocks, in few numbers.
//!
//! A message can only be late. Of all messages from one clock to another
//! within a short cell of time, the fastest says most about how the two clocks
//! stand; the others are forgotten. Collective operations count as the
//! messages they imply, of which the one from the last to enter is tightest.
//! One pass over the trace; all that follows works on these minima, which are
//! kept as the clocks showed them, so that any map can be tried on them.

use mpiscope_model::{CollectiveMember, EventRef, LocationIndex, Matching, Timestamp, Trace};

use super::map::{ClockMap, Near};
use super::minima::{Grid, Minimum, Table};
use super::stay::Stays;
use crate::estimate::Exchanges;
use crate::latest::{Latest, Standing};
use crate::logical::{CollectiveSync, From, Who};
use crate::prefetch::prefetch;
use crate::topology::Topology;

/// The fastest messages of a trace, and what they say without any map.
#[derive(Default)]
pub(crate) struct Traffic {
    /// Fastest message of each direction between two clocks, per cell.
    pub minima: Vec<Minimum>,
    /// Where the cells begin and how wide they are, in the time of the maps
    /// that were used to gather.
    pub grid: Grid,
    /// Some operations that nobody leaves before all have entered.
    pub exits: Vec<Exits>,
    /// Shortest message between processes that read one clock.
    pub same_clock: Option<i64>,
    /// Least sum of two opposite messages within one collective operation.
    pub exchanges: Exchanges,
    /// Host and rack of each clock.
    pub clocks: Vec<(u32, u32)>,
}

/// When the members of a collective operation left it: the first of each
/// clock, as that clock showed it.
pub(crate) struct Exits {
    pub cell: u32,
    pub first: Vec<(u32, Timestamp)>,
}

/// How many messages ahead memory is asked for.
const AHEAD: usize = 16;

/// Of more operations in one cell the exits tell nothing new.
const EXITS_PER_CELL: u8 = 4;

/// Looks at all messages of a trace whose clocks stand about as `maps` say.
pub(crate) fn gather(trace: &Trace, matching: &Matching, maps: &[ClockMap]) -> Traffic {
    let topology = Topology::new(trace);
    let process_of = topology.processes();
    let clocks = topology.of_clocks();
    let clock_of = topology.clock;
    let grid = Grid::of(trace, matching, maps, &clock_of);
    let mut gatherer = Gatherer {
        trace,
        maps: maps.iter().map(Near::of).collect(),
        clock_of: &clock_of,
        process_of,
        stays: Stays::new(clocks.clone()),
        table: Table::new(maps.len(), grid),
        exits_in_cell: vec![0; grid.cells],
        latest: Latest::default(),
        enters: OnePerClock::new(maps.len()),
        exits: OnePerClock::new(maps.len()),
        found: Traffic {
            grid,
            clocks,
            ..Traffic::default()
        },
    };
    for (number, message) in matching.messages.iter().enumerate() {
        if let Some(soon) = matching.messages.get(number + AHEAD) {
            gatherer.look_ahead(soon.send);
        }
        gatherer.message(message.send, message.receive);
    }
    for bound in &matching.bounds {
        gatherer.message(bound.send, bound.receive);
    }
    for instance in &matching.collectives {
        for member in matching.members_of(instance) {
            gatherer.look_ahead(member.enter);
            gatherer.look_ahead(member.exit);
        }
        if let Some(collective) = CollectiveSync::new(trace, matching, instance) {
            gatherer.collective(&collective);
        }
    }
    let mut found = gatherer.found;
    found.minima = gatherer.table.into_minima();
    found
}

struct Gatherer<'a> {
    trace: &'a Trace,
    maps: Vec<Near<'a>>,
    clock_of: &'a [u32],
    /// As in the table of latencies.
    process_of: Vec<u32>,
    table: Table,
    exits_in_cell: Vec<u8>,
    latest: Latest,
    stays: Stays,
    enters: OnePerClock,
    exits: OnePerClock,
    found: Traffic,
}

pub(super) fn lower(least: &mut Option<i64>, value: i64) {
    *least = Some(least.map_or(value, |least| least.min(value)));
}

/// An event with its clock and the time this showed.
#[derive(Clone, Copy)]
struct Reading {
    clock: u32,
    shown: Timestamp,
    mapped: Timestamp,
}

impl Gatherer<'_> {
    fn clock(&self, location: LocationIndex) -> u32 {
        self.clock_of[location.index()]
    }

    fn place(&self, location: LocationIndex) -> Standing {
        Standing {
            location: location.0,
            process: self.process_of.get(location.index()).copied(),
            clock: self.clock(location),
            host: None,
            rack: None,
            site: None,
        }
    }

    /// Asks for the time of an event: others' events lie scattered.
    #[inline(always)]
    fn look_ahead(&self, event: EventRef) {
        let location = &self.trace.locations[event.location.index()];
        prefetch(location.events.times(), event.index as usize);
    }

    fn read(&mut self, event: EventRef) -> Reading {
        let clock = self.clock(event.location);
        let shown = self.trace.time(event);
        let mapped = self.maps[clock as usize].map(shown);
        Reading {
            clock,
            shown,
            mapped,
        }
    }

    #[inline]
    fn message(&mut self, send: EventRef, receive: EventRef) {
        let (from, to) = (send.location, receive.location);
        if from == to {
            return;
        }
        if self.clock(from) == self.clock(to) {
            let rank = |location: LocationIndex| self.trace.locations[location.index()].rank;
            if rank(from) != rank(to) {
                let duration = self.trace.time(receive) - self.trace.time(send);
                lower(&mut self.found.same_clock, duration.0);
            }
            return;
        }
        let (send, receive) = (self.read(send), self.read(receive));
        self.between_clocks(&send, &receive);
    }

    fn between_clocks(&mut self, send: &Reading, receive: &Reading) {
        self.table.add(Minimum {
            from: send.clock,
            to: receive.clock,
            cell: self.found.grid.cell(receive.mapped),
            duration: (receive.mapped - send.mapped).0,
            sent: send.shown,
            received: receive.shown,
        });
    }

    fn collective(&mut self, collective: &CollectiveSync) {
        let rule = collective.rule;
        match (rule.from, rule.senders, rule.receivers) {
            (From::Others, Who::All, Who::All) => self.all_to_all(collective),
            (From::Lower, ..) => self.scan(collective),
            _ => self.rooted(collective),
        }
    }

    fn rooted(&mut self, collective: &CollectiveSync) {
        let members = collective.members;
        let is_root = |member: &&CollectiveMember| Some(member.rank) == collective.root;
        let Some(root) = members.iter().find(is_root) else {
            return;
        };
        for member in members.iter().filter(|member| member.rank != root.rank) {
            let (sender, receiver) = match collective.rule.senders {
                Who::Root => (root, member),
                Who::All => (member, root),
            };
            if collective.sends(sender) && collective.receives(receiver) {
                self.message(sender.enter, receiver.exit);
            }
        }
    }

    /// Looks at each receiver's latest sender alone.
    fn scan(&mut self, collective: &CollectiveSync) {
        let mut in_order: Vec<&CollectiveMember> = collective.members.iter().collect();
        in_order.sort_by_key(|member| member.rank);
        let mut sender: Option<(Timestamp, EventRef)> = None;
        for member in in_order {
            if let Some((_, enter)) = sender.filter(|_| collective.receives(member)) {
                self.message(enter, member.exit);
            }
            let entered = self.read(member.enter).mapped;
            if collective.sends(member) && sender.is_none_or(|(latest, _)| latest < entered) {
                sender = Some((entered, member.enter));
            }
        }
    }

    /// On one clock, each exit follows the latest other enter. Between clocks,
    /// the latest enter and the latest on another clock bound all first exits.
    fn all_to_all(&mut self, collective: &CollectiveSync) {
        let mut latest = std::mem::take(&mut self.latest);
        let mut enters = std::mem::take(&mut self.enters);
        let mut exits = std::mem::take(&mut self.exits);
        latest.clear();
        for member in collective.members.iter().filter(|m| collective.sends(m)) {
            let enter = self.read(member.enter);
            latest.add(enter.shown.0, self.place(member.enter.location));
            enters.keep(enter, |new, old| new > old);
        }
        for member in collective.members.iter().filter(|m| collective.receives(m)) {
            let exit = self.read(member.exit);
            if let Some(enter) = latest.on_clock(self.place(member.exit.location)) {
                let duration = exit.shown.0.saturating_sub(enter);
                lower(&mut self.found.same_clock, duration);
            }
            exits.keep(exit, |new, old| new < old);
        }
        self.shortest_stay(&enters, &exits);
        if !collective.across {
            self.bound_by_latest(&enters.readings, &exits.readings);
            self.keep_exits(&exits.readings);
        }
        enters.clear();
        exits.clear();
        (self.latest, self.enters, self.exits) = (latest, enters, exits);
    }

    /// Looks for exchanges between the clocks of an operation.
    fn shortest_stay(&mut self, enters: &OnePerClock, exits: &OnePerClock) {
        let span = |exit: &Reading| {
            let enter = enters.of(exit.clock)?;
            Some((exit.clock, (exit.shown - enter.shown).0))
        };
        let spans = exits.readings.iter().filter_map(span);
        self.stays.look(spans, &mut self.found.exchanges);
    }

    fn bound_by_latest(&mut self, enters: &[Reading], exits: &[Reading]) {
        let latest = |but: Option<u32>| {
            let others = enters.iter().filter(|enter| Some(enter.clock) != but);
            others.max_by_key(|enter| (enter.mapped, enter.clock))
        };
        let first = latest(None);
        let second = first.and_then(|first| latest(Some(first.clock)));
        for exit in exits {
            let other = |enter: &&Reading| enter.clock != exit.clock;
            if let Some(enter) = first.filter(other).or(second) {
                self.between_clocks(enter, exit);
            }
        }
    }

    fn keep_exits(&mut self, exits: &[Reading]) {
        let Some(last) = exits.iter().map(|exit| exit.mapped).max() else {
            return;
        };
        let cell = self.found.grid.cell(last);
        let kept = &mut self.exits_in_cell[cell as usize];
        if exits.len() > 1 && *kept < EXITS_PER_CELL {
            *kept += 1;
            let first = exits.iter().map(|exit| (exit.clock, exit.shown)).collect();
            self.found.exits.push(Exits { cell, first });
        }
    }
}

/// One reading for each of some clocks.
#[derive(Default)]
struct OnePerClock {
    readings: Vec<Reading>,
    /// Where the reading of each clock is; none are at `u32::MAX`.
    place: Vec<u32>,
}

impl OnePerClock {
    fn new(clocks: usize) -> OnePerClock {
        OnePerClock {
            readings: Vec::new(),
            place: vec![u32::MAX; clocks],
        }
    }

    fn of(&self, clock: u32) -> Option<&Reading> {
        self.readings.get(self.place[clock as usize] as usize)
    }

    fn keep(&mut self, new: Reading, better: fn(Timestamp, Timestamp) -> bool) {
        let place = &mut self.place[new.clock as usize];
        match self.readings.get_mut(*place as usize) {
            Some(old) if better(new.shown, old.shown) => *old = new,
            Some(_) => {}
            None => {
                *place = self.readings.len() as u32;
                self.readings.push(new);
            }
        }
    }

    fn clear(&mut self) {
        for reading in self.readings.drain(..) {
            self.place[reading.clock as usize] = u32::MAX;
        }
    }
}
