//! What examples simulate: a halo exchange on clocks that wander.

use mpiscope_simulate::{simulate, Parameters, Simulated};

/// Runs 64 ranks on 16 hosts for 1000 iterations, from `begin` on for `seconds`,
/// between offsets measured at 0 and 1200 s; `wander` is in parts of one.
pub fn halo(begin: f64, seconds: f64, wander: f64) -> Simulated {
    let mut parameters = Parameters {
        ranks: 64,
        hosts: 16,
        iterations: 1000,
        start_s: begin,
        seconds,
        ..Parameters::default()
    };
    parameters.clocks.wander = wander;
    parameters.clocks.wave = wander / 2.0;
    parameters.offsets.times_s = vec![0.0, 1200.0];
    simulate(&parameters).expect("these parameters are sane")
}
