//! Every rule by an archive that is against it: what is left of it in a mended copy, what others
//! say of the copy, and that all that was right is in it.

mod spoilt;

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect;
use mpiscope_archive::check::check;
use mpiscope_archive::check::rules::{Mend, Rule};
use mpiscope_archive::progress::Progress;
use mpiscope_archive::repair::{repair, Repaired, ADDED, REPAIRED};
use otf2::read::Archive;
use otf2::{Definition, Event, LocalDefinition, Value};
use spoilt::drawn::Drawn;
use spoilt::random;
use spoilt::readers::Reader;

/// An archive and its copy.
struct Copy {
    _folder: tempfile::TempDir,
    source: PathBuf,
    repaired: Repaired,
}

impl Copy {
    fn of(drawn: &Drawn) -> Copy {
        let folder = tempfile::tempdir().unwrap();
        let source = drawn.write(&folder.path().join("source"));
        Copy::at(folder, source)
    }

    fn at(folder: tempfile::TempDir, source: PathBuf) -> Copy {
        let before = files(source.parent().unwrap());
        let out = folder.path().join("out");
        let repaired = repair(&source, &out, &Progress::default()).unwrap();
        assert!(
            before == files(source.parent().unwrap()),
            "the original is never touched"
        );
        Copy {
            _folder: folder,
            source,
            repaired,
        }
    }
}

/// Returns all files below a folder, with their bytes.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push((path.clone(), fs::read(&path).unwrap())),
        }
    }
    found.sort();
    found
}

fn is_mended(rule: Rule) -> bool {
    matches!(rule.row().mend, Mend::By(_))
}

/// One line for each rule, and one for the events.
fn told(repaired: &Repaired) -> String {
    let mut text = String::new();
    for row in &repaired.rows {
        text += &format!("{}: {} mended, {} left\n", row.rule, row.mended(), row.left);
    }
    let changes = repaired.changes;
    let events = [
        ("added", changes.added),
        ("left out", changes.left_out),
        ("changed", changes.changed),
        ("held", changes.held),
    ];
    for (what, count) in events.into_iter().filter(|it| it.1 > 0) {
        text += &format!("  {count} {what}\n");
    }
    text
}

#[test]
fn what_is_mended_is_not_found_in_the_copy() {
    let mut text = String::new();
    for (rule, drawn) in spoilt::all() {
        let copy = Copy::of(&drawn);
        let findings = check(&copy.repaired.anchor).unwrap().findings;
        let left: Vec<Rule> = findings
            .iter()
            .map(|it| it.0)
            .filter(|it| is_mended(*it))
            .collect();
        assert_eq!(left, [], "{rule}");
        text += &format!("# {rule}\n{}", told(&copy.repaired));
    }
    expect![[r#"
        # file-missing
        file-missing: 1 mended, 0 left
        event-count: 1 mended, 0 left
        collective-order: 0 mended, 1 left
        unmatched: 0 mended, 1 left
        # file-cut
        file-cut: 1 mended, 0 left
        enter-without-leave: 1 mended, 0 left
          1 added
        # file-damaged
        file-damaged: 1 mended, 0 left
        enter-without-leave: 2 mended, 0 left
        begin-without-end: 1 mended, 0 left
        collective-order: 0 mended, 1 left
        finalize-missing: 0 mended, 1 left
          2 added
          1 left out
        # local-definitions-missing
        local-definitions-missing: 1 mended, 0 left
        # file-of-no-location
        file-of-no-location: 1 mended, 0 left
        # property-name
        property-name: 1 mended, 0 left
        # property-value
        property-value: 1 mended, 0 left
        # anchor-counts
        anchor-counts: 1 mended, 0 left
        # defined-twice
        defined-twice: 1 mended, 0 left
        # undefined-reference
        undefined-reference: 2 mended, 0 left
        # defined-later
        defined-later: 2 mended, 0 left
        # circle
        defined-later: 1 mended, 0 left
        circle: 1 mended, 0 left
        # numbers-with-gaps
        numbers-with-gaps: 1 mended, 0 left
        # numbers-out-of-order
        numbers-out-of-order: 1 mended, 0 left
        # clock-missing
        clock-missing: 1 mended, 0 left
        # times-beyond-clock
        times-beyond-clock: 2 mended, 0 left
        # processes-missing
        numbers-out-of-order: 1 mended, 0 left
        processes-missing: 1 mended, 0 left
        # member-outside
        member-outside: 1 mended, 0 left
        # self-group
        self-group: 1 mended, 0 left
        # region-of-mpi
        region-of-mpi: 1 mended, 0 left
        # event-count
        event-count: 1 mended, 0 left
        # chunk-count
        chunk-count: 1 mended, 0 left
        # two-mappings
        two-mappings: 1 mended, 0 left
        # offset-alone
        offset-alone: 0 mended, 1 left
        # offset-order
        offset-order: 1 mended, 0 left
        # time-decreases
        time-decreases: 1 mended, 0 left
          1 held
        # record-unknown
        record-unknown: 0 mended, 1 left
        # leave-without-enter
        leave-without-enter: 1 mended, 0 left
          1 left out
        # enter-without-leave
        enter-without-leave: 1 mended, 0 left
          1 added
        # peer-outside
        peer-outside: 1 mended, 0 left
          1 left out
        # root-outside
        root-outside: 1 mended, 0 left
          1 changed
        # outside-of-mpi
        outside-of-mpi: 0 mended, 1 left
        # begin-without-end
        begin-without-end: 1 mended, 0 left
          1 left out
        # end-without-begin
        end-without-begin: 1 mended, 0 left
          1 added
        # request-not-active
        request-not-active: 1 mended, 0 left
          1 left out
        # request-reused
        request-reused: 1 mended, 0 left
        unmatched: 0 mended, 1 left
          2 changed
        # operation-unknown
        operation-unknown: 0 mended, 2 left
        # collective-order
        collective-order: 0 mended, 1 left
        # unmatched
        unmatched: 0 mended, 1 left
        # init-missing
        init-missing: 0 mended, 2 left
        # finalize-missing
        finalize-missing: 0 mended, 2 left
    "#]]
    .assert_eq(&text);
}

#[track_caller]
fn others_read_the_copies(reader: &Reader) {
    for (rule, drawn) in spoilt::all() {
        let copy = Copy::of(&drawn);
        let complaints = reader.complaints(&copy.repaired.anchor);
        assert_eq!(complaints, None, "{rule}");
    }
}

#[test]
fn libotf2_reads_every_copy_without_a_word() {
    if let Some(print) = Reader::print() {
        others_read_the_copies(&print);
    }
}

#[test]
fn the_python_package_reads_every_copy_without_a_word() {
    if let Some(python) = Reader::python() {
        others_read_the_copies(&python);
    }
}

/// What a location's events say.
type Told = (u64, Event, Vec<(u32, Value)>);

fn events(anchor: &Path, location: u64) -> Vec<Told> {
    let archive = Archive::open(anchor).unwrap();
    let file = archive.events(location).unwrap();
    let mut all = Vec::new();
    for chunk in 0..file.chunks() {
        let records = file.only(chunk..chunk + 1).map_while(Result::ok);
        all.extend(records.map(|it| (it.time, it.event, it.attributes.iter().collect())));
    }
    all
}

/// Returns the number of the attribute that marks added events.
fn mark(anchor: &Path) -> Option<u32> {
    let definitions = Archive::open(anchor).unwrap().definitions().unwrap();
    let name = definitions.iter().find_map(|it| match it {
        Definition::String { id, string } if string == ADDED => Some(*id),
        _ => None,
    })?;
    definitions.iter().find_map(|it| match it {
        Definition::Attribute { id, name: of, .. } if *of == name => Some(*id),
        _ => None,
    })
}

/// All but those that were left out, in their order: unknown ones too, byte by byte.
#[test]
fn events_that_were_right_are_in_the_copy_in_their_order() {
    for (rule, drawn) in spoilt::all() {
        let copy = Copy::of(&drawn);
        let (mut added, mut gone, mut changed) = (0, 0, 0);
        let mark = mark(&copy.repaired.anchor);
        for location in drawn.events.keys() {
            let mut after = events(&copy.repaired.anchor, *location);
            let all = after.len();
            after.retain(|it| mark.is_none() || it.2.iter().all(|pair| Some(pair.0) != mark));
            added += (all - after.len()) as u64;
            let before = events(&copy.source, *location);
            gone += (before.len() - after.len()) as u64;
            let mut rest = after.iter();
            let mut next = rest.next();
            let mut latest = 0;
            for (time, event, attributes) in &before {
                latest = latest.max(*time);
                let Some(it) = next else { break };
                let is_same = (it.0, &it.2) == (latest, attributes);
                if is_same && it.1 == *event {
                    next = rest.next();
                } else if is_same && before.len() == after.len() {
                    changed += 1;
                    next = rest.next();
                }
            }
            assert_eq!(
                next, None,
                "{rule}: not of the original, or not in its place"
            );
        }
        let changes = copy.repaired.changes;
        assert_eq!(
            (added, gone, changed),
            (changes.added, changes.left_out, changes.changed),
            "{rule}"
        );
    }
}

#[test]
fn an_archive_without_a_fault_is_copied_byte_by_byte() {
    let copy = Copy::of(&Drawn::clean());
    assert!(copy.repaired.copied && copy.repaired.rows.is_empty());
    let names = |anchor: &Path| {
        let folder = anchor.parent().unwrap();
        let files = files(folder).into_iter();
        let files =
            files.map(|(path, bytes)| (path.strip_prefix(folder).unwrap().to_owned(), bytes));
        files.collect::<Vec<_>>()
    };
    assert!(names(&copy.source) == names(&copy.repaired.anchor));
}

#[test]
fn so_is_one_of_which_nothing_can_be_mended() {
    let unmatched = Drawn::clean().events(|all| drop(all.remove(4)));
    let copy = Copy::of(&unmatched);
    assert!(copy.repaired.copied);
    assert_eq!(told(&copy.repaired), "unmatched: 0 mended, 1 left\n");
}

#[test]
fn the_copy_says_what_was_mended_and_is_mended_once() {
    let drawn = spoilt::all()
        .into_iter()
        .find(|it| it.0 == "event-count")
        .unwrap()
        .1;
    let copy = Copy::of(&drawn);
    let archive = Archive::open(&copy.repaired.anchor).unwrap();
    let mut properties = archive.anchor().properties.iter();
    let told = properties.find(|it| it.0 == REPAIRED).unwrap();
    assert_eq!(told.1, "event-count 1");
    let again = copy._folder.path().join("again");
    let again = repair(&copy.repaired.anchor, &again, &Progress::default()).unwrap();
    assert!(again.copied);
}

/// Numbers with gaps, used by events, by their attributes and by a table of local numbers.
#[test]
fn references_follow_the_new_numbers() {
    use spoilt::drawn::{region, MAIN};
    const FAR: u32 = 1 << 30;
    let mut drawn = Drawn::clean()
        .define(|all| {
            all.push(region(FAR, 6, otf2::Paradigm::USER));
            all.push(Definition::Attribute {
                id: 9,
                name: 7,
                value_type: otf2::Type::REGION,
                description: 7,
            });
        })
        .events(|all| {
            all.insert(1, (10, Event::Enter { region: FAR }));
            all.insert(2, (10, Event::Leave { region: FAR }));
        });
    drawn.local.insert(
        1,
        vec![LocalDefinition::MappingTable {
            mapping_type: otf2::MappingType::REGION,
            id_map: otf2::IdMap::Sparse(vec![(77, FAR.into())]),
        }],
    );
    let of_table = [
        (10, Event::Enter { region: 77 }),
        (10, Event::Leave { region: 77 }),
    ];
    drop(drawn.events.get_mut(&1).unwrap().splice(1..1, of_table));
    drawn.attributes.push((0, 1, 9, Value::Region(FAR)));
    let copy = Copy::of(&drawn.counted());
    assert_eq!(
        told(&copy.repaired),
        "numbers-with-gaps: 2 mended, 0 left\n"
    );
    for location in [0, 1] {
        let all = events(&copy.repaired.anchor, location);
        assert_eq!(all[1].1, Event::Enter { region: MAIN + 1 });
        assert_eq!(all[2].1, Event::Leave { region: MAIN + 1 });
    }
    let attributes = &events(&copy.repaired.anchor, 0)[1].2;
    assert_eq!(attributes, &[(0, Value::Region(MAIN + 1))]);
}

/// TAU counts up members in steps that are not those of its locations.
#[test]
fn a_miscounted_group_of_processes_gets_those_that_there_are() {
    let members_of = |anchor: &Path| {
        let definitions = Archive::open(anchor).unwrap().definitions().unwrap();
        let members = definitions.iter().find_map(|it| match it {
            Definition::Group {
                members,
                group_type: otf2::GroupType::COMM_LOCATIONS,
                ..
            } => Some(members.clone()),
            _ => None,
        });
        members.unwrap()
    };
    let drawn = Drawn::clean().define(|all| {
        for definition in all {
            if let Definition::Group { members, .. } = definition {
                if members[..] == [0, 1] {
                    *members = vec![0, 7];
                    break;
                }
            }
        }
    });
    let copy = Copy::of(&drawn);
    assert_eq!(
        told(&copy.repaired),
        "undefined-reference: 1 mended, 0 left\nprocesses-missing: 1 mended, 0 left\n"
    );
    assert_eq!(members_of(&copy.repaired.anchor), [0, 1]);
    assert_eq!(copy.repaired.locations, 2);
}

/// Of groups that count in something else than MPI's processes nobody knows what that is, and what
/// is open around a task goes on elsewhere.
const IN_PART: [Rule; 3] = [
    Rule::ProcessesMissing,
    Rule::MemberOutside,
    Rule::EnterWithoutLeave,
];

#[test]
fn whatever_the_bytes_are_what_is_mended_is_not_found_in_the_copy() {
    random::spoilt(30, |anchor| {
        let out = tempfile::tempdir().unwrap();
        let Ok(repaired) = repair(anchor, &out.path().join("out"), &Progress::default()) else {
            return;
        };
        for row in &repaired.rows {
            let may_be_left = !is_mended(row.rule) || IN_PART.contains(&row.rule);
            assert!(row.left == 0 || may_be_left, "{}", told(&repaired));
        }
    });
}
