//! A monitored job in the browser: what the page asks is answered while the job runs, and after.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::time::{Duration, Instant};

use common::process;
use common::view::View;
use common::{matrix, mpiscope, Trial};
use serde_json::Value;

const PROGRAM: &str = "tests/mpi/monitor/until_told.c";

/// Asks until the answer is as wanted.
#[track_caller]
fn until(view: &View, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let begin = Instant::now();
    loop {
        let answer = view.json(path);
        if wanted(&answer) {
            return answer;
        }
        assert!(
            begin.elapsed() < Duration::from_secs(120),
            "{path}: {answer}"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Returns what a look tells of MPI_Allreduce.
fn allreduce(look: &Value) -> Option<&Value> {
    let mut statements = look["view"]["statements"].as_array().unwrap().iter();
    statements.find(|it| it["name"] == "MPI_Allreduce")
}

fn steps(look: &Value) -> u64 {
    allreduce(look).map_or(0, |it| it["calls"].as_u64().unwrap())
}

#[test]
fn a_job_is_seen_while_it_runs_and_after() {
    for case in matrix::cases(&[PROGRAM], PROGRAM, &[3]) {
        let Some(trial) = Trial::new(case, PROGRAM) else {
            continue;
        };
        let running = trial.monitored_until("MPI_Allreduce");
        let place = trial.path("");
        let view = View::start_beside(&place, "view run", &running);
        assert_eq!(view.get("/api/live", "wrong").0, 401);
        let meta = view.json("/api/meta");
        assert_eq!(
            (&meta["live"]["name"], &meta["runs"]),
            (&"run".into(), &serde_json::json!([]))
        );
        let first = until(&view, "/api/live", |look| {
            look["view"]["ranks"]
                .as_array()
                .is_some_and(|it| it.len() == 3)
        });
        assert_eq!(first["phase"], "running");
        assert_eq!(first["trouble"], Value::Null);
        // It goes on, and the page has a course of it.
        let later = until(&view, "/api/live", |look| {
            steps(look) > steps(&first) && look["course"].as_array().unwrap().len() > 1
        });
        assert_eq!(allreduce(&later).unwrap()["place"], "until_told.c:13");
        assert_eq!(later["recent"].as_array().unwrap().len(), 3);
        let of_rank = view.json("/api/live?rank=1");
        assert_eq!(of_rank["rank"]["rank"], 1);
        assert!(of_rank["rank"]["statements"]
            .as_array()
            .unwrap()
            .iter()
            .any(|it| it["name"] == "MPI_Allreduce"));
        assert_eq!(view.get("/api/live?rank=x", &view.token).0, 400);
        fs::write(trial.path("stop"), "").unwrap();
        running.wait().check(0, &[]);
        let last = until(&view, "/api/live", |look| look["phase"] == "ended");
        assert_eq!(last["view"]["state"], "finished");
        let text = view.json("/api/live/statistics")["text"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(text.contains("MPI_Allreduce until_told.c:13"), "{text}");
        view.end();
        after(&trial, &last);
    }
}

/// A job that has ended is shown in the same way, and so are not two, or one beside a trace.
fn after(trial: &Trial, last: &Value) {
    let place = trial.path("");
    let view = View::start(&place, "view run");
    let look = view.json("/api/live");
    assert_eq!(
        (&look["phase"], steps(&look)),
        (&"ended".into(), steps(last))
    );
    assert_eq!(view.get("/api/run/0/findings", &view.token).0, 404);
    view.end();
    let mut both = trial.command(mpiscope());
    let done = process::run(both.args(["view", "run", "run"]));
    done.check(2, &["shown on a page of its own"]);
}
