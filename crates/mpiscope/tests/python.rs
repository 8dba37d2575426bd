//! The Python package: its wheel is built, and does what its own tests expect; the book's
//! notebook runs.
#![forbid(unsafe_code)]

mod common;

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use common::{missing, mpiscope, oracle, process, workspace};

/// Returns a Python that has the package as it is now; nothing, with a word, if it cannot have it.
fn python() -> Option<&'static Path> {
    static BUILT: OnceLock<bool> = OnceLock::new();
    let python = oracle::python()?;
    let needs = "import duckdb, ipykernel, matplotlib, maturin, nbclient, pandas, polars, pyarrow";
    let has = process::run(Command::new(python).args(["-c", needs]));
    if has.code != 0 {
        missing("PyPI's maturin, nbclient, ipykernel and data frames");
        return None;
    }
    BUILT.get_or_init(|| {
        // Building takes longer than any program that tests run.
        let output = Command::new(workspace().join("scripts/python")).output();
        let output = output.unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        true
    });
    Some(python)
}

/// Runs a script of the package's tests, which finds our command.
#[track_caller]
fn run(script: &str, words: &[&OsStr]) {
    let Some(python) = python() else { return };
    let tests = workspace().join("crates/mpiscope-python/tests");
    let mut command = Command::new(python);
    command
        .arg(tests.join(script))
        .args(words)
        .env("MPISCOPE", mpiscope())
        .env("MPLBACKEND", "agg");
    let done = process::run(&mut command);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.errors);
}

#[test]
fn the_package_does_what_its_tests_expect() {
    run("test_package.py", &["-v".as_ref()]);
}

#[test]
fn every_cell_of_the_books_notebook_runs() {
    let notebook = workspace().join("book/src/python.ipynb");
    run("run_notebook.py", &[notebook.as_ref()]);
}
