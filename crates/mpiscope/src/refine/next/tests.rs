//! The line for runs that were traced in some ways.

use super::*;

#[test]
fn a_window_is_told_in_few_digits_and_never_smaller() {
    assert_eq!(window(0, 1), "0s..0.000000001s");
    assert_eq!(window(470, 680), "0.00000047s..0.00000068s");
    assert_eq!(window(1_234_567_891, 2_000_000_001), "1.234s..2.001s");
    assert_eq!(window(59_999_999_999, 61_000_000_000), "59.99s..61s");
}

#[test]
fn sizes_are_told_as_they_are_typed() {
    assert_eq!(size(80 << 20), "80M");
    assert_eq!(size(100), "100");
}

#[test]
fn the_line_has_the_options_of_the_run_and_the_command_in_quotes() {
    let launch = Launch {
        functions: Functions::All,
        limit: Some(500),
        only_mpi: vec!["p2p".into(), "coll".into()],
        order: Order::Off,
        sample: Some(1_000_000),
        ..Launch::default()
    };
    let next = Next {
        command: Some(vec!["mpirun".into(), "./it's".into()]),
        launch: Some(launch),
        origin: Origin::Traced,
        ..Next::default()
    };
    let proposal = Proposal {
        filter: Some(Path::new("a b.filter")),
        window: Some("1s..2s"),
        buffer: Some(80 << 20),
    };
    let line = next.line(&next.options(&proposal), &proposal);
    assert_eq!(
        line,
        r"mpiscope trace --filter 'a b.filter' --window 1s..2s --buffer 80M --functions all --only-mpi p2p,coll --sample 1000000ns --limit 500 --no-order -- mpirun './it'\''s'"
    );
    assert_eq!(next.note(&proposal), None);
}

/// Says what is to be known of the line for a run that was traced so.
fn noted(launch: Launch, is_elsewhere: bool, filter: Option<&Path>) -> Option<String> {
    let next = Next {
        launch: Some(launch),
        origin: Origin::Traced,
        is_elsewhere,
        ..Next::default()
    };
    let proposal = Proposal {
        filter,
        window: None,
        buffer: None,
    };
    next.note(&proposal)
}

#[test]
fn of_a_packed_run_the_filter_is_lost_only_where_none_is_proposed() {
    let filtered = || Launch {
        filter: true,
        ..Launch::default()
    };
    assert_eq!(
        noted(filtered(), false, Some(Path::new("heat.filter"))),
        None
    );
    let note = noted(filtered(), false, None).unwrap();
    assert!(note.contains("mpiscope unpack"), "{note}");
}

#[test]
fn a_line_that_does_not_replay_says_so() {
    let replayed = Launch {
        order: Order::Deterministic {
            write: false,
            patience: 1.0,
        },
        ..Launch::default()
    };
    let note = noted(replayed, true, None).unwrap();
    assert!(note.contains("in another order"), "{note}");
    assert!(note.contains("relative paths"), "{note}");
    assert_eq!(noted(Launch::default(), false, None), None);
}

#[test]
fn relative_paths_are_told_from_others() {
    for (word, expected) in [
        ("./heat", true),
        ("../bin/heat", true),
        ("--input=data/a", true),
        ("/usr/bin/heat", false),
        ("heat", false),
        ("--with-x/y", false),
        ("http://a/b", false),
    ] {
        assert_eq!(is_relative(word), expected, "{word}");
    }
    let elsewhere = tempfile::tempdir().unwrap();
    assert!(!is_beside(elsewhere.path()));
    assert!(is_beside(Path::new("nowhere/at/all")));
}

#[test]
fn from_elsewhere_the_filter_is_found_by_its_full_path() {
    let mut next = Next {
        origin: Origin::Traced,
        is_elsewhere: true,
        ..Next::default()
    };
    let proposal = Proposal {
        filter: Some(Path::new("heat.filter")),
        window: None,
        buffer: None,
    };
    let here = std::env::current_dir().unwrap().join("heat.filter");
    assert_eq!(next.options(&proposal)[1], show::word(&here));
    next.is_elsewhere = false;
    assert_eq!(next.options(&proposal)[1], "heat.filter");
}

#[test]
fn under_exec_variables_say_the_same() {
    let next = Next {
        origin: Origin::Executed,
        ..Next::default()
    };
    let proposal = Proposal {
        filter: Some(Path::new("/heat.filter")),
        window: Some("1.5s..2s"),
        buffer: Some(128),
    };
    assert_eq!(
        next.line(&next.options(&proposal), &proposal),
        "export MPISCOPE_FILTER=/heat.filter MPISCOPE_WINDOW=1.5:2 MPISCOPE_BUFFER=128"
    );
    assert!(next.note(&proposal).is_some());
}
