//! Late progress: calls that complete messages, and last until a rank at the other side, which had
//! begun its part before and has not completed it, comes to MPI again.
//!
//! Many libraries carry a large message only while ranks are in their calls. Both sides have come by
//! the definition of [wait states](super), so such a call does not wait: what it takes is transfer.
//! Whether the library or the way itself takes so long the trace does not tell; it does tell that the
//! call did not end before the other rank came, and for how long that one had computed.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use mpiscope_model::plain::{put_list, take_list, Plain};
use mpiscope_model::{plain, Duration, EventRef, Matching, Message, Timestamp, Trace};
use rayon::prelude::*;

use super::requests::OtherSides;
use super::{Calls, WaitState};
use crate::gallop::gallop;
use crate::profile::{stretches, Activity};
use crate::races::{first_of_lines, CallPlace};
use crate::sharers::Sharers;
use crate::timeline::{Call, Timeline};

/// It is not looked for where a smaller share of all time is in MPI and no waiting: the verdict tells
/// nothing of less.
pub(crate) const MATTERS: f64 = 0.02;

/// Calls that are looked at one by one before the moment is searched for: most messages are completed
/// soon after they were begun.
const NEAR: usize = 16;

/// The time in the calls of one place until a rank at the other side came to MPI again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LateProgress {
    /// How often.
    pub times: u64,
    /// How long, together; without what the calls waited.
    pub time: Duration,
    /// How long they lasted after that.
    pub after: Duration,
    /// How long those who were in the calls were, by rank.
    pub of: BTreeMap<u32, Duration>,
    /// By the rank that came: how long others were in their calls until then, and what of it it had
    /// been outside of MPI for longer than they had before.
    pub until: BTreeMap<u32, [Duration; 2]>,
    /// Where the second is most: the event that enters the call, and the one that enters the call
    /// with which the other one came.
    pub longest: [EventRef; 2],
    /// What the one that came then had computed longest; known of the place that took most time.
    pub before: Option<Activity>,
    longer: Duration,
}

/// A call, until when it lasted at least, and who came then.
#[derive(Clone, Copy)]
struct Held {
    call: Call,
    at: EventRef,
    begin: Timestamp,
    end: Timestamp,
    came: EventRef,
    /// How long who came had been outside of MPI.
    outside: Duration,
}

plain! { Held { call, at, begin, end, came, outside } }

/// Finds it in all calls, by the place of these. Processes that share the trace have
/// [told](super::elsewhere::tell_ends) each other the calls around the ends of their messages; the
/// first returns what all have found.
pub(crate) fn find(
    trace: &Trace,
    matching: &Matching,
    lines: &[Timeline],
    other_sides: &OtherSides,
    waits: &[Vec<WaitState>],
    sharers: Option<Sharers>,
) -> BTreeMap<CallPlace, LateProgress> {
    let calls = Calls { trace, lines };
    // Who came again, and when, is seen where it came.
    let mut told: Vec<Vec<Held>> = matching.look_at_messages(|messages| {
        let both = messages.iter().flat_map(|it| sides(it, other_sides));
        let here = both.flatten().filter(|it| calls.has(it.begun));
        here.filter_map(|it| calls.held(&it)).collect()
    });
    if let Some(sharers) = sharers {
        let all = told.into_iter().flatten();
        told = sharers.tell(all.map(|it| (it.at.location, it)));
    }
    let mut of_locations: Vec<Vec<Held>> = vec![Vec::new(); lines.len()];
    for held in told.into_iter().flatten() {
        of_locations[held.at.location.index()].push(held);
    }
    let all = of_locations.into_par_iter().zip(waits);
    let sums: Vec<BTreeMap<CallPlace, LateProgress>> = all
        .map(|(held, waits)| calls.sum(last_of_each(held, waits)))
        .collect();
    let mut all = by_place(sums.into_iter().flatten());
    if let Some(sharers) = sharers {
        let told = sharers.job().gather(written(&all)).into_iter();
        all = by_place(told.flat_map(|bytes| read(&bytes).unwrap_or_default()));
    }
    let most = all.values_mut().max_by_key(|it| it.time);
    let came = most.as_ref().map(|it| it.longest[1]);
    let before = |came: EventRef| computed_before(trace, &lines[came.location.index()], came);
    let before = match sharers {
        Some(sharers) => sharers.ask(came, before),
        None => came.and_then(before),
    };
    if let Some(most) = most {
        most.before = before;
    }
    all
}

/// Returns what was computed longest between a call and the one before it.
fn computed_before(trace: &Trace, line: &Timeline, call: EventRef) -> Option<Activity> {
    let since = line.last_call(call.index).map_or(0, |it| it.leave);
    let mut times: BTreeMap<Activity, Duration> = BTreeMap::new();
    let first = first_of_lines(trace);
    let tell = |activity, events: Range<u32>, time| {
        if events.start >= since && events.end <= call.index {
            *times.entry(activity).or_default() += time;
        }
    };
    stretches::computation(trace, &first, line, call.location, tell);
    let most = times.into_iter().max_by_key(|it| it.1);
    most.map(|it| it.0)
}

fn by_place(
    sums: impl Iterator<Item = (CallPlace, LateProgress)>,
) -> BTreeMap<CallPlace, LateProgress> {
    let mut all: BTreeMap<CallPlace, LateProgress> = BTreeMap::new();
    for (place, sum) in sums {
        match all.get_mut(&place) {
            Some(before) => before.merge(sum),
            None => drop(all.insert(place, sum)),
        }
    }
    all
}

/// Writes sums for another process.
fn written(all: &BTreeMap<CallPlace, LateProgress>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (place, it) in all {
        (*place, it.times, it.time, it.after).put(&mut bytes);
        (it.longest, it.longer).put(&mut bytes);
        let of = it.of.iter().map(|(rank, time)| (*rank, *time));
        put_list(&of.collect::<Vec<_>>(), &mut bytes);
        let until = it.until.iter().map(|(rank, times)| (*rank, *times));
        put_list(&until.collect::<Vec<_>>(), &mut bytes);
    }
    bytes
}

fn read(mut bytes: &[u8]) -> Option<Vec<(CallPlace, LateProgress)>> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let (place, times, time, after) = Plain::take(&mut bytes)?;
        let (longest, longer) = Plain::take(&mut bytes)?;
        let sum = LateProgress {
            times,
            time,
            after,
            of: take_list(&mut bytes)?.into_iter().collect(),
            until: take_list(&mut bytes)?.into_iter().collect(),
            longest,
            before: None,
            longer,
        };
        all.push((place, sum));
    }
    Some(all)
}

/// A message as one of its sides sees it: where its own part completed, where the other one was begun,
/// and where that completed.
struct Side {
    completed: EventRef,
    begun: EventRef,
    other_completed: EventRef,
}

/// Returns the sides of a message whose other one is nonblocking.
fn sides(message: &Message, other_sides: &OtherSides) -> [Option<Side>; 2] {
    let (Some(sent), Some(posted)) = (
        other_sides.of(message.send),
        other_sides.of(message.receive),
    ) else {
        return [None, None];
    };
    if sent.location == posted.location {
        return [None, None];
    }
    let side = |completed, begun, other_completed| {
        (begun != other_completed).then_some(Side {
            completed,
            begun,
            other_completed,
        })
    };
    [
        side(message.receive, message.send, sent),
        side(sent, posted, message.receive),
    ]
}

impl Calls<'_> {
    /// Returns the call in which a side was completed, if the other rank, which had begun its own
    /// before, was outside of MPI then and came before that call ended.
    fn held(&self, side: &Side) -> Option<Held> {
        let own = &self.lines[side.completed.location.index()];
        let other = &self.lines[side.begun.location.index()];
        let call = own.around(side.completed.index)?;
        let begun = other.around(side.begun.index)?;
        if side.other_completed.index <= begun.leave {
            return None;
        }
        let begin = call.begin.max(begun.end);
        let next = next_after(other, begun, begin)?;
        let came = next.begin > begin && next.begin <= call.end;
        (came && next.enter <= side.other_completed.index).then_some(Held {
            call,
            at: EventRef {
                index: call.enter,
                ..side.completed
            },
            begin,
            end: next.begin,
            came: EventRef {
                index: next.enter,
                ..side.begun
            },
            outside: outside(other, next.enter),
        })
    }

    fn sum(&self, held: Vec<Held>) -> BTreeMap<CallPlace, LateProgress> {
        let mut all: BTreeMap<CallPlace, LateProgress> = BTreeMap::new();
        for it in held {
            let one = self.one(&it);
            let place = CallPlace::of(self.trace, it.at);
            match all.get_mut(&place) {
                Some(sum) => sum.merge(one),
                None => drop(all.insert(place, one)),
            }
        }
        all
    }

    fn one(&self, held: &Held) -> LateProgress {
        let rank = |it: EventRef| self.trace.locations[it.location.index()].rank.0;
        let time = held.end - held.begin;
        let own = &self.lines[held.at.location.index()];
        let longer = held.outside - outside(own, held.at.index);
        let longer = longer.min(time).max(Duration::ZERO);
        LateProgress {
            times: 1,
            time,
            after: held.call.end - held.end,
            of: BTreeMap::from([(rank(held.at), time)]),
            until: BTreeMap::from([(rank(held.came), [time, longer])]),
            longest: [held.at, held.came],
            before: None,
            longer,
        }
    }
}

/// Returns how long a rank had been outside of MPI when it entered a call.
fn outside(line: &Timeline, enter: u32) -> Duration {
    let before = line.last_call(enter).map_or(line.begin, |it| it.end);
    line.times[enter as usize] - before
}

/// Returns the first call after another one that ends after a moment, which is not before that one's
/// end.
fn next_after(line: &Timeline, call: Call, moment: Timestamp) -> Option<Call> {
    let mut last = call;
    for _ in 0..NEAR {
        let next = line.next_call(last.leave)?;
        if next.end > moment {
            return Some(next);
        }
        last = next;
    }
    let has_passed = |at: usize| line.times[at] <= moment;
    let behind = gallop(last.leave as usize, line.times.len(), has_passed);
    line.next_call(behind.checked_sub(1)? as u32)
}

/// Keeps of each call of a location the last one to come, and what was before that no waiting.
fn last_of_each(mut all: Vec<Held>, waits: &[WaitState]) -> Vec<Held> {
    all.sort_by_key(|it| (it.at.index, Reverse(it.end), it.begin, it.came));
    all.dedup_by_key(|it| it.at.index);
    let waited = |it: &Held| {
        let at = waits.binary_search_by_key(&it.at, |wait| wait.call);
        at.ok().map(|at| waits[at].end)
    };
    let rest = all.into_iter().map(|it| Held {
        begin: waited(&it).map_or(it.begin, |end| it.begin.max(end)),
        ..it
    });
    rest.filter(|it| it.end > it.begin).collect()
}

impl LateProgress {
    /// Adds others.
    fn merge(&mut self, other: LateProgress) {
        self.times += other.times;
        self.time += other.time;
        self.after += other.after;
        let key = |it: &LateProgress| (it.longer, Reverse(it.longest[0]));
        if key(&other) > key(self) {
            (self.longer, self.longest) = (other.longer, other.longest);
        }
        for (rank, time) in other.of {
            *self.of.entry(rank).or_default() += time;
        }
        for (rank, [time, longer]) in other.until {
            let sums = self.until.entry(rank).or_default();
            sums[0] += time;
            sums[1] += longer;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wait_states::{find_with, timelines};

    /// Of a place how long, how long after that, and by whom what of it.
    type Told<'a> = (i64, i64, &'a [(u32, i64)]);

    #[track_caller]
    fn check(picture: &str, expected: &[Told]) {
        let trace = Trace::parse(picture).unwrap();
        let (matching, lines) = (trace.matching(), timelines(&trace));
        let other_sides = OtherSides::new(&trace);
        let (waits, _) = find_with(&trace, &matching, &lines, &other_sides);
        let found = find(&trace, &matching, &lines, &other_sides, &waits, None);
        let until = |it: &LateProgress| -> Vec<(u32, i64)> {
            let all = it.until.iter();
            all.map(|(rank, [_, longer])| (*rank, longer.0)).collect()
        };
        let told = found.values().map(|it| (it.time.0, it.after.0, until(it)));
        let expected = expected.iter().map(|it| (it.0, it.1, it.2.to_vec()));
        assert_eq!(
            told.collect::<Vec<_>>(),
            expected.collect::<Vec<_>>(),
            "{picture}"
        );
    }

    /// Rank 0 completes what rank 1 has sent before; this one computes until `late`.
    fn sent_before(late: i64, end: i64) -> String {
        let (done, left) = (late + 2, late + 4);
        format!(
            "0: 0 enter(MPI_Irecv) 1 irecv#1 2 leave(MPI_Irecv) 20 enter(MPI_Wait) {end} wait<1#1 {end} leave(MPI_Wait) 100
             1: 0 enter(MPI_Isend) 1 isend>0#2 2 leave(MPI_Isend) {late} enter(MPI_Wait) {done} wait#2 {left} leave(MPI_Wait) 100"
        )
    }

    #[test]
    fn a_call_that_ends_once_the_sender_comes_again_is_held_up_by_its_progress() {
        // Of 40 ns all is beyond the 18 ns that rank 0 computes itself.
        check(&sent_before(60, 63), &[(40, 3, &[(1, 40)])]);
    }

    #[test]
    fn who_ends_before_the_other_comes_needed_it_not() {
        check(&sent_before(60, 50), &[]);
    }

    #[test]
    fn a_sender_that_is_held_up_by_its_receivers_progress_is_found_as_well() {
        check(
            "0: 0 enter(MPI_Isend) 1 isend>1#1 2 leave(MPI_Isend) 20 enter(MPI_Wait) 62 wait#1 63 leave(MPI_Wait) 100
             1: 0 enter(MPI_Irecv) 1 irecv#2 2 leave(MPI_Irecv) 60 enter(MPI_Wait) 62 wait<0#2 64 leave(MPI_Wait) 100",
            &[(40, 3, &[(1, 40)])],
        );
    }

    #[test]
    fn what_was_waited_is_told_there() {
        // Rank 1 posts its send at 30, and comes again at 60.
        check(
            "0: 0 enter(MPI_Irecv) 1 irecv#1 2 leave(MPI_Irecv) 20 enter(MPI_Wait) 63 wait<1#1 63 leave(MPI_Wait) 100
             1: 0 30 enter(MPI_Isend) 31 isend>0#2 32 leave(MPI_Isend) 60 enter(MPI_Wait) 62 wait#2 64 leave(MPI_Wait) 100",
            &[(28, 3, &[(1, 10)])],
        );
    }

    #[test]
    fn who_is_in_mpi_or_has_completed_its_part_is_not_late() {
        // Rank 1's send was completed at 8.
        check(
            "0: 0 enter(MPI_Irecv) 1 irecv#1 2 leave(MPI_Irecv) 20 enter(MPI_Wait) 63 wait<1#1 63 leave(MPI_Wait) 100
             1: 0 enter(MPI_Isend) 1 isend>0#2 2 leave(MPI_Isend) 6 enter(MPI_Wait) 7 wait#2 8 leave(MPI_Wait) 60 enter(MPI_Barrier) 62 leave(MPI_Barrier) 100",
            &[],
        );
        // Rank 1 is in another call all the time.
        check(
            "0: 0 enter(MPI_Irecv) 1 irecv#1 2 leave(MPI_Irecv) 20 enter(MPI_Wait) 63 wait<1#1 63 leave(MPI_Wait) 100
             1: 0 enter(MPI_Isend) 1 isend>0#2 2 leave(MPI_Isend) 6 enter(MPI_Sleep) 58 leave(MPI_Sleep) 60 enter(MPI_Wait) 62 wait#2 64 leave(MPI_Wait) 100",
            &[],
        );
    }
}
