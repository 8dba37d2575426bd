//! Every rule by an archive that is against it, and archives that are against none.

mod spoilt;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::{expect, Expect};
use mpiscope_archive::check::check;
use mpiscope_archive::check::findings::Findings;
use mpiscope_archive::check::rules::{self, Rule};
use spoilt::drawn::Drawn;
use spoilt::readers;

fn findings(drawn: &Drawn) -> Findings {
    let directory = tempfile::tempdir().unwrap();
    check(&drawn.write(directory.path())).unwrap().findings
}

/// One line for each rule: how often, and where first.
fn told(findings: &Findings) -> String {
    let lines = findings.iter().map(|(rule, finding)| {
        let place = &finding.places[0];
        let record = place.record.map_or(String::new(), |it| format!(" {it}"));
        // Damage names the whole path.
        let what = match rule.is_damage() {
            true => place.what.rsplit_once('/').map_or("", |it| it.1),
            false => &place.what,
        };
        format!("{rule} {}: {}{record}: {what}\n", finding.count, place.file)
    });
    lines.collect()
}

#[test]
fn an_archive_without_a_fault_has_none() {
    assert_eq!(told(&findings(&Drawn::clean())), "");
}

#[test]
fn every_rule_has_an_archive_that_is_against_it() {
    let named: BTreeSet<&str> = spoilt::all().iter().map(|it| it.0).collect();
    let rules: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.row().id).collect();
    assert_eq!(named, rules);
}

#[track_caller]
fn check_all(expected: &Expect) {
    let mut text = String::new();
    for (rule, drawn) in spoilt::all() {
        let found = findings(&drawn);
        let named = found.iter().any(|(it, _)| it.row().id == rule);
        assert!(named, "{rule} is not among\n{}", told(&found));
        text += &format!("# {rule}\n{}", told(&found));
    }
    expected.assert_eq(&text);
}

#[test]
fn each_is_told_with_its_place() {
    check_all(&expect![[r##"
        # file-missing
        file-missing 1: traces/1.evt: there is none
        event-count 1: traces/1.evt: 0 events, the definition tells of 13
        collective-order 1: traces/0.evt 9: operation 1 in communicator 0: rank 0 BARRIER, rank 1 none
        unmatched 1: : from rank 0 to rank 1 in communicator 0 with tag 7: 1 sent and not received
        # file-cut
        file-cut 1: traces/0.evt: 0.evt: ends early at byte 169 (chunk 0), after 12 whole records
        enter-without-leave 1: traces/0.evt 12: region 5 is still open at the end
        # file-damaged
        file-damaged 1: traces/0.evt: 0.evt: damaged at byte 117 (chunk 0, record 9): expected a compressed integer of at most 4 bytes
        enter-without-leave 2: traces/0.evt 8: region 3 is still open at the end
        begin-without-end 1: traces/0.evt 8: the last one has not ended
        collective-order 1: traces/1.evt 9: operation 1 in communicator 0: rank 0 none, rank 1 BARRIER
        finalize-missing 1: traces/0.evt: rank 0
        # local-definitions-missing
        local-definitions-missing 1: traces/1.def: there is none
        # file-of-no-location
        file-of-no-location 1: traces/9.evt: location 9 is not defined
        # property-name
        property-name 1: traces.otf2: "A.:B"
        # property-value
        property-value 1: traces.otf2: A::B is empty
        # anchor-counts
        anchor-counts 1: traces.otf2: 2 locations, the anchor tells of 3
        # defined-twice
        defined-twice 1: traces.def 27: region 5
        # undefined-reference
        undefined-reference 2: traces.def 27: string 77 is not defined
        # defined-later
        defined-later 2: traces.def 13: system tree node 0 is defined behind it
        # circle
        defined-later 1: traces.def 27: communicator 2 is defined behind it
        circle 1: traces.def 28: communicator 2
        # numbers-with-gaps
        numbers-with-gaps 1: traces.def: regions: 7, the last of them numbered 1073741824
        # clock-missing
        clock-missing 1: traces.def: there are none
        # times-beyond-clock
        times-beyond-clock 2: traces/0.evt: times 10 to 42, the clock tells of 10 to 41
        # processes-missing
        processes-missing 1: traces.def 24: group 1 of MPI stands before them
        # member-outside
        member-outside 1: traces.def 27: group 2 has member 2, there are 2 processes
        # self-group
        self-group 1: traces.def 27: group 2 has members
        # event-count
        event-count 1: traces/0.evt: 13 events, the definition tells of 99
        # chunk-count
        chunk-count 1: traces/0.evt: chunk 0 holds events 1 to 13, its head says 1 to 99
        # two-mappings
        two-mappings 1: traces/0.def: a second table for REGION
        # offset-order
        offset-order 1: traces/0.def: the offset of time 20 stands behind a later one
        # time-decreases
        time-decreases 1: traces/0.evt 5: time 19 behind 20
        # leave-without-enter
        leave-without-enter 1: traces/0.evt 7: region 1 is left and not open
        # enter-without-leave
        enter-without-leave 1: traces/0.evt 14: region 5 is still open at the end
        # peer-outside
        peer-outside 1: traces/0.evt 6: rank 2 of communicator 0
        # root-outside
        root-outside 1: traces/0.evt 9: root 2 in communicator 0
        # outside-of-mpi
        outside-of-mpi 1: traces/0.evt 4: in region 5
        # begin-without-end
        begin-without-end 1: traces/0.evt 9: the one before did not end
        # end-without-begin
        end-without-begin 1: traces/0.evt 8: BARRIER
        # request-not-active
        request-not-active 1: traces/0.evt 8: request 5
        # request-reused
        request-reused 1: traces/0.evt 6: request 5
        unmatched 1: : from rank 0 to rank 1 in communicator 0 with tag 7: 1 sent and not received
        # operation-unknown
        operation-unknown 2: traces/0.evt 9: CREATE_HANDLE
        # collective-order
        collective-order 1: traces/1.evt 9: operation 1 in communicator 0: rank 0 none, rank 1 BARRIER
        # unmatched
        unmatched 1: : from rank 0 to rank 1 in communicator 0 with tag 7: 1 received and not sent
        # init-missing
        init-missing 2: traces/0.evt: rank 0
        # finalize-missing
        finalize-missing 2: traces/0.evt: rank 0
    "##]]);
}

/// Numbers that look random (SplitMix64; Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    /// Changes some of the bytes, or cuts them.
    fn spoil(&mut self, bytes: &mut Vec<u8>) {
        const TELLING: [u8; 6] = [0, 1, 4, 8, 0x7f, 0xff];
        if bytes.is_empty() {
            return;
        }
        if self.below(8) == 0 {
            bytes.truncate(self.below(bytes.len()));
            return;
        }
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len());
            bytes[at] = match self.below(2) {
                0 => TELLING[self.below(TELLING.len())],
                _ => self.below(256) as u8,
            };
        }
    }
}

/// Returns all files of an archive, with their names within its directory.
fn files(anchor: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let directory = anchor.parent().unwrap();
    let inner = anchor.with_extension("");
    let entries = [directory, &inner]
        .into_iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<(PathBuf, Vec<u8>)> = paths
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.strip_prefix(directory).unwrap();
            (name.to_owned(), fs::read(&path).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn whatever_the_bytes_are_it_comes_to_an_end() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let kept = [
        "otf2/tests/archives/every-record/traces.otf2",
        "otf2/tests/archives/messages/traces.otf2",
        "mpiscope/tests/archives/eztrace/eztrace_log.otf2",
    ];
    let many = std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1");
    let rounds = if many { 5_000 } else { 100 };
    let seed = std::env::var("MPISCOPE_TEST_SEED").map_or(1, |seed| seed.parse().unwrap());
    for anchor in kept.map(|anchor| crates.join(anchor)) {
        let whole = files(&anchor);
        for round in 0..rounds {
            println!(
                "MPISCOPE_TEST_SEED={seed}: {}, round {round}",
                anchor.display()
            );
            let mut random = Random(seed ^ round << 32);
            let directory = tempfile::tempdir().unwrap();
            fs::create_dir(directory.path().join(anchor.file_stem().unwrap())).unwrap();
            let spoilt = random.below(whole.len());
            for (at, (name, bytes)) in whole.iter().enumerate() {
                let mut bytes = bytes.clone();
                // One file for certain, and now and then others.
                if at == spoilt || random.below(8) == 0 {
                    random.spoil(&mut bytes);
                }
                fs::write(directory.path().join(name), bytes).unwrap();
            }
            let _ = check(&directory.path().join(anchor.file_name().unwrap()));
        }
    }
}

/// What is told of a reader is what it does with the archives above.
#[track_caller]
fn check_reader(reader: &readers::Reader, asks: rules::Reader) {
    for (rule, drawn) in spoilt::all() {
        let directory = tempfile::tempdir().unwrap();
        let refused = reader.refuses(&drawn.write(directory.path()));
        let row = Rule::ALL.iter().map(|it| it.row()).find(|it| it.id == rule);
        let said = row.unwrap().asked_by.contains(&asks);
        assert_eq!(refused, said, "{rule}");
    }
}

#[test]
fn libotf2_asks_for_what_is_told_of_it() {
    if let Some(print) = readers::Reader::print() {
        check_reader(&print, rules::Reader::Libotf2);
    }
}

#[test]
fn the_python_package_asks_for_what_is_told_of_it() {
    if let Some(python) = readers::Reader::python() {
        check_reader(&python, rules::Reader::Pypi);
    }
}
