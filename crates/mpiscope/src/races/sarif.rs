//! The report in SARIF 2.1.0 (OASIS Standard, 2020), which editors and code
//! hosts show beside the source.

use serde_json::{json, Value};

use super::facts::{Error, Facts, Race, SourcePlace};

/// Rules: identifier, what it says, and how bad that is.
const RULES: [(&str, &str, &str); 14] = [
    (
        "order-race",
        "A receive could have got another message; every order completes",
        "note",
    ),
    (
        "hazard-unmatched",
        "A receive could take the message that another one waits for",
        "warning",
    ),
    (
        "hazard-truncation",
        "A receive could get a message that does not fit",
        "warning",
    ),
    (
        "hazard-type",
        "A receive could get a message of another type",
        "warning",
    ),
    ("unmatched-send", "A message that nobody receives", "error"),
    (
        "unmatched-receive",
        "A receive that nobody sends to",
        "error",
    ),
    ("truncation", "A message longer than its buffer", "error"),
    (
        "type",
        "A message received as another type than it was sent",
        "error",
    ),
    (
        "lost-request",
        "A nonblocking operation neither completed nor freed",
        "error",
    ),
    (
        "collective-order",
        "Members call different collective operations",
        "error",
    ),
    ("collective-root", "Members name different roots", "error"),
    (
        "collective-count",
        "Members ask for different amounts of data",
        "error",
    ),
    ("collective-type", "Members name different types", "error"),
    ("deadlock", "Calls that wait for each other", "error"),
];

/// Returns the report.
pub fn report(facts: &Facts) -> Value {
    let rules = RULES.iter().map(|(id, text, level)| {
        json!({
            "id": id,
            "shortDescription": { "text": text },
            "defaultConfiguration": { "level": level },
        })
    });
    let races = facts.races.iter().map(race);
    let results = races.chain(facts.errors.iter().map(error));
    let notifications = facts
        .damage
        .iter()
        .map(|damage| json!({ "level": "error", "message": { "text": damage } }));
    let untold = facts.cannot_tell.iter().map(|it| {
        let text = format!("{}: cannot be told, as {}", it.what, it.why);
        json!({ "level": "note", "message": { "text": text } })
    });
    let not_kept = facts
        .not_kept
        .iter()
        .map(|what| json!({ "level": "warning", "message": { "text": what } }));
    let notifications = notifications.chain(not_kept).chain(untold);
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "mpiscope",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules.collect::<Vec<_>>(),
                },
            },
            "invocations": [{
                "executionSuccessful": facts.damage.is_empty(),
                "toolExecutionNotifications": notifications.collect::<Vec<_>>(),
            }],
            "results": results.collect::<Vec<_>>(),
        }],
    })
}

fn race(race: &Race) -> Value {
    let rule = match race.kind.as_deref() {
        Some(kind) => format!("hazard-{kind}"),
        None => "order-race".to_owned(),
    };
    let call = if race.probe { "probe" } else { "receive" };
    let text = format!("This {call} could have got another message: {}.", race.why);
    let related = race.senders.iter().enumerate().map(|(id, sender)| {
        let mut location = location(&sender.place);
        location["id"] = json!(id + 1);
        location["message"] = json!({ "text": "It could have got what is sent here." });
        location
    });
    let mut result = result(&rule, &text, &race.receive, race.times);
    result["relatedLocations"] = json!(related.collect::<Vec<_>>());
    result
}

fn error(error: &Error) -> Value {
    let rule = error.kind.replace(' ', "-");
    let text = format!("{}: {}.", error.kind, error.why);
    result(&rule, &text, &error.place, error.times)
}

fn result(rule: &str, text: &str, place: &SourcePlace, times: u64) -> Value {
    let index = RULES.iter().position(|(id, ..)| *id == rule);
    let level = RULES
        .iter()
        .find(|(id, ..)| *id == rule)
        .map_or("error", |(_, _, level)| level);
    json!({
        "ruleId": rule,
        "ruleIndex": index,
        "level": level,
        "message": { "text": text },
        "locations": [location(place)],
        "occurrenceCount": times,
    })
}

fn location(place: &SourcePlace) -> Value {
    let mut location = json!({});
    if let (Some(file), Some(line)) = (&place.file, place.line) {
        location["physicalLocation"] = json!({
            "artifactLocation": { "uri": uri(file) },
            "region": { "startLine": line.max(1) },
        });
    }
    let logical = match &place.function {
        Some(function) => json!({ "fullyQualifiedName": function, "kind": "function" }),
        None => json!({ "fullyQualifiedName": place.shown() }),
    };
    location["logicalLocations"] = json!([logical]);
    location
}

/// Writes a path as a reference (RFC 3986).
pub fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b'+' => {
                uri.push(byte.into());
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::input::Input;
    use crate::races::facts::look;
    use mpiscope_archive::model::Trace;

    fn of(picture: &str) -> Value {
        let input = Input {
            path: Path::new("run").to_owned(),
            trace: Trace::parse(picture).unwrap(),
            ..Input::default()
        };
        report(&look(&input, &input.trace.matching()).0.facts)
    }

    /// What the schema asks of results (SARIF 2.1.0, §3.27).
    fn check(report: &Value) {
        assert_eq!(report["version"], "2.1.0");
        let run = &report["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        for result in run["results"].as_array().unwrap() {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(result["ruleId"], rules[index]["id"]);
            assert!(["note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
            assert!(!result["message"]["text"].as_str().unwrap().is_empty());
            assert!(result["occurrenceCount"].as_u64().unwrap() > 0);
            assert!(
                result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"].is_string()
            );
        }
    }

    #[test]
    fn results_have_rules_levels_and_lines() {
        let report = of(
            "0: 9 enter(MPI_Recv) !at(/src/é.c:7) 10 recv<1(any) 11 leave(MPI_Recv) 12 recv<2 13 enter(MPI_Finalize)
             1: 1 send>0 2 enter(MPI_Finalize)
             2: 2 send>0 3 enter(MPI_Send) 4 send>1 5 leave(MPI_Send) 6 enter(MPI_Finalize)",
        );
        check(&report);
        let results = report["runs"][0]["results"].as_array().unwrap();
        let ids: Vec<_> = results
            .iter()
            .map(|it| it["ruleId"].as_str().unwrap())
            .collect();
        assert_eq!(ids, ["hazard-unmatched", "unmatched-send"]);
        let place = &results[0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "file:///src/%C3%A9.c");
        assert_eq!(place["region"]["startLine"], 7);
    }

    #[test]
    fn every_kind_of_error_has_a_rule() {
        use mpiscope_analysis::errors::ErrorKind::*;
        let truncation = Truncation {
            bytes: 2,
            capacity: 1,
        };
        for kind in [
            UnmatchedSend,
            UnmatchedReceive,
            truncation,
            Type,
            LostRequest,
            CollectiveOrder,
            CollectiveRoot,
            CollectiveCount,
            CollectiveType,
            Deadlock,
        ] {
            let rule = kind.name().replace(' ', "-");
            assert!(RULES.iter().any(|(id, ..)| *id == rule), "{rule}");
        }
    }
}
