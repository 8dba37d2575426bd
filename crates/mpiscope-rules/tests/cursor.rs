//! A replay asks what its record has, in the order in which that was made.
#![forbid(unsafe_code)]

use mpiscope_rules::replay_cursor::{Poll, ReplayCursor, Wait};
use mpiscope_run::order::{Cancel, End, Found, Outcome, ThreadOrder};
use proptest::prelude::*;

/// A record of outcomes as text: `3` is a poll that said yes after three that said no, `w1` a wait
/// that returned index 1.
fn record(outcomes: &str) -> &'static ThreadOrder {
    let outcome = |word: &str| match word.strip_prefix('w') {
        Some(index) => Outcome::Index(index.parse().ok()),
        None => Outcome::Success {
            misses: word.parse().unwrap(),
            found: Found::Nothing,
        },
    };
    let outcomes = outcomes.split_whitespace().map(outcome).collect();
    Box::leak(Box::new(ThreadOrder {
        outcomes,
        ..ThreadOrder::default()
    }))
}

/// Asks a cursor: `p` is a poll, `w` a wait; returns what it is to do: `-` say no, `y` say yes,
/// the index waited for, `!` if the record has the other kind here, `.` at the record's end.
fn asked(order: &'static ThreadOrder, questions: &str) -> String {
    let mut cursor = ReplayCursor::new(order);
    let mut misses = 0;
    let mut answer = |question| match question {
        'p' => match cursor.poll(misses, 0) {
            Poll::Miss => {
                misses += 1;
                "-".to_owned()
            }
            Poll::Find(_) => {
                misses = 0;
                "y".to_owned()
            }
            Poll::Other => "!".to_owned(),
            Poll::Free => ".".to_owned(),
        },
        _ => match cursor.wait() {
            Wait::For(Outcome::Index(index)) => index.map_or("?".to_owned(), |k| k.to_string()),
            Wait::For(_) => "?".to_owned(),
            Wait::Other => "!".to_owned(),
            Wait::Free => ".".to_owned(),
        },
    };
    questions.chars().map(&mut answer).collect()
}

#[test]
fn polls_say_no_as_often_as_they_did() {
    assert_eq!(asked(record("2 0 1"), "ppppppp"), "--yy-y.");
}

#[test]
fn waits_and_polls_keep_their_places() {
    assert_eq!(asked(record("1 w4 0 w0"), "ppwpww"), "-y4y0.");
    assert_eq!(asked(record("w4"), "pw"), "!4");
    assert_eq!(asked(record("0"), "wp"), "!y");
}

#[test]
fn no_poll_succeeds_where_the_record_came_to_its_end() {
    let order = Box::leak(Box::new(ThreadOrder {
        end: Some(End { calls: 5, hash: 0 }),
        ..ThreadOrder::default()
    }));
    let mut cursor = ReplayCursor::new(order);
    assert!(matches!(cursor.poll(0, 5), Poll::Miss));
    assert!(matches!(cursor.poll(9, 6), Poll::Other));
}

proptest! {
    /// Cancels are told of exactly the receives that the record has, asked in their order,
    /// whichever of the others are asked about in between.
    #[test]
    fn cancels_are_told_once(
        recorded in prop::collection::btree_map(0..50u64, any::<bool>(), 0..20),
        asked in prop::collection::btree_set(0..50u64, 0..50),
    ) {
        let cancels = recorded.iter().map(|(&receive, &succeeded)| Cancel { receive, succeeded });
        let order = Box::leak(Box::new(ThreadOrder {
            cancels: cancels.collect(),
            ..ThreadOrder::default()
        }));
        let mut cursor = ReplayCursor::new(order);
        for receive in asked {
            let is_due = cursor.cancels(receive);
            let told = cursor.is_cancelled(receive);
            prop_assert_eq!(told, recorded.get(&receive).copied());
            prop_assert!(is_due || told.is_none());
        }
    }
}
