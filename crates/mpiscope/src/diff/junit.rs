//! The comparison as a JUnit report, which code hosts show: a case for each condition; without
//! conditions one for each total and each place that got slower or faster.

use super::facts::{Answer, Answered, Facts, RowFacts};
use super::text::place;

/// A test: its name, and why it failed or was skipped.
struct Case {
    name: String,
    outcome: Option<(&'static str, String)>,
}

/// Writes the report.
pub fn text(facts: &Facts) -> String {
    let mut cases = match facts.conditions.is_empty() {
        true => rows(facts),
        false => conditions(facts),
    };
    cases.extend(facts.damage.iter().map(|damage| Case {
        name: "what could be read".to_owned(),
        outcome: Some(("error", damage.clone())),
    }));
    let count = |what: &str| {
        let is_one = |it: &&Case| it.outcome.as_ref().is_some_and(|it| it.0 == what);
        cases.iter().filter(is_one).count()
    };
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
        cases.len(),
        count("failure"),
        count("error"),
        count("skipped")
    );
    let lines: Vec<String> = cases.iter().map(written).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n\
         <testsuite name=\"mpiscope diff\" {counts}>\n{}\n<system-out>{}</system-out>\n\
         </testsuite>\n</testsuites>",
        lines.join("\n"),
        escaped(&facts.verdict.join("\n"))
    )
}

fn conditions(facts: &Facts) -> Vec<Case> {
    let case = |it: &Answered| Case {
        name: format!("not {}", it.condition),
        outcome: match it.answer {
            Answer::True => Some(("failure", it.why.clone())),
            Answer::Unknown => Some(("error", it.why.clone())),
            Answer::False => None,
        },
    };
    facts.conditions.iter().map(case).collect()
}

fn rows(facts: &Facts) -> Vec<Case> {
    let is_told = |it: &&RowFacts| it.is_total || it.is_judged();
    // Of one run on each side nobody knows whether the build is the cause.
    let is_known = facts.evidence.kind == "runs";
    let are_whole = facts.without_end() == 0;
    let case = |it: &RowFacts| Case {
        name: it.name.clone(),
        outcome: match it.judgement {
            // A build that crashes passes nothing.
            _ if !are_whole => Some(("error", facts.verdict.join(" "))),
            "slower" if is_known => Some(("failure", place(it))),
            "slower" | "cannot tell" => Some(("skipped", place(it))),
            _ => None,
        },
    };
    facts.rows.iter().filter(is_told).map(case).collect()
}

fn written(case: &Case) -> String {
    let name = escaped(&case.name);
    let head = format!("<testcase classname=\"mpiscope diff\" name=\"{name}\"");
    match &case.outcome {
        None => format!("{head}/>"),
        Some((what, why)) => {
            format!("{head}><{what} message=\"{}\"/></testcase>", escaped(why))
        }
    }
}

/// Writes text as XML takes it.
fn escaped(text: &str) -> String {
    let mut written = String::new();
    for c in text.chars() {
        match c {
            '&' => written.push_str("&amp;"),
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            '"' => written.push_str("&quot;"),
            '\n' => written.push(c),
            // XML 1.0 has no other control characters.
            c if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) => written.push('?'),
            c => written.push(c),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn names_do_not_end_the_markup() {
        let written = escaped("operator<<\"a\" & \u{1}b");
        assert_eq!(written, "operator&lt;&lt;&quot;a&quot; &amp; ?b");
    }
}
