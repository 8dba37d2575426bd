//! What a forced run means for its race.

use mpiscope_archive::model::{Event, EventRef, Trace};
use mpiscope_run::order::outcome::{RankOutcome, State};
use serde::{Deserialize, Serialize};

use super::alter::{was_forced, was_next};
use super::calls::named;
use super::candidates::Candidate;
use super::compare::{Baseline, Difference};
use super::force::Forced;

/// A verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It comes to its end, as the recorded order does not.
    Completes,
    /// Nothing happens any more.
    Deadlocks,
    /// It goes on and on.
    DoesNotEnd,
    /// Exit code, output or files are others.
    ChangesTheResult,
    /// Ranks receive other data, which shows in none of them.
    ChangesData,
    /// Nothing differs.
    HarmlessSoFar,
    /// The alternative could not be forced.
    NotReached,
}

impl Verdict {
    /// The verdict in words.
    pub fn shown(self) -> &'static str {
        match self {
            Verdict::Completes => "completes",
            Verdict::Deadlocks => "deadlocks",
            Verdict::DoesNotEnd => "does not end",
            Verdict::ChangesTheResult => "changes the result",
            Verdict::ChangesData => "changes data",
            Verdict::HarmlessSoFar => "harmless so far",
            Verdict::NotReached => "not reached",
        }
    }

    /// Returns whether it is something to look at.
    pub fn is_finding(self) -> bool {
        self <= Verdict::ChangesTheResult
    }

    /// Returns whether the order that was forced is a good one.
    pub fn is_good(self) -> bool {
        self == Verdict::Completes
    }
}

/// Judges a forced run; says why.
pub fn judge(
    trace: &Trace,
    baseline: &Baseline,
    candidate: &Candidate,
    forced: &Forced,
) -> (Verdict, Vec<String>) {
    let stalled = forced.ranks.iter().any(|it| it.state == State::Stalled);
    if let Some(why) = missed(trace, candidate, forced, stalled) {
        return (Verdict::NotReached, vec![why]);
    }
    if stalled {
        return (Verdict::Deadlocks, stuck(trace, &forced.ranks));
    }
    if forced.overdue {
        let ended = format!("ended by us after {:.0} s", forced.seconds);
        let why = match baseline.hangs {
            true => ended,
            false => format!(
                "{ended}; the recorded order takes {:.1} s",
                baseline.seconds
            ),
        };
        return (Verdict::DoesNotEnd, vec![why]);
    }
    if baseline.hangs {
        return of_a_run_that_hung(forced);
    }
    let differences = baseline.differences(&forced.left);
    let is_data = |difference: &Difference| matches!(difference, Difference::Received(_));
    let verdict = match &differences[..] {
        [] => Verdict::HarmlessSoFar,
        all if all.iter().all(is_data) => Verdict::ChangesData,
        _ => Verdict::ChangesTheResult,
    };
    (
        verdict,
        differences.iter().map(Difference::sentence).collect(),
    )
}

/// Judges a forced run that came to its end, unlike the recorded one: there is
/// nothing to compare it with.
fn of_a_run_that_hung(forced: &Forced) -> (Verdict, Vec<String>) {
    match forced.left.code {
        0 => {
            let how = "the program comes to its end: which message comes first here decides";
            (Verdict::Completes, vec![how.to_owned()])
        }
        code => {
            let how = format!("the program ends, with exit code {code}");
            (Verdict::ChangesTheResult, vec![how])
        }
    }
}

/// Returns why the race did not take place as was wished, if so.
fn missed(trace: &Trace, candidate: &Candidate, forced: &Forced, stalled: bool) -> Option<String> {
    let rank = candidate.flip.rank;
    let Some(record) = &forced.record else {
        return Some("no rank left a record of what it did".to_owned());
    };
    if !was_forced(record, &candidate.flip) {
        // A receive that ends the program, as it is too short, is not on record.
        let ended = !stalled && !forced.overdue && forced.left.code != 0;
        if ended && was_next(record, &candidate.flip) {
            return None;
        }
        let before = forced.ranks.iter().find_map(|it| {
            let divergence = it.divergence.as_ref()?;
            Some(format!(
                "rank {} did otherwise before the race: {} instead of {}",
                it.rank, divergence.came, divergence.expected
            ))
        });
        let otherwise = || format!("rank {rank} did not get that message there");
        return Some(before.unwrap_or_else(otherwise));
    }
    // A nonblocking receive is on record when it is posted. It takes the
    // message once that is sent: nothing else that suits may come before.
    let nonblocking = candidate.race.post != candidate.race.receive;
    let sender = forced.ranks.iter().find(|it| it.rank == candidate.sender)?;
    let sent =
        sender.state == State::Finished || sender.calls >= calls_until(trace, candidate.send);
    (stalled && nonblocking && !sent)
        .then(|| format!("rank {} did not come to send that message", sender.rank))
}

/// Returns how many calls a thread had begun after MPI_Init when an event happened.
fn calls_until(trace: &Trace, event: EventRef) -> u64 {
    let events = &trace.locations[event.location.index()].events;
    let (mut depth, mut calls) = (0u32, 0u64);
    for index in 0..(event.index as usize).min(events.len()) {
        match events.event(index) {
            Event::Enter(region) => {
                let name = trace.definitions.regions.get(region.index());
                let name = name.map_or("", |region| region.name.as_str());
                calls += u64::from(depth == 0 && !name.starts_with("MPI_Init"));
                depth += 1;
            }
            Event::Leave(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    calls
}

/// Says what the ranks wait for, and the circle if there is one.
fn stuck(trace: &Trace, ranks: &[RankOutcome]) -> Vec<String> {
    let mut lines: Vec<String> = circle(trace, ranks).into_iter().collect();
    for outcome in ranks {
        let rank = outcome.rank;
        for wait in &outcome.waits {
            let at = match wait.site.is_empty() {
                true => String::new(),
                false => format!(" at {}", named(trace, &wait.site)),
            };
            lines.push(format!("rank {rank} waits in {}{at}", wait.what));
        }
        match outcome.state {
            State::Finished => lines.push(format!("rank {rank} has come to MPI_Finalize")),
            State::Gone => lines.push(format!("rank {rank} ended without MPI_Finalize")),
            _ => {}
        }
    }
    lines
}

/// Follows who waits for whom; nothing where ranks are those of communicators
/// other than the world.
fn circle(trace: &Trace, ranks: &[RankOutcome]) -> Option<String> {
    let world = trace.definitions.processes.len();
    let communicators = &trace.definitions.communicators;
    if !communicators
        .iter()
        .all(|it| it.is_self || it.size() == world && it.remote.is_none())
    {
        return None;
    }
    let next = |rank: u32| {
        let outcome = ranks.iter().find(|it| it.rank == rank)?;
        outcome.waits.iter().find_map(|wait| wait.source)
    };
    for outcome in ranks {
        let mut path = vec![outcome.rank];
        while let Some(rank) = path.last().copied().and_then(next) {
            if let Some(begin) = path.iter().position(|&it| it == rank) {
                let words = path[begin..]
                    .iter()
                    .map(|rank| format!("rank {rank} waits for "));
                return Some(format!(
                    "a circle: {}rank {rank}",
                    words.collect::<String>()
                ));
            }
            path.push(rank);
        }
    }
    let ended = |rank: u32| {
        ranks
            .iter()
            .any(|it| it.rank == rank && it.state == State::Finished)
    };
    let for_ended = ranks.iter().find_map(|it| Some((it.rank, next(it.rank)?)));
    let (rank, source) = for_ended.filter(|it| ended(it.1))?;
    Some(format!(
        "rank {rank} waits for rank {source}, which sends no more"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_run::order::outcome::Wait;

    fn waits(rank: u32, source: Option<u32>) -> RankOutcome {
        let wait = Wait {
            what: "MPI_Recv()".into(),
            source,
            ..Wait::default()
        };
        RankOutcome {
            rank,
            state: State::Stalled,
            waits: vec![wait],
            ..RankOutcome::default()
        }
    }

    #[test]
    fn a_circle_is_told_by_who_waits_for_whom() {
        let trace = Trace::default();
        let ranks = [waits(0, Some(2)), waits(1, Some(2)), waits(2, Some(1))];
        let circle = circle(&trace, &ranks).unwrap();
        assert_eq!(circle, "a circle: rank 2 waits for rank 1 waits for rank 2");
    }

    #[test]
    fn without_circle_it_is_told_who_has_ended() {
        let finished = RankOutcome {
            rank: 1,
            state: State::Finished,
            ..RankOutcome::default()
        };
        let lines = stuck(&Trace::default(), &[waits(0, Some(1)), finished]);
        let expected = [
            "rank 0 waits for rank 1, which sends no more",
            "rank 0 waits in MPI_Recv()",
            "rank 1 has come to MPI_Finalize",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn calls_are_counted_after_init() {
        let trace = Trace::parse(
            "0: 1 enter(MPI_Init) 2 leave(MPI_Init) 3 enter(MPI_Send) 4 send>1 5 leave(MPI_Send) 6 enter(MPI_Recv) 7 recv<1
             1: 1 recv<0 2 send>0",
        );
        let event = EventRef::new(mpiscope_archive::model::LocationIndex(0), 6);
        assert_eq!(calls_until(&trace.unwrap(), event), 2);
    }
}
