//! How a run ended in which not all ranks came to MPI_Finalize: who died, of
//! what, and where each rank stood.

use std::collections::BTreeMap;
use std::path::Path;

use mpiscope_analysis::last_calls::{is_unrecorded, last_calls, polling, Polling, Stood};
use mpiscope_archive::model::{EventRef, Trace};
use mpiscope_run::endings::{self, Cause, Ending};
use mpiscope_run::run_info::{RunInfo, State};
use serde::{Deserialize, Serialize};

use crate::call::SourcePlace;
use crate::input::Input;
use crate::report::show;

/// Sentences that are said; `--json` has every rank.
const MOST: usize = 8;
/// Nanoseconds: who lived on for longer after its last poll has left the loop. The agent looks once
/// a second.
pub const POLLS_AT_ONCE: i64 = 2_500_000_000;

/// Where each rank stood that did not come to its end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EndOfRun {
    /// Those that said what ended them first, in order of time; then by rank.
    pub ranks: Vec<Standing>,
    /// An archive by itself: its end need not be that of the program.
    #[serde(skip)]
    by_itself: bool,
}

/// Where a rank stood when it ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// World rank.
    pub rank: u32,
    /// Number of the thread's location in the archive.
    pub location: u64,
    /// What ended the process; nothing if it could not tell, as after SIGKILL or `_exit`.
    pub ended: Option<Ended>,
    /// The call of MPI that it was in.
    pub inside: Option<SourcePlace>,
    /// If it was in none: the last one, which had returned.
    pub after: Option<SourcePlace>,
    /// Recording was off at its end: what it did after that call is not known.
    #[serde(default)]
    pub unrecorded: bool,
    /// How long it is known to have stood there; if it polled, since it began to.
    pub for_ns: Option<i64>,
    /// How many polls in that time found nothing, at least; nothing if it did not poll.
    #[serde(default)]
    pub polls: Option<u64>,
}

/// What ended a process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    /// `signal`, `abort` or `exit`, and its number.
    #[serde(flatten)]
    pub cause: Cause,
    /// The signal's name.
    pub signal: Option<String>,
    /// When, in nanoseconds since 1970 by its host's clock.
    pub at: u64,
}

impl EndOfRun {
    /// Looks at a run or an archive; nothing if all ranks came to MPI_Finalize, as far as it tells.
    pub fn of(input: &Input) -> Option<EndOfRun> {
        let endings = match &input.run {
            Some(_) => endings::read(&input.path),
            None => Vec::new(),
        };
        let mut stood = last_calls(&input.trace);
        let ended = input.run.iter().flat_map(|run| &run.ended);
        let ended: Vec<u32> = ended.copied().collect();
        for (location, stood) in input.trace.locations.iter().zip(&mut stood) {
            if ended.contains(&location.rank.0) {
                *stood = Stood::Finalized;
            }
        }
        let is_over = |stood: &Stood| matches!(stood, Stood::Finalized | Stood::Elsewhere);
        let has_died = match &input.run {
            Some(run) => run.state == State::Recovered && !stood.iter().all(is_over),
            // What an archive by itself ends with may be the end of what was recorded.
            None => stood.iter().any(|stood| matches!(stood, Stood::In(_))),
        };
        (has_died || !endings.is_empty()).then(|| EndOfRun::new(input, &stood, &endings))
    }

    fn new(input: &Input, stood: &[Stood], endings: &[Ending]) -> EndOfRun {
        let trace = &input.trace;
        let order = |rank: u32| endings.iter().position(|ending| ending.rank == rank);
        let mut ranks: Vec<Standing> = (trace.locations.iter().zip(stood))
            .filter_map(|(location, stood)| {
                let rank = location.rank.0;
                let ended = order(rank).map(|at| Ended::new(&endings[at]));
                let (event, inside) = match stood {
                    Stood::In(event) => (Some(*event), true),
                    Stood::After(event) => (Some(*event), false),
                    Stood::Finalized if ended.is_some() => (None, false),
                    Stood::Finalized | Stood::Elsewhere => return None,
                };
                let place = event.map(|event| SourcePlace::of(trace, event));
                let run = input.run.as_ref();
                let polling = event.and_then(|event| polling(trace, event));
                let unrecorded =
                    !inside && event.is_some_and(|event| is_unrecorded(trace, event.location));
                let is_known = !unrecorded && lived_on(run, rank) < POLLS_AT_ONCE;
                let polling = polling.filter(|_| inside || is_known);
                let since = event.filter(|_| inside);
                let since = polling.map(|loop_| loop_.first).or(since);
                Some(Standing {
                    rank,
                    location: location.id,
                    ended,
                    unrecorded,
                    for_ns: stayed(trace, run, rank, since).filter(|_| !unrecorded),
                    polls: polling.map(|it: Polling| it.polls),
                    inside: place.clone().filter(|_| inside),
                    after: place.filter(|_| !inside),
                })
            })
            .collect();
        ranks.sort_by_key(|it| (order(it.rank).unwrap_or(usize::MAX), it.rank, it.location));
        EndOfRun {
            ranks,
            by_itself: input.run.is_none(),
        }
    }

    /// Says what cannot be told as ranks did not come to their end; nothing of an archive by itself,
    /// whose end need not be the program's.
    pub fn doubt(&self) -> Option<String> {
        let mut ranks: Vec<u32> = self.ranks.iter().map(|it| it.rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let is_known = !self.by_itself && !ranks.is_empty();
        is_known.then(|| {
            format!(
                "what the rest of the run would have lost: {} did not come to the end of MPI_Finalize",
                show::ranks(&ranks)
            )
        })
    }

    /// Returns what was kept of an archive, which may be in no run.
    pub fn kept(self, by_itself: bool) -> EndOfRun {
        EndOfRun { by_itself, ..self }
    }

    /// Says who ended by what and stood where: a sentence for all ranks of which it is the same.
    pub fn sentences(&self) -> Vec<String> {
        let mut said: Vec<(String, Vec<&Standing>)> = Vec::new();
        for standing in &self.ranks {
            let text = match self.by_itself {
                true => format!("stood {} when the archive ends", standing.place()),
                false => standing.predicate(),
            };
            match said.iter_mut().find(|(known, _)| *known == text) {
                Some((_, all)) => all.push(standing),
                None => said.push((text, vec![standing])),
            }
        }
        let more = said.len().saturating_sub(MOST);
        let mut sentences: Vec<String> = (said.iter().take(MOST))
            .map(|(text, all)| sentence(text, all))
            .collect();
        if more > 0 {
            sentences.push(format!(
                "{more} more ends differ from these (--json lists all)"
            ));
        }
        sentences
    }
}

/// Returns how long a rank stood in the call it entered last, in its own code, or since it began to poll.
fn stayed(trace: &Trace, run: Option<&RunInfo>, rank: u32, since: Option<EventRef>) -> Option<i64> {
    let since = since.map_or(0, |enter| {
        let times = trace.locations[enter.location.index()].events.times();
        times.last().map_or(0, |last| (*last - trace.time(enter)).0)
    });
    Some(since.saturating_add(lived_on(run, rank))).filter(|stayed| *stayed > 0)
}

/// Returns how long a rank was seen alive after its last event.
fn lived_on(run: Option<&RunInfo>, rank: u32) -> i64 {
    let lived_on = run.and_then(|run| run.lived_on.iter().find(|it| it.rank == rank));
    lived_on.map_or(0, |it| it.nanoseconds as i64)
}

fn sentence(predicate: &str, all: &[&Standing]) -> String {
    let mut ranks: Vec<u32> = all.iter().map(|standing| standing.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    // What holds for all of them; of one that is not known to have stayed, nothing does.
    let stayed = all.iter().map(|standing| standing.for_ns.unwrap_or(0));
    let stayed = match stayed.min() {
        // The agent looks once a second whether it still lives.
        Some(stayed) if stayed > 0 && !all[0].aborted() => {
            format!(", for {} or more", show::duration(stayed as f64))
        }
        _ => String::new(),
    };
    format!("rank {} {predicate}{stayed}", show::ranges(&ranks))
}

impl Standing {
    /// Returns whether the call that it was in is what ended it.
    fn aborted(&self) -> bool {
        let cause = self.ended.as_ref().map(|ended| ended.cause);
        self.inside.is_some() && matches!(cause, Some(Cause::Abort(_)))
    }

    /// Says by what it ended, and where it stood: what follows "rank 3".
    pub fn predicate(&self) -> String {
        let by_mpi = match (&self.inside, self.ended.as_ref().map(|ended| ended.cause)) {
            (Some(_), Some(Cause::Exit(_))) => " (MPI ended it)",
            _ => "",
        };
        let ended = match &self.ended {
            Some(ended) => format!("ended by {}{by_mpi}", ended.shown()),
            None => "ended from outside, or by _exit".to_owned(),
        };
        let source = self.inside.as_ref().and_then(SourcePlace::source);
        match (self.aborted(), source) {
            (true, Some(source)) => format!("{ended} at {source}"),
            (true, None) => ended,
            _ => format!("{ended}, {}", self.place()),
        }
    }

    fn place(&self) -> String {
        let polls = self.polls.is_some();
        match (&self.inside, &self.after) {
            (Some(call), _) | (_, Some(call)) if polls => format!("polling in {}", call.shown()),
            (Some(call), _) => format!("in {}", call.shown()),
            (_, Some(call)) if self.unrecorded => format!(
                "not recorded any more, after {} or later calls",
                call.shown()
            ),
            (_, Some(call)) => format!("in its own code, after {}", call.shown()),
            _ => "after MPI_Finalize".to_owned(),
        }
    }
}

impl Ended {
    fn new(ending: &Ending) -> Ended {
        let signal = match ending.cause {
            Cause::Signal(number) => signal_name(number).map(str::to_owned),
            Cause::Abort(_) | Cause::Exit(_) => None,
        };
        Ended {
            cause: ending.cause,
            signal,
            at: ending.at,
        }
    }

    fn shown(&self) -> String {
        match (self.cause, &self.signal) {
            (Cause::Signal(number), Some(name)) => format!("signal {number} ({name})"),
            (Cause::Signal(number), None) => format!("signal {number}"),
            (Cause::Abort(code), _) => format!("MPI_Abort with code {code}"),
            (Cause::Exit(code), _) => format!("exit with code {code}"),
        }
    }
}

/// Names the signals that a process brings on itself.
fn signal_name(number: i32) -> Option<&'static str> {
    use signal_hook::consts::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS};
    const NAMES: [(i32, &str); 6] = [
        (SIGSEGV, "SIGSEGV"),
        (SIGABRT, "SIGABRT"),
        (SIGBUS, "SIGBUS"),
        (SIGFPE, "SIGFPE"),
        (SIGILL, "SIGILL"),
        (SIGSYS, "SIGSYS"),
    ];
    let row = NAMES.iter().find(|row| row.0 == number);
    row.map(|row| row.1)
}

/// Says who ended by what, of a run of which there is no trace.
pub fn last_words(run: &Path) -> Vec<String> {
    let mut said: BTreeMap<(usize, String), Vec<u32>> = BTreeMap::new();
    let endings = endings::read(run);
    let texts: Vec<String> = endings.iter().map(|it| Ended::new(it).shown()).collect();
    for (ending, text) in endings.iter().zip(&texts) {
        let first = texts.iter().position(|other| other == text).unwrap_or(0);
        said.entry((first, text.clone()))
            .or_default()
            .push(ending.rank);
    }
    let sentence = |((_, text), mut ranks): ((usize, String), Vec<u32>)| {
        ranks.sort_unstable();
        format!("rank {} ended by {text}", show::ranges(&ranks))
    };
    said.into_iter().map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use mpiscope_run::run_info::LivedOn;
    use std::fs;

    fn died(picture: &str, endings: &[(u32, &str)]) -> (tempfile::TempDir, Input) {
        let run = tempfile::tempdir().unwrap();
        fs::create_dir(endings::folder(run.path())).unwrap();
        for (rank, line) in endings {
            fs::write(endings::path(run.path(), *rank), line).unwrap();
        }
        let input = Input {
            trace: Trace::parse(picture).unwrap(),
            path: run.path().to_owned(),
            run: Some(RunInfo {
                state: State::Recovered,
                lived_on: vec![LivedOn {
                    rank: 0,
                    nanoseconds: 3_000_000_000,
                }],
                ..RunInfo::default()
            }),
            ..Input::default()
        };
        (run, input)
    }

    const STUCK: &str = "\
0: 1 enter(MPI_Send) !at(a.c:3) 2 send>1 3 leave(MPI_Send) 4 enter(MPI_Recv) !at(a.c:4) 4 leave(MPI_Recv)
1: 1 enter(MPI_Recv) !at(a.c:7) 5 recv<0 6 leave(MPI_Recv)
2: 1 enter(MPI_Recv) !at(a.c:4) 1 leave(MPI_Recv)";

    #[test]
    fn who_died_is_said_first_and_where_the_others_stood() {
        let (_run, input) = died(STUCK, &[(1, "signal 11 100")]);
        let end = EndOfRun::of(&input).unwrap();
        expect![[r#"
            rank 1 ended by signal 11 (SIGSEGV), in its own code, after MPI_Recv at a.c:7
            rank 0, 2 ended from outside, or by _exit, in MPI_Recv at a.c:4"#]]
        .assert_eq(&end.sentences().join("\n"));
        let json = serde_json::to_value(&end).unwrap();
        assert_eq!(json["ranks"][0]["ended"]["by"], "signal");
        assert_eq!(json["ranks"][0]["ended"]["code"], 11);
        assert_eq!(json["ranks"][1]["inside"]["line"], 4);
        assert_eq!(json["ranks"][1]["for_ns"], 3_000_000_000i64);
        assert!(json["ranks"][2]["ended"].is_null());
    }

    #[test]
    fn of_who_is_not_recorded_at_the_end_nothing_is_claimed() {
        let picture = "\
0: 1 enter(MPI_Test) !at(a.c:4) 2 leave(MPI_Test) 3 enter(MPI_Test) !at(a.c:4) 4 leave(MPI_Test) 5 off
1: 1 enter(MPI_Recv) !at(a.c:7) 5 recv<0 6 leave(MPI_Recv) !cut";
        let (_run, input) = died(picture, &[(0, "signal 11 100")]);
        let end = EndOfRun::of(&input).unwrap();
        expect![[r#"
            rank 0 ended by signal 11 (SIGSEGV), not recorded any more, after MPI_Test at a.c:4 or later calls
            rank 1 ended from outside, or by _exit, in MPI_Recv at a.c:7, for 5 ns or more"#]]
        .assert_eq(&end.sentences().join("\n"));
        let json = serde_json::to_value(&end).unwrap();
        assert_eq!(json["ranks"][0]["unrecorded"], true);
        assert!(json["ranks"][0]["for_ns"].is_null());
        assert_eq!(json["ranks"][1]["unrecorded"], false);
    }

    #[test]
    fn who_polls_for_ever_is_said_to_do_so_and_since_when() {
        let picture = "\
0: 1 enter(MPI_Test) !at(a.c:4) 2 leave(MPI_Test) 3 enter(MPI_Test) !at(a.c:4) !polls(70) 1000001 leave(MPI_Test)
1: 1 enter(MPI_Test) !at(a.c:4) 2 leave(MPI_Test) 3 enter(MPI_Test) !at(a.c:4) !polls(9) 2000001 leave(MPI_Test) !cut";
        let (_run, mut input) = died(picture, &[]);
        input.run.as_mut().unwrap().lived_on.clear();
        let end = EndOfRun::of(&input).unwrap();
        assert_eq!(
            end.sentences(),
            ["rank 0-1 ended from outside, or by _exit, polling in MPI_Test at a.c:4, for 1 ms or more"]
        );
        assert_eq!(end.ranks[0].polls, Some(71));
        // Long after its last poll it does something else.
        let (_run, input) = died(picture, &[]);
        let end = EndOfRun::of(&input).unwrap();
        let words = end.sentences();
        assert!(
            words[0].contains(
                "rank 0 ended from outside, or by _exit, in its own code, after MPI_Test"
            ),
            "{words:?}"
        );
    }

    #[test]
    fn an_abort_is_said_with_its_line_and_an_exit_within_mpi_is_mpis() {
        let picture = "\
0: 1 enter(MPI_Abort) !at(a.c:9) 1 leave(MPI_Abort)
1: 1 enter(MPI_Recv) !at(a.c:4) 1 leave(MPI_Recv)";
        let (run, input) = died(picture, &[(0, "abort 5 100"), (1, "exit 1 200")]);
        let end = EndOfRun::of(&input).unwrap();
        expect![[r#"
            rank 0 ended by MPI_Abort with code 5 at a.c:9
            rank 1 ended by exit with code 1 (MPI ended it), in MPI_Recv at a.c:4"#]]
        .assert_eq(&end.sentences().join("\n"));
        let words = last_words(run.path()).join("; ");
        assert_eq!(
            words,
            "rank 0 ended by MPI_Abort with code 5; rank 1 ended by exit with code 1"
        );
    }

    #[test]
    fn a_run_that_came_to_its_end_is_not_spoken_of() {
        let picture = "0: 1 enter(MPI_Finalize) 5 leave(MPI_Finalize)";
        let (_run, input) = died(picture, &[]);
        assert!(EndOfRun::of(&input).is_none());
        let archive = Input {
            trace: Trace::parse("0: 1 enter(MPI_Send) 2 leave(MPI_Send)").unwrap(),
            ..Input::default()
        };
        assert!(EndOfRun::of(&archive).is_none());
    }

    #[test]
    fn an_archive_by_itself_does_not_tell_who_ended_a_program() {
        let archive = Input {
            trace: Trace::parse("0: 1 enter(MPI_Send) !at(a.c:3)").unwrap(),
            ..Input::default()
        };
        let end = EndOfRun::of(&archive).unwrap();
        assert_eq!(
            end.sentences(),
            ["rank 0 stood in MPI_Send at a.c:3 when the archive ends"]
        );
    }
}
