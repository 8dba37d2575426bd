//! A place of the program was named that was not the user's.

use std::process::Command;

use mpiscope_archive::model::Event;

use crate::common::{found, missing, mpi, mpiscope, process, Case, Mpi, Trial};

/// gfortran puts calls that only pass variables at the head of the program, unless it
/// optimizes: Open MPI's compiler commands do not ask for that.
#[test]
fn calls_of_fortran_without_optimization_have_their_own_lines() {
    let source = crate::common::workspace().join("tests/mpi/usempi.f90");
    let text = std::fs::read_to_string(&source).unwrap();
    let line_of = |call: &str| {
        let mut lines = (1u64..).zip(text.lines());
        let found = lines.find(|(_, line)| line.trim_start().starts_with(call));
        found.unwrap_or_else(|| panic!("no {call}")).0
    };
    let expected = ["MPI_Init", "MPI_Comm_rank"]
        .map(|name| format!("{name} {}", line_of(&format!("call {name}("))));
    let last = line_of("call MPI_Finalize(");
    let folder = tempfile::tempdir().unwrap();
    for &mpi in found() {
        let compiler: &Mpi = mpi;
        let program = folder.path().join(compiler.suffix);
        let mut build = Command::new(compiler.command("mpif90"));
        let build = build.args(["-O0", "-g", "-o"]).arg(&program).arg(&source);
        process::run(build).check(0, &[]);
        let run = Trial::of(Case { mpi, ranks: 2 }, program).traced();
        run.done.check(0, &[]);
        if let Some(facts) = run.check_archives() {
            for site in &expected {
                assert!(facts.sites.contains_key(site), "{site}: {:#?}", facts.sites);
            }
            // Where nothing follows it in its procedure its line is not known, but not a wrong one.
            let known = ["MPI_Finalize 0".into(), format!("MPI_Finalize {last}")];
            let told = known.iter().any(|site| facts.sites.contains_key(site));
            assert!(told, "{:#?}", facts.sites);
        }
    }
}

#[test]
fn gdb_stands_at_the_call_of_the_program_where_a_replay_was_to_stop() {
    for mpi in found() {
        if let Some(name) = ["gdb", "gdbserver"]
            .iter()
            .find(|name| !mpi::is_command(name))
        {
            return missing(&format!("no {name}"));
        }
        let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/debugged.c") else {
            continue;
        };
        trial.run_trace(&["--no-sync"]).check(0, &[]);
        let mut command = trial.command(mpiscope());
        let at = barrier(&trial);
        command.args(["replay", "run", "--gdb", "0", "--stop-at", &at, "--"]);
        let running = process::start(command.args(trial.line(&[])));
        let errors = running.wait_for_error("target remote");
        let line = errors.lines().find(|line| line.contains("target remote"));
        let script = "-batch -ex continue -ex frame -ex continue";
        let line = format!("timeout 100 {} {script} </dev/null", line.unwrap().trim());
        let output = trial.command("sh").args(["-c", &line]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        // Told at the stop, and asked for.
        assert_eq!(said.matches("debugged.c:34").count(), 2, "{said}");
        running.wait().check(0, &["replayed as recorded"]);
    }
}

/// Returns where rank 0 enters its barrier, as `--stop-at` wants it.
#[track_caller]
fn barrier(trial: &Trial) -> String {
    let trace = mpiscope_archive::trace::read_trace(&trial.path("run/traces.otf2")).unwrap();
    let events = &trace.locations[0].events;
    let enters = |at: &usize| match events.event(*at) {
        Event::Enter(region) => trace.definitions.regions[region.index()].name == "MPI_Barrier",
        _ => false,
    };
    let event = (0..events.len()).find(enters).unwrap();
    format!("{}:{event}", trace.locations[0].id)
}
