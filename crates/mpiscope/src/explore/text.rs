//! What was found, as people read it.

use std::path::Path;

use comfy_table::{presets, Table};

use super::report::Report;
use super::state::Finding;
use crate::report::show;
use crate::rundir::shown;
use crate::terminal::{self, Colour};

/// Lines of one group that are shown.
const MOST: usize = 4;

/// Writes the report; alternatives that are alike together, unless all are wanted.
pub fn text(report: &Report, verbose: bool) -> String {
    let mut parts = vec![summary(report)];
    let groups = groups(&report.findings, verbose);
    if !groups.is_empty() {
        parts.push(table(&groups));
    }
    let told = groups
        .iter()
        .filter(|group| group.all.iter().any(|it| !it.how.is_empty()));
    parts.extend(told.map(|group| details(report, group)));
    parts.join("\n\n")
}

/// Findings with the same verdict at the same two calls.
struct Group<'a> {
    all: Vec<&'a Finding>,
}

fn groups(findings: &[Finding], verbose: bool) -> Vec<Group<'_>> {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|it| it.verdict);
    let mut groups: Vec<Group> = Vec::new();
    for finding in sorted {
        let alike = |group: &&mut Group| {
            let first = group.first();
            let key = |it: &Finding| (it.verdict, it.receive.clone(), it.sent.clone());
            !verbose && key(first) == key(finding)
        };
        match groups.iter_mut().find(alike) {
            Some(group) => group.all.push(finding),
            None => groups.push(Group { all: vec![finding] }),
        }
    }
    groups
}

impl<'a> Group<'a> {
    fn first(&self) -> &'a Finding {
        self.all[0]
    }

    /// Writes numbers of all, `1-3, 7`.
    fn numbers(&self, of: impl Fn(&Finding) -> Option<u32>) -> String {
        let mut numbers: Vec<u32> = self.all.iter().filter_map(|it| of(it)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        show::ranges(&numbers)
    }

    /// Writes `rank 1`, `ranks 1-3`, or `?` if there is none.
    fn ranks(&self, of: impl Fn(&Finding) -> Option<u32>) -> String {
        let numbers = self.numbers(of);
        match numbers.contains(['-', ',']) {
            _ if numbers.is_empty() => "?".to_owned(),
            true => format!("ranks {numbers}"),
            false => format!("rank {numbers}"),
        }
    }

    /// Lists how they went, each line once with how often it is said.
    fn how(&self) -> Vec<(&'a str, usize)> {
        let mut lines: Vec<(&str, usize)> = Vec::new();
        for line in self.all.iter().flat_map(|it| &it.how) {
            match lines.iter_mut().find(|(known, _)| known == line) {
                Some((_, times)) => *times += 1,
                None => lines.push((line, 1)),
            }
        }
        if self.all.len() > 1 {
            lines.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        }
        lines
    }
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
    let notes = report.notes.iter();
    lines.extend(notes.map(|note| terminal::wrapped(&format!("note: {note}"), 2)));
    lines.join("\n")
}

fn table(groups: &[Group]) -> String {
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
    table.load_style(presets::NOTHING).set_header(header);
    for group in groups {
        let first = group.first();
        table.add_row([
            group.numbers(|it| Some(it.number as u32)),
            first.verdict.shown().to_owned(),
            format!("{}, {}", group.ranks(|it| Some(it.rank)), first.receive),
            group.ranks(|it| it.got),
            group.ranks(|it| Some(it.given)),
            first.sent.clone(),
            show::count(first.alike as u64),
        ]);
    }
    let lines: Vec<String> = table.lines().collect();
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}

fn details(report: &Report, group: &Group) -> String {
    let first = group.first();
    let count = group.all.len();
    let most = match count {
        1 => usize::MAX,
        _ => MOST,
    };
    let numbers = group.numbers(|it| Some(it.number as u32));
    let title = format!("{numbers} {}:", first.verdict.shown());
    let colour = match first.verdict.is_good() {
        true => Colour::Green,
        false => Colour::Red,
    };
    let mut lines = vec![match first.verdict.is_finding() {
        true => terminal::coloured(&title, colour),
        false => title,
    }];
    let how = group.how();
    lines.extend(how.iter().take(most).map(|(line, times)| {
        let often = match count {
            1 => String::new(),
            _ => format!(" ({times} of {count})"),
        };
        terminal::wrapped(&format!("  {line}{often}"), 4)
    }));
    if how.len() > most {
        let more = show::counted((how.len() - most) as u64, "line");
        lines.push(format!("  and {more} more: --verbose"));
    }
    lines.extend(replay(report, first));
    lines.join("\n")
}

/// Writes the command that repeats a finding, in one line: it is to be copied.
fn replay(report: &Report, finding: &Finding) -> Option<String> {
    let record = shown(&report.path.join(finding.record.as_ref()?));
    let words = report.command.iter();
    let words: Vec<String> = words.map(|word| show::word(Path::new(word))).collect();
    let record = show::word(Path::new(&record));
    Some(format!("  mpiscope replay {record} -- {}", words.join(" ")))
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
            events: None,
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
        .assert_eq(&text(&report, false));
    }

    #[test]
    fn alternatives_that_are_alike_are_told_together() {
        let other = |number: usize, given, how: &str| Finding {
            given,
            ..finding(number, Verdict::ChangesTheResult, &[how])
        };
        let findings: Vec<Finding> = (1..=13)
            .map(|number| {
                let how = ["prints `4`, not `3`", "prints `5`, not `3`"][number % 2];
                other(number, 1 + number as u32, how)
            })
            .collect();
        let report = Report {
            path: "sum.mpiscope".into(),
            command: vec!["./sum".into()],
            races: 1,
            alternatives: 13,
            findings,
            ..Report::default()
        };
        expect![[r#"
            sum.mpiscope
            1 racing receive or probe, 13 alternatives: 13 forced

                   verdict             receive                       got     was given   sent by               alike
             1-13  changes the result  rank 0, MPI_Recv at sum.c:12  rank 1  ranks 2-14  MPI_Send at sum.c:20  4

            1-13 changes the result:
              prints `5`, not `3` (7 of 13)
              prints `4`, not `3` (6 of 13)
              mpiscope replay sum.mpiscope/explore/1.mpiscope -- ./sum"#]]
        .assert_eq(&text(&report, false));
        assert_eq!(
            text(&report, true).matches(" changes the result:").count(),
            13
        );
    }
}
