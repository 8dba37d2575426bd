//! From what processes counted, each in its own numbers and ticks, to the
//! statistics of the program.
//!
//! A statement of an instrumented source is known by its file's structure. An
//! MPI call is known by its return address: if that lies in an instrumented
//! source it is the communication statement of that line, else a statement of
//! its own in the function around it. Copies that a compiler made of one line
//! are one statement.

mod names;

use std::collections::HashMap;

use mpiscope_model::statistics::{self as model, Figures, Peer, Record, Statement, Statistics};
use mpiscope_model::CallSite;

use mpiscope_run::statistics::{Kind, Process, Row, Side, Thread, ALL, ANY, NOBODY, OTHERS};
use names::Names;

/// Statements of instrumented sources, by the hash of their structure.
pub type Structures = HashMap<String, Vec<Statement>>;

/// In place of a calling statement: not known.
const NO_STATEMENT: u32 = u32::MAX;

/// Puts what processes counted into one table; `name` finds functions and lines of return
/// addresses, and returns the calls around one that the compiler copied into another
/// function, the innermost first.
pub fn unify(
    processes: &[Process],
    structures: &Structures,
    name: impl FnMut(&mut CallSite) -> Vec<CallSite>,
) -> Statistics {
    let mut names = Names::new(processes, structures, name);
    let mut all = Statistics::default();
    for process in processes {
        let rate = process.nanoseconds_per_tick();
        for thread in &process.threads {
            let rows = thread.rows.iter();
            let records = rows.filter_map(|row| record(process, thread, row, rate, &mut names));
            all.records.extend(records);
        }
        all.ranks.push(about(process, rate));
    }
    all.statements = names.statements;
    for rank in &mut all.ranks {
        let own = all.records.iter().filter(|r| r.rank == rank.rank);
        let of_mpi = own.filter(|r| all.statements[r.statement].kind == model::Kind::Communication);
        let sum: Figures = of_mpi.map(|record| &record.figures).collect();
        (rank.calls, rank.mpi) = (sum.calls, sum.time);
    }
    all
}

/// Returns what a row says; nothing of a function that has probes, too: those count.
fn record<F: FnMut(&mut CallSite) -> Vec<CallSite>>(
    process: &Process,
    thread: &Thread,
    row: &Row,
    rate: f64,
    names: &mut Names<F>,
) -> Option<Record> {
    let communicates = row.kind == Kind::Call;
    let (statement, caller) = match row.kind {
        Kind::Loop => {
            let number = names.probed(process, row.place as u32, model::Kind::Loop);
            (number, None)
        }
        Kind::Procedure | Kind::Histogram => {
            let number = names.probed(process, row.place as u32, model::Kind::Procedure);
            let caller = (row.peer() != NO_STATEMENT)
                .then(|| names.probed(process, row.peer(), model::Kind::Call));
            (number, caller)
        }
        Kind::Function => {
            let number = names.function(process, row.place)?;
            (number, names.caller(process, row.other, number))
        }
        Kind::Call => (names.called(process, row), None),
    };
    Some(Record {
        rank: process.identity.rank,
        thread: thread.number,
        statement,
        caller,
        peer: if communicates {
            peer(process, row)
        } else {
            Peer::None
        },
        side: match row.side {
            Side::None => model::Side::None,
            Side::Sent => model::Side::Sent,
            Side::Received => model::Side::Received,
            Side::Collective => model::Side::Collective,
        },
        figures: figures(row, rate),
    })
}

fn peer(process: &Process, row: &Row) -> Peer {
    match row.peer() {
        OTHERS => Peer::Others,
        NOBODY => Peer::None,
        ANY => Peer::Any,
        ALL => {
            let group = process.group(row.group());
            Peer::All(group.map_or(0, |group| group.members.len() as u32))
        }
        rank => (process.world_rank(rank, row.group())).map_or(Peer::None, Peer::Rank),
    }
}

fn figures(row: &Row, rate: f64) -> Figures {
    let nanoseconds = |ticks: u64| (ticks as f64 * rate) as u64;
    Figures {
        calls: row.calls,
        messages: row.messages,
        bytes: row.bytes,
        time: nanoseconds(row.compensated()),
        intrusion: nanoseconds(row.intrusion.max(0) as u64),
        delay: nanoseconds(row.delay),
        separated: row.separated,
        longest: nanoseconds(row.longest),
        histogram: row.histogram.clone(),
    }
}

fn about(process: &Process, rate: f64) -> model::Process {
    let nanoseconds = |ticks: u64| (ticks as f64 * rate) as u64;
    let start = |thread: &Thread| {
        let initialised = thread.span[0].ticks.saturating_sub(before(process, thread));
        thread
            .began
            .map_or(initialised, |began| began.min(initialised))
    };
    let threads = || process.threads.iter();
    let begin = threads().map(start).min().unwrap_or_default();
    let end = threads().map(|t| t.span[1].ticks).max().unwrap_or_default();
    let started = process.ticks().map_or(0, |map| map.apply(begin).max(0));
    let all = threads().fold(0, |sum: u64, thread| {
        sum.saturating_add(end.saturating_sub(start(thread)))
    });
    model::Process {
        rank: process.identity.rank,
        host: process.identity.host.clone(),
        pid: process.identity.pid,
        started: started as u64,
        duration: nanoseconds(end.saturating_sub(begin)),
        thread_time: nanoseconds(all),
        intrusion: nanoseconds(threads().fold(0, |sum, t| sum.saturating_add(t.now.intrusion))),
        refused: threads().fold(0, |sum, t| sum.saturating_add(t.refused)),
        ..model::Process::default()
    }
}

/// Returns how long a thread was in MPI before its table was there: initialising it.
fn before(process: &Process, thread: &Thread) -> u64 {
    let is_init = |name: &str| match process.identity.by_itself {
        true => name == "MPI_Session_init",
        false => ["MPI_Init", "MPI_Init_thread"].contains(&name),
    };
    let begins = |row: &&Row| row.kind == Kind::Call && is_init(process.region(row.region));
    let rows = thread.rows.iter().filter(begins);
    rows.fold(0, |sum, row| sum.saturating_add(row.time))
}

#[cfg(test)]
mod tests;
