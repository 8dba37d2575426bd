//! The comparison as SARIF 2.1.0, which code hosts show beside the line: a result for each place
//! with a line that got slower or faster. They refuse results without a line, so totals are not there.

use std::env;
use std::path::Path;

use anyhow::Result;
use serde_json::{json, Value};

use super::facts::{Facts, RowFacts};
use super::text::place;
use crate::races::sarif;

/// Writes the report.
pub fn text(facts: &Facts) -> Result<String> {
    let rule = |id: &str, says: &str| {
        json!({"id": id, "shortDescription": {"text": says},
               "help": {"text": "The book's page on mpiscope diff says how this is judged."}})
    };
    let judged = facts
        .rows
        .iter()
        .filter(|it| it.is_judged() && !it.is_total)
        // What only A has is in no line of the source that is there now.
        .filter(|it| it.only != Some("a"));
    let results: Vec<Value> = judged.filter_map(result).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "mpiscope diff",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": [
                    rule("slower", "It takes longer than before, by more than noise."),
                    rule("faster", "It takes less time than before, by more than noise."),
                ],
            }},
            "results": results,
        }],
    });
    Ok(serde_json::to_string_pretty(&log)?)
}

fn result(row: &RowFacts) -> Option<Value> {
    let level = match row.judgement {
        "slower" => "warning",
        _ => "note",
    };
    let line = row.line.filter(|line| *line > 0)?;
    Some(json!({
        "ruleId": row.judgement,
        "level": level,
        "message": {"text": place(row)},
        "partialFingerprints": {"row/v1": row.name},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(row.file.as_ref()?)},
            "region": {"startLine": line},
        }}],
    }))
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
