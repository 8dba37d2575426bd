//! Wait states against a second implementation, straight from the definitions in the book
//! (`book/src/analyze.md`), on random text fixtures: of each call whether it waits, how long, in which
//! kind of waiting and for whom.
//!
//! Where several come last at one time, any of them may be named.

mod machine;
mod tasks;
#[path = "../common/together.rs"]
mod together;
mod twin;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use machine::{programs, programs_of_one_group, Program, What};
use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_analysis::profile::Profile;
use mpiscope_analysis::wait_states::{wait_states, Kind, WaitState};
use mpiscope_model::Trace;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use twin::{At, Twin, Wait};

/// Ten thousand programs where all is tested, else some.
fn some() -> ProptestConfig {
    let all = std::env::var_os("MPISCOPE_TEST_ALL").is_some();
    ProptestConfig {
        source_file: Some(file!()),
        ..ProptestConfig::with_cases(if all { 10_000 } else { 300 })
    }
}

/// Compares what random programs wait for, and expects each of these names in some.
#[track_caller]
fn check(
    programs: impl Strategy<Value = Program>,
    agree: fn(&Trace) -> Result<Vec<&'static str>, TestCaseError>,
    names: &[&str],
) {
    let hits: RefCell<BTreeMap<&str, u32>> = RefCell::default();
    let mut runner = TestRunner::new(some());
    let tested = runner.run(&programs, |Program(text)| {
        let trace = Trace::parse(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let count = |name| *hits.borrow_mut().entry(name).or_default() += 1;
        agree(&trace)?.into_iter().for_each(count);
        Ok(())
    });
    if let Err(error) = tested {
        panic!("{error}\n{runner}");
    }
    let hits = hits.into_inner();
    println!("{hits:?}");
    for name in names {
        assert!(hits.contains_key(name), "no program has {name:?}");
    }
}

/// Compares what a program waits for, and returns what there is.
fn agree(trace: &Trace) -> Result<Vec<&'static str>, TestCaseError> {
    let mut matching = trace.matching();
    matching.assumptions.init = true;
    let states = wait_states(trace, &matching);
    let twin = Twin::new(trace);
    let mut expected = twin.waits();
    for state in &states {
        let call: At = (state.call.location.index(), state.call.index as usize);
        let (found, wanted) = (Wait::of(state), expected.remove(&call));
        let same = wanted
            .as_ref()
            .is_some_and(|wanted| found.is_one_of(wanted));
        prop_assert!(same, "{call:?}: {found:?}, not {wanted:?}");
    }
    prop_assert!(expected.is_empty(), "not found: {expected:?}");
    let mut names = sums_agree(trace, &twin, &states)?;
    names.extend(states.iter().map(|state| state.kind.name()));
    Ok(names)
}

/// Compares what a profile adds up beside wait states, and returns what there is.
fn sums_agree(
    trace: &Trace,
    twin: &Twin,
    states: &[WaitState],
) -> Result<Vec<&'static str>, TestCaseError> {
    let profile = Profile::without_causes(trace, &trace.matching());
    let found = profile.completion;
    let sums = [
        (
            "barrier completion",
            found.barrier,
            twin.completion(Kind::Barrier),
        ),
        (
            "late complete",
            profile.late_complete,
            twin.late_complete(states),
        ),
        ("n x n completion", found.n_x_n, twin.completion(Kind::NxN)),
    ];
    for (name, found, expected) in sums {
        let found = (found.times, found.time.0);
        prop_assert_eq!(found, expected, "{}", name);
    }
    let there = sums.iter().filter(|(_, found, _)| found.times > 0);
    let mut names: Vec<&'static str> = there.map(|(name, ..)| *name).collect();
    let progress = profile.late_progress.values();
    let found = progress.fold((0, 0), |sum, it| (sum.0 + it.times, sum.1 + it.time.0));
    let transfer = profile.total(|it| it.mpi) - profile.waiting();
    // Where nothing is in MPI but to wait it is not looked for.
    if 50 * transfer.0 >= profile.total(|it| it.time).0 {
        prop_assert_eq!(found, twin.late_progress(states), "late progress");
        names.extend((found.0 > 0).then_some("late progress"));
    }
    Ok(names)
}

/// Compares what threads wait for.
fn threads_agree(trace: &Trace) -> Result<Vec<&'static str>, TestCaseError> {
    let states = wait_states(trace, &trace.matching());
    let mut expected = tasks::waits(trace);
    for state in &states {
        let call: At = (state.call.location.index(), state.call.index as usize);
        let found = Wait::of(state);
        let region = expected.keys().filter(|it| it.has(call)).max().cloned();
        let wanted = region.and_then(|region| expected.remove(&region));
        let mut all = wanted.iter().flatten().flatten();
        prop_assert!(
            all.any(|it| *it == found),
            "{call:?}: {found:?}, not {wanted:?}"
        );
    }
    let must = expected.values().find(|all| !all.contains(&None));
    prop_assert!(must.is_none(), "not found: {must:?}");
    Ok(states.iter().map(|state| state.kind.name()).collect())
}

impl Wait {
    fn of(state: &WaitState) -> Wait {
        Wait {
            begin: state.begin.0,
            end: state.end.0,
            contradicts: state.contradicts,
            whom: BTreeSet::from([(state.kind, state.cause.location.index())]),
        }
    }

    /// Returns whether this is the other one, for one of those for whom that may be.
    fn is_one_of(&self, other: &Wait) -> bool {
        let whom = self.whom.is_subset(&other.whom);
        whom && *self
            == Wait {
                whom: self.whom.clone(),
                ..other.clone()
            }
    }
}

/// What ranks wait for that send messages and take part in operations, and what else is told of these.
const OF_MESSAGES_AND_OPERATIONS: &[&str] = &[
    "late sender",
    "late receiver",
    "wait at barrier",
    "wait at n x n",
    "late broadcast",
    "early reduce",
    "early scan",
    "wait at collective",
    "wait at initialization",
    "wait at finalization",
    "barrier completion",
    "n x n completion",
    "late progress",
];

/// Expects of processes that share a trace what one comes to, and returns what there is, if they could
/// match the messages.
fn agree_together(trace: &Trace) -> Result<Vec<&'static str>, TestCaseError> {
    let names = agree(trace)?;
    let matched = together::agree(trace, &ClockErrors::measured(trace));
    Ok(if matched { names } else { Vec::new() })
}

#[test]
fn processes_that_share_a_trace_agree() {
    use What::*;
    check(
        programs_of_one_group(&[
            Message, Message, Message, Exchange, Complete, Collective, Collective, Neighbors,
            Duplicate,
        ]),
        agree_together,
        OF_MESSAGES_AND_OPERATIONS,
    );
}

#[test]
fn messages_and_operations_are_waited_for_as_defined() {
    use What::*;
    check(
        programs(&[
            Message, Message, Message, Matched, Cancelled, Exchange, Complete, Collective,
            Collective, Collective, Neighbors, Duplicate,
        ]),
        agree,
        OF_MESSAGES_AND_OPERATIONS,
    );
}

#[test]
fn synchronization_of_windows_is_waited_for_as_defined() {
    use What::*;
    check(
        programs(&[
            CreateWindow,
            Fence,
            Epoch,
            Epoch,
            Lock,
            Lock,
            Notify,
            Message,
        ]),
        agree,
        &[
            "late post",
            "early wait",
            "wait for window lock",
            "one-sided",
            "wait at fence",
            "wait at window creation",
            "wait at collective",
            "late complete",
        ],
    );
}

#[test]
fn tasks_and_threads_are_waited_for_as_defined() {
    let names = [
        "wait for tasks",
        "wait at thread barrier",
        "wait for threads",
    ];
    check(tasks::programs(), threads_agree, &names);
}
