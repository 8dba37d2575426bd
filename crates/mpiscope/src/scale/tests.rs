use expect_test::{expect, expect_file};
use mpiscope_archive::model::Trace;

use super::*;

pub(super) fn loaded(path: &str, picture: &str) -> Loaded {
    let trace = Trace::parse(picture).unwrap();
    Loaded {
        path: path.into(),
        run: Run::of(&trace, &trace.matching()),
        programs: Vec::new(),
        clock: "corrected time",
        clocks: None,
        untold: Vec::new(),
        doubts: Vec::new(),
        notes: Vec::new(),
        damage: Vec::new(),
    }
}

/// Rank 0 works for 40 ms alone while the others wait, then all share 80 ms.
fn amdahl(path: &str, ranks: u64, more: u64) -> Loaded {
    const MS: u64 = 1_000_000;
    let (alone, end) = (40 * MS, (40 + more) * MS + 80 * MS / ranks);
    let shared = format!("{alone} enter(shared) {end} leave(shared)");
    let mut picture = format!(
        "0: 0 enter(serial) {alone} leave(serial) {alone} enter(MPI_Bcast) !at(a.c:7) \
         {alone} bcast(root=0){{ {alone} }} {alone} leave(MPI_Bcast) {shared}\n"
    );
    for rank in 1..ranks {
        picture += &format!(
            "{rank}: 0 enter(MPI_Bcast) !at(a.c:7) 0 bcast(root=0){{ {alone} }} {alone} \
             leave(MPI_Bcast) {shared}\n"
        );
    }
    loaded(path, &picture)
}

fn scaled(words: &[&str], loaded: &[Loaded]) -> Facts {
    use clap::Parser;
    let words = ["mpiscope", "scale", "a"].iter().chain(words);
    let crate::cli::Command::Scale(arguments) = crate::cli::Cli::parse_from(words).command else {
        unreachable!("it is the command");
    };
    facts(&arguments, loaded, None, Vec::new()).unwrap()
}

/// Returns what stands in the blocks of code of a kind.
fn blocks<'a>(page: &'a str, kind: &str) -> Vec<&'a str> {
    let begin = format!("```{kind}\n");
    let rests = page.split(begin.as_str()).skip(1);
    rests
        .filter_map(|rest| Some(rest.split_once("```")?.0))
        .collect()
}

#[test]
fn the_book_has_the_picture_of_its_runs_and_what_is_said_of_them() {
    let book = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src");
    let page = std::fs::read_to_string(book.join("scale.md")).unwrap();
    let runs = blocks(&page, "fixture");
    let runs: Vec<Loaded> = runs.iter().map(|run| loaded("run", run)).collect();
    let facts = scaled(&[], &runs);
    expect_file![book.join("scale.svg")].assert_eq(&picture::svg(&facts));
    let told = blocks(&page, "found");
    expect_file![book.join("scale.md")].assert_eq(&page.replace(
        &format!("```found\n{}```", told[0]),
        &format!("```found\n{}\n```", facts.verdict.join("\n")),
    ));
}

#[test]
fn the_report_says_first_what_is_lost_and_where() {
    let runs = [
        amdahl("four", 4, 0),
        amdahl("one", 1, 0),
        amdahl("two", 2, 0),
        amdahl("two again", 2, 1),
    ];
    let shown = text::text(&scaled(&[], &runs), 4);
    expect![[r#"
        From 1 to 4 ranks the program loses 120 ms of core time, 50 % of all at 4: it runs 2 times as fast, ideally 4 (efficiency 50 %, strong scaling)
          of it +120 ms waiting
          waiting in MPI_Bcast at a.c:7: +120 ms (100 % of the loss), none of it at 1 rank
          beyond the ideal, ranks wait most for serial: +120 ms at 4 ranks (120 ms in all there, 120 ms of it for rank 0)

          ranks  runs    time  spread  speedup  ideal  efficiency                              of that on 1
          1         1  120 ms       –        1      1       100 %  ████████████████████████████████████████
          2         2   80 ms    1 ms      1.5      2        75 %  ██████████████████████████████··········
          4         1   60 ms       –        2      4        50 %  ████████████████████····················

          efficiencies                on 1   on 2   on 4
          global                     100 %   75 %   50 %
            parallel                 100 %   75 %   50 %
              load balance           100 %   75 %   50 %
              communication          100 %  100 %  100 %
                serialization        100 %  100 %  100 %
                transfer             100 %  100 %  100 %
            computation scalability  100 %  100 %  100 %

          core time                       on 1   on 2    on 4     lost  of the loss  times ideal       grows as
          waiting in MPI_Bcast at a.c:7      –  40 ms  120 ms  +120 ms        100 %            –    cannot tell
          serial                         40 ms  40 ms   40 ms       ±0          0 %            1  P^0.00 ± 0.00
          shared                         80 ms  80 ms   80 ms       ±0          0 %            1  P^0.00 ± 0.00

          others wait for  on 1   on 2    on 4     lost  most on rank
          serial              –  40 ms  120 ms  +120 ms             0

        note: computation scalability is of time: whether ranks need more instructions or fewer of them come in a cycle (IPC) counters tell, which the runs have not (trace --counters cycles,instructions)"#]].assert_eq(&shown);
}

#[test]
fn a_power_has_the_minus_of_other_figures() {
    let said = [-0.5, -0.004, 1.25].map(|it| text::power_of("P", it, 0.125));
    assert_eq!(said, ["P^−0.50 ± 0.12", "P^0.00 ± 0.12", "P^1.25 ± 0.12"]);
}

#[test]
fn what_repetitions_differ_by_is_said() {
    let runs = [
        amdahl("one", 1, 0),
        amdahl("one again", 1, 90),
        amdahl("two", 2, 0),
    ];
    let shown = scaled(&["--strong"], &runs).verdict.join("\n");
    expect![[r#"
        From 1 to 2 ranks the program loses 40 ms of core time, 25 % of all at 2: it runs 1.5 times as fast, ideally 2 (efficiency 75 %, strong scaling)
          which is within the spread of runs on equally many ranks
          of it +40 ms waiting
          waiting in MPI_Bcast at a.c:7: +40 ms (100 % of the loss), none of it at 1 rank
          beyond the ideal, ranks wait most for serial: +40 ms at 2 ranks (40 ms in all there, 40 ms of it for rank 0)"#]].assert_eq(&shown);
}

#[test]
fn a_picture_has_numbers_only() {
    let runs = [amdahl("one", 1, 0), amdahl("two", 2, 0)];
    let facts = scaled(&["--weak"], &runs);
    let svg = picture::svg(&facts);
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    assert_eq!(svg.matches("<circle").count(), 2 + 6 * 2 + 6);
    // Letters are about 7 wide, and there are 1000.
    let texts = svg
        .split("<text")
        .skip(1)
        .map(|it| &it[..it.find("</text>").unwrap()]);
    for text in texts {
        let (_, said) = text.split_once('>').unwrap();
        assert!(said.chars().count() < 120, "{said}");
    }
    assert!(!svg.contains("within the spread"), "{svg}");
    let runs = [
        amdahl("one", 1, 0),
        amdahl("one again", 1, 90),
        amdahl("two", 2, 0),
    ];
    let svg = picture::svg(&scaled(&["--strong"], &runs));
    assert!(svg.contains("which is within the spread"), "{svg}");
    // One size has no efficiencies: it is left out of their curves.
    let runs = [
        amdahl("one", 1, 0),
        loaded("gap", "0: 0 9 off 20 on 30\n1: 0 30"),
    ];
    let facts = scaled(&["--strong"], &runs);
    assert!(facts.sizes[1].global.is_none());
    let svg = picture::svg(&facts);
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
}

/// Rank 0 has a thread; its core time is what both took.
fn threaded(path: &str, ranks: u64) -> Loaded {
    let mut picture =
        "0: 0 enter(part) 80 leave(part)\n0.1: 0 enter(part) 80 leave(part)\n".to_owned();
    for rank in 1..ranks {
        picture += &format!("{rank}: 0 80\n");
    }
    loaded(path, &picture)
}

#[test]
fn core_time_that_is_not_ranks_times_time_is_said() {
    let facts = scaled(&["--strong"], &[threaded("one", 1), threaded("two", 2)]);
    assert_eq!(facts.core_from, facts::CoreFrom::Rows);
    let notes = facts.notes.join("\n");
    assert!(
        notes.contains("and not ranks times time: of one, two it"),
        "{notes}"
    );
    let facts = scaled(&[], &[amdahl("one", 1, 0), amdahl("two", 2, 0)]);
    assert_eq!(facts.core_from, facts::CoreFrom::Time);
    assert!(!facts.notes.join("\n").contains("ranks times time"));
}

#[test]
fn of_next_to_nothing_there_are_no_parts() {
    let one = || {
        loaded(
            "one",
            "0: 0 enter(this) 50 leave(this) 50 enter(that) 100 leave(that)",
        )
    };
    let two = |that: u32| {
        let of_rank = |rank: u32| {
            format!("{rank}: 0 enter(this) 15 leave(this) 15 enter(that) {that} leave(that)\n")
        };
        loaded("two", &(of_rank(0) + &of_rank(1)))
    };
    let shares = |two: Loaded| -> Vec<Option<f64>> {
        let facts = scaled(&["--strong"], &[one(), two]);
        facts.rows.iter().map(|it| it.share_percent).collect()
    };
    assert!(shares(two(50)).iter().all(Option::is_none));
    let shares = shares(two(60));
    assert!(
        [200.0, -100.0].iter().all(|it| shares.contains(&Some(*it))),
        "{shares:?}"
    );
}

#[test]
fn next_to_nothing_is_lost_only_where_efficiency_says_so_too() {
    // Threads begin and end when they like, so that no core time is lost; but nothing is faster.
    let one = loaded(
        "one",
        "0: 0 enter(part) 80 leave(part)\n0.1: 0 enter(part) 80 leave(part)",
    );
    let two = loaded(
        "two",
        "0: 0 enter(part) 80 leave(part)\n0.1: 0 enter(part) 40 leave(part)\n\
         1: 0 enter(part) 40 leave(part)",
    );
    let facts = scaled(&["--strong"], &[one, two]);
    assert!(facts.lost.total_ns <= 0, "{facts:#?}");
    assert!(facts.sizes[1].scaling_efficiency < 0.6);
    let said = facts.verdict.join("\n");
    assert!(!said.contains("next to nothing"), "{said}");
    assert!(
        said.contains("next to none of the core time that was recorded"),
        "{said}"
    );
}

#[test]
fn waiting_that_is_not_known_is_not_told_as_communication_alone() {
    let runs = |untold: &[&str]| {
        // Rank 1 computes nothing, and is in a call.
        let one = loaded("one", "0: 0 enter(part) 80 leave(part)");
        let mut two = loaded(
            "two",
            "0: 0 enter(part) 80 leave(part)\n1: 0 enter(MPI_Win_fence) 80 leave(MPI_Win_fence)",
        );
        two.untold = untold.iter().map(|it| (*it).to_owned()).collect();
        scaled(&["--strong"], &[one, two])
    };
    let facts = runs(&["two: one-sided communication: why"]);
    let said = facts.verdict.join("\n");
    assert!(!facts.waiting_is_known);
    assert!(
        said.contains("communication (waiting in it not told apart)"),
        "{said}"
    );
    let note = "waiting is not told of two: one-sided communication: why";
    assert!(facts.notes.iter().any(|it| it == note), "{:?}", facts.notes);
    assert!(facts.sizes[1].of.serialization.is_none());
    let facts = runs(&[]);
    let said = facts.verdict.join("\n");
    assert!(
        facts.waiting_is_known && said.contains("communication without waiting"),
        "{said}"
    );
}

#[test]
fn what_is_assumed_or_found_of_the_kind_is_said() {
    let work = |path: &str, ranks: u64, arguments: &str| {
        let line = |rank| format!("{rank}: 0 enter(part) 80 leave(part)\n");
        let mut run = loaded(path, &(0..ranks).map(line).collect::<String>());
        run.run.arguments = Some(vec![arguments.to_owned()]);
        run
    };
    let assumed = scaled(&[], &[work("one", 1, "x"), work("two", 2, "x")]);
    assert!(
        assumed.verdict[1].contains("is assumed: --weak for the other"),
        "{:?}",
        assumed.verdict
    );
    let weak = scaled(&[], &[work("one", 1, "x"), work("two", 2, "y")]);
    assert_eq!(weak.scaling, "weak");
    assert!(
        weak.notes[0].contains("other arguments"),
        "{:?}",
        weak.notes
    );
    assert!(weak.notes[0].contains("--strong for the other"));
}

#[test]
fn clocks_come_first_of_all_notes() {
    let mut two = amdahl("two", 2, 0);
    two.clocks = Some("two: 3 calls ended".to_owned());
    two.run.contradictions = 3;
    let facts = scaled(&[], &[amdahl("one", 1, 0), two]);
    assert_eq!(facts.notes[0], "two: 3 calls ended");
    let why = "two has no efficiencies: its clocks contradict each other";
    assert!(facts.notes.iter().any(|it| it == why), "{:?}", facts.notes);
    assert!(facts.sizes[0].of.parallel.is_some() && facts.sizes[1].of.parallel.is_none());
}
