//! What runs say of themselves in JSON.

use mpiscope_archive::model::structure::Structure;
use mpiscope_archive::uncertainty::{self, Uncertainty};
use mpiscope_run::run_info::{self, RunInfo};

use crate::place::{fresh, put};

/// The input is a `run.json`.
pub fn run(input: &[u8]) {
    let run = fresh("run");
    put(&run.join(run_info::FILE), input);
    match RunInfo::read(&run) {
        Ok(info) => {
            info.not_kept();
            if let Some(truth) = info.truth() {
                for rank in [0, 1, u32::MAX] {
                    for time in [0, 1, -1, i64::MIN, i64::MAX] {
                        truth(rank, time);
                    }
                }
            }
            info.write(&run).expect("what was read can be written");
            let again = RunInfo::read(&run).expect("what was written is read");
            // Of duplicate fields the last counts: by then it is settled.
            again.write(&run).expect("what was read can be written");
            let third = RunInfo::read(&run).expect("what was written is read");
            assert_eq!(format!("{third:?}"), format!("{again:?}"));
        }
        Err(error) => drop(error.to_string()),
    }
}

/// The input is an `uncertainty.json`.
pub fn uncertainty(input: &[u8]) {
    let folder = fresh("corrected");
    put(&folder.join(uncertainty::FILE), input);
    match Uncertainty::read(&folder) {
        Ok(read) => {
            let read = read.expect("the file is there");
            read.write(&folder).expect("what was read can be written");
            let again = Uncertainty::read(&folder).expect("what was written is read");
            assert_eq!(again.expect("the file is there").windows, read.windows);
        }
        Err(error) => drop(error.to_string()),
    }
}

/// The input is the structure of an instrumented source.
pub fn structure(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    match Structure::parse(text) {
        Ok(structure) => {
            let files = [structure];
            mpiscope_analysis::statistics::graph::graph(&files);
            drop(mpiscope_analysis::statistics::tables::tables(&files).print(&files));
        }
        Err(error) => drop(error.to_string()),
    }
}
