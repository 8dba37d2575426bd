//! The same report of a run that was monitored: what records tell of it.

use std::collections::BTreeMap;
use std::path::Path;

use mpiscope_analysis::statistics::wait_states::{pairs, wait_states, Waiting};
use mpiscope_analysis::statistics::{self as queries, totals, By, Group, Of};
use mpiscope_archive::model::statistics::{Figures, Kind, Process, Record, Statistics};

use super::facts::{name, Facts, OfKind, Pair, Rank, Share, SourcePlace, Statement, Waits};
use crate::report::show;
use crate::stats::{sent, Loaded};

/// What separates waiting from transfer.
const OBSERVE: &str = "mpiscope monitor";

/// Looks at statistics.
pub fn facts(path: &Path, loaded: &Loaded) -> Facts {
    let all = &loaded.statistics;
    let totals = totals(all);
    let waits = wait_states(all);
    let communication = &totals.communication;
    let mut facts = Facts {
        path: path.to_owned(),
        source: "statistics".into(),
        ranks: all.ranks.len() as u64,
        length_ns: ns(totals.duration.max),
        time_ns: ns(totals.time),
        mpi_ns: ns(communication.time),
        waiting_ns: waiting(communication),
        calls: communication.calls,
        separated_calls: communication.separated,
        wait_states: of_kinds(&waits),
        statements: statements(all, &waits),
        by_rank: ranks(all),
        pairs: pairs(all).into_iter().map(pair).collect(),
        messages: sent(all),
        notes: notes(path, loaded, communication),
        damage: loaded.damage.clone(),
        ..Facts::default()
    };
    facts.complete();
    facts
}

fn ns(time: u64) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}

/// Returns how long partners were waited for, if that was told apart at all.
fn waiting(figures: &Figures) -> Option<i64> {
    (figures.separated > 0).then(|| ns(figures.delay))
}

fn of_kinds(all: &[Waiting]) -> Vec<OfKind> {
    let mut kinds: BTreeMap<&'static str, (u64, i64)> = BTreeMap::new();
    for waiting in all.iter().filter(|waiting| waiting.figures.delay > 0) {
        let (times, time) = kinds.entry(name(waiting.kind)).or_default();
        *times += waiting.figures.separated;
        *time = time.saturating_add(ns(waiting.figures.delay));
    }
    let row = |(kind, (times, waiting_ns)): (&'static str, _)| OfKind {
        kind: kind.into(),
        times,
        waiting_ns,
        resolution: None,
    };
    kinds.into_iter().map(row).collect()
}

fn pair(((rank, waited_for), pair): ((u32, u32), queries::wait_states::Pair)) -> Pair {
    Pair {
        rank,
        waited_for,
        times: pair.calls,
        waiting_ns: ns(pair.waiting),
        resolution: None,
    }
}

fn statements(all: &Statistics, waits: &[Waiting]) -> Vec<Statement> {
    let groups = queries::groups(all, By::Statement);
    let row = |group: &Group| {
        let Of::Statement(number) = group.of else {
            return None;
        };
        let own = waits.iter().filter(|waiting| waiting.statement == number);
        Some(Statement {
            place: place(all, number),
            among_threads: false,
            calls: group.figures.calls,
            time_ns: ns(group.figures.time),
            waiting_ns: waiting(&group.figures),
            separated_calls: group.figures.separated,
            bytes: group.figures.bytes,
            waits: own
                .filter(|it| it.figures.delay > 0)
                .map(waits_of)
                .collect(),
        })
    };
    groups.iter().filter_map(row).collect()
}

fn waits_of(waiting: &Waiting) -> Waits {
    Waits {
        kind: name(waiting.kind).into(),
        times: waiting.figures.separated,
        waiting_ns: ns(waiting.figures.delay),
        resolution: None,
        ranks: shares(&waiting.ranks),
        waited_for: shares(&waiting.peers),
        longest: None,
    }
}

fn shares(times: &BTreeMap<u32, u64>) -> Vec<Share> {
    let share = |(&rank, &time): (&u32, &u64)| Share {
        rank,
        waiting_ns: ns(time),
        resolution: None,
    };
    times.iter().map(share).collect()
}

/// Names a statement as a trace would.
fn place(all: &Statistics, number: usize) -> SourcePlace {
    let Some(statement) = all.statements.get(number) else {
        return SourcePlace::default();
    };
    let mut around = statement.parent;
    while let Some(parent) = around.and_then(|number| all.statements.get(number)) {
        if parent.kind == Kind::Procedure {
            break;
        }
        around = parent.parent;
    }
    let function = around.and_then(|number| all.statements.get(number));
    let has_line = statement.line > 0;
    let file = || (!statement.file.is_empty()).then(|| statement.file.clone());
    SourcePlace {
        call: (!statement.name.is_empty()).then(|| statement.name.clone()),
        file: file().filter(|_| has_line),
        line: has_line.then_some(statement.line),
        function: function.map(|procedure| procedure.name.clone()),
        module: file().filter(|_| !has_line),
        offset: (!has_line && statement.offset > 0).then_some(statement.offset),
    }
}

/// The part of all waiting of which it has to be known for whom it was.
const TOLD: f64 = 0.99;

fn ranks(all: &Statistics) -> Vec<Rank> {
    let mut causing: BTreeMap<u32, u64> = BTreeMap::new();
    for ((_, waited_for), pair) in pairs(all) {
        *causing.entry(waited_for).or_default() += pair.waiting;
    }
    let communicates = |record: &&Record| {
        let statement = all.statements.get(record.statement);
        statement.is_some_and(|statement| statement.kind == Kind::Communication)
    };
    let mut figures: BTreeMap<u32, Figures> = BTreeMap::new();
    for record in all.records.iter().filter(communicates) {
        figures.entry(record.rank).or_default().add(&record.figures);
    }
    // Whom ranks waited for in collective operations nobody knows: then no rank's part is known.
    let waited: i64 = figures.values().filter_map(waiting).sum();
    let in_pairs = ns(causing.values().sum());
    let is_told = in_pairs > 0 && in_pairs as f64 >= TOLD * waited as f64;
    let row = |process: &Process| {
        let own = figures.get(&process.rank).cloned().unwrap_or_default();
        Rank {
            rank: process.rank,
            time_ns: ns(process.thread_time),
            mpi_ns: ns(own.time),
            waiting_ns: waiting(&own),
            causing_ns: is_told.then(|| ns(causing.get(&process.rank).copied().unwrap_or(0))),
            ..Rank::default()
        }
    };
    all.ranks.iter().map(row).collect()
}

fn notes(path: &Path, loaded: &Loaded, communication: &Figures) -> Vec<String> {
    let mut notes = vec![format!(
        "{}; these are statistics, in which single waits and their order are not kept",
        crate::stats::state(loaded)
    )];
    match communication.separated {
        0 => notes.push(format!(
            "waiting was not told apart from transfer: run the program under `{OBSERVE}`"
        )),
        separated if separated < communication.calls => notes.push(format!(
            "waiting was told apart in {} of {}, so there may have been more",
            show::count(separated),
            show::counted(communication.calls, "call")
        )),
        _ => {}
    }
    if communication.separated > 0 {
        notes
            .push("of collective operations records do not tell which member came last".to_owned());
    }
    notes.push(format!(
        "the critical path needs a trace: `mpiscope trace -- {}`",
        command(loaded, path)
    ));
    notes.extend(loaded.notes.iter().cloned());
    notes
}

/// The command as typed, if it is known.
fn command(loaded: &Loaded, path: &Path) -> String {
    let words: Vec<String> = (loaded.info.command.iter())
        .map(|word| show::word(Path::new(word)))
        .collect();
    match words.is_empty() {
        true => format!("(the command of {})", path.display()),
        false => words.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use mpiscope_archive::model::statistics::{Peer, Statement as Stated};

    use super::*;

    #[test]
    fn whose_waiting_ranks_caused_is_told_if_nearly_all_of_it_is_known() {
        let waited = |peer: Peer, delay: u64| Record {
            peer,
            figures: Figures {
                separated: 1,
                delay,
                ..Figures::default()
            },
            ..Record::default()
        };
        let causing = |records: Vec<Record>| {
            let process = |rank| Process {
                rank,
                ..Process::default()
            };
            let all = Statistics {
                ranks: (0..2).map(process).collect(),
                statements: vec![Stated {
                    kind: Kind::Communication,
                    ..Stated::default()
                }],
                records,
            };
            let ranks = ranks(&all).into_iter();
            ranks.map(|it| it.causing_ns).collect::<Vec<_>>()
        };
        let message = waited(Peer::Rank(1), 50);
        assert_eq!(causing(vec![message.clone()]), [Some(0), Some(50)]);
        let barrier = waited(Peer::All(2), 100);
        assert_eq!(causing(vec![message, barrier]), [None, None]);
    }
}
