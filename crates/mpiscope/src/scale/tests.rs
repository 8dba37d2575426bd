use expect_test::expect;
use mpiscope_archive::model::Trace;

use super::*;

fn loaded(path: &str, picture: &str) -> Loaded {
    let trace = Trace::parse(picture).unwrap();
    Loaded {
        path: path.into(),
        run: Run::of(&trace, &trace.matching()),
        programs: Vec::new(),
        clock: "corrected time",
        waiting_is_known: true,
        has_metrics: false,
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
    facts(&arguments, loaded, Vec::new()).unwrap()
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
          ranks wait most for serial, on rank 0: 120 ms at 4 ranks

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
          shared                         80 ms  80 ms   80 ms       ±0          0 %            1  P^0.00 ± 0.07

          others wait for  on 1   on 2    on 4     lost  most on rank
          serial              –  40 ms  120 ms  +120 ms             0

        note: computation scalability is of time: whether ranks need more instructions or fewer of them come in a cycle (IPC) cannot be told (the runs have no counters)"#]].assert_eq(&shown);
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
          ranks wait most for serial, on rank 0: 40 ms at 2 ranks"#]].assert_eq(&shown);
}

#[test]
fn a_picture_has_numbers_only() {
    let runs = [amdahl("one", 1, 0), amdahl("two", 2, 0)];
    let facts = scaled(&["--weak"], &runs);
    let svg = picture::svg(&facts);
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    assert_eq!(svg.matches("<circle").count(), 2 + 6 * 2 + 6);
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
