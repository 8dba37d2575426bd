use super::*;

fn name(trace: &Trace, what: &What) -> String {
    match what {
        What::Region(region) => trace.definitions.regions[region.index()].name.clone(),
        other => format!("{other:?}").to_lowercase(),
    }
}

#[track_caller]
fn check(picture: &str, by: &By, expected: &str) {
    let trace = Trace::parse(picture).unwrap();
    let all = Breakdown::of(&trace, &trace.matching(), &Selection::all(&trace));
    let shown = |row: &Row| {
        let key = match &row.key {
            Key::Region(what) | Key::Line(what, _) => name(&trace, what),
            Key::Path(path) => {
                let names: Vec<String> = path.iter().map(|it| name(&trace, it)).collect();
                names.join("/")
            }
            Key::Communicator(used) => format!("{used:?}"),
            other => format!("{other:?}"),
        };
        let (inclusive, exclusive, waiting) =
            (row.sum.inclusive.0, row.sum.exclusive.0, row.sum.waiting.0);
        format!(
            "{key} {}x {inclusive} {exclusive} {waiting}",
            row.sum.visits
        )
    };
    let table = all.table(&trace, by);
    let rows: Vec<String> = table.iter().map(shown).collect();
    assert_eq!(rows.join(", "), expected);
    let sum: i64 = table.iter().map(|row| row.sum.exclusive.0).sum();
    assert_eq!((sum, all.selected), (all.time.0, all.time));
}

#[test]
fn a_region_within_itself_is_counted_once() {
    let picture = "0: 0 1 enter(f) 3 enter(f) 6 leave(f) 7 leave(f) 8";
    check(picture, &By::Region, "f 2x 6 6 0, outside 0x 2 2 0");
    check(
        picture,
        &By::CallPath,
        "f 1x 6 3 0, f/f 1x 3 3 0, outside 0x 2 2 0",
    );
}

#[test]
fn waiting_is_a_part_of_the_time() {
    check(
        "0: 0 enter(MPI_Recv) 52 recv<1 60 leave(MPI_Recv)
         1: 0 50 enter(MPI_Send) 50 send>0 54 leave(MPI_Send)",
        &By::Region,
        "MPI_Recv 1x 60 60 50, outside 0x 50 50 0, MPI_Send 1x 4 4 0",
    );
}

#[test]
fn what_was_not_recorded_has_a_row() {
    check(
        "0: 1 enter(MPI_Pcontrol) 2 off 9 on 10 leave(MPI_Pcontrol) 12",
        &By::Region,
        "unrecorded 0x 7 7 0, MPI_Pcontrol 1x 9 2 0, outside 0x 2 2 0",
    );
}

#[test]
fn a_thread_between_two_teams_is_idle() {
    check(
        "0: 1 team_begin(t) 2 enter(f) 3 leave(f) 4 team_end(t) 9 team_begin(t) 12",
        &By::Region,
        "outside 0x 5 5 0, idle 0x 5 5 0, f 1x 1 1 0",
    );
}

#[test]
fn operations_without_region_are_calls() {
    check(
        "0: 1 2 barrier{ 5 } 6 ?{ 7",
        &By::Region,
        "operation 1x 3 3 0, outside 0x 3 3 0",
    );
}

#[test]
fn calls_are_known_by_their_communicators() {
    check(
        "0: 0 enter(MPI_Recv) 5 recv<1 6 leave(MPI_Recv) 7 enter(MPI_Comm_rank) 8 leave(MPI_Comm_rank) 9
         1: 0 enter(MPI_Send) 1 send>0 4 leave(MPI_Send)",
        &By::Communicator,
        "One(CommId(0)) 2x 10 10 0, NoCall 0x 2 2 0, Untold 1x 1 1 0",
    );
}

#[test]
fn messages_are_known_by_size_and_pair() {
    let trace = Trace::parse(
        "0: 0 enter(MPI_Send) 1 send>1(bytes=5) 4 leave(MPI_Send) 5 send>1
         1: 0 recv<0(bytes=5) 9 recv<0",
    )
    .unwrap();
    let all = Breakdown::of(&trace, &trace.matching(), &Selection::all(&trace));
    let sent = |messages, bytes, time| Sent {
        messages,
        bytes,
        time: Duration(time),
    };
    assert_eq!(all.pairs, BTreeMap::from([((0, 1), sent(2, 5, 0))]));
    let sizes = BTreeMap::from([(0, sent(1, 0, 0)), (3, sent(1, 5, 4))]);
    assert_eq!(all.sizes, sizes);
}

#[test]
fn recursion_without_end_ends_where_call_paths_do() {
    let deep = 1000;
    let enters: String = (1..=deep).map(|at| format!("{at} enter(f) ")).collect();
    let leaves: String = (1..=deep)
        .map(|at| format!("{} leave(f) ", deep + at))
        .collect();
    let trace = Trace::parse(&format!("0: 0 {enters} {leaves}")).unwrap();
    let all = Breakdown::of(&trace, &trace.matching(), &Selection::all(&trace));
    let rows = all.table(&trace, &By::CallPath);
    // One path each, and what is in no region.
    assert_eq!(rows.len(), rows::DEEPEST + 1);
    assert_eq!(
        rows.iter().map(|row| row.sum.visits).sum::<u64>(),
        deep as u64
    );
    let exclusive: i64 = rows.iter().map(|row| row.sum.exclusive.0).sum();
    assert_eq!(exclusive, 2 * deep);
    let most = rows.iter().map(|row| row.sum.inclusive.0).max();
    assert_eq!(most, Some(2 * deep - 1));
    let by_region = all.table(&trace, &By::Region);
    let of_f = by_region.iter().find(|row| row.sum.visits > 0).unwrap();
    assert_eq!(
        (of_f.sum.visits, of_f.sum.inclusive.0),
        (deep as u64, 2 * deep - 1)
    );
}

#[test]
fn call_paths_are_what_tables_hold_with_parts_of_mpi_in_its_calls() {
    let trace = Trace::parse(
        "0: 0 enter(main) 3 enter(f) 5 enter(MPI_Recv) 6 enter(callback) 8 leave(callback) 20 recv<1 20 leave(MPI_Recv) \
            22 enter(f) 25 leave(f) 26 leave(f) 30 enter(g) 31 enter(f) 37 leave(f) 40 leave(g) 41 leave(main) 50
         1: 0 enter(main) 18 send>0 30 leave(main)",
    )
    .unwrap();
    let all = Breakdown::of(&trace, &trace.matching(), &Selection::all(&trace));
    let name = |it: RegionId| trace.definitions.regions[it.index()].name.as_str();
    let mut found: Vec<(String, u64, i64, i64)> = (all.call_paths().iter())
        .map(|(path, of)| {
            let all = path.around.iter().chain([&path.region]);
            let names: Vec<&str> = all.map(|it| name(*it)).collect();
            (names.join("/"), of.visits, of.time.0, of.waiting.0)
        })
        .collect();
    found.sort();
    let expected = [
        ("main", 2, 3 + 4 + 1 + 30, 0),
        ("main/f", 2, 2 + 2 + 3 + 1, 0),
        ("main/f/MPI_Recv", 1, 2, 13),
        ("main/g", 1, 1 + 3, 0),
        ("main/g/f", 1, 6, 0),
    ];
    let expected =
        expected.map(|(name, visits, time, waiting)| (name.to_owned(), visits, time, waiting));
    assert_eq!(found, expected);
    // Nothing is lost but what is in no region.
    let rows = all.table(&trace, &By::Region);
    let in_regions = rows
        .iter()
        .filter(|row| matches!(row.key, Key::Region(What::Region(_))));
    let sum: i64 = in_regions.map(|row| row.sum.exclusive.0).sum();
    assert_eq!(sum, found.iter().map(|it| it.2 + it.3).sum::<i64>());
}
