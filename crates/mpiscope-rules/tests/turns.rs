//! Threads post in the recorded order, and nobody waits for one that has ended.
#![forbid(unsafe_code)]

use mpiscope_rules::turns::Turns;
use mpiscope_run::order::Turn;
use proptest::prelude::*;

fn recorded(threads: &[u32]) -> Turns {
    let turn = |&thread: &u32| Turn { thread, place: 0 };
    Turns::new(&threads.iter().map(turn).collect::<Vec<_>>())
}

#[test]
fn whom_the_record_does_not_know_waits_for_nobody() {
    let mut turns = recorded(&[1, 2]);
    assert!(turns.may_post(7) && !turns.may_post(2) && turns.may_post(1));
    assert_eq!((turns.expected(2), turns.expected(1)), (Some(1), None));
    turns.set_free();
    assert!(turns.may_post(2));
    assert_eq!(turns.expected(2), None);
}

#[test]
fn nobody_waits_for_a_thread_that_has_ended() {
    let mut turns = recorded(&[1, 2, 1, 1]);
    assert!(turns.may_post(1));
    assert_eq!(turns.posted(), 0);
    assert_eq!(turns.end(2), 1);
    assert!(turns.may_post(1));
    assert_eq!(turns.posted(), 1);
    assert_eq!(turns.end(1), 1);
    // Behind the recorded end, who comes posts.
    assert!(turns.may_post(1) && turns.may_post(2));
}

proptest! {
    /// Threads ask in any order; those that may post do, until none has anything left.
    #[test]
    fn posts_come_in_the_recorded_order(
        threads in prop::collection::vec(0u32..4, 0..60),
        ends in prop::collection::vec(prop::option::weighted(0.2, 0usize..30), 4),
        asks in prop::collection::vec(0u32..4, 0..100),
    ) {
        let mut turns = recorded(&threads);
        // A thread ends after so many posts, or does all of its own.
        let own = |thread: u32| threads.iter().filter(|&&other| other == thread).count();
        let most = |thread: u32| ends[thread as usize].map_or(own(thread), |end| end.min(own(thread)));
        let mut done = [0usize; 4];
        let mut order = Vec::new();
        let everybody = (0..4).cycle().take(4 * (threads.len() + 1));
        for thread in asks.into_iter().chain(everybody) {
            if done[thread as usize] < most(thread) && turns.may_post(thread) {
                prop_assert_eq!(turns.posted(), order.len() as u64);
                order.push(thread);
                done[thread as usize] += 1;
            }
            if done[thread as usize] == most(thread) {
                prop_assert_eq!(turns.end(thread), own(thread) - most(thread));
                done[thread as usize] = usize::MAX; // ended once
            }
        }
        // What is left out is each ended thread's last turns, and nothing else.
        let mut seen = [0usize; 4];
        let expected: Vec<u32> = threads
            .iter()
            .copied()
            .filter(|&thread| {
                seen[thread as usize] += 1;
                seen[thread as usize] <= most(thread)
            })
            .collect();
        prop_assert_eq!(order, expected);
    }
}
