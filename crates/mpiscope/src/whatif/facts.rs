//! What is told of replays, as JSON has it.

use std::path::PathBuf;

use mpiscope_analysis::verdict::{crowd, WITHOUT_PROCESSOR};
use mpiscope_analysis::whatif::{LeftOut, Outcome, Replay};
use mpiscope_archive::model::{Duration, Process};
use serde::{Deserialize, Serialize};

use crate::input::TimeBase;
use crate::report::show::{self, count, counted};

/// The report.
#[derive(Debug, Serialize)]
pub struct Facts {
    /// What was read.
    pub path: PathBuf,
    /// The archive's anchor.
    pub archive: PathBuf,
    /// What its times are; nothing if nobody knows.
    pub clock: Option<TimeBase>,
    /// Ranks that were replayed.
    pub ranks: u64,
    /// From the first to the last event of all ranks.
    pub measured_ns: i64,
    /// What a replay takes with nothing changed.
    pub unchanged_ns: i64,
    /// By how much that is longer than measured: the model's own error where nothing is changed.
    pub unchanged_error_ns: i64,
    /// What was changed, in words.
    pub changes: Vec<String>,
    /// What the run would take; nothing if nothing was changed.
    pub predicted_ns: Option<i64>,
    /// How many times as fast it would be.
    pub speedup: Option<f64>,
    /// Whether it would take longer than measured; nothing if nothing was changed.
    pub is_slower: Option<bool>,
    /// That in words, with what may be the reason.
    pub warnings: Vec<String>,
    /// Each rank.
    pub by_rank: Vec<Rank>,
    /// What mending would gain, most first, where it gains anything; nothing if something was changed.
    pub mendings: Vec<Mending>,
    /// Other changes that were tried and gain nothing.
    pub without_gain: u64,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
    /// What was left as it was, or out.
    pub not_modelled: Vec<String>,
    /// What of it was counted.
    pub left_out: Counts,
    /// What could not be read.
    pub damage: Vec<String>,
}

/// One rank, before and after.
#[derive(Debug, Serialize)]
pub struct Rank {
    /// World rank.
    pub rank: u32,
    /// Time of its threads that are replayed.
    pub time_ns: i64,
    /// Of that waiting.
    pub waiting_ns: i64,
    /// What both would be.
    pub predicted_time_ns: i64,
    /// See there.
    pub predicted_waiting_ns: i64,
}

/// Of what kind a change is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Computation is balanced.
    Balance,
    /// The network is another one.
    Network,
    /// Something takes less time.
    Scale,
    /// Nobody waits in a call.
    NoWait,
}

/// One change alone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mending {
    /// Of what kind.
    pub kind: Kind,
    /// In words.
    pub change: String,
    /// As one types it.
    pub options: Vec<String>,
    /// What the run would take.
    pub predicted_ns: i64,
    /// By how much that is less than measured.
    pub gain_ns: i64,
}

/// What is not in a replay, counted.
#[derive(Debug, Serialize)]
pub struct Counts {
    unmatched: u64,
    outside_of_calls: u64,
    buffered_sends: u64,
    contradictions: u64,
    circles: u64,
    threads: u64,
    among_threads_ns: i64,
    unrecorded_ns: i64,
    polls: u64,
    locks: u64,
    nonblocking_operations: u64,
    truncated_locations: u64,
}

impl From<LeftOut> for Counts {
    fn from(it: LeftOut) -> Counts {
        Counts {
            unmatched: it.unmatched,
            outside_of_calls: it.outside_of_calls,
            buffered_sends: it.buffered,
            contradictions: it.contradictions,
            circles: it.circles,
            threads: it.threads,
            among_threads_ns: it.among_threads.0,
            unrecorded_ns: it.unrecorded.0,
            polls: it.polls,
            locks: it.locks,
            nonblocking_operations: it.going_on,
            truncated_locations: it.truncated,
        }
    }
}

/// Puts the ranks of two outcomes side by side.
pub fn ranks(before: &Outcome, after: &Outcome) -> Vec<Rank> {
    let pairs = before.ranks.iter().zip(&after.ranks);
    let rank = pairs.map(|(before, after)| Rank {
        rank: before.rank,
        time_ns: before.time.0,
        waiting_ns: before.waiting.0,
        predicted_time_ns: after.time.0,
        predicted_waiting_ns: after.waiting.0,
    });
    rank.collect()
}

/// Says what is taken for granted in every replay.
pub fn assumptions(replay: &Replay) -> Vec<String> {
    let mut all = vec![
        "each call takes, beside waiting, as long as in the run, or as calls of its line that did not \
         wait; each receive gets the message that it got, which arrives whatever its ranks do \
         meanwhile; ranks do not slow each other down"
            .to_owned(),
    ];
    all.push(match replay.rendezvous() {
        Some(bytes) => format!(
            "sends of {} and more wait for their receivers, as some in the run did; smaller ones \
             do not, unless they are synchronous",
            counted(bytes, "byte")
        ),
        None => format!(
            "sends {}, unless they are synchronous",
            match replay.left_out.buffered {
                0 => "do not wait for their receivers, as none in the run did",
                _ => {
                    "are taken not to wait for their receivers: of those that went on until the \
                     receive was posted others as large ended before, or they waited for something \
                     else, too"
                }
            }
        ),
    });
    all
}

/// Says what is not in the replay, with how much of it there is.
pub fn not_modelled(it: &LeftOut) -> Vec<String> {
    let time = |it: mpiscope_archive::model::Duration| show::duration(it.0 as f64);
    let rows = [
        (
            it.unmatched,
            format!(
                "{} of messages and operations without the other side: nobody waits for them",
                counted(it.unmatched, "event")
            ),
        ),
        (
            it.outside_of_calls,
            format!(
                "{} outside of any call: nobody waits for them",
                counted(it.outside_of_calls, "receive")
            ),
        ),
        (
            it.buffered,
            format!(
                "{} went on until the receive was posted or longer, though others as large ended \
                 before, or waited for something else, too: they are taken not to have waited for it",
                counted(it.buffered, "send")
            ),
        ),
        (
            it.contradictions,
            format!(
                "{} ended, by the clocks, before what they need had come: they keep the difference",
                counted(it.contradictions, "call")
            ),
        ),
        (
            it.circles,
            format!(
                "{} contradict the others and are left out: that may be why a replay without \
                 changes is not as measured",
                counted(it.circles, "need")
            ),
        ),
        (
            it.threads,
            format!(
                "{} without calls of MPI: they are taken to follow the thread that calls MPI",
                counted(it.threads, "thread")
            ),
        ),
        (
            it.among_threads.0.max(0) as u64,
            format!(
                "{} in barriers, locks and joins of threads, or idle: as long as in the run",
                time(it.among_threads)
            ),
        ),
        (
            it.unrecorded.0.max(0) as u64,
            format!(
                "{} in which recording was off: as long as in the run",
                time(it.unrecorded)
            ),
        ),
        (
            it.polls,
            format!(
                "{} that found nothing (MPI_Test, MPI_Iprobe and their kin): as often as in the run",
                counted(it.polls, "poll")
            ),
        ),
        (
            it.locks,
            format!(
                "{} of windows: who waits for one does so as long as in the run",
                counted(it.locks, "lock")
            ),
        ),
        (
            it.going_on,
            format!(
                "{}: taken to go on while ranks compute, as not all libraries have them",
                counted(it.going_on, "nonblocking collective operation")
            ),
        ),
        (
            it.truncated,
            format!("{} cut short: its end is not known", counted(it.truncated, "location")),
        ),
    ];
    let some = rows.into_iter().filter(|(times, _)| *times > 0);
    some.map(|(_, text)| text).collect()
}

/// Says that ranks of a run that lasted so long together lacked processors: balance gains less then.
pub fn without_processor(processes: &[Process], time: Duration) -> Option<String> {
    let delays = processes.iter().filter_map(|it| it.scheduled);
    let all = delays.fold(Duration::ZERO, |sum, it| sum + it.delay);
    let share = all.0.max(0) as f64 / time.0.max(1) as f64;
    // More than all time was in MPI_Init or MPI_Finalize, too, of which nothing is predicted.
    (share >= WITHOUT_PROCESSOR).then(|| {
        let crowd = crowd(processes).map(|(ranks, processors)| {
            format!(" ({ranks} ranks on {processors} processors)")
        });
        format!(
            "ranks were ready to run and had no processor in {} of their time{}: where they compute at \
             once in place of waiting they take processors from each other, so that balance gains what \
             is predicted at most, and other changes more or less than that",
            show::percent(100.0 * share.min(1.0)),
            crowd.unwrap_or_default()
        )
    })
}

/// Warns of a prediction that is slower than the run, where something was balanced of what balance
/// may do.
pub fn slower(by_ns: i64, is_balanced: bool) -> String {
    let by = show::duration(by_ns as f64);
    let why = match is_balanced {
        true => {
            ": balance lengthens what some ranks do less of than others, and all wait for it where ranks \
             do different things, as a master that hands out work and its workers; --balance=WHAT \
             balances what workers alone do"
        }
        false => "",
    };
    format!("the run would take {by} longer than it did{why}")
}

/// Says how often ranks meet, where something is balanced.
pub fn meetings(times: usize) -> String {
    match times {
        0 => "there is no operation in which all ranks wait for all: what is balanced is so over \
              the whole run, in proportion"
            .to_owned(),
        _ => format!(
            "what is balanced is so between each two of {} operations in which all ranks wait for \
             all, in proportion, among those that do any of it",
            count(times as u64)
        ),
    }
}

#[cfg(test)]
mod tests {
    use mpiscope_archive::model::{Scheduled, Trace};

    use super::*;

    /// Expects what is said of which sends wait, of sends from rank 0 to rank 1.
    #[track_caller]
    fn check(sends: &str, receives: &str, expected: &str) {
        let trace = Trace::parse(&format!("0: 0 {sends}\n1: 0 {receives}")).unwrap();
        let said = assumptions(&Replay::of(&trace, &trace.matching()));
        assert!(said[1].contains(expected), "{said:?}");
    }

    #[test]
    fn that_ranks_lacked_processors_bounds_what_is_gained() {
        let process = |delay: i64| Process {
            scheduled: Some(Scheduled {
                delay: Duration(delay),
                processors: 2,
            }),
            ..Process::default()
        };
        let said = |delay| without_processor(&[0; 3].map(|_| process(delay)), Duration(300));
        assert_eq!(said(4), None);
        let said = said(50).unwrap();
        assert!(
            said.contains("no processor in 50 % of their time (3 ranks on 2 processors)"),
            "{said}"
        );
        assert!(
            said.contains("balance gains what is predicted at most"),
            "{said}"
        );
    }

    #[test]
    fn what_is_only_taken_for_granted_is_not_said_to_have_been_so() {
        const WENT_ON: &str = "10 enter(MPI_Send) 10 send>1(bytes=9) 40 leave(MPI_Send)";
        const ENDED: &str = "50 enter(MPI_Send) 50 send>1(bytes=9) 51 leave(MPI_Send)";
        const LATE: &str = "39 enter(MPI_Recv) 40 recv<0(bytes=9) 41 leave(MPI_Recv)";
        const LATER: &str = "60 enter(MPI_Recv) 61 recv<0(bytes=9) 62 leave(MPI_Recv)";
        check(ENDED, LATER, "as none in the run did");
        check(WENT_ON, LATE, "sends of 9 bytes and more wait");
        let (sends, receives) = (format!("{WENT_ON} {ENDED}"), format!("{LATE} {LATER}"));
        check(
            &sends,
            &receives,
            "are taken not to wait for their receivers",
        );
    }
}
