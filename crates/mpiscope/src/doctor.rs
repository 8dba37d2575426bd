//! `mpiscope doctor`: what was found on this system, and what it means for us.

mod checks;

use anyhow::Result;
use serde::Serialize;

use crate::cli::Doctor;
use crate::terminal::{self, Colour};
use crate::{leftovers, say};

/// How good a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Works.
    Good,
    /// Works, with a loss.
    Weak,
    /// Something will not work.
    Bad,
}

/// One line of the report.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// What was looked for.
    pub what: &'static str,
    /// How good it is.
    pub status: Status,
    /// What was found.
    pub found: String,
    /// What follows from it.
    pub meaning: String,
}

/// Looks, and prints what was found.
pub fn run(arguments: &Doctor) -> Result<u8> {
    if arguments.reclaim {
        leftovers::reclaim();
    }
    let findings = checks::all();
    if arguments.json {
        let report = serde_json::json!({ "findings": findings });
        say::report(serde_json::to_string_pretty(&report)?)?;
    } else {
        say::report(text(&findings, terminal::width()))?;
    }
    Ok(0)
}

/// Columns before what was found: sign and what was looked for.
const INDENT: usize = 24;

/// Writes a finding a line, wrapped to the terminal; what is amiss comes last, where it is seen.
fn text(findings: &[Finding], width: usize) -> String {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| finding.status != Status::Good);
    let lines = sorted.iter().map(|finding| line(finding, width));
    let lines: Vec<String> = lines.chain([summary(findings)]).collect();
    lines.join("\n")
}

fn line(finding: &Finding, width: usize) -> String {
    let (sign, colour) = match finding.status {
        Status::Good => ("ok", Colour::Green),
        Status::Weak => (" !", Colour::Yellow),
        Status::Bad => ("NO", Colour::Red),
    };
    let said = format!("{}: {}", finding.found, finding.meaning);
    format!(
        " {} {:<width$}{}",
        terminal::coloured(sign, colour),
        finding.what,
        terminal::wrap(&said, width, INDENT, INDENT),
        width = INDENT - 4
    )
}

fn summary(findings: &[Finding]) -> String {
    let of = |status| findings.iter().filter(|it| it.status == status).count();
    match (of(Status::Bad), of(Status::Weak)) {
        (0, 0) => "everything that was looked for works".to_owned(),
        (0, weak) => format!("{} with a loss (!)", works(weak)),
        (bad, 0) => format!("{} not work (NO)", will(bad)),
        (bad, weak) => format!(
            "{} not work (NO), {} with a loss (!)",
            will(bad),
            works(weak)
        ),
    }
}

fn works(count: usize) -> String {
    match count {
        1 => "1 thing works".to_owned(),
        count => format!("{count} things work"),
    }
}

fn will(count: usize) -> String {
    match count {
        1 => "1 thing does".to_owned(),
        count => format!("{count} things do"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn finding(what: &'static str, status: Status, found: &str, meaning: &str) -> Finding {
        Finding {
            what,
            status,
            found: found.into(),
            meaning: meaning.into(),
        }
    }

    #[test]
    fn findings_fit_the_terminal_and_what_is_amiss_comes_last() {
        let findings = [
            finding(
                "agent",
                Status::Bad,
                "none",
                "nothing can be traced: it is not beside the command",
            ),
            finding(
                "clock",
                Status::Good,
                "tsc",
                "events are stamped with rdtsc, the cheapest clock there is",
            ),
            finding("debugger", Status::Weak, "none", "not without gdb"),
        ];
        expect![[r#"
             ok clock               tsc: events are stamped with
                                    rdtsc, the cheapest clock there
                                    is
             NO agent               none: nothing can be traced: it
                                    is not beside the command
              ! debugger            none: not without gdb
            1 thing does not work (NO), 1 thing works with a loss (!)"#]]
        .assert_eq(&text(&findings, 56));
        assert_eq!(
            summary(&findings[1..2]),
            "everything that was looked for works"
        );
    }
}
