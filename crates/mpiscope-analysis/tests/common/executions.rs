//! All executions of what a trace shows: each process posts and sends as it
//! did, and any message may be the one that a receive gets if MPI allows it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use mpiscope_model::{Event, EventRef, LocationIndex, Matching, PointToPoint, Trace};

/// What a process does.
#[derive(Clone, Copy, Debug)]
enum Act {
    Send(usize),
    Post(usize),
    Wait(usize),
    /// Sees a message; asks for any tag or not.
    Probe(usize, bool),
}

#[derive(Clone, Debug)]
struct Send {
    event: EventRef,
    from: usize,
    to: usize,
    tag: u32,
}

#[derive(Clone, Debug)]
struct Receive {
    event: EventRef,
    process: usize,
    from: Option<usize>,
    tag: Option<u32>,
    message: Option<usize>,
}

/// The program that a trace of single-threaded processes shows.
pub struct Executions {
    acts: Vec<Vec<Act>>,
    sends: Vec<Send>,
    /// By process in the order of their posts.
    receives: Vec<Receive>,
}

/// What probes wait for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Probes {
    /// The message that they saw.
    AsTheyWere,
    /// Any message: another one was taken before.
    SeeAny,
    /// Nothing: they are MPI_Iprobe.
    Pass,
}

/// How far everybody is; the sets are bits.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    at: Vec<usize>,
    sent: u64,
    posted: u64,
    matched: u64,
    taken: u64,
}

fn has(set: u64, number: usize) -> bool {
    set >> number & 1 == 1
}

impl Executions {
    pub fn new(trace: &Trace, matching: &Matching) -> Executions {
        let mut all = Executions {
            acts: Vec::new(),
            sends: Vec::new(),
            receives: Vec::new(),
        };
        let completed: BTreeSet<(usize, u64)> = requests_completed(trace);
        for (process, location) in trace.locations.iter().enumerate() {
            let mut acts = Vec::new();
            let mut open: BTreeMap<u64, usize> = BTreeMap::new();
            for index in 0..location.events.len() {
                let event = EventRef::new(LocationIndex(process as u32), index);
                match location.events.event(index) {
                    Event::MpiSend(m) => {
                        acts.push(Act::Send(all.sends.len()));
                        let (to, tag) = (m.peer as usize, m.tag);
                        all.sends.push(Send {
                            event,
                            from: process,
                            to,
                            tag,
                        });
                    }
                    Event::MpiIrecvRequest(id) if completed.contains(&(process, id.0)) => {
                        let number = all.receives.len();
                        open.insert(id.0, number);
                        acts.push(Act::Post(number));
                        let (from, tag, message) = (None, None, None);
                        all.receives.push(Receive {
                            event,
                            process,
                            from,
                            tag,
                            message,
                        });
                    }
                    Event::MpiRecv(m) => {
                        let number = all.receives.len();
                        acts.extend([Act::Post(number), Act::Wait(number)]);
                        all.receives.push(receive(event, process, m));
                    }
                    Event::MpiIrecv(m) => {
                        let number = open[&m.request.unwrap().0];
                        acts.push(Act::Wait(number));
                        all.receives[number] = receive(event, process, m);
                    }
                    Event::MpiProbe(m) => acts.push(Act::Probe(index, m.any_tag)),
                    _ => {}
                }
            }
            all.acts.push(acts);
        }
        for message in &matching.messages {
            let number = all.sends.iter().position(|send| send.event == message.send);
            let mut receives = all.receives.iter_mut();
            let receive = receives.find(|receive| receive.event == message.receive);
            receive.unwrap().message = number;
        }
        all.find_probed(matching);
        assert!(all.sends.len() < 64 && all.receives.len() < 64);
        all
    }

    /// Tells probes what they saw; they stood for their event until now.
    fn find_probed(&mut self, matching: &Matching) {
        let Executions { acts, sends, .. } = self;
        for (process, acts) in acts.iter_mut().enumerate() {
            acts.retain_mut(|act| {
                let Act::Probe(index, _) = act else {
                    return true;
                };
                let event = EventRef::new(LocationIndex(process as u32), *index);
                let mut bounds = matching.bounds.iter();
                let bound = bounds.find(|bound| bound.receive == event);
                let seen = bound.and_then(|bound| sends.iter().position(|s| s.event == bound.send));
                *index = seen.unwrap_or_default();
                seen.is_some()
            });
        }
    }

    fn begin(&self) -> State {
        State {
            at: vec![0; self.acts.len()],
            sent: 0,
            posted: 0,
            matched: 0,
            taken: 0,
        }
    }

    /// Lets a process go on, if it can.
    fn step(&self, state: &State, process: usize, probes: Probes) -> Option<State> {
        let mut next = state.clone();
        match *self.acts[process].get(state.at[process])? {
            Act::Send(number) => next.sent |= 1 << number,
            Act::Post(number) => next.posted |= 1 << number,
            Act::Wait(number) if has(state.matched, number) => {}
            Act::Wait(_) => return None,
            Act::Probe(send, any_tag) if self.goes_on(state, send, any_tag, probes) => {}
            Act::Probe(..) => return None,
        }
        next.at[process] += 1;
        Some(next)
    }

    fn suits(&self, receive: usize, send: usize) -> bool {
        let (receive, send) = (&self.receives[receive], &self.sends[send]);
        receive.process == send.to
            && receive.from.is_none_or(|from| from == send.from)
            && receive.tag.is_none_or(|tag| tag == send.tag)
    }

    /// Returns which receives can get which messages now.
    fn matches(&self, state: &State) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let waiting = |r: &usize| has(state.posted, *r) && !has(state.matched, *r);
        let there = |s: &usize| has(state.sent, *s) && !has(state.taken, *s);
        for receive in (0..self.receives.len()).filter(waiting) {
            for send in (0..self.sends.len()).filter(there) {
                let overtaken = |other: usize| {
                    there(&other)
                        && self.sends[other].from == self.sends[send].from
                        && self.suits(receive, other)
                };
                let earlier = |other: usize| waiting(&other) && self.suits(other, send);
                if self.suits(receive, send)
                    && !(0..send).any(overtaken)
                    && !(0..receive).any(earlier)
                {
                    found.push((receive, send));
                }
            }
        }
        found
    }

    fn goes_on(&self, state: &State, send: usize, any_tag: bool, probes: Probes) -> bool {
        let same = |other: &usize| self.sends[*other].to == self.sends[send].to;
        match probes {
            Probes::AsTheyWere => self.is_seen(state, send, any_tag),
            Probes::SeeAny => {
                let mut others = (0..self.sends.len()).filter(same);
                others.any(|other| self.is_seen(state, other, true))
            }
            Probes::Pass => true,
        }
    }

    /// Returns whether a probe sees a message: the first of its sender that
    /// suits, and no receive takes it.
    fn is_seen(&self, state: &State, send: usize, any_tag: bool) -> bool {
        let there = |s: usize| has(state.sent, s) && !has(state.taken, s);
        let waiting = |r: usize| has(state.posted, r) && !has(state.matched, r);
        let before = |other: usize| {
            let (first, second) = (&self.sends[other], &self.sends[send]);
            let same = (first.from, first.to) == (second.from, second.to);
            same && there(other) && (any_tag || first.tag == second.tag)
        };
        let mut receives = 0..self.receives.len();
        there(send)
            && !(0..send).any(before)
            && !receives.any(|receive| waiting(receive) && self.suits(receive, send))
    }

    fn matched(&self, state: &State, (receive, send): (usize, usize)) -> State {
        let mut next = state.clone();
        next.matched |= 1 << receive;
        next.taken |= 1 << send;
        next
    }

    fn is_choice(&self, receive: usize) -> bool {
        self.receives[receive].from.is_none()
    }

    /// Finds all races: a receive could get another message while everything
    /// before is as it was. For each, whether all that was received in the
    /// trace can still be received then; nothing if that depends on how long
    /// probes wait.
    pub fn races(&self) -> BTreeMap<(EventRef, EventRef), Option<bool>> {
        let mut races = BTreeMap::new();
        let mut seen = HashSet::new();
        let mut stack = vec![self.begin()];
        while let Some(state) = stack.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            stack.extend(
                (0..self.acts.len())
                    .filter_map(|process| self.step(&state, process, Probes::AsTheyWere)),
            );
            for (receive, send) in self.matches(&state) {
                if self.receives[receive].message == Some(send) {
                    stack.push(self.matched(&state, (receive, send)));
                } else if self.is_choice(receive) {
                    let race = (self.receives[receive].event, self.sends[send].event);
                    let next = self.matched(&state, (receive, send));
                    let ends: &mut [bool; 2] = races.entry(race).or_default();
                    ends[0] = ends[0] || self.can_end(next.clone(), Probes::SeeAny);
                    ends[1] = ends[1] || self.can_end(next, Probes::Pass);
                }
            }
        }
        let verdict = |[strict, lenient]: [bool; 2]| (strict == lenient).then_some(strict);
        let races = races.into_iter();
        races.map(|(race, ends)| (race, verdict(ends))).collect()
    }

    /// Returns whether everybody can come to the end.
    fn can_end(&self, state: State, probes: Probes) -> bool {
        let mut seen = HashSet::new();
        let mut stack = vec![state];
        while let Some(state) = stack.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            if (state.at.iter().zip(&self.acts)).all(|(at, acts)| *at == acts.len()) {
                return true;
            }
            stack.extend(
                (0..self.acts.len()).filter_map(|process| self.step(&state, process, probes)),
            );
            let matches = self.matches(&state).into_iter();
            stack.extend(matches.map(|pair| self.matched(&state, pair)));
        }
        false
    }
}

fn receive(event: EventRef, process: usize, message: &PointToPoint) -> Receive {
    Receive {
        event,
        process,
        from: (!message.any_source).then_some(message.peer as usize),
        tag: (!message.any_tag).then_some(message.tag),
        message: None,
    }
}

fn requests_completed(trace: &Trace) -> BTreeSet<(usize, u64)> {
    let mut completed = BTreeSet::new();
    for (process, location) in trace.locations.iter().enumerate() {
        for (_, event) in location.events.iter() {
            if let Event::MpiIrecv(message) = event {
                completed.insert((process, message.request.unwrap().0));
            }
        }
    }
    completed
}
