//! What is kept, what is not believed, and what is removed.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use mpiscope_run::directory;
use mpiscope_run::run_info::RunInfo;
use tempfile::TempDir;

use super::file::checksum_of;
use super::*;

/// A run whose archive has `bytes` bytes of events, long enough ago to be known.
fn run(bytes: usize) -> TempDir {
    let run = tempfile::tempdir().unwrap();
    let anchor = directory::anchor(run.path());
    fs::create_dir(anchor.with_extension("")).unwrap();
    fs::write(anchor.with_extension("").join("0.evt"), vec![7; bytes]).unwrap();
    fs::write(anchor.with_extension("def"), "definitions").unwrap();
    fs::write(anchor, "anchor").unwrap();
    RunInfo::default().write(run.path()).unwrap();
    settle();
    run
}

/// Waits until what was changed just now is known to have changed.
fn settle() {
    std::thread::sleep(Duration::from_millis(150));
}

fn open(run: &Path, question: u32) -> Cache {
    Cache::open("analyze", run, &question)
}

fn answer(run: &Path, question: u32) -> Option<String> {
    open(run, question).answer()
}

fn keep(run: &Path, question: u32, facts: &str) {
    open(run, question).keep(&facts, &[]);
}

fn file(run: &Path) -> PathBuf {
    run.join(IN_RUN)
}

#[test]
fn each_question_has_its_answer() {
    let run = run(100_000);
    let run = run.path();
    assert_eq!(answer(run, 1), None);
    keep(run, 1, "one");
    keep(run, 2, "two");
    assert_eq!(answer(run, 1).as_deref(), Some("one"));
    assert_eq!(answer(run, 2).as_deref(), Some("two"));
    assert_eq!(answer(run, 3), None);
    keep(run, 1, "eins");
    assert_eq!(answer(run, 1).as_deref(), Some("eins"));
    assert_eq!(Cache::none().answer::<String>(), None);
    assert_eq!(Cache::open("races", run, &1).answer::<String>(), None);
    let other = run.join("../").join(run.file_name().unwrap());
    assert_eq!(answer(&other, 1), None, "it is named in the answer");
}

#[test]
fn it_goes_away_as_soon_as_the_archive_is_another() {
    let run = run(100_000);
    let run = run.path();
    let anchor = directory::anchor(run);
    let events = anchor.with_extension("").join("0.evt");
    let changes: [(&str, &dyn Fn()); 7] = [
        ("a file more", &|| {
            fs::write(anchor.with_extension("").join("1.evt"), "").unwrap();
        }),
        ("a file less", &|| {
            fs::remove_file(anchor.with_extension("").join("1.evt")).unwrap();
        }),
        ("a time", &|| {
            let file = fs::File::options().write(true).open(&events).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }),
        ("content of the same length and time", &|| {
            fs::write(&events, vec![8; 100_000]).unwrap();
            let file = fs::File::options().write(true).open(&events).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }),
        ("run.json", &|| {
            let info = RunInfo {
                program: "heat".into(),
                ..RunInfo::default()
            };
            info.write(run).unwrap();
        }),
        ("a correction", &|| {
            fs::create_dir(directory::corrected(run)).unwrap();
            fs::write(directory::anchor(&directory::corrected(run)), "").unwrap();
        }),
        ("statistics", &|| {
            let folder = mpiscope_run::statistics::folder(run);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("0.stats"), "").unwrap();
        }),
    ];
    for (what, change) in changes {
        keep(run, 1, what);
        assert_eq!(answer(run, 1).as_deref(), Some(what));
        change();
        assert_eq!(answer(run, 1), None, "{what}");
        assert!(!file(run).exists(), "{what}");
        settle();
    }
}

#[test]
fn other_files_that_it_was_made_of_count_too() {
    let run = run(100_000);
    let module = tempfile::NamedTempFile::new().unwrap();
    let absent = run.path().join("heat.debug");
    let others = || [module.path().to_owned(), absent.clone()].map(Stamp::of);
    settle();
    let known = || answer(run.path(), 1).is_some();
    let rebuilt = || fs::write(module.path(), "rebuilt").unwrap();
    let made = || fs::write(&absent, "").unwrap();
    let changes: [&dyn Fn(); 2] = [&rebuilt, &made];
    for change in changes {
        open(run.path(), 1).keep(&"facts", &others());
        assert!(known());
        change();
        assert!(!known());
        settle();
    }
}

/// As of a run, except for the name.
#[test]
fn an_archive_by_itself_has_it_beside() {
    let run = run(100_000);
    fs::remove_file(run.path().join(run_info::FILE)).unwrap();
    let anchor = directory::anchor(run.path());
    for path in [run.path(), &anchor] {
        keep(path, 1, "facts");
        assert_eq!(answer(path, 1).as_deref(), Some("facts"));
        assert!(run.path().join("traces.mpiscope-cache").exists());
    }
}

#[test]
fn no_damage_makes_it_say_something_else() {
    let run = run(100_000);
    let run = run.path();
    keep(run, 1, "one");
    keep(run, 2, "two");
    let good = fs::read(file(run)).unwrap();
    let identity = Identity::of(run, &directory::anchor(run)).unwrap();
    let check = |bytes: &[u8], how: &str| {
        let Ok((described, content)) = Content::parse(bytes) else {
            return;
        };
        let question = serde_json::to_string(&("analyze", run, 1)).unwrap();
        let said = content.answer::<String>(&question);
        assert!(
            described == identity && said.as_deref() == Some("one"),
            "{how}"
        );
    };
    check(&good, "as it was");
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << bit;
            assert!(Content::parse(&bytes).is_err(), "bit {bit} of byte {at}");
        }
        assert!(Content::parse(&good[..at]).is_err(), "cut at {at}");
        let mut bytes = good.clone();
        bytes.truncate(at);
        bytes.resize(good.len(), 0);
        check(&bytes, "zeros");
    }
    fs::write(file(run), &good[..good.len() - 1]).unwrap();
    assert_eq!(answer(run, 1), None);
    assert!(!file(run).exists(), "what is damaged is removed");
    fs::write(file(run), "of another tool").unwrap();
    assert_eq!(answer(run, 1), None);
    assert!(!file(run).exists(), "as is what makes no sense");
}

#[test]
fn another_version_is_left_alone() {
    let run = run(100_000);
    let run = run.path();
    let line = "mpiscope-cache 9 99.0.0 later";
    let body = b"in a form of its own";
    let mut later = format!("{line} {}\n", checksum_of(line, body)).into_bytes();
    later.extend(body);
    fs::write(file(run), &later).unwrap();
    assert_eq!(Content::parse(&later).err(), Some(Unusable::OtherVersion));
    assert_eq!(answer(run, 1), None);
    assert_eq!(fs::read(file(run)).unwrap(), later);
    keep(run, 1, "facts");
    assert_eq!(
        answer(run, 1).as_deref(),
        Some("facts"),
        "until we know more"
    );
}

#[test]
fn it_has_at_most_a_tenth_of_the_archive() {
    let run = run(20_000);
    let run = run.path();
    let text = |seed: u64| {
        let numbers = (0..600u64).map(|n| mpiscope_hash::stable(&(seed, n)).to_string());
        numbers.collect::<String>()
    };
    let (one, large) = (&text(1)[..2400], &text(2));
    keep(run, 1, one);
    let size = || fs::metadata(file(run)).unwrap().len();
    assert!(size() < 2000, "{}", size());
    keep(run, 2, large);
    assert_eq!(answer(run, 2), None, "too long");
    assert_eq!(
        answer(run, 1).as_deref(),
        Some(one),
        "and what is there stays"
    );
    keep(run, 3, &text(3)[..2400]);
    assert!(answer(run, 3).is_some());
    assert_eq!(answer(run, 1), None, "the latest goes first");
    for question in 0..100 {
        keep(run, question, "");
        assert!(size() < 2000, "{question}: {}", size());
    }
}

#[test]
fn what_has_just_been_written_is_looked_at_again() {
    let run = run(100_000);
    let run = run.path();
    fs::write(directory::anchor(run), "ANCHOR").unwrap();
    keep(run, 1, "facts");
    assert!(!file(run).exists());
    settle();
    let cache = open(run, 1);
    fs::write(directory::anchor(run), "anchor").unwrap();
    cache.keep(&"facts", &[]);
    assert!(!file(run).exists(), "changed while it was read");
}

#[test]
fn where_nothing_can_be_written_nothing_is() {
    let run = run(100_000);
    let run = run.path();
    fs::create_dir(file(run)).unwrap();
    let before = fs::read_dir(run).unwrap().count();
    keep(run, 1, "facts");
    assert_eq!(answer(run, 1), None);
    assert_eq!(fs::read_dir(run).unwrap().count(), before);
    fs::remove_dir(file(run)).unwrap();
    fs::set_permissions(run, fs::Permissions::from_mode(0o555)).unwrap();
    keep(run, 1, "facts");
    // Who may do everything has it kept all the same.
    let kept = answer(run, 1);
    assert!(kept.is_none() || kept.as_deref() == Some("facts"));
    fs::set_permissions(run, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn many_write_at_a_time() {
    let run = run(100_000);
    let run = run.path();
    std::thread::scope(|scope| {
        for question in 0..4 {
            scope.spawn(move || {
                let facts = question.to_string().repeat(300);
                for _ in 0..20 {
                    keep(run, question, &facts);
                    let said = answer(run, question);
                    assert!(said.is_none_or(|said| said == facts));
                }
            });
        }
    });
    assert!((0..4).any(|question| answer(run, question).is_some()));
    let names = fs::read_dir(run).unwrap().map(|it| it.unwrap().file_name());
    let hidden = names.filter(|name| name.to_string_lossy().starts_with('.'));
    assert_eq!(hidden.count(), 0);
}

#[test]
fn of_a_small_archive_nothing_is_kept() {
    let run = run(100);
    let run = run.path();
    keep(run, 1, "");
    assert_eq!(answer(run, 1), None);
    assert!(!file(run).exists());
}

/// Bytes that cannot be made fewer.
fn noise(length: u64) -> Vec<u8> {
    (0..length)
        .map(|n| (mpiscope_hash::stable(&n) >> 32) as u8)
        .collect()
}

#[test]
fn answers_and_what_is_large_share_the_tenth() {
    let run = run(100_000);
    let run = run.path();
    let tenth = 10_003; // with definitions and anchor
    let other = run.join(large::IN_RUN);
    let keep_large = |bytes: u64| {
        let large = large::Large::of(run).unwrap();
        large.keep(&[noise(bytes)], Vec::new())
    };
    let size = |file: &Path| fs::metadata(file).map_or(0, |it| it.len());
    // What is large came first: answers have what it leaves.
    assert!(keep_large(6_000).is_ok());
    let text = |bytes: u64| -> String {
        let hex = noise(bytes).into_iter().map(|it| format!("{it:02x}"));
        hex.collect()
    };
    keep(run, 1, &text(2_700));
    let both = size(&file(run)) + size(&other);
    assert!(both > 9_000 && both <= tenth, "{both}");
    assert!(answer(run, 1).is_some());
    keep(run, 2, &text(5_000));
    assert!(answer(run, 2).is_none(), "too long beside it");
    // Answers came first.
    fs::remove_file(&other).unwrap();
    assert!(matches!(
        keep_large(8_000),
        Err(large::Unkept::TooLarge { .. })
    ));
    assert!(!other.exists());
    fs::remove_file(file(run)).unwrap();
    assert!(keep_large(8_000).is_ok());
}

#[test]
fn what_is_older_than_the_archive_takes_no_room() {
    let run = run(100_000);
    let run = run.path();
    let large = large::Large::of(run).unwrap();
    assert!(large.keep(&[noise(8_000)], Vec::new()).is_ok());
    let text: String = noise(4_000).iter().map(|it| format!("{it:02x}")).collect();
    keep(run, 1, &text);
    assert_eq!(answer(run, 1), None, "too long beside it");
    let events = directory::anchor(run).with_extension("").join("0.evt");
    fs::write(events, vec![8; 100_000]).unwrap();
    settle();
    keep(run, 1, &text);
    assert!(answer(run, 1).is_some());
    assert!(run.join(large::IN_RUN).exists(), "nobody has looked at it");
}
