//! A view as OpenMetrics text (version 1.0.0), which Prometheus reads.

use std::fmt::Write;

use super::view::View;

/// A family of metrics: name, type, unit and help.
struct Family(&'static str, &'static str, &'static str);

/// Returns the metrics, with the end that the format asks for.
pub fn text(view: &View) -> String {
    let mut out = String::new();
    let run = escaped(&view.path);
    let ranks = || view.ranks.iter();
    let mut family = |family: Family, samples: Vec<(String, f64)>| {
        let Family(name, kind, help) = family;
        let suffix = if kind == "counter" { "_total" } else { "" };
        let _ = writeln!(out, "# TYPE {name} {kind}\n# HELP {name} {help}");
        for (labels, value) in samples {
            let _ = writeln!(out, "{name}{suffix}{{run=\"{run}\"{labels}}} {value}");
        }
    };
    let of_rank = |rank: u32| format!(",rank=\"{rank}\"");
    let seconds = |ns: u64| ns as f64 / 1e9;
    family(
        Family(
            "mpiscope_rank_running",
            "gauge",
            "Whether the rank's process runs.",
        ),
        ranks()
            .map(|r| (of_rank(r.rank), f64::from(u8::from(r.state == "running"))))
            .collect(),
    );
    family(
        Family(
            "mpiscope_mpi_share",
            "gauge",
            "Part of the rank's time spent in MPI.",
        ),
        ranks().map(|r| (of_rank(r.rank), r.mpi_share)).collect(),
    );
    family(
        Family("mpiscope_mpi_calls", "counter", "MPI calls."),
        ranks().map(|r| (of_rank(r.rank), r.calls as f64)).collect(),
    );
    family(
        Family(
            "mpiscope_message_bytes",
            "counter",
            "Bytes sent or received.",
        ),
        ranks().map(|r| (of_rank(r.rank), r.bytes as f64)).collect(),
    );
    family(
        Family(
            "mpiscope_call_seconds",
            "gauge",
            "For how long the rank has been in its MPI call.",
        ),
        ranks()
            .map(|r| {
                (
                    of_rank(r.rank),
                    seconds(r.threads.first().map_or(0, |call| call.for_ns)),
                )
            })
            .collect(),
    );
    family(
        Family(
            "mpiscope_statement_seconds",
            "counter",
            "Time of all ranks in a statement.",
        ),
        (view.statements.iter())
            .map(|s| {
                let (name, place) = (escaped(&s.name), escaped(&s.place));
                (
                    format!(",function=\"{name}\",place=\"{place}\""),
                    seconds(s.time_ns),
                )
            })
            .collect(),
    );
    family(
        Family(
            "mpiscope_deadlocked_ranks",
            "gauge",
            "Ranks that wait for each other in a cycle.",
        ),
        vec![(String::new(), view.cycle.len() as f64)],
    );
    out + "# EOF\n"
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
