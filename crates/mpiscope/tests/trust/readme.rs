//! Commands of the README did not work as they stand there.

use std::process::Command;

use crate::common::{bin, missing, mpi, process, workspace};

/// Returns the lines that the README has users type, without what builds and finds the command.
fn lines() -> Vec<String> {
    let readme = std::fs::read_to_string(workspace().join("README.md")).unwrap();
    let (_, used) = readme.split_once("## Use it").expect("a section on use");
    let block = used.split("```").nth(1).expect("a block of commands");
    let lines = block.lines().map(str::trim).filter(|line| !line.is_empty());
    let typed = lines.filter(|line| *line != "make build" && !line.starts_with("export PATH="));
    typed.map(str::to_owned).collect()
}

#[test]
fn the_readme_typed_from_top_to_bottom_works() {
    if mpi::find("mpirun").is_none() || mpi::find("mpicc").is_none() {
        return missing("the README: no mpirun or mpicc");
    }
    let folder = tempfile::tempdir().unwrap();
    let examples = workspace().join("examples").canonicalize().unwrap();
    std::os::unix::fs::symlink(examples, folder.path().join("examples")).unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", bin().display());
    let lines = lines();
    assert!(lines.len() > 15, "{lines:?}");
    let mut settings = String::new();
    for line in lines {
        if line.starts_with("export ") {
            settings += &format!("{line}\n");
            continue;
        }
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("{settings}{line}")]);
        let done = process::run(
            shell
                .current_dir(&folder)
                .env("PATH", &path)
                .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
                .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        );
        assert_eq!(done.code, 0, "{line}\n{done:#?}");
        done.check_calm();
    }
}
