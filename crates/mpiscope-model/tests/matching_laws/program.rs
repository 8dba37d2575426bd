//! A program that is executed message by message, with a note of who met whom.

use std::collections::{BTreeSet, HashMap};

use mpiscope_model::{
    CommId, Communicator, EventRef, Events, Location, LocationIndex, PointToPoint, Rank, RequestId,
    Timestamp, Trace,
};

pub const PROCESSES: usize = 3;
const TAGS: u32 = 2;

/// A step of the program: process, thread, what, and two choices.
pub type Step = (usize, usize, u8, u32, u32);

/// A message under way, or a receive posted.
#[derive(Clone, Copy, Debug)]
struct Sent {
    from: usize,
    tag: u32,
    event: Option<EventRef>,
    request: Option<u64>,
    /// A probe has seen it; then nobody cancels it.
    probed: bool,
}

#[derive(Clone, Copy, Debug)]
struct Receive {
    request: u64,
    from: Option<usize>,
    tag: Option<u32>,
    met: Option<Sent>,
}

impl Receive {
    fn fits(&self, sent: &Sent) -> bool {
        self.from.is_none_or(|from| from == sent.from) && self.tag.is_none_or(|tag| tag == sent.tag)
    }
}

#[derive(Default)]
struct Process {
    /// Messages that met no receive yet, and receives under way, both in order.
    arrived: Vec<Sent>,
    receives: Vec<Receive>,
    off: bool,
    /// Messages so far per direction, peer and tag; and those channels whose
    /// number was not told since recording was off.
    counts: HashMap<(bool, usize, u32), u64>,
    untold: BTreeSet<(bool, usize, u32)>,
}

/// What an execution may do.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub threads: usize,
    /// Recording is switched off and on; receives complete in order.
    pub pauses: bool,
    /// Numbers are told.
    pub numbers: bool,
}

pub struct Execution {
    rules: Rules,
    processes: Vec<Process>,
    streams: Vec<Events>,
    now: i64,
    requests: u64,
    pub messages: BTreeSet<(EventRef, EventRef)>,
    pub probes: Vec<(EventRef, EventRef)>,
    pub lost_sends: BTreeSet<EventRef>,
}

impl Execution {
    fn new(rules: Rules) -> Execution {
        Execution {
            rules,
            processes: (0..PROCESSES).map(|_| Process::default()).collect(),
            streams: vec![Events::default(); PROCESSES * rules.threads],
            now: 0,
            requests: 0,
            messages: BTreeSet::new(),
            probes: Vec::new(),
            lost_sends: BTreeSet::new(),
        }
    }

    /// Records an event unless recording is off.
    fn record(
        &mut self,
        (process, thread): (usize, usize),
        push: impl FnOnce(&mut Events, Timestamp),
    ) -> Option<EventRef> {
        self.now += 1;
        if self.processes[process].off {
            return None;
        }
        let location = process * self.rules.threads + thread % self.rules.threads;
        let events = &mut self.streams[location];
        push(events, Timestamp(self.now));
        let index = events.len() - 1;
        Some(EventRef::new(LocationIndex(location as u32), index))
    }

    /// Counts a message, and tells its number where that is due.
    fn count(&mut self, process: usize, channel: (bool, usize, u32), event: Option<EventRef>) {
        let state = &mut self.processes[process];
        let count = state.counts.entry(channel).or_default();
        if let Some(event) = event {
            if state.untold.remove(&channel) && self.rules.numbers {
                self.streams[event.location.index()].set_sequence(event.index as usize, *count);
            }
        }
        *count += 1;
    }

    fn step(&mut self, (process, thread, what, a, b): Step) {
        let at = (process, thread);
        match what {
            0 | 1 => self.send(at, a as usize % PROCESSES, b % TAGS, false),
            2 => self.send(at, a as usize % PROCESSES, b % TAGS, true),
            3 | 4 => self.post(at, a, b),
            5 => self.receive(at, a, b),
            6 | 7 => self.complete(at, a as usize),
            8 => self.cancel(at, a as usize),
            9 => self.probe(at, a, b),
            _ if self.rules.pauses => self.switch(at),
            _ => {}
        }
    }

    fn send(&mut self, at: (usize, usize), to: usize, tag: u32, nonblocking: bool) {
        self.requests += 1;
        let request = nonblocking.then_some(self.requests);
        let mut message = PointToPoint::new(to as u32, CommId(0), tag, 8);
        message.request = request.map(RequestId);
        let event = self.record(at, |events, time| match nonblocking {
            true => events.push_isend(time, message),
            false => events.push_send(time, message),
        });
        self.count(at.0, (true, to, tag), event);
        self.lost_sends.extend(event);
        let sent = Sent {
            from: at.0,
            tag,
            event,
            request,
            probed: false,
        };
        let waiting = self.processes[to].receives.iter_mut();
        match waiting.filter(|r| r.met.is_none()).find(|r| r.fits(&sent)) {
            Some(receive) => receive.met = Some(sent),
            None => self.processes[to].arrived.push(sent),
        }
    }

    /// A receive with wildcards now and then.
    fn wish(a: u32, b: u32) -> (Option<usize>, Option<u32>) {
        let from = a as usize % (PROCESSES + 1);
        let tag = b % (TAGS + 1);
        (
            (from < PROCESSES).then_some(from),
            (tag < TAGS).then_some(tag),
        )
    }

    fn post(&mut self, at: (usize, usize), a: u32, b: u32) {
        self.requests += 1;
        let request = self.requests;
        self.record(at, |events, time| {
            events.push_irecv_request(time, RequestId(request));
        });
        let (from, tag) = Self::wish(a, b);
        let mut receive = Receive {
            request,
            from,
            tag,
            met: None,
        };
        let process = &mut self.processes[at.0];
        let first = process.arrived.iter().position(|sent| receive.fits(sent));
        receive.met = first.map(|first| process.arrived.remove(first));
        process.receives.push(receive);
    }

    /// A blocking receive, if a message is there.
    fn receive(&mut self, at: (usize, usize), a: u32, b: u32) {
        let (from, tag) = Self::wish(a, b);
        let process = &mut self.processes[at.0];
        let wish = Receive {
            request: 0,
            from,
            tag,
            met: None,
        };
        let Some(first) = process.arrived.iter().position(|sent| wish.fits(sent)) else {
            return;
        };
        if !self.rules.pauses || !self.overtakes(at.0, self.processes[at.0].receives.len(), first) {
            let sent = self.processes[at.0].arrived.remove(first);
            self.ended(at, sent, None);
        }
    }

    /// Whether an earlier receive took a message of this one's channel.
    fn overtakes(&self, process: usize, before: usize, arrived: usize) -> bool {
        let process = &self.processes[process];
        let mine = process.arrived[arrived];
        let same = |met: Sent| (met.from, met.tag) == (mine.from, mine.tag);
        let mut earlier = process.receives[..before].iter();
        earlier.any(|receive| receive.met.is_some_and(same))
    }

    fn ended(&mut self, at: (usize, usize), sent: Sent, request: Option<u64>) {
        let mut message = PointToPoint::new(sent.from as u32, CommId(0), sent.tag, 8);
        message.request = request.map(RequestId);
        let event = self.record(at, |events, time| match request {
            Some(_) => events.push_irecv(time, message),
            None => events.push_recv(time, message),
        });
        self.count(at.0, (false, sent.from, sent.tag), event);
        if let (Some(send), Some(receive)) = (sent.event, event) {
            self.messages.insert((send, receive));
            self.lost_sends.remove(&send);
        }
    }

    fn complete(&mut self, at: (usize, usize), which: usize) {
        let receives = &self.processes[at.0].receives;
        let met = (0..receives.len()).filter(|&r| receives[r].met.is_some());
        let met: Vec<usize> = met.collect();
        if met.is_empty() {
            return;
        }
        let which = match self.rules.pauses {
            true => met[0],
            false => met[which % met.len()],
        };
        let receive = self.processes[at.0].receives.remove(which);
        if let Some(sent) = receive.met {
            self.ended(at, sent, Some(receive.request));
        }
    }

    /// Cancels a receive that met nothing, or a send that nothing met.
    fn cancel(&mut self, at: (usize, usize), which: usize) {
        if self.rules.pauses {
            return;
        }
        let receives = &mut self.processes[at.0].receives;
        let idle = receives.iter().position(|receive| receive.met.is_none());
        if let (Some(idle), true) = (idle, which.is_multiple_of(2)) {
            let request = RequestId(receives.remove(idle).request);
            self.record(at, |events, time| {
                events.push_request_cancelled(time, request)
            });
            return;
        }
        for to in 0..PROCESSES {
            let mine = |sent: &Sent| sent.from == at.0 && sent.request.is_some() && !sent.probed;
            let Some(last) = self.processes[to].arrived.iter().rposition(mine) else {
                continue;
            };
            let sent = self.processes[to].arrived.remove(last);
            let request = RequestId(sent.request.unwrap_or_default());
            self.record(at, |events, time| {
                events.push_request_cancelled(time, request)
            });
            self.lost_sends.retain(|&event| Some(event) != sent.event);
            return;
        }
    }

    fn probe(&mut self, at: (usize, usize), a: u32, b: u32) {
        let (from, tag) = Self::wish(a, b);
        let wish = Receive {
            request: 0,
            from,
            tag,
            met: None,
        };
        let mut arrived = self.processes[at.0].arrived.iter_mut();
        let Some(found) = arrived.find(|sent| wish.fits(sent)) else {
            return;
        };
        found.probed = true;
        let sent = *found;
        let message = PointToPoint::new(sent.from as u32, CommId(0), sent.tag, 8);
        let event = self.record(at, |events, time| events.push_probe(time, message));
        if let (Some(send), Some(probe)) = (sent.event, event) {
            if send.location != probe.location {
                self.probes.push((send, probe));
            }
        }
    }

    fn switch(&mut self, at: (usize, usize)) {
        let off = !self.processes[at.0].off;
        self.processes[at.0].off = false;
        self.record((at.0, 0), |events, time| events.push_on_off(time, !off));
        let process = &mut self.processes[at.0];
        process.off = off;
        if off {
            let peers = (0..PROCESSES).flat_map(|p| (0..TAGS).map(move |tag| (p, tag)));
            for (peer, tag) in peers {
                process
                    .untold
                    .extend([(true, peer, tag), (false, peer, tag)]);
            }
        }
    }

    /// Completes what met something.
    fn finish(mut self) -> (Trace, Execution) {
        for process in 0..PROCESSES {
            for _ in 0..self.processes[process].receives.len() {
                self.complete((process, 0), 0);
            }
        }
        let mut trace = Trace::default();
        trace.definitions.communicators.push(Communicator {
            members: (0..PROCESSES as u32).map(Rank).collect(),
            ..Communicator::default()
        });
        for (number, events) in self.streams.iter().enumerate() {
            trace.locations.push(Location {
                rank: Rank((number / self.rules.threads) as u32),
                thread: (number % self.rules.threads) as u32,
                events: events.clone(),
                ..Location::default()
            });
        }
        (trace, self)
    }
}

pub fn execute(rules: Rules, steps: &[Step]) -> (Trace, Execution) {
    let mut execution = Execution::new(rules);
    steps.iter().for_each(|&step| execution.step(step));
    execution.finish()
}
