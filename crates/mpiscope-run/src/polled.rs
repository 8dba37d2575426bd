//! Polls that found nothing and are told together: how many of each place, of all processes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::call_sites::CodePlace;
use crate::drain::Written;
use crate::plan::Plan;

/// Polls of one function from one place in the program, of all threads.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Polled {
    /// The function of MPI.
    pub function: String,
    /// The place, as it is shown: `heat.c:42`; nothing while that is not known.
    pub at: Option<String>,
    /// The place, if it is known.
    pub place: Option<CodePlace>,
    /// How many found nothing and are told by calls that stand for several.
    pub polls: u64,
    /// How long they took together, estimated from one in sixteen of them.
    pub nanoseconds: u64,
    /// Threads that made them.
    pub threads: u64,
}

/// Adds up what was written of all locations, most polls first.
pub fn add_up(plan: &Plan, written: &[Written]) -> Vec<Polled> {
    let mut sums: BTreeMap<(u32, Option<u32>), [u64; 3]> = BTreeMap::new();
    for &(region, site, [polls, nanoseconds]) in written.iter().flat_map(|one| &one.polls) {
        let sum = sums.entry((region, site)).or_default();
        for (sum, more) in sum.iter_mut().zip([polls, nanoseconds, 1]) {
            *sum = sum.saturating_add(more);
        }
    }
    type Sum = ((u32, Option<u32>), [u64; 3]);
    let polled = |((region, site), [polls, nanoseconds, threads]): Sum| {
        let region = plan.regions.get(region as usize);
        let place = site.and_then(|site| plan.call_sites.get(site as usize));
        Polled {
            function: region.map_or_else(String::new, |region| region.name.clone()),
            at: None,
            place: place.cloned(),
            polls,
            nanoseconds,
            threads,
        }
    };
    let mut all: Vec<Polled> = sums.into_iter().map(polled).collect();
    all.sort_by_key(|one| std::cmp::Reverse(one.polls));
    all
}

/// Says how many there are, and where most of them: a count, as nothing is lost.
pub fn sentence(all: &[Polled]) -> Option<String> {
    let most = all.first()?;
    let polls: u64 = all.iter().map(|one| one.polls).sum();
    let seconds = all.iter().map(|one| one.nanoseconds).sum::<u64>() as f64 / 1e9;
    let place = most.at.as_ref().map(|at| format!(" at {at}"));
    let whose = match all.len() {
        1 => "all",
        _ => "most",
    };
    Some(format!(
        "{polls} polls that found nothing are told together, not each by itself ({seconds:.3} s in them): \
         {whose} are of {}{}; `trace --polls all` tells each",
        most.function,
        place.unwrap_or_default()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polls_of_all_threads_are_added_up_by_place() {
        let location = |polls: &[(u32, Option<u32>, [u64; 2])]| Written {
            polls: polls.to_vec(),
            ..Written::default()
        };
        let written = [
            location(&[(0, Some(0), [5, 100]), (1, None, [9, 10])]),
            location(&[(0, Some(0), [7, 50])]),
        ];
        let mut all = add_up(&Plan::default(), &written);
        let sums = all
            .iter()
            .map(|one| (one.polls, one.nanoseconds, one.threads));
        assert_eq!(sums.collect::<Vec<_>>(), [(12, 150, 2), (9, 10, 1)]);
        all[0].function = "MPI_Test".into();
        all[0].at = Some("a.c:3".into());
        let said = sentence(&all).unwrap();
        assert!(said.starts_with("21 polls"), "{said}");
        assert!(said.contains("most are of MPI_Test at a.c:3;"), "{said}");
        assert_eq!(sentence(&[]), None);
    }
}
