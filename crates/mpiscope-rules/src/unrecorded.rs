//! What comes by while recording is off, counted by channel.
//!
//! Sends and collectives are numbers in a table. Receives count in the order
//! of their posts, but some are still active when recording is switched on
//! again. So the receives counted are kept in [`Stretch`]es: each begins with a
//! receive still active, and those posted after it are counted in it; when it
//! completes, its stretch becomes part of the one before. Switched on, the
//! table goes into the records, from which `mpiscope_run::numbering` goes on
//! counting: there it survives the process.

use std::collections::{BTreeMap, HashMap};

use mpiscope_run::record::{Channel, Fact, Message, Side};

type Counts = HashMap<Channel, u64>;

/// What came by since recording was switched off.
#[derive(Debug, Default, Clone)]
pub struct Unrecorded {
    /// Whether recording is off. A call that began before it was switched on
    /// may end afterwards, in another thread.
    open: bool,
    counts: Counts,
    /// Sends still active, not counted yet.
    sends: HashMap<u32, Message>,
    /// Receives in posting order; the first stretch is no receive's.
    stretches: BTreeMap<u64, Stretch>,
    /// The stretches by request or message id.
    begun: HashMap<u32, u64>,
    next: u64,
}

#[derive(Debug, Default, Clone)]
struct Stretch {
    /// The post or matched probe it begins with, and the post of its Imrecv.
    told: Vec<Fact>,
    /// Whether that was recorded as a probe, and so counts there.
    probed: bool,
    counts: Counts,
}

impl Unrecorded {
    /// Begins to count.
    pub fn begin(&mut self) {
        self.open = true;
    }

    /// Ends counting; returns what was counted, to be recorded in this order.
    pub fn into_facts(self) -> Vec<Fact> {
        let skipped = |(channel, count)| Fact::Skipped(channel, count);
        let mut facts: Vec<Fact> = self.counts.into_iter().map(skipped).collect();
        let sends = self.sends.into_iter();
        facts.extend(sends.map(|(request, message)| Fact::UnseenIsend(message, request)));
        for stretch in self.stretches.into_values() {
            facts.extend(stretch.told);
            facts.extend(stretch.counts.into_iter().map(skipped));
        }
        facts
    }

    /// Returns the receives and matched messages that began since, and have not ended.
    pub fn receiving(&self) -> impl Iterator<Item = u32> + '_ {
        self.begun.keys().copied()
    }

    /// Takes back what was counted of a send or receive that MPI has rejected.
    pub fn take_back(&mut self, fact: Fact) {
        match fact {
            Fact::Send(m) => {
                if let Some(count) = self.counts.get_mut(&Channel::of(Side::Sent, &m)) {
                    *count = count.saturating_sub(1);
                }
            }
            Fact::Isend(_, request) => drop(self.sends.remove(&request)),
            Fact::IrecvRequest { request, .. } => drop(self.complete(request, None)),
            _ => {}
        }
    }

    /// Counts a fact; returns what must be recorded all the same.
    pub fn note(&mut self, fact: Fact) -> Option<Fact> {
        match fact {
            Fact::Send(m) => self.count(Channel::of(Side::Sent, &m)),
            Fact::CollectiveEnd(c) => self.count(Channel::collective(c.comm)),
            Fact::WindowCollectiveEnd(c) => self.count(Channel::window(c.window)),
            // A nonblocking one counts where it is initiated; each persistent one is a channel.
            Fact::CollectiveRequest {
                begun,
                persistent: None,
                ..
            } => self.count(Channel::collective(begun.comm)),
            Fact::Skipped(channel, messages) => self.skip(channel, messages),
            Fact::Isend(m, request) if self.open => {
                self.sends.insert(request, m);
                None
            }
            Fact::Isend(m, request) => Some(Fact::UnseenIsend(m, request)),
            Fact::IsendComplete { request } => {
                let sent = self.sends.remove(&request)?;
                self.count(Channel::of(Side::Sent, &sent))
            }
            Fact::Probe(_, id) if id != 0 => self.begin_stretch(id, fact, false),
            Fact::IrecvRequest {
                request, message, ..
            } => self.post(request, message, fact),
            Fact::Recv(m, None) => self.receive(&m),
            Fact::Recv(m, Some(id)) => {
                self.complete(id, Some(&m));
                None // whoever recorded the probe has counted it
            }
            Fact::Irecv(m, request) | Fact::UnseenIrecv(m, request) => {
                let ours = self.complete(request, Some(&m));
                (!ours).then_some(Fact::UnseenIrecv(m, request))
            }
            Fact::RequestCancelled { request } | Fact::UnseenCancelled { request } => {
                let ours = self.sends.remove(&request).is_some() || self.complete(request, None);
                (!ours).then_some(Fact::UnseenCancelled { request })
            }
            Fact::UnknownReceive(_, request) => {
                self.complete(request, None);
                Some(fact)
            }
            _ => None,
        }
    }

    fn count(&mut self, channel: Channel) -> Option<Fact> {
        self.skip(channel, 1)
    }

    /// Counts messages or operations; those received are posted, and complete.
    fn skip(&mut self, channel: Channel, messages: u64) -> Option<Fact> {
        if !self.open {
            return Some(Fact::Skipped(channel, messages));
        }
        let counts = match channel.side {
            Side::Received => {
                let last = self.stretches.keys().next_back().copied().unwrap_or(0);
                &mut self.stretches.entry(last).or_default().counts
            }
            _ => &mut self.counts,
        };
        *counts.entry(channel).or_default() += messages;
        None
    }

    fn post(&mut self, request: u32, message: Option<u32>, fact: Fact) -> Option<Fact> {
        let taken = message.and_then(|id| self.begun.remove(&id));
        let Some(stretch) = taken.and_then(|at| self.stretches.get_mut(&at)) else {
            return self.begin_stretch(request, fact, message.is_some());
        };
        stretch.told.push(fact);
        self.begun.extend(taken.map(|at| (request, at)));
        None
    }

    /// Begins a stretch with a receive that is active from now on.
    fn begin_stretch(&mut self, id: u32, fact: Fact, probed: bool) -> Option<Fact> {
        if self.open {
            self.next += 1;
            let stretch = Stretch {
                told: vec![fact],
                probed,
                counts: Counts::new(),
            };
            self.stretches.insert(self.next, stretch);
            self.begun.insert(id, self.next);
        }
        None
    }

    /// Counts a receive that is posted and complete.
    fn receive(&mut self, message: &Message) -> Option<Fact> {
        self.count(Channel::of(Side::Received, message))
    }

    /// Ends the stretch of a receive, with a message or cancelled; false if it has none.
    fn complete(&mut self, id: u32, message: Option<&Message>) -> bool {
        let Some(at) = self.begun.remove(&id) else {
            return false;
        };
        let Some(stretch) = self.stretches.remove(&at) else {
            return false;
        };
        let before = self
            .stretches
            .range(..at)
            .next_back()
            .map_or(0, |(k, _)| *k);
        let counts = &mut self.stretches.entry(before).or_default().counts;
        for (channel, count) in stretch.counts {
            *counts.entry(channel).or_default() += count;
        }
        if let (Some(message), false) = (message, stretch.probed) {
            *counts
                .entry(Channel::of(Side::Received, message))
                .or_default() += 1;
        }
        true
    }
}
