//! What the definitions of an archive say is told before an event is read, and where the events
//! contradict it that is told, too.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use otf2::{Definition, LocationType, Paradigm, RegionRole, UNDEFINED};

use crate::commands::{json, run, said};
use crate::common::{mpiscope, process};
use crate::score_p;
use crate::writer::{visit, Writer};

/// Ticks of a clock of nanoseconds.
const SECOND: u64 = 1_000_000_000;

/// Writes an archive of one second and two ranks, with two events each; the definitions say it is
/// `claimed` of the second.
fn write(folder: &Path, claimed: u64) -> PathBuf {
    let mut writer = Writer::new(folder, "Tool 1.0");
    writer.clock(SECOND, 0);
    writer.node(0, "here", "node", UNDEFINED);
    let region = writer.region("work", RegionRole::FUNCTION, Paradigm::USER);
    let events = visit(region, 1, SECOND, &[]);
    for rank in 0..2 {
        writer.process(rank, &format!("rank {rank}"), 0);
        writer.location(rank.into(), "main", LocationType::CPU_THREAD, rank, &events);
    }
    writer.define(Definition::Location {
        id: 1,
        name: 0,
        location_type: LocationType::CPU_THREAD,
        number_of_events: claimed,
        location_group: 1,
    });
    writer.finish()
}

/// What is told first ends with a row that nothing but definitions fills.
fn first_part(out: &str) -> &str {
    let begin = out.find("\ndefined ").expect(out) + 1;
    let end = out[begin..].find('\n').expect(out);
    &out[..begin + end]
}

fn events_of(archive: &Path, location: u64) -> PathBuf {
    archive.with_extension("").join(format!("{location}.evt"))
}

/// Who opens a pipe waits until somebody writes into it.
#[test]
fn definitions_are_told_before_an_event_file_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let archive = score_p::write(&folder.path().join("archive"));
    let whole = said("info", &archive);
    let pipe = events_of(&archive, 0);
    fs::remove_file(&pipe).unwrap();
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let name = archive.file_name().unwrap();
    let mut command = Command::new(mpiscope());
    command.arg("info").arg(name);
    let info = process::start(command.current_dir(archive.parent().unwrap()));
    let told = info.wait_for_output("\ndefined ");
    assert_eq!(first_part(&told), first_part(&whole));
    let _writer = File::options().read(true).write(true).open(&pipe).unwrap();
    info.wait().check(3, &["holds nothing, expected"]);
}

#[test]
fn without_events_the_definitions_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let archive = score_p::write(&folder.path().join("archive"));
    let whole = said("info", &archive);
    for row in [
        "written by  Score-P 8.4\n",
        "hosts       cn1, cn2\n",
        "ranks       2, ",
        "events      ",
    ] {
        assert!(first_part(&whole).contains(row), "no `{row}` in {whole}");
        assert_eq!(whole.matches(&format!("\n{row}")).count(), 1, "{whole}");
    }
    // Its second is all that its definitions tell, and nothing happened in most of it.
    assert!(
        first_part(&whole).contains("\nduration    1 s\n"),
        "{whole}"
    );
    let told = "\nduration    8 ms, from the first to the last event\n";
    assert!(whole.contains(told), "{whole}");
    for location in [0, 1] {
        fs::remove_file(events_of(&archive, location)).unwrap();
    }
    let done = run("info", &archive);
    done.check(3, &["location 0", "location 1"]);
    assert_eq!(first_part(&done.out), first_part(&whole));
    assert!(done.out.contains("could not be read"), "{}", done.out);
}

#[test]
fn claims_that_events_contradict_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let right = write(&folder.path().join("right"), 2);
    let wrong = write(&folder.path().join("wrong"), 1234);
    let text = said("info", &wrong);
    assert!(text.contains("\nevents      1,236\n"), "{text}");
    let row = "\nevents      4, not as defined: 2 in place of 1,234 at location 1 (rank 1)\n";
    assert!(text.contains(row), "{text}");
    assert_eq!(json("info --json", &wrong).figure("events"), 4);
    let text = said("info", &right);
    for row in ["\nevents ", "\nduration "] {
        assert_eq!(text.matches(row).count(), 1, "{text}");
    }
}

#[test]
fn what_definitions_do_not_tell_is_told_with_the_events() {
    let folder = tempfile::tempdir().unwrap();
    let archive = write(folder.path(), u64::MAX);
    let text = said("info", &archive);
    assert!(!first_part(&text).contains("\nevents "), "{text}");
    assert!(text.contains("\nevents      4\n"), "{text}");
}
