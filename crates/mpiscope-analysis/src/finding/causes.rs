//! Root causes of waiting: what took longer on a rank than on those that waited.

use mpiscope_model::Trace;

use super::{named, region, rounded, Findings, Place, Unit};
use crate::profile::{Activity, Profile, Statement};
use crate::root_causes::Delay;

/// Adds delays, each with the wait state of which most was charged to it; it weighs as much as all
/// waiting that it caused.
pub fn of_causes(trace: &Trace, profile: &Profile, findings: &mut Findings) {
    let delays = profile.causes.iter().flat_map(|it| &it.delays);
    findings.add(
        "root_cause",
        "Root cause of waiting".to_owned(),
        Unit::Nanoseconds,
        delays
            .map(|delay| (delay.costs().0.max(0) as u64, delay))
            .collect(),
        |delay| describe(trace, profile, delay),
    );
}

fn describe(trace: &Trace, profile: &Profile, delay: &Delay) -> (Vec<Place>, String) {
    let places = vec![
        Place::new(trace, "causes", delay.longest.cause),
        Place::new(trace, "waits", delay.longest.call),
    ];
    let activity = profile.activities.get(delay.activity as usize);
    let ns = |it: mpiscope_model::Duration| rounded(it.0.max(0) as u64);
    let how = match (delay.short_term.0, delay.long_term.0) {
        (_, 0) => "directly".to_owned(),
        (0, _) => "through waits of others".to_owned(),
        _ => format!(
            "{} directly and {} through waits of others",
            ns(delay.short_term),
            ns(delay.long_term)
        ),
    };
    let text = format!(
        "Rank {} causes {} of waiting, {how}: {} takes longer there",
        delay.rank,
        ns(delay.costs()),
        activity.map_or_else(String::new, |(it, _)| said(trace, it)),
    );
    (places, text)
}

/// Says what was done.
fn said(trace: &Trace, activity: &Activity) -> String {
    let call = |it: &Statement| named(trace, it.place);
    match activity {
        Activity::Mpi(it) | Activity::Threads(it) => call(it),
        Activity::Region(it) => region(trace, Some(*it)).unwrap_or("a region").to_owned(),
        Activity::Between(Some(from), Some(to)) if from == to => {
            format!("computation between two {}", call(from))
        }
        Activity::Between(Some(from), Some(to)) => {
            format!("computation from {} to {}", call(from), call(to))
        }
        Activity::Between(None, Some(to)) => format!("computation up to {}", call(to)),
        Activity::Between(Some(from), None) => format!("computation after {}", call(from)),
        Activity::Between(None, None) => "computation".to_owned(),
        Activity::Unrecorded => "what is not recorded".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_computes_longer_is_named_with_the_lines_around_it() {
        let trace = Trace::parse(
            "0: 0 10 enter(MPI_Recv) !at(a.c:7) 72 recv<1 73 leave(MPI_Recv) 80
             1: 0 10 enter(MPI_Recv) !at(a.c:7) 52 recv<2 52 leave(MPI_Recv) 52 enter(MPI_Send) 52 send>0 54 leave(MPI_Send)
             2: 0 50 enter(MPI_Send) !at(a.c:9) 51 send>1 52 leave(MPI_Send)",
        )
        .unwrap();
        let profile = Profile::of(&trace, &trace.matching());
        let mut findings = Findings::default();
        of_causes(&trace, &profile, &mut findings);
        assert_eq!(
            findings.list[0].text,
            "Rank 2 causes 80 ns of waiting, 40 ns directly and 40 ns through waits of others: \
             computation up to MPI_Send at a.c:9 takes longer there"
        );
        assert_eq!(findings.list[0].places[0].text, "MPI_Send at a.c:9");
    }
}
