//! What `make package` builds: for old systems and another machine, whole without the network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::mpi::OPEN_MPI;
use crate::common::{say, workspace};
use crate::emulated::Machine;
use crate::installed::{clean, output, Installed};
use crate::{is_loaded_as_a_module, unpacked};

/// Builds what can be built here, for minutes, and says what could not.
#[test]
fn what_make_package_builds_works_in_clean_environments() {
    if std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1") {
        return all();
    }
    say("left out: what make package builds, for minutes (MPISCOPE_TEST_ALL=1)");
}

fn all() {
    let said = output(Command::new("make").arg("package").current_dir(workspace()));
    say(&said);
    let folder = tempfile::tempdir().unwrap();
    for (format, check) in CHECKS {
        let file = said
            .lines()
            .find_map(|line| line.strip_prefix(&format!("built: {format}: ")));
        if let Some((file, _)) = file.and_then(|file| file.rsplit_once(" (")) {
            let folder = folder.path().join(format);
            fs::create_dir(&folder).unwrap();
            check(Path::new(file), &folder);
        }
    }
}

type Check = fn(&Path, &Path);

const CHECKS: [(&str, Check); 4] = [
    ("tarball", tarball),
    ("wheel", wheel),
    ("source", source),
    ("aarch64", aarch64),
];

fn tarball(file: &Path, folder: &Path) {
    let root = unpacked(file, folder);
    Installed::at(&root.join("bin/mpiscope")).works();
    is_loaded_as_a_module(&root);
}

/// Into an environment that has no other package and no network.
fn wheel(file: &Path, folder: &Path) {
    let environment = folder.join("environment");
    let python = environment.join("bin/python");
    output(clean("python3", folder).args(["-m", "venv", "environment"]));
    output(
        clean(&python, folder)
            .args(["-m", "pip", "install", "--no-index"])
            .arg(file),
    );
    let installed = Installed::at(&environment.join("bin/mpiscope"));
    installed.works();
    for page in ["man/man1/mpiscope-trace.1.gz", "doc/mpiscope/NOTICES"] {
        assert!(environment.join("share").join(page).is_file(), "no {page}");
    }
    installed.run(&["simulate", "pairs", "-n", "4", "-o", "pairs.mpiscope"]);
    let script = "import mpiscope, sys; print(len(mpiscope.read(sys.argv[1]).messages))";
    for run in [installed.home().join("pairs.mpiscope"), archive()] {
        let said = output(clean(&python, folder).args(["-c", script]).arg(&run));
        let rows: u64 = said.trim().parse().unwrap();
        assert!(rows > 0, "{run:?}");
    }
}

fn archive() -> PathBuf {
    let archive = workspace().join("crates/otf2/tests/archives/messages/traces.otf2");
    archive.canonicalize().unwrap()
}

/// All that cargo knows of the network is taken from it: an empty folder, and `--offline`.
fn source(file: &Path, folder: &Path) {
    let root = unpacked(file, folder);
    let cargo = PathBuf::from(env!("CARGO"));
    let mut check = clean(&cargo, &root);
    check.env("PATH", std::env::var_os("PATH").unwrap());
    check.env("RUSTUP_HOME", rustup());
    check.env("CARGO_HOME", folder.join("empty"));
    output(check.args([
        "check",
        "--frozen",
        "--package",
        "mpiscope",
        "--package",
        "mpiscope-agent",
    ]));
}

fn rustup() -> PathBuf {
    let home = std::env::var_os("HOME").unwrap_or_default();
    std::env::var_os("RUSTUP_HOME").map_or_else(|| Path::new(&home).join(".rustup"), PathBuf::from)
}

/// All that finds out by itself on which machine it is: the command, the program's loader that it
/// asks, the agent with its clock, entry code and thread-local memory, under two MPIs.
fn aarch64(file: &Path, folder: &Path) {
    let Some(machine) = Machine::here() else {
        return;
    };
    let command = unpacked(file, folder).join("bin/mpiscope");
    let installed = Installed::on(&machine, &command);
    installed.finds_its_agent();
    let said = installed.run(&["info", &archive().display().to_string()]);
    assert!(said.contains("messages"), "{said}");
    for mpi in crate::common::found() {
        let folder = folder.join(mpi.suffix);
        fs::create_dir(&folder).unwrap();
        installed.traces(mpi, &machine.compile(mpi, "examples/heat.c", &folder));
    }
    if !crate::common::found().contains(&&OPEN_MPI) {
        return;
    }
    let heat = machine.compile(&OPEN_MPI, "examples/heat.c", folder);
    let heat = [&heat.display().to_string(), "64", "200"];
    installed.starts(&["monitor", "-o", "counted"], &OPEN_MPI, 2, &heat);
    let said = installed.run(&["stats", "counted"]);
    assert!(said.contains("MPI_Init heat.c:"), "{said}");
    let program = machine.compile(&OPEN_MPI, "tests/mpi/races/any_order.c", folder);
    let program = [&*program.display().to_string()];
    installed.starts(&["record", "-o", "order"], &OPEN_MPI, 3, &program);
    installed.starts(&["replay", "order"], &OPEN_MPI, 3, &program);
}
