//! The limits of messages lie where these are received. Of those that this part
//! sent to others it keeps the limits in the order of the matching: the marks
//! of these messages say where, and none is named when it is told.

use super::Matched;
use crate::exchange::{Division, Exchange, Rounds, Told};
use crate::links::{ends, Slots};
use crate::marks::Marks;
use crate::receipts::NO_LIMIT;
use crate::records::{Record, Role};

/// Limits of the messages that a part sent.
pub(super) struct Messages<'a> {
    division: &'a Division,
    me: usize,
    /// Those that it received, too, among others.
    received: Slots,
    /// Which ones other parts received, and their limits.
    elsewhere: Marks,
    limits: Vec<i64>,
}

impl<'a> Messages<'a> {
    pub fn new<E: Exchange>(
        exchange: &E,
        matched: &Matched<'a>,
        received: Slots,
        records: &[Vec<Record>],
    ) -> Messages<'a> {
        let mut messages = Messages {
            division: matched.known.division,
            me: exchange.me(),
            received,
            elsewhere: Marks::new(0),
            limits: Vec::new(),
        };
        if exchange.parts() > 1 {
            messages.mark(matched, records);
            for round in 0..matched.rounds.count() {
                let told = exchange.all_to_all(messages.tell(matched, round));
                messages.hear(&matched.rounds, round, &mut Told::new(told));
            }
        }
        messages
    }

    /// Makes room for the limits of what other parts received.
    fn mark(&mut self, matched: &Matched, records: &[Vec<Record>]) {
        let matching = matched.known.matching;
        let mut marks = Marks::new(matching.messages.len() + matching.bounds.len());
        let sent = |record: &&Record| record.role == Role::Send && !self.is_mine(record.peer);
        let sent = records.iter().flatten().filter(sent);
        sent.for_each(|record| marks.set(record.link));
        self.limits = vec![NO_LIMIT; marks.count()];
        self.elsewhere = marks;
    }

    /// Returns the limits of what this part received from others in a round.
    fn tell(&self, matched: &Matched, round: usize) -> Vec<Vec<i64>> {
        let mut outgoing = vec![Vec::new(); self.division.parts()];
        let stretches = matched.rounds.stretches(self.me, round).iter();
        for link in stretches.cloned().flatten().map(|link| link as u32) {
            let (send, _) = ends(matched.known.matching, link);
            let sender = self.division.part_of(send.location.0);
            if sender != self.me {
                outgoing[sender].push(self.received.at(link));
            }
        }
        outgoing
    }

    /// Notes what the others told of what this part sent them.
    fn hear(&mut self, rounds: &Rounds, round: usize, told: &mut Told<i64>) {
        let others = (0..self.division.parts()).filter(|&part| part != self.me);
        for part in others {
            for stretch in rounds.stretches(part, round) {
                let links = stretch.start as u32..stretch.end as u32;
                self.elsewhere.each_of(links, |link| {
                    if let Some(limit) = told.next_of(part) {
                        self.limits[self.elsewhere.place(link)] = limit;
                    }
                });
            }
        }
    }

    #[inline(always)]
    fn is_mine(&self, location: u32) -> bool {
        self.division.has(self.me, location)
    }

    /// Returns the limit of a send.
    pub fn of(&self, record: &Record) -> i64 {
        match self.is_mine(record.peer) {
            true => self.received.at(record.link),
            false => self.limits[self.elsewhere.place(record.link)],
        }
    }

    /// Asks for a limit that is asked about soon.
    #[inline(always)]
    pub fn look_ahead(&self, record: &Record) {
        if self.is_mine(record.peer) {
            self.received.look_ahead::<false>(record.link);
        }
    }
}
