//! The Python package: its wheel is built, and does what its own tests expect; the book's
//! notebook runs.
#![forbid(unsafe_code)]

mod common;

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

/// Runs a script of Python that finds our command.
#[track_caller]
fn run(script: &str, words: &[&str]) {
    let Some(python) = python() else { return };
    let script = workspace().join(script);
    let mut command = Command::new(python);
    command
        .arg(&script)
        .args(words)
        .env("MPISCOPE", mpiscope())
        .env("MPLBACKEND", "agg");
    let done = process::run(&mut command);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.errors);
}

#[test]
fn the_package_does_what_its_tests_expect() {
    run("crates/mpiscope-python/tests/test_package.py", &["-v"]);
}

#[test]
fn every_cell_of_the_books_notebook_runs() {
    run(
        "crates/mpiscope-python/tests/run_notebook.py",
        &["book/src/python.ipynb"],
    );
}
