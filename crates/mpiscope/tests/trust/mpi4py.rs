//! Python programs died: mpi4py opens its MPI long after the agent was loaded, and asked
//! the agent for functions that this MPI has not.

use std::path::Path;
use std::process::Command;

use crate::common::matrix::Random;
use crate::common::mpi::OPEN_MPI;
use crate::common::process::{self, Done};
use crate::common::python::{pythons, suite, Python};
use crate::common::{matrix, mpiscope, say, Case, Trial};

/// Messages, collectives, attributes and a probe for what only newer MPIs have.
const PROGRAM: &str = "\
from mpi4py import MPI
world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
told = world.sendrecv({'from': rank}, dest=(rank + 1) % size, source=(rank - 1) % size)
world.Barrier()
facts = [size, told, world.allreduce(rank), world.bcast(['all'] * (rank == 0)),
         MPI.DOUBLE.Get_size(), MPI.DOUBLE.Create_vector(2, 1, 3).Get_extent()]
everybody = world.gather(facts)
if rank == 0:
    print(everybody)
";

const MODES: [&[&str]; 3] = [&["trace"], &["record"], &["monitor"]];

#[test]
fn a_python_program_gives_what_it_gives_bare() {
    for python in pythons() {
        let folder = tempfile::tempdir().unwrap();
        let run = |mode: &[&str]| {
            let words = ["-c", PROGRAM];
            process::run(&mut python.command(folder.path(), mode, 2, &words))
        };
        let bare = run(&[]);
        if divides_by_zero(&python, &bare) {
            continue;
        }
        bare.check(0, &[]);
        assert!(bare.out.contains("'from': 1"), "{bare:#?}");
        for mode in MODES {
            let done = run(mode);
            if divides_by_zero(&python, &done) {
                continue;
            }
            assert_eq!(
                (done.code, &done.out),
                (0, &bare.out),
                "{python:?} {mode:?} {done:#?}"
            );
        }
        let traced = run(&["trace"]);
        if divides_by_zero(&python, &traced) {
            continue;
        }
        traced.check(0, &["2 ranks"]);
        check_trace(&folder.path().join("run"));
    }
}

/// Whether there is nothing to be seen of a run, as it ended within libmpi.
fn divides_by_zero(python: &Python, done: &Done) -> bool {
    let its_own = python.0.divides_by_zero(done);
    if its_own {
        say("not tested: Intel MPI ended by SIGFPE, as it does bare");
    }
    its_own
}

/// Expects that calls were seen, and messages.
#[track_caller]
fn check_trace(run: &Path) {
    let mut info = Command::new(mpiscope());
    let done = process::run(info.args(["info", "--json"]).arg(run));
    let info: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(info["events_lost"], 0, "{info:#}");
    assert!(info["messages"]["logical"].as_u64() > Some(4), "{info:#}");
}

/// In 6 of 6 bare runs of the whole suite under Open MPI 4 a spawned process waited for ever
/// in PMIx_Init.
const SPAWNS: &str = "test_spawn";

/// Two of mpi4py's own test modules under each MPI; with the whole matrix all of them, in
/// one process and two, in all modes.
#[test]
fn the_tests_of_mpi4py_itself_end_as_bare() {
    let Some(suite) = suite() else { return };
    let all = std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1");
    let mut modules: Vec<String> = std::fs::read_dir(&suite)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|name| name.starts_with("test_") && name != SPAWNS)
        .collect();
    modules.sort();
    say(&format!(
        "not tested: {SPAWNS}, in which Open MPI 4's launcher hangs, bare too"
    ));
    let mut random = Random::new(matrix::seed());
    for python in pythons() {
        let drawn = [0, 1].map(|_| modules[random.below(modules.len())].clone());
        let chosen = if all { &modules[..] } else { &drawn[..] };
        for (index, module) in chosen.iter().enumerate() {
            // Those of one process under MPICH, which spins.
            let ranks = if all && !python.0.spins {
                &[1, 2][..]
            } else {
                &[1]
            };
            for &ranks in ranks {
                check_module(
                    &python,
                    &suite,
                    module,
                    ranks,
                    if all { &MODES } else { &MODES[index..=index] },
                );
            }
        }
    }
}

/// Expects that a module that passes bare passes observed.
#[track_caller]
fn check_module(python: &Python, suite: &Path, module: &str, ranks: u32, modes: &[&[&str]]) {
    let folder = tempfile::tempdir().unwrap();
    let main = suite.join("main.py");
    let exactly = format!(r"^{module}\.py$");
    let words = [main.to_str().unwrap(), "-q", "-i", &exactly];
    let run = |mode: &[&str]| process::run(&mut python.command(folder.path(), mode, ranks, &words));
    let bare = run(&[]);
    if bare.code != 0 {
        return; // not ours to judge
    }
    assert!(!bare.errors.contains("Ran 0 tests"), "{module}: {bare:#?}");
    for mode in modes {
        let done = run(mode);
        let what = format!("{} {module} {ranks} {mode:?}", python.0.name);
        assert_eq!(counted(&done), counted(&bare), "{what}: {done:#?}");
        assert_eq!(done.code, 0, "{what}: {done:#?}");
    }
}

/// Returns how many tests ran, and how they ended, as unittest says it for every process. Ranks
/// write into each other's lines, between any two of unittest's writes: `Ran 6 tests in 0.1s`,
/// `OK` and `(skipped=1)` are one each, and what follows one of them says nothing.
fn counted(done: &Done) -> Vec<String> {
    let text = format!("{}\n{}", done.out, done.errors);
    let written = ["Ran ", "OK", "skipped="].map(|word| {
        let number = |(at, _): (usize, &str)| {
            let rest = &text[at + word.len()..];
            let digits = rest.find(|c: char| !c.is_ascii_digit());
            format!("{word}{}", &rest[..digits.unwrap_or(rest.len())])
        };
        text.match_indices(word).map(number).collect::<Vec<_>>()
    });
    let mut found = written.concat();
    found.sort();
    found
}

#[test]
fn words_of_unittest_are_found_wherever_ranks_write_them() {
    let errors =
        "---Ran 6 tests in 0.000sRan 6 tests in 0.000s\n\nOK\nOK (skipped=1) (skipped=1)\n\n";
    let done = Done {
        errors: errors.to_owned(),
        code: 0,
        out: String::new(),
    };
    let found = ["OK", "OK", "Ran 6", "Ran 6", "skipped=1", "skipped=1"];
    assert_eq!(counted(&done), found);
}

/// Returns what a Python program does that has an MPI by ctypes, in one process under Open MPI.
fn by_hand(program: &str) -> Option<Trial> {
    let case = Case {
        mpi: &OPEN_MPI,
        ranks: 1,
    };
    let has_mpi = matrix::all(&[1]).iter().any(|case| case.mpi == &OPEN_MPI);
    has_mpi.then(|| Trial::of(case, "/usr/bin/python3".into()).arguments(&["-c", program]))
}

#[test]
fn functions_that_are_taken_from_a_library_by_name_are_observed() {
    const PROGRAM: &str = "\
import ctypes
mpi = ctypes.CDLL('libmpi.so.40')
assert mpi.MPI_Init(None, None) == 0
world = ctypes.byref(ctypes.c_void_p.in_dll(mpi, 'ompi_mpi_comm_world'))
assert mpi.MPI_Barrier(world) == 0
assert not hasattr(mpi, 'MPI_Type_size_c')
assert mpi.MPI_Finalize() == 0
";
    let Some(trial) = by_hand(PROGRAM) else {
        return;
    };
    let run = trial.traced();
    run.done.check(0, &["1 rank,"]);
    assert!(run.mpiscope("info").out.contains("MPI_Barrier"));
}

#[test]
fn a_process_without_mpi_has_no_functions_of_mpi() {
    const PROGRAM: &str = "\
import ctypes
own = ctypes.CDLL(None)
for name in 'MPI_Init', 'MPI_Type_size_c', 'mpi_init_':
    try:
        getattr(own, name)
    except AttributeError as error:
        assert 'undefined symbol: ' + name in str(error), error
    else:
        raise SystemExit(name)
";
    let Some(trial) = by_hand(PROGRAM) else {
        return;
    };
    trial.untraced().check(0, &[]);
    // Nothing to trace: the exit code is ours.
    let done = trial.traced().done;
    done.check_calm();
    assert!(!done.errors.contains("SystemExit"), "{done:#?}");
    assert!(
        done.errors.contains("no process called MPI_Init"),
        "{done:#?}"
    );
}

#[test]
fn mpi_that_goes_past_us_is_noticed() {
    const PROGRAM: &str = "\
import ctypes
mpi = ctypes.CDLL('libmpi.so.40')
assert mpi.PMPI_Init(None, None) == 0
assert mpi.PMPI_Finalize() == 0
";
    let Some(trial) = by_hand(PROGRAM) else {
        return;
    };
    trial.untraced().check(0, &[]);
    let done = trial.traced().done;
    assert!(done.errors.contains("went past mpiscope"), "{done:#?}");
    assert!(done.errors.contains("libmpi.so.40"), "{done:#?}");
}

#[track_caller]
fn compile(compiler: &str, words: &[&str], source: &str, program: &Path) {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut line = Command::new(compiler);
    line.args(words)
        .arg("-o")
        .arg(program)
        .arg(root.join(source));
    process::run(&mut line).check(0, &[]);
}

/// A module of Python's with its libmpi, which are nobody else's.
#[test]
fn a_module_finds_what_is_in_its_own_scope() {
    const PROGRAM: &str = "\
import ctypes
module = ctypes.CDLL('./module.so')
print([module.has(name) for name in (b'MPI_Init', b'MPI_Type_size_c', b'no_such_name')])
assert module.start() == 0
assert module.end() == 0
";
    let Some(trial) = by_hand(PROGRAM) else {
        return;
    };
    let module = trial.path("module.so");
    let words = ["-shared", "-fPIC"];
    compile("mpicc.openmpi", &words, "tests/mpi/weak/module.c", &module);
    let bare = trial.untraced();
    bare.check(0, &[]);
    assert_eq!(bare.out, "[1, 0, 0]\n");
    let run = trial.traced();
    run.done.check(0, &["1 rank,"]);
    assert_eq!(run.done.out, bare.out);
}

/// Scripts start tools that are no MPI programs, and these have weak references at times.
#[test]
fn a_tool_without_mpi_that_a_script_starts_is_told_so() {
    let case = Case {
        mpi: &OPEN_MPI,
        ranks: 1,
    };
    if !matrix::all(&[1]).iter().any(|case| case.mpi == &OPEN_MPI) {
        return;
    }
    let trial = Trial::of(case, "/bin/sh".into()).arguments(&["-c", "./tool; true"]);
    compile("cc", &[], "tests/mpi/weak/tool.c", &trial.path("tool"));
    let bare = trial.untraced();
    assert_eq!(bare.out, "no MPI, 0\n");
    assert_eq!(trial.traced().done.out, bare.out);
}

/// The agent was loaded by the shell, and was fitted to nothing.
#[test]
fn a_program_that_a_script_starts_is_told_what_its_mpi_has() {
    let case = Case {
        mpi: &OPEN_MPI,
        ranks: 1,
    };
    if !matrix::all(&[1]).iter().any(|case| case.mpi == &OPEN_MPI) {
        return;
    }
    let Some(program) = Trial::new(case, "tests/mpi/asks.c") else {
        return;
    };
    let script = program.path("script");
    std::fs::write(
        &script,
        format!("#!/bin/sh\n{}\n", program.program.display()),
    )
    .unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, mode).unwrap();
    let bare = program.untraced();
    let run = Trial::of(case, script).traced();
    run.done.check(0, &["1 rank,"]);
    assert_eq!(run.done.out, bare.out);
}
