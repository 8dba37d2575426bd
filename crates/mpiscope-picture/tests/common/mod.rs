//! A run from text, as the page in the browser has it.

use mpiscope_analysis::critical_path::critical_path_by;
use mpiscope_analysis::finding::{self, Findings};
use mpiscope_model::{Matching, Trace};
use mpiscope_serve::{About, Shown};
use mpiscope_tiles::{Run, Times};

/// Matches what was sent and received, MPI_Init taken for a barrier as by `sync --assume init`.
pub fn matching(trace: &Trace) -> Matching {
    let mut matching = trace.matching();
    matching.assumptions.init = true;
    matching
}

/// Reads a run of this name.
pub fn shown(picture: &str, name: &str) -> Shown {
    let trace = Trace::parse(picture).unwrap();
    let matching = matching(&trace);
    let mut run = Run::matched(trace, matching);
    let mut findings = Findings::default();
    let times = Times::new(&run.trace, None);
    let raw = run.columns(&times);
    let (path, waits) = critical_path_by(&run.trace, &run.matching, &raw);
    finding::of_path(&run.trace, &path, &raw, &mut findings);
    drop(raw);
    run.add_view("measured", times, &waits);
    let about = About {
        name: name.to_owned(),
        ..About::default()
    };
    Shown::new(about, run, findings, || true)
}
