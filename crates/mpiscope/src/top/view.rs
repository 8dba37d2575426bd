//! What is to be seen at one moment: of each rank and of each statement.

use std::collections::{BTreeMap, HashMap};

use mpiscope_analysis::statistics::{cycle, groups, By, Of, Wait};
use mpiscope_run::model::statistics::{Kind, Statistics};
use mpiscope_run::statistics::{Activity, Process, Thread, ALL, ANY};
use serde::Serialize;

use crate::show;
use crate::stats::{state, Loaded};

/// Who waits shorter than this may only just have begun.
const PATIENCE: u64 = 1_000_000_000;

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
    /// The MPI call it is in, or was in when it died.
    pub call: Option<String>,
    /// The line of that call.
    pub place: Option<String>,
    /// For how long.
    pub for_ns: Option<u64>,
    /// On whom it waits, in words.
    pub waits_for: Option<String>,
    /// Part of its time in MPI.
    pub mpi_share: f64,
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

/// The communication statements of each rank by return address and function.
type Places = HashMap<(u32, u64, u16), String>;

/// Names the line of every call that was counted so far: records and rows are in one order.
fn places(all: &Statistics, processes: &[Process]) -> Places {
    let threads = processes
        .iter()
        .flat_map(|p| p.threads.iter().map(move |t| (p, t)));
    let rows = threads.flat_map(|(p, t)| t.rows.iter().map(move |row| (p.identity.rank, row)));
    let named = rows.zip(&all.records).filter_map(|((rank, row), record)| {
        let statement = all.statements.get(record.statement)?;
        let communicates = statement.kind == Kind::Communication;
        communicates.then(|| ((rank, row.place, row.region), statement.place()))
    });
    named.collect()
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
    let main = process.threads.first().filter(|_| !ended);
    let doing = main.and_then(|thread| doing(process, thread, live.then_some(now)));
    if let Some((name, since)) = doing {
        let thread = main.map(|thread| thread.now).unwrap_or_default();
        mpi = mpi.saturating_add(since);
        view.for_ns = Some(since);
        let known = places.get(&(rank, thread.site, thread.region.unwrap_or(0)));
        view.place = known.or_else(|| loaded.inside.get(&rank)).cloned();
        view.waits_for = waits_for(process, &thread);
        view.call = Some(name);
    }
    let whole = match live {
        true => counted.thread_time.max(now.saturating_sub(counted.started)),
        false => counted.thread_time,
    };
    view.mpi_share = (mpi as f64 / whole.max(1) as f64).min(1.0);
    view.work_ns = whole.saturating_sub(mpi);
    view
}

/// Returns the MPI call that a thread is in, and for how long it was at a moment;
/// for one that died, at the last that is known of it.
fn doing(process: &Process, thread: &Thread, now: Option<u64>) -> Option<(String, u64)> {
    let region = thread.now.region?;
    let map = process.ticks();
    let now = now.map(|now| now as i64).or_else(|| last_seen(process));
    let since = map
        .zip(now)
        .map_or(0, |(map, now)| now - map.apply(thread.now.since));
    Some((process.region(region).to_owned(), since.max(0) as u64))
}

/// Returns when a process last read its clock, in nanoseconds since 1970.
fn last_seen(process: &Process) -> Option<i64> {
    let last = process
        .threads
        .iter()
        .map(|thread| thread.span[1].ticks)
        .max();
    Some(process.ticks()?.apply(last?))
}

/// Says in words for whom a call waits, of one with everybody apart.
fn waits_for(process: &Process, now: &Activity) -> Option<String> {
    match now.peer {
        ANY => Some("anybody".into()),
        peer => (process.world_rank(peer, now.group)).map(|rank| format!("rank {rank}")),
    }
}

/// Says of collective calls who is not in them yet.
fn tell_missing(loaded: &Loaded, ranks: &mut [RankView]) {
    let inside = inside(ranks);
    for (process, view) in loaded.processes.iter().zip(&mut *ranks) {
        let now = process.threads.first().map(|thread| thread.now);
        let Some(now) = now.filter(|now| now.peer == ALL && view.call.is_some()) else {
            continue;
        };
        let missing = missing(process, &now, view, &inside);
        view.waits_for = match missing.as_slice() {
            [] => None,
            [one] => Some(format!("rank {one}")),
            several => Some(format!("ranks {}", show::ranges(several))),
        };
    }
}

/// The call that each rank is in.
fn inside(ranks: &[RankView]) -> HashMap<u32, String> {
    let pairs = ranks
        .iter()
        .filter_map(|rank| Some((rank.rank, rank.call.clone()?)));
    pairs.collect()
}

/// Returns the members of a communicator, this rank left out.
fn members(process: &Process, now: &Activity, own: u32) -> Vec<u32> {
    let group = process.group(now.group).into_iter();
    let all = group.flat_map(|group| group.members.iter());
    all.filter(|&rank| rank != own).collect()
}

/// Returns the members of a communicator that are not in the collective call of `view`.
fn missing(
    process: &Process,
    now: &Activity,
    view: &RankView,
    inside: &HashMap<u32, String>,
) -> Vec<u32> {
    let mut members = members(process, now, view.rank);
    members.retain(|rank| inside.get(rank) != view.call.as_ref());
    members
}

/// For whom each rank has waited so long that it may be for good.
fn waits(loaded: &Loaded, ranks: &[RankView]) -> BTreeMap<u32, Wait> {
    let inside = inside(ranks);
    let end = loaded.processes.iter().filter_map(last_seen).max();
    let wait = |process: &Process, view: &RankView| {
        // Of a rank that was killed its own last word may be a second old; the others' count, too.
        let rest = match view.state {
            "died" => end
                .zip(last_seen(process))
                .map_or(0, |(end, last)| end - last),
            _ => 0,
        };
        let lasted = view
            .for_ns
            .map(|since| since.saturating_add(rest.max(0) as u64));
        let patient = lasted.is_some_and(|lasted| lasted >= PATIENCE);
        let now = process.threads.first().map(|thread| thread.now);
        let Some(now) = now.filter(|_| patient && view.call.is_some()) else {
            return Wait::Nobody;
        };
        match now.peer {
            ANY => Wait::Any(members(process, &now, view.rank)),
            ALL => Wait::All(missing(process, &now, view, &inside)),
            peer => match process.world_rank(peer, now.group) {
                Some(rank) => Wait::All(vec![rank]),
                None => Wait::Nobody,
            },
        }
    };
    let pairs = loaded.processes.iter().zip(ranks);
    pairs
        .map(|(process, view)| (view.rank, wait(process, view)))
        .collect()
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
            rank.call.as_ref() == Some(&name) && rank.place.as_ref() == Some(&place)
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
