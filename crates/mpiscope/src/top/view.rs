//! What is to be seen at one moment: of each rank and of each statement.

use mpiscope_analysis::statistics::{cycle, groups, By, Of};
use mpiscope_archive::model::statistics::{Kind, Statistics};
use mpiscope_run::statistics::Process;
use serde::Serialize;

use super::calls::{open_calls, places, tell_missing, waits, CallView, Places};
use crate::stats::{state, Loaded};

/// A run at one moment; times in nanoseconds.
#[derive(Debug, Clone, Default, Serialize)]
pub struct View {
    /// The run.
    pub path: String,
    /// How far it has come.
    pub state: String,
    /// When it was looked at, since 1970.
    pub at_ns: u64,
    /// For how long the longest rank was observed.
    pub duration_ns: u64,
    /// Part of the time of all threads spent in MPI.
    pub mpi_share: f64,
    /// Which part of the slowest rank's time outside of MPI a balance would save.
    pub imbalance: f64,
    /// MPI calls per second since the look before; of all the time if there is none.
    pub calls_per_second: f64,
    /// Bytes per second, sent or received.
    pub bytes_per_second: f64,
    /// The ranks.
    pub ranks: Vec<RankView>,
    /// Communication statements, most time first.
    pub statements: Vec<StatementView>,
    /// Ranks that wait for each other: each for the next, the last for the first.
    pub cycle: Vec<u32>,
    /// What is to be known besides, in sentences.
    pub notes: Vec<String>,
}

/// A rank at one moment.
#[derive(Debug, Clone, Default, Serialize)]
pub struct RankView {
    /// World rank.
    pub rank: u32,
    /// Its host.
    pub host: String,
    /// Its process.
    pub pid: u32,
    /// `running`, `ended`, `died` (without MPI_Finalize), or `silent` (on a host that tells nothing).
    pub state: &'static str,
    /// The MPI calls that its threads are in, or were in when it died; that of the first thread
    /// first.
    pub threads: Vec<CallView>,
    /// Part of its time in MPI.
    pub mpi_share: f64,
    /// Time of its threads so far.
    pub time_ns: u64,
    /// Time outside of MPI.
    pub work_ns: u64,
    /// Waiting for partners, where that was told apart from transfer.
    pub waiting_ns: Option<u64>,
    /// MPI calls.
    pub calls: u64,
    /// Bytes sent or received.
    pub bytes: u64,
    /// Calls per second.
    pub calls_per_second: f64,
    /// Bytes per second.
    pub bytes_per_second: f64,
}

/// A communication statement at one moment.
#[derive(Debug, Clone, Default, Serialize)]
pub struct StatementView {
    /// The MPI function.
    pub name: String,
    /// Its line.
    pub place: String,
    /// Time of all ranks.
    pub time_ns: u64,
    /// Part of the time of all threads.
    pub share: f64,
    /// Calls.
    pub calls: u64,
    /// Bytes.
    pub bytes: u64,
    /// Part of the last interval that all threads spent there.
    pub recent_share: f64,
    /// Calls per second.
    pub calls_per_second: f64,
    /// How unevenly ranks spend time there, 0 to 1.
    pub imbalance: f64,
    /// Ranks that are in it at this moment.
    pub inside: u32,
}

/// Describes a run as it was at a moment, in nanoseconds since 1970.
pub fn view(path: &str, loaded: &Loaded, now: u64, before: Option<&View>) -> View {
    let all = &loaded.statistics;
    let places = places(all, &loaded.processes);
    let mut ranks: Vec<RankView> = (loaded.processes.iter())
        .map(|process| rank_view(loaded, process, now, &places))
        .collect();
    tell_missing(loaded, &mut ranks);
    let cycle = cycle(&waits(loaded, &ranks));
    let seconds = before.map_or(0.0, |before| now.saturating_sub(before.at_ns) as f64 / 1e9);
    for rank in &mut ranks {
        let earlier = before.and_then(|b| b.ranks.iter().find(|r| r.rank == rank.rank));
        let whole = all.ranks.iter().find(|r| r.rank == rank.rank);
        let whole = whole.map_or(0.0, |r| r.duration as f64 / 1e9);
        let rate = |count: u64, earlier: Option<u64>| per_second(count, earlier, seconds, whole);
        rank.calls_per_second = rate(rank.calls, earlier.map(|e| e.calls));
        rank.bytes_per_second = rate(rank.bytes, earlier.map(|e| e.bytes));
    }
    let work: Vec<u64> = ranks.iter().map(|rank| rank.work_ns).collect();
    let numbers: Vec<u32> = ranks.iter().map(|rank| rank.rank).collect();
    let shares: f64 = ranks.iter().map(|rank| rank.mpi_share).sum();
    View {
        path: path.to_owned(),
        state: state(loaded),
        at_ns: now,
        duration_ns: all
            .ranks
            .iter()
            .map(|rank| rank.duration)
            .max()
            .unwrap_or(0),
        mpi_share: shares / ranks.len().max(1) as f64,
        imbalance: mpiscope_analysis::statistics::Spread::of(&work, &numbers).imbalance(),
        calls_per_second: ranks.iter().map(|rank| rank.calls_per_second).sum(),
        bytes_per_second: ranks.iter().map(|rank| rank.bytes_per_second).sum(),
        statements: statements(all, &ranks, seconds, before),
        ranks,
        cycle,
        notes: loaded.notes.iter().chain(&loaded.damage).cloned().collect(),
    }
}

fn per_second(count: u64, earlier: Option<u64>, seconds: f64, whole: f64) -> f64 {
    match earlier {
        Some(earlier) if seconds > 0.0 => count.saturating_sub(earlier) as f64 / seconds,
        None if whole > 0.0 => count as f64 / whole,
        _ => 0.0,
    }
}

fn rank_view(loaded: &Loaded, process: &Process, now: u64, places: &Places) -> RankView {
    let rank = process.identity.rank;
    let live = loaded.live.contains(&rank);
    let counted = loaded.statistics.ranks.iter().find(|r| r.rank == rank);
    let counted = counted.cloned().unwrap_or_default();
    let ended = process.threads.iter().any(|thread| thread.finished);
    let mut view = RankView {
        rank,
        host: process.identity.host.clone(),
        pid: process.identity.pid,
        state: match (live, ended) {
            (true, _) => "running",
            (false, true) => "ended",
            (false, false) if loaded.silent.contains(&rank) => "silent",
            (false, false) => "died",
        },
        calls: counted.calls,
        ..RankView::default()
    };
    let own = loaded
        .statistics
        .records
        .iter()
        .filter(|record| record.rank == rank);
    let mut separated = 0;
    let mut delay = 0;
    for record in own {
        let is_communication =
            loaded.statistics.statements[record.statement].kind == Kind::Communication;
        if is_communication {
            view.bytes = view.bytes.saturating_add(record.figures.bytes);
            separated += record.figures.separated;
            delay += record.figures.delay;
        }
    }
    view.waiting_ns = (separated > 0).then_some(delay);
    let mut mpi = counted.mpi;
    if !ended {
        view.threads = open_calls(loaded, process, live.then_some(now), places);
    }
    for call in &view.threads {
        mpi = mpi.saturating_add(call.for_ns);
    }
    let whole = match live {
        true => counted.thread_time.max(now.saturating_sub(counted.started)),
        false => counted.thread_time,
    };
    view.mpi_share = (mpi as f64 / whole.max(1) as f64).min(1.0);
    view.time_ns = whole;
    view.work_ns = whole.saturating_sub(mpi);
    view
}

/// Describes the communication statements, with rates since the look before.
pub fn statements(
    all: &Statistics,
    ranks: &[RankView],
    seconds: f64,
    before: Option<&View>,
) -> Vec<StatementView> {
    let whole: u64 = all.ranks.iter().map(|rank| rank.thread_time).sum();
    let duration = all
        .ranks
        .iter()
        .map(|rank| rank.duration)
        .max()
        .unwrap_or(0) as f64
        / 1e9;
    let view = |group: &mpiscope_analysis::statistics::Group| {
        let Of::Statement(number) = group.of else {
            return None;
        };
        let statement = all.statements.get(number)?;
        let (name, place) = (statement.name.clone(), statement.place());
        let same = |s: &&StatementView| s.name == name && s.place == place;
        let earlier = before.and_then(|before| before.statements.iter().find(same));
        let is_in = |rank: &&RankView| {
            let mut calls = rank.threads.iter();
            calls.any(|call| call.name == name && call.place.as_ref() == Some(&place))
        };
        let recent = group
            .figures
            .time
            .saturating_sub(earlier.map_or(0, |e| e.time_ns));
        let span = if seconds > 0.0 {
            seconds * 1e9 * ranks.len() as f64
        } else {
            whole as f64
        };
        Some(StatementView {
            inside: ranks.iter().filter(is_in).count() as u32,
            time_ns: group.figures.time,
            share: group.figures.time as f64 / whole.max(1) as f64,
            calls: group.figures.calls,
            bytes: group.figures.bytes,
            recent_share: (recent as f64 / span.max(1.0)).min(1.0),
            calls_per_second: per_second(
                group.figures.calls,
                earlier.map(|e| e.calls),
                seconds,
                duration,
            ),
            imbalance: group.spread.imbalance(),
            name,
            place,
        })
    };
    groups(all, By::Statement).iter().filter_map(view).collect()
}
