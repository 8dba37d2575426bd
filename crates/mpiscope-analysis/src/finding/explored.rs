//! What was proven of alternatives: runs in which a race went the other way.

use mpiscope_model::{EventRef, Trace};

use super::{call, sentence, who, Findings, Place, Unit};

/// What a program did once a receive was given another message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Forced {
    /// It waited for ever.
    Deadlocks,
    /// It went on and on.
    DoesNotEnd,
    /// It came to its end, as the recorded run did not.
    Completes,
    /// Its exit code, output or files were others.
    ChangesTheResult,
    /// Ranks received other data, which showed in none of them.
    ChangesData,
    /// Nothing differed.
    HarmlessSoFar,
    /// It did not come to that receive.
    NotReached,
}

/// An alternative that was forced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    /// What came of it.
    pub forced: Forced,
    /// The receive, where it completed.
    pub receive: EventRef,
    /// The send of what it got in this run, if it is known.
    pub got: Option<EventRef>,
    /// The send of what it was given.
    pub given: EventRef,
    /// How it showed, in a few words; may be empty.
    pub how: String,
    /// Alternatives with the same two calls.
    pub alike: u64,
}

/// A row for each outcome: its kind, what the kind is called, what the program does, and whether
/// it is more than a possibility that came to nothing.
const KINDS: [(Forced, &str, &str, &str, Unit); 7] = [
    (
        Forced::Deadlocks,
        "explored_deadlocks",
        "Another order deadlocks",
        "the program deadlocks",
        Unit::Certain,
    ),
    (
        Forced::DoesNotEnd,
        "explored_does_not_end",
        "Another order does not end",
        "the program does not come to its end",
        Unit::Certain,
    ),
    (
        Forced::Completes,
        "explored_completes",
        "Another order completes",
        "the program comes to its end",
        Unit::Certain,
    ),
    (
        Forced::ChangesTheResult,
        "explored_changes_the_result",
        "Another order changes the result",
        "the result is another",
        Unit::Certain,
    ),
    (
        Forced::ChangesData,
        "explored_changes_data",
        "Another order changes data",
        "ranks receive other data, with the same result",
        Unit::Count,
    ),
    (
        Forced::HarmlessSoFar,
        "explored_harmless",
        "Another order is harmless so far",
        "nothing differs",
        Unit::Count,
    ),
    (
        Forced::NotReached,
        "explored_not_reached",
        "Another order was not reached",
        "the program does not come there",
        Unit::Count,
    ),
];

/// Adds what was found of alternatives, the gravest outcome first.
pub fn of_explored(trace: &Trace, explored: &[Explored], findings: &mut Findings) {
    for (forced, name, label, does, unit) in KINDS {
        let of_kind = explored.iter().filter(|it| it.forced == forced);
        findings.add(
            name,
            label.to_owned(),
            unit,
            of_kind.map(|it| (it.alike.max(1), it)).collect(),
            |it| describe(trace, it, does),
        );
    }
}

fn describe(trace: &Trace, it: &Explored, does: &str) -> (Vec<Place>, String) {
    let got = it.got.map(|got| Place::new(trace, "message", got));
    let places = [Place::new(trace, "receive", it.receive)].into_iter();
    let places = places
        .chain(got)
        .chain([Place::new(trace, "candidate", it.given)]);
    let how = match it.how.is_empty() {
        true => String::new(),
        false => format!(": {}", it.how),
    };
    let text = format!(
        "{} in {}, given the message of {} instead: {does}{how}",
        sentence(&who(trace, it.receive)),
        call(trace, it.receive),
        who(trace, it.given),
    );
    (places.collect(), text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_model::LocationIndex;

    #[test]
    fn what_was_proven_is_told_with_its_receive_and_both_messages() {
        let trace = Trace::parse(
            "0: 1 enter(MPI_Recv) !at(src/a.c:15) 5 recv<1(any) 6 leave(MPI_Recv) 9 recv<2(any)
             1: 1 enter(MPI_Send) 2 send>0 3 leave(MPI_Send)
             2: 1 enter(MPI_Send) 2 send>0 3 leave(MPI_Send)",
        );
        let trace = trace.unwrap();
        let at = |location, index| EventRef::new(LocationIndex(location), index);
        let one = |forced, how: &str| Explored {
            forced,
            receive: at(0, 1),
            got: Some(at(1, 1)),
            given: at(2, 1),
            how: how.to_owned(),
            alike: 1,
        };
        let mut findings = Findings::default();
        let all = [
            one(Forced::HarmlessSoFar, ""),
            one(Forced::Deadlocks, "a circle"),
        ];
        of_explored(&trace, &all, &mut findings);
        let texts: Vec<&str> = findings.list.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "Rank 0 in MPI_Recv at a.c:15, given the message of rank 2 instead: the program \
                 deadlocks: a circle",
                "Rank 0 in MPI_Recv at a.c:15, given the message of rank 2 instead: nothing differs",
            ]
        );
        let roles: Vec<&str> = findings.list[0].places.iter().map(|it| it.role).collect();
        assert_eq!(roles, ["receive", "message", "candidate"]);
        assert_eq!(findings.kinds[0].unit, Unit::Certain);
        assert_eq!(findings.kinds[1].unit, Unit::Count);
    }

    #[test]
    fn every_outcome_has_a_row() {
        let rows: Vec<Forced> = KINDS.iter().map(|(forced, ..)| *forced).collect();
        let mut sorted = rows.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(rows, sorted);
    }
}
