//! Calls that an abort cut short shifted the times of all ranks.

use std::collections::BTreeSet;
use std::path::Path;

use mpiscope_archive::model::{Note, Trace};
use mpiscope_archive::trace::read_trace;

use crate::common::{found, Case, Trial};

#[test]
fn calls_that_never_returned_hold_nobody_back() {
    for mpi in found() {
        let case = Case { mpi, ranks: 3 };
        let Some(trial) = Trial::new(case, "tests/mpi/cut_short.c") else {
            continue;
        };
        let run = trial.traced();
        run.done.check(3, &[]);
        let info = run.check_info();
        assert_eq!(info.get("recovered"), true, "{:#}", info.0);
        let [measured, corrected] = [run.measured(), run.corrected()].map(|path| read(&path));
        // One clock, and no message against it: nothing but the zero of time may differ.
        let pairs = measured.locations.iter().zip(&corrected.locations);
        let moved = pairs.flat_map(|(measured, corrected)| {
            let times = measured.events.times().iter().zip(corrected.events.times());
            times.map(|(measured, corrected)| corrected.0.wrapping_sub(measured.0))
        });
        assert_eq!(
            moved.collect::<BTreeSet<_>>().len(),
            1,
            "under {}",
            mpi.name
        );
        for trace in [measured, corrected] {
            assert_eq!(
                unreturned(&trace),
                ["MPI_Finalize", "MPI_Finalize", "MPI_Abort"]
            );
        }
    }
}

#[track_caller]
fn read(path: &Path) -> Trace {
    read_trace(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the calls that were never left, as the archive says, by rank.
fn unreturned(trace: &Trace) -> Vec<&str> {
    let locations = trace.locations.iter();
    let cut_short = locations.flat_map(|location| {
        let notes = location.events.notes().iter();
        let cut_short = notes.filter(|(_, note)| *note == Note::CutShort);
        cut_short.map(|&(index, _)| location.events.args()[index as usize])
    });
    let name = |region| trace.definitions.regions[region as usize].name.as_str();
    cut_short.map(name).collect()
}
