//! Virtual time is that of the same run without observation.
#![forbid(unsafe_code)]

use mpiscope_rules::virtual_time::{Ended, Moment, Partners};
use proptest::prelude::*;

fn at(time: u64, intrusion: u64) -> Moment {
    Moment { time, intrusion }
}

/// How a call ended that was ready at that moment, with one partner.
fn ended(partner: Moment, held: u64, ready: Moment, end: u64) -> (u64, Option<u64>) {
    let mut partners = Partners::default();
    partners.add(Some(partner));
    partners.hold(held);
    let Ended {
        virtual_time,
        delay,
    } = partners.end(ready, end).unwrap();
    (virtual_time, delay)
}

#[test]
fn a_partner_that_was_late_because_it_was_observed_was_not_waited_for() {
    // We were ready at 100; the message was sent at 150, of which 40 were observation.
    assert_eq!(ended(at(150, 40), 0, at(100, 0), 160), (120, Some(10)));
}

#[test]
fn who_was_held_up_itself_would_have_waited() {
    // Held up by 60, we came at 160 for a message of 150 that was there.
    assert_eq!(ended(at(150, 0), 0, at(160, 60), 165), (155, Some(50)));
}

#[test]
fn a_choice_that_was_held_up_took_no_time() {
    assert_eq!(ended(at(150, 40), 200, at(100, 0), 360), (120, Some(10)));
    // A poll that was held up, and has no partner.
    let mut partners = Partners::default();
    partners.hold(200);
    let poll = Ended {
        virtual_time: 400,
        delay: None,
    };
    assert_eq!(partners.end(at(400, 10), 610), Some(poll));
}

#[test]
fn a_partner_of_which_nothing_is_known_is_not_told_apart() {
    let mut partners = Partners::default();
    assert_eq!(partners.end(at(100, 0), 160), None);
    partners.add(Some(at(150, 40)));
    partners.add(None);
    assert_eq!(partners.end(at(100, 0), 160), None);
}

/// What a process does: computes, is observed for a while, then meets others.
#[derive(Clone, Debug)]
struct Step {
    work: u64,
    observation: u64,
    /// Members of the meeting, by bits.
    members: u8,
    transmission: u64,
}

fn step() -> impl Strategy<Value = Step> {
    (0u64..1000, 0u64..1000, 1u8..16, 0u64..100).prop_map(
        |(work, observation, members, transmission)| Step {
            work,
            observation,
            members,
            transmission,
        },
    )
}

proptest! {
    /// Four processes work, are observed, and meet; the same run without observation is computed
    /// beside, step by step.
    #[test]
    fn virtual_time_is_that_of_the_run_without_observation(
        steps in prop::collection::vec(prop::collection::vec(step(), 4), 0..50),
    ) {
        let mut observed = [at(0, 0); 4];
        let mut free = [0u64; 4];
        for step in steps {
            for rank in 0..4 {
                free[rank] += step[rank].work;
                observed[rank].time += step[rank].work + step[rank].observation;
                observed[rank].intrusion += step[rank].observation;
            }
            let (members, copy) = (step[0].members, step[0].transmission);
            let members: Vec<usize> = (0..4).filter(|rank| members >> rank & 1 == 1).collect();
            let ready = observed;
            let met = members.iter().map(|&rank| free[rank]).max().unwrap() + copy;
            let end = members.iter().map(|&rank| ready[rank].time).max().unwrap() + copy;
            for &rank in &members {
                let mut partners = Partners::default();
                let others = members.iter().filter(|&&other| other != rank);
                others.for_each(|&other| partners.add(Some(ready[other])));
                let waited = met - copy - free[rank];
                free[rank] = met;
                let virtual_time = match partners.end(ready[rank], end) {
                    None => end - ready[rank].intrusion, // alone
                    Some(ended) => {
                        prop_assert_eq!(ended.delay, Some(waited));
                        ended.virtual_time
                    }
                };
                prop_assert_eq!(virtual_time, met);
                observed[rank] = at(end, end.wrapping_sub(virtual_time));
            }
        }
    }
}
