//! The table on the page on what if: each of its rows is what a replay of the run on the page tells.

use mpiscope_analysis::profile::{Activity, Statement};
use mpiscope_analysis::whatif::{Changes, Outcome, Replay};
use mpiscope_model::{Duration, RegionId, Trace};

use crate::page::Page;

/// Writes what the table has behind the change, to a tenth of a microsecond.
fn row(outcome: &Outcome) -> String {
    let us = |time: Duration| (time.0 as f64 / 100.0).round() / 10.0;
    let waits = outcome.ranks.iter().map(|it| us(it.waiting));
    let waits: Vec<String> = waits.map(|it| it.to_string()).collect();
    format!("{} µs | {} µs", us(outcome.length()), waits.join(" and "))
}

#[test]
fn each_row_is_what_a_replay_tells() {
    let page = Page::read("whatif");
    let trace = Trace::parse(&page.block("fixture")).unwrap();
    let replay = Replay::of(&trace, &trace.matching());
    let named =
        |region: RegionId, name: &str| trace.definitions.regions[region.index()].name == name;
    let is_solve = |it: &Activity| matches!(it, Activity::Region(it) if named(*it, "solve"));
    let is_receive = |it: &Activity| match it {
        Activity::Mpi(Statement { place, .. }) => {
            place.region.is_some_and(|it| named(it, "MPI_Recv"))
        }
        _ => false,
    };
    let mut changes: [Changes; 5] = Default::default();
    changes[1].scale_everywhere(&replay, 0.5, is_solve);
    changes[2].balance(&replay, |it| replay.is_computation(it));
    changes[3].latency = Some(Duration(1_000));
    changes[3].bandwidth = Some(1e9);
    changes[4].no_wait(&replay, is_receive);
    let told = changes.map(|it| row(&replay.run(&it)));
    let table = page.prose();
    let rows = table.lines().filter(|line| line.contains(" µs | "));
    let rows = rows.map(|line| line.trim_matches(['|', ' ']).split_once(" | ").unwrap().1);
    assert_eq!(rows.collect::<Vec<_>>(), told);
}
