//! What MPI forbids.

use mpiscope_model::{EventRef, Trace};

use super::{call, sentence, who, Findings, Place, Unit};
use crate::errors::{Error, ErrorKind};

/// Others that take part in an error and are places of its finding.
const MOST_PLACES: usize = 16;

/// Adds errors, each kind by itself, the gravest kind first.
pub fn of_errors(trace: &Trace, errors: &[Error], findings: &mut Findings) {
    let mut sorted: Vec<&Error> = errors.iter().collect();
    sorted.sort_by_key(|error| gravity(error.kind));
    for of_kind in sorted.chunk_by(|a, b| gravity(a.kind) == gravity(b.kind)) {
        let name = of_kind[0].kind.name();
        findings.add(
            name.replace(' ', "_"),
            format!("Error: {name}"),
            Unit::Certain,
            of_kind.iter().map(|error| (1, *error)).collect(),
            |error| describe(trace, error),
        );
    }
}

/// Ranks kinds: what ends a run comes before what makes it wrong, and that before what is untidy.
fn gravity(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::Deadlock => 0,
        ErrorKind::UnmatchedReceive => 1,
        ErrorKind::CollectiveOrder => 2,
        ErrorKind::CollectiveRoot => 3,
        ErrorKind::CollectiveCount => 4,
        ErrorKind::CollectiveType => 5,
        ErrorKind::Truncation { .. } => 6,
        ErrorKind::Type => 7,
        ErrorKind::UnmatchedSend => 8,
        ErrorKind::LostRequest => 9,
    }
}

fn describe(trace: &Trace, error: &Error) -> (Vec<Place>, String) {
    let others = error.others.iter().take(MOST_PLACES);
    let others = others.map(|other| Place::new(trace, "other", *other));
    let places = [Place::new(trace, "error", error.event)].into_iter();
    (places.chain(others).collect(), text(trace, error))
}

fn text(trace: &Trace, error: &Error) -> String {
    let rank = sentence(&who(trace, error.event));
    let name = call(trace, error.event);
    let others = || others(trace, &error.others);
    match error.kind {
        ErrorKind::Deadlock => format!("{rank} waits for ever in {name}, for {}", others()),
        ErrorKind::UnmatchedReceive => {
            format!("{rank} waits in {name} for a message, and who could send it has ended")
        }
        ErrorKind::CollectiveOrder => {
            format!("{rank} is in {name}, which does not meet {}", others())
        }
        ErrorKind::CollectiveRoot => {
            format!("{rank} names another root in {name} than {}", others())
        }
        ErrorKind::CollectiveCount => format!(
            "{rank} asks for another amount of data in {name} than {}",
            others()
        ),
        ErrorKind::CollectiveType => {
            format!("{rank} names another type in {name} than {}", others())
        }
        ErrorKind::Truncation { bytes, capacity } => format!(
            "{rank} has room for {capacity} bytes in {name}, and gets {bytes} of {}",
            others()
        ),
        ErrorKind::Type => format!(
            "{rank} receives in {name} what was sent as another type by {}",
            others()
        ),
        ErrorKind::UnmatchedSend => {
            format!("{rank} sends a message in {name} that is never received")
        }
        ErrorKind::LostRequest => {
            format!("{rank} neither completes nor frees the request of {name}")
        }
    }
}

/// Writes `rank 1 in MPI_Recv at a.c:3 and 2 others`.
fn others(trace: &Trace, others: &[EventRef]) -> String {
    let Some(&first) = others.first() else {
        return "ranks that have ended".to_owned();
    };
    let name = format!("{} in {}", who(trace, first), call(trace, first));
    match others.len() {
        1 => name,
        2 => format!("{name} and another"),
        many => format!("{name} and {} others", many - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::errors::errors;
    use expect_test::{expect, Expect};

    fn check(picture: &str, expected: Expect) {
        let trace = Trace::parse(picture).unwrap();
        let mut findings = Findings::default();
        of_errors(&trace, &errors(&trace, &trace.matching()), &mut findings);
        let line = |it: &super::super::Finding| {
            let places = it.places.iter();
            let places: Vec<String> = places
                .map(|place| format!("{} {}", place.role, trace.time(place.event).0))
                .collect();
            format!("{}: {} [{}]\n", it.kind, it.text, places.join(", "))
        };
        expected.assert_eq(&findings.list.iter().map(line).collect::<String>());
    }

    #[test]
    fn a_circle_is_told_by_each_of_its_members() {
        check(
            "0: 1 enter(MPI_Recv) !at(a.c:3) !posted(1)
             1: 2 enter(MPI_Recv) !at(a.c:9) !posted(0)",
            expect![[r#"
                deadlock: Rank 0 waits for ever in MPI_Recv at a.c:3, for rank 1 in MPI_Recv at a.c:9 [error 1, other 2]
                deadlock: Rank 1 waits for ever in MPI_Recv at a.c:9, for rank 0 in MPI_Recv at a.c:3 [error 2, other 1]
            "#]],
        );
    }

    #[test]
    fn what_is_grave_comes_first() {
        check(
            "0: 1 isend>1#1 2 send>1 3 enter(MPI_Recv) !posted(1,cap=4) 5 recv<1(bytes=8) 6 leave(MPI_Recv) 8 enter(MPI_Finalize)
             1: 2 recv<0 4 enter(MPI_Send) 4 send>0(bytes=8) 5 leave(MPI_Send) 9 enter(MPI_Finalize)",
            expect![[r#"
                truncation: Rank 0 has room for 4 bytes in MPI_Recv, and gets 8 of rank 1 in MPI_Send [error 5, other 4]
                unmatched_send: Rank 0 sends a message in a call that is never received [error 2]
                lost_request: Rank 0 neither completes nor frees the request of a call [error 1]
            "#]],
        );
    }
}
