//! Sends under flat limits stayed where they were, although they might have moved.

use std::path::Path;
use std::process::Command;

use mpiscope_archive::model::Trace;

use crate::common::{self, process};

/// Corrects the picture's archive by the command, with ramps twice as long as
/// their jumps; returns when the events of its last location happen, since the
/// first.
fn corrected(picture: &str) -> Vec<i64> {
    let trace = Trace::parse(picture).unwrap();
    let folder = tempfile::tempdir().unwrap();
    mpiscope_archive::write::write_trace(&trace, folder.path(), &[]).unwrap();
    let output = folder.path().join("corrected");
    let options = "--presync none --gamma 1 --interval 2 --lmin 2ns --output";
    let mut command = Command::new(common::mpiscope());
    command.arg("sync").args(options.split(' ')).arg(&output);
    process::run(command.arg(folder.path())).check(0, &[]);
    let times = times(&output);
    times.iter().map(|time| time - times[0]).collect()
}

fn times(archive: &Path) -> Vec<i64> {
    let trace = mpiscope_archive::trace::read_trace(&archive.join("traces.otf2")).unwrap();
    let last = trace.locations.last().unwrap();
    last.events.times().iter().map(|time| time.0).collect()
}

/// Linford 2007, figure 3.1: a jump of 100 µs over 200 µs, with sends at a
/// quarter and at half of it that may move by 10 and 20 µs, where the ideal
/// line has 25 and 50. Both are used up, and the first event stays.
#[test]
fn a_send_is_advanced_as_far_as_its_limit_allows_however_flat() {
    let found = corrected(
        "0: 1060002 recv<1 1120002 recv<1 1299998 send>1
         1: 900000 1000000 1025000 1050000 send>0 1075000 1100000 send>0 1150000 1200000 recv<0",
    );
    let expected = [0, 100, 130, 160, 190, 220, 310, 400].map(|us| us * 1000);
    assert_eq!(found, expected);
}

#[test]
fn an_interval_longer_than_the_trace_leaves_its_first_event_alone() {
    let found = corrected("0: 1299998 send>1\n1: 1100000 1150000 1200000 recv<0");
    assert_eq!(found, [0, 100_000, 200_000]);
}
