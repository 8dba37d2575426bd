//! Processes that compute and communicate in true time, and what each of them
//! records by its own clock.
//!
//! Programs are written for all ranks at once, step by step: a step that waits
//! for messages comes after the step that sent them. Each rank has a time of
//! its own, which a step moves on. So nothing has to be scheduled.

use mpiscope_model::{Event, Events, PointToPoint, RegionId, RequestId, Timestamp};

use crate::clock::Clock;
use crate::gathering::Gathering;
use crate::network::Delays;
use crate::parameters::Parameters;
use crate::pause::Channels;
use crate::random::{Purpose, Random};
use crate::world::{self, World};

/// The least that a function takes.
const SHORTEST_WORK: i64 = 20;

/// All ranks.
pub(crate) struct Machine<'a> {
    clocks: &'a [Clock],
    parameters: &'a Parameters,
    ranks: Vec<Process>,
    delays: Delays,
    readings: Random,
    /// What the program leaves to chance.
    pub random: Random,
    /// Who has entered a collective operation, in each of two groups.
    entered: [Gathering; 2],
}

/// One rank, which is one location.
#[derive(Default)]
pub(crate) struct Process {
    /// True time.
    now: i64,
    host: u32,
    clock: u32,
    /// Nothing is recorded later.
    until: i64,
    /// The latest time recorded.
    latest: i64,
    requests: u64,
    functions: u32,
    /// Recording is off for now.
    paused: bool,
    /// Counted only if recording is ever off.
    channels: Option<Channels>,
    pub events: Events,
    pub truth: Vec<Timestamp>,
}

impl Process {
    /// Counts what is not recorded.
    fn pass_unseen(&mut self, events: &[Event<'_>]) {
        for event in events {
            self.channels.as_mut().and_then(|c| c.pass(event, false));
        }
    }

    /// Counts the event recorded last, and notes the count where it is needed.
    fn tell_count(&mut self, event: &Event<'_>) {
        let channels = self.channels.as_mut();
        if let Some(before) = channels.and_then(|c| c.pass(event, true)) {
            self.events.set_sequence(self.events.len() - 1, before);
        }
    }
}

/// A message to another rank.
#[derive(Clone, Copy)]
pub(crate) struct Envelope {
    /// World ranks.
    pub from: u32,
    pub to: u32,
    /// What each is called by the other.
    pub message: PointToPoint,
}

impl<'a> Machine<'a> {
    pub fn new(world: &'a World, clocks: &'a [Clock], parameters: &'a Parameters) -> Machine<'a> {
        let seed = parameters.seed;
        let mut random = Random::new(seed, Purpose::Program, 0);
        let ns = |seconds: f64| (seconds * 1e9) as i64;
        let ranks = (0..).zip(&world.host_of).map(|(rank, &host)| {
            let end = parameters.early_end.filter(|end| end.host == host);
            Process {
                // Launchers start processes one after the other.
                now: ns(parameters.start_s) + random.below(100_000) as i64,
                host,
                clock: if parameters.clocks.per_rank {
                    rank
                } else {
                    host
                },
                until: end.map_or(i64::MAX, |end| ns(end.at_s)),
                latest: i64::MIN,
                channels: parameters.pause.map(|_| Channels::default()),
                ..Process::default()
            }
        });
        Machine {
            ranks: ranks.collect(),
            clocks,
            parameters,
            delays: Delays::new(seed, &parameters.network),
            readings: Random::new(seed, Purpose::Readings, 0),
            random,
            entered: Default::default(),
        }
    }

    /// Returns what all ranks recorded.
    pub fn finish(self) -> Vec<Process> {
        self.ranks
    }

    /// Makes room for this many events in each rank.
    pub fn reserve(&mut self, events: usize) {
        for rank in &mut self.ranks {
            rank.events = Events::with_capacity(events);
            rank.truth = Vec::with_capacity(events);
        }
    }

    /// Reads the clock of a rank, once, and records events of this moment.
    fn record(&mut self, rank: u32, events: &[Event<'_>]) {
        let process = &mut self.ranks[rank as usize];
        if process.now > process.until {
            return;
        }
        if process.paused {
            process.pass_unseen(events);
            return;
        }
        let clocks = &self.parameters.clocks;
        let jitter = match clocks.read_jitter_ns {
            0 => 0,
            most => self.readings.below(u64::from(most) + 1) as i64,
        };
        let mut shown = self.clocks[process.clock as usize].show(process.now) + jitter;
        if !clocks.backward {
            shown = shown.max(process.latest);
        }
        process.latest = shown;
        for event in events {
            process.truth.push(Timestamp(process.now));
            process.events.push(Timestamp(shown), *event);
            process.tell_count(event);
        }
    }

    pub(crate) fn process(&mut self, rank: u32) -> &mut Process {
        &mut self.ranks[rank as usize]
    }

    /// Records the entry into a call and what happens at once.
    pub(crate) fn enter(&mut self, rank: u32, region: RegionId, then: &[Event<'_>]) {
        let mut events = [Event::Enter(region); 2];
        events[1..=then.len()].copy_from_slice(then);
        self.record(rank, &events[..=then.len()]);
    }

    /// Lets a call end, not before `earliest`; `last` happens at its end.
    pub(crate) fn leave(&mut self, rank: u32, region: RegionId, earliest: i64, last: &[Event<'_>]) {
        let own = self.parameters.calls.own_ns;
        let process = self.process(rank);
        process.now = (process.now + own).max(earliest);
        match last {
            [one] => self.record(rank, &[*one, Event::Leave(region)]),
            _ => {
                let mut events = last.to_vec();
                events.push(Event::Leave(region));
                self.record(rank, &events);
            }
        }
        self.process(rank).now += own / 4;
    }

    fn unseen(&self) -> bool {
        !self.parameters.messages_recorded
    }
}

/// Computing.
impl Machine<'_> {
    /// Returns how long a rank should compute in this iteration, if so many
    /// are left.
    pub fn share(&mut self, rank: u32, left: u32) -> i64 {
        let end = (self.parameters.start_s + self.parameters.seconds) * 1e9;
        let less = self.parameters.imbalance * self.random.uniform();
        let rest = (end as i64 - self.process(rank).now).max(0) / i64::from(left.max(1));
        let rest = self.parameters.computing_ns.unwrap_or(rest);
        (rest as f64 * (1.0 - less)) as i64
    }

    /// Calls so many functions of the program, each of this length.
    pub fn work(&mut self, rank: u32, functions: u32, length: i64) {
        let between = self.parameters.calls.own_ns / 4;
        for _ in 0..functions {
            let process = self.process(rank);
            let region = world::function(process.functions);
            process.functions += 1;
            self.record(rank, &[Event::Enter(region)]);
            self.process(rank).now += length.max(SHORTEST_WORK);
            self.record(rank, &[Event::Leave(region)]);
            self.process(rank).now += between;
        }
    }

    /// Begins the program: libraries let nobody go before all have come.
    pub fn init(&mut self) {
        let all = self.enter_all(world::INIT);
        for rank in all {
            let least = self.parameters.calls.init_ns;
            let length = least + self.random.below((least / 2).max(1) as u64) as i64;
            let ready = self.process(rank).now + length;
            let exit = self.exit(rank, 0).max(ready);
            self.leave(rank, world::INIT, exit, &[]);
        }
    }

    /// Switches recording off or on, on all ranks.
    pub fn switch(&mut self, on: bool) {
        for rank in 0..self.ranks.len() as u32 {
            if !on {
                self.record(rank, &[Event::MeasurementOnOff(false)]);
            }
            let process = self.process(rank);
            process.paused = !on;
            if on {
                process.channels.iter_mut().for_each(Channels::resume);
                self.record(rank, &[Event::MeasurementOnOff(true)]);
            }
        }
    }

    /// Ends the program: nobody leaves before all have come.
    pub fn finalize(&mut self) {
        let all = self.enter_all(world::FINALIZE);
        for rank in all {
            let exit = self.exit(rank, 0);
            self.leave(rank, world::FINALIZE, exit, &[]);
        }
    }

    /// Lets all ranks enter a call, and notes when each did.
    fn enter_all(&mut self, region: RegionId) -> Vec<u32> {
        let all: Vec<u32> = (0..self.ranks.len() as u32).collect();
        for &rank in &all {
            self.enter(rank, region, &[]);
        }
        self.gather(0, &all, |_| true);
        all
    }
}

/// Messages.
impl Machine<'_> {
    /// Returns the number of a new request of a rank.
    pub fn request(&mut self, rank: u32) -> RequestId {
        let process = self.process(rank);
        process.requests += 1;
        RequestId(process.requests)
    }

    /// Posts a receive.
    pub fn irecv(&mut self, rank: u32) -> RequestId {
        let request = self.request(rank);
        self.message_call(rank, world::IRECV, &[Event::MpiIrecvRequest(request)]);
        request
    }

    /// Posts a send; returns when it arrives.
    pub fn isend(&mut self, envelope: &Envelope) -> i64 {
        let arrives = self.arrival(envelope.from, envelope.to);
        let send = Event::MpiIsend(&envelope.message);
        self.message_call(envelope.from, world::ISEND, &[send]);
        arrives
    }

    /// Sends; returns when it arrives.
    pub fn send(&mut self, envelope: &Envelope) -> i64 {
        let arrives = self.arrival(envelope.from, envelope.to);
        let send = Event::MpiSend(&envelope.message);
        self.message_call(envelope.from, world::SEND, &[send]);
        arrives
    }

    fn message_call(&mut self, rank: u32, region: RegionId, then: &[Event<'_>]) {
        if self.unseen() {
            self.process(rank).now += self.parameters.calls.own_ns;
            return;
        }
        self.enter(rank, region, then);
        self.leave(rank, region, i64::MIN, &[]);
    }

    /// Waits for a message that arrives then.
    pub fn receive(&mut self, rank: u32, message: &PointToPoint, arrives: i64) {
        self.enter_unless_unseen(rank, world::RECV, &[]);
        self.complete(rank, world::RECV, arrives, &[Event::MpiRecv(message)]);
    }

    /// Waits for a message that arrives then, and leaves it where it is.
    pub fn probe(&mut self, rank: u32, message: &PointToPoint, arrives: i64) {
        self.enter_unless_unseen(rank, world::PROBE, &[]);
        // An event of OTF2 does not tell how much a probe saw.
        let seen = PointToPoint {
            bytes: 0,
            ..*message
        };
        self.complete(rank, world::PROBE, arrives, &[Event::MpiProbe(&seen)]);
    }

    /// Begins a call that sends and receives; returns when the message arrives.
    pub fn begin_sendrecv(&mut self, envelope: &Envelope) -> i64 {
        let send = Event::MpiSend(&envelope.message);
        self.enter_unless_unseen(envelope.from, world::SENDRECV, &[send]);
        self.arrival(envelope.from, envelope.to)
    }

    /// Ends it, when the other message is there.
    pub fn end_sendrecv(&mut self, rank: u32, message: &PointToPoint, arrives: i64) {
        self.complete(rank, world::SENDRECV, arrives, &[Event::MpiRecv(message)]);
    }

    /// Begins to wait for several requests.
    pub fn begin_waitall(&mut self, rank: u32) {
        self.enter_unless_unseen(rank, world::WAITALL, &[]);
    }

    /// Ends it: the requests are complete, the last at `arrives`.
    pub fn end_waitall(&mut self, rank: u32, arrives: i64, completed: &[Event<'_>]) {
        self.complete(rank, world::WAITALL, arrives, completed);
    }

    fn enter_unless_unseen(&mut self, rank: u32, region: RegionId, then: &[Event<'_>]) {
        if !self.unseen() {
            self.enter(rank, region, then);
        }
    }

    fn complete(&mut self, rank: u32, region: RegionId, arrives: i64, last: &[Event<'_>]) {
        if self.unseen() {
            let own = self.parameters.calls.own_ns;
            let process = self.process(rank);
            process.now = (process.now + own).max(arrives);
        } else {
            self.leave(rank, region, arrives, last);
        }
    }

    fn arrival(&mut self, from: u32, to: u32) -> i64 {
        let (from, to) = (&self.ranks[from as usize], &self.ranks[to as usize]);
        from.now + self.delays.flight(from.host, to.host)
    }
}

/// Waiting for many.
impl Machine<'_> {
    /// Notes when those of a group entered whom others wait for; `counts` is
    /// asked by their place in the group.
    pub(crate) fn gather(&mut self, group: usize, ranks: &[u32], counts: impl Fn(usize) -> bool) {
        self.entered[group].clear();
        for (place, &rank) in ranks.iter().enumerate() {
            if counts(place) {
                self.note(group, rank);
            }
        }
    }

    /// Notes that a rank has entered.
    pub(crate) fn note(&mut self, group: usize, rank: u32) {
        let process = &self.ranks[rank as usize];
        self.entered[group].enter(process.host, rank, process.now);
    }

    /// Forgets who entered.
    pub(crate) fn forget(&mut self, group: usize) {
        self.entered[group].clear();
    }

    /// Returns when a rank may leave who waits for all of a group that were noted.
    pub(crate) fn exit(&mut self, rank: u32, group: usize) -> i64 {
        let process = &self.ranks[rank as usize];
        let (host, now) = (process.host, process.now);
        let [here, there] = self.entered[group].latest(host, rank);
        let heard = |entered: Option<i64>, same_host| {
            entered.map_or(i64::MIN, |time| time + self.delays.minimum(same_host))
        };
        let (here, there) = (heard(here, true), heard(there, false));
        match here.max(there) {
            i64::MIN => now,
            heard => heard + self.delays.jitter(here > there) + self.delays.exit_bias(host),
        }
    }
}
