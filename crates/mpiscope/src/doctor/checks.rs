//! What the doctor looks at, one function each.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mpiscope_run::shared_memory::{self, Leftover, SHARED_MEMORY};

use super::{Finding, Status};
use crate::launch::launcher::{self, Style};
use crate::launch::program::{self, family_name, Library};
use crate::launch::{agent, elf, preflight};
use crate::report::show;
use crate::{leftovers, size};

/// Runs every check.
pub fn all() -> Vec<Finding> {
    let mut findings = vec![agent()];
    findings.extend(launchers());
    findings.extend(libraries());
    findings.extend([
        compilers(),
        clock(),
        shared_memory(),
        dead_runs(),
        boot_id(),
        counters(),
        otf2_tools(),
        debugger(),
    ]);
    findings
}

fn finding(
    what: &'static str,
    status: Status,
    found: impl Into<String>,
    meaning: impl Into<String>,
) -> Finding {
    Finding {
        what,
        status,
        found: found.into(),
        meaning: meaning.into(),
    }
}

fn agent() -> Finding {
    let read = agent::find().and_then(|path| Ok((elf::exports(&path)?, path)));
    match read {
        Err(error) => finding(
            "agent",
            Status::Bad,
            "none",
            format!("nothing can be traced: {error:#}"),
        ),
        Ok((exports, path)) => {
            // Every function has one such name, and others for each language.
            let is_function = |name: &&String| name.starts_with("PMPI_");
            let count = exports.names.iter().filter(is_function).count();
            let (status, meaning) = match count {
                0 => (
                    Status::Bad,
                    "it wraps no MPI function: nothing will be recorded".to_owned(),
                ),
                _ => (
                    Status::Good,
                    format!("wraps {count} MPI functions (C, mpif.h, use mpi and mpi_f08)"),
                ),
            };
            finding("agent", status, path.display().to_string(), meaning)
        }
    }
}

/// Names one launcher of each make that is in PATH, with what it starts.
fn launchers() -> Vec<Finding> {
    let mut makes: BTreeMap<PathBuf, Vec<&str>> = BTreeMap::new();
    for name in launcher::names() {
        if let Ok(path) = program::find(OsStr::new(name)) {
            let make = path.canonicalize().unwrap_or(path);
            makes.entry(make).or_default().push(name);
        }
    }
    if makes.is_empty() {
        let meaning =
            "only programs without a launcher, or `mpiscope exec` after one of another name";
        return vec![finding("launcher", Status::Weak, "none in PATH", meaning)];
    }
    makes
        .iter()
        .map(|(path, names)| launcher(path, names))
        .collect()
}

fn launcher(path: &Path, names: &[&str]) -> Finding {
    let version = preflight::version(path);
    let first: Vec<&str> = version.lines().take(2).map(str::trim).collect();
    let style = preflight::style(path.as_os_str());
    let (status, meaning) = match (style.family(), style) {
        (Some(family), _) => (
            Status::Good,
            format!("starts programs of {}", family_name(family)),
        ),
        (None, Style::Srun | Style::Flux) => {
            (Status::Good, "starts programs of any MPI".to_owned())
        }
        (None, _) => (
            Status::Weak,
            "of unknown make: its options are guessed".to_owned(),
        ),
    };
    let words = first
        .join(" ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    finding(
        "launcher",
        status,
        match words.is_empty() {
            true => names.join(", "),
            false => format!("{}: {words}", names.join(", ")),
        },
        meaning,
    )
}

/// Names the MPI libraries that the dynamic loader finds by itself.
fn libraries() -> Vec<Finding> {
    let mut found: Vec<Library> = Vec::new();
    for path in known_to_loader() {
        let Ok(Some(library)) = program::library(&[path]) else {
            continue;
        };
        found.push(library);
    }
    if found.is_empty() {
        let meaning = "programs must bring their own (run path, LD_LIBRARY_PATH)";
        return vec![finding(
            "MPI library",
            Status::Weak,
            "none known to the loader",
            meaning,
        )];
    }
    found.iter().map(library).collect()
}

fn library(library: &Library) -> Finding {
    let (status, meaning) = match library.family {
        Some(family) => (Status::Good, format!("{}: traced", family_name(family))),
        None => (
            Status::Weak,
            "of unknown make: may not be traced".to_owned(),
        ),
    };
    finding(
        "MPI library",
        status,
        library.path.display().to_string(),
        meaning,
    )
}

/// Asks the loader's cache for what is named like an MPI library.
fn known_to_loader() -> Vec<PathBuf> {
    let tool = program::find(OsStr::new("ldconfig")).unwrap_or_else(|_| "/sbin/ldconfig".into());
    let output = Command::new(tool).arg("-p").stdin(Stdio::null()).output();
    let text = output.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).into_owned(),
    );
    let paths = text
        .lines()
        .filter_map(|line| Some(line.rsplit_once(" => ")?.1));
    let named = paths.filter(|path| path.contains("/libmpi"));
    let mut files: Vec<PathBuf> = named
        .filter_map(|path| fs::canonicalize(path).ok())
        .collect();
    files.sort();
    files.dedup();
    files
}

fn compilers() -> Finding {
    const NAMES: [&str; 12] = [
        "mpicc",
        "mpicxx",
        "mpifort",
        "mpif90",
        "mpicc.openmpi",
        "mpicxx.openmpi",
        "mpifort.openmpi",
        "mpif90.openmpi",
        "mpicc.mpich",
        "mpicxx.mpich",
        "mpifort.mpich",
        "mpif90.mpich",
    ];
    let found = NAMES
        .iter()
        .filter(|name| program::find(OsStr::new(name)).is_ok());
    let (working, broken): (Vec<&str>, Vec<&str>) = found.partition(|name| runs(name));
    match (working.is_empty(), broken.is_empty()) {
        (true, true) => finding(
            "compiler",
            Status::Weak,
            "none in PATH",
            "needed to build programs, not to trace them",
        ),
        (_, true) => finding(
            "compiler",
            Status::Good,
            working.join(", "),
            "programs are traced as they are built: no flags needed",
        ),
        (_, false) => finding(
            "compiler",
            Status::Weak,
            [&working[..], &broken[..]].concat().join(", "),
            format!("no compiler behind {}: install it", broken.join(", ")),
        ),
    }
}

/// Returns whether a command of MPI's finds the compiler that it calls: `mpifort` is there
/// without gfortran, too.
fn runs(name: &str) -> bool {
    let mut command = Command::new(name);
    let status = command
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

fn clock() -> Finding {
    let source = read("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    let cpu = read("/proc/cpuinfo");
    let flags = cpu
        .lines()
        .find(|line| line.starts_with("flags"))
        .unwrap_or_default();
    let has = |flag: &str| flags.split_whitespace().any(|word| word == flag);
    let steady = has("constant_tsc") && has("nonstop_tsc");
    let source = if source.is_empty() {
        "unknown"
    } else {
        source.trim()
    };
    let found = format!(
        "{source}, {} time-stamp counter",
        if steady { "constant" } else { "no constant" }
    );
    clock_meaning(source == "tsc" && steady, found)
}

fn clock_meaning(tsc: bool, found: String) -> Finding {
    if tsc {
        let meaning = "events are stamped with rdtsc, the cheapest clock there is";
        return finding("clock", Status::Good, found, meaning);
    }
    let meaning =
        "events are stamped with clock_gettime, which costs two to three times as much as rdtsc";
    finding("clock", Status::Weak, found, meaning)
}

fn shared_memory() -> Finding {
    const NEEDED: u64 = 256 << 20;
    let Ok(data) = rustix::fs::statvfs(SHARED_MEMORY) else {
        let meaning = "buffers lie in the run directory: slower where it is on a disk";
        return finding("shared memory", Status::Weak, "no /dev/shm", meaning);
    };
    let bytes = |blocks: u64| size::show(blocks.saturating_mul(data.f_frsize));
    let found = format!(
        "{SHARED_MEMORY}: {} of {} free",
        bytes(data.f_bavail),
        bytes(data.f_blocks)
    );
    let threads = data.f_bavail.saturating_mul(data.f_frsize) / (64 << 20);
    let meaning = format!("buffers of 64 MiB for {threads} threads; --buffer chooses their size");
    let enough = data.f_bavail.saturating_mul(data.f_frsize) >= NEEDED;
    finding(
        "shared memory",
        if enough { Status::Good } else { Status::Weak },
        found,
        meaning,
    )
}

/// How many dead runs are named.
const NAMED: usize = 4;

fn dead_runs() -> Finding {
    const WHAT: &str = "dead runs";
    let left = shared_memory::leftovers();
    if left.is_empty() {
        let meaning = "all shared memory of your runs was given back";
        return finding(WHAT, Status::Good, "none", meaning);
    }
    let bytes: u64 = left.iter().map(|it| it.bytes).sum();
    let name = |it: &Leftover| format!("{} ({})", leftovers::name(it), size::show(it.bytes));
    let mut names: Vec<String> = left.iter().take(NAMED).map(name).collect();
    if left.len() > NAMED {
        names.push(format!("{} more", left.len() - NAMED));
    }
    let found = format!(
        "{} left {} in {SHARED_MEMORY}: {}",
        show::counted(left.len() as u64, "run"),
        size::show(bytes),
        names.join(", ")
    );
    let meaning = "the next run moves it into their directories, where `mpiscope recover RUN` finds it; so does `mpiscope doctor --reclaim`";
    finding(WHAT, Status::Weak, found, meaning)
}

fn boot_id() -> Finding {
    let id = read("/proc/sys/kernel/random/boot_id");
    match id.trim() {
        "" => finding(
            "kernel's boot id",
            Status::Weak,
            "none",
            "ranks of one host are told by its name",
        ),
        id => finding(
            "kernel's boot id",
            Status::Good,
            id,
            "ranks that share this host share its clock",
        ),
    }
}

/// Tells what `trace --counters` can have, as far as the system says without being asked for one.
fn counters() -> Finding {
    let level = read("/proc/sys/kernel/perf_event_paranoid");
    let sources = fs::read_dir("/sys/bus/event_source/devices");
    let names = sources
        .into_iter()
        .flatten()
        .flatten()
        .map(|it| it.file_name());
    let mut names = names.map(|name| name.to_string_lossy().into_owned());
    let of_processor = names.any(|name| name.starts_with("cpu") || name.starts_with("armv8_pmu"));
    counters_meaning(level.trim().parse().ok(), of_processor)
}

/// What a user is let count who is not the administrator is said by `kernel.perf_event_paranoid`.
fn counters_meaning(level: Option<i32>, of_processor: bool) -> Finding {
    const WHAT: &str = "counters";
    let Some(level) = level else {
        return finding(
            WHAT,
            Status::Good,
            "none",
            "`trace --counters` has none to read",
        );
    };
    let found = match of_processor {
        true => "the processor's and the system's",
        false => "the system's",
    };
    let which = match of_processor {
        true => "`trace --counters` has them",
        false => "`trace --counters` has page faults and the like, not cycles or instructions",
    };
    let mode = match level {
        ..=1 => "",
        2 => ", of user mode alone",
        3.. => ", for the administrator alone",
    };
    let found = format!("{found} (kernel.perf_event_paranoid is {level})");
    finding(WHAT, Status::Good, found, format!("{which}{mode}"))
}

fn otf2_tools() -> Finding {
    match program::find(OsStr::new("otf2-print")) {
        Ok(path) => finding(
            "OTF2 tools",
            Status::Good,
            path.display().to_string(),
            "archives can be looked at with them too",
        ),
        Err(_) => finding(
            "OTF2 tools",
            Status::Good,
            "none",
            "not needed: mpiscope reads and writes archives itself",
        ),
    }
}

fn debugger() -> Finding {
    const MEANINGS: [(&str, &str); 3] = [
        ("gdb", "`replay --gdb` debugs all ranks at one prompt"),
        (
            "gdbserver",
            "one rank is debugged from anywhere on this host",
        ),
        ("tmux", "one rank is debugged in a window of it"),
    ];
    let there = |row: &(&str, &str)| program::find(OsStr::new(row.0)).is_ok();
    let (found, missing): (Vec<_>, Vec<_>) = MEANINGS.into_iter().partition(there);
    let names = |rows: &[(&str, &str)]| {
        let names: Vec<&str> = rows.iter().map(|row| row.0).collect();
        names.join(", ")
    };
    let status = match found.first() {
        Some(("gdb", _)) => Status::Good,
        _ => Status::Weak,
    };
    let found_names = match found.is_empty() {
        true => "none".to_owned(),
        false => names(&found),
    };
    let mut meaning: Vec<String> = found.iter().map(|row| row.1.to_owned()).collect();
    if !missing.is_empty() {
        meaning.push(format!("not without {}", names(&missing)));
    }
    finding("debugger", status, found_names, meaning.join("; "))
}

/// Reads a small file of the kernel's; empty where there is none.
fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finding_says_what_it_means() {
        for finding in all() {
            assert!(
                !finding.found.is_empty() && !finding.meaning.is_empty(),
                "{finding:?}"
            );
        }
    }

    #[test]
    fn who_may_count_what_is_said() {
        let said = |level, of_processor| counters_meaning(level, of_processor).meaning;
        assert_eq!(said(Some(-1), true), "`trace --counters` has them");
        assert!(said(Some(2), true).ends_with("of user mode alone"));
        assert!(said(Some(3), false).contains("not cycles"));
        assert!(said(None, false).contains("none"));
    }

    #[test]
    fn only_the_kernels_own_constant_counter_is_read_directly() {
        assert!(clock_meaning(true, String::new()).meaning.contains("rdtsc"));
        assert!(clock_meaning(false, String::new())
            .meaning
            .contains("clock_gettime"));
    }
}
