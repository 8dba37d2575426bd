//! Where in the program calls were made: programs print it, the archive says it.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::mpi::is_command;
use common::trial::{check_archive, Run};
use common::{matrix, process, workspace, Case, Mpi, Trial};

/// Two ranks under each MPI.
fn cases() -> Vec<Case> {
    matrix::all(&[2])
}

/// Compiles a program of `tests/mpi` with options.
#[track_caller]
fn build(mpi: &Mpi, source: &str, name: &str, options: &[&str]) -> Option<PathBuf> {
    let compiler = mpi.command(if source.ends_with(".c") {
        "mpicc"
    } else {
        "mpif90"
    });
    if !is_command(&compiler) {
        common::missing(&format!("{source}: no {compiler}"));
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sites-{}", mpi.suffix));
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join(name);
    let file = workspace().join("tests/mpi").join(source);
    let mut command = Command::new(compiler);
    command.args(["-g", "-O2", "-w", "-o"]).arg(&program);
    command.args(options).arg(&file).current_dir(&folder);
    process::run(&mut command).check(0, &[]);
    Some(program)
}

fn library(mpi: &Mpi) -> String {
    let options = ["-shared", "-fPIC", "-DLIBRARY"];
    let library = build(mpi, "sites.c", "library.so", &options).expect("a C compiler");
    library.display().to_string()
}

/// Function and line of all calls, as the program printed them.
fn printed(run: &Run) -> BTreeSet<String> {
    let sites = run
        .done
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("site "));
    sites.map(str::to_owned).collect()
}

/// The same, as the archive says it, but for the two that are not printed: of
/// MPI_Init nobody knows the rank before, MPI_Finalize gfortran 12 gives the
/// line of `program`.
#[track_caller]
fn recorded(anchor: &Path) -> Option<BTreeSet<String>> {
    let sites = check_archive(anchor)?.sites.into_keys();
    let is_printed = |site: &String| {
        !["MPI_Init ", "MPI_Finalize "]
            .iter()
            .any(|name| site.starts_with(name))
    };
    Some(sites.filter(is_printed).collect())
}

/// Compares both, in the archive as measured and as corrected.
#[track_caller]
fn compare(run: &Run) {
    let printed = printed(run);
    assert!(printed.len() > 2, "{:#?}", run.done);
    for anchor in [run.measured(), run.corrected()] {
        if let Some(mut recorded) = recorded(&anchor) {
            // C's program asks for its rank by PMPI_Comm_rank, and does not print that.
            recorded.retain(|it| !it.starts_with("MPI_Comm_rank ") || printed.contains(it));
            assert_eq!(recorded, printed, "{:#?}", run.done);
        }
    }
}

#[track_caller]
fn check(source: &str, name: &str, options: &[&str]) {
    for case in cases() {
        let Some(program) = build(case.mpi, source, name, options) else {
            return;
        };
        let run = Trial::of(case, program)
            .arguments(&[library(case.mpi)])
            .traced();
        assert_eq!(run.done.code, 0, "{:#?}", run.done);
        compare(&run);
    }
}

#[test]
fn lines_are_those_that_the_program_prints() {
    check("sites.c", "pie", &["-pie", "-fPIE"]);
}

#[test]
fn lines_are_right_at_fixed_addresses() {
    check("sites.c", "no-pie", &["-no-pie", "-fno-pie"]);
}

#[test]
fn lines_are_right_without_optimization() {
    check("sites.c", "unoptimized", &["-O0"]);
}

#[test]
fn lines_of_fortran_are_right() {
    check("sites.F90", "fortran", &[]);
}

#[test]
fn lines_survive_the_death_of_the_program() {
    for case in cases() {
        let Some(program) = build(case.mpi, "sites.c", "dies", &[]) else {
            return;
        };
        let arguments = [library(case.mpi), "die".to_owned()];
        let run = Trial::of(case, program).arguments(&arguments).traced();
        assert_ne!(run.done.code, 0, "{:#?}", run.done);
        compare(&run);
    }
}

/// Nobody looked the lines up when the ranks had written the archive: every
/// command does, and the first correction writes them.
#[test]
fn lines_of_a_run_without_trace_around_it_are_known() {
    for case in cases() {
        let Some(program) = build(case.mpi, "sites.c", "alone", &[]) else {
            return;
        };
        let trial = Trial::of(case, program).arguments(&[library(case.mpi)]);
        let mpiscope = common::mpiscope();
        let line = trial.line(&[mpiscope.to_str().unwrap(), "exec", "--"]);
        let done = process::run(trial.command(&line[0]).args(&line[1..]));
        let path = trial.path("alone.mpiscope");
        let run = Run { trial, path, done };
        let info = run.mpiscope("info");
        assert!(info.out.contains("sites.c:"), "{info:#?}, {:#?}", run.done);
        run.mpiscope("sync").check(0, &[]);
        compare(&run);
    }
}

#[test]
fn an_archive_without_call_sites_has_races_without_lines() {
    let receive = "enter(MPI_Recv) 9 recv<0(any) 10 leave(MPI_Recv) 11 recv<1(any)";
    let picture = format!("0: 1 send>2\n1: 1 send>2\n2: 8 {receive}");
    let trace = mpiscope_archive::model::Trace::parse(&picture).unwrap();
    let folder = tempfile::tempdir().unwrap();
    mpiscope_archive::write::write_trace(&trace, folder.path(), &[]).unwrap();
    let races = |options: &[&str]| {
        let mut command = Command::new(common::mpiscope());
        let done = process::run(command.arg("races").args(options).arg(folder.path()));
        done.check(0, &[]);
        done.out
    };
    let json: serde_json::Value = serde_json::from_str(&races(&["--json"])).unwrap();
    let place = &json["races"][0]["receive"];
    assert_eq!(place["call"], "MPI_Recv", "{json:#}");
    assert!(place["file"].is_null() && place["line"].is_null());
    let text = races(&[]);
    assert!(
        text.contains("MPI_Recv") && !text.contains("MPI_Recv at"),
        "{text}"
    );
    assert!(races(&["--sarif", "-"]).contains("MPI_Recv"));
}

#[test]
fn the_worst_message_is_named_by_its_lines() {
    let case = cases()[0];
    let Some(trial) = Trial::new(case, "examples/heat.c") else {
        return;
    };
    let trial = trial.arguments(&[64, 40]);
    let run = trial.with("MPISCOPE_CLOCK_FAULT", "1:offset=35ms").traced();
    let sync = run.json("sync --force --json");
    assert!(sync.figure("worst.by_ns") > 0, "{:#}", sync.0);
    for side in ["send", "receive"] {
        let file = sync.text(&format!("worst.{side}.file")).to_owned();
        assert!(file.ends_with("heat.c"), "{file}");
        assert!(sync.figure(&format!("worst.{side}.line")) > 0);
    }
    let text = run.mpiscope("sync --force").out;
    let line = text
        .lines()
        .find(|line| line.starts_with("worst message: "));
    assert!(line.unwrap().matches("heat.c:").count() == 2, "{text}");
}

/// Splits a program's debug information off, or drops it.
fn strip(program: &Path, keep: bool) {
    let run = |tool: &str, arguments: &[&str]| {
        process::run(Command::new(tool).args(arguments)).check(0, &[]);
    };
    let (name, debug) = (
        program.display().to_string(),
        format!("{}.debug", program.display()),
    );
    let _ = std::fs::remove_file(&debug);
    if keep {
        run("objcopy", &["--only-keep-debug", &name, &debug]);
    }
    run("strip", &[&name]);
    if keep {
        run("objcopy", &[&format!("--add-gnu-debuglink={debug}"), &name]);
    }
}

#[test]
fn lines_come_from_debug_information_kept_apart() {
    for case in cases() {
        let Some(program) = build(case.mpi, "sites.c", "apart", &[]) else {
            return;
        };
        strip(&program, true);
        let run = Trial::of(case, program)
            .arguments(&[library(case.mpi)])
            .traced();
        compare(&run);
    }
}

/// What has no debug information keeps module and offset; what has, has lines.
#[test]
fn a_stripped_program_has_modules_and_offsets() {
    let case = cases()[0];
    let Some(program) = build(case.mpi, "sites.c", "stripped", &[]) else {
        return;
    };
    strip(&program, false);
    let run = Trial::of(case, program)
        .arguments(&[library(case.mpi)])
        .traced();
    let Some(recorded) = recorded(&run.measured()) else {
        return;
    };
    let (nameless, named): (Vec<_>, Vec<_>) =
        (recorded.iter()).partition(|site| site.contains(" stripped+0x"));
    assert_eq!(named.len(), 1, "the library's: {recorded:#?}");
    assert!(nameless.len() >= printed(&run).len() - 1, "{recorded:#?}");
}
