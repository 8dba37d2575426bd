//! What tests share that divide a trace into parts.

use mpiscope_model::{Duration, Trace};
use mpiscope_simulate::{preset, simulate};

use crate::{LatencyOverride, Topology};

/// Returns a short run of a preset, of 12 ranks on 5 hosts.
pub(crate) fn simulated(name: &str) -> Trace {
    let mut parameters = preset::find(name).unwrap().parameters();
    (parameters.ranks, parameters.hosts) = (12, 5);
    (parameters.iterations, parameters.seconds) = (40, 2.0);
    simulate(&parameters).unwrap().trace
}

/// Returns latencies of their own between some hosts.
pub(crate) fn of_pairs(trace: &Trace) -> LatencyOverride {
    let names = Topology::new(trace).names;
    assert!(names.len() > 1);
    let pairs = names.windows(2).zip(1..).map(|(pair, ticks)| {
        let pair = [pair[0].clone(), pair[1].clone()];
        (pair, Duration(1_000 * ticks))
    });
    LatencyOverride {
        pairs: pairs.collect(),
        ..LatencyOverride::default()
    }
}
