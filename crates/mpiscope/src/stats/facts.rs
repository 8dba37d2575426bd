//! What `--json` prints.

use std::path::Path;

use mpiscope_analysis::statistics::{
    groups, matrix, totals, tree, Body, By, Group, Node, Of, Spread,
};
use mpiscope_archive::model::statistics::{Figures, Kind, Peer, Statement, Statistics};
use mpiscope_run::statistics::bin_start;
use serde::{Deserialize, Serialize};

use super::{text, Loaded};

/// Everything, as one object.
#[derive(Debug, Serialize)]
pub struct Facts {
    path: String,
    state: String,
    live: Vec<u32>,
    program: String,
    ranks: Vec<Rank>,
    totals: Totals,
    tree: StatementPlace,
    statements: Vec<Sum>,
    procedures: Vec<Sum>,
    loops: Vec<Sum>,
    peers: Vec<Sum>,
    messages: Vec<Sent>,
    notes: Vec<String>,
    damage: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Rank {
    rank: u32,
    host: String,
    pid: u32,
    started_ns: u64,
    duration_ns: u64,
    thread_time_ns: u64,
    mpi_ns: u64,
    calls: u64,
    intrusion_ns: u64,
    refused: u64,
}

#[derive(Debug, Serialize)]
struct Totals {
    time_ns: u64,
    duration_ns: Ranks,
    intrusion_ns: u64,
    communication: Numbers,
}

/// A place in the program.
#[derive(Debug, Serialize)]
struct StatementPlace {
    #[serde(flatten)]
    statement: Option<Named>,
    called_at: Option<String>,
    own_ns: Option<u64>,
    body: &'static str,
    #[serde(flatten)]
    numbers: Numbers,
    children: Vec<StatementPlace>,
}

#[derive(Debug, Serialize)]
struct Named {
    kind: &'static str,
    name: String,
    place: String,
    file: String,
    line: Option<u32>,
    end: Option<u32>,
}

/// Records added up.
#[derive(Debug, Serialize)]
struct Sum {
    #[serde(flatten)]
    statement: Option<Named>,
    #[serde(skip_serializing_if = "Option::is_none")]
    called_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peer: Option<With>,
    #[serde(flatten)]
    numbers: Numbers,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    peers: Vec<Sum>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum With {
    Rank(u32),
    Constant(&'static str),
}

#[derive(Debug, Serialize)]
struct Numbers {
    calls: u64,
    messages: u64,
    bytes: u64,
    time_ns: u64,
    waiting_ns: u64,
    separated_calls: u64,
    intrusion_ns: u64,
    longest_ns: u64,
    ranks: Ranks,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sizes: Vec<Size>,
}

#[derive(Debug, Serialize)]
struct Ranks {
    mean_ns: u64,
    min_ns: u64,
    min_rank: u32,
    max_ns: u64,
    max_rank: u32,
    imbalance: f64,
}

#[derive(Debug, Serialize)]
struct Size {
    from: u64,
    messages: u64,
}

/// What one rank sent to another.
#[derive(Debug, Serialize, Deserialize)]
pub struct Sent {
    /// The sender.
    pub from: u32,
    /// The receiver.
    pub to: u32,
    /// How many messages.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Collects what is reported.
pub fn facts(run: &Path, loaded: &Loaded) -> Facts {
    let all = &loaded.statistics;
    let totals = totals(all);
    let sums = |by| {
        groups(all, by)
            .iter()
            .map(|group| sum(all, group))
            .collect()
    };
    Facts {
        path: run.display().to_string(),
        state: text::state(loaded),
        live: loaded.live.clone(),
        program: loaded.info.program.clone(),
        ranks: all.ranks.iter().map(rank).collect(),
        totals: Totals {
            time_ns: totals.time,
            duration_ns: ranks(&totals.duration),
            intrusion_ns: totals.intrusion,
            communication: numbers(&totals.communication, &totals.spread),
        },
        tree: place(all, &tree(all)),
        statements: sums(By::Statement),
        procedures: sums(By::Procedure),
        loops: sums(By::Loop),
        peers: sums(By::Peer),
        messages: sent(all),
        notes: loaded.notes.clone(),
        damage: loaded.damage.clone(),
    }
}

fn rank(process: &mpiscope_archive::model::statistics::Process) -> Rank {
    Rank {
        rank: process.rank,
        host: process.host.clone(),
        pid: process.pid,
        started_ns: process.started,
        duration_ns: process.duration,
        thread_time_ns: process.thread_time,
        mpi_ns: process.mpi,
        calls: process.calls,
        intrusion_ns: process.intrusion,
        refused: process.refused,
    }
}

fn place(all: &Statistics, node: &Node) -> StatementPlace {
    StatementPlace {
        statement: node.statement.map(|number| named(&all.statements[number])),
        called_at: called_at(all, node.caller),
        own_ns: node.own,
        body: match node.body {
            Body::Here => "here",
            Body::Shared => "of all callers",
            Body::Elsewhere => "elsewhere",
            Body::Around => "around",
        },
        numbers: numbers(&node.figures, &node.spread),
        children: node
            .children
            .iter()
            .map(|child| place(all, child))
            .collect(),
    }
}

fn called_at(all: &Statistics, caller: Option<usize>) -> Option<String> {
    Some(all.statements.get(caller?)?.place())
}

fn named(statement: &Statement) -> Named {
    let known = |line: u32| (line > 0).then_some(line);
    Named {
        kind: match statement.kind {
            Kind::Procedure => "procedure",
            Kind::Loop => "loop",
            Kind::Call => "call",
            Kind::Communication => "communication",
        },
        name: statement.name.clone(),
        place: statement.place(),
        file: statement.file.clone(),
        line: known(statement.line),
        end: known(statement.end),
    }
}

fn sum(all: &Statistics, group: &Group) -> Sum {
    let (statement, caller, peer) = match group.of {
        Of::Statement(number) => (Some(number), None, None),
        Of::Procedure(number, caller) => (Some(number), caller, None),
        Of::Peer(peer) => (None, None, Some(peer)),
        Of::Rank(_) => (None, None, None),
    };
    let statement = statement.and_then(|number| all.statements.get(number));
    let communicates = statement.filter(|s| s.kind == Kind::Communication);
    let of_peers = match (communicates, group.of) {
        (Some(_), Of::Statement(number)) => {
            let own =
                |record: &&mpiscope_archive::model::statistics::Record| record.statement == number;
            let alone = Statistics {
                statements: all.statements.clone(),
                records: all.records.iter().filter(own).cloned().collect(),
                ranks: all.ranks.clone(),
            };
            groups(&alone, By::Peer)
                .iter()
                .map(|group| sum(&alone, group))
                .collect()
        }
        _ => Vec::new(),
    };
    Sum {
        statement: statement.map(named),
        called_at: called_at(all, caller),
        peer: peer.map(with),
        numbers: numbers(&group.figures, &group.spread),
        peers: of_peers,
    }
}

fn with(peer: Peer) -> With {
    match peer {
        Peer::Rank(rank) => With::Rank(rank),
        Peer::All(_) => With::Constant("all"),
        Peer::Any => With::Constant("any"),
        Peer::Others => With::Constant("others"),
        Peer::None => With::Constant("none"),
    }
}

fn numbers(figures: &Figures, spread: &Spread) -> Numbers {
    let size = |&(bin, messages): &(u8, u64)| Size {
        from: bin_start(bin),
        messages,
    };
    Numbers {
        calls: figures.calls,
        messages: figures.messages,
        bytes: figures.bytes,
        time_ns: figures.time,
        waiting_ns: figures.delay,
        separated_calls: figures.separated,
        intrusion_ns: figures.intrusion,
        longest_ns: figures.longest,
        ranks: ranks(spread),
        sizes: figures.histogram.iter().map(size).collect(),
    }
}

fn ranks(spread: &Spread) -> Ranks {
    Ranks {
        mean_ns: spread.mean,
        min_ns: spread.min,
        min_rank: spread.min_rank,
        max_ns: spread.max,
        max_rank: spread.max_rank,
        imbalance: spread.imbalance(),
    }
}

/// Returns who sent how much to whom.
pub fn sent(all: &Statistics) -> Vec<Sent> {
    let matrix = matrix(all, u32::MAX);
    let cells = (0u32..)
        .zip(&matrix.cells)
        .flat_map(|(from, cells)| (0u32..).zip(cells).map(move |(to, cell)| (from, to, cell)));
    cells
        .filter(|(_, _, cell)| cell.messages > 0)
        .map(|(from, to, cell)| Sent {
            from,
            to,
            messages: cell.messages,
            bytes: cell.bytes,
        })
        .collect()
}
