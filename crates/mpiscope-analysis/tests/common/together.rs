//! Processes that share a trace come to what one of them comes to that has all of it.

use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_analysis::profile::{Asked, Profile};
use mpiscope_model::{Processes, Rank, Trace};
use mpiscope_simulate::processes::{by_processes, share};

/// Expects the same profile of so many processes, which have every so-manieth rank each, or as many
/// ranks in a row; returns whether they could match the messages.
#[track_caller]
pub fn agree(trace: &Trace, errors: &ClockErrors) -> bool {
    let asked = Asked {
        errors: errors.clone(),
        ..Asked::without_causes()
    };
    let whole = told(Profile::asked(trace, &trace.matching(), &asked));
    let ranks = trace.ranks();
    let place = |rank: Rank| ranks.iter().position(|it| *it == rank).unwrap_or(0);
    let mut matched = true;
    for count in [2, 3] {
        let in_turn = |rank: Rank| place(rank) % count;
        let in_rows = |rank: Rank| place(rank) * count / ranks.len().max(1);
        for part in [&in_turn as &dyn Fn(Rank) -> usize, &in_rows] {
            let locations = trace.locations.iter();
            let parts: Vec<u32> = locations.map(|it| part(it.rank) as u32).collect();
            let profile = |processes: &dyn Processes| {
                let part = share(trace, parts.clone(), processes.me());
                let matching = part.matching_among(processes)?;
                Some(Profile::together(
                    &part,
                    &matching,
                    errors.clone(),
                    processes,
                ))
            };
            match by_processes(count, profile).swap_remove(0) {
                Some(first) => assert_eq!(told(first), whole, "{parts:?}"),
                None => matched = false,
            }
        }
    }
    matched
}

fn told(profile: Profile) -> String {
    format!("{profile:#?}")
}
