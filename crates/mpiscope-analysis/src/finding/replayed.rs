//! Where a replayed run first left the recorded order.

use mpiscope_model::{EventRef, Trace};

use super::{sentence, who, Findings, Place, Unit};

/// In what a rank first was not as recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Departure {
    /// It made another call.
    Call,
    /// It received other data.
    Data,
    /// Another thread came to a choice.
    Thread,
}

/// Where a rank first was not as recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// In what.
    pub departure: Departure,
    /// The recorded call; the first of those that it may be.
    pub from: EventRef,
    /// The last of them.
    pub to: EventRef,
    /// What there is to say of it, such as what came in place of what.
    pub text: String,
}

/// A row for each departure: its kind, what the kind is called, what a sentence says.
const KINDS: [(Departure, &str, &str, &str); 3] = [
    (
        Departure::Call,
        "replay_differs",
        "A replay left the recorded order",
        "made another call",
    ),
    (
        Departure::Data,
        "replay_other_data",
        "A replay received other data",
        "received other data",
    ),
    (
        Departure::Thread,
        "replay_other_thread",
        "A replay came by another thread",
        "came here by another thread",
    ),
];

/// Adds where ranks left the recorded order.
pub fn of_replayed(trace: &Trace, replayed: &[Replayed], findings: &mut Findings) {
    for (departure, name, label, did) in KINDS {
        let of_kind = replayed.iter().filter(|it| it.departure == departure);
        findings.add(
            name,
            label.to_owned(),
            Unit::Certain,
            of_kind.map(|it| (1, it)).collect(),
            |it| describe(trace, it, did),
        );
    }
}

fn describe(trace: &Trace, it: &Replayed, did: &str) -> (Vec<Place>, String) {
    let mut places = vec![Place::new(trace, "differs", it.from)];
    if it.to != it.from {
        places.push(Place::new(trace, "differs_at_last", it.to));
    }
    let when = match it.to == it.from {
        true => "",
        false => " here or a few calls later",
    };
    let text = match it.text.is_empty() {
        true => String::new(),
        false => format!(": {}", it.text),
    };
    let text = format!(
        "{} {did}{when} when the run was replayed{text}",
        sentence(&who(trace, it.from)),
    );
    (places, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_model::LocationIndex;

    #[test]
    fn a_divergence_is_told_with_its_call() {
        let trace = Trace::parse(
            "0: 1 enter(MPI_Send) 2 leave(MPI_Send) 3 enter(MPI_Recv) 4 leave(MPI_Recv)",
        );
        let at = |index| EventRef::new(LocationIndex(0), index);
        let mut findings = Findings::default();
        let one = |to, text: &str| Replayed {
            departure: Departure::Call,
            from: at(0),
            to: at(to),
            text: text.to_owned(),
        };
        let all = [one(0, "MPI_Bcast came, MPI_Send was recorded"), one(2, "")];
        of_replayed(&trace.unwrap(), &all, &mut findings);
        let texts: Vec<&str> = findings.list.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "Rank 0 made another call when the run was replayed: MPI_Bcast came, MPI_Send was \
                 recorded",
                "Rank 0 made another call here or a few calls later when the run was replayed",
            ]
        );
        assert_eq!(findings.list[1].places.len(), 2);
    }
}
