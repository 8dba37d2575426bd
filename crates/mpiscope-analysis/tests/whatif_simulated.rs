//! Predictions against the truth: a simulated program is run twice, with the same seed and parameters
//! but for the network's latency, and what `whatif` makes of the first run is compared with how long
//! the second one took. Each rank is on a host of its own, so that the latency is that of all messages,
//! and computation takes next to nothing, as the simulator makes it shorter where messages take longer.

use mpiscope_analysis::efficiency::IdealNetwork as _;
use mpiscope_analysis::whatif::{Changes, Replay};
use mpiscope_model::{Duration, Trace};
use mpiscope_simulate::parameters::{Calls, Clocks, Link, Network, Program};
use mpiscope_simulate::{simulate, Parameters};

const BEFORE: i64 = 1_500;
const AFTER: i64 = 200_000;

/// Runs a program with a latency; times are true ones.
fn run(program: Program, ranks: u32, seed: u64, latency: i64) -> Trace {
    let network = Network::default();
    let parameters = Parameters {
        seed,
        ranks,
        hosts: ranks,
        program,
        iterations: 60,
        seconds: 0.0,
        network: Network {
            between_hosts: Link {
                minimum_ns: latency,
                ..network.between_hosts
            },
            ..network
        },
        clocks: Clocks::perfect(),
        ..Parameters::default()
    };
    simulate(&parameters).unwrap().trace
}

/// Returns how long a run takes, and how long with a latency it would have taken.
fn replayed(trace: &Trace, latency: Option<i64>) -> i64 {
    let replay = Replay::of(trace, &trace.matching());
    let mut changes = Changes::default();
    changes.latency = latency.map(Duration);
    replay.run(&changes).length().0
}

/// Ranks and seeds that are tried.
const TRIED: [(u32, u64); 3] = [(4, 1), (8, 2), (13, 3)];

/// Returns what is predicted, as a part of what is true.
fn predicted(program: Program, ranks: u32, seed: u64) -> f64 {
    let short = run(program, ranks, seed, BEFORE);
    let truth = replayed(&run(program, ranks, seed, AFTER), None);
    assert!(truth > 10 * replayed(&short, None), "latency counts");
    replayed(&short, Some(AFTER)) as f64 / truth as f64
}

/// Expects predictions within so much of the truth, as a share of it.
#[track_caller]
fn check(program: Program, within: f64) {
    for (ranks, seed) in TRIED {
        let error = predicted(program, ranks, seed) - 1.0;
        assert!(error.abs() <= within, "{program:?} {ranks}: {error:+.4}");
    }
}

/// Exchanges with neighbours, and operations of all and of rows.
#[test]
fn a_stencil_is_predicted_within_a_hundredth() {
    check(Program::Halo, 0.01);
}

#[test]
fn pairs_are_predicted_within_a_hundredth() {
    check(Program::Pairs, 0.01);
}

#[test]
fn workers_are_predicted_within_a_hundredth() {
    check(Program::Workers, 0.01);
}

/// It has few operations of each kind: jitter is in what they take at least.
#[test]
fn a_mixture_is_predicted_within_a_twentieth() {
    check(Program::Mix, 0.05);
}

/// Without messages nothing tells a latency, nor how often an operation pays it: trees are taken for
/// granted, which pay it ⌈log₂ p⌉ times where this simulated network pays it once.
#[test]
fn operations_without_messages_are_predicted_as_trees_at_most() {
    for (ranks, seed) in TRIED {
        let part = predicted(Program::Collectives, ranks, seed);
        let tree = f64::from(ranks).log2().ceil();
        assert!((0.95..=tree * 1.05).contains(&part), "{ranks}: {part:.4}");
    }
}

/// Runs a program whose ranks compute alike however long messages take, and whose calls take nothing
/// by themselves.
fn computing(program: Program, ranks: u32, seed: u64, link: Link) -> Trace {
    let parameters = Parameters {
        seed,
        ranks,
        hosts: ranks.div_ceil(2),
        program,
        iterations: 60,
        computing_ns: Some(100_000),
        imbalance: 0.6,
        calls: Calls {
            own_ns: 0,
            init_ns: 0,
        },
        network: Network {
            same_host: link,
            between_hosts: link,
            ..Network::default()
        },
        clocks: Clocks::perfect(),
        ..Parameters::default()
    };
    simulate(&parameters).unwrap().trace
}

/// Returns how long a run takes, and how long on an ideal network. Ranks are started one after the other,
/// and wait in MPI_Init, where the simulated library lets nobody go before all have come.
fn really_and_ideally(trace: &Trace) -> (i64, i64) {
    let mut matching = trace.matching();
    matching.assumptions.init = true;
    let replay = Replay::of(trace, &matching);
    let measured = replay.measured();
    let ideal = replay.ideal(measured.begin, measured.end).unwrap();
    (measured.length().0, ideal.0)
}

/// Runs a program where messages take a while, and where they take no time: says how long the second
/// takes, and on an ideal network the first and the second.
fn truth_and_ideals(program: Program, ranks: u32, seed: u64) -> (i64, [i64; 2]) {
    let link = |minimum_ns| Link {
        minimum_ns,
        jitter_ns: 0.0,
    };
    let run = |latency| really_and_ideally(&computing(program, ranks, seed, link(latency)));
    let ((real, ideal), (truth, none)) = (run(5_000), run(0));
    assert!(
        real > ideal + 100_000,
        "{program:?} {ranks}: messages count"
    );
    (truth, [ideal, none])
}

/// The truth is the same program where messages take no time: to the nanosecond.
#[test]
fn on_an_ideal_network_a_program_takes_what_it_takes_where_messages_take_no_time() {
    for program in [Program::Halo, Program::Pairs] {
        for (ranks, seed) in TRIED {
            let (truth, ideals) = truth_and_ideals(program, ranks, seed);
            assert_eq!(ideals, [truth; 2], "{program:?} {ranks}");
        }
    }
}

/// Who waits for whom in MPI_Alltoallv is not told: such waiting is taken for transfer. It is little.
#[test]
fn operations_of_which_less_is_told_take_no_more_than_in_truth() {
    for program in [Program::Collectives, Program::Mix] {
        for (ranks, seed) in TRIED {
            let (truth, [ideal, none]) = truth_and_ideals(program, ranks, seed);
            assert_eq!(ideal, none, "{program:?} {ranks}: whatever messages take");
            let part = ideal as f64 / truth as f64;
            assert!(
                (0.98..=1.0).contains(&part),
                "{program:?} {ranks}: {part:.4}"
            );
        }
    }
}
