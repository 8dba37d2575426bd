//! What mending would gain, as a part for the page of `view`, and for `report`: the first rows of the
//! table in the terminal.

use mpiscope_analysis::whatif::Replay;
use mpiscope_archive::model::{Matching, Timestamp, Trace};
use mpiscope_serve::{Part, Table};

use super::{mendings, text};
use crate::report::show;

/// Events of a run that is replayed unasked, at most: dozens of replays of more take their time.
const FEW: usize = 500_000;
/// Changes that are shown, at most, as in the terminal.
const TOP: usize = 10;

/// Returns the part; of many events only the command that makes it.
pub fn part(trace: &Trace, matching: &Matching, times: &[&[Timestamp]]) -> Part {
    part_of(trace, matching, times, FEW)
}

/// Does the same where so many events are few.
fn part_of(trace: &Trace, matching: &Matching, times: &[&[Timestamp]], few: usize) -> Part {
    let events = trace.event_count();
    let part = Part {
        name: "whatif".to_owned(),
        title: "What mending would gain".to_owned(),
        ..Part::default()
    };
    match events > few {
        true => Part {
            more: Some(format!(
                "not computed in {} events, which are more than {}: `mpiscope whatif` does",
                show::count(events as u64),
                show::count(few as u64)
            )),
            ..part
        },
        false => replayed(&by(trace, times), matching, part),
    }
}

/// Returns a copy of a trace with other times.
fn by(trace: &Trace, times: &[&[Timestamp]]) -> Trace {
    let mut copy = trace.clone();
    for (location, times) in copy.locations.iter_mut().zip(times) {
        location.events.set_times(times.to_vec());
    }
    copy
}

fn replayed(trace: &Trace, matching: &Matching, part: Part) -> Part {
    let replay = Replay::of(trace, matching);
    let all = mendings::all(trace, matching, &replay);
    let tried = all.len();
    let gaining: Vec<_> = all.into_iter().filter(|it| it.gain_ns > 0).collect();
    let without = text::without_gain((tried - gaining.len()) as u64);
    let rows = text::rows(&gaining, replay.measured().length().0, TOP);
    let more = gaining.len().saturating_sub(rows.len());
    Part {
        lines: Some(without)
            .filter(|it| !it.is_empty())
            .into_iter()
            .collect(),
        table: Table::some(
            text::HEADER.map(str::to_owned).into(),
            rows.into_iter().map(Vec::from).collect(),
        ),
        more: (more > 0).then(|| {
            format!(
                "… and {more} more: `mpiscope whatif --top {}`",
                gaining.len()
            )
        }),
        ..part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rank 0 waits; by the times that are told it waits longer than by the trace's own.
    const PICTURE: &str = "0: 0 enter(MPI_Recv) 50 recv<1 51 leave(MPI_Recv) 60
                           1: 0 48 enter(MPI_Send) 48 send>0 49 leave(MPI_Send) 60";

    fn of(few: usize) -> Part {
        let trace = Trace::parse(PICTURE).unwrap();
        let matching = trace.matching();
        let times: Vec<Vec<Timestamp>> = (trace.locations.iter())
            .map(|it| {
                it.events
                    .times()
                    .iter()
                    .map(|it| Timestamp(it.0 * 10))
                    .collect()
            })
            .collect();
        let times: Vec<&[Timestamp]> = times.iter().map(Vec::as_slice).collect();
        part_of(&trace, &matching, &times, few)
    }

    #[test]
    fn gains_are_those_by_the_times_that_are_told() {
        let table = of(100).table.unwrap();
        assert_eq!(table.rows[0][2], "−240 ns", "{table:?}");
    }

    #[test]
    fn of_many_events_the_command_is_named() {
        let part = of(3);
        assert_eq!((part.lines, part.table), (Vec::new(), None));
        let more = part.more.unwrap();
        assert!(more.starts_with("not computed in "), "{more}");
        assert!(
            more.ends_with("more than 3: `mpiscope whatif` does"),
            "{more}"
        );
    }
}
