//! Every rule by an archive that is against it, and archives that are against none.

mod spoilt;

use std::collections::BTreeSet;

use expect_test::{expect, Expect};
use mpiscope_archive::check::check;
use mpiscope_archive::check::findings::Findings;
use mpiscope_archive::check::rules::{self, Rule};
use spoilt::drawn::Drawn;
use spoilt::{random, readers};

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
        # numbers-out-of-order
        numbers-out-of-order 1: traces.def 28: region 6 stands behind 7
        # clock-missing
        clock-missing 1: traces.def: there are none
        # times-beyond-clock
        times-beyond-clock 2: traces/0.evt: times 10 to 42, the clock tells of 10 to 41
        # processes-missing
        numbers-out-of-order 1: traces.def 25: group 0 stands behind 1
        processes-missing 1: traces.def 24: group 1 of MPI stands before them
        # member-outside
        member-outside 1: traces.def 27: group 2 has member 2, there are 2 processes
        # self-group
        self-group 1: traces.def 27: group 2 has members
        # region-of-mpi
        region-of-mpi 1: traces.def 27: MPI_Send, of USER
        # event-count
        event-count 1: traces/0.evt: 13 events, the definition tells of 99
        # chunk-count
        chunk-count 1: traces/0.evt: chunk 0 holds events 1 to 13, its head says 1 to 99
        # two-mappings
        two-mappings 1: traces/0.def: a second table for REGION
        # offset-alone
        offset-alone 1: traces/0.def: there is one
        # offset-order
        offset-order 1: traces/0.def: the offset of time 20 stands behind a later one
        # time-decreases
        time-decreases 1: traces/0.evt 5: time 19 behind 20
        # record-unknown
        record-unknown 1: traces/0.evt 6: event of kind 200
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

#[test]
fn whatever_the_bytes_are_it_comes_to_an_end() {
    random::spoilt(100, |anchor| drop(check(anchor)));
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
