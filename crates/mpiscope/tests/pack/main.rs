//! `mpiscope pack`: one file that holds a run, that every command opens and every tar unpacks.
#![forbid(unsafe_code)]

#[path = "../common/mod.rs"]
mod common;

mod anonymous;

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use common::{
    digest, found, is_command, missing, mpiscope, oracle, process, workspace, Case, Done, Trial,
};
use rustix::process::{kill_process, Pid, Signal};
use serde_json::{json, Value};

/// A folder to work in, and one for what is temporary.
struct Place {
    folder: tempfile::TempDir,
    temporary: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let [folder, temporary] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        Place { folder, temporary }
    }

    /// With a simulated run, corrected.
    fn simulated() -> Place {
        let place = Place::new();
        let make = "simulate mix -n 5 --hosts 2 --iterations 40 -o mix.mpiscope";
        place.mpiscope(make).check(0, &[]);
        place.mpiscope("sync mix.mpiscope").check(0, &[]);
        place.mpiscope("info mix.mpiscope").check(0, &[]);
        place
    }

    /// The same, packed too.
    fn packed() -> Place {
        let place = Place::simulated();
        place.mpiscope("pack mix.mpiscope").check(0, &[]);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, line: &str) -> Command {
        // A suite that runs in the background may ignore signals, and what it starts does, too.
        let mut command = Command::new("env");
        command
            .arg("--default-signal=INT,TERM,HUP")
            .arg(mpiscope())
            .args(line.split(' '))
            .current_dir(&self.folder)
            .env("TMPDIR", self.temporary.path());
        command
    }

    /// Runs a command, which leaves nothing temporary behind.
    #[track_caller]
    fn mpiscope(&self, line: &str) -> Done {
        let done = process::run(&mut self.command(line));
        assert_eq!(entries(self.temporary.path()), [""; 0], "{line}");
        done
    }

    fn entries(&self) -> Vec<String> {
        entries(self.folder.path())
    }
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// All that is in a folder: path, mode, time of change in nanoseconds, and a number that differs
/// where the content does.
fn tree(folder: &Path) -> Vec<(PathBuf, u32, i128, u64)> {
    let mut found = Vec::new();
    let mut look = |path: &Path, content: u64| {
        let data = fs::symlink_metadata(path).unwrap();
        let time = i128::from(data.mtime()) * 1_000_000_000 + i128::from(data.mtime_nsec());
        let within = path.strip_prefix(folder).unwrap().to_owned();
        found.push((within, data.mode(), time, content));
    };
    for (path, content) in digest(folder) {
        look(&path, content);
    }
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        look(&at, 0);
        let paths = fs::read_dir(&at).unwrap().map(|it| it.unwrap().path());
        folders.extend(paths.filter(|path| path.is_dir()));
    }
    found.sort();
    found
}

/// A number that differs where the content does.
fn number(content: &[u8]) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    hasher.finish()
}

/// Numbers that look random and are always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Makes a run of files whose sizes, names and times are at the borders of the formats: blocks of
/// tar, names longer than its fields, frames.
fn make_odd_run(run: &Path, numbers: &mut Numbers) {
    const SIZES: [u64; 9] = [
        0,
        1,
        511,
        512,
        513,
        1 << 16,
        (8 << 20) - 512,
        8 << 20,
        20 << 20,
    ];
    let long = "n".repeat(120);
    let names = [
        "a",
        "é ü/b",
        "c/d/e",
        &long,
        &format!("{long}/{long}"),
        "-x",
    ];
    fs::create_dir_all(run.join("empty/within")).unwrap();
    fs::write(run.join("run.json"), "{}").unwrap();
    for name in names {
        let path = run.join(name).join("file");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let size = SIZES[numbers.below(SIZES.len() as u64) as usize];
        let text: Vec<u8> = (0..size).map(|_| b'a' + numbers.below(3) as u8).collect();
        fs::write(&path, text).unwrap();
        let time = Duration::new(numbers.below(1 << 33), numbers.below(1_000_000_000) as u32);
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + time).unwrap();
    }
}

#[test]
fn a_run_comes_back_byte_for_byte() {
    let place = Place::packed();
    let before = tree(&place.path("mix.mpiscope"));
    fs::rename(place.path("mix.mpiscope"), place.path("before")).unwrap();
    let done = place.mpiscope("unpack mix.mpiscope.tar.zst");
    done.check(0, &[]);
    assert!(done.out.starts_with("mix.mpiscope: "), "{}", done.out);
    assert_eq!(tree(&place.path("mix.mpiscope")), before);
    // What `info` has kept is still of this run.
    let kept = fs::read_to_string(place.path("mix.mpiscope/info.json")).unwrap();
    let other = kept.replacen("\"locations\":5", "\"locations\":77", 1);
    assert_ne!(kept, other);
    fs::write(place.path("mix.mpiscope/info.json"), other).unwrap();
    let info = place.mpiscope("info --json mix.mpiscope");
    assert!(info.out.contains("\"locations\": 77"), "{}", info.out);
}

#[test]
fn a_file_of_two_names_is_packed_once_and_comes_back_as_one() {
    let place = Place::packed();
    let names = ["traces/3.evt", "corrected/traces/3.evt"];
    let is_one = |run: &str| {
        let [a, b] = names.map(|name| fs::metadata(place.path(run).join(name)).unwrap().ino());
        a == b
    };
    assert!(is_one("mix.mpiscope"));
    place
        .mpiscope("unpack mix.mpiscope.tar.zst -o back")
        .check(0, &[]);
    assert!(is_one("back"));
    assert_eq!(tree(&place.path("back")), tree(&place.path("mix.mpiscope")));
    // What was cut has no index: it is read from its begin.
    let packed = fs::read(place.path("mix.mpiscope.tar.zst")).unwrap();
    let cut = File::create(place.path("cut.tar.zst")).unwrap();
    (&cut).write_all(&packed[..packed.len() - 20]).unwrap();
    place
        .mpiscope("unpack cut.tar.zst -o cut")
        .check(3, &["no index"]);
    assert!(is_one("cut"));
    assert_eq!(
        digest(&place.path("cut")).len(),
        digest(&place.path("back")).len()
    );
    // By itself the corrected archive is whole.
    let only = "pack --only corrected mix.mpiscope -o only";
    place.mpiscope(only).check(0, &[]);
    place.mpiscope("unpack only -o alone").check(0, &[]);
    let events = |path: &str| fs::read(place.path(path)).unwrap();
    assert_eq!(
        events("alone/traces/3.evt"),
        events("mix.mpiscope/traces/3.evt")
    );
}

#[test]
fn whatever_is_in_a_run_comes_back() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for _ in 0..4 {
        let place = Place::new();
        make_odd_run(&place.path("odd.mpiscope"), &mut numbers);
        let before = tree(&place.path("odd.mpiscope"));
        place.mpiscope("pack odd.mpiscope -o p").check(0, &[]);
        place.mpiscope("unpack p -o back").check(0, &[]);
        assert_eq!(tree(&place.path("back")), before);
    }
}

#[test]
fn an_archive_is_packed_without_what_lies_beside_it() {
    let place = Place::new();
    let archive = workspace().join("crates/mpiscope/tests/archives/eztrace");
    let line = format!("pack {}/eztrace_log.otf2 -o p", archive.display());
    place.mpiscope(&line).check(0, &[]);
    place.mpiscope("unpack p").check(0, &[]);
    let back = place.path("eztrace_log");
    assert_eq!(
        entries(&back),
        ["eztrace_log", "eztrace_log.def", "eztrace_log.otf2"]
    );
    for (path, content) in digest(&back) {
        let of = archive.join(path.strip_prefix(&back).unwrap());
        let mut originals = digest(&archive).into_iter();
        assert!(originals.any(|it| it == (of.clone(), content)), "{of:?}");
    }
    let info = |archive: &str| {
        let done = place.mpiscope(&format!("info --json {archive}"));
        done.check(0, &[]);
        let mut facts: Value = serde_json::from_str(&done.out).unwrap();
        for name in ["path", "archive"] {
            facts[name] = Value::Null;
        }
        facts
    };
    let bare = info(&format!("{}/eztrace_log.otf2", archive.display()));
    assert_eq!(info("p"), bare);
}

/// How long it took, and what memory: no property of the run.
fn is_of_this_time(line: &str) -> bool {
    ["\"seconds\"", "\"peak_memory_bytes\""]
        .iter()
        .any(|key| line.contains(key))
}

#[test]
fn every_command_says_of_the_file_what_it_says_of_the_run() {
    let place = Place::packed();
    for line in [
        "info RUN",
        "info --json RUN",
        "info --clocks --json RUN",
        "analyze RUN",
        "analyze --json RUN",
        "races RUN",
        "races --json RUN",
        "print RUN",
        "print --merged --json RUN",
        "print --measured RUN",
        "sync --truth RUN",
        "sync --truth --json RUN",
        "diff --order RUN RUN",
        "diff --order --json RUN mix.mpiscope",
        "stats RUN",
        "analyze --ranks 99 RUN",
    ] {
        let [of_run, of_file] = ["mix.mpiscope", "mix.mpiscope.tar.zst"].map(|name| {
            let done = place.mpiscope(&line.replace("RUN", name));
            let plain = |text: String| {
                let lines = text.lines().filter(|line| !is_of_this_time(line));
                lines.collect::<Vec<_>>().join("\n").replace(".tar.zst", "")
            };
            (done.code, plain(done.out), plain(done.errors))
        });
        assert_eq!(of_run, of_file, "{line}");
    }
    let named = place.mpiscope("info --json mix.mpiscope.tar.zst");
    let named: Value = serde_json::from_str(&named.out).unwrap();
    assert_eq!(named["path"], "mix.mpiscope.tar.zst");
    assert_eq!(named["archive"], "mix.mpiscope.tar.zst/traces.otf2");
}

#[test]
fn of_a_real_run_order_and_statistics_are_kept() {
    for &mpi in found() {
        let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/analyze/late.c") else {
            continue;
        };
        let run = trial.traced_with(&["--statistics"]);
        run.done.check(0, &[]);
        let before = tree(&run.path);
        run.mpiscope("pack -o packed").check(0, &[]);
        let say = |line: &str| {
            let mut command = run.trial.command(mpiscope());
            process::run(command.args(line.split(' ')))
        };
        say("unpack packed -o back").check(0, &[]);
        assert_eq!(tree(&run.trial.path("back")), before);
        for command in [
            "stats",
            "stats --json",
            "top --once",
            "info --json",
            "analyze",
        ] {
            let of_run = run.mpiscope(command);
            let of_file = say(&format!("{command} packed"));
            of_file.check(0, &[]);
            let plain = |done: &Done, name: &str| done.out.replace(name, "RUN");
            let path = run.path.display().to_string();
            assert_eq!(
                plain(&of_run, &path),
                plain(&of_file, "packed"),
                "{command}"
            );
        }
        let same = say("diff --order packed back");
        same.check(0, &[]);
        // The record is whole: the program runs again in its order.
        let mut replay = run.trial.command(mpiscope());
        replay
            .args(["replay", "back", "--"])
            .args(run.trial.line(&[]));
        process::run(&mut replay).check(0, &[]);
    }
}

#[test]
fn a_name_that_json_escapes_is_told_as_it_is() {
    let place = Place::packed();
    let odd = "a \"b\\c.tar.zst";
    fs::rename(place.path("mix.mpiscope.tar.zst"), place.path(odd)).unwrap();
    let mut command = place.command("info --json");
    let done = process::run(command.arg(odd));
    done.check(0, &[]);
    let facts: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(facts["path"], odd);
}

#[test]
fn exports_and_corrections_of_the_file_are_those_of_the_run() {
    let place = Place::packed();
    for to in ["csv", "perfetto"] {
        let export = |input: &str, rest: &str| {
            let done = place.mpiscope(&format!("export --to {to} {input}{rest}"));
            done.check(0, &[]);
            done.out
        };
        export("mix.mpiscope", &format!(" -o {to}"));
        // Beside the file, and of the run's name.
        let out = export("mix.mpiscope.tar.zst", "");
        let place_of = out.split(": ").next().unwrap();
        assert!(place_of.starts_with("mix"), "{out}");
        let content = |name: &str| match place.path(name) {
            path if path.is_dir() => digest(&path).into_iter().map(|it| it.1).collect(),
            path => vec![number(&fs::read(path).unwrap())],
        };
        assert_eq!(content(to), content(place_of), "{to}");
    }
    let refused = place.mpiscope("sync mix.mpiscope.tar.zst");
    refused.check(2, &["stays as it is", "-o", "unpack"]);
    place
        .mpiscope("sync mix.mpiscope.tar.zst -o corrected")
        .check(0, &[]);
    let events = |folder: PathBuf| digest(&folder.join("traces")).into_iter().map(|it| it.1);
    assert!(events(place.path("corrected")).eq(events(place.path("mix.mpiscope/corrected"))));
}

#[test]
fn what_works_in_the_run_says_so() {
    let place = Place::packed();
    for line in [
        "replay FILE -- mpirun -n 2 true",
        "explore FILE -- mpirun -n 2 true",
        "recover FILE",
        "top FILE",
    ] {
        let done = place.mpiscope(&line.replace("FILE", "mix.mpiscope.tar.zst"));
        done.check(2, &["mix.mpiscope.tar.zst is a packed run"]);
    }
    let done = place.mpiscope("pack mix.mpiscope.tar.zst");
    done.check(2, &["is packed already"]);
}

#[test]
fn less_than_all_can_be_packed() {
    let place = Place::simulated();
    let check = |only: &str, root: &str, without: &str| {
        place
            .mpiscope(&format!("pack --only {only} mix.mpiscope"))
            .check(0, &[]);
        let file = format!("{root}.tar.zst");
        place.mpiscope(&format!("unpack {file}")).check(0, &[]);
        assert!(!entries(&place.path(root)).iter().any(|it| it == without));
        place.mpiscope(&format!("info {file}")).check(0, &[]);
        place.mpiscope(&format!("analyze --json {file}")).out
    };
    let corrected = check("corrected", "mix-corrected", "run.json");
    let measured = check("measured", "mix-measured.mpiscope", "corrected");
    let clock = |text: &str| serde_json::from_str::<Value>(text).unwrap()["clock"].clone();
    assert_eq!(
        [clock(&corrected), clock(&measured)],
        ["corrected", "measured"]
    );
    let size = |name: &str| fs::metadata(place.path(name)).unwrap().len();
    place.mpiscope("pack mix.mpiscope").check(0, &[]);
    let all = size("mix.mpiscope.tar.zst");
    assert!(size("mix-corrected.tar.zst") < all && size("mix-measured.mpiscope.tar.zst") < all);
    fs::remove_dir_all(place.path("mix.mpiscope/corrected")).unwrap();
    let done = place.mpiscope("pack --only corrected mix.mpiscope -o other");
    done.check(2, &["no corrected archive", "mpiscope sync mix.mpiscope"]);
}

#[test]
fn tools_of_others_read_the_same() {
    let place = Place::packed();
    if !is_command("tar") || !is_command("zstd") {
        missing("GNU tar and zstd");
        return;
    }
    let run = |program: &str, line: &str| {
        let mut command = Command::new(program);
        let done = process::run(command.args(line.split(' ')).current_dir(&place.folder));
        assert!(
            done.code == 0 && done.errors.is_empty(),
            "{program} {line}: {done:#?}"
        );
        done.out
    };
    let before = tree(&place.path("mix.mpiscope"));
    run("zstd", "-q -t mix.mpiscope.tar.zst");
    fs::rename(place.path("mix.mpiscope"), place.path("before")).unwrap();
    run("tar", "--zstd -xf mix.mpiscope.tar.zst");
    assert_eq!(tree(&place.path("mix.mpiscope")), before);
    run("zstd", "-q -d mix.mpiscope.tar.zst -o plain.tar");
    let Some(python) = oracle::python() else {
        return;
    };
    let script = "import sys, tarfile\n\
                  tar = tarfile.open(sys.argv[1])\n\
                  size = lambda it: tar.getmember(it.linkname).size if it.islnk() else it.size\n\
                  for it in tar: print(it.name, size(it), it.mtime)";
    fs::write(place.path("list.py"), script).unwrap();
    let listed = run(&python.to_string_lossy(), "list.py plain.tar");
    let mut listed: Vec<&str> = listed.lines().collect();
    listed.sort_unstable();
    let mut expected: Vec<String> = before
        .iter()
        .map(|(path, _, time, _)| {
            let path = Path::new("mix.mpiscope").join(path);
            let data = fs::metadata(place.path("").join(&path)).unwrap();
            let size = if data.is_dir() { 0 } else { data.len() };
            let name = path.to_string_lossy().trim_end_matches('/').to_owned();
            // Python's times are floating point.
            format!("{name} {size} {:?}", *time as f64 / 1e9)
        })
        .collect();
    expected.sort();
    let names = |line: &str| line.rsplit_once(' ').unwrap().0.to_owned();
    let names_of = |lines: Vec<String>| lines.iter().map(|it| names(it)).collect::<Vec<_>>();
    let listed = listed.into_iter().map(str::to_owned).collect();
    assert_eq!(names_of(listed), names_of(expected));
}

#[test]
fn nothing_is_overwritten_unless_asked() {
    let place = Place::packed();
    place.mpiscope("pack mix.mpiscope").check(2, &["--force"]);
    place.mpiscope("pack --force mix.mpiscope").check(0, &[]);
    let refused = place.mpiscope("unpack mix.mpiscope.tar.zst");
    refused.check(2, &["mix.mpiscope exists", "--force"]);
    place
        .mpiscope("unpack --force mix.mpiscope.tar.zst")
        .check(0, &[]);
    fs::create_dir(place.path("thesis")).unwrap();
    fs::write(place.path("thesis/chapter"), "").unwrap();
    let refused = place.mpiscope("unpack --force mix.mpiscope.tar.zst -o thesis");
    refused.check(2, &["neither a run nor an archive"]);
    place
        .mpiscope("pack --force mix.mpiscope -o thesis/chapter")
        .check(2, &["no earlier packed run"]);
    place.mpiscope("unpack nothing").check(2, &["no such file"]);
    place
        .mpiscope("unpack thesis/chapter")
        .check(2, &["no packed run"]);
    place.mpiscope("pack thesis").check(2, &["thesis"]);
    assert_eq!(
        place.entries(),
        ["mix.mpiscope", "mix.mpiscope.tar.zst", "thesis"]
    );
}

#[test]
fn a_link_is_not_packed() {
    let place = Place::simulated();
    let link = place.path("mix.mpiscope/link");
    std::os::unix::fs::symlink("/etc/passwd", link).unwrap();
    let done = place.mpiscope("pack mix.mpiscope");
    done.check(2, &["mix.mpiscope/link", "symbolic link"]);
    assert_eq!(place.entries(), ["mix.mpiscope"]);
}

#[test]
fn of_a_file_that_was_cut_all_that_is_whole_is_restored() {
    let place = Place::packed();
    let whole = fs::read(place.path("mix.mpiscope.tar.zst")).unwrap();
    let originals = digest(&place.path("mix.mpiscope"));
    for eighths in 0..8 {
        let length = whole.len() * eighths / 8;
        fs::write(place.path("cut.tar.zst"), &whole[..length]).unwrap();
        if length < 4 {
            place
                .mpiscope("unpack cut.tar.zst")
                .check(2, &["no packed run"]);
            continue;
        }
        let done = place.mpiscope("unpack cut.tar.zst -o cut");
        done.check(3, &["cut.tar.zst is cut"]);
        let info = place.mpiscope("info cut.tar.zst");
        info.check(3, &["cut.tar.zst is cut"]);
        let Ok(true) = fs::exists(place.path("cut")) else {
            assert!(done.errors.contains("nothing could be restored"));
            continue;
        };
        for (path, content) in digest(&place.path("cut")) {
            let within = path.strip_prefix(place.path("cut")).unwrap();
            let original = place.path("mix.mpiscope").join(within);
            assert!(originals.contains(&(original, content)), "{path:?}");
        }
        fs::remove_dir_all(place.path("cut")).unwrap();
    }
    // Only the index is missing.
    fs::write(place.path("cut.tar.zst"), &whole[..whole.len() - 1]).unwrap();
    let done = place.mpiscope("unpack cut.tar.zst -o cut");
    done.check(3, &["no index"]);
    assert_eq!(
        digest(&place.path("cut")).len(),
        digest(&place.path("mix.mpiscope")).len()
    );
}

#[test]
fn damage_costs_the_files_that_it_touches() {
    let place = Place::new();
    let run = place.path("odd.mpiscope");
    fs::create_dir(&run).unwrap();
    fs::write(run.join("run.json"), "{}").unwrap();
    let mut numbers = Numbers(7);
    for name in ["x", "y", "z"] {
        let noise: Vec<u8> = (0..9 << 20).map(|_| numbers.below(256) as u8).collect();
        fs::write(run.join(name), noise).unwrap();
    }
    place.mpiscope("pack odd.mpiscope").check(0, &[]);
    let file = place.path("odd.mpiscope.tar.zst");
    let mut bytes = fs::read(&file).unwrap();
    // In the last quarter lies `z` alone.
    let at = bytes.len() * 9 / 10;
    bytes[at] ^= 1;
    fs::write(&file, bytes).unwrap();
    let done = place.mpiscope("unpack odd.mpiscope.tar.zst -o back");
    done.check(3, &["damaged in z; all else was restored"]);
    assert_eq!(entries(&place.path("back")), ["run.json", "x", "y"]);
    for name in ["x", "y"] {
        let content = |folder: &str| fs::read(place.path(folder).join(name)).unwrap();
        assert!(content("back") == content("odd.mpiscope"), "{name}");
    }
    let done = place.mpiscope("info odd.mpiscope.tar.zst");
    done.check(3, &["damaged in z", "restores what is whole"]);
}

/// One frame of 512 bytes, with an index that says this of it.
fn with_index(root: &str, member: Value, frames: impl Fn(usize) -> Value) -> Vec<u8> {
    let mut file = zstd::bulk::compress(&[b'e'; 512], 3).unwrap();
    let index = json!({
        "format": 1, "mpiscope": "0.1.0", "root": root,
        "members": [member], "frames": frames(file.len()),
    });
    let index = zstd::bulk::compress(index.to_string().as_bytes(), 3).unwrap();
    file.extend(0x184D_2A5Du32.to_le_bytes());
    file.extend((index.len() as u32 + 16).to_le_bytes());
    file.extend(&index);
    file.extend((index.len() as u64).to_le_bytes());
    file.extend(b"mpiscope");
    file
}

/// The same with one file, in a frame of which it says that it holds so much.
fn with_file(root: &str, path: &str, holds: u64) -> Vec<u8> {
    with_index(
        root,
        member(path, holds.min(512)),
        |bytes| json!([{ "bytes": bytes, "holds": holds }]),
    )
}

fn member(path: &str, size: u64) -> Value {
    json!({ "path": path, "folder": false, "at": 0, "size": size, "mode": 0o644, "mtime": [0, 0] })
}

#[test]
fn an_index_that_lies_does_no_harm() {
    let place = Place::new();
    let check = |file: Vec<u8>, words: &str| {
        fs::write(place.path("evil"), file).unwrap();
        for line in ["unpack evil -o out", "info evil"] {
            let done = place.mpiscope(line);
            done.check(3, &["evil", words]);
            assert_eq!(place.entries(), ["evil"], "{line}");
        }
    };
    check(with_file("r", "../escaped", 512), "outside of the run");
    check(with_file("r", "/tmp/escaped", 512), "outside of the run");
    check(with_file("..", "a", 512), "as its folder");
    check(with_file("a/b", "a", 512), "as its folder");
    check(with_file("r", "a", 1 << 60), "memory");
    check(with_file("r", "a", 513), "damaged in a");
    // As it would be if it were honest.
    fs::write(place.path("evil"), with_file("r", "a", 512)).unwrap();
    place.mpiscope("unpack evil -o out").check(0, &[]);
}

#[test]
fn what_there_is_no_room_for_is_not_begun() {
    const FRAMES: u64 = 1 << 18;
    const EACH: u64 = 64 << 20;
    let place = Place::new();
    // 16 TiB: each frame is the first one over again.
    let file = with_index("r", member("a", FRAMES * EACH), |_| {
        json!(vec![json!({ "bytes": 0, "holds": EACH }); FRAMES as usize])
    });
    assert!(file.len() < 1 << 20);
    fs::write(place.path("bomb"), file).unwrap();
    for line in ["unpack bomb -o out", "info bomb"] {
        place
            .mpiscope(line)
            .check(2, &["16 TiB", "there is room for"]);
        assert_eq!(place.entries(), ["bomb"], "{line}");
    }
}

/// A tar archive without an index, compressed.
fn tar_of(make: impl Fn(&mut tar::Builder<Vec<u8>>)) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    make(&mut tar);
    zstd::bulk::compress(&tar.into_inner().unwrap(), 3).unwrap()
}

/// A header whose name nobody has looked at.
fn header(name: &str, kind: tar::EntryType, size: u64) -> tar::Header {
    let mut header = tar::Header::new_ustar();
    let field = &mut header.as_ustar_mut().unwrap().name;
    field[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(0o644);
    header.set_mtime(0);
    header.set_cksum();
    header
}

#[test]
fn a_tar_archive_that_leads_out_of_the_run_is_refused() {
    use tar::EntryType::{Fifo, Link, Regular, Symlink};
    let place = Place::new();
    for (name, kind) in [
        ("../escaped", Regular),
        ("/tmp/escaped", Regular),
        ("r/../../escaped", Regular),
        ("r/link", Symlink),
        ("r/link", Link),
        ("r/pipe", Fifo),
    ] {
        let file = tar_of(|tar| {
            let mut it = header(name, kind, 0);
            it.set_link_name("/etc/passwd").unwrap();
            it.set_cksum();
            tar.append(&it, std::io::empty()).unwrap();
        });
        fs::write(place.path("evil"), file).unwrap();
        for line in ["unpack evil -o out", "info evil"] {
            let done = place.mpiscope(line);
            done.check(3, &["evil", "nothing of it is unpacked"]);
            assert_eq!(place.entries(), ["evil"], "{name}");
        }
    }
    for (size, code, why) in [
        (1 << 16, 3, "evil is cut or damaged"),
        (1 << 55, 2, "there is room for"),
    ] {
        let huge = tar_of(|tar| {
            let it = header("r/huge", Regular, size);
            tar.get_mut().write_all(it.as_bytes()).unwrap();
        });
        fs::write(place.path("evil"), huge).unwrap();
        let done = place.mpiscope("unpack evil -o out");
        done.check(code, &["huge", why]);
        let damaged = done.errors.contains("damaged");
        assert_eq!(damaged, code == 3, "{}", done.errors);
        assert_eq!(place.entries(), ["evil"]);
    }
}

#[test]
fn who_interrupts_leaves_nothing_behind() {
    let place = Place::new();
    let make = "simulate halo -n 16 --iterations 3000 -o large.mpiscope";
    place.mpiscope(make).check(0, &[]);
    place
        .mpiscope("pack large.mpiscope -o packed")
        .check(0, &[]);
    let begun = |folder: &Path, before: &[String]| entries(folder) != before;
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        for (line, folder) in [
            ("pack large.mpiscope -o other", place.folder.path()),
            ("unpack packed -o other", place.folder.path()),
            ("print packed", place.temporary.path()),
        ] {
            let before = entries(folder);
            let mut command = place.command(line);
            command.stdout(std::process::Stdio::null());
            let mut child = command.spawn().unwrap();
            // Until it has begun to write.
            while !begun(folder, &before) && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            kill_process(Pid::from_child(&child), signal).unwrap();
            let status = child.wait().unwrap();
            let left = [entries(folder), entries(place.temporary.path())];
            // One that was done before the signal came has kept what it made.
            if status.success() {
                let _ = fs::remove_file(place.path("other"));
                let _ = fs::remove_dir_all(place.path("other"));
                continue;
            }
            assert_eq!(left, [before, Vec::new()], "{line} {signal:?}");
        }
    }
}
