//! Receives that ask for the same, and the messages that could have been theirs.
//!
//! A message of a sender could have been got by those receives that
//!
//! - were posted after the one that took the sender's message before, as
//!   messages that suit one receive do not overtake (MPI 4.1 §3.5), and
//! - before the one that took it, and
//! - whose match the sender did not yet know of when it sent.
//!
//! In the order of their posts these are a row without gaps: all races of
//! a message are a [`Span`] of two numbers, however many there are.

use mpiscope_model::{CommId, LocationIndex};

use super::{Inbox, NONE};

/// Receives and probes of a location with the same communicator, source and tag.
#[derive(Debug)]
pub(crate) struct Class {
    pub location: LocationIndex,
    pub comm: CommId,
    pub tag: Option<u32>,
    /// Rows of the inbox's entries, ascending.
    pub list: Vec<u32>,
    /// Messages that suit them, by sending location and there in order.
    pub messages: Vec<u32>,
    /// By their begin.
    pub spans: Vec<Span>,
    /// For each in the list: how many alternatives it has.
    pub alternatives: Vec<u32>,
    /// Probes of the list with the rows of the messages that they saw.
    pub seen: Vec<(u32, u32)>,
}

/// The receives that could have got a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// First and end, in [`Class::list`].
    pub begin: u32,
    pub end: u32,
    /// Its row in [`Class::messages`].
    pub row: u32,
}

impl Span {
    fn has(&self, at: u32) -> bool {
        (self.begin..self.end).contains(&at)
    }
}

impl Class {
    /// Finds the spans of all messages.
    pub fn find(&mut self, inbox: &Inbox) {
        let after = self.after(inbox);
        // Entries are large, and searched for every message.
        let decided = self.list.iter();
        let decided: Vec<u32> = decided
            .map(|&at| inbox.entries[at as usize].decided)
            .collect();
        for (row, &message) in self.messages.iter().enumerate() {
            let taken = inbox.incoming[message as usize].taken;
            let end = self.list.partition_point(|&at| at < taken);
            let free = self.list[..end].partition_point(|&at| at < after[row]);
            if free == end || after[row] == NONE {
                continue;
            }
            let needs = inbox.needs(message, self.location);
            let known = decided[free..end].partition_point(|&decided| decided < needs);
            if free + known < end {
                self.spans.push(Span {
                    begin: (free + known) as u32,
                    end: end as u32,
                    row: row as u32,
                });
            }
        }
        self.spans
            .sort_unstable_by_key(|span| (span.begin, span.row));
        self.count(inbox);
    }

    /// Returns for each message from which entry on all earlier ones of its
    /// sender are gone; [`NONE`] if one stays.
    fn after(&self, inbox: &Inbox) -> Vec<u32> {
        let mut after: Vec<u32> = Vec::with_capacity(self.messages.len());
        let mut sender = None;
        let mut gone = 0;
        for &message in &self.messages {
            let incoming = &inbox.incoming[message as usize];
            if sender.replace(incoming.send.location) != Some(incoming.send.location) {
                gone = 0;
            }
            after.push(gone);
            gone = gone.max(incoming.taken.saturating_add(1));
        }
        if !inbox.siblings.is_empty() {
            let own = after.clone();
            for (row, &message) in self.messages.iter().enumerate() {
                for &sibling in inbox.siblings.get(&message).into_iter().flatten() {
                    after[row] = after[row].max(self.gone(inbox, &own, sibling));
                }
            }
        }
        after
    }

    /// Returns from which entry on all messages are gone that another thread
    /// of the sender had sent up to an event.
    fn gone(&self, inbox: &Inbox, after: &[u32], (thread, latest): (LocationIndex, u32)) -> u32 {
        let send = |message: &u32| inbox.incoming[*message as usize].send;
        let before = |message: &u32| {
            let send = send(message);
            (send.location, send.index) <= (thread, latest)
        };
        let row = self.messages.partition_point(before);
        match row.checked_sub(1).map(|row| (row, self.messages[row])) {
            Some((row, message)) if send(&message).location == thread => {
                let taken = inbox.incoming[message as usize].taken;
                after[row].max(taken.saturating_add(1))
            }
            _ => 0,
        }
    }

    /// Counts alternatives. What a probe saw is none: it is still there.
    fn count(&mut self, inbox: &Inbox) {
        let mut change = vec![0i32; self.list.len() + 1];
        for span in &self.spans {
            change[span.begin as usize] += 1;
            change[span.end as usize] -= 1;
        }
        let mut now = 0;
        let sum = |change: &i32| {
            now += change;
            now as u32
        };
        self.alternatives = change[..self.list.len()].iter().map(sum).collect();
        self.seen = self.find_seen(inbox);
        for (at, _) in &self.seen {
            self.alternatives[*at as usize] -= 1;
        }
    }

    /// Finds the spans of what probes saw.
    fn find_seen(&self, inbox: &Inbox) -> Vec<(u32, u32)> {
        let probe = |at: &u32| !inbox.entries[*at as usize].takes;
        if !self.list.iter().any(probe) {
            return Vec::new();
        }
        let mut ranges = vec![(0, 0); self.messages.len()];
        for span in &self.spans {
            ranges[span.row as usize] = (span.begin, span.end);
        }
        let mut seen = Vec::new();
        for (&place, at) in self.list.iter().zip(0u32..).filter(|(at, _)| probe(at)) {
            let entry = &inbox.entries[place as usize];
            if entry.message == NONE {
                let spans = self.spans.iter().filter(|span| span.has(at));
                let same = |span: &&Span| {
                    let message = self.messages[span.row as usize];
                    let incoming = &inbox.incoming[message as usize];
                    entry.got == (incoming.process, incoming.tag)
                };
                seen.extend(spans.filter(same).map(|span| (at, span.row)));
            } else if let Ok(row) = self.messages.binary_search(&entry.message) {
                let (begin, end) = ranges[row];
                if (begin..end).contains(&at) {
                    seen.push((at, row as u32));
                }
            }
        }
        seen.sort_unstable();
        seen
    }

    /// Calls `visit` for each racing entry with its place in the list and the
    /// spans of its alternatives, until that returns false.
    pub fn each(&self, inbox: &Inbox, mut visit: impl FnMut(usize, &[Span]) -> bool) {
        let mut spans = self.spans.iter().peekable();
        let mut open: Vec<Span> = Vec::new();
        let mut others: Vec<Span> = Vec::new();
        for (at, &entry) in self.list.iter().enumerate() {
            let place = at as u32;
            open.retain(|span| span.end > place);
            while let Some(span) = spans.next_if(|span| span.begin <= place) {
                open.push(*span);
            }
            if self.alternatives[at] == 0 {
                continue;
            }
            let go_on = match inbox.entries[entry as usize].takes {
                true => visit(at, &open),
                false => {
                    others.clear();
                    let is_seen = |span: &Span| self.seen.binary_search(&(place, span.row)).is_ok();
                    others.extend(open.iter().filter(|span| !is_seen(span)));
                    visit(at, &others)
                }
            };
            if !go_on {
                return;
            }
        }
    }

    /// Returns how many messages follow one from its sender that race with
    /// the same receive: a block.
    pub fn block(&self, inbox: &Inbox, at: usize, span: Span) -> u32 {
        let entry = &inbox.entries[self.list[at] as usize];
        let send = |message: u32| inbox.incoming[message as usize].send;
        let rest = &self.messages[span.row as usize..];
        let races = |message: &u32| {
            send(*message).location == send(rest[0]).location
                && inbox.needs(*message, self.location) <= entry.decided
        };
        rest.partition_point(races).saturating_sub(1) as u32
    }
}
