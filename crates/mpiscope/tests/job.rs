//! `mpiscope sync` started by launchers of MPI programs: its processes write the same bytes, and say
//! the same, as one that is alone.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{symlink, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use common::mpi::{self, Mpi, MPICH, OPEN_MPI};
use common::process::{self, Done};
use common::{digest, mpiscope, workspace};
use rustix::process::{kill_process, Pid, Signal};

/// A folder with runs to correct.
struct Folder(tempfile::TempDir);

impl Folder {
    #[track_caller]
    fn with(lines: &[&str]) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        lines.iter().for_each(|line| drop(folder.alone(line)));
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `mpiscope` without a launcher.
    #[track_caller]
    fn alone(&self, line: &str) -> Done {
        let done = process::run(self.command(&[], line).env_remove("PMI_SIZE"));
        done.check(0, &[]);
        done
    }

    /// Returns a command line of `mpiscope` behind these words.
    fn command(&self, launcher: &[String], line: &str) -> Command {
        let program = mpiscope().to_str().unwrap().to_owned();
        let mut words = launcher.iter().cloned().chain([program]);
        let mut command = Command::new(words.next().unwrap());
        command.args(words).args(line.split(' '));
        command.current_dir(self.0.path());
        for name in ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] {
            command.env(name, "1");
        }
        command
    }

    /// Returns what has bash run a script of this folder, where programs of this folder come first.
    fn bash(&self, script: &str) -> Command {
        let mut bash = Command::new("bash");
        bash.arg(self.path(script)).current_dir(self.0.path());
        for name in ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] {
            bash.env(name, "1");
        }
        let own = mpiscope();
        let places = std::env::var("PATH").unwrap();
        let places = [self.0.path(), own.parent().unwrap()]
            .map(|it| it.display().to_string())
            .into_iter()
            .chain([places]);
        bash.env("PATH", places.collect::<Vec<_>>().join(":"));
        bash
    }

    /// Corrects a run by so many processes; returns how many events the one had that had most, and
    /// how many there are.
    #[track_caller]
    fn held(&self, run: &str, ranks: u32, options: &str) -> (u64, u64) {
        let line = format!("sync {run} -o held --force --json{options}");
        let done = self.together(&OPEN_MPI, ranks, &line);
        done.check(0, &[]);
        let told: serde_json::Value = serde_json::from_str(&done.out).unwrap();
        let number = |name: &str| told[name].as_u64().unwrap();
        (number("held_events"), number("events"))
    }

    fn together(&self, mpi: &Mpi, ranks: u32, line: &str) -> Done {
        process::run(&mut self.command(&mpi.launch(ranks), line))
    }
}

/// The archive's files; an anchor has a number that is drawn anew each time.
fn files(archive: &Path) -> BTreeMap<PathBuf, u64> {
    let files = digest(archive).into_iter();
    let files = files.filter(|(path, _)| path.extension().is_none_or(|end| end != "otf2"));
    let inside = |path: PathBuf| path.strip_prefix(archive).unwrap().to_owned();
    files
        .map(|(path, content)| (inside(path), content))
        .collect()
}

/// Returns what was said, without what differs from place to place.
fn said(done: &Done, name: &str) -> String {
    done.out.replace(name, "NAME")
}

/// Corrects a run alone and by jobs of these sizes.
#[track_caller]
fn compare(folder: &Folder, run: &str, options: &str, jobs: &[(&Mpi, u32)]) {
    let line = |name: &str| format!("sync {run} -o {name} {options}").trim().to_owned();
    let alone = folder.alone(&line("alone-0"));
    let expected = files(&folder.path("alone-0"));
    assert!(expected.len() > 4, "{expected:?}");
    for (mpi, ranks) in jobs {
        let name = format!("{}-{ranks}", mpi.suffix);
        let done = folder.together(mpi, *ranks, &line(&name));
        done.check(0, &[]);
        assert_eq!(said(&done, &name), said(&alone, "alone-0"), "{}", mpi.name);
        let found = files(&folder.path(&name));
        assert_eq!(found, expected, "{} with {ranks} ranks", mpi.name);
        fs::remove_dir_all(folder.path(&name)).unwrap();
    }
    fs::remove_dir_all(folder.path("alone-0")).unwrap();
}

/// More than two ranks of MPICH would spin for longer than anybody waits.
fn jobs() -> Vec<(&'static Mpi, u32)> {
    let everything = std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1");
    let many = everything.then_some(16);
    let all = [1, 2, 3, 7].into_iter().chain(many);
    let all = all
        .map(|ranks| (&OPEN_MPI, ranks))
        .chain([(&MPICH, 1), (&MPICH, 2)]);
    all.filter(|(mpi, _)| mpi::found().contains(mpi)).collect()
}

#[test]
fn any_number_of_processes_writes_the_same_bytes() {
    let folder = Folder::with(&[
        "simulate mix -n 12 --hosts 4 --iterations 150 --start 600 -o mix.mpiscope",
    ]);
    compare(&folder, "mix.mpiscope", "", &jobs());
    compare(&folder, "mix.mpiscope", "--times rewritten", &jobs()[..2]);
    compare(
        &folder,
        "mix.mpiscope",
        "--truth --presync linear --control paper",
        &jobs()[..3],
    );
}

#[test]
fn there_may_be_more_processes_than_locations() {
    let folder = Folder::with(&["simulate halo -n 3 --hosts 3 --iterations 40 -o halo.mpiscope"]);
    let jobs = jobs().into_iter().filter(|(_, ranks)| *ranks != 3);
    compare(&folder, "halo.mpiscope", "", &jobs.collect::<Vec<_>>());
}

/// Programs, clocks and measurements of all kinds: among them what has each process read all.
const KINDS: [&str; 8] = [
    "halo -n 16 --hosts 4 --iterations 60",
    "halo -n 12 --hosts 3 --seconds 6 --step 1@603s:-2ms --start 600",
    "halo -n 8 --hosts 4 --iterations 50 --clock-per-rank --placement cyclic",
    "workers -n 9 --hosts 3 --iterations 60",
    "pairs -n 8 --hosts 4 --iterations 80 --measure none",
    "collectives -n 8 --hosts 4 --iterations 80 --slew 0.3ppm",
    "halo -n 9 --hosts 3 --seconds 4 --pause 1..2 --unseen",
    "mix -n 10 --hosts 5 --iterations 60 --components 2",
];

#[test]
fn processes_that_share_the_events_find_the_same() {
    if !mpi::found().contains(&&OPEN_MPI) {
        return;
    }
    for kind in KINDS {
        let folder = Folder::with(&[&format!("simulate {kind} -o run.mpiscope")]);
        compare(&folder, "run.mpiscope", "", &[(&OPEN_MPI, 3)]);
    }
}

/// Of a location the end is lost, and another's file is gone; a row was moved by hand.
#[test]
fn what_is_damaged_or_moved_is_shared_too() {
    if !mpi::found().contains(&&OPEN_MPI) {
        return;
    }
    let folder = Folder::with(&["simulate halo -n 8 --hosts 4 --iterations 60 -o run.mpiscope"]);
    let shifts =
        serde_json::json!({ "version": 1, "shifts": [{ "rank": 2, "location": 2, "ns": 70_000 }] });
    let place = folder.path("run.mpiscope/shifts.json");
    fs::write(&place, shifts.to_string()).unwrap();
    compare(&folder, "run.mpiscope", "", &[(&OPEN_MPI, 3)]);
    fs::remove_file(place).unwrap();
    let events = |location: u32| folder.path(&format!("run.mpiscope/traces/{location}.evt"));
    let whole = fs::read(events(5)).unwrap();
    fs::write(events(5), &whole[..whole.len() / 2]).unwrap();
    fs::remove_file(events(6)).unwrap();
    let line = |name: &str| format!("sync run.mpiscope -o {name}");
    let alone = process::run(folder.command(&[], &line("alone")).env_remove("PMI_SIZE"));
    let together = folder.together(&OPEN_MPI, 3, &line("together"));
    assert_eq!((alone.code, together.code), (3, 3), "{}", together.errors);
    assert_eq!(said(&together, "together"), said(&alone, "alone"));
    assert_eq!(
        files(&folder.path("together")),
        files(&folder.path("alone"))
    );
}

/// Real programs that call every collective operation, also on communicators of their own: each
/// process knows all members of some operations, and of the others its own.
#[test]
fn operations_of_every_kind_are_shared_too() {
    if !mpi::found().contains(&&OPEN_MPI) {
        return;
    }
    for source in ["tests/mpi/collective_bytes.c", "tests/mpi/icollectives.c"] {
        let Some(program) = OPEN_MPI.compile(source) else {
            return;
        };
        let folder = Folder::with(&[]);
        let launcher = OPEN_MPI.launch(5).join(" ");
        folder.alone(&format!(
            "trace --no-sync -o run.mpiscope -- {launcher} {}",
            program.display()
        ));
        let (held, all) = folder.held("run.mpiscope", 3, "");
        assert!(held < all / 2, "{held} of {all}");
        let jobs = [2, 3, 6].map(|ranks| (&OPEN_MPI, ranks));
        compare(&folder, "run.mpiscope", "", &jobs);
        compare(
            &folder,
            "run.mpiscope",
            "--presync none --lmin 3us",
            &jobs[1..2],
        );
    }
}

/// What another tool wrote, which tells less.
#[test]
fn an_archive_of_another_tool_is_shared_too() {
    if !mpi::found().contains(&&OPEN_MPI) {
        return;
    }
    let archive = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/archives/eztrace/eztrace_log.otf2"
    );
    compare(
        &Folder::with(&[]),
        archive,
        "",
        &[(&OPEN_MPI, 2), (&OPEN_MPI, 3)],
    );
}

/// None has more than its part, unless what is asked for needs all.
#[test]
fn each_process_holds_its_own_events_alone() {
    if !mpi::found().contains(&&OPEN_MPI) {
        return;
    }
    let folder = Folder::with(&["simulate halo -n 16 --hosts 4 --iterations 60 -o run.mpiscope"]);
    let held = |options: &str| folder.held("run.mpiscope", 4, options);
    let (held_by_one, all) = held("");
    assert!(held_by_one < all / 3, "{held_by_one} of {all}");
    assert_eq!(held(" --truth"), (all, all));
}

/// A run gets its corrected archive as from one process, and `info` says the same of it.
#[test]
fn a_run_is_corrected_in_its_place() {
    let Some((mpi, ranks)) = jobs().into_iter().nth(1) else {
        return;
    };
    let folder = Folder::with(&[
        "simulate mix -n 6 --hosts 3 --iterations 40 -o a.mpiscope",
        "simulate mix -n 6 --hosts 3 --iterations 40 -o b.mpiscope",
        "sync a.mpiscope",
    ]);
    let done = folder.together(mpi, ranks, "sync b.mpiscope");
    done.check(0, &[]);
    assert!(done.out.contains("b.mpiscope/corrected"), "{}", done.out);
    let [a, b] = ["a", "b"].map(|name| files(&folder.path(&format!("{name}.mpiscope/corrected"))));
    assert_eq!(a, b);
    let info = |name: &str| said(&folder.alone(&format!("info {name}")), name);
    assert_eq!(info("a.mpiscope"), info("b.mpiscope"));
    // What exists is replaced by force alone, and one process says so.
    let refused = folder.together(mpi, ranks, "sync b.mpiscope");
    assert_ne!(refused.code, 0);
    assert_eq!(refused.errors.matches("give --force").count(), 1);
    let forced = folder.together(mpi, ranks, "sync b.mpiscope --force");
    forced.check(0, &[]);
}

#[test]
fn what_is_wrong_is_said_once() {
    for (mpi, ranks) in jobs().into_iter().filter(|(_, ranks)| *ranks == 2) {
        let folder = Folder::with(&[]);
        let done = folder.together(mpi, ranks, "sync no-such-run");
        assert_eq!(done.code, 2, "{}", done.errors);
        let said = done.errors.matches("error: ").count();
        assert_eq!(said, 1, "{}: {}", mpi.name, done.errors);
        // Found by each for itself, and not told to the others: the first ends them.
        let line = "sync no-such-run --control adaptive --gamma 0.9";
        let done = folder.together(mpi, ranks, line);
        assert_ne!(done.code, 0);
        let said = done
            .errors
            .matches("(process 0 of 2); the job ends")
            .count();
        assert_eq!(said, 1, "{}: {}", mpi.name, done.errors);
        assert!(!done.errors.contains("process 1 of 2"), "{}", done.errors);
        let done = folder.together(mpi, ranks, "whatif no-such-run");
        let said = done.errors.matches("what can be started so are").count();
        assert_eq!(said, 1, "{}: {}", mpi.name, done.errors);
        let done = folder.together(mpi, ranks, "analyze no-such-run");
        assert_eq!(done.code, 2, "{}", done.errors);
        let said = done.errors.matches("error: ").count();
        assert_eq!(said, 1, "{}: {}", mpi.name, done.errors);
    }
}

/// As where a file system shows hosts different files; where each reads all, too.
#[test]
fn other_events_for_another_process_are_refused() {
    if !mpi::found().contains(&&OPEN_MPI) {
        return;
    }
    let line = "simulate halo -n 4 --hosts 2 --iterations 30 -o";
    let folder = Folder::with(&[
        &format!("{line} 0/a.mpiscope"),
        &format!("{line} 1/a.mpiscope"),
    ]);
    for name in ["traces.otf2", "traces.def"] {
        let [one, other] = [0, 1].map(|it| folder.path(&format!("{it}/a.mpiscope/{name}")));
        fs::copy(one, other).unwrap();
    }
    let events = folder.path("1/a.mpiscope/traces/2.evt");
    let file = fs::File::options().write(true).open(&events).unwrap();
    file.set_len(fs::metadata(&events).unwrap().len() / 2)
        .unwrap();
    let each = "cd $OMPI_COMM_WORLD_RANK && exec \"$@\"";
    let place = ["sh", "-c", each, "sh"].map(str::to_owned);
    let launcher = [OPEN_MPI.launch(2), place.to_vec()].concat();
    let mut job = folder.command(&launcher, "sync --truth a.mpiscope -o out");
    process::run(&mut job).check(2, &["another archive for process 1"]);
    assert!(!folder.path("0/out").exists());
}

/// What is not divided the first process does, and all is said as by it alone.
#[test]
fn the_first_does_what_is_not_divided() {
    for (mpi, ranks) in jobs()
        .into_iter()
        .filter(|(_, ranks)| [2, 3].contains(ranks))
    {
        let folder = Folder::with(&["simulate halo -n 6 --hosts 2 --iterations 900 -o a.mpiscope"]);
        for line in [
            "info a.mpiscope",
            "analyze --no-cache a.mpiscope",
            "races --json a.mpiscope",
        ] {
            let done = folder.together(mpi, ranks, line);
            done.check(0, &[&format!("process 0 of {ranks} does all of")]);
            assert_eq!(done.out, folder.alone(line).out, "{}: {line}", mpi.name);
        }
        folder.alone("pack --force a.mpiscope -o a.tar.zst");
        for line in ["analyze --json a.tar.zst", "races --json a.tar.zst"] {
            let done = folder.together(mpi, ranks, line);
            done.check(0, &[&format!("process 0 of {ranks} does all of")]);
            assert_eq!(done.out, folder.alone(line).out, "{}: {line}", mpi.name);
        }
        let done = folder.together(mpi, ranks, "view --build a.mpiscope");
        done.check(0, &[]);
        assert_eq!(done.out.matches("is kept beside it").count(), 1);
        folder
            .together(mpi, ranks, "view a.mpiscope")
            .check(2, &["without the launcher"]);
    }
}

/// Each process finds what its own ranks waited for, and whether anything of theirs may race, and the
/// first says what one that has all events says; also of a damaged archive, and with little memory.
#[test]
fn a_long_run_is_analyzed_together() {
    let long = "simulate halo -n 6 --hosts 2 --iterations 36000 -o a.mpiscope";
    let folder = Folder::with(&[long, "sync a.mpiscope"]);
    let check = |mpi: &Mpi, ranks: u32, line: &str| {
        let alone = process::run(&mut folder.command(&[], line));
        let done = folder.together(mpi, ranks, line);
        assert_eq!(done.code, alone.code, "{line}: {}", done.errors);
        assert_eq!(done.out, alone.out, "{} with {ranks}: {line}", mpi.name);
        done.errors
    };
    let line = "analyze --no-cache --json a.mpiscope";
    for (mpi, ranks) in jobs() {
        for line in [line, "races --no-cache --json a.mpiscope"] {
            let errors = check(mpi, ranks, line);
            assert!(!errors.contains("does all of"), "{errors}");
        }
    }
    let script = folder.alone("analyze --emit-sbatch --json a.mpiscope").out;
    assert!(script.contains("#SBATCH --ntasks=2"), "{script}");
    folder.alone("simulate halo -n 2 --iterations 3 -o short.mpiscope");
    process::run(&mut folder.command(&[], "analyze --emit-sbatch short.mpiscope"))
        .check(2, &["is divided among processes"]);
    let Some((mpi, ranks)) = jobs().into_iter().find(|(_, ranks)| *ranks == 2) else {
        return;
    };
    check(mpi, ranks, "analyze --no-cache a.mpiscope --memory 200M");
    for archive in ["traces.otf2", "corrected", "corrected/traces.otf2"] {
        let line = format!("analyze --no-cache a.mpiscope/{archive}");
        let errors = check(mpi, ranks, &line);
        assert!(!errors.contains("does all of"), "{line}: {errors}");
    }
    let errors = check(
        mpi,
        ranks,
        "analyze --no-cache a.mpiscope --clock interpolated",
    );
    assert!(errors.contains("does all of"), "{errors}");
    // What is kept of the run is shown.
    check(mpi, ranks, "analyze a.mpiscope");
    check(mpi, ranks, "analyze a.mpiscope");
    let events = folder.path("a.mpiscope/corrected/traces/3.evt");
    let file = fs::File::options().write(true).open(&events).unwrap();
    file.set_len(fs::metadata(&events).unwrap().len() / 2)
        .unwrap();
    let errors = check(mpi, ranks, line);
    assert!(errors.contains("could be read"), "{errors}");
    // What is found to be one's alone then has the same budget.
    let events = folder.path("a.mpiscope/traces/3.evt");
    let file = fs::File::options().write(true).open(&events).unwrap();
    file.set_len(fs::metadata(&events).unwrap().len() / 2)
        .unwrap();
    let line = "races --no-cache --json a.mpiscope --memory 300M";
    let errors = check(mpi, ranks, line);
    assert!(errors.contains("does all of"), "{errors}");
}

/// Returns a library of an MPI as one of its programs has it.
fn library(mpi: &Mpi) -> Option<String> {
    let program = mpi.compile("examples/heat.c")?;
    let linked = process::run(Command::new("ldd").arg(program)).out;
    let line = linked.lines().find(|line| line.contains("libmpi"))?;
    let path = line.split_whitespace().nth(2)?;
    Some(path.to_owned())
}

#[test]
fn the_library_of_another_mpi_is_refused_with_a_remedy() {
    if mpi::found().len() < 2 {
        return;
    }
    let folder = Folder::with(&["simulate halo -n 2 -o halo.mpiscope"]);
    for (launcher, other) in [(&OPEN_MPI, &MPICH), (&MPICH, &OPEN_MPI)] {
        let Some(library) = library(other) else {
            return;
        };
        let mut command = folder.command(&launcher.launch(2), "sync halo.mpiscope");
        let done = process::run(command.env("MPISCOPE_LIBMPI", library));
        assert_eq!(done.code, 2, "{}", done.errors);
        let text = format!("a library of {}, and the launcher is not", other.name);
        assert_eq!(done.errors.matches(&text).count(), 1, "{}", done.errors);
        assert!(done
            .errors
            .contains("start it with the launcher of the MPI"));
    }
    assert!(!folder.path("halo.mpiscope/corrected").exists());
}

/// What says that there are others, where there are none that the library knows of.
#[test]
fn processes_that_each_think_they_are_alone_are_refused() {
    let folder = Folder::with(&["simulate halo -n 2 -o halo.mpiscope"]);
    let by = [(&OPEN_MPI, "OMPI_COMM_WORLD_SIZE"), (&MPICH, "PMI_SIZE")];
    for (_, variable) in by.into_iter().filter(|(mpi, _)| mpi::found().contains(mpi)) {
        let mut command = folder.command(&[], "sync halo.mpiscope");
        let done = process::run(command.env(variable, "2"));
        let words = ["sees 1 of them", "MPISCOPE_LIBMPI=", "env -u"];
        done.check(2, &words);
    }
    let mut command = folder.command(&[], "sync halo.mpiscope");
    command
        .env("PMI_SIZE", "2")
        .env("MPISCOPE_LIBMPI", "/no/such/lib.so");
    process::run(&mut command).check(2, &["names /no/such/lib.so, which is no file"]);
    assert!(!folder.path("halo.mpiscope/corrected").exists());
}

/// Returns the processes that a process started, and these.
fn descendants(id: u32) -> Vec<u32> {
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
    let children = children.unwrap_or_default();
    let children = children.split_whitespace().filter_map(|id| id.parse().ok());
    children
        .flat_map(|id| [vec![id], descendants(id)].concat())
        .collect()
}

/// Waits for a process of the job that is one of the others, and not the first.
fn other_rank(launcher: u32) -> u32 {
    let begin = Instant::now();
    loop {
        let is_other = |id: &u32| {
            let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            let maps = fs::read_to_string(format!("/proc/{id}/maps")).unwrap_or_default();
            let mut variables = environment.split(|byte| *byte == 0);
            let one = ["OMPI_COMM_WORLD_RANK=1", "PMI_RANK=1"].map(str::as_bytes);
            maps.contains("libmpi") && variables.any(|it| one.contains(&it))
        };
        if let Some(id) = descendants(launcher).into_iter().find(is_other) {
            return id;
        }
        assert!(begin.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A rank is stopped, so that the others wait for it, and then killed.
#[test]
fn a_rank_that_dies_ends_the_job() {
    let folder = Folder::with(&["simulate mix -n 12 --hosts 4 --iterations 400 -o mix.mpiscope"]);
    for (mpi, ranks) in jobs().into_iter().filter(|(_, ranks)| *ranks == 2) {
        let mut job = process::start(&mut folder.command(&mpi.launch(ranks), "sync mix.mpiscope"));
        let victim = Pid::from_raw(other_rank(job.id()) as i32).unwrap();
        kill_process(victim, Signal::STOP).unwrap();
        assert!(!job.ends_within(Duration::from_millis(300)), "{}", mpi.name);
        kill_process(victim, Signal::KILL).unwrap();
        assert!(job.ends_within(Duration::from_secs(20)), "{}", mpi.name);
        let done = job.wait();
        assert_ne!(done.code, 0);
        let told = format!("{}{}", done.out, done.errors).to_lowercase();
        assert!(told.contains("killed"), "{}: {told}", mpi.name);
        assert!(!folder.path("mix.mpiscope/corrected").exists());
        // What is left is in nobody's way.
        folder.alone("sync mix.mpiscope");
        fs::remove_dir_all(folder.path("mix.mpiscope/corrected")).unwrap();
    }
}

/// Writes a script that stands for a program.
fn executable(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A job script is run by bash, with an `srun` that hands the processes to another launcher.
#[test]
fn a_job_script_corrects_the_run() {
    let name = "it's $HOME.mpiscope".replace(' ', "\u{a0}");
    let folder = Folder::with(&[
        &format!("simulate mix -n 6 --hosts 3 --iterations 40 -o {name}"),
        &format!("sync {name} -o alone"),
        "simulate halo -n 2 --iterations 3 -o other.mpiscope",
    ]);
    let line = format!("sync {name} --emit-sbatch --json --plot clocks.svg");
    let script = folder.alone(&line).out;
    assert!(!folder.path(&name).join("corrected").exists());
    // As its comments say: the number of tasks is changed where it stands, twice.
    assert_eq!(script.matches("--ntasks=1").count(), 2, "{script}");
    for (mpi, tasks) in jobs().into_iter().filter(|(_, ranks)| *ranks <= 2) {
        let script = script.replace("--ntasks=1", &format!("--ntasks={tasks}"));
        fs::write(folder.path("job.sh"), script).unwrap();
        let launch = mpi.launch(tasks).join(" ");
        let srun = format!(
            "#!/bin/sh\nwhile case $1 in -*) ;; *) false ;; esac; do shift; done\nexec {launch} \"$@\"\n"
        );
        executable(&folder.path("srun"), &srun);
        let done = process::run(folder.bash("job.sh").current_dir("/"));
        done.check(0, &[]);
        let told: serde_json::Value = serde_json::from_str(&done.out).unwrap();
        let left = &told["violations"]["corrected"]["clock_condition"];
        assert_eq!(*left, 0, "{}", done.out);
        let corrected = folder.path(&name).join("corrected");
        assert_eq!(files(&corrected), files(&folder.path("alone")));
        assert!(folder.path("clocks.svg").is_file());
        fs::remove_dir_all(corrected).unwrap();
        fs::remove_file(folder.path("clocks.svg")).unwrap();
    }
    // What the job would be refused for after its time in the queue is said now.
    folder.alone("sync other.mpiscope");
    let again = folder.alone("sync --emit-sbatch=pbs other.mpiscope");
    assert!(again.out.contains("#PBS -l select=1:"), "{}", again.out);
    again.check(
        0,
        &["is there already; the job replaces it only with --force"],
    );
    let packed = "pack other.mpiscope -o other.tar.zst";
    folder.alone(packed);
    for (line, word) in [
        ("sync --emit-sbatch no-such", "there is no such run"),
        ("sync --emit-sbatch=flux other.tar.zst", "mpiscope unpack"),
    ] {
        let done = process::run(&mut folder.command(&[], line));
        done.check(2, &[word]);
        assert_eq!(done.out, "");
    }
}

/// The scripts that the book shows of batch systems that are not here, run by bash: PBS has no
/// launcher of its own, and `flux run` is one that drops its options.
#[test]
fn scripts_of_the_book_trace_their_program() {
    let has_open_mpi = mpi::found().contains(&&OPEN_MPI);
    let heat = has_open_mpi.then(|| OPEN_MPI.compile("examples/heat.c"));
    let Some(heat) = heat.flatten() else {
        return;
    };
    let page = fs::read_to_string(workspace().join("book/src/batch.md")).unwrap();
    let blocks = page.split("```bash\n").skip(1);
    let scripts: Vec<&str> = blocks.map(|it| it.split_once("```").unwrap().0).collect();
    assert_eq!(scripts.len(), 2);
    let launch = OPEN_MPI.launch(4).join(" ");
    let without = "while case $1 in -o) shift ;; -*) ;; *) false ;; esac; do shift; done";
    let flux = format!("[ $1 = run ] || exit 9\nshift\n{without}\nexec {launch} \"$@\"");
    for script in scripts {
        let folder = Folder::with(&[]);
        executable(&folder.path("flux"), &format!("#!/bin/sh\n{flux}\n"));
        let mpiexec = "#!/bin/sh\nexec mpirun.openmpi \"$@\"\n";
        executable(&folder.path("mpiexec"), mpiexec);
        symlink(&heat, folder.path("heat")).unwrap();
        assert!(script.contains("512 300"));
        let short = script.replace("512 300", "64 20");
        fs::write(folder.path("job.sh"), short).unwrap();
        let done = process::run(
            folder
                .bash("job.sh")
                .env("PBS_O_WORKDIR", folder.0.path())
                .env("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        );
        done.check(0, &["4 ranks", "was received before it was sent"]);
        let info = folder.alone("info --json heat.mpiscope");
        let info: serde_json::Value = serde_json::from_str(&info.out).unwrap();
        assert_eq!(info["ranks"], 4);
    }
}
