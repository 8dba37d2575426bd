//! The comparison as SARIF 2.1.0, which code hosts show beside the line: a result for each condition
//! that is so, and for each place with a line that got slower or faster. They show results at lines
//! only, so a condition on a total is told where most of the change is.

use std::env;
use std::path::Path;

use anyhow::Result;
use serde_json::{json, Value};

use super::facts::{Answer, Answered, Facts, RowFacts};
use super::text::place;
use crate::races::sarif;

const RULES: &[(&str, &str)] = &[
    ("condition", "A condition of --fail-on is so."),
    ("slower", "It takes longer than before, by more than noise."),
    (
        "faster",
        "It takes less time than before, by more than noise.",
    ),
];

/// Writes the report.
pub fn text(facts: &Facts) -> Result<String> {
    let rules = RULES.iter().map(|(id, says)| {
        json!({"id": id, "shortDescription": {"text": says},
               "help": {"text": "The book's page on mpiscope diff says how this is judged."}})
    });
    let failed = facts.conditions.iter();
    let failed = failed.filter(|it| it.answer == Answer::True);
    let failed = failed.map(|it| condition(it, facts));
    let judged = places(facts).filter(|it| it.is_judged()).map(|row| {
        let level = match row.judgement {
            "slower" => "warning",
            _ => "note",
        };
        result(row.judgement, level, &place(row), &row.name, location(row))
    });
    let damage = facts.damage.iter().cloned();
    let unknown = facts.conditions.iter();
    let unknown = unknown.filter(|it| it.answer == Answer::Unknown);
    let unknown = unknown.map(|it| format!("{} cannot be answered: {}", asked(it), it.why));
    let notifications = damage.chain(unknown);
    let notifications: Vec<Value> = notifications
        .map(|text| json!({"level": "error", "message": {"text": text}}))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "mpiscope diff",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.collect::<Vec<_>>(),
            }},
            "invocations": [{
                "executionSuccessful": notifications.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": failed.chain(judged).collect::<Vec<_>>(),
        }],
    });
    Ok(serde_json::to_string_pretty(&log)?)
}

/// Returns the rows with a line, the most changed first.
fn places(facts: &Facts) -> impl Iterator<Item = &RowFacts> {
    // What only A has is in no line of the source that is there now.
    let is_there = |it: &&RowFacts| !it.is_total && it.only != Some("a");
    let has_line = |it: &&RowFacts| it.file.is_some() && it.line > Some(0);
    facts.rows.iter().filter(is_there).filter(has_line)
}

/// Tells a condition at the row that it names, else where most of the change is.
fn condition(answered: &Answered, facts: &Facts) -> Value {
    let told = format!("{}: {}", asked(answered), answered.why);
    let longer = answered.longer;
    let named = places(facts).find(|it| answered.rows.contains(&it.name));
    let most = places(facts).find(|it| (it.change_ns > 0.0) == longer);
    let (text, at) = match (named, most) {
        (Some(row), _) => (told, location(row)),
        (None, Some(row)) => {
            let text = format!("{told}. Most of that is here: {}", place(row));
            (text, location(row))
        }
        (None, None) => {
            let name = json!({"fullyQualifiedName": answered.condition});
            (told, json!({"logicalLocations": [name]}))
        }
    };
    result("condition", "error", &text, &answered.condition, at)
}

fn asked(answered: &Answered) -> String {
    format!("--fail-on '{}'", answered.condition)
}

fn result(rule: &str, level: &str, text: &str, fingerprint: &str, location: Value) -> Value {
    json!({
        "ruleId": rule,
        "ruleIndex": RULES.iter().position(|(id, _)| *id == rule),
        "level": level,
        "message": {"text": text},
        "partialFingerprints": {"row/v1": fingerprint},
        "locations": [location],
    })
}

fn location(row: &RowFacts) -> Value {
    json!({"physicalLocation": {
        "artifactLocation": {"uri": row.file.as_deref().map(uri)},
        "region": {"startLine": row.line},
    }})
}

/// Returns a file as a URI: from here, if it is below.
fn uri(file: &str) -> String {
    let here = env::current_dir().ok();
    let below = here.and_then(|here| Path::new(file).strip_prefix(here).ok().map(Path::to_owned));
    match below {
        Some(below) => sarif::uri(&below.display().to_string()),
        None => sarif::uri(file),
    }
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn files_are_uris() {
        assert_eq!(uri("/a b/heat.c"), "file:///a%20b/heat.c");
        assert_eq!(uri("src/heat.c"), "src/heat.c");
        let here = std::env::current_dir().unwrap().join("src/heat.c");
        assert_eq!(uri(here.to_str().unwrap()), "src/heat.c");
    }
}
