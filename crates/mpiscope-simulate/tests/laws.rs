//! What holds in every simulated trace, whatever is simulated.
#![forbid(unsafe_code)]

use std::collections::BTreeSet;

use mpiscope_model::{
    CollectiveInstance, CollectiveMember, CollectiveOp as Op, CommId, EventKind, EventRef,
    Timestamp,
};
use mpiscope_simulate::parameters::{Clocks, Pause, Placement, Program};
use mpiscope_simulate::{simulate, Parameters, Simulated};
use proptest::prelude::*;

const PROGRAMS: [Program; 5] = [
    Program::Halo,
    Program::Pairs,
    Program::Workers,
    Program::Collectives,
    Program::Mix,
];

/// Small runs of all programs, on all sorts of machines.
fn any_parameters() -> impl Strategy<Value = Parameters> {
    let shape = (1u32..14, 1u32..6, 0u32..60, 1u32..4, any::<u64>());
    let kind = (0..PROGRAMS.len(), 0..3usize, any::<bool>());
    let network = (
        0i64..2000,
        0i64..3000,
        prop_oneof![Just(0.0), 0.0..5000.0],
        0i64..900,
    );
    (shape, kind, network).prop_map(|(shape, kind, network)| {
        let (ranks, hosts, iterations, components, seed) = shape;
        let mut parameters = Parameters {
            seed,
            ranks,
            hosts: hosts.min(ranks),
            iterations,
            components: components.min(ranks),
            program: PROGRAMS[kind.0],
            placement: [Placement::Block, Placement::Cyclic, Placement::Random][kind.1],
            seconds: 0.01,
            ..Parameters::default()
        };
        parameters.clocks.per_rank = kind.2;
        if ranks % 3 == 0 {
            parameters.pause = Some(Pause {
                from: iterations / 3,
                to: iterations / 2,
            });
        }
        parameters.network.same_host.minimum_ns = network.0;
        parameters.network.between_hosts.minimum_ns = network.1;
        parameters.network.between_hosts.jitter_ns = network.2;
        parameters.network.asymmetry_ns = network.3;
        parameters.network.congested_links = 0.2;
        parameters.network.congestion_ns = network.2;
        parameters
    })
}

fn truth(simulated: &Simulated, event: EventRef) -> Timestamp {
    simulated.truth[event.location.index()][event.index as usize]
}

/// Returns what is wrong with a message: nothing, if it took long enough.
fn too_fast(simulated: &Simulated, send: EventRef, receive: EventRef) -> Option<String> {
    let took = truth(simulated, receive) - truth(simulated, send);
    let least = simulated.minimum_latency(send.location, receive.location);
    (took < least).then(|| format!("{send:?} to {receive:?} took {took}, at least {least}"))
}

/// Who depends on whom, pair by pair, from the text of MPI 4.1, chapter 6.
fn depends(
    instance: &CollectiveInstance,
    on: &CollectiveMember,
    who: &CollectiveMember,
    across: bool,
) -> bool {
    let root = |member: &CollectiveMember| instance.root == Some(member.rank);
    let apart =
        (on.rank, on.remote) != (who.rank, who.remote) && (!across || on.remote != who.remote);
    let data = on.sent > 0 && who.received > 0;
    apart
        && match instance.op {
            Op::Barrier | Op::Init | Op::Finalize => true,
            Op::Bcast | Op::Scatter | Op::Scatterv => data && root(on),
            Op::Reduce | Op::Gather | Op::Gatherv => data && root(who),
            Op::Scan | Op::Exscan => data && on.rank < who.rank,
            _ => data,
        }
}

/// Returns the first message, of those that were sent and those that
/// collective operations and probes imply, that was faster than the network.
fn first_too_fast(simulated: &Simulated) -> Option<String> {
    let trace = &simulated.trace;
    let matching = trace.matching();
    for message in &matching.messages {
        if let Some(found) = too_fast(simulated, message.send, message.receive) {
            return Some(found);
        }
    }
    for instance in &matching.collectives {
        // Of what all processes do together, as MPI_Finalize, there is none.
        let comm = trace.definitions.communicators.get(instance.comm.index());
        let across = comm.is_some_and(|comm| comm.remote.is_some());
        let members = matching.members_of(instance);
        for (on, who) in members
            .iter()
            .flat_map(|a| members.iter().map(move |b| (a, b)))
        {
            if depends(instance, on, who, across) {
                if let Some(found) = too_fast(simulated, on.enter, who.exit) {
                    return Some(format!("{:?}: {found}", instance.op));
                }
            }
        }
    }
    None
}

proptest! {
    #[test]
    fn no_message_is_faster_than_the_network(parameters in any_parameters()) {
        let simulated = simulate(&parameters).unwrap();
        prop_assert_eq!(first_too_fast(&simulated), None);
    }

    #[test]
    fn all_that_is_sent_is_received(parameters in any_parameters()) {
        let matching = simulate(&parameters).unwrap().trace.matching();
        prop_assert!(matching.unmatched_sends.is_empty());
        prop_assert!(matching.unmatched_receives.is_empty());
        prop_assert!(matching.unmatched_collectives.is_empty());
        prop_assert!(matching.collectives.iter().all(|c| c.complete && c.consistent));
    }

    #[test]
    fn times_of_a_location_never_decrease(parameters in any_parameters()) {
        let simulated = simulate(&parameters).unwrap();
        for (location, truth) in simulated.trace.locations.iter().zip(&simulated.truth) {
            prop_assert!(truth.is_sorted());
            prop_assert!(location.events.times().is_sorted());
            prop_assert_eq!(truth.len(), location.events.len());
        }
    }

    #[test]
    fn recorded_times_are_what_the_clocks_showed(parameters in any_parameters()) {
        let simulated = simulate(&parameters).unwrap();
        let clock_of = simulated.trace.clock_of_locations();
        let most = i64::from(parameters.clocks.read_jitter_ns);
        for (number, truth) in simulated.truth.iter().enumerate() {
            let clock = &simulated.clocks[clock_of[number] as usize];
            let recorded = simulated.trace.locations[number].events.times();
            for (truth, recorded) in truth.iter().zip(recorded) {
                let late = recorded.0 - clock.show(truth.0);
                prop_assert!((0..=most).contains(&late), "{late}");
            }
        }
    }

    #[test]
    fn the_same_parameters_give_the_same_trace(parameters in any_parameters()) {
        let simulated = simulate(&parameters).unwrap();
        prop_assert!(simulate(&parameters).unwrap() == simulated);
        let other = Parameters { seed: parameters.seed ^ 1, ..parameters };
        prop_assert!(simulate(&other).unwrap() != simulated);
    }

    #[test]
    fn what_happens_does_not_depend_on_the_clocks(parameters in any_parameters()) {
        let simulated = simulate(&parameters).unwrap();
        let right = Parameters { clocks: Clocks::perfect(), ..parameters };
        let right = simulate(&right).unwrap();
        prop_assert_eq!(&right.truth, &simulated.truth);
        prop_assert_eq!(right.trace.times(), right.truth);
    }

    #[test]
    fn offsets_are_as_right_as_they_claim(parameters in any_parameters()) {
        let simulated = simulate(&parameters).unwrap();
        for (domain, clock) in simulated.trace.clocks.iter().zip(&simulated.clocks).skip(1) {
            prop_assert_eq!(domain.measurements.len(), 2);
            for (measured, at) in domain.measurements.iter().zip([0, 12_000_000_000]) {
                prop_assert_eq!(clock.show(at), measured.time.0);
                let error = simulated.clocks[0].show(at) - clock.show(at) - measured.offset.0;
                prop_assert!(error.abs() <= measured.half_width.0);
            }
        }
    }
}

#[test]
fn an_iteration_of_halo_has_56_events_12_of_which_tell_of_others() {
    let count = |iterations| {
        let parameters = Parameters {
            iterations,
            ranks: 12,
            ..Parameters::default()
        };
        let simulated = simulate(&parameters).unwrap();
        let tells = |kind: &&EventKind| {
            use EventKind as K;
            let kinds = [K::MpiSend, K::MpiIsend, K::MpiRecv, K::MpiIrecv];
            let collective = [K::MpiCollectiveBegin, K::MpiCollectiveEnd];
            kinds.contains(kind) || collective.contains(kind)
        };
        let events = |l: &mpiscope_model::Location| {
            (
                l.events.len(),
                l.events.kinds().iter().filter(tells).count(),
            )
        };
        let counts = simulated.trace.locations.iter().map(events);
        Vec::from_iter(BTreeSet::from_iter(counts))
    };
    assert_eq!(count(0), [(4, 0)]);
    assert_eq!(count(7), [(4 + 7 * 56, 7 * 12)]);
}

#[test]
fn all_operations_and_some_without_contribution_occur() {
    let parameters = Parameters {
        program: Program::Collectives,
        iterations: 60,
        ranks: 8,
        ..Parameters::default()
    };
    let trace = simulate(&parameters).unwrap().trace;
    let collectives = || trace.locations.iter().flat_map(|l| l.events.collectives());
    let ops: BTreeSet<u8> = collectives().map(|c| c.op.number()).collect();
    assert_eq!(ops, (0..17).collect());
    assert!(collectives().any(|c| c.op == Op::Allgatherv && c.sent == 0));
    assert!(collectives().any(|c| c.op == Op::Scatterv && c.received == 0));
    let between = trace
        .definitions
        .communicators
        .iter()
        .position(|c| c.remote.is_some());
    assert!(collectives().any(|c| Some(c.comm.index()) == between));
}

fn of_host(simulated: &Simulated, host: u32) -> impl Iterator<Item = &mpiscope_model::Location> {
    let locations = simulated.trace.locations.iter().zip(&simulated.host_of);
    locations
        .filter(move |(_, on)| **on == host)
        .map(|(location, _)| location)
}

#[test]
fn a_silent_host_only_computes() {
    let parameters = Parameters {
        silent_host: Some(1),
        ..Parameters::default()
    };
    let simulated = simulate(&parameters).unwrap();
    for location in of_host(&simulated, 1) {
        assert_eq!(location.events.len(), 100 * 6 + 4);
        assert!(location.events.messages().is_empty() && location.events.collectives().is_empty());
    }
    assert!(simulated.trace.matching().unmatched_sends.is_empty());
}

#[test]
fn a_host_that_ends_early_records_nothing_more() {
    let end = mpiscope_simulate::parameters::EarlyEnd { host: 2, at_s: 6.0 };
    let parameters = Parameters {
        early_end: Some(end),
        ..Parameters::default()
    };
    let simulated = simulate(&parameters).unwrap();
    let last = |host| {
        of_host(&simulated, host)
            .map(|l| l.id as usize)
            .map(|l| simulated.truth[l].last().unwrap().0)
            .max()
            .unwrap()
    };
    assert!(last(2) <= 6_000_000_000 && last(3) > 10_000_000_000);
    assert!(!simulated.trace.matching().unmatched_sends.is_empty());
    assert_eq!(simulated.trace.clocks[2].measurements.len(), 1);
}

#[test]
fn components_have_nothing_to_do_with_each_other() {
    let parameters = Parameters {
        components: 2,
        ..Parameters::default()
    };
    let trace = simulate(&parameters).unwrap().trace;
    let matching = trace.matching();
    let side = |event: EventRef| event.location.0 / 32;
    assert!(matching
        .messages
        .iter()
        .all(|m| side(m.send) == side(m.receive)));
    let mut on_communicators = matching
        .collectives
        .iter()
        .filter(|c| c.comm != CommId::NONE);
    assert!(on_communicators.all(|c| c.members.len() <= 32));
}

#[test]
fn messages_may_take_their_time_unseen() {
    let seen = simulate(&Parameters::default()).unwrap();
    let parameters = Parameters {
        messages_recorded: false,
        ..Parameters::default()
    };
    let unseen = simulate(&parameters).unwrap();
    assert!(unseen
        .trace
        .locations
        .iter()
        .all(|l| l.events.messages().is_empty()));
    let collectives = |s: &Simulated| s.trace.matching().collectives.len();
    assert_eq!(collectives(&unseen), collectives(&seen));
    assert_eq!(first_too_fast(&unseen), None);
}

#[test]
fn a_clock_runs_backward_only_if_asked_to() {
    let backward = |backward| {
        let mut parameters = Parameters::default();
        parameters.clocks.backward = backward;
        let trace = simulate(&parameters).unwrap().trace;
        trace.times().iter().any(|column| !column.is_sorted())
    };
    assert!(backward(true) && !backward(false));
}

#[test]
fn after_a_pause_the_first_event_of_a_channel_tells_how_many_went_by() {
    let parameters = Parameters {
        pause: Some(Pause { from: 10, to: 30 }),
        ..Parameters::default()
    };
    let simulated = simulate(&parameters).unwrap();
    let events = &simulated.trace.locations[3].events;
    assert_eq!(events.len(), 80 * 56 + 4 + 2);
    let told = |index: &usize| events.sequence(*index).is_some();
    let first = (0..events.len()).find(told).unwrap();
    assert_eq!(
        (events.kinds()[first], events.sequence(first)),
        (EventKind::MpiIsend, Some(30))
    );
    // Eight channels of borders and two communicators; random peers as they come.
    assert!(events.sequences().len() >= 10);
    let matching = simulated.trace.matching();
    assert!(matching.unmatched_sends.is_empty() && matching.unmatched_receives.is_empty());
    assert_eq!(matching.messages.len(), 80 * 64 * 5);
}

#[test]
fn whoever_looks_for_messages_finds_some_that_are_there() {
    let parameters = Parameters {
        program: Program::Workers,
        ..Parameters::default()
    };
    let simulated = simulate(&parameters).unwrap();
    assert!(simulated.trace.matching().bounds.len() > 100);
    assert_eq!(first_too_fast(&simulated), None);
}

#[test]
fn a_master_that_is_set_back_stands_still_meanwhile() {
    let step = mpiscope_simulate::parameters::Step {
        host: 0,
        at_s: 5.0,
        by_s: -1.0,
    };
    let mut parameters = Parameters::default();
    parameters.clocks.steps = vec![step];
    let simulated = simulate(&parameters).unwrap();
    let column = &simulated.master_time()[9];
    assert!(column.is_sorted());
    let still = column.windows(2).filter(|pair| pair[0] == pair[1]).count();
    assert!(still > 300, "{still}");
}

#[test]
fn a_run_lasts_as_long_as_it_was_told_to() {
    let simulated = simulate(&Parameters::default()).unwrap();
    let ends = simulated
        .truth
        .iter()
        .map(|column| column.last().unwrap().0);
    let end = ends.max().unwrap() as f64 * 1e-9;
    assert!((10.9..11.01).contains(&end), "{end}");
}
