//! The programs of `tests/mpi`, one behaviour each: what they count is in the trace.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::compare::{behaves_the_same, compare, holds_what_was_counted};
use common::oracle::{self, Facts};
use common::trial::counted;
use common::{matrix, Case, Trial};

/// All that count.
const PROGRAMS: [&str; 28] = [
    "blocking.c",
    "nonblocking.c",
    "wildcards.c",
    "probes.c",
    "persistent.c",
    "sendrecv.c",
    "types.c",
    "collectives.c",
    "collective_bytes.c",
    "icollectives.c",
    "neighbors.c",
    "topologies.c",
    "topologies.f90",
    "other_requests.c",
    "sessions.c",
    "between_groups.c",
    "idup.c",
    "isendrecv.c",
    "edge.c",
    "guarded.c",
    "communicators.c",
    "intercomm.c",
    "threads.c",
    "paced.c",
    "pcontrol.c",
    "pcontrol.f",
    "mpif.f",
    "usempi.f90",
];

#[track_caller]
fn trials(program: &str) -> Vec<(Case, Trial)> {
    let cases = matrix::cases(&PROGRAMS, program, &[2, 3, 4]);
    let trial = |case| Some((case, Trial::new(case, &format!("tests/mpi/{program}"))?));
    cases.into_iter().filter_map(trial).collect()
}

/// Compares trace and program; `look` sees what is particular to this program.
#[track_caller]
fn check(program: &str, look: impl Fn(Case, &Facts)) {
    for (case, trial) in trials(program) {
        let (run, facts) = compare(trial);
        assert_eq!(run.done.code, 0, "{:#?}", run.done);
        if let Some(facts) = facts {
            look(case, &facts);
        }
    }
}

#[track_caller]
fn nothing_more(_: Case, facts: &Facts) {
    assert_eq!(facts.with_attribute("MPISCOPE::WILDCARD"), 0);
}

/// Programs whose events are the same in each run, but for their times.
const REPEATABLE: [&str; 7] = [
    "frequent.c",
    "blocking.c",
    "sendrecv.c",
    "persistent.c",
    "types.c",
    "collectives.c",
    "collective_bytes.c",
];

/// The calls that programs make often have a way of their own through the agent, which must
/// write what the long way writes.
#[test]
fn short_ways_write_what_the_long_way_writes() {
    for program in REPEATABLE {
        for case in matrix::cases(&REPEATABLE, program, &[2, 3]) {
            let source = format!("tests/mpi/{program}");
            let trial = |ways| Some(Trial::new(case, &source)?.with("MPISCOPE_SHORT_WAYS", ways));
            let [Some(short), Some(long)] = ["on", "off"].map(trial) else {
                continue;
            };
            let [short, long] = [short, long].map(|trial| trial.traced().check_archives());
            if let (Some(short), Some(long)) = (short, long) {
                assert_eq!(short.digests, long.digests, "{program}");
                assert!(short.events > 0);
            }
        }
    }
}

#[test]
fn blocking_messages_in_every_mode_are_recorded() {
    check("blocking.c", nothing_more);
}

#[test]
fn every_form_of_wait_and_test_completes_what_was_posted() {
    check("nonblocking.c", |case, facts| {
        let cancelled = facts.kinds.get("MpiRequestCancelled").copied();
        assert_eq!(cancelled, Some(case.ranks.into()), "each rank cancels one");
        assert_eq!(
            facts.kinds["MpiIrecvRequest"],
            facts.kinds["MpiIrecv"] + u64::from(case.ranks)
        );
    });
}

/// That source and tag are the real ones, `read_archive.py` looks at in every archive.
#[test]
fn wildcard_receives_say_so_and_name_the_real_sender() {
    check("wildcards.c", |case, facts| {
        let four_each_and_two_by_all = 4 * (case.ranks - 1) + 2 * case.ranks;
        let marked = facts.with_attribute("MPISCOPE::WILDCARD");
        assert_eq!(marked, u64::from(four_each_and_two_by_all));
    });
}

#[test]
fn probes_are_recorded_and_receives_name_the_probed_message() {
    check("probes.c", |_, facts| {
        assert!(facts.kinds["MpiProbe"] > 0);
        assert!(facts.with_attribute("MPISCOPE::MESSAGE_ID") > 0);
    });
}

#[test]
fn each_start_of_a_persistent_request_is_a_message() {
    check("persistent.c", |_, facts| {
        assert_eq!(facts.kinds["MpiIsend"], facts.kinds["MpiIsendComplete"]);
        assert_eq!(facts.kinds["MpiIrecv"], facts.kinds["MpiIrecvRequest"]);
    });
}

#[test]
fn a_sendrecv_is_two_messages_in_one_region() {
    check("sendrecv.c", nothing_more);
}

#[test]
fn bytes_are_those_of_the_datatype_without_its_gaps() {
    check("types.c", nothing_more);
}

#[test]
fn every_blocking_collective_is_recorded_once_a_rank() {
    check("collectives.c", |_, facts| {
        assert_eq!(facts.kinds["MpiCollectiveBegin"], facts.collectives);
        // In alltoallv and alltoallw only rank 0 leaves out nobody but itself.
        assert_eq!(facts.with_attribute("MPISCOPE::DENSE"), 2);
    });
}

/// The program counts the bytes by rules of its own, and `compare` holds them
/// against the archive's, operation by operation.
#[test]
fn bytes_and_roots_of_collectives_are_what_the_standard_moves() {
    check("collective_bytes.c", |_, facts| {
        assert!(facts.operations["bcast_roots"] > 0);
    });
}

#[test]
fn nonblocking_collectives_complete_wherever_their_requests_do() {
    check("icollectives.c", |case, facts| {
        let started = facts.with_attribute("MPISCOPE::PERSISTENT");
        let persistent = if case.mpi.suffix == "mpich" { 4 } else { 0 };
        let [ranks, persistent] = [u64::from(case.ranks), persistent];
        assert_eq!(started, persistent * ranks);
        let completed = facts.kinds["NonBlockingCollectiveComplete"];
        assert_eq!(completed, (17 + 6 + persistent) * ranks);
        assert_eq!(completed, facts.kinds["NonBlockingCollectiveRequest"]);
    });
}

#[test]
fn collectives_among_neighbors_count_what_neighbors_get() {
    check("neighbors.c", |case, facts| {
        let completed = facts.kinds["NonBlockingCollectiveComplete"];
        let persistent = if case.mpi.suffix == "mpich" { 8 } else { 0 };
        assert_eq!(completed, (4 + persistent) * u64::from(case.ranks));
        let marked = facts.with_attribute("MPISCOPE::NEIGHBORS");
        assert_eq!(marked, (10 + 4 + persistent) * u64::from(case.ranks));
    });
}

/// The program prints who is beside whom; the corrected archive says it as well.
#[test]
fn topologies_of_every_kind_are_told() {
    let fortran = trials("topologies.f90");
    for (_, trial) in trials("topologies.c").into_iter().chain(fortran) {
        let (run, _) = compare(trial);
        let lines = run.done.out.lines();
        let printed: BTreeSet<&str> = lines.filter_map(|it| it.strip_prefix("beside ")).collect();
        for anchor in [run.measured(), run.corrected()] {
            assert_eq!(
                beside(&anchor),
                printed.iter().map(|it| (*it).to_owned()).collect()
            );
        }
    }
}

/// Names, world ranks and destinations, as the program prints them.
#[track_caller]
fn beside(anchor: &Path) -> BTreeSet<String> {
    let trace = mpiscope_archive::trace::read_trace(anchor).unwrap();
    let mut all = BTreeSet::new();
    for communicator in &trace.definitions.communicators {
        let destinations = communicator.destinations.iter().flatten();
        for (rank, destinations) in communicator.members.iter().zip(destinations) {
            let mut line = format!("{} {}:", communicator.name, rank.0);
            destinations.iter().for_each(|to| line += &format!(" {to}"));
            all.insert(line);
        }
    }
    all
}

/// Each set holds messages, too: were one completed in place of another
/// request, their numbers would differ.
#[test]
fn requests_that_are_no_messages_are_not_taken_for_some() {
    check("other_requests.c", |case, facts| {
        let ranks = u64::from(case.ranks);
        assert_eq!(facts.kinds["MpiIsend"], 8 * ranks);
        assert_eq!(facts.kinds["MpiIsendComplete"], 8 * ranks);
        assert!(facts.kinds["MpiRequestTest"] >= ranks);
    });
}

/// That messages are told apart by the tags of their groups, `read_archive.py`
/// sees by their sizes.
#[test]
fn communicators_of_a_session_are_told_apart_by_their_tags() {
    check("sessions.c", |case, facts| {
        let ranks = u64::from(case.ranks);
        let found = |name: &str| {
            let named = facts.communicators.iter().filter(|comm| comm.0 == name);
            named.map(|comm| comm.2).collect::<Vec<_>>()
        };
        let expected = match case.mpi.suffix {
            "mpich" => vec![ranks],
            _ => Vec::new(), // no MPI 4.0
        };
        assert_eq!(found("first"), expected);
        assert_eq!(found("second"), expected);
    });
}

/// That no message is taken for one of another communicator, `read_archive.py`
/// sees by their sizes.
#[test]
fn a_communicator_of_idup_has_messages_of_its_own() {
    check("idup.c", |case, facts| {
        let ranks = u64::from(case.ranks);
        for name in ["alone", "first", "second"] {
            let named = facts.communicators.iter().filter(|comm| comm.0 == name);
            let found: Vec<_> = named.map(|comm| (comm.1.as_deref(), comm.2)).collect();
            assert_eq!(found, vec![(Some("MPI_COMM_WORLD"), ranks)], "{name}");
        }
    });
}

#[test]
fn a_nonblocking_sendrecv_is_two_messages() {
    check("isendrecv.c", nothing_more);
}

/// World and self, then one for each way of making: dup, split into two
/// halves, all but rank 0, shared memory, pairs and their duplicates, two of
/// the odd ranks, cartesian.
#[test]
fn communicators_know_their_members_and_parents() {
    check("communicators.c", |case, facts| {
        assert_eq!(facts.groups[0], "COMM_LOCATIONS");
        let own = facts.groups.iter().filter(|kind| *kind == "COMM_SELF");
        assert!(own.count() <= 1, "{:?}", facts.groups);
        let [world, others] = ["MPI_COMM_WORLD", "duplicate"].map(|name| {
            let mut named = facts.communicators.iter().filter(|comm| comm.0 == name);
            named
                .next()
                .unwrap_or_else(|| panic!("no {name} in {facts:#?}"))
        });
        let ranks = u64::from(case.ranks);
        assert_eq!((&world.1, world.2), (&None, ranks));
        assert_eq!(
            (others.1.as_deref(), others.2),
            (Some("MPI_COMM_WORLD"), ranks)
        );
        let pairs = case.ranks.div_ceil(2) as usize;
        let derived = facts.communicators.iter().filter(|comm| comm.1.is_some());
        assert_eq!(
            derived.count(),
            1 + 2 + 1 + 1 + 2 * pairs + 2 + 1,
            "{facts:#?}"
        );
    });
}

/// PyPI's otf2 3.2 reads no archive with an intercommunicator, whoever wrote
/// it: its table of that definition lacks a field (KeyError). So this one is
/// looked at by `otf2-print` and by us alone.
#[test]
fn messages_across_an_intercommunicator_are_matched() {
    let joined = trials("between_groups.c");
    for (_, trial) in trials("intercomm.c").into_iter().chain(joined) {
        let (run, info) = behaves_the_same(trial);
        let counted = counted(&run.done.out);
        assert_eq!(info.figure("messages.bytes"), counted["bytes"]);
        assert_eq!(info.figure("messages.unmatched_receives"), 0);
        for anchor in [run.measured(), run.corrected()] {
            assert!(oracle::print(&anchor).is_none_or(|unknown| unknown == 0));
        }
    }
}

/// Messages that did not fit are sent and not received.
#[test]
fn odd_calls_and_errors_that_return_confuse_no_request() {
    for (_, trial) in trials("edge.c") {
        let (run, _) = behaves_the_same(trial);
        if let Some(facts) = run.check_archives() {
            holds_what_was_counted(&run, &facts);
        }
    }
}

/// Arrays are read as far as the standard makes them, in intercommunicators
/// too; PyPI's otf2 cannot read these.
#[test]
fn no_array_is_read_beyond_its_end() {
    for (case, trial) in trials("guarded.c") {
        let (run, _) = behaves_the_same(trial);
        let across = 6 * u64::from(case.ranks);
        let all = counted(&run.done.out)["collectives"] + across;
        let found = oracle::collectives(&run.measured());
        assert!(
            found.is_none_or(|found| found == all),
            "{found:?}, not {all}"
        );
    }
}

#[test]
fn every_thread_that_calls_mpi_is_a_location() {
    check("threads.c", |case, facts| {
        let of = |rank| facts.locations.iter().filter(|l| l.1 == rank).count();
        let each: Vec<usize> = (0..u64::from(case.ranks)).map(of).collect();
        assert_eq!(each, vec![1 + 3; case.ranks as usize]);
    });
}

#[test]
fn a_paced_program_is_recorded() {
    check("paced.c", nothing_more);
}

/// The program's messages tell their numbers by their lengths: who pairs them
/// wrongly, `read_archive.py` sees, and how many pairs there are, the program counts.
#[track_caller]
fn switches(program: &str) {
    for (_, trial) in trials(program) {
        let untraced = trial.untraced();
        let run = trial.traced();
        run.done.check(untraced.code, &[]);
        assert_eq!(run.done.out, untraced.out);
        run.check_shared_memory();
        let info = run.check_info();
        let pairs = counted(&run.done.out)["pairs"];
        assert_eq!(info.figure("messages.point_to_point"), pairs);
        if let Some(facts) = run.check_archives() {
            holds_what_was_counted(&run, &facts);
            assert!(facts.kinds["MeasurementOnOff"] > 1, "{facts:#?}");
        }
    }
}

#[test]
fn ranks_switch_recording_off_and_on_when_they_like() {
    switches("pcontrol.c");
}

#[test]
fn fortran_switches_recording_off_and_on() {
    switches("pcontrol.f");
}

#[test]
fn fortran_with_mpif_h_is_recorded() {
    check("mpif.f", |_, _| {});
}

#[test]
fn fortran_with_use_mpi_is_recorded() {
    check("usempi.f90", |case, facts| {
        let completed = facts.kinds["NonBlockingCollectiveComplete"];
        assert_eq!(completed, 2 * u64::from(case.ranks));
    });
}
