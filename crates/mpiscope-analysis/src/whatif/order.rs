//! In which order pieces can be replayed: each after all that it needs. It depends on no times, so
//! that it is found once and holds for every change.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::lanes::{Lane, Moment};
use super::needs::{From, Needs};

/// A lane goes on until it is before this piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub lane: u32,
    pub until: u32,
}

/// Finds the order. What lanes need of each other in a circle, as in a damaged trace, is taken out
/// of `needs`; returns how many such needs there were, too.
pub(super) fn of(lanes: &mut [Lane], needs: &mut Needs) -> (Vec<Stretch>, u64) {
    let at = At {
        piece: 0,
        next: 0,
        begun: false,
        is_queued: false,
    };
    let mut search = Search {
        at: vec![at; lanes.len()],
        awaited: vec![BinaryHeap::new(); lanes.len()],
        come: vec![0; needs.groups.len()],
        members: vec![BinaryHeap::new(); needs.groups.len()],
        is_waiting: vec![false; needs.groups.len()],
        queue: Vec::new(),
        stretches: Vec::new(),
        lanes,
        needs,
    };
    let circles = search.run();
    (search.stretches, circles)
}

/// Where a lane is.
#[derive(Clone, Copy)]
struct At {
    piece: u32,
    /// The next of its needs.
    next: usize,
    begun: bool,
    is_queued: bool,
}

/// Who is told when a lane has come to a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Waiter {
    Lane(u32),
    Group(u32),
}

struct Search<'a> {
    lanes: &'a mut [Lane],
    needs: &'a mut Needs,
    at: Vec<At>,
    /// Who waits for a lane, and for which of its pieces.
    awaited: Vec<BinaryHeap<Reverse<(u32, Waiter)>>>,
    /// How many of each group have come.
    come: Vec<u32>,
    /// Lanes that wait until so many have.
    members: Vec<BinaryHeap<Reverse<(u32, u32)>>>,
    /// Whether a group itself waits for its next member.
    is_waiting: Vec<bool>,
    queue: Vec<u32>,
    stretches: Vec<Stretch>,
}

impl Search<'_> {
    fn run(&mut self) -> u64 {
        (0..self.lanes.len() as u32)
            .rev()
            .for_each(|it| self.wake(it));
        let (mut circles, mut unfinished) = (0, 0);
        loop {
            while let Some(lane) = self.queue.pop() {
                self.at[lane as usize].is_queued = false;
                self.advance(lane as usize);
            }
            let is_left = |lane: &usize| !self.is_done(*lane);
            let Some(lane) = (unfinished..self.lanes.len()).find(is_left) else {
                return circles;
            };
            unfinished = lane;
            circles += 1;
            self.leave_out(lane);
            self.wake(lane as u32);
        }
    }

    fn is_done(&self, lane: usize) -> bool {
        let at = self.at[lane];
        let is_there = self.lanes[lane].is_there();
        !is_there || at.begun && at.piece as usize == self.lanes[lane].len()
    }

    /// Takes out what a lane waits for.
    fn leave_out(&mut self, lane: usize) {
        let at = self.at[lane];
        match at.begun {
            false => self.lanes[lane].origin = None,
            true => self.needs.of[lane][at.next].from = From::Nothing,
        }
    }

    fn wake(&mut self, lane: u32) {
        let at = &mut self.at[lane as usize];
        if !at.is_queued {
            at.is_queued = true;
            self.queue.push(lane);
        }
    }

    /// Goes on at a lane until it waits for another.
    fn advance(&mut self, lane: usize) {
        if self.is_done(lane) || !self.begin(lane) {
            return;
        }
        let from = self.at[lane].piece;
        while (self.at[lane].piece as usize) < self.lanes[lane].len() && self.has_all(lane) {
            self.at[lane].piece += 1;
        }
        let until = self.at[lane].piece;
        if until > from {
            self.stretches.push(Stretch {
                lane: lane as u32,
                until,
            });
        }
        self.tell(lane);
    }

    fn begin(&mut self, lane: usize) -> bool {
        if self.at[lane].begun {
            return true;
        }
        if let Some(origin) = self.lanes[lane].origin {
            if !self.is_known(origin) {
                self.await_moment(origin, Waiter::Lane(lane as u32));
                return false;
            }
        }
        self.at[lane].begun = true;
        // A lane without pieces has a begin, too.
        self.stretches.push(Stretch {
            lane: lane as u32,
            until: 0,
        });
        true
    }

    fn is_known(&self, moment: Moment) -> bool {
        let at = self.at[moment.lane as usize];
        at.begun && at.piece >= moment.piece
    }

    fn await_moment(&mut self, moment: Moment, waiter: Waiter) {
        self.awaited[moment.lane as usize].push(Reverse((moment.piece, waiter)));
    }

    /// Returns whether all is there that a lane's next piece needs; else it will be woken.
    fn has_all(&mut self, lane: usize) -> bool {
        let piece = self.at[lane].piece;
        loop {
            let next = self.needs.of[lane].get(self.at[lane].next);
            let Some(need) = next.filter(|need| need.piece <= piece) else {
                return true;
            };
            let is_there = match need.from {
                From::Nothing => true,
                From::Moment(moment) => {
                    self.is_known(moment) || {
                        self.await_moment(moment, Waiter::Lane(lane as u32));
                        false
                    }
                }
                From::Group { group, count } => self.has_come(group as usize, count, lane),
            };
            if !is_there {
                return false;
            }
            self.at[lane].next += 1;
        }
    }

    fn has_come(&mut self, group: usize, count: u32, lane: usize) -> bool {
        self.look_at(group);
        if self.come[group] >= count {
            return true;
        }
        self.members[group].push(Reverse((count, lane as u32)));
        false
    }

    /// Looks how many of a group have come, and has it told of the next.
    fn look_at(&mut self, group: usize) {
        if self.is_waiting[group] {
            return;
        }
        let rows = self.needs.groups[group].clone();
        while let Some(&entry) = self.needs.entries[rows.clone()].get(self.come[group] as usize) {
            if !self.is_known(entry) {
                self.is_waiting[group] = true;
                return self.await_moment(entry, Waiter::Group(group as u32));
            }
            self.come[group] += 1;
        }
    }

    /// Tells those that wait for a lane.
    fn tell(&mut self, lane: usize) {
        let piece = self.at[lane].piece;
        while let Some(&Reverse((wanted, waiter))) = self.awaited[lane].peek() {
            if wanted > piece {
                return;
            }
            self.awaited[lane].pop();
            match waiter {
                Waiter::Lane(other) => self.wake(other),
                Waiter::Group(group) => self.tell_group(group as usize),
            }
        }
    }

    fn tell_group(&mut self, group: usize) {
        self.is_waiting[group] = false;
        self.look_at(group);
        while let Some(&Reverse((count, lane))) = self.members[group].peek() {
            if count > self.come[group] {
                return;
            }
            self.members[group].pop();
            self.wake(lane);
        }
    }
}
