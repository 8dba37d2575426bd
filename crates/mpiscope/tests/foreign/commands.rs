//! Every command that reads an archive, on every archive.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{mpiscope, process};
use crate::{extrae, receives_missing, score_p, tau};

/// The archives, by the tool that writes so.
pub const ARCHIVES: [(&str, fn(&Path) -> PathBuf); 4] = [
    ("score-p", score_p::write),
    ("tau", tau::write),
    ("extrae", extrae::write),
    ("receives-missing", receives_missing::write),
];

/// Commands that take an archive; options come after it.
const COMMANDS: [&str; 20] = [
    "info",
    "info --json",
    "info --clocks",
    "sync -o corrected",
    "sync -o corrected-json --json",
    "analyze",
    "analyze --json",
    "analyze --clock corrected",
    "print",
    "print --json",
    "races",
    "races --json",
    "races --sarif races.sarif",
    "export --to parquet -o parquet",
    "export --to csv -o csv",
    "export --to perfetto -o trace.perfetto",
    "export --to speedscope -o trace.speedscope",
    "check",
    "check --json",
    "pack -o packed",
];

#[test]
fn every_command_reads_every_archive() {
    for (tool, write) in ARCHIVES {
        let folder = tempfile::tempdir().unwrap();
        let archive = write(&folder.path().join("archive"));
        for line in COMMANDS {
            let (command, options) = line.split_once(' ').unwrap_or((line, ""));
            let options = options.split_whitespace();
            let done = process::run(
                Command::new(mpiscope())
                    .arg(command)
                    .arg(&archive)
                    .args(options)
                    .current_dir(folder.path()),
            );
            done.check_calm();
            // 1: what `check` finds, and violations that a correction leaves.
            assert!(done.code <= 1, "{tool}, {line}: {done:#?}");
        }
    }
}
