//! What one process received and found by probes, in posting order.

use rustc_hash::FxHashMap;

use super::channels::{Channels, Key, Moment, NONE};
use super::found::Found;
use super::outgoing::{Outgoing, Outlet};
use super::pairing::{Plan, StretchReceive};
use super::posts::taken;
use super::scan::{visit, Occurrence, Switch, Visitor};
use crate::definitions::LocationIndex;
use crate::events::{EventKind, Events, PointToPoint};
use crate::requests::UnderWay;
use crate::trace::{EventRef, Trace};

/// A place in posting order whose receive has not completed.
fn pending(event: EventRef) -> StretchReceive {
    StretchReceive {
        stretch: NONE,
        probe: false,
        pending: true,
        event,
    }
}

/// Reads the receives of one process after the other.
#[derive(Default)]
pub(super) struct Reader {
    switch: Switch,
    channels: Channels,
    /// In posting order.
    posted: Vec<StretchReceive>,
    posts: UnderWay,
    /// Length of `posted` when recording was switched last.
    switched: usize,
    /// Receives posted before that, while recording was off.
    unseen: Vec<(usize, StretchReceive)>,
    /// The same by stretch.
    unseen_of: FxHashMap<u32, Vec<usize>>,
}

impl Visitor for Reader {
    #[inline(always)]
    fn visit(&mut self, location: LocationIndex, events: &Events, at: Occurrence) {
        use EventKind::*;
        let Occurrence { index, kind, rows } = at;
        let moment = self.switch.moment(location, events, index);
        let event = EventRef::new(location, index);
        match kind {
            MpiIrecvRequest => {
                let place = self.posted.len() as u32;
                self.posts.insert(events.requests()[rows.requests], place);
                self.posted.push(pending(event));
            }
            MpiRequestCancelled => {
                if let Some(place) = self.posts.take(events.requests()[rows.requests]) {
                    if let Some(posted) = self.posted.get_mut(place as usize) {
                        posted.pending = false;
                    }
                }
            }
            MeasurementOnOff => {
                self.switch.set(events, index);
                self.switched = self.posted.len();
            }
            MpiProbe => self.probe(&events.messages()[rows.messages], event, moment),
            _ => self.receive(&events.messages()[rows.messages], event, moment),
        }
    }
}

impl Reader {
    /// Reads what the threads of a process received.
    pub fn read(&mut self, trace: &Trace, locations: &[LocationIndex]) {
        self.switch = Switch::default();
        self.channels.reset(locations.len());
        self.posted.clear();
        self.posts.clear();
        self.switched = 0;
        visit(trace, locations, is_wanted, self);
        if !self.unseen.is_empty() {
            self.place_unseen();
        }
        let events = |at: &LocationIndex| &trace.locations[at.index()].events;
        let counted =
            |events: &Events| events.switches().is_empty() && events.sequences().is_empty();
        if !self.posts.is_empty() && locations.iter().map(events).all(counted) {
            self.count_pending(trace);
        }
    }

    /// Counts receives that never completed, if they say what they asked for.
    fn count_pending(&mut self, trace: &Trace) {
        for posted in &mut self.posted {
            if !posted.pending {
                continue;
            }
            let EventRef { location, index } = posted.event;
            if let Some(asked) = taken(&trace.locations[location.index()].events, index) {
                let moment = Moment {
                    location,
                    pause: 0,
                    sequence: None,
                };
                posted.stretch = self.channels.count(Key::of(&asked), moment);
            }
        }
    }

    /// Puts receives where they were posted while recording was off: when it
    /// was switched last, or before those of their channel that ended later.
    #[cold]
    fn place_unseen(&mut self) {
        self.unseen.sort_by_key(|(place, _)| *place);
        let seen = std::mem::take(&mut self.posted);
        let mut unseen = self.unseen.drain(..).peekable();
        for (place, posted) in (0..).zip(seen) {
            let before = std::iter::from_fn(|| unseen.next_if(|(at, _)| *at <= place));
            self.posted.extend(before.map(|(_, receive)| receive));
            self.posted.push(posted);
        }
        self.posted.extend(unseen.map(|(_, receive)| receive));
        self.unseen_of.clear();
    }

    #[inline(always)]
    fn receive(&mut self, message: &PointToPoint, event: EventRef, moment: Moment) {
        let receive = StretchReceive {
            stretch: self.channels.count(Key::of(message), moment),
            probe: false,
            pending: false,
            event,
        };
        let post = message.request.and_then(|request| self.posts.take(request));
        match post {
            Some(place) => {
                self.found_by_probe(place as usize, receive.stretch);
                self.posted[place as usize] = receive;
                if !self.unseen.is_empty() {
                    self.ended(place as usize, receive.stretch);
                }
            }
            None if moment.pause > 0 && message.request.is_some() => {
                let list = self.unseen_of.entry(receive.stretch).or_default();
                list.push(self.unseen.len());
                self.unseen.push((self.switched, receive));
            }
            None => self.posted.push(receive),
        }
    }

    /// Has a matched probe, if it took the message that is received at a place, meet the same send:
    /// where messages are received in another order than they were probed, each may be of a stretch
    /// of its own.
    fn found_by_probe(&mut self, place: usize, stretch: u32) {
        let taken = self.posted[place].event;
        let before = place.checked_sub(1).map(|at| &mut self.posted[at]);
        if let Some(probe) = before.filter(|it| it.probe && it.event == taken) {
            probe.stretch = stretch;
        }
    }

    /// What was posted unseen and ended before another receive of its channel
    /// was posted before it. Places ascend in each list, and stay so.
    #[cold]
    fn ended(&mut self, place: usize, stretch: u32) {
        let list = self.unseen_of.get(&stretch).into_iter().flatten().rev();
        for &number in list {
            let at = &mut self.unseen[number].0;
            if *at <= place {
                break;
            }
            *at = place;
        }
    }

    #[cold]
    fn probe(&mut self, message: &PointToPoint, event: EventRef, moment: Moment) {
        let stretch = self.channels.peek(Key::of(message), moment);
        let probe = true;
        self.posted.push(StretchReceive {
            stretch,
            probe,
            pending: false,
            event,
        });
        if let Some(request) = message.request {
            // A matched probe takes the message out of its channel (MPI 4.1
            // §3.8.2), whenever it is received.
            self.posts.insert(request, self.posted.len() as u32);
            self.posted.push(pending(event));
        }
    }

    /// Finds out what was received, from what `inbox` lists of all sends:
    /// sender and row of its outlets.
    pub fn meet(&self, senders: &[Outgoing], inbox: &[(u32, u32)], found: &mut Found) {
        let mut plan = Plan::new(&self.channels);
        // Outlets lie scattered: fetched one after the other without looking
        // at them, many are on their way at a time.
        let outlets: Vec<(&Outgoing, Outlet)> = (inbox.iter())
            .map(|&(sender, row)| {
                let sender = &senders[sender as usize];
                (sender, sender.outlets[row as usize])
            })
            .collect();
        for (sender, outlet) in &outlets {
            plan.add(sender, outlet, found);
        }
        plan.mend(found);
        for posted in &self.posted {
            if posted.stretch != NONE {
                plan.meet(posted, found);
            }
        }
    }
}

fn is_wanted(kind: EventKind) -> bool {
    use EventKind::*;
    matches!(
        kind,
        MpiRecv | MpiIrecv | MpiIrecvRequest | MpiRequestCancelled | MpiProbe | MeasurementOnOff
    )
}
