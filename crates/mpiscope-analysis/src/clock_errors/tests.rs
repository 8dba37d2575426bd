use super::*;
use crate::profile::{Asked, Profile};
use crate::verdict::Verdict;
use crate::wait_states::Kind;

fn ns(all: &[i64]) -> Vec<Option<Duration>> {
    all.iter().map(|&it| Some(Duration(it))).collect()
}

/// Each location has a clock of its own; of the last nothing is known.
fn errors(clocks: u32) -> ClockErrors {
    let first = HalfWidths {
        of_clock: ns(&[0, 10, 20]),
        pairs: vec![],
    };
    let second = HalfWidths {
        of_clock: ns(&[0, 100, 200]),
        pairs: vec![(1, 2, Duration(5))],
    };
    ClockErrors {
        clock_of: (0..clocks).map(Some).collect(),
        begin: Timestamp(0),
        window: Duration(1000),
        windows: vec![first, second],
    }
}

fn profile(text: &str, clocks: u32) -> Profile {
    let trace = Trace::parse(text).unwrap();
    let asked = Asked {
        causes: false,
        errors: errors(clocks),
        ..Asked::default()
    };
    Profile::asked(&trace, &trace.matching(), &asked)
}

#[test]
fn clocks_are_off_each_other_by_the_sum_or_by_what_a_pair_knows() {
    let errors = errors(4);
    let between = |a, b, at| {
        let width = errors.half_width(LocationIndex(a), LocationIndex(b), Timestamp(at));
        width.map(|it| it.0)
    };
    assert_eq!(between(1, 2, 999), Some(30));
    assert_eq!(between(2, 1, 1000), Some(5));
    assert_eq!(between(0, 2, 5000), Some(200), "the last window goes on");
    assert_eq!(between(0, 2, -5000), Some(20), "as the first began before");
    assert_eq!(between(2, 2, 0), Some(0));
    assert_eq!(between(3, 3, 0), Some(0), "one clock agrees with itself");
    assert_eq!(between(1, 3, 0), None);
    assert_eq!(between(1, 9, 0), None);
}

/// Rank 1 waits twice for rank 0 and is waited for once.
const BOTH_WAYS: &str = "
    0: 0 50 enter(MPI_Send) 50 send>1 54 leave(MPI_Send) \
       150 enter(MPI_Send) 150 send>1 154 leave(MPI_Send) \
       200 enter(MPI_Recv) 252 recv<1 253 leave(MPI_Recv)
    1: 0 enter(MPI_Recv) 52 recv<0 53 leave(MPI_Recv) \
       100 enter(MPI_Recv) 152 recv<0 153 leave(MPI_Recv) \
       250 enter(MPI_Send) 250 send>0 254 leave(MPI_Send)";

#[test]
fn errors_of_one_pair_cancel_out_where_each_waited_for_the_other() {
    let profile = profile(BOTH_WAYS, 3);
    let all = profile.waiting_of_ranks;
    assert_eq!((all.times, all.time.0), (3, 150));
    assert_eq!(all.resolution.half_width.0, 10, "two less one, of 10 each");
    let ranks: Vec<i64> = (profile.ranks.iter())
        .map(|it| it.resolution.half_width.0)
        .collect();
    assert_eq!(ranks, [10, 20]);
    assert_eq!(profile.pairs[&(1, 0)].resolution.half_width.0, 20);
}

#[test]
fn the_verdict_says_by_how_much_its_waiting_can_be_wrong() {
    let headline = |clocks_of: [u32; 2]| {
        let trace = Trace::parse(BOTH_WAYS).unwrap();
        let matching = trace.matching();
        let asked = Asked {
            causes: true,
            errors: ClockErrors {
                clock_of: clocks_of.map(Some).to_vec(),
                ..errors(2)
            },
            ..Asked::default()
        };
        let profile = Profile::asked(&trace, &matching, &asked);
        let verdict = Verdict::of(&trace, &matching, &profile);
        verdict.words(&trace).headline
    };
    let between_hosts = headline([0, 1]);
    assert!(
        between_hosts.contains("is waiting (150 ns ± 10 ns), "),
        "{between_hosts}"
    );
    let on_one = headline([0, 0]);
    assert!(on_one.contains("is waiting (150 ns), "), "{on_one}");
}

#[test]
fn errors_of_a_ring_cancel_out_clock_by_clock() {
    // 0 waits for 1, 1 for 2, 2 for 0, in the first window.
    let ring = "
        0: 0 enter(MPI_Recv) 102 recv<1 103 leave(MPI_Recv) 500 enter(MPI_Send) 500 send>2 501 leave(MPI_Send)
        1: 0 100 enter(MPI_Send) 100 send>0 101 leave(MPI_Send) 200 enter(MPI_Recv) 302 recv<2 303 leave(MPI_Recv)
        2: 0 300 enter(MPI_Send) 300 send>1 301 leave(MPI_Send) 400 enter(MPI_Recv) 502 recv<0 503 leave(MPI_Recv)";
    let profile = profile(ring, 3);
    let all = profile.waiting_of_ranks;
    assert_eq!((all.times, all.time.0), (3, 300));
    assert_eq!(all.resolution, Resolution::default());
    // Each of them alone is open by what its two clocks are.
    let open: Vec<i64> = (profile.pairs.values())
        .map(|it| it.resolution.half_width.0)
        .collect();
    assert_eq!(open, [10, 30, 20]);
}

#[test]
fn errors_of_several_windows_are_added() {
    let twice = "
        1: 0 enter(MPI_Recv) 502 recv<2 503 leave(MPI_Recv) 800 enter(MPI_Recv) 1502 recv<2 1503 leave(MPI_Recv)
        2: 0 500 enter(MPI_Send) 500 send>1 501 leave(MPI_Send) 1500 enter(MPI_Send) 1500 send>1 1501 leave(MPI_Send)
        0: 0 2000";
    let trace = Trace::parse(twice).unwrap();
    let mut errors = errors(3);
    // In the order of the text.
    errors.clock_of = vec![Some(1), Some(2), Some(0)];
    let asked = Asked {
        causes: false,
        errors,
        ..Asked::default()
    };
    let profile = Profile::asked(&trace, &trace.matching(), &asked);
    let of_kind = profile.waiting_of_kinds[&Kind::LateSender];
    assert_eq!(of_kind.resolution.half_width.0, 30 + 5);
}

#[test]
fn what_is_shorter_than_the_error_or_of_an_unknown_clock_is_told_apart() {
    let text = "
        0: 0 9 enter(MPI_Send) 9 send>1 10 leave(MPI_Send) 60 enter(MPI_Recv) 102 recv<3 103 leave(MPI_Recv)
        1: 0 enter(MPI_Recv) 12 recv<0 13 leave(MPI_Recv)
        2: 0 5
        3: 0 100 enter(MPI_Send) 100 send>0 104 leave(MPI_Send)";
    let all = profile(text, 4).waiting_of_ranks;
    let expected = Resolution {
        half_width: Duration::ZERO,
        below_times: 1,
        below: Duration(9),
        unknown_times: 1,
        unknown: Duration(40),
    };
    assert_eq!((all.times, all.resolution), (2, expected));
}

#[test]
fn a_send_that_ended_when_its_receiver_came_may_not_have_waited() {
    let open = |text: &str| {
        let trace = Trace::parse(text).unwrap();
        let states = crate::wait_states::wait_states(&trace, &trace.matching());
        let [state] = &states[..] else {
            panic!("{states:?}");
        };
        assert_eq!(state.kind, Kind::LateReceiver);
        errors(2).of_wait(&trace, state).unwrap()
    };
    // Ranks 0 and 1 can be wrong by 10.
    let at = |leave: i64| {
        open(&format!(
            "0: 0 enter(MPI_Ssend) 0 send>1 {leave} leave(MPI_Ssend)
             1: 0 80 enter(MPI_Recv) {leave} recv<0 99 leave(MPI_Recv)"
        ))
    };
    let half_width = Duration(10);
    let open = |is_below| Open {
        half_width,
        is_below,
    };
    assert_eq!([at(90), at(91)], [open(true), open(false)]);
}

#[test]
fn of_times_as_measured_only_those_of_one_clock_are_known() {
    let mut trace = Trace::parse(BOTH_WAYS).unwrap();
    let open = |trace: &Trace| {
        let asked = Asked {
            causes: false,
            errors: ClockErrors::measured(trace),
            ..Asked::default()
        };
        Profile::asked(trace, &trace.matching(), &asked)
            .waiting_of_ranks
            .resolution
    };
    trace.clocks.clear();
    assert_eq!(open(&trace).unknown_times, 3);
    trace.clocks = vec![mpiscope_model::ClockDomain {
        locations: vec![LocationIndex(0), LocationIndex(1)],
        measurements: vec![],
    }];
    assert!(open(&trace).is_exact());
}
