//! What runs that were made of this one have proven: where a replay left the recorded order
//! (`replay.json`), and what came of alternatives that were forced (`explore/state.json`).

use mpiscope_analysis::finding::{self, Departure, Explored, Findings, Forced, Replayed};
use mpiscope_archive::calls::call_at;
use mpiscope_archive::model::{Event, EventRef, Trace};
use mpiscope_run::order::outcome::{self, Divergence, RankOutcome, Replay};

use crate::explore::state::{Finding, State};
use crate::explore::verdict::Verdict;
use crate::input::Input;
use crate::report::show;
use crate::say;

use super::super::anonymous::Names;

/// What was proven, with its places in the trace.
#[derive(Debug, Default)]
pub struct Proven {
    replayed: Vec<Replayed>,
    explored: Vec<Explored>,
}

impl Proven {
    /// Reads what lies in the run's directory, and notes what of it has no place in the trace.
    pub fn of(input: &Input, notes: &mut Vec<String>) -> Proven {
        let mut proven = Proven::default();
        if input.run.is_none() {
            return proven;
        }
        if input.path.join(outcome::FILE).is_file() {
            match Replay::read(&input.path) {
                Ok(replay) => proven.replayed = replayed(&input.trace, &replay, notes),
                Err(error) => notes.push(error.to_string()),
            }
        }
        match State::read(&input.path) {
            Ok(state) => {
                let found = state.map_or(Vec::new(), |state| state.findings);
                proven.explored = explored(&input.trace, &found, notes);
            }
            Err(error) => notes.push(say::chain(&error)),
        }
        proven
    }

    /// Adds it to what was found. What a program printed may hold names.
    pub fn add(mut self, trace: &Trace, names: Names, findings: &mut Findings) {
        if names == Names::LeftOut {
            self.explored.iter_mut().for_each(|it| it.how.clear());
        }
        finding::of_explored(trace, &self.explored, findings);
        finding::of_replayed(trace, &self.replayed, findings);
    }
}

/// Finds the places of what was explored.
fn explored(trace: &Trace, found: &[Finding], notes: &mut Vec<String>) -> Vec<Explored> {
    let placed: Vec<Explored> = found.iter().filter_map(|it| place(trace, it)).collect();
    let lost = (found.len() - placed.len()) as u64;
    if lost > 0 {
        notes.push(format!(
            "cannot tell where {} lie that `mpiscope explore` forced: no events of this trace are \
             on file for them; `mpiscope explore --anew` finds them again",
            show::counted(lost, "alternative"),
        ));
    }
    placed
}

fn place(trace: &Trace, found: &Finding) -> Option<Explored> {
    let events = found.events?;
    let got = match events.got {
        Some(got) => Some(got.find(trace)?),
        None => None,
    };
    Some(Explored {
        forced: forced(found.verdict),
        receive: events.receive.find(trace)?,
        got,
        given: events.given.find(trace)?,
        how: found.how.first().cloned().unwrap_or_default(),
        alike: found.alike as u64,
    })
}

fn forced(verdict: Verdict) -> Forced {
    match verdict {
        Verdict::Completes => Forced::Completes,
        Verdict::Deadlocks => Forced::Deadlocks,
        Verdict::DoesNotEnd => Forced::DoesNotEnd,
        Verdict::ChangesTheResult => Forced::ChangesTheResult,
        Verdict::ChangesData => Forced::ChangesData,
        Verdict::HarmlessSoFar => Forced::HarmlessSoFar,
        Verdict::NotReached => Forced::NotReached,
    }
}

/// Finds where a replay left the recorded order; what has no place is noted.
fn replayed(trace: &Trace, replay: &Replay, notes: &mut Vec<String>) -> Vec<Replayed> {
    let all: Vec<Replayed> = replay
        .ranks
        .iter()
        .flat_map(|rank| of_rank(trace, rank, notes))
        .collect();
    if all.is_empty() && replay.same == Some(false) {
        let differences = show::list(&replay.differences, 3);
        notes.push(format!(
            "the latest replay was not as recorded: {differences}"
        ));
    }
    all
}

/// A departure, its thread, and its calls from the first to the last that it may be.
type Told = (Departure, u32, [u64; 2], String);

fn of_rank(trace: &Trace, outcome: &RankOutcome, notes: &mut Vec<String>) -> Vec<Replayed> {
    let call = outcome.divergence.as_ref().map(|it| -> Told {
        let first = it.call.saturating_sub(it.within).max(1);
        let text = format!("{} came, {} was recorded", it.came, it.expected);
        (Departure::Call, it.thread, [first, it.call], text)
    });
    let data = outcome.other_data.as_ref().map(|it| -> Told {
        let calls = [it.from, it.call];
        (Departure::Data, it.thread, calls, String::new())
    });
    let threads = outcome.other_threads.as_ref().map(|it| -> Told {
        let text = format!("thread {} had come when it was recorded", it.recorded);
        (Departure::Thread, it.thread, [it.call, it.call], text)
    });
    let mut found = Vec::new();
    for (departure, thread, [first, last], text) in [call, data, threads].into_iter().flatten() {
        let at = |call| call_at(trace, outcome.rank, thread, call);
        let place = at(first).map(|from| (from, at(last).unwrap_or(from)));
        let fits = |from: &EventRef| match (&outcome.divergence, departure) {
            (Some(told), Departure::Call) => fits(trace, *from, told),
            _ => true,
        };
        match place.filter(|(from, _)| fits(from)) {
            Some((from, to)) => found.push(Replayed {
                departure,
                from,
                to,
                text,
            }),
            None => notes.push(format!(
                "cannot tell where a replay was not as recorded on rank {}: its call {} is not in \
                 this trace{}",
                outcome.rank,
                show::count(last),
                match text.is_empty() {
                    true => String::new(),
                    false => format!(" ({text})"),
                },
            )),
        }
    }
    found
}

/// Whether the trace has one of the two calls there that the replay tells of, as far as it names
/// them: it may tell a receive by what it took.
fn fits(trace: &Trace, enter: EventRef, told: &Divergence) -> bool {
    let events = &trace.locations[enter.location.index()].events;
    let Event::Enter(region) = events.event(enter.index as usize) else {
        return false;
    };
    let region = trace.definitions.regions.get(region.index());
    let name = region.map_or("", |region| region.name.as_str());
    let function = |call: &str| call.split('(').next().unwrap_or_default().to_owned();
    let is_told = told.within == 0 && told.expected.starts_with("MPI_");
    !is_told || [function(&told.expected), function(&told.came)].contains(&name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::state::{At, Events};

    const TRACE: &str = "\
0: 1 enter(MPI_Init) 2 leave(MPI_Init) 3 enter(MPI_Recv) 5 recv<1(any) 6 leave(MPI_Recv) 8 enter(MPI_Finalize)
1: 1 enter(MPI_Init) 2 leave(MPI_Init) 3 enter(MPI_Send) 4 send>0 5 leave(MPI_Send) 8 enter(MPI_Finalize)
2: 1 enter(MPI_Init) 2 leave(MPI_Init) 3 enter(MPI_Send) 4 send>0 5 leave(MPI_Send) 8 enter(MPI_Finalize)";

    fn diverged(call: u64, expected: &str) -> Replay {
        let outcome = RankOutcome {
            divergence: Some(Divergence {
                call,
                came: "MPI_Send(dest=1, tag=0), 4 bytes".into(),
                expected: expected.into(),
                ..Divergence::default()
            }),
            ..RankOutcome::default()
        };
        Replay {
            ranks: vec![outcome],
            same: Some(false),
            ..Replay::default()
        }
    }

    /// Returns the times of the calls at which a replay differed, and what is noted.
    fn placed(replay: &Replay) -> (Vec<i64>, Vec<String>) {
        let trace = Trace::parse(TRACE).unwrap();
        let mut notes = Vec::new();
        let found = replayed(&trace, replay, &mut notes);
        let times = found.iter().map(|it| trace.time(it.from).0);
        (times.collect(), notes)
    }

    #[test]
    fn a_replay_is_placed_at_the_call_that_differed() {
        let (at, notes) = placed(&diverged(1, "MPI_Recv(source=any, tag=0), 4 bytes"));
        assert_eq!((at, notes), (vec![3], vec![]));
        let (at, _) = placed(&diverged(1, "a receive that took a message from rank 2"));
        assert_eq!(at, [3]);
    }

    #[test]
    fn what_the_trace_does_not_hold_cannot_be_told() {
        let (at, notes) = placed(&diverged(7, "MPI_Recv()"));
        assert!(at.is_empty());
        assert!(notes[0].starts_with("cannot tell where a replay was not as recorded on rank 0"));
        // Another trace: no receive is there.
        let (at, notes) = placed(&diverged(1, "MPI_Bcast()"));
        assert!(
            at.is_empty() && notes[0].contains("MPI_Bcast() was recorded"),
            "{notes:?}"
        );
    }

    #[test]
    fn what_differed_nowhere_in_particular_is_noted() {
        let replay = Replay {
            same: Some(false),
            differences: vec!["the command ended with exit code 1, the recorded one with 0".into()],
            ..Replay::default()
        };
        let (at, notes) = placed(&replay);
        assert!(
            at.is_empty() && notes[0].contains("exit code 1"),
            "{notes:?}"
        );
    }

    fn alternative(event: u32) -> Finding {
        let at = |location, event| At { location, event };
        Finding {
            number: 1,
            key: String::new(),
            verdict: Verdict::Deadlocks,
            how: vec!["a circle".into()],
            rank: 0,
            receive: String::new(),
            got: Some(1),
            given: 2,
            sent: String::new(),
            hazard: false,
            alike: 1,
            record: None,
            seconds: 0.0,
            events: Some(Events {
                receive: at(0, event),
                got: Some(at(1, 3)),
                given: at(2, 3),
            }),
        }
    }

    #[test]
    fn an_alternative_is_placed_by_its_events() {
        let trace = Trace::parse(TRACE).unwrap();
        let mut notes = Vec::new();
        let earlier = Finding {
            events: None,
            ..alternative(3)
        };
        let found = explored(
            &trace,
            &[alternative(3), alternative(99), earlier],
            &mut notes,
        );
        let [found] = &found[..] else {
            panic!("{found:?}");
        };
        assert_eq!(trace.time(found.receive).0, 5);
        assert_eq!(
            (found.forced, found.how.as_str()),
            (Forced::Deadlocks, "a circle")
        );
        assert!(
            notes[0].starts_with("cannot tell where 2 alternatives lie"),
            "{notes:?}"
        );
    }

    #[test]
    fn what_a_program_printed_is_a_name() {
        let trace = Trace::parse(TRACE).unwrap();
        let text = |names| {
            let explored = explored(&trace, &[alternative(3)], &mut Vec::new());
            let proven = Proven {
                explored,
                ..Proven::default()
            };
            let mut findings = Findings::default();
            proven.add(&trace, names, &mut findings);
            findings.list[0].text.clone()
        };
        assert!(text(Names::Kept).ends_with(": a circle"));
        assert!(!text(Names::LeftOut).contains("circle"));
    }
}
