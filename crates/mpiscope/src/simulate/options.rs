//! From what the user typed to the parameters of a simulation.

use anyhow::{Context, Result};
use mpiscope_simulate::parameters::{
    self as simulated, EarlyEnd, Parameters, Pause, Program, Step,
};
use mpiscope_simulate::preset;

use crate::cli::simulate::{Clocks, Network, Offsets, Placement, Program as Options};
use crate::cli::Simulate;

/// Programs by their names.
pub const PROGRAMS: [(&str, Program, &str); 5] = [
    (
        "halo",
        Program::Halo,
        "neighbours exchange borders, then all or rows do something together",
    ),
    ("pairs", Program::Pairs, "ranks meet in random pairs"),
    (
        "workers",
        Program::Workers,
        "a master gives out work to whoever asks first",
    ),
    (
        "collectives",
        Program::Collectives,
        "collective operations of all kinds in turn",
    ),
    ("mix", Program::Mix, "all of these in turn"),
];

/// Returns the parameters of a program or preset with the user's changes.
pub fn parameters(name: &str, arguments: &Simulate) -> Result<Parameters> {
    let program = PROGRAMS.iter().find(|(program, _, _)| *program == name);
    let mut parameters = match program {
        Some((_, program, _)) => Parameters {
            program: *program,
            ..Parameters::default()
        },
        None => preset::find(name)
            .with_context(|| format!("there is no program or preset `{name}`; --list shows all"))?
            .parameters(),
    };
    change_program(&mut parameters, &arguments.program);
    change_network(&mut parameters.network, &arguments.network);
    change_clocks(&mut parameters.clocks, &arguments.clocks);
    if program.is_some() {
        // As long after the program as its start is after zero.
        let end = 2.0 * parameters.start_s + parameters.seconds;
        parameters.offsets.times_s = vec![0.0, end];
    }
    change_offsets(&mut parameters.offsets, &arguments.offsets);
    Ok(parameters)
}

/// Takes over what was given.
fn set<T: Clone>(value: &mut T, given: &Option<T>) {
    if let Some(given) = given {
        value.clone_from(given);
    }
}

fn ns(given: Option<f64>) -> Option<f64> {
    given.map(|seconds| seconds * 1e9)
}

fn whole_ns(given: Option<f64>) -> Option<i64> {
    ns(given).map(|ns| ns.round() as i64)
}

fn change_program(parameters: &mut Parameters, given: &Options) {
    set(&mut parameters.seed, &given.seed);
    set(&mut parameters.ranks, &given.ranks);
    if given.hosts.is_none() {
        parameters.hosts = parameters.hosts.min(parameters.ranks);
    }
    set(&mut parameters.hosts, &given.hosts);
    let placement = given.placement.map(|placement| match placement {
        Placement::Block => simulated::Placement::Block,
        Placement::Cyclic => simulated::Placement::Cyclic,
        Placement::Random => simulated::Placement::Random,
    });
    set(&mut parameters.placement, &placement);
    set(&mut parameters.iterations, &given.iterations);
    set(&mut parameters.start_s, &given.start);
    set(&mut parameters.seconds, &given.seconds);
    set(&mut parameters.imbalance, &given.imbalance);
    set(&mut parameters.components, &given.components);
    parameters.silent_host = given.silent.or(parameters.silent_host);
    let early_end = given.ends.map(|(host, at_s)| EarlyEnd { host, at_s });
    parameters.early_end = early_end.or(parameters.early_end);
    let pause = given.pause.map(|(from, to)| Pause { from, to });
    parameters.pause = pause.or(parameters.pause);
    parameters.messages_recorded &= !given.unseen;
}

fn change_network(network: &mut simulated::Network, given: &Network) {
    set(
        &mut network.between_hosts.minimum_ns,
        &whole_ns(given.latency),
    );
    set(
        &mut network.same_host.minimum_ns,
        &whole_ns(given.latency_within),
    );
    set(&mut network.between_hosts.jitter_ns, &ns(given.jitter));
    set(&mut network.same_host.jitter_ns, &ns(given.jitter_within));
    network.tail = given.tail.or(network.tail);
    set(&mut network.asymmetry_ns, &whole_ns(given.asymmetry));
    if let Some((share, delay)) = given.congestion {
        (network.congested_links, network.congestion_ns) = (share, delay * 1e9);
    }
    set(&mut network.exit_bias_ns, &whole_ns(given.exit_bias));
}

fn change_clocks(clocks: &mut simulated::Clocks, given: &Clocks) {
    clocks.per_rank |= given.clock_per_rank;
    clocks.perfect_master |= given.perfect_master;
    set(&mut clocks.offset_s, &given.offset);
    set(&mut clocks.drift, &given.drift);
    set(&mut clocks.wander, &given.wander);
    set(&mut clocks.wander_tau_s, &given.wander_tau);
    set(&mut clocks.wave, &given.wave);
    set(&mut clocks.slew, &given.slew);
    let steps = given.step.iter();
    clocks
        .steps
        .extend(steps.map(|&(host, at_s, by_s)| Step { host, at_s, by_s }));
    let jitter = whole_ns(given.read_jitter).map(|ns| ns.clamp(0, u32::MAX.into()) as u32);
    set(&mut clocks.read_jitter_ns, &jitter);
}

fn change_offsets(offsets: &mut simulated::Offsets, given: &Offsets) {
    set(
        &mut offsets.times_s,
        &given.measure.as_ref().map(|times| times.0.clone()),
    );
    set(&mut offsets.error_ns, &ns(given.measure_error));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;

    fn of(line: &str) -> Parameters {
        let words = ["mpiscope", "simulate"].into_iter().chain(line.split(' '));
        let Command::Simulate(arguments) = Cli::parse_from(words).command else {
            panic!("not simulate");
        };
        let name = arguments.what.clone().unwrap_or_default();
        parameters(&name, &arguments).unwrap()
    }

    #[test]
    fn what_is_not_given_is_as_the_preset_has_it() {
        let preset = preset::find("partial").map(|preset| preset.parameters());
        assert_eq!(Some(of("partial")), preset);
        let slewed = of("partial --slew 0.3ppm --jitter 5us -n 64 --step 3@5s:-1ms");
        assert_eq!(
            (slewed.ranks, slewed.hosts, slewed.start_s),
            (64, 32, 600.0)
        );
        assert!((slewed.clocks.slew - 0.3e-6).abs() < 1e-12);
        assert!((slewed.network.between_hosts.jitter_ns - 5000.0).abs() < 1e-6);
        assert_eq!(slewed.clocks.steps[0].by_s, -0.001);
    }

    #[test]
    fn offsets_of_a_program_are_measured_around_it() {
        assert_eq!(of("halo").offsets.times_s, [0.0, 12.0]);
        assert_eq!(
            of("halo --start 600 --seconds 25").offsets.times_s,
            [0.0, 1225.0]
        );
        assert_eq!(of("halo --measure none").offsets.times_s, [0.0; 0]);
    }

    #[test]
    fn few_ranks_run_on_few_hosts() {
        assert_eq!((of("pairs -n 3").hosts, of("pairs -n 300").hosts), (3, 8));
        assert!(of("halo -n 3 --hosts 4").check().is_err());
    }
}
