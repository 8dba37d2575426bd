//! What `make package` builds: for old systems and another machine, whole without the network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{inapplicable, say, workspace};
use crate::installed::{clean, output, Installed};
use crate::{has, is_loaded_as_a_module, unpacked};

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
    let python = folder.join("environment/bin/python");
    output(clean("python3", folder).args(["-m", "venv", "environment"]));
    output(
        clean(&python, folder)
            .args(["-m", "pip", "install", "--no-index"])
            .arg(file),
    );
    Installed::at(&folder.join("environment/bin/mpiscope")).works();
    let said = output(clean(&python, folder).args(["-c", "import mpiscope; print(mpiscope.read)"]));
    assert!(said.contains("function"), "{said}");
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

/// QEMU runs the command, not an MPI: it reads an archive.
fn aarch64(file: &Path, folder: &Path) {
    if !has("qemu-aarch64", "what was built for AArch64") {
        return;
    }
    let command = unpacked(file, folder).join("bin/mpiscope");
    let archive = workspace().join("crates/otf2/tests/archives/messages/traces.otf2");
    let mut emulated = clean("qemu-aarch64", folder);
    emulated.args(["-L", "/usr/aarch64-linux-gnu"]).arg(command);
    let said = output(emulated.arg("info").arg(archive.canonicalize().unwrap()));
    assert!(said.contains("messages"), "{said}");
    inapplicable("MPI programs on AArch64: there is no such machine here");
}
