//! A profile, as JSON has it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use mpiscope_analysis::breakdown::{Breakdown, By, Key, Row as OfBreakdown, Sent};
use mpiscope_analysis::evidence::Evidence;
use mpiscope_archive::model::{LocationIndex, Matching, Trace};
use mpiscope_sync::Topology;
use serde::Serialize;

use super::counters::Counted;
use super::names::Names;
use super::selected::Selected;
use crate::cli::{ByTable, Profile, Sort};
use crate::end_of_run::EndOfRun;
use crate::evidence;
use crate::input::{Input, TimeBase};
use crate::kinds::Kinds;
use crate::report::show::count;
use crate::traced;

/// The report.
#[derive(Debug, Serialize)]
pub struct Facts {
    /// What was read.
    pub path: PathBuf,
    /// The archive's anchor.
    pub archive: PathBuf,
    /// What its times are; nothing if nobody knows.
    pub clock: Option<TimeBase>,
    /// What was selected, in words; nothing if that is everything.
    pub selection: Vec<String>,
    /// Ranks that are looked at.
    pub ranks: u64,
    /// The time of all their threads, each from its first to its last event, in the selected time.
    pub time_ns: i64,
    /// What of it is selected: the sum of the exclusive times of each table.
    pub selected_ns: i64,
    /// Tables of visits and times.
    pub tables: Vec<Table>,
    /// Tables of messages.
    pub messages: Vec<Messages>,
    /// What counters have counted, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counted>,
    /// What is not known, or not looked at.
    pub unknown: Vec<String>,
    /// What is to be known of the times.
    pub notes: Vec<String>,
    /// What could not be read.
    pub damage: Vec<String>,
}

/// A table of visits and times.
#[derive(Debug, Serialize)]
pub struct Table {
    /// What the rows are.
    pub by: ByTable,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row of it.
#[derive(Debug, Serialize)]
pub struct Row {
    /// What it is about.
    pub name: String,
    /// The regions of a call path, outermost first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Vec<String>>,
    /// Visits that began in the selected time.
    pub visits: u64,
    /// Time in it, what it called included; of a region within itself counted once.
    pub inclusive_ns: i64,
    /// Time in it, without what it called.
    pub exclusive_ns: i64,
    /// Of the exclusive time waiting for others, as far as the trace tells.
    pub waiting_ns: i64,
    /// Ranks that have it.
    pub ranks: u32,
    /// The least exclusive time of a rank, 0 if one has none.
    pub least_ns: i64,
    /// The mean of all ranks that are looked at.
    pub mean_ns: i64,
    /// The most of a rank.
    pub most_ns: i64,
    /// Which rank that is.
    pub most_rank: u32,
}

/// A table of messages.
#[derive(Debug, Serialize)]
pub struct Messages {
    /// What the rows are.
    pub by: ByTable,
    /// The rows.
    pub rows: Vec<MessageRow>,
}

/// A row of it.
#[derive(Debug, Serialize)]
pub struct MessageRow {
    /// What it is about: sizes, or sender and receiver.
    pub name: String,
    /// The sender.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The receiver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Messages that were sent.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Time in the calls that sent them, by size; a call that sent several counts with the longest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ns: Option<i64>,
}

impl Facts {
    /// Gathers all that was asked for.
    pub fn of(
        arguments: &Profile,
        input: &Input,
        matching: &Matching,
        selected: &Selected,
        all: &Breakdown,
        notes: Vec<String>,
    ) -> Facts {
        let trace = &input.trace;
        let (of_location, hosts) = hosts(trace);
        let names = Names {
            trace,
            hosts: &hosts,
        };
        let look = Look {
            arguments,
            names,
            all,
            of_location: &of_location,
        };
        let by_counter = arguments.by.contains(&ByTable::Counter);
        Facts {
            path: input.path.clone(),
            archive: input.anchor.clone(),
            clock: input.clock,
            selection: selected.said.clone(),
            ranks: all.ranks().len() as u64,
            time_ns: all.time.0,
            selected_ns: all.selected.0,
            tables: arguments
                .by
                .iter()
                .filter_map(|by| look.table(*by))
                .collect(),
            messages: arguments
                .by
                .iter()
                .filter_map(|by| look.messages(*by))
                .collect(),
            counters: by_counter.then(|| Counted::of(trace, &selected.selection, &look.names)),
            unknown: unknown(input, matching, all),
            notes,
            damage: traced::damage(input),
        }
    }
}

/// Returns the host of each location, by number, and the names of all.
fn hosts(trace: &Trace) -> (Vec<u32>, Vec<String>) {
    let topology = Topology::new(trace);
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    let mut names = Vec::new();
    let of_location = (0..trace.locations.len() as u32).map(|location| {
        let name = topology.host_name(LocationIndex(location));
        let name = name.unwrap_or("unknown host");
        *numbers.entry(name.to_owned()).or_insert_with(|| {
            names.push(name.to_owned());
            names.len() as u32 - 1
        })
    });
    (of_location.collect(), names)
}

struct Look<'a> {
    arguments: &'a Profile,
    names: Names<'a>,
    all: &'a Breakdown,
    of_location: &'a [u32],
}

impl Look<'_> {
    fn table(&self, by: ByTable) -> Option<Table> {
        let what = match by {
            ByTable::Region => By::Region,
            ByTable::Callpath => By::CallPath,
            ByTable::Line => By::Line,
            ByTable::Location => By::Location,
            ByTable::Rank => By::Rank,
            ByTable::Host => By::Host(self.of_location.to_vec()),
            ByTable::Communicator => By::Communicator,
            ByTable::Counter | ByTable::Size | ByTable::Matrix | ByTable::HostMatrix => {
                return None
            }
        };
        let mut counted = self.all.table(self.names.trace, &what);
        if self.arguments.sort == Sort::Name {
            counted.sort_by(|a, b| a.key.cmp(&b.key));
        }
        let mut rows: Vec<Row> = counted.iter().map(|row| self.row(row)).collect();
        let is_numbered = matches!(by, ByTable::Location | ByTable::Rank);
        match self.arguments.sort {
            Sort::Exclusive => {}
            Sort::Inclusive => rows.sort_by_key(|it| -it.inclusive_ns),
            Sort::Visits => rows.sort_by_key(|it| std::cmp::Reverse(it.visits)),
            Sort::Waiting => rows.sort_by_key(|it| -it.waiting_ns),
            Sort::Most => rows.sort_by_key(|it| -it.most_ns),
            Sort::Name if is_numbered => {}
            Sort::Name => rows.sort_by(|a, b| a.name.cmp(&b.name)),
        }
        Some(Table { by, rows })
    }

    fn row(&self, row: &OfBreakdown) -> Row {
        let ranks = self.all.ranks().len().max(1) as i64;
        Row {
            name: self.names.row(&row.key),
            path: match &row.key {
                Key::Path(path) => Some(self.names.path(path)),
                _ => None,
            },
            visits: row.sum.visits,
            inclusive_ns: row.sum.inclusive.0,
            exclusive_ns: row.sum.exclusive.0,
            waiting_ns: row.sum.waiting.0,
            ranks: row.ranks,
            least_ns: row.least.0,
            mean_ns: row.sum.exclusive.0 / ranks,
            most_ns: row.most.0,
            most_rank: row.most_rank,
        }
    }

    fn messages(&self, by: ByTable) -> Option<Messages> {
        let mut rows = match by {
            ByTable::Size => {
                return Some(Messages {
                    by,
                    rows: self.sizes(),
                })
            }
            ByTable::Matrix => {
                let name = |rank: &u32| format!("rank {rank}");
                let pairs = self.all.pairs.iter();
                pairs
                    .map(|((from, to), sent)| pair(name(from), name(to), sent))
                    .collect()
            }
            ByTable::HostMatrix => self.of_hosts(),
            _ => return None,
        };
        let unknown = &self.all.to_unknown;
        if unknown.messages > 0 {
            rows.push(pair("(any)".to_owned(), "(not told)".to_owned(), unknown));
        }
        rows.sort_by_key(|it| std::cmp::Reverse((it.bytes, it.messages)));
        Some(Messages { by, rows })
    }

    fn sizes(&self) -> Vec<MessageRow> {
        let row = |(size, sent): (&u32, &Sent)| MessageRow {
            name: size_name(*size),
            from: None,
            to: None,
            messages: sent.messages,
            bytes: sent.bytes,
            time_ns: Some(sent.time.0),
        };
        self.all.sizes.iter().map(row).collect()
    }

    fn of_hosts(&self) -> Vec<MessageRow> {
        let trace = self.names.trace;
        let mut of_rank: BTreeMap<u32, u32> = BTreeMap::new();
        let threads = trace.locations.iter().zip(self.of_location);
        for (location, host) in threads.filter(|(it, _)| it.is_thread()) {
            of_rank.entry(location.rank.0).or_insert(*host);
        }
        let host = |rank: &u32| of_rank.get(rank).copied().unwrap_or(u32::MAX);
        let mut pairs: BTreeMap<(u32, u32), Sent> = BTreeMap::new();
        for ((from, to), sent) in &self.all.pairs {
            let of_hosts = pairs.entry((host(from), host(to))).or_default();
            of_hosts.merge(sent);
        }
        let name = |host: u32| self.names.host(host);
        let pairs = pairs.iter();
        pairs
            .map(|((from, to), sent)| pair(name(*from), name(*to), sent))
            .collect()
    }
}

fn pair(from: String, to: String, sent: &Sent) -> MessageRow {
    MessageRow {
        name: format!("{from} to {to}"),
        from: Some(from),
        to: Some(to),
        messages: sent.messages,
        bytes: sent.bytes,
        time_ns: None,
    }
}

/// Names a power of two of bytes.
fn size_name(size: u32) -> String {
    match size {
        0 => "0 bytes".to_owned(),
        1 => "1 byte".to_owned(),
        _ => {
            let first = 1u64 << (size - 1).min(63);
            format!("{first} to {} bytes", first - 1 + first)
        }
    }
}

/// Says what cannot be concluded.
fn unknown(input: &Input, matching: &Matching, all: &Breakdown) -> Vec<String> {
    let trace = &input.trace;
    let mut unknown = evidence::sentences(trace, &Evidence::of(trace, matching));
    if let Some(end) = EndOfRun::of(input) {
        let of_end = end.sentences().into_iter();
        unknown.extend(of_end.map(|it| format!("what would have followed: {it}")));
    }
    if let Some(others) = Kinds::of(trace).others() {
        unknown.push(format!(
            "not looked at: {others}, which have times of their own"
        ));
    }
    if all.unclosed > 0 {
        let visits = count(all.unclosed);
        unknown.push(format!(
            "regions never left: {visits}; each is taken to last to the end of its location"
        ));
    }
    if all.unopened > 0 {
        let leaves = count(all.unopened);
        unknown.push(format!(
            "leaves of regions never entered: {leaves}; passed over"
        ));
    }
    unknown
}
