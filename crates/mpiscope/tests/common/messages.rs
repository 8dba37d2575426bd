//! The messages of a run, and whether those were put together that belong together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use super::trial::Run;
use super::{mpiscope, process};

/// Events that send or receive, by location and number: rank, whether it sends, what is sent.
pub type Messages = BTreeMap<(u64, u64), (u64, bool, Sent)>;

/// Which message it is: communicator, tag, bytes.
pub type Sent = (u64, u64, u64);

/// Returns a run's events that send or receive.
#[track_caller]
pub fn of(run: &Run) -> Messages {
    let printed = run.mpiscope("print --json");
    let events = printed
        .out
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).unwrap());
    let of = |event: Value| {
        let number = |of: &str| event[of].as_u64();
        let sends = match event["event"].as_str()? {
            "send" | "isend" => true,
            "recv" | "irecv" => false,
            _ => return None,
        };
        let place = (number("location")?, number("number")?);
        let sent = (number("communicator_id")?, number("tag")?, number("bytes")?);
        Some((place, (number("rank")?, sends, sent)))
    };
    events.filter_map(of).collect()
}

/// Expects that those messages are matched of which both sides are there, each with itself: no two
/// of them are alike.
#[track_caller]
pub fn matched(run: &Run) -> Messages {
    let events = of(run);
    let of = |rank: u64, sends: bool| -> BTreeSet<Sent> {
        let all = events.values().filter(|it| it.0 == rank && it.1 == sends);
        all.map(|it| it.2).collect()
    };
    let both = |from, to| of(from, true).intersection(&of(to, false)).count();
    let expected = both(0, 1) + both(1, 0);
    let table = run.trial.path("tables");
    let _ = fs::remove_dir_all(&table);
    let mut export = run.trial.command(mpiscope());
    export
        .args(["export", "--to", "csv", "-o"])
        .arg(&table)
        .arg(&run.path);
    process::run(&mut export).check(0, &[]);
    let text = fs::read_to_string(table.join("messages.csv")).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let at = |name| names.iter().position(|it| *it == name).unwrap();
    let [from, sent, to, received] = [
        "from_location",
        "send_event",
        "to_location",
        "receive_event",
    ]
    .map(at);
    let mut matched = 0;
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let sent_by = |location: usize, event: usize| {
            let number = |at: usize| cells[at].parse::<u64>().unwrap();
            events[&(number(location), number(event))].2
        };
        assert_eq!(sent_by(from, sent), sent_by(to, received), "{line}");
        matched += 1;
    }
    assert_eq!(matched, expected);
    events
}
