//! Messages that were received before they were sent, by one clock.

use mpiscope_model::{EventRef, Matching, Message, Timestamp, Trace};

use super::{rounded, sentence, who, Findings, Place, Unit};

/// Adds messages received before they were sent by a clock, which told these times of the events.
pub fn of_reversed(
    trace: &Trace,
    matching: &Matching,
    clock: &str,
    times: &[&[Timestamp]],
    findings: &mut Findings,
) {
    let at = |event: EventRef| times[event.location.index()][event.index as usize];
    let early = |message: &Message| (at(message.send) - at(message.receive)).0;
    let apart = |it: &&Message| it.send.location != it.receive.location && early(it) > 0;
    let weighed = matching.look_at_messages(|messages| -> Vec<(u64, Message)> {
        let reversed = messages.iter().filter(apart);
        let weighed = reversed.map(|message| (early(message) as u64, *message));
        weighed.collect()
    });
    findings.add(
        format!("reversed_{clock}"),
        format!("Received before sent ({clock} time)"),
        Unit::Apart,
        weighed.into_iter().flatten().collect(),
        |message| {
            let places = vec![
                Place::new(trace, "receive", message.receive),
                Place::new(trace, "send", message.send),
            ];
            let text = format!(
                "{} receives a message {} before {} sends it ({clock} time)",
                sentence(&who(trace, message.receive)),
                rounded(early(message) as u64),
                who(trace, message.send),
            );
            (places, text)
        },
    );
}
