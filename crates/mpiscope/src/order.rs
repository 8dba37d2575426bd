//! Order records as the commands see them: what dead ranks left, and what the whole holds.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use mpiscope_run::order::collect::{collect, Collected};
use mpiscope_run::order::online::{self, RankRaces};
use mpiscope_run::order::outcome::RankOutcome;
use mpiscope_run::order::{Outcome, Record, Undetermined, Unrecorded};
use mpiscope_run::run_info::RunInfo;

use crate::report::show;
use crate::{say, symbols};

/// Makes sure that the choices of ranks that died are in the run, and says so;
/// returns whether there were any.
pub fn tell_collected(run: &Path, run_id: &str) -> bool {
    if run_id.is_empty() {
        return false;
    }
    let collected = match patiently(run, run_id) {
        Ok(collected) => collected,
        Err(error) => {
            say::aside(format!(
                "error: the order of dead ranks is not kept: {error}"
            ));
            return false;
        }
    };
    for note in &collected.notes {
        say::aside(format!("note: {note}"));
    }
    if !collected.ranks.is_empty() {
        say::aside(format!(
            "mpiscope: the order record of rank {} ends where the rank did",
            show::ranges(&collected.ranks)
        ));
    }
    !collected.ranks.is_empty()
}

/// Collects what dead ranks left; those that are being killed may outlive
/// their launcher by a moment.
pub fn patiently(run: &Path, run_id: &str) -> Result<Collected, mpiscope_run::Error> {
    let mut all = Collected::default();
    for _ in 0..50 {
        let more = collect(run, run_id)?;
        all.ranks.extend(more.ranks);
        all.notes = more.notes;
        if more.running.is_none() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    all.ranks.sort_unstable();
    Ok(all)
}

/// Says what races the ranks found while they ran, if they looked.
pub fn tell_races(run: &Path) -> Result<(), mpiscope_run::Error> {
    let ranks = online::read(run)?;
    if ranks.is_empty() {
        return Ok(());
    }
    let sum = |of: fn(&RankRaces) -> u64| ranks.iter().map(of).sum::<u64>();
    let most = ranks.iter().map(|rank| rank.most_kept).max().unwrap_or(0);
    let mut not: Vec<&String> = ranks.iter().flat_map(|rank| &rank.not_covered).collect();
    not.sort_unstable();
    not.dedup();
    // Who knows less finds more.
    let at_most = if not.is_empty() { "" } else { "at most " };
    say::aside(format!(
        "mpiscope: races: {at_most}{} of {} with a wildcard race, in {}; at most {} of one rank \
         kept to compare with",
        show::counted(sum(|rank| rank.racing), "receive"),
        show::count(sum(|rank| rank.receives)),
        show::counted(sum(|rank| rank.blocks), "block"),
        show::counted(most, "time stamp"),
    ));
    let late = sum(|rank| rank.late);
    if late > 0 {
        say::aside(format!(
            "note: {} completed too late to be compared in the order of posts",
            show::counted(late, "receive")
        ));
    }
    for what in not {
        say::aside(format!("note: not looked for, or not exactly: {what}"));
    }
    Ok(())
}

/// How many choices a record holds.
pub fn choices(record: &Record) -> u64 {
    let threads = record.ranks.iter().flat_map(|rank| &rank.threads);
    threads
        .map(|thread| {
            let receives = thread.receives.iter().flatten().count();
            (receives + thread.outcomes.len() + thread.cancels.len()) as u64
        })
        .sum()
}

/// What the record holds, in a sentence.
pub fn sentence(record: &Record) -> String {
    let threads = || record.ranks.iter().flat_map(|rank| &rank.threads);
    let receives: usize = threads().map(|t| t.receives.iter().flatten().count()).sum();
    let polls = threads()
        .flat_map(|thread| &thread.outcomes)
        .filter(|outcome| matches!(outcome, Outcome::Success { .. }))
        .count();
    let waits: usize = threads().map(|t| t.outcomes.len()).sum::<usize>() - polls;
    let cancels: usize = threads().map(|thread| thread.cancels.len()).sum();
    let kinds = [
        (receives, "receive", " from anybody"),
        (waits, "wait", " for one or some of several requests"),
        (polls, "successful poll", ""),
        (cancels, "cancellation", ""),
    ];
    let kinds = kinds.iter().filter(|(count, ..)| *count > 0);
    let kinds = kinds.map(|(count, what, more)| show::counted(*count as u64, what) + more);
    let kinds: Vec<String> = kinds.collect();
    let all = format!(
        "{} of {}",
        show::counted(choices(record), "choice"),
        show::counted(record.ranks.len() as u64, "rank"),
    );
    match kinds.is_empty() {
        true => all,
        false => format!("{all}: {}", kinds.join(", ")),
    }
}

/// Notes how the command of a run ended, for those who replay it.
pub fn keep_exit_code(run: &Path, code: u8) {
    // A run that cannot be read says so to whoever uses it.
    if let Ok(mut info) = RunInfo::read(run) {
        info.exit_code = Some(code.into());
        let _ = info.write(run);
    }
}

/// What the program did that no record holds, each kind in a sentence; `system` are the
/// functions by which it may ask for the time or for chance.
pub fn unrecorded(record: &Record, system: &[String]) -> Vec<String> {
    let all = not_governed(record, &[], system);
    by_kind(&all.iter().collect::<Vec<_>>())
}

/// The same as it was found, in the recorded run or in the replay.
pub fn not_governed(
    record: &Record,
    replayed: &[RankOutcome],
    system: &[String],
) -> Vec<Unrecorded> {
    let recorded = record.ranks.iter().flat_map(|rank| &rank.unrecorded);
    let replayed = replayed.iter().flat_map(|rank| &rank.not_governed);
    let mut all: Vec<Unrecorded> = Vec::new();
    for one in recorded.chain(replayed) {
        if !all.contains(one) {
            all.push(one.clone());
        }
    }
    all.extend(system.iter().map(|function| Unrecorded {
        what: Undetermined::Time,
        function: function.clone(),
        site: String::new(),
    }));
    all
}

/// The kinds of what no record governs, in the order of [`by_kind`].
pub fn kinds(all: &[Unrecorded]) -> Vec<String> {
    let kinds: BTreeSet<Undetermined> = all.iter().map(|one| one.what).collect();
    kinds
        .into_iter()
        .map(|kind| meaning(kind).to_owned())
        .collect()
}

/// What nobody can determine, with some places, by its kind.
pub fn by_kind(all: &[&Unrecorded]) -> Vec<String> {
    let kinds: BTreeSet<Undetermined> = all.iter().map(|what| what.what).collect();
    let sentence = |kind| {
        let of_kind = all.iter().filter(|what| what.what == kind);
        let mut places: Vec<String> = of_kind
            .map(|what| match what.site.is_empty() {
                true => what.function.clone(),
                false => format!("{} at {}", what.function, symbols::line_of(&what.site)),
            })
            .collect();
        places.sort_unstable();
        places.dedup();
        let more = places.len().saturating_sub(3);
        places.truncate(3);
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{}: {}{more}", meaning(kind), places.join(", "))
    };
    kinds.into_iter().map(sentence).collect()
}

fn meaning(kind: Undetermined) -> &'static str {
    match kind {
        Undetermined::OneSided => "the order of one-sided accesses of several ranks",
        Undetermined::Reduction => "the order in which MPI itself reduces",
        Undetermined::Files => "who comes first at a shared file pointer",
        Undetermined::Processes => "processes started or met at run time",
        Undetermined::Threads => "what threads do among themselves",
        Undetermined::CancelledSend => "whether a request could be cancelled",
        Undetermined::Callback => "what MPI chooses in the program's callbacks",
        Undetermined::Time => "the time of day and chance",
        Undetermined::OtherRequest => "when generalized requests complete, and what requests did of which MPI tells too little",
    }
}
