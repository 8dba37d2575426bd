//! How far a replay was the same as the recorded run: what its last line says,
//! what `replay.json` holds and what its exit code comes from.
//!
//! The same is: no call differed, every rank ended where it had ended, in
//! MPI_Finalize or in the same call as it died then, and so did the command,
//! by its exit code. Where a run dies, one rank takes the others with it, in
//! whatever call these happen to be: one rank that dies in its recorded call
//! shows that it was that death.
//!
//! Where somebody at a debugger has chosen otherwise than recorded, what follows is theirs, and no
//! difference.

use mpiscope_run::order::outcome::{OtherData, OtherThreads, RankOutcome, Replay, State, What};
use mpiscope_run::order::{End, Record};

use crate::order;
use crate::report::show;

/// What came of a replay.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// In what it was not the same, in sentences.
    pub differences: Vec<String>,
    /// The last line.
    pub last: String,
}

impl Verdict {
    /// Returns whether all was the same.
    pub fn is_same(&self) -> bool {
        self.differences.is_empty()
    }
}

/// Where the first thread of a rank ended when it was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recorded {
    /// Nothing was recorded.
    Nothing,
    /// In MPI_Finalize, if it is known after how many calls.
    Finished(Option<End>),
    /// In or after this call.
    Died(End),
    /// Not known.
    Unknown,
}

/// Completes what is known of each rank, and judges. `kinds` is what no record governs.
pub fn judge(record: &Record, replay: &mut Replay, kinds: &[String]) -> Verdict {
    let mut all = Differences {
        is_chosen: is_chosen(replay),
        ..Differences::default()
    };
    for outcome in &mut replay.ranks {
        let recorded = recorded(record, outcome.rank);
        outcome.recorded_calls = match recorded {
            Recorded::Finished(end) => end.map(|end| end.calls),
            Recorded::Died(cut) => Some(cut.calls),
            Recorded::Nothing | Recorded::Unknown => None,
        };
        if is_whole(outcome, recorded) {
            // What had taken nothing then was free to take nothing now.
            outcome.free_from = None;
        }
        if let Some(call) = outcome.released_from {
            outcome.free_from = None;
            outcome.other_data = outcome.other_data.take().filter(|it| it.from < call);
        }
        let (thread, call) = same_until(outcome);
        outcome.same_until = (thread == 0).then_some(call);
        all.compare(outcome, recorded);
    }
    all.look_for_missing(record, replay);
    all.compare_ends(replay);
    let last = last_line(record, replay, &all, kinds);
    replay.same = Some(all.sentences.is_empty() && !all.is_chosen);
    Verdict {
        differences: all.sentences,
        last,
    }
}

/// Returns whether somebody at a debugger has chosen otherwise than recorded.
fn is_chosen(replay: &Replay) -> bool {
    let mut ranks = replay.ranks.iter();
    ranks.any(|outcome| outcome.released_from.is_some() || !outcome.user_choices.is_empty())
}

fn recorded(record: &Record, rank: u32) -> Recorded {
    let Some(order) = record.rank(rank) else {
        return Recorded::Nothing;
    };
    let first = order.threads.iter().find(|thread| thread.number == 0);
    match first {
        Some(thread) if thread.end.is_some() || order.finished => Recorded::Finished(thread.end),
        Some(thread) => thread.cut.map_or(Recorded::Unknown, Recorded::Died),
        None => Recorded::Unknown,
    }
}

fn is_finished(outcome: &RankOutcome) -> bool {
    outcome.state == State::Finished
}

/// The rank came to its recorded MPI_Finalize: its calls were compared there.
fn is_whole(outcome: &RankOutcome, recorded: Recorded) -> bool {
    let same = outcome.divergence.is_none() && is_finished(outcome);
    same && matches!(recorded, Recorded::Finished(Some(end)) if end.calls == outcome.calls)
}

/// Returns the last call up to which a rank did what it had done, of its first thread, or of
/// another one if that alone did something else: each counts its own calls.
fn same_until(outcome: &RankOutcome) -> (u32, u64) {
    let differs = outcome.divergence.as_ref();
    let differs = differs.map(|it| (it.thread, it.call.saturating_sub(it.within + 1)));
    let free = outcome.free_from.map(|call| (0, call.saturating_sub(1)));
    let data = outcome.other_data.as_ref();
    let data = data.map(|it| (it.thread, it.from.saturating_sub(1)));
    let released = outcome
        .released_from
        .map(|call| (0, call.saturating_sub(1)));
    let ends = [differs, free, data, released].into_iter().flatten().min();
    ends.unwrap_or((0, outcome.calls))
}

#[derive(Default)]
struct Differences {
    sentences: Vec<String>,
    /// Ranks that ended elsewhere than then; of no account where others took them along.
    ends: Vec<String>,
    /// Ranks that died in their recorded call, which it is.
    exact: Vec<(u32, u64)>,
    /// Whether some rank died when it was recorded.
    died: bool,
    /// Whether one of these is known to have died elsewhere now.
    elsewhere: bool,
    /// Those of which it is not known where they died now.
    unknown: Vec<u32>,
    /// Whether somebody has chosen otherwise than recorded: who ends where is then of no account.
    is_chosen: bool,
}

impl Differences {
    fn compare(&mut self, outcome: &RankOutcome, recorded: Recorded) {
        let rank = outcome.rank;
        let calls = show::count(outcome.calls);
        if let Some(data) = &outcome.other_data {
            self.say(other_data(rank, data));
        }
        if let Some(others) = &outcome.other_threads {
            self.say(other_threads(rank, others));
        }
        if let Some(divergence) = &outcome.divergence {
            let (whose, call) = (whose(rank, divergence.thread), show::count(divergence.call));
            self.say(format!("{whose} is not as recorded in its call {call}"));
            return;
        }
        if self.is_chosen {
            return;
        }
        match (recorded, outcome.state) {
            (_, State::Stalled | State::Stopped) => {
                self.say(format!("rank {rank} was ended after its call {calls}"));
            }
            (Recorded::Nothing, _) => {
                self.say(format!("rank {rank} ran free, as nothing was recorded of it"));
            }
            (Recorded::Died(cut), State::Finished) => {
                self.died = true;
                let call = show::count(cut.calls);
                self.ends.push(format!(
                    "rank {rank} came to MPI_Finalize; when it was recorded it died in or after its call {call}"
                ));
            }
            (Recorded::Died(cut), _) => {
                self.died = true;
                match outcome.calls {
                    now if now == cut.calls => self.exact.push((rank, now)),
                    0 => self.unknown.push(rank),
                    _ => self.elsewhere = true,
                }
            }
            (Recorded::Finished(_), State::Silent | State::Gone) => self.ends.push(format!(
                "rank {rank} died in or after its call {calls}; when it was recorded it came to MPI_Finalize"
            )),
            (Recorded::Finished(_), State::Finished) => {
                if let Some(call) = outcome.free_from {
                    let call = show::count(call);
                    self.say(format!("rank {rank} ran free from its call {call} on"));
                }
            }
            (Recorded::Unknown, _) => {}
        }
    }

    /// A rank that had recorded something and now never began died before that.
    fn look_for_missing(&mut self, record: &Record, replay: &Replay) {
        let began = |rank: u32| replay.ranks.iter().any(|it| it.rank == rank);
        let missing = record.ranks.iter().map(|order| order.rank);
        let missing: Vec<u32> = missing.filter(|rank| !began(*rank)).collect();
        if !missing.is_empty() {
            let missing = show::ranges(&missing);
            self.ends.push(format!(
                "rank {missing} ended before it was replayed, in or before MPI_Init"
            ));
        }
    }

    fn compare_ends(&mut self, replay: &Replay) {
        if self.is_chosen {
            return;
        }
        if self.exact.is_empty() {
            self.sentences.append(&mut self.ends);
            if !self.unknown.is_empty() {
                let unknown = show::ranges(&self.unknown);
                self.say(format!("it is not known in which call rank {unknown} died"));
            } else if self.elsewhere {
                self.say("no rank died in the call in which it had died".to_owned());
            }
        }
        if let (Some(then), Some(now)) = (replay.recorded_exit_code, replay.exit_code) {
            if then != now {
                self.say(format!(
                    "the command ended with exit code {now}, the recorded one with {then}"
                ));
            }
        }
    }

    fn say(&mut self, sentence: String) {
        self.sentences.push(sentence);
    }
}

/// Names a rank, or one of its threads.
pub fn whose(rank: u32, thread: u32) -> String {
    match thread {
        0 => format!("rank {rank}"),
        _ => format!("thread {thread} of rank {rank}"),
    }
}

fn other_data(rank: u32, data: &OtherData) -> String {
    let whose = whose(rank, data.thread);
    let what = match data.what {
        What::Status => "messages of another source, tag or size",
        What::Payload => "other data",
    };
    let (first, last) = (show::count(data.from), show::count(data.call));
    let calls = match data.from == data.call {
        true => format!("from its call {last} on"),
        false => format!("from one of its calls {first} to {last} on"),
    };
    let sites = match data.sites.is_empty() {
        true => String::new(),
        false => format!(", {}", show::list(&data.sites, 3)),
    };
    format!("{whose} received {what} than recorded {calls}{sites}")
}

fn other_threads(rank: u32, others: &OtherThreads) -> String {
    let site = match others.site.is_empty() {
        true => String::new(),
        false => format!(" at {}", others.site),
    };
    format!(
        "rank {rank}: other threads than recorded came to {} of {}, first thread {} in its call \
         {}{site}, where it had been thread {}: in which order threads take a lock is not MPI's",
        show::count(others.choices),
        show::counted(others.of, "choice"),
        others.thread,
        show::count(others.call),
        others.recorded
    )
}

fn last_line(record: &Record, replay: &Replay, all: &Differences, kinds: &[String]) -> String {
    let choices = show::counted(order::choices(record), "choice");
    let governed = match kinds.is_empty() {
        true => String::new(),
        false => format!("; not governed: {}", kinds.join(", ")),
    };
    if all.sentences.is_empty() && all.is_chosen {
        let chosen = chosen(replay);
        let chosen = match chosen.is_empty() {
            true => String::new(),
            false => format!(": {}", show::list(&chosen, 3)),
        };
        return format!(
            "mpiscope: replayed as recorded until it was chosen otherwise{chosen}{governed}"
        );
    }
    if all.sentences.is_empty() {
        let until = match (all.died, all.exact.first()) {
            (false, _) => String::new(),
            (true, Some((rank, call))) => format!(
                " until the program ended, rank {rank} in its call {} as then",
                show::count(*call)
            ),
            (true, None) => " until the program ended".to_owned(),
        };
        return format!("mpiscope: replayed as recorded{until}: {choices}{governed}");
    }
    let differs = replay.ranks.iter().any(|it| it.divergence.is_some());
    let free = replay.ranks.iter().any(|it| it.free_from.is_some());
    let data = replay.ranks.iter().any(|it| it.other_data.is_some());
    let threads = replay.ranks.iter().any(|it| it.other_threads.is_some());
    let how = match (differs, free) {
        (true, _) => "not as recorded",
        (false, true) => "replayed as recorded as far as the record goes, and ran free from there",
        (false, false) if data => "replayed in the recorded order, but with other data",
        (false, false) if threads => "replayed in the recorded order, but by other threads",
        (false, false) => "not as recorded to the end",
    };
    let ranks: Vec<String> = replay
        .ranks
        .iter()
        .filter(|it| {
            let differs_here = it.divergence.is_some() || it.other_data.is_some();
            it.free_from.is_some() || differs_here || !free && !differs && !data
        })
        .map(|it| {
            let (thread, call) = same_until(it);
            let (whose, call) = (whose(it.rank, thread), show::count(call));
            format!("{whose} until its call {call}")
        })
        .take(3)
        .collect();
    let more = match replay.ranks.len() > 3 {
        true => ", … (all in replay.json)",
        false => "",
    };
    format!(
        "mpiscope: {how}: the same {}{more}{governed}",
        ranks.join(", ")
    )
}

/// Says what somebody has chosen, rank by rank.
fn chosen(replay: &Replay) -> Vec<String> {
    let of_rank = |outcome: &RankOutcome| {
        let rank = outcome.rank;
        let choices = outcome.user_choices.iter().map(move |choice| {
            let tag = choice
                .tag
                .map_or(String::new(), |tag| format!(", tag {tag}"));
            let site = match choice.site.is_empty() {
                true => String::new(),
                false => format!(" at {}", choice.site),
            };
            format!(
                "rank {rank} took a message from rank {}{tag} in its call {}{site}",
                choice.source,
                show::count(choice.call)
            )
        });
        choices.collect::<Vec<_>>()
    };
    replay.ranks.iter().flat_map(of_rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_run::order::outcome::{Divergence, UserChoice};
    use mpiscope_run::order::{Origin, RankOrder, ThreadOrder};

    fn finished(calls: u64) -> ThreadOrder {
        ThreadOrder {
            end: Some(End { calls, hash: 0 }),
            ..ThreadOrder::default()
        }
    }

    fn died(calls: u64) -> ThreadOrder {
        ThreadOrder {
            cut: Some(End { calls, hash: 0 }),
            ..ThreadOrder::default()
        }
    }

    fn record(threads: Vec<ThreadOrder>) -> Record {
        let world_size = threads.len() as u32;
        let rank = |(rank, thread): (u32, ThreadOrder)| RankOrder {
            rank,
            finished: thread.end.is_some(),
            threads: vec![thread],
            ..RankOrder::default()
        };
        Record {
            origin: Origin {
                world_size,
                ..Origin::default()
            },
            ranks: (0..).zip(threads).map(rank).collect(),
        }
    }

    fn came(rank: u32, state: State, calls: u64) -> RankOutcome {
        RankOutcome {
            rank,
            state,
            calls,
            ..RankOutcome::default()
        }
    }

    fn replay(ranks: Vec<RankOutcome>, codes: [i32; 2]) -> Replay {
        Replay {
            world_size: ranks.len() as u32,
            ranks,
            recorded_exit_code: Some(codes[0]),
            exit_code: Some(codes[1]),
            ..Replay::default()
        }
    }

    #[track_caller]
    fn check(record: &Record, mut replay: Replay, differences: &[&str], last: &str) -> Replay {
        let verdict = judge(record, &mut replay, &[]);
        assert_eq!(verdict.differences, differences);
        assert_eq!(verdict.last, format!("mpiscope: {last}"));
        assert_eq!(replay.same, Some(differences.is_empty()));
        replay
    }

    #[test]
    fn a_run_that_finished_is_the_same_if_all_finish_with_the_same_code() {
        let record = record(vec![finished(8)]);
        let all = || vec![came(0, State::Finished, 8)];
        check(
            &record,
            replay(all(), [3, 3]),
            &[],
            "replayed as recorded: 0 choices",
        );
        check(
            &record,
            replay(all(), [0, 3]),
            &["the command ended with exit code 3, the recorded one with 0"],
            "not as recorded to the end: the same rank 0 until its call 8",
        );
    }

    #[test]
    fn a_death_is_the_same_if_one_rank_dies_in_its_recorded_call() {
        let record = record(vec![died(8), died(5)]);
        let mut other = came(1, State::Silent, 6);
        other.free_from = Some(6);
        let both = |calls| vec![came(0, State::Silent, calls), other.clone()];
        let same = check(
            &record,
            replay(both(8), [15, 15]),
            &[],
            "replayed as recorded until the program ended, rank 0 in its call 8 as then: 0 choices",
        );
        assert_eq!(same.ranks[1].same_until, Some(5));
        check(
            &record,
            replay(both(7), [15, 15]),
            &["no rank died in the call in which it had died"],
            "replayed as recorded as far as the record goes, and ran free from there: the same rank 1 until its call 5",
        );
    }

    /// The failure of old: it died in its fourth round, and the replay went on.
    #[test]
    fn who_comes_to_the_end_did_not_die_as_recorded() {
        let record = record(vec![died(8)]);
        let mut outcome = came(0, State::Finished, 45);
        outcome.free_from = Some(9);
        check(
            &record,
            replay(vec![outcome], [15, 0]),
            &[
                "rank 0 came to MPI_Finalize; when it was recorded it died in or after its call 8",
                "the command ended with exit code 0, the recorded one with 15",
            ],
            "replayed as recorded as far as the record goes, and ran free from there: the same rank 0 until its call 8",
        );
    }

    /// Who waits in MPI_Finalize for one that dies may come there, or not, before the end.
    #[test]
    fn who_is_taken_along_ends_anywhere() {
        let record = record(vec![died(8), finished(5), died(4)]);
        let ranks = vec![
            came(0, State::Silent, 8),
            came(1, State::Silent, 5),
            came(2, State::Finished, 5),
        ];
        check(
            &record,
            replay(ranks, [15, 15]),
            &[],
            "replayed as recorded until the program ended, rank 0 in its call 8 as then: 0 choices",
        );
    }

    #[test]
    fn who_dies_did_not_finish_as_recorded() {
        let record = record(vec![finished(8)]);
        check(
            &record,
            replay(vec![came(0, State::Silent, 3)], [0, 0]),
            &["rank 0 died in or after its call 3; when it was recorded it came to MPI_Finalize"],
            "not as recorded to the end: the same rank 0 until its call 3",
        );
    }

    /// A receive that never took a message is open in the record, too.
    #[test]
    fn what_took_nothing_in_both_runs_is_no_difference() {
        let record = record(vec![finished(8)]);
        let mut outcome = came(0, State::Finished, 8);
        outcome.free_from = Some(7);
        let same = check(
            &record,
            replay(vec![outcome], [0, 0]),
            &[],
            "replayed as recorded: 0 choices",
        );
        assert_eq!(
            (same.ranks[0].same_until, same.ranks[0].free_from),
            (Some(8), None)
        );
    }

    #[test]
    fn a_divergence_is_the_same_until_the_call_before_it() {
        let record = record(vec![finished(80)]);
        let mut outcome = came(0, State::Finished, 81);
        outcome.divergence = Some(Divergence {
            call: 40,
            within: 9,
            ..Divergence::default()
        });
        check(
            &record,
            replay(vec![outcome], [0, 0]),
            &["rank 0 is not as recorded in its call 40"],
            "not as recorded: the same rank 0 until its call 30",
        );
    }

    #[test]
    fn of_another_thread_its_own_calls_are_told() {
        let record = record(vec![finished(80)]);
        let mut outcome = came(0, State::Finished, 80);
        outcome.divergence = Some(Divergence {
            thread: 1,
            call: 5,
            ..Divergence::default()
        });
        let judged = check(
            &record,
            replay(vec![outcome], [0, 0]),
            &["thread 1 of rank 0 is not as recorded in its call 5"],
            "not as recorded: the same thread 1 of rank 0 until its call 4",
        );
        assert_eq!(judged.ranks[0].same_until, None);
    }

    /// One that died before the first call of which it is known, and one that never began.
    #[test]
    fn a_death_of_which_nothing_is_known_is_not_the_recorded_one() {
        let record = record(vec![died(900), died(7)]);
        check(
            &record,
            replay(vec![came(0, State::Silent, 0)], [1, 1]),
            &[
                "rank 1 ended before it was replayed, in or before MPI_Init",
                "it is not known in which call rank 0 died",
            ],
            "not as recorded to the end: the same rank 0 until its call 0",
        );
    }

    /// The same calls in the same order, with other numbers in the messages.
    #[test]
    fn other_data_is_the_same_until_the_call_that_received_it() {
        let record = record(vec![finished(8)]);
        let mut outcome = came(0, State::Finished, 8);
        outcome.other_data = Some(OtherData {
            call: 5,
            from: 5,
            what: What::Payload,
            sites: vec!["a.c:7".into()],
            ..OtherData::default()
        });
        check(
            &record,
            replay(vec![outcome], [0, 0]),
            &["rank 0 received other data than recorded from its call 5 on, a.c:7"],
            "replayed in the recorded order, but with other data: the same rank 0 until its call 4",
        );
    }

    #[test]
    fn a_choice_that_came_to_another_thread_is_told() {
        let record = record(vec![finished(8)]);
        let mut outcome = came(0, State::Finished, 8);
        outcome.other_threads = Some(OtherThreads {
            choices: 2,
            of: 9,
            thread: 3,
            recorded: 1,
            call: 4,
            site: "a.c:7".into(),
        });
        check(
            &record,
            replay(vec![outcome], [0, 0]),
            &["rank 0: other threads than recorded came to 2 of 9 choices, first thread 3 in its \
               call 4 at a.c:7, where it had been thread 1: in which order threads take a lock is \
               not MPI's"],
            "replayed in the recorded order, but by other threads: the same rank 0 until its call 8",
        );
    }

    #[test]
    fn what_no_record_governs_is_named_in_the_last_line() {
        let record = record(vec![finished(8)]);
        let mut replay = replay(vec![came(0, State::Finished, 8)], [0, 0]);
        let verdict = judge(&record, &mut replay, &["the time of day".to_owned()]);
        assert!(verdict
            .last
            .ends_with("0 choices; not governed: the time of day"));
    }

    #[test]
    fn what_follows_a_choice_at_a_debugger_is_no_difference() {
        let record = record(vec![finished(9), finished(4)]);
        let choice = UserChoice {
            call: 5,
            site: "heat.c:42".to_owned(),
            source: 1,
            ..UserChoice::default()
        };
        let chooses = RankOutcome {
            user_choices: vec![choice],
            released_from: Some(5),
            ..came(0, State::Finished, 12)
        };
        let mut replay = Replay {
            ranks: vec![chooses, came(1, State::Silent, 4)],
            world_size: 2,
            exit_code: Some(3),
            recorded_exit_code: Some(0),
            ..Replay::default()
        };
        let verdict = judge(&record, &mut replay, &[]);
        assert!(verdict.is_same(), "{verdict:?}");
        assert_eq!(
            verdict.last,
            "mpiscope: replayed as recorded until it was chosen otherwise: rank 0 took a message \
             from rank 1 in its call 5 at heat.c:42"
        );
        assert_eq!(replay.same, Some(false));
        assert_eq!(replay.ranks[0].same_until, Some(4));
    }
}
