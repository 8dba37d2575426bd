//! What is installed works where it is put: completions, manual pages, and each kind of package, in
//! an environment that holds nothing of this workspace.
//!
//! Packages are made of the build that all tests use. With `MPISCOPE_TEST_ALL=1` those of `make
//! package`, which are built for old systems, are tried, too (`package/built`).
#![forbid(unsafe_code)]

#[path = "package/built.rs"]
mod built;
mod common;
#[path = "package/emulated.rs"]
mod emulated;
#[path = "package/installed.rs"]
mod installed;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{bin, is_command, missing, mpiscope, process, workspace};
use installed::{clean, output, Installed};

/// Returns the commands that `--help` names.
fn commands() -> Vec<String> {
    let help = output(Command::new(mpiscope()).arg("--help"));
    let listed = help.split("Commands:\n").nth(1).unwrap();
    let lines = listed.lines().take_while(|line| line.starts_with("  "));
    // Lines that are further in go on with what was said.
    let lines = lines.filter(|line| !line.starts_with("   "));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// Returns whether a command is here; says what is left out if it is not.
fn has(command: &str, what: &str) -> bool {
    let is_here = is_command(command);
    if !is_here {
        missing(&format!("{what}: no {command}"));
    }
    is_here
}

#[test]
fn bash_completes_commands_and_options() {
    let text = output(Command::new(mpiscope()).args(["completions", "bash"]));
    let complete = |words: &str| {
        let script = format!(
            "{text}\nCOMP_WORDS=({words}) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
             _mpiscope mpiscope \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"\n\
             echo \"${{COMPREPLY[@]}}\""
        );
        output(Command::new("bash").args(["-c", &script]))
    };
    assert_eq!(complete("mpiscope ana").trim(), "analyze");
    assert_eq!(complete("mpiscope trace --onl").trim(), "--only-mpi");
}

#[test]
fn zsh_and_fish_take_what_completes_for_them() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["zsh", "fish"] {
        if !has(shell, "completions of it") {
            continue;
        }
        let text = output(Command::new(mpiscope()).args(["completions", shell]));
        assert!(text.contains("analyze"), "{text}");
        let file = folder.path().join(shell);
        fs::write(&file, text).unwrap();
        // Both read it, and run nothing.
        output(Command::new(shell).arg("-n").arg(&file));
    }
}

#[test]
fn every_command_has_a_manual_page_that_man_shows() {
    let folder = tempfile::tempdir().unwrap();
    output(
        Command::new(mpiscope())
            .arg("man")
            .arg("-o")
            .arg(folder.path()),
    );
    let commands = commands();
    assert!(commands.len() > 25, "{commands:?}");
    let pages = commands.iter().map(|name| format!("mpiscope-{name}.1"));
    let pages: Vec<String> = pages.chain(["mpiscope.1".to_owned()]).collect();
    for page in &pages {
        assert!(folder.path().join(page).is_file(), "no {page}");
    }
    if !has("man", "manual pages as they are shown") {
        return;
    }
    for page in &pages {
        let mut man = Command::new("man");
        let done = process::run(man.args(["--warnings", "-l"]).arg(folder.path().join(page)));
        assert_eq!((done.code, done.errors.as_str()), (0, ""), "{page}");
        // What stands behind the options is shown; its spaces are spread.
        let shown = done.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains("Exit codes"), "{page}: {shown}");
    }
}

/// Makes a package of the tests' own build.
#[track_caller]
fn package(format: &str, out: &Path) -> PathBuf {
    let mut script = Command::new(workspace().join("scripts/package"));
    let said = output(script.arg(format).env("BUILD", bin()).env("OUT", out));
    let file = said.strip_prefix(&format!("built: {format}: "));
    let file = file.unwrap_or_else(|| panic!("{said}"));
    file.rsplit_once(" (").unwrap().0.into()
}

#[test]
fn what_is_installed_is_found_through_a_link_in_path() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path().join("a prefix");
    output(
        Command::new(workspace().join("scripts/install"))
            .arg(&prefix)
            .arg(bin()),
    );
    let links = folder.path().join("links");
    fs::create_dir(&links).unwrap();
    std::os::unix::fs::symlink(prefix.join("bin/mpiscope"), links.join("mpiscope")).unwrap();
    Installed::at(&links.join("mpiscope")).works();
    for file in [
        "share/man/man1/mpiscope-trace.1.gz",
        "share/bash-completion/completions/mpiscope",
        "share/zsh/site-functions/_mpiscope",
        "share/fish/vendor_completions.d/mpiscope.fish",
    ] {
        assert!(prefix.join(file).is_file(), "no {file}");
    }
}

#[test]
fn the_command_alone_says_how_its_agent_is_had() {
    let folder = tempfile::tempdir().unwrap();
    let command = folder.path().join("mpiscope");
    fs::copy(mpiscope(), &command).unwrap();
    let done = process::run(clean(&command, folder.path()).args(["trace", "--", "true"]));
    done.check(
        2,
        &["`make install` brings both", "--package mpiscope-agent"],
    );
    let doctor = process::run(clean(&command, folder.path()).arg("doctor"));
    assert!(doctor.out.contains("nothing can be traced"), "{doctor:?}");
}

#[test]
fn a_tarball_works_where_it_is_unpacked_and_as_a_module() {
    let folder = tempfile::tempdir().unwrap();
    let file = package("tarball", folder.path());
    let root = unpacked(&file, folder.path());
    Installed::at(&root.join("bin/mpiscope")).works();
    is_loaded_as_a_module(&root);
}

/// Returns the one folder that a tarball holds.
#[track_caller]
fn unpacked(file: &Path, into: &Path) -> PathBuf {
    let into = into.join("unpacked");
    fs::create_dir_all(&into).unwrap();
    output(
        Command::new("tar")
            .arg("-xzf")
            .arg(file)
            .arg("-C")
            .arg(&into),
    );
    let mut entries = fs::read_dir(&into).unwrap();
    let root = entries.next().unwrap().unwrap().path();
    assert!(entries.next().is_none(), "more than one folder in {file:?}");
    root
}

#[track_caller]
fn is_loaded_as_a_module(root: &Path) {
    let modules = Path::new("/usr/share/modules/init/bash");
    if !modules.is_file() {
        return missing("the module file: no environment-modules");
    }
    let script = format!(
        ". {}; module use '{}'; module load mpiscope && command -v mpiscope && mpiscope --version",
        modules.display(),
        root.join("share/modulefiles").display()
    );
    let said = output(clean("bash", root).args(["-c", &script]));
    let lines: Vec<&str> = said.lines().collect();
    let command = root.join("bin/mpiscope").display().to_string();
    assert_eq!(
        lines,
        [
            command.as_str(),
            concat!("mpiscope ", env!("CARGO_PKG_VERSION"))
        ]
    );
}

#[test]
fn a_debian_package_installs_works_and_is_removed() {
    if !has("dpkg-deb", "the Debian package") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = package("deb", folder.path());
    if has("lintian", "what Debian asks of a package") {
        let mut lintian = Command::new("lintian");
        lintian.args(["--allow-root", "--fail-on", "error,warning"]);
        // The tests' own build keeps its symbols.
        lintian.args(["--suppress-tags", "unstripped-binary-or-object"]);
        output(lintian.arg(&file));
    }
    let root = folder.path().join("root");
    fs::create_dir_all(root.join("var/lib/dpkg/info")).unwrap();
    fs::create_dir_all(root.join("var/lib/dpkg/updates")).unwrap();
    fs::write(root.join("var/lib/dpkg/status"), "").unwrap();
    let dpkg = |words: &[&OsStr]| {
        let mut command = Command::new("dpkg");
        // Nothing that it depends on is in this root.
        command.arg(format!("--root={}", root.display()));
        output(
            command
                .args(["--force-depends", "--force-not-root"])
                .args(words),
        )
    };
    dpkg(&["--install".as_ref(), file.as_ref()]);
    Installed::at(&root.join("usr/bin/mpiscope")).works();
    dpkg(&["--purge".as_ref(), "mpiscope".as_ref()]);
    assert!(!root.join("usr/bin/mpiscope").exists());
    assert!(!root.join("usr/lib/mpiscope").exists());
}
