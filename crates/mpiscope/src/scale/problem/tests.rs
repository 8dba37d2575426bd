use expect_test::expect;

use super::*;
use crate::scale::tests::loaded;

/// Reading takes 10 ms for each, comparing pairs 1 ms for each of them.
fn sized(path: &str, size: u64) -> Loaded {
    const MS: u64 = 1_000_000;
    let (read, end) = (10 * size * MS, (10 * size + size * size) * MS);
    let picture = format!(
        "0: 0 enter(read) {read} leave(read) {read} enter(pairs) {end} leave(pairs)\n\
         1: 0 enter(read) {read} leave(read) {read} enter(pairs) {end} leave(pairs)"
    );
    loaded(path, &picture)
}

fn told(sizes: &[u64], from: SizesFrom) -> Facts {
    let runs: Vec<Loaded> = sizes
        .iter()
        .map(|it| sized(&format!("n{it}"), *it))
        .collect();
    let sizes = Sizes {
        of_runs: sizes.iter().map(|it| *it as f64).collect(),
        from,
        argument: (from == SizesFrom::Arguments).then(|| (2, "--n=".to_owned())),
    };
    facts(&runs, &sizes, Vec::new()).unwrap()
}

#[test]
fn the_report_says_first_what_outgrows_all_else() {
    let facts = told(&[4, 1, 2], SizesFrom::Arguments);
    expect![[r#"
        From size 1 to 4, 4 times as much, on 2 ranks the program takes 5.09 times the core time: it grows as N^1.17 ± 0.36
          pairs: grows as N^2.00 ± 0.00, faster than all else by N^1.00 ± 0.00: 9.09 % of core time at the smallest size, 28.6 % at the largest, more than half of all from about 10 on, if it goes on like this

          size  runs   time  spread  core time  times
          1        1  11 ms       –      22 ms      1
          2        1  24 ms       –      48 ms   2.18
          4        1  56 ms       –     112 ms   5.09

          efficiencies        at 1   at 2   at 4
          parallel           100 %  100 %  100 %
            load balance     100 %  100 %  100 %
            communication    100 %  100 %  100 %
              serialization  100 %  100 %  100 %
              transfer       100 %  100 %  100 %

          core time  at 1  at 2   at 4  of all    beyond       grows as  against the rest  half from
          pairs      2 ms  8 ms  32 ms  28.6 %  +21.8 ms  N^2.00 ± 0.00     N^1.00 ± 0.00         10
          … and 1 more: --top 2

        note: the size is word 2 behind the program, behind --n=, the only one in which the runs differ: --sizes for another"#]].assert_eq(&text(&facts, 1));
}

#[test]
fn of_two_sizes_no_line_is_said_to_grow_faster() {
    let facts = told(&[1, 4], SizesFrom::Asked);
    expect![[r#"
        From size 1 to 4, 4 times as much, on 2 ranks the program takes 5.09 times the core time: with which power it grows cannot be told
          which lines grow faster than all else cannot be told

          size  runs   time  spread  core time  times
          1        1  11 ms       –      22 ms      1
          4        1  56 ms       –     112 ms   5.09

          efficiencies        at 1   at 4
          parallel           100 %  100 %
            load balance     100 %  100 %
            communication    100 %  100 %
              serialization  100 %  100 %
              transfer       100 %  100 %

          core time   at 1   at 4  of all    beyond     grows as  against the rest  half from
          pairs       2 ms  32 ms  28.6 %  +21.8 ms  cannot tell       cannot tell          –
          read       20 ms  80 ms  71.4 %  −21.8 ms  cannot tell       cannot tell          1

        note: with which power of the size times grow cannot be told of two sizes: a third would do"#]].assert_eq(&text(&facts, 5));
}

#[test]
fn a_picture_has_curves_of_the_whole_and_of_its_lines() {
    let drawn = svg(&told(&[1, 2, 4], SizesFrom::Asked));
    for text in [
        "growth with the size, on 2 ranks",
        ">pairs<",
        ">read<",
        ">all<",
        ">size<",
    ] {
        assert!(drawn.contains(text), "{text}: {drawn}");
    }
    assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
}

#[test]
fn a_line_that_takes_no_time_at_some_sizes_has_no_place_there() {
    let first = loaded("a", "0: 0 enter(read) 9 leave(read)");
    let more = loaded(
        "b",
        "0: 0 enter(read) 9 leave(read) 9 enter(more) 12 leave(more)",
    );
    let sizes = Sizes {
        of_runs: vec![1.0, 1e300],
        from: SizesFrom::Asked,
        argument: None,
    };
    let drawn = svg(&facts(&[first, more], &sizes, Vec::new()).unwrap());
    assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
}
