//! What cannot work: each a clear message and the documented exit code, and
//! nothing left behind.
#![forbid(unsafe_code)]

mod common;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

use common::matrix::{seed, Random};
use common::mpi::{Mpi, MPICH, OPEN_MPI};
use common::process::{self, Done};
use common::trial::Run;
use common::{found, matrix, mpiscope, workspace, Case, Trial};

/// A folder to be wrong in.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Compiles with gcc; nothing, with a word, without it.
    fn compile(&self, source: &Path, name: &str, flags: &[&str]) -> Option<()> {
        let mut command = Command::new("gcc");
        command
            .arg(source)
            .arg("-o")
            .arg(self.path().join(name))
            .args(flags);
        let Ok(output) = command.current_dir(self.path()).output() else {
            common::missing("no gcc");
            return None;
        };
        assert!(output.status.success(), "{output:?}");
        Some(())
    }

    /// Runs `mpiscope` with a line's words.
    #[track_caller]
    fn mpiscope(&self, line: &str) -> Done {
        let mut command = Command::new(mpiscope());
        command
            .args(line.split_whitespace())
            .current_dir(self.path())
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        run_clean(&mut command)
    }

    #[track_caller]
    fn check(&self, line: &str, code: i32, words: &[&str]) {
        self.mpiscope(line).check(code, words);
    }

    fn has_runs(&self) -> bool {
        let entries = fs::read_dir(self.path()).unwrap();
        let mut names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.any(|name| name.ends_with(".mpiscope"))
    }
}

/// Runs a command and expects that it leaves nothing in shared memory.
#[track_caller]
fn run_clean(command: &mut Command) -> Done {
    let before = in_shared_memory();
    let running = process::start(command);
    let end = format!("{:06x}", running.id());
    let done = running.wait();
    let mut left = in_shared_memory();
    // Process ids are used again, and some runs are killed on purpose.
    left.retain(|name| name.ends_with(&end) && !before.contains(name));
    assert_eq!(left, Vec::<String>::new());
    done
}

/// Returns what runs have in shared memory, or have left there; the process id of
/// their `mpiscope` ends each name.
fn in_shared_memory() -> Vec<String> {
    let entries = fs::read_dir("/dev/shm").into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with("mpiscope-")).collect()
}

#[test]
fn a_program_without_mpi_runs_and_is_told_of() {
    let place = Folder::new();
    let source = workspace().join("tests/mpi/hello.c");
    if place.compile(&source, "hello", &[]).is_none() {
        return;
    }
    // Its own exit code is 0; 2 says that there is no trace, as asked for.
    let done = place.mpiscope("trace -- ./hello");
    done.check(2, &["not linked with MPI", "nothing was recorded"]);
    assert_eq!(done.out, "hello without MPI\n");
    for mpi in found() {
        let line = format!("trace -- {} ./hello", mpi.launch(2).join(" "));
        let done = place.mpiscope(&line);
        done.check(2, &["not linked with MPI", "nothing was recorded"]);
        assert_eq!(done.out, "hello without MPI\nhello without MPI\n");
    }
    assert!(!place.has_runs());
}

#[test]
fn a_static_mpi_is_refused_with_advice() {
    let place = Folder::new();
    let file = |name: &str| place.path().join(name);
    fs::write(
        file("mpi.c"),
        "int PMPI_Init() { return 0; } int MPI_Init() { return PMPI_Init(); }",
    )
    .unwrap();
    fs::write(
        file("main.c"),
        "int MPI_Init(); int main() { return MPI_Init(); }",
    )
    .unwrap();
    if place.compile(&file("mpi.c"), "mpi.o", &["-c"]).is_none() {
        return;
    }
    let made = Command::new("ar")
        .arg("rcs")
        .arg(file("libmpi.a"))
        .arg(file("mpi.o"))
        .status();
    assert!(made.unwrap().success());
    place
        .compile(&file("main.c"), "static", &["-L.", "-lmpi"])
        .unwrap();
    place.check("trace -- ./static", 2, &["statically linked", "relink"]);
    for mpi in found() {
        let line = format!("trace -- {} ./static", mpi.launch(2).join(" "));
        place.check(&line, 2, &["statically linked", "relink"]);
    }
    // Its fellow ranks may be observed, and would wait for it.
    place.check("exec -- ./static", 2, &["statically linked", "relink"]);
    assert!(!place.has_runs());
}

/// A program of one MPI under the launcher of the other, both installed.
fn strangers() -> Vec<(&'static Mpi, Trial)> {
    let all = found();
    let mut strangers = Vec::new();
    for (mpi, other) in [(&OPEN_MPI, &MPICH), (&MPICH, &OPEN_MPI)] {
        if all.contains(&mpi) && all.contains(&other) {
            let trial = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/exits.c");
            strangers.extend(trial.map(|trial| (other, trial)));
        }
    }
    strangers
}

#[test]
fn the_launcher_of_another_mpi_is_refused_before_it_starts() {
    for (launcher, trial) in strangers() {
        let mut command = trial.command(mpiscope());
        command
            .args(["trace", "--"])
            .args(launcher.launch(2))
            .arg(&trial.program);
        let advice = format!("type {} in place of", trial.mpi.command("mpirun"));
        run_clean(&mut command).check(2, &[&advice, "world of its own"]);
        assert_eq!(fs::read_dir(trial.path("")).unwrap().count(), 0);
    }
}

/// Where `exec` was placed by hand, only the ranks themselves can notice.
#[test]
fn ranks_notice_that_each_is_a_world_of_its_own() {
    for (launcher, trial) in strangers() {
        let line = launcher.launch(2);
        let mut command = trial.command(&line[0]);
        command
            .args(&line[1..])
            .arg(mpiscope())
            .args(["exec", "--"])
            .arg(&trial.program);
        let done = process::run(&mut command);
        done.check(
            7,
            &["world of its own", trial.mpi.name, "Nothing is recorded"],
        );
        let left: Vec<_> = fs::read_dir(trial.path("")).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let place = Folder::new();
    place.check("trace -- ./heet", 2, &["./heet", "not found"]);
    place.check("exec -- ./heet", 127, &["./heet", "not found"]);
    for mpi in found() {
        let line = format!("trace -- {} ./heet", mpi.launch(2).join(" "));
        place.check(&line, 2, &["./heet", "not found"]);
    }
    assert!(!place.has_runs());
}

/// Returns a good run to damage.
fn good_run() -> Option<Run> {
    let case = matrix::all(&[2]).pop()?;
    let trial = Trial::new(case, "tests/mpi/sendrecv.c")?;
    let run = trial.traced();
    run.done.check(0, &[]);
    Some(run)
}

fn cut(path: &Path, length: u64) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_len(length).unwrap();
}

#[test]
fn an_archive_cut_short_is_told_as_far_as_it_goes() {
    let Some(run) = good_run() else { return };
    let all = run.json("info --json").figure("events");
    let events = run.path.join("traces/1.evt");
    cut(&events, fs::metadata(&events).unwrap().len() / 2);
    let done = run.mpiscope("info --json");
    done.check(3, &["location 1", "events"]);
    let info = common::trial::Json(serde_json::from_str(&done.out).unwrap());
    assert!((1..all).contains(&info.figure("events")), "{:#}", info.0);
    run.mpiscope("info").check(3, &["location 1"]);
    run.mpiscope("view --build").check(3, &["location 1"]);
    // What is whole is built all the same.
    let place = Folder::new();
    place.check(
        "simulate halo -n 2 --iterations 9 -o whole.mpiscope",
        0,
        &[],
    );
    let both = format!("view --build {} whole.mpiscope", run.path.display());
    let done = place.mpiscope(&both);
    done.check(3, &["location 1"]);
    assert!(done.out.contains("whole.mpiscope: "), "{}", done.out);
}

#[test]
fn damage_anywhere_is_an_error_and_never_a_panic() {
    let Some(run) = good_run() else { return };
    let mut random = Random::new(seed());
    for name in [
        "traces.otf2",
        "traces.def",
        "traces/0.evt",
        "traces/0.def",
        "run.json",
    ] {
        let path = run.path.join(name);
        let good = fs::read(&path).unwrap();
        for _ in 0..4 {
            let mut bad = good.clone();
            let at = random.below(good.len());
            match random.below(2) {
                0 => bad.truncate(at),
                _ => bad[at] ^= 1 << random.below(8),
            }
            fs::write(&path, &bad).unwrap();
            for command in ["info", "sync --force -o other"] {
                let done = run.mpiscope(command);
                done.check_calm();
                assert!((0..=3).contains(&done.code), "{name} at {at}: {done:#?}");
                assert!(
                    done.code < 2 || done.errors.starts_with("error: "),
                    "{name} at {at}: {done:#?}"
                );
            }
        }
        fs::write(&path, &good).unwrap();
    }
    run.mpiscope("info").check(0, &[]);
}

#[test]
fn what_is_no_archive_is_refused_by_name() {
    let place = Folder::new();
    fs::write(
        place.path().join("thesis.otf2"),
        "It was a dark and stormy night.",
    )
    .unwrap();
    fs::create_dir(place.path().join("empty")).unwrap();
    for command in ["info", "info --json", "sync"] {
        for name in ["thesis.otf2", "empty", "nowhere"] {
            place.check(&format!("{command} {name}"), 2, &["error: ", name]);
        }
    }
    place.check("recover empty", 2, &["empty", "run.json"]);
    place.check("recover nowhere", 2, &["nowhere"]);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2);
}

#[test]
fn without_its_run_json_a_run_is_still_an_archive() {
    let Some(run) = good_run() else { return };
    let with = run.json("info --json").figure("messages.point_to_point");
    fs::remove_file(run.path.join("run.json")).unwrap();
    let without = run.json("info --json").figure("messages.point_to_point");
    assert_eq!(with, without);
    run.mpiscope("recover").check(2, &["run.json"]);
}

/// Paths go to ranks and into JSON as text; a trace that cannot be kept is not begun.
#[test]
fn a_run_whose_path_is_no_text_is_refused_before_the_program_starts() {
    let place = Folder::new();
    let odd = place.path().join(OsStr::from_bytes(b"odd\xff"));
    fs::create_dir(&odd).unwrap();
    for command in [
        "trace",
        "record",
        "monitor",
        "replay --deterministic --trace",
    ] {
        let words = || command.split(' ').chain(["--force"]);
        let check = |given: &mut Command| {
            let done = run_clean(given.args(["--", "touch", "started"]));
            done.check(2, &["odd\\xFF", "is not UTF-8"]);
        };
        check(Command::new(mpiscope()).args(words()).current_dir(&odd));
        let mut given = Command::new(mpiscope());
        let given = given.args(words()).arg("-o").arg(odd.join("run"));
        check(given.current_dir(place.path()));
    }
    assert_eq!(fs::read_dir(&odd).unwrap().count(), 0);
    assert!(!place.path().join("started").exists());
}

/// Programs may run there, into a run elsewhere; without one rank 0 says why nothing is recorded.
#[test]
fn a_folder_whose_path_is_no_text_holds_programs_and_no_runs() {
    let Some(trial) = Trial::new(
        Case {
            mpi: found()[0],
            ranks: 2,
        },
        "tests/mpi/blocking.c",
    ) else {
        return;
    };
    let odd = trial
        .path("odd")
        .with_file_name(OsStr::from_bytes(b"odd\xff"));
    fs::create_dir(&odd).unwrap();
    let run = trial.path("run");
    let mut trace = trial.command(mpiscope());
    trace.args(["trace", "-o"]).arg(&run).arg("--");
    process::run(trace.args(trial.line(&[])).current_dir(&odd)).check(0, &[]);
    assert!(run.join("traces.otf2").is_file());
    let own = mpiscope();
    let line = trial.line(&[&own.display().to_string(), "exec", "--"]);
    let mut bare = trial.command(&line[0]);
    let done = process::run(bare.args(&line[1..]).current_dir(&odd));
    done.check(0, &["nothing is recorded", "odd\\xFF", "is not UTF-8"]);
    assert_eq!(fs::read_dir(&odd).unwrap().count(), 0);
}

#[test]
fn nothing_is_replaced_without_force() {
    let Some(run) = good_run() else { return };
    let before = common::digest(&run.path);
    let again = process::run(&mut run.trial.trace(&[]));
    again.check(2, &["run exists", "--force"]);
    run.mpiscope("sync")
        .check(2, &["corrected exists", "--force"]);
    assert_eq!(common::digest(&run.path), before);
    process::run(&mut run.trial.trace(&["--force"])).check(0, &[]);
    assert_ne!(common::digest(&run.path), before);
}
