//! What a run has to say for itself, in a few sentences, the most telling first.
//!
//! Shares are of the time within each process's life, by the clock that is shown first.

use mpiscope_analysis::finding::{Kind, Unit};
use mpiscope_tiles::{Class, Done, Run};

use crate::findings::Listed;

/// A sentence, and the finding that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence {
    pub text: String,
    pub finding: Option<u32>,
}

/// Sums a run up.
pub(crate) fn verdict(run: &Run, found: &Listed) -> Vec<Sentence> {
    let Some(clock) = run.clocks().next() else {
        return Vec::new();
    };
    let mut done = Done::default();
    for (location, row) in run.trace.locations.iter().zip(&run.rows.of_location) {
        if location.is_thread() {
            done += clock.total(*row);
        }
    }
    if done.lived() == 0 {
        let text = match run.event_count() {
            0 => "There are no events: nothing can be told".to_owned(),
            _ => "All events are at one moment: nothing can be told of time".to_owned(),
        };
        let nothing = Sentence {
            text,
            finding: None,
        };
        return certain(found).chain([nothing]).collect();
    }
    let mut sentences: Vec<Sentence> = certain(found).collect();
    sentences.push(shares(&done));
    sentences.extend(judged(found));
    sentences.extend(waits(&done, found));
    sentences.extend(counts(found));
    sentences.extend(reversed(run, found));
    sentences
}

/// Says that ranks ended early: what is told of the rest is of what they left.
pub(crate) fn ended(ended: &[(u32, String)]) -> Option<Sentence> {
    let (rank, why) = ended.first()?;
    let text = match ended.len() {
        1 => format!("Rank {rank} {why}: the trace holds what was recorded until then"),
        count => format!(
            "{count} ranks ended early (rank {rank} {why}): the trace holds what was \
             recorded until then"
        ),
    };
    Some(Sentence {
        text,
        finding: None,
    })
}

/// Says where the time went.
fn shares(done: &Done) -> Sentence {
    let all = done.lived();
    let mpi: u128 = done.classes()[Class::PointToPoint.index()..=Class::Management.index()]
        .iter()
        .map(|ns| u128::from(*ns))
        .sum();
    // Short runs are mostly this, and nothing of it is the program's doing.
    let others = u128::from(done.of(Class::Management));
    let setup = match 2 * others > mpi {
        true => format!(" ({} MPI_Init and the like)", percent(others, all)),
        false => String::new(),
    };
    let text = format!(
        "{} of the time is computation and {} MPI{setup}; ranks wait for others {} of the time",
        percent(done.of(Class::Computation).into(), all),
        percent(mpi, all),
        percent(done.waiting().into(), all),
    );
    Sentence {
        text,
        finding: None,
    }
}

/// Says what time was lost to, as the terminal does.
fn judged(found: &Listed) -> impl Iterator<Item = Sentence> + '_ {
    let all = (0u32..).zip(&found.list);
    let losses = all.filter(|(_, it)| it.kind == "verdict");
    losses.map(|(number, it)| Sentence {
        text: it.text.clone(),
        finding: Some(number),
    })
}

/// Says what most time was waited for.
fn waits(done: &Done, found: &Listed) -> Option<Sentence> {
    let is_wait = |name: &str| {
        let first = found.list.iter().find(|it| it.kind == name);
        first.is_some_and(|it| it.places.first().is_some_and(|place| place.role == "waits"))
    };
    let waits = found.kinds.iter().filter(|kind| is_wait(&kind.name));
    let most = waits.max_by_key(|kind| kind.weight)?;
    let first = found.first_of(&most.name)?;
    let longest = &found.list[first as usize];
    let text = format!(
        "Most of the waiting is {}: {} of the time. The longest: {}",
        most.label.to_lowercase(),
        percent(most.weight.into(), done.lived()),
        longest.text,
    );
    Some(Sentence {
        text,
        finding: Some(first),
    })
}

/// Kinds that are told, at most, of what is wrong for certain.
const TOLD: usize = 4;

/// Says what is wrong for certain, kind by kind: the first of each.
fn certain(found: &Listed) -> impl Iterator<Item = Sentence> + '_ {
    let kinds = found.kinds.iter().filter(|it| it.unit == Unit::Certain);
    kinds.take(TOLD).map(|kind| example(found, kind))
}

/// Says what was found that is no time: races, alternatives that came to nothing.
fn counts(found: &Listed) -> impl Iterator<Item = Sentence> + '_ {
    let counted = found.kinds.iter().filter(|kind| kind.unit == Unit::Count);
    counted.map(|kind| example(found, kind))
}

/// Tells one of a kind, and how many there are.
fn example(found: &Listed, kind: &Kind) -> Sentence {
    let first = found.first_of(&kind.name);
    let text = first.map_or("", |it| &found.list[it as usize].text);
    Sentence {
        text: match kind.count {
            1 => format!("{}: {text}", kind.label),
            many => format!("{}, {many} times. {text}", kind.label),
        },
        finding: first,
    }
}

/// Says of each clock what it puts into the wrong order.
fn reversed<'a>(run: &'a Run, found: &'a Listed) -> impl Iterator<Item = Sentence> + 'a {
    let wrong = run.clocks().filter(|clock| clock.reversed() > 0);
    wrong.map(|clock| Sentence {
        text: format!(
            "By {} time {} of {} messages are received before they are sent",
            clock.view.name,
            clock.reversed(),
            run.message_count(),
        ),
        finding: found.first_of(&format!("reversed_{}", clock.view.name)),
    })
}

/// Writes a share.
fn percent(part: u128, all: u128) -> String {
    let percent = 100.0 * part as f64 / all.max(1) as f64;
    match percent {
        0.0 => "0 %".to_owned(),
        small if small < 0.1 => "less than 0.1 %".to_owned(),
        small if small < 10.0 => format!("{small:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_analysis::errors::errors;
    use mpiscope_analysis::finding::{self, Findings};
    use mpiscope_analysis::races::Races;
    use mpiscope_model::Trace;

    fn said(picture: &str) -> Vec<Sentence> {
        let trace = Trace::parse(picture).unwrap();
        let matching = trace.matching();
        let mut findings = Findings::default();
        let races = Races::find(&trace, &matching);
        finding::of_races(&trace, &races, &mut findings);
        finding::of_errors(&trace, &errors(&trace, &matching), &mut findings);
        let mut run = Run::matched(trace, matching);
        run.add_clock("measured", None);
        let found = Listed::new(&run, findings, None);
        verdict(&run, &found)
    }

    #[test]
    fn what_is_wrong_for_certain_is_told_first() {
        let said = said(
            "0: 1 5 enter(MPI_Recv) !posted(1)
             1: 2 6 enter(MPI_Recv) !posted(0)",
        );
        let text =
            "Error: deadlock, 2 times. Rank 0 waits for ever in MPI_Recv, for rank 1 in MPI_Recv";
        assert_eq!(said[0].text, text);
        assert_eq!(said[0].finding, Some(0));
        assert!(said[1].text.contains("computation"), "{said:?}");
    }

    #[test]
    fn of_races_one_is_told_and_how_many_there_are() {
        let said = said("0: 10 recv<1(any) 11 recv<2(any)\n1: 1 send>0\n2: 1 send>0");
        let last = &said.last().unwrap().text;
        assert_eq!(
            last,
            "Order race: Rank 0 could have got another message in a call"
        );
    }
}
