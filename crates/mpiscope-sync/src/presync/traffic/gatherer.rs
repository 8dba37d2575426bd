//! What one part of a trace finds.

use mpiscope_model::{EventRef, LocationIndex, Matching, Timestamp, Trace};

use super::readings::{OnePerClock, Reading, Shown};
use super::{lower, ExitRow, EXITS_PER_CELL};
use crate::estimate::Exchanges;
use crate::exchange::{Crew, Division, Exchange, Told, Way};
use crate::latest::{Latest, Standing};
use crate::logical::{CollectiveSync, From, Who};
use crate::prefetch::prefetch;
use crate::presync::map::{ClockMap, Near};
use crate::presync::minima::{Grid, Minimum, Table};
use crate::presync::stay::Stays;
use crate::topology::Topology;

/// How many messages ahead memory is asked for.
const AHEAD: usize = 16;

/// What a part knows, but for the times.
pub(super) struct Known<'a> {
    matching: &'a Matching,
    maps: &'a [ClockMap],
    clock_of: Vec<u32>,
    /// As in the table of latencies.
    process_of: Vec<u32>,
    /// Host and rack of each clock.
    pub clocks: Vec<(u32, u32)>,
    pub grid: Grid,
    pub division: Division,
}

impl<'a> Known<'a> {
    pub fn new(
        trace: &Trace,
        matching: &'a Matching,
        maps: &'a [ClockMap],
        crew: Crew,
        sharers: &Way,
    ) -> Known<'a> {
        let topology = Topology::new(trace);
        let events = |location: usize| trace.locations[location].count();
        Known {
            matching,
            maps,
            process_of: topology.processes(),
            clocks: topology.of_clocks(),
            grid: Grid::of(trace, matching, maps, &topology.clock, sharers),
            division: crew.divide(trace, &topology.clock, events),
            clock_of: topology.clock,
        }
    }

    /// Returns the part that looks at a collective operation, if it has members.
    fn home(&self, number: usize) -> Option<usize> {
        self.division.home(self.matching, number)
    }

    /// Returns which parts read each clock.
    pub fn readers(&self) -> Vec<Vec<u32>> {
        let mut readers = vec![Vec::new(); self.maps.len()];
        for (location, &clock) in (0..).zip(&self.clock_of) {
            readers[clock as usize].push(self.division.part_of(location) as u32);
        }
        for of_clock in &mut readers {
            of_clock.sort_unstable();
            of_clock.dedup();
        }
        readers
    }

    /// Returns the place of a collective operation among all.
    fn order(&self, number: usize) -> u64 {
        let home = self.matching.homes.get(number);
        home.map_or(number as u64, |home| home.order)
    }

    /// Visits the two events of all logical messages.
    fn each_message(&self, mut visitor: impl FnMut(usize, EventRef, EventRef)) {
        let messages = self.matching.messages.iter().map(|m| (m.send, m.receive));
        let bounds = self.matching.bounds.iter().map(|b| (b.send, b.receive));
        for (number, (send, receive)) in messages.chain(bounds).enumerate() {
            visitor(number, send, receive);
        }
    }
}

/// What a part found.
pub(super) struct Gathered {
    /// By pair, cell and direction.
    pub minima: Vec<Minimum>,
    pub exits: Vec<ExitRow>,
    pub same_clock: Option<i64>,
    pub exchanges: Exchanges,
}

impl Gathered {
    /// Looks at all messages to events of this part, and at all operations that
    /// it is home of.
    pub fn new<E: Exchange>(exchange: &E, known: &Known, trace: &Trace) -> Gathered {
        let mut gatherer = Gatherer {
            known,
            trace,
            me: exchange.me(),
            maps: known.maps.iter().map(Near::of).collect(),
            stays: Stays::new(known.clocks.clone()),
            table: Table::new(known.maps.len(), known.grid),
            exits_in_cell: vec![0; known.grid.cells],
            latest: Latest::default(),
            enters: OnePerClock::new(known.maps.len()),
            exits: OnePerClock::new(known.maps.len()),
            found: Gathered {
                minima: Vec::new(),
                exits: Vec::new(),
                same_clock: None,
                exchanges: Exchanges::default(),
            },
        };
        gatherer.messages(exchange);
        gatherer.collectives(exchange);
        let mut found = gatherer.found;
        found.minima = gatherer.table.into_minima();
        found
    }
}

struct Gatherer<'a> {
    known: &'a Known<'a>,
    /// Whose times of other parts' events are never looked at.
    trace: &'a Trace,
    me: usize,
    maps: Vec<Near<'a>>,
    table: Table,
    exits_in_cell: Vec<usize>,
    latest: Latest,
    stays: Stays,
    enters: OnePerClock,
    exits: OnePerClock,
    found: Gathered,
}

impl<'a> Gatherer<'a> {
    /// Looks at all messages that this part receives.
    fn messages<E: Exchange>(&mut self, exchange: &E) {
        let known = self.known;
        let told = exchange.all_to_all(self.sent_to_others(exchange.parts()));
        let mut told = Told::new(told);
        known.each_message(|number, send, receive| {
            if let Some(soon) = known.matching.messages.get(number + AHEAD) {
                if self.is_mine(soon.send) {
                    self.look_ahead(soon.send);
                }
            }
            if self.is_mine(receive) && self.tells_something(send, receive) {
                let sent = self.own_or_told(send, &mut told);
                let received = self.trace.time(receive);
                self.message((send.location, sent), (receive.location, received));
            }
        });
    }

    /// Returns when this part sent messages to each other part, in their order.
    fn sent_to_others(&self, parts: usize) -> Vec<Vec<i64>> {
        let mut sent = vec![Vec::new(); parts];
        if parts > 1 {
            self.known.each_message(|_, send, receive| {
                let to = self.part_of(receive);
                if to != self.me && self.is_mine(send) && self.tells_something(send, receive) {
                    sent[to].push(self.trace.time(send).0);
                }
            });
        }
        sent
    }

    /// Looks at all operations that this part is home of.
    fn collectives<E: Exchange>(&mut self, exchange: &E) {
        let known = self.known;
        let told = exchange.all_to_all(self.shown_to_others(exchange.parts()));
        let mut told = Told::new(told);
        let mut shown: Vec<Shown> = Vec::new();
        for (number, instance) in known.matching.collectives.iter().enumerate() {
            if known.home(number) != Some(self.me) {
                continue;
            }
            let members = known.matching.members_of(instance);
            for event in members
                .iter()
                .flat_map(|member| [member.enter, member.exit])
            {
                if self.is_mine(event) {
                    self.look_ahead(event);
                }
            }
            shown.clear();
            shown.extend(members.iter().map(|member| Shown {
                member,
                enter: self.own_or_told(member.enter, &mut told),
                exit: self.own_or_told(member.exit, &mut told),
            }));
            if let Some(collective) = CollectiveSync::new(self.trace, known.matching, instance) {
                self.collective(known.order(number), &collective, &shown);
            }
        }
    }

    /// Returns when this part's members entered and left operations that other
    /// parts are home of.
    fn shown_to_others(&self, parts: usize) -> Vec<Vec<i64>> {
        let mut shown = vec![Vec::new(); parts];
        let instances = self.known.matching.collectives.iter().enumerate();
        for (number, instance) in instances.filter(|_| parts > 1) {
            let home = self.known.home(number).filter(|home| *home != self.me);
            let members = self.known.matching.members_of(instance);
            let events = members
                .iter()
                .flat_map(|member| [member.enter, member.exit]);
            for event in events.filter(|event| self.is_mine(*event)) {
                if let Some(home) = home {
                    shown[home].push(self.trace.time(event).0);
                }
            }
        }
        shown
    }

    fn part_of(&self, event: EventRef) -> usize {
        self.known.division.part_of(event.location.0)
    }

    #[inline]
    fn is_mine(&self, event: EventRef) -> bool {
        self.known.division.parts() == 1 || self.part_of(event) == self.me
    }

    #[inline]
    fn own_or_told(&self, event: EventRef, told: &mut Told<i64>) -> Timestamp {
        match self.is_mine(event) {
            true => self.trace.time(event),
            false => Timestamp(told.next_of(self.part_of(event)).unwrap_or_default()),
        }
    }

    fn clock(&self, location: LocationIndex) -> u32 {
        self.known.clock_of[location.index()]
    }

    fn place(&self, location: LocationIndex) -> Standing {
        Standing {
            location: location.0,
            process: self.known.process_of.get(location.index()).copied(),
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

    fn read(&mut self, location: LocationIndex, shown: Timestamp) -> Reading {
        let clock = self.clock(location);
        let mapped = self.maps[clock as usize].map(shown);
        Reading {
            clock,
            shown,
            mapped,
        }
    }

    /// Returns whether a message may say anything of clocks: not within a process.
    #[inline]
    fn tells_something(&self, send: EventRef, receive: EventRef) -> bool {
        let (from, to) = (send.location, receive.location);
        let rank = |location: LocationIndex| self.trace.locations[location.index()].rank;
        from != to && (self.clock(from) != self.clock(to) || rank(from) != rank(to))
    }

    /// Looks at one that tells something: who sent and received it, and when.
    #[inline]
    fn message(
        &mut self,
        (from, sent): (LocationIndex, Timestamp),
        (to, received): (LocationIndex, Timestamp),
    ) {
        if self.clock(from) == self.clock(to) {
            lower(&mut self.found.same_clock, (received - sent).0);
            return;
        }
        let (send, receive) = (self.read(from, sent), self.read(to, received));
        self.between_clocks(&send, &receive);
    }

    fn implied(&mut self, sender: &Shown, receiver: &Shown) {
        let (enter, exit) = (sender.member.enter, receiver.member.exit);
        if self.tells_something(enter, exit) {
            let (from, to) = (enter.location, exit.location);
            self.message((from, sender.enter), (to, receiver.exit));
        }
    }

    fn between_clocks(&mut self, send: &Reading, receive: &Reading) {
        self.table.add(Minimum {
            from: send.clock,
            to: receive.clock,
            cell: self.known.grid.cell(receive.mapped),
            duration: (receive.mapped - send.mapped).0,
            sent: send.shown,
            received: receive.shown,
        });
    }

    fn collective(&mut self, order: u64, collective: &CollectiveSync, shown: &[Shown]) {
        let rule = collective.rule;
        match (rule.from, rule.senders, rule.receivers) {
            (From::Others, Who::All, Who::All) => self.all_to_all(order, collective, shown),
            (From::Lower, ..) => self.scan(collective, shown),
            _ => self.rooted(collective, shown),
        }
    }

    fn rooted(&mut self, collective: &CollectiveSync, shown: &[Shown]) {
        let is_root = |shown: &&Shown| Some(shown.member.rank) == collective.root;
        let Some(root) = shown.iter().find(is_root) else {
            return;
        };
        for other in shown.iter().filter(|it| it.member.rank != root.member.rank) {
            let (sender, receiver) = match collective.rule.senders {
                Who::Root => (root, other),
                Who::All => (other, root),
            };
            if collective.sends(sender.member) && collective.receives(receiver.member) {
                self.implied(sender, receiver);
            }
        }
    }

    /// Looks at each receiver's latest sender alone.
    fn scan(&mut self, collective: &CollectiveSync, shown: &[Shown]) {
        let mut in_order: Vec<&Shown> = shown.iter().collect();
        in_order.sort_by_key(|shown| shown.member.rank);
        let mut sender: Option<(Timestamp, &Shown)> = None;
        for shown in in_order {
            let member = shown.member;
            if let Some((_, sender)) = sender.filter(|_| collective.receives(member)) {
                self.implied(sender, shown);
            }
            let entered = self.read(member.enter.location, shown.enter).mapped;
            if collective.sends(member) && sender.is_none_or(|(latest, _)| latest < entered) {
                sender = Some((entered, shown));
            }
        }
    }

    /// On one clock, each exit follows the latest other enter. Between clocks,
    /// the latest enter and the latest on another clock bound all first exits.
    fn all_to_all(&mut self, order: u64, collective: &CollectiveSync, shown: &[Shown]) {
        let mut latest = std::mem::take(&mut self.latest);
        let mut enters = std::mem::take(&mut self.enters);
        let mut exits = std::mem::take(&mut self.exits);
        latest.clear();
        for sender in shown.iter().filter(|it| collective.sends(it.member)) {
            let location = sender.member.enter.location;
            let enter = self.read(location, sender.enter);
            latest.add(enter.shown.0, self.place(location));
            enters.keep(enter, |new, old| new > old);
        }
        for receiver in shown.iter().filter(|it| collective.receives(it.member)) {
            let location = receiver.member.exit.location;
            let exit = self.read(location, receiver.exit);
            if let Some(enter) = latest.on_clock(self.place(location)) {
                let duration = exit.shown.0.saturating_sub(enter);
                lower(&mut self.found.same_clock, duration);
            }
            exits.keep(exit, |new, old| new < old);
        }
        self.shortest_stay(&enters, &exits);
        if !collective.across {
            self.bound_by_latest(&enters.readings, &exits.readings);
            self.keep_exits(order, &exits.readings);
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

    fn keep_exits(&mut self, order: u64, exits: &[Reading]) {
        let Some(last) = exits.iter().map(|exit| exit.mapped).max() else {
            return;
        };
        let cell = self.known.grid.cell(last);
        let kept = &mut self.exits_in_cell[cell as usize];
        if exits.len() > 1 && *kept < EXITS_PER_CELL {
            *kept += 1;
            let rows = exits
                .iter()
                .map(|exit| (order, cell, exit.clock, exit.shown.0));
            self.found.exits.extend(rows);
        }
    }
}
