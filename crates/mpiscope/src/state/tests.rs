//! Jobs as pictures, and what is said of them.

use expect_test::{expect, Expect};
use mpiscope_analysis::waiting_for::of_trace::picture;
use mpiscope_archive::model::{Rank, Trace};

use super::facts::{Facts, Job};
use super::{look, text, verdict};

/// Returns the report of a job that lives; so many ranks of its end are seen from elsewhere alone,
/// and these have ended.
fn report(text: &str, unseen: u32, ended: &[u32]) -> String {
    let trace = Trace::parse(text).unwrap();
    let size = trace.ranks().len() as u32 + unseen;
    let over: Vec<Rank> = ended.iter().copied().map(Rank).collect();
    let found = picture(&trace, &trace.matching(), size, &over, true);
    let mut facts = Facts {
        job: Job::Lives,
        world_size: size,
        ..Facts::default()
    };
    look::tell(&mut facts, &trace, &found, true, |_| 2_000_000_000);
    for row in &mut facts.ranks {
        row.lives = Some(!ended.contains(&row.rank));
    }
    facts.verdict = verdict::verdict(&facts, None);
    text::text(&facts)
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&report(text, 0, &[]));
}

#[test]
fn a_circle_and_those_behind_it() {
    check(
        "0: 1 enter(MPI_Recv) !posted(1,tag=3) !at(a.c:4)
         1: 1 enter(MPI_Recv) !posted(0,tag=3) !at(a.c:9)
         2: 1 enter(MPI_Barrier) !at(a.c:12) 2 ?{ !posted(0)
         3: 1 enter(MPI_Barrier) !at(a.c:12) 2 ?{ !posted(0)",
        expect![[r#"
            Ranks 0 and 1 wait for each other: rank 0 in MPI_Recv at a.c:4 for rank 1; rank 1 in MPI_Recv at a.c:9 for rank 0.
            Ranks 2 and 3 wait for what never comes: ranks 2 and 3 in MPI_Barrier at a.c:12 for ranks 0-1.
            This job cannot go on by itself.

              ranks  where                     for  names                 waits for  process
              0      in MPI_Recv at a.c:4      2 s  from 1, tag 3, world  rank 1
              1      in MPI_Recv at a.c:9      2 s  from 0, tag 3, world  rank 0
              2-3    in MPI_Barrier at a.c:12  2 s  root 0, world         ranks 0-1"#]],
    );
}

#[test]
fn who_polls_is_said_to_do_so_and_since_when() {
    check(
        "0: 1 enter(MPI_Barrier) !at(a.c:12) 2 ?{ !posted(0)
         1: 1 enter(MPI_Test) !at(a.c:3) 5 leave(MPI_Test) 7 enter(MPI_Test) !at(a.c:3) !polls(70) 1000000008 leave(MPI_Test)",
        expect![[r#"
            Rank 1 is polling in MPI_Test at a.c:3, for 3 s; the other one waits for it in MPI_Barrier at a.c:12.

              ranks  where                         for  names          waits for  process
              0      in MPI_Barrier at a.c:12      2 s  root 0, world  rank 1
              1      polling in MPI_Test at a.c:3  3 s"#]],
    );
}

#[test]
fn of_who_is_not_recorded_that_is_said() {
    check(
        "0: 1 enter(MPI_Barrier) !at(a.c:12) 2 leave(MPI_Barrier) 3 off
         1: 1 enter(MPI_Barrier) !at(a.c:12) 2 leave(MPI_Barrier) 3 off",
        expect![[r#"
            Both ranks are not recorded now (last recorded call MPI_Barrier at a.c:12), for 2 s.

              ranks  where                                                        for  names  waits for  process
              0-1    not recorded now (last recorded call MPI_Barrier at a.c:12)  2 s

            Cannot tell who waits for whom: recording was switched off for a while, or calls were left out."#]],
    );
}

#[test]
fn who_computes_is_waited_for() {
    check(
        "0: 1 enter(MPI_Barrier) !at(a.c:12) 2 ?{ !posted(0)
         1: 1 enter(MPI_Comm_rank) !at(a.c:3) 5 leave(MPI_Comm_rank) 7 enter(work) 8 leave(work)
         2: 1 enter(MPI_Barrier) !at(a.c:12) 2 ?{ !posted(0)",
        expect![[r#"
            Rank 1 is outside of MPI (last call MPI_Comm_rank at a.c:3), for 2 s; the 2 others wait for it in MPI_Barrier at a.c:12.

              ranks  where                                              for  names          waits for  process
              0, 2   in MPI_Barrier at a.c:12                           2 s  root 0, world  rank 1
              1      outside of MPI (last call MPI_Comm_rank at a.c:3)  2 s"#]],
    );
}

#[test]
fn sends_that_may_be_buffered_are_not_called_certain() {
    check(
        "0: 1 enter(MPI_Send) !at(a.c:4) 1 send>1
         1: 1 enter(MPI_Send) !at(a.c:4) 1 send>0",
        expect![[r#"
            Ranks 0 and 1 wait for each other: rank 0 in MPI_Send at a.c:4 for rank 1; rank 1 in MPI_Send at a.c:4 for rank 0.
            Whether that lasts for ever is not certain: MPI_Send may return before its message is received.

              ranks  where                 for  names               waits for  process
              0      in MPI_Send at a.c:4  2 s  to 1, tag 0, world  rank 1
              1      in MPI_Send at a.c:4  2 s  to 0, tag 0, world  rank 0"#]],
    );
}

#[test]
fn different_collective_operations_are_an_error() {
    check(
        "0: 1 enter(MPI_Barrier) !at(a.c:4) 2 ?{ !posted(0)
         1: 1 enter(MPI_Bcast) !at(a.c:8) 2 ?{ !posted(0)",
        expect![[r#"
            Error: members of one communicator call different operations: MPI_Bcast at a.c:8 on rank 1, MPI_Barrier at a.c:4 on rank 0.
            Ranks 0 and 1 wait for each other: rank 0 in MPI_Barrier at a.c:4 for rank 1; rank 1 in MPI_Bcast at a.c:8 for rank 0.
            Whether that lasts for ever is not certain: what MPI does where members of a communicator do not agree is not defined.

              ranks  where                    for  names          waits for  process
              0      in MPI_Barrier at a.c:4  2 s  root 0, world  rank 1
              1      in MPI_Bcast at a.c:8    2 s  root 0, world  rank 0"#]],
    );
}

#[test]
fn all_in_one_place_and_nobody_missing() {
    check(
        "0: 1 enter(MPI_Barrier) !at(a.c:4) 2 ?{ !posted(0)
         1: 1 enter(MPI_Barrier) !at(a.c:4) 2 ?{ !posted(0)",
        expect![[r#"
            Both ranks are in MPI_Barrier at a.c:4, for 2 s.

              ranks  where                    for  names          waits for                      process
              0-1    in MPI_Barrier at a.c:4  2 s  root 0, world  nobody, as far as can be told"#]],
    );
}

#[test]
fn some_have_come_to_the_end() {
    check(
        "0: 1 enter(MPI_Finalize)
         1: 1 enter(MPI_Comm_rank) !at(a.c:3) 5 leave(MPI_Comm_rank)
         2: 1 enter(MPI_Finalize)",
        expect![[r#"
            Rank 1 is outside of MPI (last call MPI_Comm_rank at a.c:3), for 2 s; the 2 others wait for it in MPI_Finalize.

              ranks  where                                              for  names  waits for  process
              0, 2   in MPI_Finalize                                    2 s
              1      outside of MPI (last call MPI_Comm_rank at a.c:3)  2 s"#]],
    );
}

#[test]
fn one_that_has_ended_is_waited_for_in_vain() {
    let text = "
        0: 1 enter(MPI_Recv) !posted(1,tag=3) !at(a.c:4)
        1: 1 enter(MPI_Comm_rank) !at(a.c:3) 5 leave(MPI_Comm_rank)
        2: 1 enter(MPI_Comm_rank) !at(a.c:3) 5 leave(MPI_Comm_rank)";
    expect![[r#"
        Rank 0 waits for what never comes: rank 0 in MPI_Recv at a.c:4 for rank 1, which sends nothing any more.
        Rank 0 cannot go on; what the others do changes nothing in that.

          ranks  where                                              for           names                 waits for  process
          0      in MPI_Recv at a.c:4                               2 s           from 1, tag 3, world  rank 1
          1      outside of MPI (last call MPI_Comm_rank at a.c:3)  at least 2 s
          2      outside of MPI (last call MPI_Comm_rank at a.c:3)  2 s"#]].assert_eq(&report(text, 0, &[1]));
}

#[test]
fn a_rank_of_another_host_is_named() {
    let text = "0: 1 enter(MPI_Barrier) !at(a.c:12) 2 ?{ !posted(0)";
    expect![[r#"
        Nobody is known to wait for another rank: rank 0 in MPI_Barrier at a.c:12, for 2 s.

          ranks  where                     for  names          waits for                      process
          0      in MPI_Barrier at a.c:12  2 s  root 0, world  nobody, as far as can be told
          1-2    not seen from here"#]].assert_eq(&report(text, 2, &[]));
}
