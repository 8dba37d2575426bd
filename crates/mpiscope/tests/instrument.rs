//! `mpiscope cc`: a corpus of small sources, each compiled plain and with
//! probes. Both programs print the same and exit alike; in place of the agent a
//! library counts what the probes tell and whether frames nest.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

use common::{mpiscope, workspace};
use expect_test::expect_file;
use tempfile::TempDir;

/// Compiler, folder of its sources, flags that take turns.
const COMPILERS: [(&str, &str, &[&str]); 6] = [
    ("gcc", "c", &["-O2", "-O0 -g", "-O1 -no-pie", "-O2 -flto"]),
    ("clang", "c", &["-O2", "-O0 -g"]),
    ("g++", "cxx", &["-O2", "-O0 -g", "-O1 -no-pie", "-O2 -flto"]),
    ("clang++", "cxx", &["-O2"]),
    (
        "gfortran",
        "f",
        &["-O2", "-O0 -g", "-O1 -no-pie", "-O2 -flto"],
    ),
    (
        "gfortran",
        "f90",
        &["-O2", "-O0 -g -fcheck=all", "-O1 -no-pie", "-O2 -flto"],
    ),
];

fn corpus() -> PathBuf {
    workspace().join("tests/instrument").canonicalize().unwrap()
}

fn sources(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(corpus().join(folder)).unwrap();
    let mut sources: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    sources.retain(|path| path.extension().is_some_and(|e| e != "h" && e != "inc"));
    sources.sort();
    sources
}

fn runs(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

fn oracle(folder: &Path) -> PathBuf {
    let library = folder.join("oracle.so");
    let source = corpus().join("oracle.c");
    let mut gcc = Command::new("gcc");
    gcc.args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(source);
    assert!(gcc.status().unwrap().success());
    library
}

/// Words after `flags:` in a source's first lines.
fn flags(source: &Path) -> Vec<String> {
    let text = fs::read(source).unwrap();
    let text = String::from_utf8_lossy(&text).into_owned();
    let line = text
        .lines()
        .take(4)
        .find_map(|line| line.split_once("flags:"));
    let words = line.map_or("", |(_, words)| words).trim_end_matches("*/");
    words.split_whitespace().map(str::to_owned).collect()
}

/// Compiles one source plain and with probes, runs both, and returns what the
/// oracle said; or in what they differ. Nothing, if it is not this compiler's
/// language: the corpus is GCC's.
fn trial(
    compiler: &str,
    flags: &[String],
    source: &Path,
    oracle: &Path,
) -> Result<Option<String>, String> {
    let folder = TempDir::new().unwrap();
    let [plain, probed] = ["plain", "probed"].map(|name| folder.path().join(name));
    let compile = |command: &mut Command, program: &Path| {
        let command = command.args(flags).arg(source).arg("-o").arg(program);
        let done = command.current_dir(folder.path()).output().unwrap();
        match done.status.success() {
            true => Ok(said(&done)),
            false => Err(said(&done)),
        }
    };
    let first = match compile(&mut Command::new(compiler), &plain) {
        Err(why) if compiler.starts_with("clang") => {
            let (name, why) = (source.display(), why.lines().next().unwrap_or_default());
            common::inapplicable(&format!("{compiler} does not compile {name}: {why}"));
            return Ok(None);
        }
        done => done?,
    };
    let second = compile(Command::new(mpiscope()).args(["cc", compiler]), &probed)?;
    if first != second {
        return Err(format!("compiling says\n{first}and with probes\n{second}"));
    }
    let report = folder.path().join("report");
    let mut heard = Command::new(&probed);
    heard
        .env("LD_PRELOAD", oracle)
        .env("MPISCOPE_ORACLE", &report);
    let results = |command: &mut Command| {
        let done = command.output().unwrap();
        let out = String::from_utf8_lossy(&done.stdout).into_owned();
        format!("{out}{}{}", said(&done), done.status)
    };
    let bare = results(&mut Command::new(&plain));
    for other in [results(&mut Command::new(&probed)), results(&mut heard)] {
        if other != bare {
            return Err(format!("running says\n{bare}\nand with probes\n{other}"));
        }
    }
    let heard = fs::read_to_string(report).unwrap_or_else(|_| "no probes\n".into());
    Ok(Some(heard))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Tries every source in a folder with all its compilers; the oracle's words must not depend on them.
fn corpus_of(folder: &str) -> String {
    let shared = TempDir::new().unwrap();
    let oracle = oracle(shared.path());
    let all = std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1");
    let here = |(compiler, of, _): &(&str, &str, _)| {
        let here = *of == folder && runs(compiler);
        if *of == folder && !here {
            common::missing(&format!("no {compiler}"));
        }
        here
    };
    let compilers: Vec<_> = COMPILERS.into_iter().filter(here).collect();
    let mut work = Vec::new();
    for (index, source) in sources(folder).into_iter().enumerate() {
        for &(compiler, _, variants) in &compilers {
            let chosen = match all {
                true => variants,
                false => &variants[index % variants.len()..][..1],
            };
            let chosen = chosen.iter();
            work.extend(chosen.map(|variant| (source.clone(), compiler, *variant)));
        }
    }
    let work = Mutex::new(work);
    let told = Mutex::new(BTreeMap::new());
    let worker = || loop {
        let Some((source, compiler, variant)) = work.lock().unwrap().pop() else {
            break;
        };
        let mut words: Vec<String> = variant.split_whitespace().map(str::to_owned).collect();
        words.extend(flags(&source));
        let line = match trial(compiler, &words, &source, &oracle) {
            Ok(Some(line)) => line,
            Ok(None) => continue,
            Err(difference) => format!("by {compiler} {variant} differs: {difference}\n"),
        };
        let name = source.file_name().unwrap().to_string_lossy().into_owned();
        let mut told = told.lock().unwrap();
        let known = told.entry(name).or_insert_with(|| line.clone());
        if *known != line {
            *known += &format!("by {compiler} {variant}: {line}");
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(worker);
        }
    });
    let told = told.into_inner().unwrap();
    told.iter()
        .map(|(name, line)| format!("{name}: {line}"))
        .collect()
}

/// Whoever jumps out of frames, or ends in one, says so by the source's name.
fn check_balance(told: &str) {
    assert!(!told.contains("by "), "{told}");
    for line in told.lines() {
        let figure = |name: &str| {
            let mut words = line.split(' ').skip_while(|word| *word != name);
            words
                .nth(1)
                .map_or(0, |figure| figure.parse::<u64>().unwrap())
        };
        assert_eq!(figure("wrong"), 0, "{line}");
        assert!(
            figure("healed") == 0 || line.starts_with("longjmp"),
            "{line}"
        );
        let ends = ["exit", "attributes", "stop"]
            .iter()
            .any(|name| line.starts_with(name));
        assert!(figure("open") == 0 || ends, "{line}");
    }
}

#[track_caller]
fn check(folder: &str) {
    let told = corpus_of(folder);
    check_balance(&told);
    expect_file![corpus().join(folder).with_extension("expected")].assert_eq(&told);
}

#[test]
fn c_with_probes_does_what_it_does_without() {
    check("c");
}

#[test]
fn cxx_with_probes_does_what_it_does_without() {
    check("cxx");
}

#[test]
fn fortran_in_fixed_form_does_with_probes_what_it_does_without() {
    check("f");
}

#[test]
fn fortran_in_free_form_does_with_probes_what_it_does_without() {
    check("f90");
}
