//! Parameters under names: situations in which clock corrections are compared.
//!
//! All of them measure offsets before and after the run. `partial` traces a
//! short part in the middle of a long run, where linear interpolation is at its
//! worst; `long` all of it, with few messages in each second.

use crate::parameters::{Clocks, EarlyEnd, Offsets, Parameters, Placement, Program, Step};

/// A situation with a name.
#[derive(Clone, Copy)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// What it is about.
    pub about: &'static str,
    change: fn(&mut Parameters),
}

impl Preset {
    /// Returns its parameters.
    pub fn parameters(&self) -> Parameters {
        let mut parameters = partial();
        (self.change)(&mut parameters);
        parameters
    }
}

/// Returns the preset of a name.
pub fn find(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

macro_rules! presets {
    ($($name:literal $about:literal $change:expr;)*) => {
        /// All presets.
        pub const PRESETS: &[Preset] =
            &[$(Preset { name: $name, about: $about, change: $change }),*];
    };
}

presets! {
    "partial" "25 s at 600 s of 1200 s: clocks have wandered between the measurements"
        |_| {};
    "partial-large" "the same with 1024 ranks and 50 million events"
        |p| (p.ranks, p.hosts, p.iterations) = (1024, 64, 872);
    "partial-asymmetric" "links slower in one direction, exits that differ by host"
        |p| (p.network.asymmetry_ns, p.network.exit_bias_ns) = (750, 500);
    "partial-jitter" "messages late by 10 us in the mean"
        |p| p.network.between_hosts.jitter_ns = 10_000.0;
    "partial-tail" "delays with a heavy tail"
        |p| p.network.tail = Some(1.5);
    "partial-congested" "a quarter of the links congested all the time, in one direction"
        |p| (p.network.congested_links, p.network.congestion_ns) = (0.25, 20_000.0);
    "partial-rank-clocks" "one clock per rank"
        |p| (p.ranks, p.hosts, p.clocks.per_rank) = (256, 16, true);
    "partial-collectives" "collective operations alone are recorded"
        |p| p.messages_recorded = false;
    "partial-biased" "the same, and hosts leave them later by 2 us per bit of their number"
        |p| (p.messages_recorded, p.network.exit_bias_ns) = (false, 2000);
    "partial-step" "a clock that is set while the program runs"
        |p| p.clocks.steps = vec![Step { host: 3, at_s: 612.0, by_s: 0.002 }];
    "partial-early" "a host that stops recording half-way"
        |p| p.early_end = Some(EarlyEnd { host: 3, at_s: 612.0 });
    "partial-silent" "a host whose ranks only compute"
        |p| p.silent_host = Some(3);
    "partial-parts" "two groups of ranks that have nothing to do with each other"
        |p| p.components = 2;
    "partial-workers" "a master and workers: one rank in all messages"
        |p| p.program = Program::Workers;
    "partial-pairs" "random pairs, many of them one-way, on ranks placed at random"
        |p| (p.program, p.placement) = (Program::Pairs, Placement::Random);
    "partial-all-kinds" "collective operations of all kinds"
        |p| p.program = Program::Collectives;
    "partial-unmeasured" "no offset was ever measured"
        |p| p.offsets.times_s.clear();
    "partial-once" "offsets were measured at the begin alone"
        |p| p.offsets.times_s = vec![0.0];
    "partial-often" "offsets were measured every minute"
        |p| p.offsets.times_s = (0..=20).map(|minute| f64::from(minute) * 60.0).collect();
    "long" "1200 s, one iteration in two seconds"
        long;
    "long-64" "the same with 64 ranks on 4 hosts"
        |p| { long(p); (p.ranks, p.hosts) = (64, 4) };
    "long-slewed" "the same with a time daemon that changes rates by 0.3 ppm every 64 s"
        |p| { long(p); p.clocks.slew = 0.3e-6 };
    "long-collectives" "the same with collective operations alone"
        |p| { long(p); p.messages_recorded = false };
    "long-wander" "the same with five times the wander"
        |p| { long(p); (p.ranks, p.hosts, p.seed, p.clocks.wander) = (256, 16, 9, 0.5e-6) };
    "short" "8 s, offsets measured just before and after"
        |p| {
            (p.start_s, p.seconds) = (0.0, 8.0);
            p.offsets.times_s = vec![0.0, 8.0];
        };
}

fn partial() -> Parameters {
    Parameters {
        seed: 5,
        ranks: 512,
        hosts: 32,
        iterations: 500,
        start_s: 600.0,
        seconds: 25.0,
        offsets: Offsets {
            times_s: vec![0.0, 1200.0],
            error_ns: 300.0,
        },
        clocks: Clocks::default(),
        ..Parameters::default()
    }
}

fn long(parameters: &mut Parameters) {
    parameters.start_s = 0.0;
    parameters.seconds = 1200.0;
    parameters.iterations = 600;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_can_be_simulated_and_is_found_by_its_name() {
        for preset in PRESETS {
            assert_eq!(preset.parameters().check(), Ok(()), "{}", preset.name);
            assert!(find(preset.name).is_some_and(|found| found.about == preset.about));
        }
        assert!(find("partially").is_none());
    }
}
