//! What was found, as people read it.

use std::path::Path;

use comfy_table::{presets, Table};

use super::report::Report;
use super::state::Finding;
use crate::rundir::shown;
use crate::show;

/// Writes the report.
pub fn text(report: &Report) -> String {
    let mut parts = vec![summary(report)];
    if !report.findings.is_empty() {
        parts.push(table(&report.findings));
    }
    let found = report.findings.iter().filter(|it| !it.how.is_empty());
    parts.extend(found.map(|finding| details(report, finding)));
    parts.join("\n\n")
}

fn summary(report: &Report) -> String {
    let all = show::counted(report.alternatives as u64, "alternative");
    let races = match report.races {
        1 => "1 racing receive or probe".to_owned(),
        races => format!("{} racing receives and probes", show::count(races as u64)),
    };
    let mut lines = vec![
        shown(&report.path),
        format!(
            "{races}, {all}: {} forced{}",
            show::count(report.findings.len() as u64),
            match report.left {
                0 => String::new(),
                left => format!(", {} left for another time", show::count(left as u64)),
            }
        ),
    ];
    lines.extend(report.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n")
}

fn table(findings: &[Finding]) -> String {
    let mut table = Table::new();
    let header = [
        "",
        "verdict",
        "receive",
        "got",
        "was given",
        "sent by",
        "alike",
    ];
    table.load_preset(presets::NOTHING).set_header(header);
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|it| it.verdict);
    for it in sorted {
        let rank = |rank: u32| format!("rank {rank}");
        table.add_row([
            it.number.to_string(),
            it.verdict.shown().to_owned(),
            format!("rank {}, {}", it.rank, it.receive),
            it.got.map_or_else(|| "?".to_owned(), rank),
            rank(it.given),
            it.sent.clone(),
            show::count(it.alike as u64),
        ]);
    }
    let lines: Vec<String> = table.lines().collect();
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}

fn details(report: &Report, finding: &Finding) -> String {
    let mut lines = vec![format!("{} {}:", finding.number, finding.verdict.shown())];
    lines.extend(finding.how.iter().map(|how| format!("  {how}")));
    if let Some(record) = &finding.record {
        let record = shown(&report.path.join(record));
        let words: Vec<String> = report
            .command
            .iter()
            .map(|word| show::word(Path::new(word)))
            .collect();
        let record = show::word(Path::new(&record));
        lines.push(format!("  mpiscope replay {record} -- {}", words.join(" ")));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use expect_test::expect;

    use super::*;
    use crate::explore::verdict::Verdict;

    fn finding(number: usize, verdict: Verdict, how: &[&str]) -> Finding {
        Finding {
            number,
            key: String::new(),
            verdict,
            how: how.iter().map(ToString::to_string).collect(),
            rank: 0,
            receive: "MPI_Recv at sum.c:12".into(),
            got: Some(1),
            given: 2,
            sent: "MPI_Send at sum.c:20".into(),
            hazard: false,
            alike: 4,
            record: verdict
                .is_finding()
                .then(|| PathBuf::from(format!("explore/{number}.mpiscope"))),
            seconds: 0.5,
        }
    }

    #[test]
    fn findings_are_told_with_the_line_that_replays_them() {
        let report = Report {
            path: "sum.mpiscope".into(),
            command: ["mpirun", "-n", "3", "./sum of"].map(String::from).into(),
            races: 3,
            alternatives: 4,
            left: 2,
            notes: vec!["what ranks received is not compared".into()],
            findings: vec![
                finding(1, Verdict::HarmlessSoFar, &[]),
                finding(2, Verdict::ChangesTheResult, &["prints `4`, not `3`"]),
            ],
            ..Report::default()
        };
        expect![[r#"
            sum.mpiscope
            3 racing receives and probes, 4 alternatives: 2 forced, 2 left for another time
            note: what ranks received is not compared

                verdict             receive                       got     was given  sent by               alike
             2  changes the result  rank 0, MPI_Recv at sum.c:12  rank 1  rank 2     MPI_Send at sum.c:20  4
             1  harmless so far     rank 0, MPI_Recv at sum.c:12  rank 1  rank 2     MPI_Send at sum.c:20  4

            2 changes the result:
              prints `4`, not `3`
              mpiscope replay sum.mpiscope/explore/2.mpiscope -- mpirun -n 3 './sum of'"#]]
        .assert_eq(&text(&report));
    }
}
