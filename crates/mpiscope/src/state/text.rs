//! The report for people: the verdict, then a row for ranks that do the same.

use super::facts::{Facts, Names, RankFacts, IN_CALL};
use super::verdict::shown_since;
use crate::races::WaitsFor;
use crate::report::show;

/// Writes the report.
pub fn text(facts: &Facts) -> String {
    let mut parts = vec![facts.verdict.join("\n")];
    if !facts.ranks.is_empty() {
        parts.push(table(&facts.ranks));
    }
    let unknown = facts.cannot_tell.iter();
    parts.extend(unknown.map(|what| format!("Cannot tell {what}.")));
    parts.join("\n\n")
}

/// A row of the table: what ranks of it have in common, then what differs.
#[derive(Default)]
struct Row {
    same: [String; 3],
    ranks: Vec<u32>,
    since: Vec<i64>,
    lives: Option<bool>,
    /// Processes, by host.
    processes: Vec<(String, Vec<u32>)>,
}

fn table(ranks: &[RankFacts]) -> String {
    let mut rows: Vec<Row> = Vec::new();
    for rank in ranks {
        let same = [rank.shown(), rank.shown_names(), rank.shown_needs()];
        let alike = |row: &Row| row.same == same && row.lives == rank.lives;
        let at = rows.iter().position(alike).unwrap_or_else(|| {
            rows.push(Row {
                same,
                lives: rank.lives,
                ..Row::default()
            });
            rows.len() - 1
        });
        rows[at].add(rank);
    }
    let rows = rows.into_iter().map(Row::cells).collect();
    let header = ["ranks", "where", "for", "names", "waits for", "process"];
    crate::races::table(header, rows, &[])
}

impl Row {
    fn add(&mut self, rank: &RankFacts) {
        self.ranks.push(rank.rank);
        self.since.extend(rank.since_ns);
        let (Some(host), Some(pid)) = (&rank.host, rank.pid) else {
            return;
        };
        match self.processes.iter_mut().find(|(known, _)| known == host) {
            Some((_, all)) => all.push(pid),
            None => self.processes.push((host.clone(), vec![pid])),
        }
    }

    fn cells(mut self) -> [String; 6] {
        self.ranks.dedup();
        let on_host = |(host, mut pids): (String, Vec<u32>)| {
            pids.dedup();
            format!("{} on {host}", show::list(&pids, 3))
        };
        let processes: Vec<String> = self.processes.into_iter().map(on_host).collect();
        let lives = match (self.lives, processes.is_empty()) {
            (Some(false), false) => "ended: ",
            (None, false) => "lives perhaps: ",
            _ => "",
        };
        let [place, names, needs] = self.same;
        [
            show::ranges(&self.ranks),
            place,
            shown_since(&self.since, self.lives == Some(false)).unwrap_or_default(),
            names,
            needs,
            format!("{lives}{}", show::list(&processes, 3)),
        ]
    }
}

impl RankFacts {
    fn shown_names(&self) -> String {
        self.names.as_ref().map(Names::shown).unwrap_or_default()
    }

    fn shown_needs(&self) -> String {
        let mut needs: Vec<String> = self.waits_for.iter().map(WaitsFor::shown).collect();
        needs.dedup();
        match (needs.is_empty(), self.doing == IN_CALL) {
            (true, true) => "nobody, as far as can be told".to_owned(),
            (true, false) => String::new(),
            _ => show::list(&needs, 4),
        }
    }
}

impl Names {
    /// Writes `from 1, tag 7`, `root 0`; the communicator, unless it is all ranks.
    fn shown(&self) -> String {
        let peer = match (self.role, self.peer) {
            ("source", Some(peer)) => Some(format!("from {peer}")),
            ("source", None) => Some("from anybody".to_owned()),
            ("destination", Some(peer)) => Some(format!("to {peer}")),
            (_, Some(peer)) => Some(format!("root {peer}")),
            (_, None) => None,
        };
        let tag = match (self.role, self.tag) {
            ("root", _) => None,
            (_, Some(tag)) => Some(format!("tag {tag}")),
            (_, None) => Some("any tag".to_owned()),
        };
        let comm = Some(&self.communicator).filter(|name| *name != "MPI_COMM_WORLD");
        let parts: Vec<String> = peer.into_iter().chain(tag).chain(comm.cloned()).collect();
        parts.join(", ")
    }
}
