//! A view as lines and rows of text: what the screen and `--once` show.

use super::calls::CallView;
use super::keys::Page;
use super::view::{RankView, StatementView, View};
use crate::report::show;
use crate::stats::labels;

/// Names of the columns of ranks.
pub const RANKS: [&str; 10] = [
    "rank",
    "state",
    "in",
    "at",
    "for",
    "waits for",
    "MPI",
    "waiting",
    "calls/s",
    "bytes/s",
];

/// Names of the columns of statements.
pub const STATEMENTS: [&str; 9] = [
    "statement",
    "at",
    "now",
    "in all",
    "time",
    "imbalance",
    "calls",
    "calls/s",
    "inside",
];

/// The row of a rank.
pub fn rank(view: &RankView) -> [String; 10] {
    let first = view.threads.first();
    let of_first = |text: fn(&CallView) -> Option<String>| first.and_then(text);
    let name = first.map(|call| match view.threads.len() - 1 {
        0 => call.name.clone(),
        more => format!("{} +{more}", call.name),
    });
    [
        view.rank.to_string(),
        view.state.to_owned(),
        name.unwrap_or_else(|| match view.state {
            "running" => "its own code".into(),
            _ => String::new(),
        }),
        of_first(|call| call.place.clone()).unwrap_or_default(),
        of_first(|call| Some(show::duration(call.for_ns as f64))).unwrap_or_default(),
        of_first(|call| call.waits_for.clone()).unwrap_or_default(),
        show::percent(view.mpi_share * 100.0),
        view.waiting_ns
            .map_or_else(|| "-".into(), |ns| show::duration(ns as f64)),
        rate(view.calls_per_second),
        bytes(view.bytes_per_second),
    ]
}

/// How long the call lasts that a rank is shown in.
fn since(view: &RankView) -> u64 {
    view.threads.first().map_or(0, |call| call.for_ns)
}

/// The row of a statement.
pub fn statement(view: &StatementView) -> [String; 9] {
    [
        view.name.clone(),
        view.place.clone(),
        show::percent(view.recent_share * 100.0),
        show::percent(view.share * 100.0),
        show::duration(view.time_ns as f64),
        show::percent(view.imbalance * 100.0),
        show::count(view.calls),
        rate(view.calls_per_second),
        labels::some(view.inside.into()),
    ]
}

/// A table of the screen, and where its rows lead to.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Names of the columns.
    pub header: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// The page behind each row, if there is one.
    pub targets: Vec<Option<Page>>,
}

impl Listing {
    fn new<V, const N: usize>(
        header: [&str; N],
        items: &[V],
        row: impl Fn(&V) -> [String; N],
        target: impl Fn(&V) -> Option<Page>,
    ) -> Self {
        Self {
            header: header.map(str::to_owned).into(),
            rows: items.iter().map(|item| row(item).into()).collect(),
            targets: items.iter().map(target).collect(),
        }
    }

    /// Returns how wide each column is.
    pub fn widths(&self) -> Vec<u16> {
        let rows = || self.rows.iter().chain([&self.header]);
        let width = |column: usize| {
            let cells = rows().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0) as u16 + 1
        };
        (0..self.header.len()).map(width).collect()
    }

    /// Returns the header, with a mark at the column that rows are sorted by.
    pub fn header_marked(&self, sorted: Option<usize>) -> Vec<String> {
        let mut header = self.header.clone();
        if let Some(name) = sorted.and_then(|column| header.get_mut(column)) {
            name.push('*');
        }
        header
    }
}

/// The ranks, sorted by a column: text ascending, figures with the largest first.
pub fn ranks(views: &[RankView], column: Option<usize>) -> Listing {
    let mut views = views.to_vec();
    if let Some(column) = column {
        let key = |view: &RankView| match column {
            4 => since(view) as f64,
            6 => view.mpi_share,
            7 => view.waiting_ns.unwrap_or(0) as f64,
            8 => view.calls_per_second,
            9 => view.bytes_per_second,
            _ => 0.0,
        };
        let text = |view: &RankView| match column {
            0 => String::new(),
            _ => rank(view)[column].clone(),
        };
        views.sort_by(|a, b| {
            let by_key = key(b).total_cmp(&key(a));
            by_key
                .then_with(|| text(a).cmp(&text(b)))
                .then_with(|| a.rank.cmp(&b.rank))
        });
    }
    Listing::new(RANKS, &views, rank, |view| Some(Page::Rank(view.rank)))
}

/// Statements, sorted by a column.
pub fn statements(views: &[StatementView], column: Option<usize>) -> Listing {
    let target =
        |view: &StatementView| Some(Page::Statement(view.name.clone(), view.place.clone()));
    Listing::new(STATEMENTS, &sorted(views, column), statement, target)
}

/// What each rank did in a statement, sorted by a column.
pub fn by_rank(views: &[StatementView], column: Option<usize>) -> Listing {
    Listing::new(STATEMENTS, &sorted(views, column), statement, |_| None)
}

fn sorted(views: &[StatementView], column: Option<usize>) -> Vec<StatementView> {
    let mut views = views.to_vec();
    if let Some(column) = column {
        let key = |view: &StatementView| match column {
            2 => view.recent_share,
            3 | 4 => view.time_ns as f64,
            5 => view.imbalance,
            6 => view.calls as f64,
            7 => view.calls_per_second,
            8 => f64::from(view.inside),
            _ => 0.0,
        };
        let text = |view: &StatementView| statement(view)[column].clone();
        views.sort_by(|a, b| {
            key(b)
                .total_cmp(&key(a))
                .then_with(|| text(a).cmp(&text(b)))
        });
    }
    views
}

/// What is said of the whole run.
pub fn head(view: &View) -> Vec<String> {
    let mut lines = vec![
        format!(
            "{}: {}, observed for {}",
            view.path,
            view.state,
            show::duration(view.duration_ns as f64)
        ),
        format!(
            "MPI {} of the time, imbalance of the rest {}, {} calls/s, {}/s",
            show::percent(view.mpi_share * 100.0),
            show::percent(view.imbalance * 100.0),
            rate(view.calls_per_second),
            bytes(view.bytes_per_second)
        ),
    ];
    lines.extend(cycle(view));
    lines
}

/// Says which ranks wait for each other.
fn cycle(view: &View) -> Option<String> {
    let first = view.cycle.first()?;
    let step = |rank: &u32| {
        let call = view
            .ranks
            .iter()
            .find(|view| view.rank == *rank)?
            .threads
            .first()?;
        let place = call.place.as_deref().unwrap_or("");
        Some(format!("rank {rank} ({} {place}) -> ", call.name))
    };
    let steps: String = view.cycle.iter().take(8).filter_map(step).collect();
    let more = if view.cycle.len() > 8 { "… -> " } else { "" };
    Some(format!(
        "these ranks wait for each other: {steps}{more}rank {first}"
    ))
}

/// The calls that a rank's threads are in, if there are several.
pub fn threads(view: &View, rank: u32) -> Vec<String> {
    let found = view.ranks.iter().find(|view| view.rank == rank);
    let calls = found.map_or(&[][..], |view| &view.threads);
    let line = |call: &CallView| {
        let CallView { thread, name, .. } = call;
        let mut line = format!("thread {thread} in {name}");
        if let Some(place) = &call.place {
            line += &format!(" at {place}");
        }
        line += &format!(" for {}", show::duration(call.for_ns as f64));
        if let Some(whom) = &call.waits_for {
            line += &format!(", waits for {whom}");
        }
        line
    };
    match calls.len() {
        0 | 1 => Vec::new(),
        _ => calls.iter().map(line).collect(),
    }
}

/// The whole view as text.
pub fn text(view: &View) -> String {
    let mut parts = head(view);
    parts.extend(view.notes.iter().map(|note| format!("note: {note}")));
    parts.push(show::table(RANKS, view.ranks.iter().map(rank).collect()));
    if !view.statements.is_empty() {
        let rows = view.statements.iter().map(statement).collect();
        parts.push(show::table(STATEMENTS, rows));
    }
    parts.join("\n")
}

fn rate(per_second: f64) -> String {
    match per_second >= 1000.0 {
        true => show::count(per_second.round() as u64),
        false => show::three_digits(per_second),
    }
}

fn bytes(per_second: f64) -> String {
    labels::bytes(per_second.round() as u64)
}
