//! Which receives race with a message that comes, against comparing all.
#![forbid(unsafe_code)]

use mpiscope_rules::window::{Receive, Window};
use proptest::prelude::*;

/// Plays messages at rank 1 of four, as `source knew` (`source!` for a
/// receive that names its source; `send` for a send of rank 1's own);
/// returns the receives that race, by their order.
#[track_caller]
fn check(processes: usize, messages: &str, expected: &[u64], kept: usize) {
    let mut window = Window::new(1, processes);
    let (mut time, mut ordinal, mut racing) = (0, 0, Vec::new());
    for word in messages.split_whitespace() {
        if word == "send" {
            time += 1;
            continue;
        }
        let (source, knew) = word.split_once(':').unwrap();
        let named = source.ends_with('!');
        let source = source.trim_end_matches('!').parse().unwrap();
        window.arrived(source, knew.parse().unwrap(), |_, receive| {
            racing.push(receive.ordinal);
        });
        if !named {
            let receive = Receive {
                thread: 0,
                ordinal,
                tag: None,
                decided: time,
            };
            window.keep(source, receive);
        }
        window.forget();
        ordinal += 1;
    }
    racing.sort_unstable();
    assert_eq!(racing, expected, "{messages}");
    assert_eq!(window.kept(), kept, "{messages}");
}

/// Clémençon et al. 1995, Figure 2: of three messages the first two receives are critical.
#[test]
fn three_messages_race_for_one_receive() {
    check(4, "0:0 3:0 2:0", &[0, 1], 1);
}

/// The same, Figure 4 (b): one message races with a block of two.
#[test]
fn a_block_race_is_found_whole() {
    check(4, "0:0 0:0 2:0", &[0, 1], 1);
    check(4, "0:0 0:0 send 0:1 2:0 2:0 0!:1", &[0, 1, 2, 3, 4], 0);
}

#[test]
fn a_sender_that_knew_of_the_receive_does_not_race() {
    check(4, "0:0 send 2:1", &[], 2);
    check(4, "0:0 send 2:0", &[0], 1);
    check(4, "0:0 send 0:1 2:1", &[1], 2);
}

#[test]
fn messages_of_one_sender_do_not_race() {
    check(4, "0:0 0:0 0:0", &[], 3);
}

/// A receive that names its source has no choice, yet its message could have gone elsewhere.
#[test]
fn a_named_receives_message_races_with_a_wildcard_before_it() {
    check(4, "0:0 2!:0", &[0], 0);
    check(4, "2!:0 0:0", &[], 1);
}

#[test]
fn receives_are_forgotten_once_everybody_else_was_heard_of() {
    check(2, "0:0 0:0", &[], 0);
    check(3, "0:0 send 2:1", &[], 1);
    check(4, "0:0 send 2:1 3:1", &[1], 1);
    check(4, "0:0 send 2:1 send 3:2", &[], 2);
    check(4, "0:0 send 2:1 send 3:2 send 0:3", &[], 2);
}

/// A receive completes after one that was posted later: both were decided by then.
#[test]
fn decisions_are_no_later_than_those_of_later_receives() {
    let mut window = Window::new(0, 3);
    let receive = |ordinal, decided| Receive {
        thread: 0,
        ordinal,
        tag: None,
        decided,
    };
    window.arrived(1, 0, |_, _| panic!());
    window.keep(1, receive(0, 5));
    window.arrived(1, 0, |_, _| panic!());
    window.keep(1, receive(1, 2));
    window.arrived(2, 3, |_, _| panic!("its sender knew"));
}

/// What happens at rank 0: it may send first, then a message comes from one of the others, whose
/// sender has heard of some more of its sends; it is taken by a receive from anybody, or not.
#[derive(Clone, Copy, Debug)]
struct Step {
    sends: u64,
    source: usize,
    hears: u64,
    is_wildcard: bool,
}

fn step() -> impl Strategy<Value = Step> {
    (0..2u64, 0..16usize, 0..4u64, prop::bool::weighted(0.75)).prop_map(
        |(sends, source, hears, is_wildcard)| Step {
            sends,
            source,
            hears,
            is_wildcard,
        },
    )
}

proptest! {
    /// By comparing with every earlier receive, whatever comes.
    #[test]
    fn windows_find_what_comparing_all_finds(
        processes in 2..7usize,
        steps in prop::collection::vec(step(), 1..80),
    ) {
        let mut window = Window::new(0, processes);
        let mut knew = vec![0; processes];
        let (mut time, mut all, mut found) = (0, Vec::new(), Vec::new());
        let mut expected = Vec::new();
        for (ordinal, step) in (0..).zip(steps) {
            time += step.sends;
            let source = 1 + step.source % (processes - 1);
            // A sender forgets nothing, and cannot know more than there is.
            knew[source] = time.min(knew[source] + step.hears);
            for &(at, from, decided) in &all {
                if from != source && decided >= knew[source] {
                    expected.push(at);
                }
            }
            window.arrived(source as u32, knew[source], |_, r| found.push(r.ordinal));
            if step.is_wildcard {
                let receive = Receive {
                    thread: 0,
                    ordinal,
                    tag: None,
                    decided: time,
                };
                window.keep(source as u32, receive);
                all.push((ordinal, source, time));
            }
            window.forget();
        }
        expected.sort_unstable();
        expected.dedup();
        found.sort_unstable();
        prop_assert_eq!(found, expected);
    }
}
