//! Only what is certain is an error: correct programs that free their requests
//! are told nothing, and what is wrong beside them still is.

use crate::common::trial::Json;
use crate::common::{found, Case, Trial};

/// Program, and the errors that are certain in it.
const PROGRAMS: [(&str, &[&str]); 6] = [
    ("freed_receive.c", &[]),
    ("freed_receive_from_anybody.c", &[]),
    ("freed_persistent.c", &[]),
    ("freed_cancelled_send.c", &[]),
    ("freed_receive_and_one_too_many.c", &["unmatched send"]),
    ("buffered_and_never_received.c", &["unmatched send"]),
];

#[test]
fn a_request_that_was_freed_makes_no_error() {
    for mpi in found() {
        for (program, expected) in PROGRAMS {
            let source = format!("tests/mpi/races/{program}");
            let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, &source) else {
                continue;
            };
            let run = trial.traced_with(&["--no-sync"]);
            run.done.check_calm();
            let json: Json = run.json("races --json");
            let errors = json.get("errors").as_array().unwrap().iter();
            let kinds: Vec<&str> = errors.map(|it| it["kind"].as_str().unwrap()).collect();
            assert_eq!(
                kinds, expected,
                "{program} under {}: {:#}",
                mpi.name, json.0
            );
        }
    }
}
