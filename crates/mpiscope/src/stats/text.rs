//! The report as text: what the run is, and the tree of the program.

use std::path::Path;

use mpiscope_analysis::statistics::{totals, Node};
use mpiscope_archive::model::statistics::{Kind, Statistics};

use super::labels;
use super::Loaded;
use crate::report::show;

/// What is said of the run, above everything else.
pub fn head(run: &Path, loaded: &Loaded) -> String {
    let statistics = &loaded.statistics;
    let totals = totals(statistics);
    let mut hosts: Vec<&str> = statistics.ranks.iter().map(|r| r.host.as_str()).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let mut lines = vec![format!(
        "{}: {} on {}, observed for {}, {}",
        run.display(),
        show::counted(statistics.ranks.len() as u64, "rank"),
        show::counted(hosts.len() as u64, "host"),
        show::duration(totals.duration.max as f64),
        state(loaded)
    )];
    let mpi = &totals.communication;
    let waiting = match mpi.separated {
        0 => "waiting is not told apart from transfer".to_owned(),
        separated => format!(
            "of that waiting for partners {} (told apart in {} of {})",
            show::duration(mpi.delay as f64),
            show::count(separated),
            show::counted(mpi.calls, "call")
        ),
    };
    lines.push(format!(
        "communication: {}, {} of the time of all threads; {waiting}",
        show::duration(mpi.time as f64),
        show::share(mpi.time, totals.time)
    ));
    lines.push(format!(
        "observation: {}, {} of the time, taken off everywhere below",
        show::duration(totals.intrusion as f64),
        show::share(totals.intrusion, totals.time)
    ));
    lines.extend(loaded.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n")
}

/// Says how far the run has come.
pub fn state(loaded: &Loaded) -> String {
    let ended = |process: &&mpiscope_run::statistics::Process| {
        process.threads.iter().any(|thread| thread.finished)
    };
    let all = loaded.processes.len();
    let finished = loaded.processes.iter().filter(ended).count();
    let silent = loaded.silent.len();
    match (loaded.live.len(), all.saturating_sub(finished + silent)) {
        (0, 0) if silent == 0 => "finished".into(),
        (0, 0) => format!(
            "nothing heard of {} on other hosts",
            show::counted(silent as u64, "rank")
        ),
        (0, died) => format!(
            "{} ended without MPI_Finalize",
            show::counted(died as u64, "rank")
        ),
        (live, _) => format!("{} running", show::counted(live as u64, "rank")),
    }
}

/// The program as a tree.
pub fn tree(statistics: &Statistics, root: &Node) -> String {
    let mut rows = Vec::new();
    add(statistics, root, 0, root.figures.time, &mut rows);
    let header = [
        "",
        "time",
        "share",
        "imbalance",
        "waiting",
        "calls",
        "bytes",
    ];
    let mut text = show::table(header, rows);
    if has_untimed(root) {
        text +=
            "\n note: of functions without probes (`mpiscope cc`) only the time in MPI is known";
    }
    text
}

fn has_untimed(node: &Node) -> bool {
    !node.timed || node.children.iter().any(has_untimed)
}

fn add(
    statistics: &Statistics,
    node: &Node,
    depth: usize,
    whole: u64,
    rows: &mut Vec<[String; 7]>,
) {
    let figures = &node.figures;
    let is_communication =
        |number: usize| statistics.statements[number].kind == Kind::Communication;
    let waiting = match node.statement {
        Some(number) if is_communication(number) => labels::waiting(figures),
        _ => String::new(),
    };
    rows.push([
        format!("{}{}", "  ".repeat(depth), labels::node(statistics, node)),
        show::duration(figures.time as f64),
        show::share(figures.time, whole),
        labels::imbalance(&node.spread),
        waiting,
        node.statement
            .map_or_else(String::new, |_| labels::some(figures.calls)),
        labels::some_bytes(figures.bytes),
    ]);
    for child in &node.children {
        add(statistics, child, depth + 1, whole, rows);
    }
}
