//! Which sends the receives of one process meet: those of the same number on
//! their channel.

use std::collections::BTreeMap;
use std::ops::Range;

use super::channels::{Channels, UNKNOWN};
use super::found::Found;
use super::outgoing::{Outgoing, Outlet};
use crate::messages::{Bound, BoundKind, Message};
use crate::trace::EventRef;

/// A receive or a probe, and the stretch whose next message it met.
#[derive(Clone, Copy)]
pub(super) struct StretchReceive {
    pub stretch: u32,
    pub probe: bool,
    /// It has not completed.
    pub pending: bool,
    pub event: EventRef,
}

/// How far the receives of a stretch have come, and which sends they meet.
#[derive(Clone, Default)]
struct Turn<'a> {
    next: u32,
    /// The place in the stretch that meets the first of `sends`.
    from: u32,
    sends: &'a [EventRef],
    /// What follows, in [`Plan::pieces`].
    pieces: Range<u32>,
}

/// The sends that receives of a stretch meet from a place on.
#[derive(Clone, Copy)]
struct Piece<'a> {
    from: u32,
    sends: &'a [EventRef],
}

/// All sends to one process, by the stretches that receive them.
pub(super) struct Plan<'a> {
    receives: &'a Channels,
    turns: Vec<Turn<'a>>,
    pieces: Vec<Piece<'a>>,
    /// Channels that were not counted from the first message on, by the latest
    /// stretch of receives.
    broken: BTreeMap<u32, Vec<(&'a Outgoing, &'a Outlet)>>,
}

impl<'a> Plan<'a> {
    /// Plans for the receives of a process, which nothing meets yet.
    pub fn new(receives: &'a Channels) -> Plan<'a> {
        Plan {
            receives,
            turns: vec![Turn::default(); receives.stretches.len()],
            pieces: Vec::new(),
            broken: BTreeMap::new(),
        }
    }

    /// Adds a stretch of sends.
    pub fn add(&mut self, sender: &'a Outgoing, outlet: &'a Outlet, found: &mut Found) {
        let sends = sender.sends(outlet);
        let Some(latest) = self.receives.latest(outlet.key) else {
            found.unmatched_sends.extend(sends);
            if outlet.is_unknown() {
                found.ambiguous += sends.len();
            }
            return;
        };
        if !outlet.whole || !self.receives.is_whole(latest) {
            let broken = self.broken.entry(latest).or_default();
            return broken.push((sender, outlet));
        }
        let received = self.receives.stretches[latest as usize].count as usize;
        if received < sends.len() {
            found.unmatched_sends.extend(&sends[received..]);
        }
        if outlet.shared || self.receives.is_shared(latest) {
            found.ambiguous += received.min(sends.len());
        }
        self.turns[latest as usize].sends = sends;
    }

    /// Matches channels by the numbers that are known.
    pub fn mend(&mut self, found: &mut Found) {
        for (id, stretch) in self.receives.stretches.iter().enumerate() {
            if stretch.first == UNKNOWN {
                let latest = self.receives.latest(stretch.key);
                self.broken.entry(latest.unwrap_or(id as u32)).or_default();
            }
        }
        for (latest, outlets) in std::mem::take(&mut self.broken) {
            let (receives, unknown_receives) = self.known_receives(latest);
            let mut sends = Vec::new();
            let mut unknown_sends = 0;
            for (sender, outlet) in outlets {
                match outlet.first.checked_add(outlet.count.into()) {
                    Some(end) => sends.push((outlet.first..end, sender.sends(outlet), outlet)),
                    None => {
                        unknown_sends += outlet.count as usize;
                        found.unmatched_sends.extend(sender.sends(outlet));
                    }
                }
            }
            sends.sort_by_key(|(numbers, _, _)| (numbers.start, numbers.end));
            found.ambiguous += unknown_receives.max(unknown_sends);
            self.pair(&receives, &sends, found);
        }
    }

    /// Returns the stretches of a channel's receives whose numbers are known,
    /// and how many receives have unknown ones. Should two stretches claim the
    /// same numbers, the one with the lower first has them.
    fn known_receives(&self, latest: u32) -> (Vec<(Range<u64>, u32)>, usize) {
        let (mut known, mut unknown) = (Vec::new(), 0);
        let mut id = latest;
        while let Some(stretch) = self.receives.stretches.get(id as usize) {
            match stretch.first.checked_add(stretch.count.into()) {
                Some(end) => known.push((stretch.first..end, id)),
                None => unknown += stretch.count as usize,
            }
            id = stretch.earlier;
        }
        known.sort_by_key(|(numbers, id)| (numbers.start, numbers.end, *id));
        (known, unknown)
    }

    /// Pairs receives and sends of equal number; both lists ascend.
    fn pair(
        &mut self,
        receives: &[(Range<u64>, u32)],
        sends: &[(Range<u64>, &'a [EventRef], &Outlet)],
        found: &mut Found,
    ) {
        let mut receives = receives.iter().peekable();
        // Numbers below are taken.
        let mut next = 0;
        for (numbers, events, outlet) in sends {
            let mut number = next.max(numbers.start);
            let place = |number: u64| (number - numbers.start) as usize;
            found
                .unmatched_sends
                .extend(&events[..place(number.min(numbers.end))]);
            while number < numbers.end {
                let Some((received, id)) = receives.peek() else {
                    break;
                };
                if received.end <= number {
                    receives.next();
                    continue;
                }
                let begin = number.max(received.start);
                let end = numbers.end.min(received.end);
                let lost = place(number)..place(begin.min(numbers.end));
                found.unmatched_sends.extend(&events[lost]);
                number = begin.min(numbers.end);
                if begin >= end {
                    break;
                }
                if outlet.shared || self.receives.is_shared(*id) {
                    found.ambiguous += (end - begin) as usize;
                }
                let turn = &mut self.turns[*id as usize];
                let row = self.pieces.len() as u32;
                if turn.pieces.is_empty() {
                    turn.pieces = row..row;
                }
                turn.pieces.end = row + 1;
                self.pieces.push(Piece {
                    from: (begin - received.start) as u32,
                    sends: &events[place(begin)..place(end)],
                });
                number = end;
            }
            if number < numbers.end {
                found.unmatched_sends.extend(&events[place(number)..]);
            }
            next = next.max(numbers.end);
        }
    }

    /// Finds the send that a receive or probe met.
    #[inline(always)]
    pub fn meet(&mut self, posted: &StretchReceive, found: &mut Found) {
        let turn = &mut self.turns[posted.stretch as usize];
        let place = turn.next.wrapping_sub(turn.from);
        let mut send = turn.sends.get(place as usize);
        if send.is_none() && !turn.pieces.is_empty() {
            send = next_piece(turn, &self.pieces);
        }
        let receive = posted.event;
        if posted.probe {
            let send = send.filter(|send| send.location != receive.location);
            found.bounds.extend(send.map(|&send| Bound {
                send,
                receive,
                kind: BoundKind::Probe,
            }));
            return;
        }
        turn.next += 1;
        match send {
            Some(&send) if posted.pending => found.unmatched_sends.push(send),
            None if posted.pending => {}
            Some(&send) => found.messages.push(Message { send, receive }),
            None => found.unmatched_receives.push(receive),
        }
    }
}

/// Goes on to the piece that the next receive of a stretch belongs to.
#[cold]
fn next_piece<'a>(turn: &mut Turn<'a>, pieces: &[Piece<'a>]) -> Option<&'a EventRef> {
    while !turn.pieces.is_empty() {
        let piece = pieces[turn.pieces.start as usize];
        if turn.next < piece.from {
            return None;
        }
        turn.pieces.start += 1;
        (turn.from, turn.sends) = (piece.from, piece.sends);
        let send = turn.sends.get((turn.next - turn.from) as usize);
        if send.is_some() {
            return send;
        }
    }
    None
}
