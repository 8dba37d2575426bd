//! Procedures of programs that `mpiscope cc` did not compile: a compiler's own
//! `-finstrument-functions` tells of them.
#![forbid(unsafe_code)]

mod common;

use common::{matrix, mpiscope, process, Case, Trial};
use serde_json::Value;

/// What is left of a run.
struct Monitored {
    trial: Trial,
    facts: Value,
    out: String,
    /// The program lies there, and with it the names of functions.
    _folder: tempfile::TempDir,
}

/// Compiles a program of `tests/mpi/monitor` and monitors it on one rank; nothing without a compiler.
fn monitored(case: Case, compiler: &[&str], source: &str) -> Option<Monitored> {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let (last, before) = compiler.split_last().unwrap();
    let wrapper = case.mpi.command(last);
    if !common::mpi::is_command(&wrapper) {
        common::missing(&format!("{source}: no {wrapper}"));
        return None;
    }
    let words: Vec<&str> = before.iter().copied().chain([&*wrapper]).collect();
    let mut compile = std::process::Command::new(words[0]);
    compile
        .args(&words[1..])
        .args(["-g", "-O1", "-finstrument-functions", "-pthread", "-o"])
        .arg(&program)
        .arg(common::workspace().join("tests/mpi/monitor").join(source))
        .current_dir(folder.path());
    process::run(&mut compile).check(0, &[]);
    let trial = Trial::of(case, program);
    let mut line = trial.command(mpiscope());
    line.args(["monitor", "-o", "run", "--"])
        .args(trial.line(&[]));
    let done = process::run(&mut line);
    done.check(0, &[]);
    let mut line = trial.command(mpiscope());
    let said = process::run(line.args(["stats", "--json", "run"]));
    said.check(0, &[]);
    Some(Monitored {
        facts: serde_json::from_str(&said.out).unwrap(),
        out: done.out,
        _folder: folder,
        trial,
    })
}

impl Monitored {
    /// Of each procedure and calling statement: how often that was, by place of the call.
    fn calls(&self, procedure: &str) -> Vec<(String, u64)> {
        let all = self.facts["procedures"].as_array().unwrap();
        let own = all.iter().filter(|of| of["name"] == procedure);
        let mut calls: Vec<(String, u64)> = own
            .map(|of| {
                let at = of["called_at"].as_str().unwrap_or("-").to_owned();
                (at, of["calls"].as_u64().unwrap())
            })
            .collect();
        calls.sort();
        calls
    }

    fn counts(&self, procedure: &str) -> Vec<u64> {
        self.calls(procedure)
            .iter()
            .map(|(_, calls)| *calls)
            .collect()
    }

    /// The names from the program down to a statement.
    fn path(&self, name: &str) -> String {
        fn find(node: &Value, name: &str) -> Option<String> {
            let own = node["name"].as_str().unwrap_or("program");
            if own == name {
                return Some(own.to_owned());
            }
            let mut below = node["children"].as_array()?.iter();
            let rest = below.find_map(|child| find(child, name))?;
            Some(format!("{own} > {rest}"))
        }
        find(&self.facts["tree"], name).unwrap_or_default()
    }
}

fn each(source: &str, compiler: &[&str], check: impl Fn(Monitored)) {
    for case in matrix::cases(&[source], source, &[1]) {
        if let Some(run) = monitored(case, compiler, source) {
            check(run);
        }
    }
}

#[test]
fn a_compilers_hooks_tell_of_procedures_as_our_probes_do() {
    each("procedures.c", &["mpicc"], |run| {
        assert_eq!(run.calls("main"), [("-".to_owned(), 1)]);
        // From down, ping, pong, cheap and dear, in the order of their lines.
        let lines = [18, 27, 34, 43, 49].map(|line| format!("procedures.c:{line}"));
        let work = run.calls("work");
        assert_eq!(
            work.iter().map(|of| of.1).collect::<Vec<_>>(),
            [4, 2, 2, 5, 5]
        );
        let near = work
            .iter()
            .zip(&lines)
            .all(|((at, _), line)| at[..12] == line[..12]);
        assert!(near, "{work:?}");
        // Of a cycle, the call from outside; within it, each once.
        assert_eq!(run.counts("down"), [1]);
        assert_eq!((run.counts("ping"), run.counts("pong")), (vec![1], vec![1]));
        assert_eq!(run.path("pong"), "program > main > ping > pong");
        assert_eq!(run.path("MPI_Barrier"), "program > main > MPI_Barrier");
    });
}

#[test]
fn procedures_with_probes_and_hooks_are_counted_once() {
    let ours = mpiscope();
    let compiler = [ours.to_str().unwrap(), "cc", "mpicc"];
    each("procedures.c", &compiler, |run| {
        assert_eq!(run.counts("work"), [4, 2, 2, 5, 5]);
        assert_eq!((run.counts("main"), run.counts("down")), (vec![1], vec![1]));
    });
}

#[test]
fn procedures_of_a_fortran_module_are_told() {
    each("functions.f90", &["mpif90"], |run| {
        assert_eq!(run.counts("heat::exchange"), [3]);
        assert_eq!(run.counts("heat::descend"), [1]);
        let path = run.path("MPI_Barrier");
        assert!(
            path.ends_with("functions > heat::exchange > MPI_Barrier"),
            "{path}"
        );
    });
}

#[test]
fn an_exception_ends_the_functions_that_it_leaves() {
    each("functions.cpp", &["mpicxx"], |run| {
        assert_eq!(run.counts("grid::Solver::step(int)"), [6]);
        assert_eq!(run.counts("grid::Solver::refuse(int)"), [6]);
        let path = run.path("MPI_Barrier");
        assert_eq!(
            path,
            "program > main > grid::Solver::step(int) > MPI_Barrier"
        );
    });
}

#[test]
fn functions_may_be_entered_anywhere() {
    each("anywhere.c", &["mpicc"], |run| {
        assert_eq!(run.out, "6765 6765\nlate\n");
        assert_eq!(
            (run.counts("early"), run.counts("leap")),
            (vec![1], vec![1])
        );
        assert!(run.counts("fib").iter().sum::<u64>() >= 2);
    });
}

#[test]
fn a_programs_own_hooks_are_left_to_it() {
    each("own_hooks.c", &["mpicc"], |run| {
        assert_eq!(run.out, "4 3\n");
        assert!(run.counts("work").is_empty());
        assert_eq!(run.path("MPI_Barrier"), "program > work > MPI_Barrier");
    });
}

#[test]
fn pictures_show_procedures_that_a_compiler_told_of() {
    each("procedures.c", &["mpicc"], |run| {
        let mut line = run.trial.command(mpiscope());
        line.args(["stats", "run", "--flame", "run.svg"]);
        process::run(&mut line).check(0, &[]);
        let picture = std::fs::read_to_string(run.trial.path("run.svg")).unwrap();
        assert!(picture.contains("main procedures.c:"));
    });
}
