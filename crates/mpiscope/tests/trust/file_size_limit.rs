//! A limit of file sizes ended mpiscope without a word.

use crate::common::{matrix, mpiscope, process, Trial};

#[test]
fn a_command_names_the_file_and_the_limit_it_met() {
    let Some(case) = matrix::all(&[2]).pop() else {
        return;
    };
    let Some(trial) = Trial::new(case, "tests/mpi/exits.c") else {
        return;
    };
    let run = trial.traced_with(&["--no-sync"]);
    run.done.check(7, &[]);
    let limited = |blocks: u32, words: &[&str]| {
        let mut command = run.trial.command("sh");
        command.args(["-c", &format!("ulimit -f {blocks}; exec \"$@\""), "sh"]);
        command.arg(mpiscope()).args(words).arg(&run.path);
        process::run(&mut command)
    };
    // Blocks of 512 bytes: the output of a test is a file, too.
    let done = limited(2, &["sync"]);
    done.check_calm();
    assert!(done.code < 128, "ended by a signal: {done:#?}");
    assert!(done.errors.contains("ulimit -f"), "{done:#?}");
    assert!(
        !run.corrected().exists(),
        "what was not written whole is no archive"
    );
    // What was measured is whole.
    run.mpiscope("sync").check(0, &[]);
    run.check_archives();
}

#[test]
fn a_program_runs_on_where_nothing_can_be_written() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/exits.c") else {
            continue;
        };
        // 6 MiB: what both MPIs need themselves fits (Open MPI's ranks die below 4 MiB, and may
        // take their launcher with them), the agent's copy does not.
        let limited = |line: &[String]| {
            let mut command = trial.command("sh");
            command
                .args(["-c", "ulimit -f 12288; exec \"$@\"", "sh"])
                .args(line);
            process::run(&mut command)
        };
        let bare = limited(&trial.line(&[]));
        for mode in ["trace", "record", "monitor"] {
            let mut line = vec![mpiscope().display().to_string()];
            line.extend([mode, "-o", mode, "--"].map(str::to_owned));
            line.extend(trial.line(&[]));
            let done = limited(&line);
            done.check(bare.code, &["ulimit -f"]);
            assert_eq!(done.out, bare.out, "{mode}");
        }
    }
}
