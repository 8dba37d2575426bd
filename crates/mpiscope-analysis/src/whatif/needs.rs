//! What each call needs before it can end: the calls that wait states look at, and also those
//! that had come early enough in the run.

use std::ops::Range;

use mpiscope_model::{
    BoundKind, CollectiveInstance, CollectiveOp, EventRef, Matching, Message, Note, Trace,
};

use super::lanes::{Lane, Moment};
use super::LeftOut;
use crate::collectives::{parts, Form, Part, Parts};
use crate::profile::Activity;
use crate::timeline::Timeline;
use crate::wait_states::requests::OtherSides;

/// One thing that a call needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Need {
    pub piece: u32,
    pub from: From,
    /// What goes over the network, if that is known.
    pub size: Option<Size>,
}

/// Where it comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum From {
    /// Another one comes to this moment.
    Moment(Moment),
    /// So many of the members of a group have come.
    Group { group: u32, count: u32 },
    /// It would need itself, and was left out.
    Nothing,
}

/// What a transfer carries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub bytes: u64,
    /// How often the latency is paid, one after the other.
    pub stages: u32,
    /// The bytes are passed on in each of them.
    pub in_each: bool,
    /// The operation, of those that may have several.
    pub op: Option<CollectiveOp>,
}

impl Size {
    /// Returns whether MPI begins or ends, which takes its time whatever data are carried.
    pub fn is_setup(&self) -> bool {
        matches!(self.op, Some(CollectiveOp::Init | CollectiveOp::Finalize))
    }
}

/// What all calls need.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// By lane, there by piece.
    pub of: Vec<Vec<Need>>,
    /// Members of groups: their rows in [`entries`](Self::entries).
    pub groups: Vec<Range<usize>>,
    /// When members of groups come, in the order in which they are needed.
    pub entries: Vec<Moment>,
    /// Operations in which all lanes need all others: of each the piece that ends it of each lane
    /// that is replayed, in the order of lanes.
    pub all_meet: Vec<Vec<u32>>,
    /// From which size on sends need their receivers, if any do beside synchronous ones.
    pub waits_from: Option<u64>,
}

struct Finder<'a> {
    trace: &'a Trace,
    matching: &'a Matching,
    lines: &'a [Timeline<'a>],
    lanes: &'a [Lane],
    /// By lane: which it is of those that are replayed.
    places: Vec<Option<u32>>,
    /// How many are.
    replayed: usize,
    /// Started sends may be buffered ones.
    starts_buffered: bool,
    needs: Needs,
    left_out: &'a mut LeftOut,
}

/// Finds what all calls need.
pub(super) fn all(
    trace: &Trace,
    matching: &Matching,
    lines: &[Timeline],
    lanes: &[Lane],
    activities: &[Activity],
    left_out: &mut LeftOut,
) -> Needs {
    let mut replayed = 0;
    let place = |lane: &Lane| {
        lane.is_there().then(|| {
            replayed += 1;
            replayed - 1
        })
    };
    let places: Vec<Option<u32>> = lanes.iter().map(place).collect();
    let mut finder = Finder {
        trace,
        matching,
        lines,
        lanes,
        places,
        replayed: replayed as usize,
        starts_buffered: initializes_buffered(trace, activities),
        needs: Needs {
            of: vec![Vec::new(); lanes.len()],
            ..Needs::default()
        },
        left_out,
    };
    finder.messages();
    finder.bounds();
    for instance in &matching.collectives {
        finder.operation(instance);
    }
    let mut needs = finder.needs;
    // Stable, so that results do not depend on anything but the trace.
    needs
        .of
        .iter_mut()
        .for_each(|it| it.sort_by_key(|need| need.piece));
    needs
}

/// Returns the moment of a lane at which an event's rank came: when it entered the call that the
/// event belongs to, else the event itself.
pub(super) fn came(lanes: &[Lane], lines: &[Timeline], event: EventRef) -> Option<Moment> {
    let lane = &lanes[event.location.index()];
    if !lane.is_there() {
        return None;
    }
    let line = &lines[event.location.index()];
    let number = event.location.0;
    if let Some(call) = line.around(event.index) {
        return Some(Moment {
            lane: number,
            piece: lane.call(call.enter)?,
            offset: 0,
        });
    }
    let after = lane.firsts.partition_point(|first| *first <= event.index);
    let piece = after.saturating_sub(1);
    let offset = line.times[event.index as usize]
        .0
        .saturating_sub(lane.begins[piece]);
    let is_over = piece < lane.len() && offset >= lane.length(piece);
    Some(Moment {
        lane: number,
        piece: (piece + usize::from(is_over)) as u32,
        offset: if is_over { 0 } else { offset },
    })
}

impl Finder<'_> {
    fn came(&self, event: EventRef) -> Option<Moment> {
        came(self.lanes, self.lines, event)
    }

    /// Returns the lane and piece of the call that an event belongs to.
    fn call(&self, event: EventRef) -> Option<(usize, u32)> {
        let lane = event.location.index();
        let call = self.lines[lane].around(event.index)?;
        Some((lane, self.lanes[lane].call(call.enter)?))
    }

    /// Returns when a moment was.
    fn time(&self, moment: Moment) -> i64 {
        let lane = &self.lanes[moment.lane as usize];
        lane.begins[moment.piece as usize].saturating_add(moment.offset)
    }

    /// Adds what the call that `exit` belongs to needs.
    fn add(&mut self, exit: EventRef, cause: EventRef, size: Option<Size>) {
        if exit.location == cause.location {
            return;
        }
        match (self.call(exit), self.came(cause)) {
            (Some((lane, piece)), Some(moment)) => self.needs.of[lane].push(Need {
                piece,
                from: From::Moment(moment),
                size,
            }),
            (None, _) => self.left_out.outside_of_calls += 1,
            _ => {}
        }
    }

    fn size_of(&self, message: &Message) -> Size {
        let events = &self.trace.locations[message.send.location.index()].events;
        let row = events.args()[message.send.index as usize] as usize;
        Size {
            bytes: events.messages().get(row).map_or(0, |it| it.bytes),
            stages: 1,
            in_each: true,
            op: None,
        }
    }

    fn messages(&mut self) {
        let messages = &self.matching.messages;
        for message in messages {
            self.add(message.receive, message.send, Some(self.size_of(message)));
        }
        self.needs
            .of
            .iter_mut()
            .for_each(|it| it.sort_by_key(|need| need.piece));
        let posts = OtherSides::new(self.trace);
        let sends: Vec<Sent> = messages
            .iter()
            .filter_map(|it| self.sent(it, &posts))
            .collect();
        let protocol = Protocol::of(&sends);
        self.needs.waits_from = protocol.waits_from;
        for send in &sends {
            if protocol.needs_receiver(send) {
                self.add(send.exit, send.post, Some(send.size));
            } else if send.came_within && send.mode != Mode::Buffered {
                self.left_out.buffered += 1;
            }
        }
    }

    /// Returns what is known of a send, if its end and its receive's post are.
    fn sent(&self, message: &Message, posts: &OtherSides) -> Option<Sent> {
        let exit = posts.of(message.send)?;
        let post = posts.of(message.receive)?;
        if exit.location == post.location {
            return None;
        }
        let (lane, piece) = self.call(exit)?;
        let came = self.time(self.came(post)?);
        let lane = &self.lanes[lane];
        let (begin, end) = (lane.begins[piece as usize], lane.begins[piece as usize + 1]);
        let came_within = came > begin && came <= end;
        let last_sender = self.last_sender(exit, piece);
        let is_last = came_within && last_sender.is_none_or(|it| it < came);
        let alone = last_sender.map_or(begin, |it| it.max(begin));
        let [before, after] = [came.saturating_sub(alone), end.saturating_sub(came)];
        Some(Sent {
            exit,
            post,
            size: self.size_of(message),
            mode: self.mode(message.send),
            came_within,
            is_last,
            is_noticed: is_last && before.saturating_add(after) >= NOTICED,
            is_released: is_last && before >= after.saturating_mul(RELEASED).max(NOTICED),
            came_after: came > end,
        })
    }

    /// Returns when the last sender of those came that a call receives of.
    fn last_sender(&self, exit: EventRef, piece: u32) -> Option<i64> {
        let needs = &self.needs.of[exit.location.index()];
        let first = needs.partition_point(|need| need.piece < piece);
        let of_call = needs[first..].iter().take_while(|need| need.piece == piece);
        let came = of_call.filter_map(|need| match need.from {
            From::Moment(moment) => Some(self.time(moment)),
            _ => None,
        });
        came.max()
    }

    fn mode(&self, send: EventRef) -> Mode {
        let events = &self.trace.locations[send.location.index()].events;
        if events
            .notes_of(send.index as usize)
            .any(|it| it == Note::Synchronous)
        {
            return Mode::Synchronous;
        }
        let Some(call) = self.lines[send.location.index()].around(send.index) else {
            return Mode::Standard;
        };
        let region = events.args()[call.enter as usize] as usize;
        match self.trace.definitions.regions.get(region) {
            Some(it) if is_one(&SYNCHRONOUS, &it.name) => Mode::Synchronous,
            Some(it) if is_one(&BUFFERED, &it.name) => Mode::Buffered,
            Some(it) if self.starts_buffered && is_one(&STARTS, &it.name) => Mode::Unknown,
            _ => Mode::Standard,
        }
    }

    fn bounds(&mut self) {
        for bound in &self.matching.bounds {
            if matches!(
                bound.kind,
                BoundKind::Probe | BoundKind::Neighbor | BoundKind::OneSided
            ) {
                self.add(bound.receive, bound.send, None);
            }
        }
    }

    fn operation(&mut self, instance: &CollectiveInstance) {
        use mpiscope_model::CollectiveOp::ThreadBarrier;
        if instance.op == ThreadBarrier {
            return;
        }
        let Some(all) = parts(self.trace, self.matching, instance) else {
            return;
        };
        let members = self.matching.members_of(instance);
        let mut order: Vec<usize> = (0..members.len()).collect();
        if all.lower {
            order.sort_by_key(|&number| members[number].rank);
        }
        let groups = [0, 1].map(|group| self.group(instance, &all, &order, group));
        let mut before = [0; 2];
        let stages = members.len().max(1).next_power_of_two().trailing_zeros();
        for &number in &order {
            let (member, part) = (&members[number], all.parts[number]);
            if part.sends && self.came(member.enter).is_some() {
                before[part.to] += 1;
            }
            let (group, whole) = groups[part.from];
            // Of lower rank, and itself, which it need not wait for.
            let count = if all.lower { before[part.from] } else { whole };
            let Some((lane, piece)) = self.call(member.exit) else {
                continue;
            };
            if part.receives && count > 0 {
                let size = Size {
                    bytes: member.sent.max(member.received),
                    stages,
                    in_each: is_passed_on(all.form, instance),
                    op: Some(instance.op),
                };
                self.needs.of[lane].push(Need {
                    piece,
                    from: From::Group { group, count },
                    size: Some(size),
                });
            }
        }
        self.all_meet(instance, &all);
    }

    /// Makes a group of those that are heard; returns its number and how many they are.
    fn group(
        &mut self,
        instance: &CollectiveInstance,
        all: &Parts,
        order: &[usize],
        group: usize,
    ) -> (u32, u32) {
        let members = self.matching.members_of(instance);
        let is_heard = |part: Part| part.sends && part.to == group;
        let heard = order.iter().filter(|&&number| is_heard(all.parts[number]));
        let entries = heard.filter_map(|&number| self.came(members[number].enter));
        let entries: Vec<Moment> = entries.collect();
        let first = self.needs.entries.len();
        let count = entries.len() as u32;
        self.needs.entries.extend(entries);
        if count > 0 {
            self.needs.groups.push(first..self.needs.entries.len());
        }
        (self.needs.groups.len().saturating_sub(1) as u32, count)
    }

    /// Notes an operation in which every lane hears of every other one.
    fn all_meet(&mut self, instance: &CollectiveInstance, all: &Parts) {
        let members = self.matching.members_of(instance);
        if members.is_empty() || members.len() != self.replayed {
            return;
        }
        let binds = matches!(all.form, Form::Everybody | Form::Synchronization);
        let each = all
            .parts
            .iter()
            .all(|it| it.sends && it.receives && it.to == 0);
        if !(binds && each) {
            return;
        }
        let mut pieces = vec![u32::MAX; self.replayed];
        for member in members {
            if let Some((lane, piece)) = self.call(member.exit) {
                if let Some(place) = self.places[lane] {
                    pieces[place as usize] = piece;
                }
            }
        }
        if !pieces.contains(&u32::MAX) {
            self.needs.all_meet.push(pieces);
        }
    }
}

/// Sends that end only after their receive was posted (MPI 4.1 §3.4).
const SYNCHRONOUS: [&str; 2] = ["MPI_Ssend", "MPI_Issend"];

/// Sends that end whether or not their receive is posted, of whatever size (MPI 4.1 §3.4).
const BUFFERED: [&str; 2] = ["MPI_Bsend", "MPI_Ibsend"];

/// Calls that start sends of a mode that was said before.
const STARTS: [&str; 2] = ["MPI_Start", "MPI_Startall"];

/// Returns whether a function is one of some, also with large counts.
fn is_one(functions: &[&str], name: &str) -> bool {
    functions.contains(&name.strip_suffix("_c").unwrap_or(name))
}

/// Returns whether sends are initialized that, whenever they are started, are buffered.
fn initializes_buffered(trace: &Trace, activities: &[Activity]) -> bool {
    activities.iter().any(|it| {
        let Activity::Mpi(statement) = it else {
            return false;
        };
        let region = statement.place.region;
        let region = region.and_then(|it| trace.definitions.regions.get(it.index()));
        region.is_some_and(|it| is_one(&["MPI_Bsend_init"], &it.name))
    })
}

/// What a send waits for, as far as its function says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// For its receiver if it is large.
    Standard,
    /// For its receiver.
    Synchronous,
    /// For nobody.
    Buffered,
    /// It is started, and may be buffered.
    Unknown,
}

/// Returns whether the bytes of an operation go along in each stage of a tree, and are not shared out.
fn is_passed_on(form: Form, instance: &CollectiveInstance) -> bool {
    use mpiscope_model::CollectiveOp::{Allreduce, Bcast, Reduce};
    form == Form::Prefix || matches!(instance.op, Bcast | Reduce | Allreduce)
}

/// A send of which both ends are known.
struct Sent {
    exit: EventRef,
    post: EventRef,
    size: Size,
    mode: Mode,
    /// The receive was posted while the send was going on.
    came_within: bool,
    /// And its call had nothing else to wait for any more.
    is_last: bool,
    /// For longer than a call takes.
    is_noticed: bool,
    /// And it ended soon after: most of the time in which it had nothing else to wait for was before.
    is_released: bool,
    /// The send had ended before.
    came_after: bool,
}

/// From which size on sends wait for their receivers, as the run shows it.
///
/// A send that ended before its receive was posted went into a buffer; one that went on until then
/// and waited for nothing else may have waited for it. If sends waited from a size on, the former of
/// at least that size and the latter of less contradict it: the size is taken that is contradicted
/// least, or none if that is no more. What ended before counts [`ENDED_BEFORE`] times, as the other
/// may be chance; but not more, as one wrong clock shall not decide. Buffered sends tell nothing.
struct Protocol {
    waits_from: Option<u64>,
    /// Smaller ones wait, too, if they seem to.
    small_may: bool,
}

/// How many sends that seem to have waited one outweighs that did not.
const ENDED_BEFORE: usize = 4;
/// A send was released by its receive if it took so many times longer before that was posted than
/// after, and so many nanoseconds: a call itself takes less.
const RELEASED: i64 = 8;
const NOTICED: i64 = 1000;

impl Protocol {
    fn of(sends: &[Sent]) -> Protocol {
        let sizes = |tells: fn(&Sent) -> bool| {
            let plain = sends.iter().filter(|it| it.mode == Mode::Standard);
            let mut sizes: Vec<u64> = plain
                .filter(|it| tells(it))
                .map(|it| it.size.bytes)
                .collect();
            sizes.sort_unstable();
            sizes
        };
        Protocol {
            waits_from: threshold(&sizes(|it| it.came_after), &sizes(|it| it.is_last)),
            small_may: small_may(sends),
        }
    }

    /// Returns whether a send ends no sooner than its receive is posted.
    fn needs_receiver(&self, send: &Sent) -> bool {
        let waits = self.waits_from.is_some_and(|from| send.size.bytes >= from);
        match send.mode {
            Mode::Standard => waits || self.small_may && send.is_released,
            Mode::Synchronous => true,
            Mode::Buffered => false,
            Mode::Unknown => waits && !send.came_after,
        }
    }
}

/// Returns whether sends of any size wait for their receivers now and then: most of those that went on
/// until the receive was posted ended as soon as it was. By chance few would.
fn small_may(sends: &[Sent]) -> bool {
    let plain = || sends.iter().filter(|it| it.mode == Mode::Standard);
    let released = plain().filter(|it| it.is_released).count();
    2 * released > plain().filter(|it| it.is_noticed).count()
}

/// Returns the size from which on sends wait that is contradicted least, the largest of several; of
/// the sizes of those that ended before their receive was posted and of those that did not, ascending.
fn threshold(before: &[u64], waited: &[u64]) -> Option<u64> {
    let contradictions = |from: u64| {
        let large = before.len() - before.partition_point(|bytes| *bytes < from);
        let small = waited.partition_point(|bytes| *bytes < from);
        large.saturating_mul(ENDED_BEFORE).saturating_add(small)
    };
    let sizes = waited.chunk_by(|a, b| a == b).map(|same| same[0]).rev();
    let best = sizes.min_by_key(|from| contradictions(*from))?;
    (contradictions(best) < waited.len()).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::threshold;

    #[test]
    fn one_outlier_does_not_decide_from_which_size_on_sends_wait() {
        let mb = 1 << 20;
        let waited = [2 * mb; 10];
        assert_eq!(threshold(&[], &[]), None);
        assert_eq!(threshold(&[], &waited), Some(2 * mb));
        assert_eq!(threshold(&[100, 1000, 4 * mb], &waited), Some(2 * mb));
        assert_eq!(threshold(&[4 * mb; 3], &waited), None);
        // A few small ones were going on by chance when their receive was posted.
        let chance = [&[100, 100, 1000][..], &waited].concat();
        assert_eq!(threshold(&[100, 1000, 1000], &chance), Some(2 * mb));
        assert_eq!(threshold(&[100], &[100, 100, 100, 100]), None);
        assert_eq!(threshold(&[100], &[100; 5]), Some(100));
    }
}
