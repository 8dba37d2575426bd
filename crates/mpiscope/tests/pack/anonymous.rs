//! `mpiscope pack --anonymize`: nothing of a packed run says where it was made, or of what.

use std::fs;
use std::path::Path;

use mpiscope_run::run_info::RunInfo;
use serde_json::Value;

use crate::common::{self, digest, found, mpiscope, process, Case, Trial};
use crate::{tree, Place};

/// Returns all bytes of a packed run: of its files, of the stream that they lie in, of its index.
fn all_bytes(packed: &Path, unpacked: &Path) -> Vec<(String, Vec<u8>)> {
    let file = fs::read(packed).unwrap();
    let (rest, end) = file.split_at(file.len() - 16);
    assert_eq!(&end[8..], b"mpiscope");
    let length = u64::from_le_bytes(end[..8].try_into().unwrap()) as usize;
    let index = zstd::decode_all(&rest[rest.len() - length..]).unwrap();
    let stream = zstd::decode_all(&file[..]).unwrap();
    let mut all = vec![("index".to_owned(), index), ("stream".to_owned(), stream)];
    for (path, _) in digest(unpacked) {
        let name = path.display().to_string();
        all.push((name, fs::read(&path).unwrap()));
    }
    all
}

/// Whether the bytes hold the word; one so short that compressed bytes hold it by chance (hosts
/// are called `vm`), as definitions, JSON and paths have a name.
fn holds(bytes: &[u8], word: &str) -> bool {
    let is_in = |it: &str| bytes.windows(it.len()).any(|at| at == it.as_bytes());
    if word.len() >= 6 {
        return is_in(word);
    }
    // A string's record: 10, its length, the number of the string (2 or 3 bytes), the word, 0.
    let in_definitions = [5, 6].iter().any(|more| {
        let is_record =
            |at: &[u8]| at[..2] == [10, at.len() as u8 - 2] && at.ends_with(&ended(word));
        bytes.windows(word.len() + more).any(is_record)
    });
    in_definitions || is_in(&format!("\"{word}\"")) || is_in(&format!("/{word}/"))
}

fn ended(word: &str) -> Vec<u8> {
    format!("{word}\0").into_bytes()
}

#[test]
fn an_anonymous_run_names_no_host_no_file_and_no_place() {
    for &mpi in found() {
        let case = Case { mpi, ranks: 2 };
        let Some(trial) = Trial::new(case, "tests/mpi/pack/hidden_names.c") else {
            continue;
        };
        let run = trial
            .arguments(&["hidden-argument"])
            .traced_with(&["--statistics"]);
        run.done.check(0, &[]);
        let analyzed = run.mpiscope("analyze --json");
        for line in ["info", "races"] {
            run.mpiscope(line).check(0, &[]);
        }
        fs::write(run.path.join("hidden-notes"), "hidden").unwrap();
        let hosts = RunInfo::read(&run.path).unwrap().hosts;
        let folder = run.path.parent().unwrap().display().to_string();
        let mut words = vec!["hidden".to_owned(), folder];
        words.extend(hosts);
        // They are there to be found.
        let definitions = fs::read(run.path.join("traces.def")).unwrap();
        for word in [
            "hidden_function",
            "hidden_names.c",
            "hidden half",
            "hidden window",
            "hidden metric",
            &words[2],
        ] {
            assert!(holds(&definitions, word), "{word}");
        }
        let done = run.mpiscope("pack --anonymize -o packed");
        done.check(0, &[]);
        let (_, left_out) = done.out.split_once("Left out: ").unwrap();
        for name in ["hidden-notes", "info.json", "order", "stats"] {
            assert!(left_out.contains(name), "{name}: {left_out}");
        }
        let say = |line: &str| {
            let mut command = run.trial.command(mpiscope());
            process::run(command.args(line.split(' ')))
        };
        say("unpack packed -o back").check(0, &[]);
        let [packed, back] = ["packed", "back"].map(|it| run.trial.path(it));
        let times: Vec<i128> = tree(&back).iter().map(|it| it.2).collect();
        assert!(times.iter().all(|time| *time == 0), "{times:?}");
        for (name, bytes) in all_bytes(&packed, &back) {
            for word in &words {
                assert!(!holds(&bytes, word), "{name} holds {word}");
            }
        }
        // It is the same run all the same.
        for line in ["info packed", "races packed", "print packed", "check back"] {
            say(line).check(0, &[]);
        }
        let same = say("analyze --json packed");
        let [before, after] =
            [analyzed.out, same.out].map(|it| serde_json::from_str::<Value>(&it).unwrap());
        for key in ["time_ns", "waiting_ns", "ranks"] {
            assert_eq!(before[key], after[key], "{key}");
        }
        assert!(
            before["waiting_ns"].as_u64() > Some(10_000_000),
            "{before:#}"
        );
        say("report packed -o page.html").check(0, &[]);
        say("report run --anonymize -o other.html").check(0, &[]);
        let other = run.trial.path("other.html");
        for (question, answer) in common::view::answers(&other) {
            // Functions keep their names, and what is named after a place has none.
            for word in words.iter().filter(|word| *word != "hidden") {
                assert!(!holds(&answer, word), "{question} holds {word}");
            }
            for word in ["hidden ", "hidden-", "/hidden"] {
                assert!(!holds(&answer, word), "{question} holds {word}");
            }
        }
        say("sync packed -o again").check(0, &[]);
    }
}

#[test]
fn an_anonymous_archive_and_a_simulated_run_have_no_names_either() {
    let place = Place::simulated();
    place
        .mpiscope("pack --anonymize mix.mpiscope/corrected/traces.otf2 -o one.tar.zst")
        .check(0, &[]);
    let done = place.mpiscope("pack --anonymize mix.mpiscope");
    done.check(0, &[]);
    assert!(done.out.contains("as files: info.json, truth"), "{done:#?}");
    let waits = |name: &str| {
        let done = place.mpiscope(&format!("analyze --json {name}"));
        let facts: Value = serde_json::from_str(&done.out).unwrap();
        facts["waiting_ns"].clone()
    };
    assert_eq!(waits("mix.mpiscope"), waits("anonymous.mpiscope.tar.zst"));
    assert_eq!(
        waits("mix.mpiscope/corrected/traces.otf2"),
        waits("one.tar.zst")
    );
    for name in ["one.tar.zst", "anonymous.mpiscope.tar.zst"] {
        place
            .mpiscope(&format!("unpack {name} -o back"))
            .check(0, &[]);
        for (file, bytes) in all_bytes(&place.path(name), &place.path("back")) {
            for word in ["node0", "node1", "mix"] {
                assert!(!holds(&bytes, word), "{file} of {name} holds {word}");
            }
        }
        fs::remove_dir_all(place.path("back")).unwrap();
    }
    let only = "pack --anonymize --only measured mix.mpiscope";
    place.mpiscope(only).check(2, &["--only"]);
}
