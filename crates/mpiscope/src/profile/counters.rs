//! What counters have counted, by region and by rank.

use std::cmp::Reverse;

use mpiscope_analysis::breakdown::Selection;
use mpiscope_analysis::counters::Counters;
use mpiscope_archive::model::Trace;
use serde::Serialize;

use super::names::Names;
use crate::report::show::{self, counted};

/// The tables.
#[derive(Debug, Default, Serialize)]
pub struct Counted {
    /// The counters, each with the unit of its values where that is no mere number.
    pub counters: Vec<Counter>,
    /// By region, that with most of the first counter first.
    pub regions: Vec<Row>,
    /// By world rank.
    pub ranks: Vec<Row>,
}

/// A counter.
#[derive(Debug, Serialize)]
pub struct Counter {
    /// What it is called; `cycles:u` is of user mode alone.
    pub name: String,
    /// What it is counted in.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

/// A row of a table.
#[derive(Debug, Serialize)]
pub struct Row {
    /// What it is about.
    pub name: String,
    /// What was counted there, in the order of the counters.
    pub counted: Vec<u64>,
}

impl Counted {
    /// Adds up what is selected.
    pub fn of(trace: &Trace, selection: &Selection, names: &Names) -> Counted {
        let Some(found) = Counters::of(trace, selection) else {
            return Counted::default();
        };
        let metrics = found.metrics.iter();
        let counters = metrics.filter_map(|id| trace.definitions.metrics.get(id.index()));
        let counters = counters.map(|metric| Counter {
            name: metric.name.clone(),
            unit: metric.unit.clone(),
        });
        let regions = found.regions.iter();
        let mut regions: Vec<Row> = regions
            .map(|(what, sums)| row(names.what(what), sums))
            .collect();
        regions.sort_by_key(|row| Reverse(row.counted.first().copied()));
        let ranks = found.ranks.iter();
        Counted {
            counters: counters.collect(),
            regions,
            ranks: ranks
                .map(|(rank, sums)| row(format!("rank {rank}"), sums))
                .collect(),
        }
    }

    /// Writes both tables, at most so many rows of each.
    pub fn text(&self, top: usize) -> Vec<String> {
        if self.counters.is_empty() {
            return vec![
                "counters: the trace has none; trace with --counters cycles,instructions, say"
                    .to_owned(),
            ];
        }
        vec![
            self.table("counted in region", &self.regions, top),
            self.table("counted on rank", &self.ranks, top),
        ]
    }

    fn table(&self, title: &str, all: &[Row], top: usize) -> String {
        let per_cycle = self.per_cycle();
        let names = self.counters.iter().map(|it| match it.unit.is_empty() {
            true => it.name.clone(),
            false => format!("{} [{}]", it.name, it.unit),
        });
        let mut header: Vec<String> = [title.to_owned()].into_iter().chain(names).collect();
        header.extend(per_cycle.map(|_| "instructions per cycle".to_owned()));
        let (shown, others) = all.split_at(top.min(all.len()));
        let cells = |row: &Row| {
            let counts = row.counted.iter().map(|&count| show::count(count));
            let mut cells: Vec<String> = [row.name.clone()].into_iter().chain(counts).collect();
            cells.extend(per_cycle.map(|of| ratio(row, of)));
            cells
        };
        let mut rows: Vec<Vec<String>> = shown.iter().map(cells).collect();
        if !others.is_empty() {
            rows.push(cells(&sum(others)));
        }
        show::grid(header, rows)
    }

    /// Returns the numbers of instructions and cycles, if both were counted.
    fn per_cycle(&self) -> Option<[usize; 2]> {
        let number = |of: &str| {
            let mut names = self
                .counters
                .iter()
                .map(|it| it.name.trim_end_matches(":u"));
            names.position(|name| name == of)
        };
        Some([number("instructions")?, number("cycles")?])
    }
}

fn row(name: String, counted: &[u64]) -> Row {
    Row {
        name,
        counted: counted.to_vec(),
    }
}

fn ratio(row: &Row, [instructions, cycles]: [usize; 2]) -> String {
    match row.counted[cycles] {
        0 => "–".to_owned(),
        cycles => format!("{:.2}", row.counted[instructions] as f64 / cycles as f64),
    }
}

/// Adds up the rows that are not shown.
fn sum(rows: &[Row]) -> Row {
    let mut all = row(
        format!("and {}", counted(rows.len() as u64, "other row")),
        &[],
    );
    for row in rows {
        all.counted.resize(row.counted.len(), 0);
        for (sum, count) in all.counted.iter_mut().zip(&row.counted) {
            *sum = sum.saturating_add(*count);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_instructions_per_cycle_where_both_were_counted() {
        let trace = Trace::parse(
            "0: 0 metric(+cycles:u=0,+instructions:u=0,+task-clock[ns]=0) 0 enter(f) \
                2 metric(+cycles:u=1000,+instructions:u=2500,+task-clock[ns]=7) 2 leave(f) \
                3 metric(+cycles:u=1000,+instructions:u=2600,+task-clock[ns]=8) 3 enter(f) 3 leave(f)
             1: 0 metric(+cycles:u=0,+instructions:u=0,+task-clock[ns]=0)",
        );
        let trace = trace.unwrap();
        let names = Names {
            trace: &trace,
            hosts: &[],
        };
        let found = Counted::of(&trace, &Selection::all(&trace), &names);
        let expected = [
            "  counted in region     cycles:u  instructions:u  task-clock [ns]  instructions per cycle",
            "  f                        1,000           2,500                7                    2.50",
            "  (outside of regions)         0             100                1                       –",
        ];
        assert_eq!(found.text(9)[0], expected.join("\n"));
        assert!(found.text(1)[0].ends_with("–") && found.text(1)[0].contains("and 1 other row"));
        assert!(Counted::default().text(9)[0].contains("--counters"));
    }
}
