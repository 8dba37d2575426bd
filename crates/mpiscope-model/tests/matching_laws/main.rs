//! Matching against a program that is executed message by message.
//!
//! The program's processes send, post receives with and without wildcards,
//! complete them in any order, cancel and probe, as MPI has it (MPI 4.1 §3.5,
//! §3.8): a message meets the first posted receive that fits, a receive the
//! first message. Who met whom is noted, and forgotten in the trace.

mod program;

use std::collections::BTreeSet;

use mpiscope_model::{EventRef, Trace};
use program::{execute, Rules, Step, PROCESSES};
use proptest::prelude::*;

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (0..PROCESSES, 0..2usize, 0..11u8, 0..12u32, 0..6u32);
    prop::collection::vec(step, 0..120)
}

type Pairs = Vec<(EventRef, EventRef)>;

/// Returns messages and bounds as pairs of events.
fn pairs(trace: &Trace) -> (Pairs, Pairs) {
    let matching = trace.matching();
    let messages = matching.messages.iter().map(|m| (m.send, m.receive));
    let probes = matching.bounds.iter().map(|b| (b.send, b.receive));
    (messages.collect(), probes.collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(400), ..ProptestConfig::default() })]

    #[test]
    fn every_message_meets_the_receive_that_it_met(steps in steps(), threads in 1..3usize) {
        let rules = Rules { threads, pauses: false, numbers: false };
        let (trace, truth) = execute(rules, &steps);
        let (messages, mut probes) = pairs(&trace);
        let found: BTreeSet<_> = messages.iter().copied().collect();
        prop_assert_eq!(found.len(), messages.len());
        prop_assert_eq!(&found, &truth.messages);
        probes.sort_unstable();
        let mut seen = truth.probes;
        seen.sort_unstable();
        prop_assert_eq!(probes, seen);
        let lost: BTreeSet<_> = trace.matching().unmatched_sends.into_iter().collect();
        prop_assert_eq!(lost, truth.lost_sends);
    }

    #[test]
    fn numbers_tell_all_after_a_pause(steps in steps(), threads in 1..3usize) {
        let rules = Rules { threads, pauses: true, numbers: true };
        let (trace, truth) = execute(rules, &steps);
        let found: BTreeSet<_> = pairs(&trace).0.into_iter().collect();
        prop_assert_eq!(found, truth.messages);
        let lost: BTreeSet<_> = trace.matching().unmatched_sends.into_iter().collect();
        prop_assert_eq!(lost, truth.lost_sends);
    }

    #[test]
    fn without_numbers_nothing_is_paired_wrongly(steps in steps(), threads in 1..3usize) {
        let rules = Rules { threads, pauses: true, numbers: false };
        let (trace, truth) = execute(rules, &steps);
        let matching = trace.matching();
        for message in &matching.messages {
            prop_assert!(truth.messages.contains(&(message.send, message.receive)));
        }
        if matching.messages.len() < truth.messages.len() {
            prop_assert!(matching.ambiguous > 0);
        }
    }

    #[test]
    fn any_number_of_threads_finds_the_same(steps in steps(), pauses: bool, numbers: bool) {
        let rules = Rules { threads: 2, pauses, numbers };
        let (trace, _) = execute(rules, &steps);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| trace.matching())
        };
        let one = with(1);
        prop_assert_eq!(&one, &with(2));
        prop_assert_eq!(&one, &with(8));
    }
}
