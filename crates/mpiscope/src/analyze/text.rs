//! The report as people read it: first what matters, then tables.

use std::cmp::Reverse;

use super::facts::{
    Activity, CriticalPath, Facts, OfKind, Rank, Sent, Share, SourcePlace, Statement, Unknown,
    Waits,
};
use super::{causes, computation, efficiency, iterations, patterns, resolution, verdict};
use crate::input::TimeBase;
use crate::report::show::{self, count, counted, share};
use crate::stats::labels;
use crate::terminal;

/// Ranks of which the whole communication matrix is drawn.
const MATRIX: u32 = 8;

/// Writes the report, with at most so many rows in each table.
pub fn text(facts: &Facts, top: usize) -> String {
    let parts = [
        head(facts),
        wait_states(facts),
        statements(facts, top),
        causes::text(facts, top),
        facts
            .critical_path
            .as_ref()
            .map_or_else(String::new, |path| critical_path(facts, path, top)),
        (facts.computation.as_ref()).map_or_else(String::new, |it| computation::text(it, top)),
        ranks(facts, top),
        pairs(facts, top),
        messages(&facts.messages, top),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

pub(super) fn time(ns: i64) -> String {
    show::duration(ns as f64)
}

pub(super) fn part(ns: i64, whole: i64) -> String {
    share(ns.max(0) as u64, whole.max(0) as u64)
}

/// Names a call; where no line is known, after the region around it.
fn named(place: &SourcePlace) -> String {
    let shown = place.shown();
    match (&place.function, &place.file, &place.module) {
        (Some(function), None, None) => format!("{shown} in {function}"),
        _ => shown,
    }
}

fn head(facts: &Facts) -> String {
    let length = match (facts.source.as_ref(), facts.clock) {
        ("trace", Some(TimeBase::Corrected)) => "from first to last event, in corrected time",
        ("trace", Some(TimeBase::Interpolated)) => "from first to last event, in interpolated time",
        ("trace", Some(TimeBase::Measured)) => {
            "from first to last event, by the clocks as measured"
        }
        ("trace", None) => "from first to last event",
        _ => "observed, in statistics",
    };
    let waiting = match facts.waiting_ns {
        Some(waiting) => format!(
            "of that waiting {}{}{}, {} of the time",
            if is_in_part(facts) { "at least " } else { "" },
            time(waiting),
            open(facts),
            part(waiting, facts.time_ns)
        ),
        None => "waiting is not told apart from transfer".to_owned(),
    };
    let mut lines = vec![format!(
        "{}: {}, {} {length}",
        facts.path.display(),
        counted(facts.ranks, "rank"),
        time(facts.length_ns)
    )];
    if let Some(found) = &facts.verdict {
        lines.extend(verdict::text(found));
        lines.push(String::new());
    }
    lines.push(format!(
        "MPI: {}, {} of the time of all threads; {waiting}",
        time(facts.mpi_ns),
        part(facts.mpi_ns, facts.time_ns)
    ));
    if let Some(end) = &facts.end {
        lines.extend(end.sentences());
        let run = show::word(&facts.path);
        lines.push(format!("next: mpiscope races {run} (who waits for whom)"));
    }
    lines.extend(resolution::text(facts));
    lines.extend(facts.worst().map(worst));
    if facts.unrecorded_ns > 0 {
        lines.push(format!(
            "recording was off for {}, {} of the time",
            time(facts.unrecorded_ns),
            part(facts.unrecorded_ns, facts.time_ns)
        ));
    }
    lines.extend(threads(facts));
    let work = &facts.work;
    let outside = match facts.threads_ns {
        0 => "outside of MPI",
        _ => "outside of MPI and of that",
    };
    lines.push(format!(
        "{outside}: {} a rank in the mean, most on rank {} with {}: a perfect balance would \
         save {} of that",
        time(work.mean_ns as i64),
        work.max_rank,
        time(work.max_ns as i64),
        show::percent(work.imbalance * 100.0)
    ));
    lines.extend(efficiency::text(facts));
    lines.extend(iterations::text(facts).map(|line| terminal::wrapped(&line, 2)));
    let unknown = facts.unknown.iter().map(unknown);
    lines.extend(unknown.map(|line| terminal::wrapped(&line, 2)));
    lines.extend(facts.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n")
}

/// Says by how much all waiting can be wrong; nothing where no clock can be.
fn open(facts: &Facts) -> String {
    let half_width = facts.resolution.map_or(0, |it| it.half_width_ns);
    match half_width {
        0 => String::new(),
        half_width => format!(" (± {} by the clocks)", time(half_width)),
    }
}

/// Says how long threads of a process were there for each other alone.
fn threads(facts: &Facts) -> Option<String> {
    (facts.threads_ns > 0).then(|| {
        format!(
            "threads: {} at barriers, locks and joins, or without a team, {} of the time; of that waiting {}",
            time(facts.threads_ns),
            part(facts.threads_ns, facts.time_ns),
            time(facts.threads_waiting_ns)
        )
    })
}

/// Returns whether waiting is known in a part of the calls only.
fn is_in_part(facts: &Facts) -> bool {
    facts.source == "trace" && facts.unknown.iter().any(Unknown::is_of_ranks)
}

fn unknown(it: &Unknown) -> String {
    let calls = match (it.calls, it.time_ns) {
        (0, _) => String::new(),
        (calls, None) => format!(" ({})", counted(calls, "call")),
        (calls, Some(ns)) => format!(" ({}, {})", counted(calls, "call"), time(ns)),
    };
    format!("unknown: {}{calls}: {}", it.what, it.why)
}

fn worst((statement, waits): (&Statement, &Waits)) -> String {
    let most = |shares: &[Share], words: &str| match shares.first() {
        Some(most) => {
            let of_all = part(most.waiting_ns, waits.waiting_ns);
            format!(", {of_all} {words} rank {}", most.rank)
        }
        None => String::new(),
    };
    let for_whom = match statement.among_threads {
        true => String::new(),
        false => most(&waits.waited_for, "for"),
    };
    format!(
        "worst: {} ({}), {}{}{for_whom}",
        named(&statement.place),
        waits.kind,
        time(waits.waiting_ns),
        most(&waits.ranks, "of it on"),
    )
}

fn wait_states(facts: &Facts) -> String {
    if facts.wait_states.is_empty() {
        return no_waiting(facts).unwrap_or_default().to_owned();
    }
    let (header, rows) = kinds(facts);
    let table = show::grid(header, rows);
    format!("{table}{}", patterns::text(facts))
}

/// Says that nobody waited, as far as that is known.
pub(super) fn no_waiting(facts: &Facts) -> Option<&'static str> {
    match facts.waiting_ns {
        _ if !facts.wait_states.is_empty() => None,
        Some(_) if is_in_part(facts) => Some("no call is known to have waited for another rank"),
        Some(_) => Some("no call waited for another rank"),
        None => None,
    }
}

/// Returns the table of waiting by kind: its header and its rows.
pub(super) fn kinds(facts: &Facts) -> (Vec<String>, Vec<Vec<String>>) {
    let is_open = resolution::is_told(facts);
    let mut header = vec!["wait state", "times", "waiting"];
    if is_open {
        header.extend(["by the clocks", "below clock resolution"]);
    }
    header.push("share");
    let row = |row: &OfKind| {
        let mut cells = vec![row.kind.to_string(), count(row.times), time(row.waiting_ns)];
        if is_open {
            let open = row.resolution.unwrap_or_default();
            cells.extend([open.shown(row.times), open.below()]);
        }
        cells.push(part(row.waiting_ns, facts.time_ns));
        cells
    };
    let header = header.into_iter().map(str::to_owned).collect();
    (header, facts.wait_states.iter().map(row).collect())
}

fn statements(facts: &Facts, top: usize) -> String {
    if facts.statements.is_empty() {
        return String::new();
    }
    let rows = facts.statements.iter().take(top).map(|statement| {
        let waits = statement.waits.first();
        let kinds: Vec<&str> = statement.waits.iter().map(|waits| &*waits.kind).collect();
        [
            named(&statement.place),
            count(statement.calls),
            time(statement.time_ns),
            waited(
                statement.waiting_ns,
                statement.separated_calls < statement.calls,
            ),
            kinds.join(", "),
            waits.map_or_else(String::new, |waits| mostly(&waits.ranks)),
            match statement.among_threads {
                true => waits.map_or("", |_| "its threads").to_owned(),
                false => waits.map_or_else(String::new, for_whom),
            },
            labels::some_bytes(statement.bytes),
        ]
    });
    let header = [
        "statement",
        "calls",
        "time",
        "waiting",
        "wait state",
        "who waits",
        "for whom",
        "bytes",
    ];
    show::table(header, rows.collect()) + &more(facts.statements.len(), top)
}

/// Writes how long was waited; `-` where that is not known, `≥` where in part.
fn waited(waiting: Option<i64>, in_part: bool) -> String {
    match waiting {
        None => "-".to_owned(),
        Some(waiting) if in_part => format!("≥{}", time(waiting)),
        Some(waiting) => time(waiting),
    }
}

/// Names the rank with the largest share.
fn mostly(shares: &[Share]) -> String {
    let whole = shares.iter().map(|share| share.waiting_ns).sum();
    match shares {
        [] => String::new(),
        [only] => format!("rank {}", only.rank),
        [most, ..] => format!("rank {} {}", most.rank, part(most.waiting_ns, whole)),
    }
}

/// Names whom most of the waiting was for; where that is not known, who waited
/// least, as whoever comes last does.
fn for_whom(waits: &Waits) -> String {
    match (waits.waited_for.is_empty(), waits.ranks.as_slice()) {
        (true, [_, .., least]) => format!("(least: rank {})", least.rank),
        _ => mostly(&waits.waited_for),
    }
}

pub(super) fn more(rows: usize, top: usize) -> String {
    match rows.saturating_sub(top) {
        0 => String::new(),
        more => format!("\n  … and {} more: --top", count(more as u64)),
    }
}

fn critical_path(facts: &Facts, path: &CriticalPath, top: usize) -> String {
    if path.parts.is_empty() {
        return String::new();
    }
    let rows = path.parts.iter().take(top).map(|part_of| {
        let some = |ns| if ns == 0 { String::new() } else { time(ns) };
        [
            done(&part_of.activity),
            time(part_of.path_ns),
            part(part_of.path_ns, path.length_ns),
            some(part_of.imbalance_ns),
            some(part_of.held_ns),
        ]
    });
    let header = [
        "on the critical path",
        "time",
        "share",
        "imbalance",
        "caused waiting",
    ];
    let title = format!(
        "critical path{}: {} computation, {} in MPI, {}",
        if is_in_part(facts) {
            ", as far as waiting is known"
        } else {
            ""
        },
        part(path.work_ns, path.length_ns),
        part(path.mpi_ns, path.length_ns),
        counted(path.segments, "segment")
    );
    format!(
        "{title}\n{}{}",
        show::table(header, rows.collect()),
        more(path.parts.len(), top)
    )
}

/// Says what was done.
pub(super) fn done(activity: &Activity) -> String {
    match activity {
        Activity::Mpi { place } | Activity::Threads { place } => named(place),
        Activity::Region { name } => name.clone(),
        Activity::Unrecorded => "(not recorded)".to_owned(),
        Activity::Work { after, before } => match (after, before) {
            (Some(after), Some(before)) if after == before => {
                format!("computation between two {}", named(after))
            }
            (Some(after), Some(before)) => {
                format!("computation from {} to {}", named(after), named(before))
            }
            (None, Some(before)) => format!("computation up to {}", named(before)),
            (Some(after), None) => format!("computation after {}", named(after)),
            (None, None) => "computation".to_owned(),
        },
    }
}

/// Returns whether a rank was ready to run and had no processor for so much of its time that it is told.
fn is_delayed(rank: &Rank) -> bool {
    /// In parts of its time.
    const TOLD: i64 = 20;
    let delay = rank.run_delay_ns.unwrap_or(0);
    delay > 0 && delay >= rank.time_ns / TOLD
}

fn ranks(facts: &Facts, top: usize) -> String {
    if facts.by_rank.is_empty() {
        return String::new();
    }
    let mut rows: Vec<&Rank> = facts.by_rank.iter().collect();
    let is_path_known = rows.iter().any(|rank| rank.path_ns.is_some());
    if rows.len() > top {
        // Those that hold up others most, then those that work most.
        rows.sort_by_key(|rank| {
            (
                Reverse(rank.causing_ns),
                rank.mpi_ns - rank.time_ns,
                rank.rank,
            )
        });
    }
    let are_delayed = rows.iter().any(|rank| is_delayed(rank));
    let mut header = vec!["rank", "time", "in MPI", "waiting", "caused waiting"];
    header.extend(is_path_known.then_some("on the critical path"));
    header.extend(are_delayed.then_some("without a processor"));
    let row = |rank: &&Rank| {
        let mut row = vec![
            rank.rank.to_string(),
            time(rank.time_ns),
            part(rank.mpi_ns, rank.time_ns),
            waited(rank.waiting_ns, is_in_part(facts)),
            waited(rank.causing_ns, false),
        ];
        row.extend(rank.path_ns.map(|path| part(path, facts.length_ns)));
        row.extend(are_delayed.then(|| waited(rank.run_delay_ns, false)));
        row
    };
    let header = header.into_iter().map(str::to_owned).collect();
    show::grid(header, rows.iter().take(top).map(row).collect()) + &more(rows.len(), top)
}

fn pairs(facts: &Facts, top: usize) -> String {
    if facts.pairs.is_empty() {
        return String::new();
    }
    let rows = facts.pairs.iter().take(top).map(|pair| {
        [
            format!("rank {} for rank {}", pair.rank, pair.waited_for),
            count(pair.times),
            time(pair.waiting_ns),
            part(pair.waiting_ns, facts.waiting_ns.unwrap_or(0)),
        ]
    });
    let header = ["who waits for whom", "times", "waiting", "of all waiting"];
    show::table(header, rows.collect()) + &more(facts.pairs.len(), top)
}

fn messages(all: &[Sent], top: usize) -> String {
    let last = all.iter().map(|sent| sent.from.max(sent.to)).max();
    match last {
        None => String::new(),
        Some(last) if last < MATRIX => matrix(all, last + 1),
        Some(_) => heaviest(all, top),
    }
}

fn matrix(all: &[Sent], ranks: u32) -> String {
    let cell = |from: u32, to: u32| {
        let sent = all.iter().find(|sent| (sent.from, sent.to) == (from, to));
        sent.map_or(".".to_owned(), |sent| {
            format!("{} in {}", labels::bytes(sent.bytes), count(sent.messages))
        })
    };
    let mut header = vec!["bytes, messages: from, to rank".to_owned()];
    header.extend((0..ranks).map(|rank| rank.to_string()));
    let row = |from: u32| {
        let cells = (0..ranks).map(|to| cell(from, to));
        std::iter::once(from.to_string()).chain(cells).collect()
    };
    show::grid(header, (0..ranks).map(row).collect())
}

fn heaviest(all: &[Sent], top: usize) -> String {
    let mut sorted: Vec<&Sent> = all.iter().collect();
    sorted.sort_by_key(|sent| {
        (
            std::cmp::Reverse((sent.bytes, sent.messages)),
            sent.from,
            sent.to,
        )
    });
    let rows = sorted.iter().take(top).map(|sent| {
        [
            format!("rank {} to rank {}", sent.from, sent.to),
            count(sent.messages),
            labels::bytes(sent.bytes),
        ]
    });
    let header = ["most was sent from", "messages", "bytes"];
    show::table(header, rows.collect()) + &more(all.len(), top)
}

#[cfg(test)]
mod tests;
