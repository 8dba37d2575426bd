//! What processes that share a trace tell each other of their calls, so that each can say of its own
//! who held them up: of each message and bound between two of them when either side came, and the
//! homes of collective operations the calls of all members.

use mpiscope_model::{
    Bound, CollectiveMember, EventRef, LocationIndex, Matching, Message, Timestamp,
};

use super::requests::OtherSides;
use super::{Cause, Held, Kind};
use crate::sharers::Sharers;
use crate::timeline::{Call, Timeline};

/// Has all processes know what they need of others' calls to find their own wait states.
pub(crate) fn tell(
    sharers: Sharers,
    matching: &Matching,
    lines: &mut [Timeline],
    other_sides: &mut OtherSides,
) {
    let came = |event: EventRef| lines[event.location.index()].came(event.index);
    let mut heard = Heard::new(lines.len());

    for (message, time) in sharers.of_sends(matching, |it| came(it.send)) {
        heard.came(message.send, time);
    }
    let posted = |it: &Message| {
        let post = other_sides.of(it.receive)?;
        Some((post.index, came(post)))
    };
    let mut posts = vec![Vec::new(); lines.len()];
    for (message, post) in sharers.of_receives(matching, posted) {
        let Some((index, time)) = post else { continue };
        let receive = message.receive;
        heard.came(EventRef { index, ..receive }, time);
        posts[receive.location.index()].push((receive.index, index));
    }

    let part = |event: EventRef| sharers.part_of(event.location);
    let bounds = matching.bounds.iter().copied();
    let (first, second) = (|it: &Bound| part(it.send), |it: &Bound| part(it.receive));
    for (bound, time) in sharers.say(bounds, first, second, |it| came(it.send)) {
        heard.came(bound.send, time);
    }

    // A home knows of the operation what all its members know of themselves.
    let call = |_: &_, member: &CollectiveMember| {
        let exit = member.exit;
        let around = lines[exit.location.index()].around(exit.index);
        (came(member.enter), around)
    };
    for (member, (time, call)) in sharers.of_members(matching, |_| true, call) {
        heard.came(member.enter, time);
        heard.call(member.exit.location, call);
    }

    heard.told_to(lines);
    other_sides.hear(posts);
}

/// Has processes know of the messages between them the calls around both ends, and where these were
/// completed.
pub(crate) fn tell_ends(
    sharers: Sharers,
    matching: &Matching,
    lines: &mut [Timeline],
    other_sides: &mut OtherSides,
) {
    let around = |event: EventRef| lines[event.location.index()].around(event.index);
    let ends = |event: EventRef| {
        let other = other_sides.of(event);
        let of_other = other.and_then(around);
        (other.map(|it| it.index), around(event), of_other)
    };
    let sends = sharers.of_sends(matching, |it| ends(it.send));
    let sends = sends.into_iter().map(|(it, told)| (it.send, told));
    let receives = sharers.of_receives(matching, |it| ends(it.receive));
    let receives = receives.into_iter().map(|(it, told)| (it.receive, told));
    let mut heard = Heard::new(lines.len());
    let mut completed = vec![Vec::new(); lines.len()];
    for (event, (other, own, of_other)) in sends.chain(receives) {
        heard.call(event.location, own);
        heard.call(event.location, of_other);
        completed[event.location.index()].extend(other.map(|it| (event.index, it)));
    }
    heard.told_to(lines);
    other_sides.hear(completed);
}

/// What was told of others' calls, by location.
struct Heard {
    came: Vec<Vec<(u32, Timestamp)>>,
    calls: Vec<Vec<Call>>,
}

impl Heard {
    fn new(locations: usize) -> Heard {
        Heard {
            came: vec![Vec::new(); locations],
            calls: vec![Vec::new(); locations],
        }
    }

    fn came(&mut self, event: EventRef, time: Timestamp) {
        self.came[event.location.index()].push((event.index, time));
    }

    fn call(&mut self, location: LocationIndex, call: Option<Call>) {
        self.calls[location.index()].extend(call);
    }

    fn told_to(&self, lines: &mut [Timeline]) {
        for ((line, came), calls) in lines.iter_mut().zip(&self.came).zip(&self.calls) {
            line.hear(came, calls);
        }
    }
}

/// A call that a home has found to be held up in an operation, as told to who has it: which, by whom,
/// since when, what waiting is called, and the place of the operation among all.
type Told = ((EventRef, EventRef), (Timestamp, u8), u64);

/// Tells calls that were held up in operations to whom they belong; returns those that are here, in
/// the order of operations.
pub(super) fn tell_held(sharers: Sharers, held: Vec<(u64, Held)>) -> Vec<Held> {
    let told = held.into_iter().map(|(order, it)| {
        let Cause { event, came, kind } = it.cause;
        let told: Told = ((it.call, event), (came, kind as u8), order);
        (it.call.location, told)
    });
    let mut all = sharers.tell(told).concat();
    all.sort_by_key(|(.., order)| *order);
    let held = all.into_iter().map(|((call, event), (came, kind), _)| {
        let kind = Kind::ALL[kind as usize];
        let cause = Cause { event, came, kind };
        Held { call, cause }
    });
    held.collect()
}
