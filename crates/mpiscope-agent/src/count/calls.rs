//! One MPI call after the other: the facts that hooks tell become counts.
//!
//! A call that deals with one message is counted, time and all, in the entry
//! of its peer. One that deals with several (`MPI_Waitall`) counts each
//! message with its peer, and itself, with its time, apart: nobody can tell
//! how the time belongs to them.

use std::sync::atomic::Ordering;

use mpi_abi::id;
use mpiscope_rules::virtual_time::Ended;
use mpiscope_run::record::{self, Channel, Fact, Message, ALL_MEMBERS, NO_CAPACITY};
use mpiscope_run::statistics::{bin, Amount, Key, Side, ALL, ANY, NOBODY, NO_GROUP};

use super::fast_path;
use super::thread::Statistics;
use super::virtual_clock::{self, Stamp, VirtualClock};
use crate::facts::session;
use crate::facts::sinks::Counter;

/// The call that is being made.
#[derive(Default)]
pub struct Frame {
    region: u16,
    site: u64,
    began: u64,
    /// How many messages it dealt with.
    messages: u32,
    /// The first of them.
    first: (Side, u64, u64),
    /// What observation had taken when it began.
    intrusion: u64,
    /// With whom the call about to be entered deals, as far as it says, plus one; 0 for nobody.
    asked: u64,
    /// What the call about to be entered asks for.
    asks: Option<Message>,
    /// Whether it has asked for something in vain.
    in_vain: bool,
}

/// Returns peer and group as an entry has them.
#[inline(always)]
pub fn other(peer: u32, group: u32) -> u64 {
    u64::from(peer) | u64::from(group) << 32
}

impl Counter for Statistics {
    fn take(&mut self, time: u64, fact: Fact) {
        match fact {
            Fact::Enter { region, site } => self.enter(time, region as u16, site),
            Fact::Leave { .. } => self.leave(time),
            Fact::Send(m) => self.send(&m, None),
            Fact::Isend(m, request) => self.send(&m, Some(request)),
            Fact::IsendComplete { request } => {
                self.with_clock(|clock, _, _| clock.sent_all(request));
            }
            Fact::Recv(m, _) => {
                self.with_clock(|clock, stamp, _| clock.received(&m, Some(stamp), None));
                self.message(Side::Received, &m);
            }
            Fact::Irecv(m, request) => {
                self.with_clock(|clock, _, _| clock.received_by(request, &m));
                self.message(Side::Received, &m);
            }
            Fact::IrecvRequest {
                request,
                posted: Some(m),
                ..
            } => self.with_clock(|clock, stamp, _| clock.posts_by(request, &m, stamp)),
            Fact::Posted(m) if m.peer == ALL_MEMBERS => {}
            Fact::Posted(m) => {
                let peer = if m.wildcard.source { ANY } else { m.peer };
                self.frame.asked = other(peer, self.group(m.comm)).wrapping_add(1);
                // A probe asks for a message, and posts no receive.
                let posts = self.virtual_clock.is_some() && m.bytes != NO_CAPACITY;
                self.frame.asks = posts.then_some(m);
            }
            Fact::CollectiveBegin(begun, _) => {
                let with = other(ALL, self.group(begun.comm));
                self.now.other.store(with, Ordering::Relaxed);
                self.with_clock(|clock, stamp, region| {
                    clock.meets(region, begun.comm, begun.root, stamp);
                });
            }
            Fact::CollectiveRequest { request, begun, .. } => {
                let with = other(ALL, self.group(begun.comm));
                self.with_clock(|clock, stamp, _| {
                    clock.initiates(request, begun.comm, begun.root, stamp);
                });
                self.deal(Side::None, with, 0);
            }
            Fact::RequestCancelled { request } => {
                self.with_clock(|clock, _, _| clock.cancels(request));
            }
            Fact::CollectiveCompletes { request } => {
                self.with_clock(|clock, _, _| clock.completes(request));
            }
            Fact::CollectiveEnd(c) => {
                let with = other(ALL, self.group(c.comm));
                self.with_clock(|clock, _, _| clock.met(&c));
                self.deal(Side::Collective, with, c.sent.saturating_add(c.received));
            }
            Fact::Failed { rejected, .. } => {
                if rejected && self.frame.first.0 == Side::Sent {
                    self.frame.messages = 0;
                }
                self.with_clock(|clock, _, region| {
                    clock.fails(rejected, fast_path::touches_requests(region));
                });
            }
            Fact::Switched { on: false } => self.hand_over(),
            Fact::Skipped(channel, many) => {
                self.with_clock(|clock, _, _| clock.skips(channel, many));
            }
            Fact::UnseenIrecv(m, _) => {
                let channel = Channel::of(record::Side::Received, &m);
                self.with_clock(|clock, _, _| clock.skips(channel, 1));
            }
            Fact::UnknownReceive(m, _) => self.with_clock(|clock, _, _| clock.lose_comm(m.comm)),
            _ => {}
        }
    }

    fn asks_in_vain(&mut self) {
        self.frame.in_vain = true;
    }
}

impl Statistics {
    #[inline(always)]
    fn enter(&mut self, time: u64, region: u16, site: u64) {
        if fast_path::touches_requests(region) || region == id::MPI_PCONTROL.0 {
            self.hand_over();
        }
        let with = match self.frame.asked {
            0 => other(NOBODY, NO_GROUP),
            asked => asked.wrapping_sub(1),
        };
        let began = match self.delay {
            0 => time,
            _ => self.waste_before(),
        };
        let asks = self.frame.asks;
        self.frame = Frame {
            region,
            site,
            began,
            intrusion: self.intrusion(),
            ..Frame::default()
        };
        self.stand(began);
        self.show_call(time, region, site, with);
        self.with_clock(|clock, stamp, _| {
            clock.begin();
            if let Some(asked) = asks {
                clock.posts(&asked, stamp);
            }
        });
    }

    /// Whoever looks for requests looks where all are.
    fn hand_over(&mut self) {
        if let Some(session) = session::get() {
            let clock = self.virtual_clock.as_deref();
            self.outstanding.hand_over(session, clock);
        }
    }

    /// Works with the virtual clock, if there is one: the moment at which the
    /// call began, and the function called.
    #[inline(always)]
    pub(super) fn with_clock(&mut self, work: impl FnOnce(&mut VirtualClock, Stamp, u16)) {
        if let Some(clock) = &mut self.virtual_clock {
            let stamp = Stamp {
                time: self.frame.began,
                intrusion: self.frame.intrusion,
                ..Stamp::default()
            };
            work(clock, stamp, self.frame.region);
        }
    }

    /// Returns the virtual time at which the call began.
    pub(super) fn ready(&self) -> u64 {
        self.frame.began.saturating_sub(self.frame.intrusion)
    }

    /// Ends the call in virtual time; returns of its time what was observation,
    /// its own and that of partners, and what was waiting, if that can be told.
    #[inline(always)]
    pub(super) fn end_virtually(&mut self, time: u64) -> Option<(u64, Option<u64>)> {
        let mut ended = None;
        self.with_clock(|clock, stamp, _| ended = clock.end(stamp, time));
        let Ended {
            virtual_time,
            delay,
        } = ended?;
        let end = virtual_time.saturating_sub(self.costs.call_within);
        let intrusion = time.saturating_sub(end);
        let more = intrusion.wrapping_sub(self.frame.intrusion);
        self.set_intrusion(intrusion);
        // Readers add what every call costs.
        Some((more.wrapping_sub(self.costs.call_within), delay))
    }

    /// The same for a call of the shortest way.
    #[inline(always)]
    pub(super) fn begin_fast(&mut self, time: u64, region: u16, site: u64, with: u64) {
        self.frame.began = match self.delay {
            0 => time,
            _ => self.waste_before(),
        };
        (self.frame.region, self.frame.site) = (region, site);
        self.frame.intrusion = self.intrusion();
        self.show_call(time, region, site, with);
    }

    #[inline(always)]
    fn show_call(&self, time: u64, region: u16, site: u64, with: u64) {
        let now = self.now;
        now.site.store(site, Ordering::Relaxed);
        now.other.store(with, Ordering::Relaxed);
        now.region.store(u64::from(region) + 1, Ordering::Relaxed);
        now.since.store(time, Ordering::Release);
    }

    /// Returns how long the call took that ends now.
    #[inline(always)]
    pub(super) fn elapsed(&self, time: u64) -> u64 {
        time.saturating_sub(self.frame.began)
    }

    #[inline(always)]
    fn send(&mut self, message: &Message, request: Option<u32>) {
        self.with_clock(|clock, stamp, region| {
            clock.sends(message, request, virtual_clock::may_wait(region), stamp);
        });
        self.message(Side::Sent, message);
    }

    #[inline(always)]
    fn message(&mut self, side: Side, message: &Message) {
        let with = other(message.peer, self.group(message.comm));
        if side == Side::Sent {
            self.now.other.store(with, Ordering::Relaxed);
        }
        self.deal(side, with, message.bytes);
    }

    #[inline(always)]
    fn deal(&mut self, side: Side, with: u64, bytes: u64) {
        self.frame.messages += 1;
        if self.frame.messages == 1 {
            self.frame.first = (side, with, bytes);
        } else {
            self.deal_with_more(side, with, bytes);
        }
    }

    #[inline(never)]
    fn deal_with_more(&mut self, side: Side, with: u64, bytes: u64) {
        if self.frame.messages == 2 {
            let (side, with, bytes) = self.frame.first;
            self.count(side, with, bytes, Amount::default());
        }
        self.count(side, with, bytes, Amount::default());
    }

    /// Counts a message, and what `call` says of the call.
    #[inline(always)]
    fn count(&mut self, side: Side, with: u64, bytes: u64, call: Amount) {
        let key = self.key(side, with);
        let Some(entry) = self.store.entry(key) else {
            return;
        };
        let amount = Amount {
            messages: 1,
            bytes,
            ..call
        };
        if side == Side::None {
            return entry.add(call);
        }
        if !entry.add_message(amount) {
            self.store.count_bin(entry, bin(bytes));
        }
    }

    fn count_delay(&mut self, side: Side, with: u64, delay: u64) {
        let key = self.key(side, with);
        if let Some(entry) = self.store.entry(key) {
            entry.add_delay(delay);
        }
    }

    /// Returns the key of what the call has dealt with.
    #[inline(always)]
    pub(super) fn key(&self, side: Side, with: u64) -> Key {
        let Frame { region, site, .. } = self.frame;
        Key::call(region, side, site, with as u32, (with >> 32) as u32)
    }

    #[inline(always)]
    fn leave(&mut self, time: u64) {
        let elapsed = self.elapsed(time);
        let is_held = |clock: &VirtualClock| clock.is_held();
        let in_vain = self.frame.in_vain
            && self
                .virtual_clock
                .as_deref()
                .is_some_and(|clock| !is_held(clock));
        let virtually = match in_vain {
            // Unobserved, the program would have asked once more in this time.
            true => Some((self.costs.call_within.wrapping_neg(), None)),
            false => self.end_virtually(time),
        };
        let call = Amount {
            calls: 1,
            time: elapsed,
            intrusion: virtually.map_or(0, |(intrusion, _)| intrusion),
            ..Amount::default()
        };
        if self.frame.messages == 1 {
            let (side, with, bytes) = self.frame.first;
            self.count(side, with, bytes, call);
            if let Some((_, Some(delay))) = virtually {
                self.count_delay(side, with, delay);
            }
        } else {
            let key = self.key(Side::None, other(NOBODY, NO_GROUP));
            if let Some(entry) = self.store.entry(key) {
                entry.add(call);
            }
            if let Some((_, Some(delay))) = virtually {
                self.count_delay(Side::None, other(NOBODY, NO_GROUP), delay);
            }
        }
        self.intrude_after();
        if !in_vain {
            self.intrude(self.costs.call);
        }
        self.end_call(time, elapsed);
    }

    /// Counts as observation what was spent on partners' words since the call ended.
    #[inline(always)]
    pub(super) fn intrude_after(&mut self) {
        let after = self.virtual_clock.as_ref().map_or(0, |clock| clock.after());
        if after > 0 {
            self.intrude(after);
        }
    }

    /// Counts a call beside its entry.
    #[inline(always)]
    pub(super) fn end_call(&mut self, time: u64, elapsed: u64) {
        let now = self.now;
        now.calls.store(self.count_call(), Ordering::Relaxed);
        let before = now.time.load(Ordering::Relaxed);
        now.time.store(before + elapsed, Ordering::Relaxed);
        now.region.store(0, Ordering::Relaxed);
        now.since.store(time, Ordering::Release);
        self.waste();
        self.run();
    }
}
