//! What the tests with real MPI programs share.
//!
//! A [`Trial`] is one program under one MPI with so many ranks; it is run
//! traced and untraced, and its [`Run`] is looked at by us and by two readers
//! that are not ours ([`oracle`]). One program runs at a time, however many
//! tests do: timing tests on a crowded machine test nothing.

#![allow(dead_code, unused_imports)] // each test binary uses its part of this

pub mod compare;
pub mod documented;
pub mod folder;
pub mod matrix;
pub mod messages;
#[path = "../../../../tests/missing.rs"]
mod missing;
pub mod mpi;
pub mod oracle;
pub mod process;
pub mod python;
pub mod ranks;
pub mod regions;
pub mod toolkit;
pub mod trial;
pub mod view;
pub mod xml;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

pub use matrix::Case;
pub use missing::{inapplicable, missing};
pub use mpi::{find, found, is_command, Mpi};
pub use process::Done;
pub use trial::Trial;

/// Says something that is seen even if the test passes: the print macros would be captured.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Returns the root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the release build of the command, with the agent beside it: the one
/// in `MPISCOPE_BIN`, or the workspace's, built if it is not there.
pub fn mpiscope() -> PathBuf {
    bin().join("mpiscope")
}

/// Returns the folder of the release build.
pub fn bin() -> &'static Path {
    static BIN: OnceLock<PathBuf> = OnceLock::new();
    BIN.get_or_init(|| {
        let given = std::env::var_os("MPISCOPE_BIN").map(PathBuf::from);
        let build_here = given.is_none();
        let release = given.unwrap_or_else(|| workspace().join("target/release"));
        if build_here && !complete(&release) {
            build();
        }
        let folder = release.display();
        assert!(
            complete(&release),
            "no mpiscope with libmpiscope_agent.so in {folder}"
        );
        release.canonicalize().unwrap()
    })
}

fn complete(folder: &Path) -> bool {
    ["mpiscope", "libmpiscope_agent.so"]
        .iter()
        .all(|name| folder.join(name).is_file())
}

fn build() {
    let arguments = "build --release -p mpiscope -p mpiscope-agent";
    say(&format!("building: cargo {arguments}"));
    let status = Command::new(env!("CARGO"))
        .args(arguments.split(' '))
        .args(["--target-dir", "target"])
        .current_dir(workspace())
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "cargo {arguments} failed"
    );
}

/// Returns all files below a folder, each with a number that differs where their content does.
pub fn digest(folder: &Path) -> Vec<(PathBuf, u64)> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let mut hasher = DefaultHasher::new();
            std::fs::read(&path).unwrap().hash(&mut hasher);
            found.push((path, hasher.finish()));
        }
    }
    found.sort();
    found
}
