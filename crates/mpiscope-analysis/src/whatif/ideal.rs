//! How long a part of a run takes on an ideal network, whose messages take no time.
//!
//! Computation takes as long as in the run; time in MPI is none but waiting for others. A call that
//! needs others ends when it was entered and all of them have come:
//!
//! > end′ = max(begin′, come′)
//!
//! and every other one at once. At the part's begin ranks are where they were in the run then, and it
//! ends when all have come to where they were in the run at its end. What had come before it is not
//! waited for, nor what came after it. So it takes at least what any rank computes in it; and at most
//! what it took, as all comes sooner than in the run: where clocks say that a call ended before what
//! it needs had come, it ends in time, too.

use mpiscope_model::{Duration, Timestamp};

use super::lanes::{Lane, Moment};
use super::needs::{From, Need};
use super::{LeftOut, Replay};
use crate::efficiency::{IdealNetwork, NoIdeal};
use crate::profile::Activity;

impl LeftOut {
    /// Says why what is left out leaves open what a run takes on an ideal network.
    fn leaves_open(&self) -> Option<NoIdeal> {
        match self {
            it if it.truncated > 0 => Some(NoIdeal::Truncated),
            it if it.unmatched > 0 => Some(NoIdeal::Unmatched(it.unmatched)),
            it if it.outside_of_calls > 0 => Some(NoIdeal::OutsideOfCalls(it.outside_of_calls)),
            it if it.circles > 0 => Some(NoIdeal::Circles),
            _ => None,
        }
    }
}

impl IdealNetwork for Replay {
    fn ideal(&self, begin: Timestamp, end: Timestamp) -> Result<Duration, NoIdeal> {
        match self.left_out.leaves_open() {
            Some(why) => Err(why),
            None => Ok(Duration(Pass::new(self, begin.0, end.0).run())),
        }
    }
}

/// What a lane does in the part.
struct Part {
    /// The piece that is going on when it begins, or begins then.
    first: usize,
    /// The piece that is going on when it ends, or begins then; if the lane has ended, all pieces.
    last: usize,
    /// When pieces begin, from `first` on; of that itself as in the run.
    times: Vec<i64>,
    /// The next piece, and the next of its needs.
    at: (usize, usize),
}

struct Pass<'a> {
    replay: &'a Replay,
    begin: i64,
    end: i64,
    /// By activity: it is a call.
    is_call: Vec<bool>,
    parts: Vec<Part>,
    /// When each member of a group has come, and all before it; of so many of each group.
    come: Vec<i64>,
    known: Vec<u32>,
}

/// Before everything.
const NEVER: i64 = i64::MIN;

impl Pass<'_> {
    fn new(replay: &Replay, begin: i64, end: i64) -> Pass<'_> {
        let lanes = replay.lanes.iter().enumerate();
        let part = |(number, lane): (usize, &Lane)| {
            let first = piece_at(lane, begin);
            let needs = &replay.needs.of[number];
            let next = needs.partition_point(|need| (need.piece as usize) < first);
            Part {
                first,
                last: piece_at(lane, end).max(first),
                times: lane.begins.get(first).copied().into_iter().collect(),
                at: (first, next),
            }
        };
        Pass {
            replay,
            begin,
            end,
            is_call: (replay.activities.iter())
                .map(|it| matches!(it, Activity::Mpi(_)))
                .collect(),
            parts: lanes.map(part).collect(),
            come: vec![NEVER; replay.needs.entries.len()],
            known: vec![0; replay.needs.groups.len()],
        }
    }

    /// Returns how long the part takes.
    fn run(mut self) -> i64 {
        for stretch in &self.replay.order {
            self.stretch(stretch.lane as usize, stretch.until as usize);
        }
        let begin = self.begin;
        let ends = (0..self.parts.len()).map(|lane| self.end_of(lane));
        let last = ends.fold(begin, i64::max);
        last.saturating_sub(begin)
    }

    fn stretch(&mut self, lane: usize, until: usize) {
        let until = until.min(self.parts[lane].last);
        while self.parts[lane].at.0 < until {
            let end = self.ended(lane);
            self.parts[lane].times.push(end);
        }
    }

    /// Returns when the next piece of a lane ends, and goes on to the one behind it.
    fn ended(&mut self, lane: usize) -> i64 {
        let own = &self.replay.lanes[lane];
        let (piece, first) = self.parts[lane].at;
        let needs = &self.replay.needs.of[lane][first..];
        let count = (needs.iter())
            .take_while(|need| need.piece as usize == piece)
            .count();
        self.parts[lane].at = (piece + 1, first + count);
        let begin = self.parts[lane].times[piece - self.parts[lane].first];
        if !self.is_call[own.activities[piece] as usize] {
            return begin.saturating_add(own.length(piece));
        }
        let come = needs[..count].iter().map(|need| self.come(need));
        let come = come.fold(NEVER, i64::max).min(own.begins[piece + 1]);
        begin.max(come).max(self.begin)
    }

    /// Returns when a lane comes to where it was in the run when the part ended.
    fn end_of(&mut self, lane: usize) -> i64 {
        let own = &self.replay.lanes[lane];
        let last = self.parts[lane].last;
        let Some(&begin) = self.parts[lane].times.last() else {
            return NEVER;
        };
        let is_over = last >= own.len() || own.begins[last] >= self.end;
        if is_over {
            // One that begins after the part has nothing to come to.
            return begin.min(self.end);
        }
        match self.is_call[own.activities[last] as usize] {
            true => self.ended(lane).min(self.end),
            false => begin.saturating_add(self.end.saturating_sub(own.begins[last])),
        }
    }

    fn come(&mut self, need: &Need) -> i64 {
        match need.from {
            From::Nothing => NEVER,
            From::Moment(moment) => self.time(moment),
            From::Group { group, count } => self.group(group as usize, count as usize),
        }
    }

    /// Returns when so many of a group have come.
    fn group(&mut self, group: usize, count: usize) -> i64 {
        let rows = self.replay.needs.groups[group].clone();
        for row in rows.start + self.known[group] as usize..rows.start + count {
            let own = self.time(self.replay.needs.entries[row]);
            let before = (row > rows.start).then(|| self.come[row - 1]);
            self.come[row] = own.max(before.unwrap_or(NEVER));
        }
        self.known[group] = self.known[group].max(count as u32);
        self.come[rows.start + count - 1]
    }

    /// Returns when a lane comes to a moment; of one that is not in the part it is not waited for.
    fn time(&self, moment: Moment) -> i64 {
        let (lane, piece) = (moment.lane as usize, moment.piece as usize);
        let in_run = self.replay.lanes[lane].begins[piece].saturating_add(moment.offset);
        if in_run <= self.begin || in_run > self.end {
            return NEVER;
        }
        let part = &self.parts[lane];
        let begin = piece.checked_sub(part.first);
        let begin = begin.and_then(|at| part.times.get(at));
        begin.map_or(NEVER, |begin| begin.saturating_add(moment.offset))
    }
}

/// Returns the piece of a lane that is going on at a time, or begins then; all pieces if it has ended.
fn piece_at(lane: &Lane, time: i64) -> usize {
    let at = lane.begins.partition_point(|begin| *begin < time);
    match lane.begins.get(at) {
        Some(begin) if *begin == time => at.min(lane.len()),
        _ => at.saturating_sub(1).min(lane.len()),
    }
}
