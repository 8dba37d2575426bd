//! Processes that share a trace come to what one of them comes to that has all of it.
#![allow(dead_code, reason = "each test uses its part")]

use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_analysis::errors::{self, was_paused};
use mpiscope_analysis::evidence::{untold_operations, untold_operations_among};
use mpiscope_analysis::profile::{Asked, Profile};
use mpiscope_analysis::races::{nothing_to_find, Races};
use mpiscope_analysis::verdict::Verdict;
use mpiscope_model::{Matching, Processes, Rank, Trace};
use mpiscope_simulate::processes::{by_processes, share};

/// Expects the same profile and verdict of so many processes, which have every so-manieth rank each,
/// or as many ranks in a row; returns whether they could match the messages.
#[track_caller]
pub fn agree(trace: &Trace, open: &ClockErrors) -> bool {
    let asked = Asked {
        errors: open.clone(),
        ..Asked::without_causes()
    };
    let matching = trace.matching();
    let whole = told(trace, &matching, &Profile::asked(trace, &matching, &asked));
    let untold = untold_operations(trace, &matching);
    let races = Races::find(trace, &matching);
    let is_clean = errors::errors(trace, &matching).is_empty()
        && races.count() == 0
        && races.contradictions == 0
        && !was_paused(trace);
    let ranks = trace.ranks();
    let place = |rank: Rank| ranks.iter().position(|it| *it == rank).unwrap_or(0);
    let mut matched = true;
    for count in [2, 3] {
        let in_turn = |rank: Rank| place(rank) % count;
        let in_rows = |rank: Rank| place(rank) * count / ranks.len().max(1);
        for part in [&in_turn as &(dyn Fn(Rank) -> usize + Sync), &in_rows] {
            let locations = trace.locations.iter();
            let parts: Vec<u32> = locations.map(|it| part(it.rank) as u32).collect();
            let of_process = |job: &dyn Processes| {
                let mut part = share(trace, parts.clone(), job.me());
                let matching = part.matching_among(job)?;
                let profile = Profile::together(&mut part, &matching, open.clone(), job);
                let untold = untold_operations_among(&part, &matching, Some(job));
                assert!(!nothing_to_find(&part, &matching, job) || is_clean);
                Some((job.me() == 0).then(|| (told(&part, &matching, &profile), untold)))
            };
            match by_processes(count, of_process).swap_remove(0) {
                Some(first) => {
                    let (found, found_untold) = first.unwrap();
                    assert_eq!(found, whole, "{parts:?}");
                    assert_eq!(found_untold, untold, "{parts:?}");
                }
                None => matched = false,
            }
        }
    }
    matched
}

/// Returns whether two processes that share a trace say that nothing is wrong with it.
pub fn find_nothing(trace: &Trace) -> bool {
    let ranks = trace.locations.iter().map(|it| it.rank.0 % 2);
    let parts: Vec<u32> = ranks.collect();
    let find = |job: &dyn Processes| {
        let part = share(trace, parts.clone(), job.me());
        let matching = part.matching_among(job);
        matching.is_some_and(|it| nothing_to_find(&part, &it, job))
    };
    by_processes(2, find) == [true, true]
}

/// Returns a profile, and what a verdict says of it.
fn told(trace: &Trace, matching: &Matching, profile: &Profile) -> String {
    let verdict = Verdict::of(trace, matching, profile);
    let words = verdict.words(trace);
    format!("{profile:#?}\n{verdict:#?}\n{words:#?}")
}
