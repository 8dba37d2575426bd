//! A part of the program took more time than the program.

use std::process::Command;

use crate::common::matrix::{self, Case};
use crate::common::{mpiscope, process, Trial};

/// A program that works before MPI_Init, with probes of ours: `main` is all of it.
fn probed(case: Case) -> Trial {
    const SOURCE: &str = "\
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    usleep(300000);
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
";
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("early.c"), folder.path().join("early"));
    std::fs::write(&source, SOURCE).unwrap();
    let compiler = case.mpi.command("mpicc");
    let mut command = Command::new(mpiscope());
    command.args(["cc", &compiler, "-g", "-o"]);
    process::run(command.arg(&program).arg(&source)).check(0, &[]);
    let mut trial = Trial::of(case, program.clone());
    let own = trial.path("early");
    std::fs::copy(&program, &own).unwrap();
    trial.program = own;
    trial
}

#[test]
fn main_is_no_more_than_the_program() {
    for case in matrix::cases(&["off", "observe"], "observe", &[2]) {
        for clock in ["off", "observe"] {
            let trial = probed(case);
            let mut line = trial.command(mpiscope());
            line.args(["monitor", "--virtual-clock", clock, "-o", "run", "--"]);
            let done = process::run(line.args(trial.line(&[])));
            done.check(0, &[]);
            let run = trial.ended(done);
            let tree = run.json("stats --json");
            let whole = tree.figure("tree.time_ns");
            let main = tree.figure("tree.children.0.time_ns");
            assert!(main <= whole, "main {main}, the program {whole}");
            assert!(main > 600_000_000, "two ranks slept 300 ms each: {main}");
        }
    }
}
