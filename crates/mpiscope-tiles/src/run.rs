//! A run as the display sees it: a trace, its rows, and what is known of it by each clock.

use mpiscope_analysis::wait_states::{wait_states_by, WaitState};
use mpiscope_model::{
    EventKind, EventRef, Events, Location, LocationIndex, Matching, Timestamp, Trace,
};
use rayon::prelude::*;

use crate::bins::Done;
use crate::blocks::{Blocks, Source};
use crate::class::Regions;
use crate::collectives::Collectives;
use crate::cursor::Cursor;
use crate::groups::{self, Group};
use crate::line::{InBlocks, Line, Where};
use crate::messages::Messages;
use crate::partners::Partners;
use crate::paths::{Chunks, Table};
use crate::rows::Rows;
use crate::sites::Sites;
use crate::sums::{Sums, STRIDE};
use crate::tile::{levels, Tile, BINS};
use crate::times::Times;
use crate::waits::Waits;

/// A trace, and its times by any number of clocks.
#[derive(Debug)]
pub struct Run {
    /// What happened.
    pub trace: Trace,
    /// Who received what, and who took part in what.
    pub matching: Matching,
    /// What the display shows.
    pub rows: Rows,
    /// What is a state of which class.
    pub regions: Regions,
    /// Which call sites are one.
    pub(crate) sites: Sites,
    /// How often each region was entered.
    pub(crate) calls: Vec<u64>,
    /// The other ends of messages.
    pub(crate) partners: Partners,
    /// Where events are, if that is not the trace.
    pub(crate) blocks: Option<Blocks>,
    pub(crate) views: Vec<View>,
}

/// What is known of a run by one clock.
#[derive(Debug)]
pub struct View {
    /// Name of the clock.
    pub name: String,
    /// Its number.
    pub(crate) number: u32,
    /// The times of its events.
    pub times: Times,
    pub(crate) sums: Vec<Sums>,
    pub(crate) waits: Vec<Waits>,
    /// By row, of those that stand for many locations.
    pub(crate) groups: Vec<Option<Group>>,
    /// Time by call path, by location.
    pub(crate) chunks: Vec<Chunks>,
    pub(crate) paths: Table,
    pub(crate) messages: Messages,
    pub(crate) collectives: Collectives,
}

/// A run by one of its clocks.
#[derive(Clone, Copy, Debug)]
pub struct Clocked<'a> {
    /// The run.
    pub run: &'a Run,
    /// What is known of it by the clock.
    pub view: &'a View,
}

impl Run {
    /// Takes a trace.
    pub fn new(trace: Trace) -> Run {
        let matching = trace.matching();
        Run::matched(trace, matching)
    }

    /// Takes a trace whose messages are matched already.
    pub fn matched(trace: Trace, matching: Matching) -> Run {
        Run {
            rows: Rows::of(&trace),
            regions: Regions::of(&trace),
            sites: Sites::of(&trace),
            calls: calls(&trace),
            partners: Partners::new(&matching.messages, trace.locations.len()),
            blocks: None,
            views: Vec::new(),
            trace,
            matching,
        }
    }

    /// Adds a clock: the trace's own times, or others.
    ///
    /// # Panics
    /// If there is not one time for each event.
    pub fn add_clock(&mut self, name: &str, times: Option<Vec<Vec<Timestamp>>>) {
        let times = Times::new(&self.trace, times);
        let states = wait_states_by(&self.trace, &self.matching, &self.columns(&times));
        self.add_view(name, times, &states);
    }

    /// Adds a clock by which the wait states are known already, by location.
    pub fn add_view(&mut self, name: &str, times: Times, states: &[Vec<WaitState>]) {
        let waits: Vec<Waits> = states.iter().map(|states| Waits::new(states)).collect();
        let locations = (0..self.trace.locations.len() as u32).into_par_iter();
        let sums = locations.zip(&waits).map(|(location, waits)| {
            let events = &self.trace.locations[location as usize].events;
            let times = times.forward(&self.trace, location);
            Sums::new(events, times, &self.regions, waits)
        });
        let sums = sums.collect();
        let mut view = View {
            name: name.to_owned(),
            number: self.views.len() as u32,
            messages: Messages::default(),
            collectives: Collectives::new(self, &times),
            times,
            sums,
            waits,
            groups: Vec::new(),
            chunks: Vec::new(),
            paths: Table::default(),
        };
        view.groups = self.by(&view).groups();
        (view.chunks, view.paths) = self.by(&view).chunks();
        view.collectives.regions = self.by(&view).regions_of_collectives();
        let (messages, counts) = Messages::new(&self.by(&view));
        view.messages = messages;
        view.messages.kept = self.by(&view).kept(&counts);
        self.views.push(view);
    }

    fn by<'a>(&'a self, view: &'a View) -> Clocked<'a> {
        Clocked { run: self, view }
    }

    /// Returns the times of all locations, as a clock told them.
    pub fn columns<'a>(&'a self, times: &'a Times) -> Vec<&'a [Timestamp]> {
        let locations = 0..self.trace.locations.len() as u32;
        locations
            .map(|it| times.recorded(&self.trace, it))
            .collect()
    }

    /// Returns how many events there are.
    pub fn event_count(&self) -> u64 {
        let locations = 0..self.trace.locations.len() as u32;
        locations.map(|it| self.events(LocationIndex(it))).sum()
    }

    /// Returns how many events a location has.
    pub fn events(&self, location: LocationIndex) -> u64 {
        let known = self
            .views
            .first()
            .and_then(|it| it.sums.get(location.index()));
        match (&self.blocks, known) {
            (Some(_), Some(sums)) => sums.len.into(),
            _ => {
                let location = self.trace.locations.get(location.index());
                location.map_or(0, |it| it.events.len() as u64)
            }
        }
    }

    /// Returns the bytes that the other ends of messages take.
    pub fn bytes(&self) -> usize {
        self.partners.bytes()
    }

    /// Returns how many messages there are.
    pub fn message_count(&self) -> u64 {
        self.partners.messages
    }

    /// Shows some events of a location, and which of them is the one asked for.
    ///
    /// # Panics
    /// If there is no such event.
    pub fn with_event<T>(&self, event: EventRef, look: impl FnOnce(&Events, usize) -> T) -> T {
        match &self.blocks {
            None => {
                let events = &self.trace.locations[event.location.index()].events;
                look(events, event.index as usize)
            }
            Some(blocks) => {
                let events = blocks.events(event.location.0, event.index / STRIDE);
                look(&events, (event.index % STRIDE) as usize)
            }
        }
    }

    /// Leaves events in memory no longer: they are read from where they lie when they are looked
    /// at.
    pub fn leave_events(&mut self, source: Box<dyn Source>) {
        for location in &mut self.trace.locations {
            location.events = Events::default();
        }
        self.matching.messages = Vec::new();
        self.views.iter_mut().for_each(|view| view.times.leave());
        self.blocks = Some(Blocks::new(source));
    }

    /// Returns the run by a clock.
    pub fn clock(&self, name: &str) -> Option<Clocked<'_>> {
        let view = self.views.iter().find(|view| view.name == name)?;
        Some(Clocked { run: self, view })
    }

    /// Returns the run by each of its clocks.
    pub fn clocks(&self) -> impl Iterator<Item = Clocked<'_>> {
        self.views.iter().map(|view| Clocked { run: self, view })
    }
}

impl View {
    /// Returns the bytes that are taken beside times and trace.
    pub fn bytes(&self) -> usize {
        self.parts().iter().map(|(_, bytes)| bytes).sum()
    }

    /// Returns what these bytes are for.
    pub fn parts(&self) -> [(&'static str, usize); 6] {
        [
            ("sums", self.sums.iter().map(Sums::bytes).sum()),
            ("waits", self.waits.iter().map(Waits::bytes).sum()),
            (
                "groups",
                self.groups.iter().flatten().map(Group::bytes).sum(),
            ),
            ("paths", self.chunks.iter().map(Chunks::bytes).sum()),
            ("messages", self.messages.bytes()),
            ("collectives", self.collectives.bytes()),
        ]
    }
}

impl<'a> Clocked<'a> {
    /// Returns how long the run lasts.
    pub fn length(&self) -> u64 {
        self.view.times.length
    }

    /// Returns how many levels of tiles there are.
    pub fn levels(&self) -> u32 {
        levels(self.length())
    }

    /// Returns a tile of the run.
    pub fn tile(&self, level: u32, index: u64) -> Option<Tile> {
        Tile::new(self.length(), level, index)
    }

    /// Returns how many events a location has.
    pub fn events(&self, location: LocationIndex) -> u64 {
        self.run.events(location)
    }

    /// Returns when an event happened as the clock told it, in nanoseconds from the start.
    ///
    /// # Panics
    /// If there is no such event.
    pub fn recorded(&self, event: EventRef) -> u64 {
        self.view.times.since_start(self.recorded_time(event))
    }

    /// Returns when an event happened as the clock told it.
    ///
    /// # Panics
    /// If there is no such event.
    pub fn recorded_time(&self, event: EventRef) -> Timestamp {
        let Clocked { run, view } = *self;
        let Some(blocks) = &run.blocks else {
            return view.times.recorded(&run.trace, event.location.0)[event.index as usize];
        };
        let (location, block) = (event.location.0, event.index / STRIDE);
        let at = (event.index % STRIDE) as usize;
        match blocks.times((view.number, &view.name), location, block) {
            Some(times) => times[at],
            None => blocks.events(location, block).times()[at],
        }
    }

    /// Returns when an event happened, in nanoseconds from the start; where its clock went back, it
    /// stood still.
    ///
    /// # Panics
    /// If there is no such event.
    pub fn moment(&self, event: EventRef) -> u64 {
        self.line(event.location).time(event.index)
    }

    pub(crate) fn line(&self, location: LocationIndex) -> Line<'a> {
        self.line_in(location, false)
    }

    /// Returns a line that says no more than what was done when: what [`Cursor`] needs. Blocks are
    /// read anew then, and in less time.
    pub(crate) fn outline(&self, location: LocationIndex) -> Line<'a> {
        self.line_in(location, true)
    }

    /// Returns the line that bins of a tile are filled from: in outline, where they are so long that
    /// blocks are looked at for one of their ends.
    pub(crate) fn line_for(&self, location: LocationIndex, tile: Tile) -> Line<'a> {
        let block = self.view.sums[location.index()].block();
        let bin = 1u64.checked_shl(tile.shift).unwrap_or(u64::MAX);
        self.line_in(location, bin >= block)
    }

    fn line_in(&self, location: LocationIndex, in_outline: bool) -> Line<'a> {
        let Clocked { run, view } = *self;
        let at = location.index();
        Line {
            place: match &run.blocks {
                None => Where::Columns {
                    events: &run.trace.locations[at].events,
                    times: view.times.forward(&run.trace, location.0),
                },
                Some(blocks) => Where::Blocks(InBlocks {
                    blocks,
                    clock: (view.number, &view.name),
                    location: location.0,
                    in_outline,
                    at_hand: Default::default(),
                }),
            },
            regions: &run.regions,
            sites: &run.sites,
            sums: &view.sums[at],
            waits: &view.waits[at],
            start: view.times.start,
        }
    }

    fn locations_of(&self, row: u32) -> &'a [LocationIndex] {
        &self.run.rows.locations[row as usize]
    }

    fn groups(&self) -> Vec<Option<Group>> {
        let rows = (0..self.run.rows.len() as u32).into_par_iter();
        let group = |row| Group::new(self, self.locations_of(row));
        rows.map(group).collect()
    }

    fn chunks(&self) -> (Vec<Chunks>, Table) {
        let locations = (0..self.run.trace.locations.len() as u32).into_par_iter();
        let chunks = |location| Chunks::new(&self.line(LocationIndex(location)));
        let (mut chunks, tables): (Vec<_>, Vec<_>) = locations.map(chunks).unzip();
        let mut all = Table::default();
        for (chunks, own) in chunks.iter_mut().zip(&tables) {
            chunks.renumber(own, &mut all);
        }
        (chunks, all)
    }

    /// Returns what a row did in each bin of a tile.
    pub fn bins(&self, row: u32, tile: Tile) -> Vec<Done> {
        let group = self.view.groups.get(row as usize).and_then(Option::as_ref);
        match group.and_then(|group| group.tile(tile)) {
            Some(bins) => bins,
            None => groups::fill(self, self.locations_of(row), tile, BINS),
        }
    }

    /// Returns what a row did from one moment to another.
    pub fn done(&self, row: u32, from: u64, to: u64) -> Done {
        let mut sum = Done::default();
        for location in self.locations_of(row) {
            let line = self.line(*location);
            let mut cursor = Cursor::new(&line);
            cursor.go_to(from);
            let before = cursor.done();
            cursor.go_to(to.max(from));
            sum.add(&cursor.done().since(&before));
        }
        sum
    }

    /// Returns what a row did in all, between the first and the last event of each location.
    pub fn total(&self, row: u32) -> Done {
        let mut sum = Done::default();
        for location in self.locations_of(row) {
            sum.add(&self.view.sums[location.index()].total);
        }
        sum
    }

    /// Returns the greatest depth of calls of a row.
    pub fn depth(&self, row: u32) -> u32 {
        let locations = self.locations_of(row).iter();
        let depths = locations.map(|it| self.view.sums[it.index()].depth);
        depths.max().unwrap_or(0)
    }
}

/// Returns how often each region is entered.
fn calls(trace: &Trace) -> Vec<u64> {
    let none = || vec![0; trace.definitions.regions.len()];
    let count = |mut calls: Vec<u64>, location: &Location| {
        let events = location.events.kinds().iter().zip(location.events.args());
        for (_, region) in events.filter(|(kind, _)| **kind == EventKind::Enter) {
            if let Some(calls) = calls.get_mut(*region as usize) {
                *calls += 1;
            }
        }
        calls
    };
    let parts = trace.locations.par_iter().fold(none, count);
    parts.reduce(none, |a, b| a.iter().zip(b).map(|(a, b)| a + b).collect())
}
