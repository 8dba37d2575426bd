//! `mpiscope cc` stands where a compiler stood: whatever a build asks of it,
//! the answer, the files and the exit code are the compiler's own.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::{matrix, mpiscope, process, workspace, Trial};
use tempfile::TempDir;

const SOURCE: &str = "\
#include \"head.h\"
int work(int n) { for (int i = 0; i < n; i++) n = step(n); return n; }
int main(void) { return work(3) == __LINE__; }
";

/// A folder with `src/main.c`, `src/head.h`, `src/other.c` and a broken source.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let src = folder.path().join("src");
    fs::create_dir(&src).unwrap();
    let files = [
        ("main.c", SOURCE),
        ("head.h", "static int step(int n) { return n - 1; }\n"),
        ("other.c", "int other(int n) { return n; }\n"),
        ("broken.c", "int f(int n) {\n  return n +;\n}\n"),
        ("warns.c", "int g(int n) { int unused; return n; }\n"),
    ];
    for (name, text) in files {
        fs::write(src.join(name), text).unwrap();
    }
    folder
}

fn run(folder: &Path, mut command: Command) -> Output {
    command
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn plain(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new("gcc");
    command.args(words);
    run(folder, command)
}

fn ours(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(mpiscope());
    command.args(["cc", "gcc"]).args(words);
    run(folder, command)
}

fn has_probes(file: &Path) -> bool {
    let data = fs::read(file).unwrap();
    let needle = b".mpiscope.structure";
    data.windows(needle.len()).any(|window| window == needle)
}

/// Everything that a compilation said, and its exit code.
fn said(output: &Output) -> (String, String, Option<i32>) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        text(&output.stdout),
        text(&output.stderr),
        output.status.code(),
    )
}

#[test]
fn messages_and_exit_codes_are_the_compilers() {
    let folder = folder();
    for words in [
        &["-c", "src/broken.c"][..],
        &["-c", "src/nowhere.c"],
        &["-Wall", "-c", "src/warns.c"],
        &["-Wall", "-Werror", "-c", "src/warns.c"],
        &["-E", "src/main.c"],
        &["-MM", "src/main.c"],
        &["-fsyntax-only", "src/broken.c"],
        &["-print-prog-name=ld"],
        &["--version"],
        &["-c", "src/main.c", "src/other.c", "-o", "both.o"],
        &["--no-such-option", "-c", "src/other.c"],
        &[],
    ] {
        let [expected, found] = [plain(folder.path(), words), ours(folder.path(), words)];
        assert_eq!(said(&found).0, said(&expected).0, "{words:?}");
        let usage = words.is_empty();
        assert!(
            usage || said(&found) == said(&expected),
            "{words:?}: {:?}",
            said(&found)
        );
    }
}

#[test]
fn several_sources_and_response_files_become_objects_with_probes() {
    let folder = folder();
    fs::write(
        folder.path().join("words"),
        "-O1 \"-c\"\nsrc/main.c 'src/other.c'",
    )
    .unwrap();
    for words in [&["-c", "src/main.c", "src/other.c"][..], &["@words"]] {
        let done = ours(folder.path(), words);
        assert_eq!(said(&done), (String::new(), String::new(), Some(0)));
        for object in ["main.o", "other.o"].map(|name| folder.path().join(name)) {
            assert!(has_probes(&object), "{words:?} {object:?}");
            fs::remove_file(object).unwrap();
        }
    }
    assert_eq!(
        ours(folder.path(), &["@missing"]).status.code(),
        plain(folder.path(), &["@missing"]).status.code()
    );
}

#[test]
fn dependencies_name_the_users_source() {
    let folder = folder();
    for (words, file) in [
        (&["-MD", "-c", "src/main.c"][..], "main.d"),
        (
            &[
                "-MMD",
                "-MF",
                "deps",
                "-MT",
                "x.o",
                "-c",
                "src/main.c",
                "-o",
                "y.o",
            ],
            "deps",
        ),
        (&["-Wp,-MMD,deps.pp", "-c", "src/main.c"], "deps.pp"),
    ] {
        let file = folder.path().join(file);
        let written = |output: Output| {
            assert!(output.status.success(), "{:?}", said(&output));
            let text = fs::read_to_string(&file).unwrap();
            fs::remove_file(&file).unwrap();
            // The compiler breaks lines by the length of the copy's name.
            let words = text.split_whitespace().filter(|word| *word != "\\");
            words.map(str::to_owned).collect::<Vec<_>>()
        };
        let expected = written(plain(folder.path(), words));
        assert_eq!(written(ours(folder.path(), words)), expected, "{words:?}");
    }
}

#[test]
fn debug_information_names_the_users_source() {
    let folder = folder();
    let done = ours(folder.path(), &["-g", "-c", "src/main.c"]);
    assert!(done.status.success(), "{:?}", said(&done));
    let data = fs::read(folder.path().join("main.o")).unwrap();
    let has = |needle: &[u8]| data.windows(needle.len()).any(|window| window == needle);
    assert!(has(b"src/main.c"));
    assert!(!has(b"mpiscope-cc-"), "the copy's name is left");
}

#[test]
fn a_command_named_after_the_compiler_is_that_compiler() {
    let folder = folder();
    let link = folder.path().join("mpiscope-gcc");
    symlink(mpiscope(), &link).unwrap();
    let mut command = Command::new(&link);
    command
        .args(["-c", "src/main.c"])
        .env("MPISCOPE_CC", "--structure out.json");
    let done = run(folder.path(), command);
    assert_eq!(said(&done), (String::new(), String::new(), Some(0)));
    let structure = fs::read_to_string(folder.path().join("out.json")).unwrap();
    assert!(structure.contains("\"file\":\"src/main.c\""), "{structure}");
}

#[test]
fn without_a_place_for_copies_the_source_is_compiled_plain() {
    let folder = folder();
    let mut command = Command::new(mpiscope());
    command
        .args(["cc", "gcc", "-c", "src/other.c"])
        .env("TMPDIR", folder.path().join("none"));
    let done = run(folder.path(), command);
    // gcc falls back to another directory by itself.
    assert!(done.status.success(), "{:?}", said(&done));
    assert!(
        said(&done).1.contains("no temporary directory"),
        "{:?}",
        said(&done)
    );
    assert!(!has_probes(&folder.path().join("other.o")));
}

/// Nobody, not even root, writes files into `/sys`.
#[test]
fn where_the_object_cannot_be_written_the_compiler_says_so() {
    let folder = folder();
    let source = folder.path().join("src/other.c").display().to_string();
    for (place, words) in [
        (folder.path(), &["-c", &source, "-o", "/sys/other.o"][..]),
        (Path::new("/sys"), &["-c", &source]),
    ] {
        let [expected, found] = [plain(place, words), ours(place, words)].map(|done| said(&done));
        assert_eq!(found, expected, "{words:?}");
        assert!(found.1.contains("other.o"), "{found:?}");
        assert_ne!(found.2, Some(0));
    }
}

/// Sources may lie where nothing can be written.
#[test]
fn nothing_but_the_object_is_written() {
    let folder = folder();
    let names = |place: &str| {
        let entries = fs::read_dir(folder.path().join(place)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let sources = names("src");
    assert!(ours(folder.path(), &["-c", "src/main.c"]).status.success());
    assert_eq!(names("src"), sources);
    assert_eq!(names(""), ["main.o", "src"]);
}

#[test]
fn what_configure_and_cmake_try_is_handed_on() {
    let folder = folder();
    for name in ["conftest.c", "CMakeCCompilerId.c"] {
        fs::write(
            folder.path().join(name),
            SOURCE.replace("head.h", "src/head.h"),
        )
        .unwrap();
        let done = ours(folder.path(), &[name, "-o", "a.out"]);
        assert!(done.status.success(), "{:?}", said(&done));
        assert!(!has_probes(&folder.path().join("a.out")));
    }
    let done = ours(folder.path(), &["src/main.c", "-o", "a.out"]);
    assert!(done.status.success() && has_probes(&folder.path().join("a.out")));
}

#[test]
fn modules_of_fortran_go_where_the_user_wants() {
    let folder = folder();
    fs::create_dir(folder.path().join("mods")).unwrap();
    let text = "module m\ncontains\nsubroutine s\nprint *, 's'\nend subroutine\nend module\n";
    fs::write(folder.path().join("m.f90"), text).unwrap();
    let mut command = Command::new(mpiscope());
    command.args(["cc", "gfortran", "-J", "mods", "-c", "m.f90"]);
    let done = run(folder.path(), command);
    assert_eq!(said(&done), (String::new(), String::new(), Some(0)));
    assert!(folder.path().join("mods/m.mod").is_file());
    assert!(has_probes(&folder.path().join("m.o")));
}

/// Runs an example compiled plain, and with probes that a library in place of the agent hears.
#[track_caller]
fn check_example(source: &str, arguments: &[u32]) {
    let Some(case) = matrix::all(&[2]).first().copied() else {
        return;
    };
    let Some(trial) = Trial::new(case, source) else {
        return;
    };
    let compiler = if source.ends_with(".c") {
        "mpicc"
    } else {
        "mpif90"
    };
    let [probed, oracle, report] = ["probed", "oracle.so", "report"].map(|name| trial.path(name));
    let compile = |command: &mut Command| {
        let done = run(
            probed.parent().unwrap(),
            std::mem::replace(command, Command::new("true")),
        );
        assert_eq!(
            said(&done),
            (String::new(), String::new(), Some(0)),
            "{source}"
        );
    };
    let root = workspace().canonicalize().unwrap();
    let mut command = Command::new(mpiscope());
    command.args(["cc", &case.mpi.command(compiler), "-O2", "-g"]);
    command
        .arg(root.join(source))
        .arg("-o")
        .arg(&probed)
        .args(["-lm", "-pthread"]);
    compile(&mut command);
    let mut command = Command::new("gcc");
    command.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&oracle);
    compile(command.arg(root.join("tests/instrument/oracle.c")));

    let trial = trial.arguments(arguments);
    let results = |trial: &Trial, before: &[&str]| {
        let line = trial.line(before);
        let done = process::run(trial.command(&line[0]).args(&line[1..]));
        assert_eq!(done.code, 0, "{source}: {}", done.errors);
        let lines = done.out.lines().filter(|line| !line.starts_with("counted"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let expected = results(&trial, &[]);
    let heard = Trial::of(case, probed).arguments(arguments);
    let preload = format!("LD_PRELOAD={}", oracle.display());
    let to = format!("MPISCOPE_ORACLE={}", report.display());
    assert_eq!(results(&heard, &["env", &preload, &to]), expected);
    let report = fs::read_to_string(report).unwrap();
    assert_eq!(report.lines().count(), 2, "{report}");
    for line in report.lines() {
        assert!(line.ends_with("healed 0 wrong 0 open 0"), "{line}");
    }
}

#[test]
fn every_example_gives_with_probes_what_it_gives_without() {
    check_example("examples/heat.c", &[64, 40]);
    check_example("examples/heat.f90", &[64, 40]);
    check_example("examples/cg.c", &[500, 2]);
    check_example("examples/workers.c", &[100_000, 20]);
    check_example("examples/matrix.c", &[60, 4]);
    check_example("examples/salesman.c", &[8, 2, 20]);
    check_example("examples/bicgstab.c", &[40, 20, 1]);
}
