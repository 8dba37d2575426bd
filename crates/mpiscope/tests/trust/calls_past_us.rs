//! A program called functions that nobody observed, and every report looked complete.

use crate::common::{matrix, mpiscope, process, Done, Trial};

const SAID: &str =
    "perhaps not complete: the program can call functions of its MPI that are not observed: MPIX_";

fn read(trial: &Trial, words: &[&str]) -> Done {
    let done = process::run(trial.command(mpiscope()).args(words));
    assert!(done.code <= 1, "{done:#?}");
    done
}

#[test]
fn every_report_says_that_calls_may_have_gone_past() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/extension.c") else {
            continue;
        };
        let bare = trial.untraced();
        let reports: [(&str, &[&str]); 3] = [
            ("trace", &["info", "analyze", "races", "sync"]),
            ("record", &["info"]),
            ("monitor", &["info", "analyze", "stats"]),
        ];
        for (mode, reports) in reports {
            let mut command = trial.command(mpiscope());
            command.args([mode, "-o", mode, "--"]).args(trial.line(&[]));
            let done = process::run(&mut command);
            // Where its MPI aborts in them, one rank's end and the launcher's signal race for the code.
            let code = if bare.code == 0 { 0 } else { done.code };
            done.check(code, &[SAID]);
            assert_eq!(done.code == 0, bare.code == 0, "{mode}: {done:#?}");
            // Not only before the program began, but at its end too.
            let (_, after) = done.errors.split_once("mpiscope: ").unwrap();
            assert!(after.contains(SAID), "{mode}: {done:#?}");
            for report in reports {
                let force: &[&str] = if *report == "sync" { &["--force"] } else { &[] };
                let text = read(&trial, &[&[*report, mode], force].concat());
                let told = format!("{}{}", text.out, text.errors);
                assert!(told.contains(SAID), "{mode} {report}: {text:#?}");
                let json = read(&trial, &[&[*report, mode, "--json"], force].concat());
                assert!(json.out.contains(SAID), "{mode} {report} --json: {json:#?}");
            }
        }
        let sarif = read(&trial, &["races", "trace", "--sarif", "-"]);
        assert!(sarif.out.contains(SAID), "{sarif:#?}");
    }
}
