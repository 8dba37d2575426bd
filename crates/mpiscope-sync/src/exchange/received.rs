//! When what a part receives was sent: by itself, or by a part that tells it so, a
//! round at a time.

use mpiscope_model::{EventRef, LocationIndex, Timestamp};

use super::{Division, Exchange, Rounds, Told};
use crate::prefetch::prefetch;

/// How many messages ahead memory is asked for.
const AHEAD: usize = 16;

/// Visits those of so many messages, of which `ends` knows the two events, that this
/// part receives, with the times when they were sent; `times` has those of this
/// part's own locations. If each part knows its `own` alone, these are all there are.
pub(crate) fn each_received<'t, E: Exchange>(
    exchange: &E,
    division: &Division,
    (count, own): (usize, bool),
    ends: impl Fn(usize) -> (EventRef, EventRef),
    times: impl Fn(LocationIndex) -> &'t [Timestamp],
    mut visit: impl FnMut(usize, i64),
) {
    let (parts, me) = (exchange.parts(), exchange.me());
    let part_of = |event: EventRef| division.part_of(event.location.0);
    let time = |event: EventRef| times(event.location)[event.index as usize].0;
    let both = |number| {
        let (send, receive) = ends(number);
        (part_of(send), part_of(receive))
    };
    let rounds = Rounds::among(exchange, own, parts, (0..count).map(both));
    for round in 0..rounds.count() {
        let sent = |part: usize| {
            let numbers = rounds.stretches(part, round).iter().cloned().flatten();
            let sent = numbers.map(|number| ends(number).0);
            let mine = sent.filter(|send| part != me && part_of(*send) == me);
            mine.map(&time).collect()
        };
        let mut told = Told::new(exchange.all_to_all((0..parts).map(sent).collect()));
        for stretch in rounds.stretches(me, round) {
            for number in stretch.clone() {
                if number + AHEAD < stretch.end {
                    let soon = ends(number + AHEAD).0;
                    prefetch(times(soon.location), soon.index as usize);
                }
                let send = ends(number).0;
                let sent = match part_of(send) {
                    part if part == me => time(send),
                    part => told.next_of(part).unwrap_or(0),
                };
                visit(number, sent);
            }
        }
    }
}
