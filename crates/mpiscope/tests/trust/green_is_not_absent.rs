//! Tests, lint and set-up passed where half of what they need was not there.

use std::fs;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::path::Path;
use std::process::Command;

use crate::common::{find, found, process, workspace};

/// What the test below starts: asks for every MPI.
#[test]
fn every_mpi_is_asked_for() {
    found();
}

#[test]
fn a_test_that_lacks_an_mpi_fails_under_ci_by_name() {
    let run = |ci: &str| {
        let mut tests = Command::new(std::env::current_exe().unwrap());
        let name = "green_is_not_absent::every_mpi_is_asked_for";
        tests.args(["--exact", name, "--test-threads=1"]);
        process::run(tests.env("CI", ci).env("PATH", "/nowhere"))
    };
    let done = run("true");
    assert_eq!(done.code, 101, "{done:#?}");
    let said = format!("{}{}", done.out, done.errors);
    assert!(
        said.contains("missing: all of Open MPI: no mpicc.openmpi"),
        "{said}"
    );
    let done = run("");
    assert_eq!(done.code, 0, "{done:#?}");
    assert!(done.errors.contains("skipped: all of MPICH"), "{done:#?}");
}

/// Runs a script where nothing is installed but these commands, and a cargo without components.
fn script(name: &str, ci: &str) -> process::Done {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path();
    for command in ["bash", "dirname", "id", "tr"] {
        symlink(find(command).unwrap(), bin.join(command)).unwrap();
    }
    let cargo = "#!/bin/bash\n[[ $1 == doc || $1 == package ]]\n";
    fs::write(bin.join("cargo"), cargo).unwrap();
    fs::set_permissions(bin.join("cargo"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut script = Command::new(workspace().join("scripts").join(name));
    let script = script.env("PATH", bin).env("CI", ci);
    process::run(script.env("MPISCOPE_SETUP", "check"))
}

#[test]
fn lint_without_its_tools_fails_under_ci_by_name() {
    script("lint", "true").check(1, &["with CI=true nothing is left out: rustfmt clippy"]);
    script("lint", "").check(0, &["no rustfmt here", "no clippy here"]);
}

#[test]
fn setup_that_leaves_something_missing_fails_under_ci_by_name() {
    script("setup", "true").check(1, &["with CI=true nothing may be missing", "libmpich-dev"]);
    script("setup", "").check(0, &["libmpich-dev"]);
}

/// Whoever leaves out a test says so by `missing` or `inapplicable`, in `tests/missing.rs`.
#[test]
fn no_test_is_left_out_in_another_way() {
    let mut folders = vec![workspace().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => check_source(&path),
            }
        }
    }
}

#[track_caller]
fn check_source(path: &Path) {
    let is_source = path.extension().is_some_and(|extension| extension == "rs");
    if is_source && !path.ends_with("green_is_not_absent.rs") {
        let text = fs::read_to_string(path).unwrap();
        assert!(!text.contains("\"skipped: "), "{}", path.display());
    }
}
