//! Wait states, each kind by itself; and those in wrong order once more, each with the message whose
//! other side was there.

use mpiscope_model::Trace;

use super::{call, rounded, sentence, who, Findings, Place, Unit};
use crate::clock_errors::ClockErrors;
use crate::wait_states::wrong_order::WrongOrder;
use crate::wait_states::{Kind, WaitState};

/// Adds wait states, whom each waited for, and what clocks leave open of it.
pub fn of_waits(
    trace: &Trace,
    states: &[WaitState],
    errors: &ClockErrors,
    findings: &mut Findings,
) {
    for kind in Kind::ALL {
        let of_kind = states.iter().filter(|state| state.kind == kind);
        let weighed = of_kind.map(|state| (state.duration().0.max(0) as u64, state));
        findings.add(
            kind.name().replace(' ', "_"),
            sentence(kind.name()),
            Unit::Nanoseconds,
            weighed.collect(),
            |state| describe(trace, errors, state),
        );
    }
}

fn describe(trace: &Trace, errors: &ClockErrors, state: &WaitState) -> (Vec<Place>, String) {
    let places = vec![
        Place::new(trace, "waits", state.call),
        Place::new(trace, "causes", state.cause),
    ];
    let text = format!(
        "{} waits {}{} for {} in {}",
        sentence(&who(trace, state.call)),
        rounded(state.duration().0.max(0) as u64),
        open(trace, errors, state),
        who(trace, state.cause),
        call(trace, state.call),
    );
    (places, text)
}

/// Says by how much its clocks can be wrong; nothing if they are one, or if it is not known.
fn open(trace: &Trace, errors: &ClockErrors, state: &WaitState) -> String {
    let open = errors.of_wait(trace, state);
    match open.filter(|it| it.half_width.0 > 0) {
        None => String::new(),
        Some(open) if open.is_below => " (below clock resolution)".to_owned(),
        Some(open) => format!(" (± {})", rounded(open.half_width.0 as u64)),
    }
}

/// Adds waits in wrong order: those of receives, then those of sends; each weighs as much as the wait.
pub fn of_wrong_order(trace: &Trace, found: &[WrongOrder], findings: &mut Findings) {
    let kinds = [
        (true, "late_sender_wrong_order", "Late sender, wrong order"),
        (
            false,
            "late_receiver_wrong_order",
            "Late receiver, wrong order",
        ),
    ];
    for (is_of_receive, name, label) in kinds {
        let of_kind = found
            .iter()
            .filter(|it| it.is_of_receive() == is_of_receive);
        let weighed = of_kind.map(|it| (it.wait.duration().0.max(0) as u64, it));
        findings.add(
            name,
            label.to_owned(),
            Unit::Nanoseconds,
            weighed.collect(),
            |it| describe_order(trace, it),
        );
    }
}

fn describe_order(trace: &Trace, it: &WrongOrder) -> (Vec<Place>, String) {
    let (other, later) = match it.is_of_receive() {
        true => (it.other.send, it.other.receive),
        false => (it.other.receive, it.other.send),
    };
    // Waiting itself is a finding of another kind: this is about the order.
    let places = vec![
        Place::new(trace, "out_of_order", it.wait.call),
        Place::new(trace, "causes", it.wait.cause),
        Place::new(trace, "was_there", other),
        Place::new(trace, "later", later),
    ];
    let was_there = match it.is_of_receive() {
        true => "a message that was sent before is there",
        false => "the receive of a message that is sent next is there",
    };
    let text = format!(
        "{} waits {} for {} in {} while {was_there}, of {}",
        sentence(&who(trace, it.wait.call)),
        rounded(it.wait.duration().0.max(0) as u64),
        who(trace, it.wait.cause),
        call(trace, it.wait.call),
        who(trace, other),
    );
    (places, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wait_states::wrong_order::wrong_order;

    #[test]
    fn who_waits_is_told_with_the_message_that_was_there() {
        let trace = Trace::parse(
            "0: 0 enter(MPI_Recv) 60 recv<1 61 leave(MPI_Recv) 62 enter(MPI_Recv) 63 recv<2 64 leave(MPI_Recv)
             1: 0 50 enter(MPI_Send) 50 send>0 54 leave(MPI_Send)
             2: 0 5 enter(MPI_Send) 5 send>0 9 leave(MPI_Send)",
        )
        .unwrap();
        let mut findings = Findings::default();
        let found = wrong_order(&trace, &trace.matching());
        of_wrong_order(&trace, &found, &mut findings);
        assert_eq!(findings.kinds.len(), 1);
        assert_eq!(
            findings.list[0].text,
            "Rank 0 waits 50 ns for rank 1 in MPI_Recv while a message that was sent before is \
             there, of rank 2"
        );
    }
}
