use super::*;
use expect_test::{expect, Expect};

/// Shows what rank 0 took, and what its waits and polls returned where.
#[track_caller]
fn check(picture: &str, expected: Expect) {
    let trace = Trace::parse(picture).unwrap();
    let choices = Choices::of(&trace);
    let thread = &choices.0[&(0, 0)];
    let mut lines = Vec::new();
    for receive in &thread.receives {
        lines.push(match receive.taken {
            Some(Taken { source, tag: None }) => format!("from {source}"),
            Some(Taken {
                source,
                tag: Some(tag),
            }) => format!("from {source}, tag {tag}"),
            None => "nothing".to_owned(),
        });
    }
    for returned in &thread.outcomes {
        lines.push(match &returned.outcome {
            Some(Outcome::Success { misses, found }) => {
                format!("{found:?} after {misses} at {}", returned.event)
            }
            _ => format!("not told at {}", returned.event),
        });
    }
    let cancels = &choices.record(&trace).ranks[0].threads[0].cancels;
    lines.extend(cancels.iter().map(|it| format!("cancelled {}", it.receive)));
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn receives_are_in_the_order_of_their_posts() {
    check(
        "0: 1 irecv#1 2 irecv#2 3 recv<2(any) 4 wait<2#2(any) 5 wait<1#1(any,tag=7,anytag) 6 recv<1
         1: 1 send>0(tag=7) 2 send>0
         2: 1 send>0 2 send>0",
        expect![[r#"
            from 1, tag 7
            from 2
            from 2"#]],
    );
}

#[test]
fn the_place_of_a_request_in_an_array_is_not_told() {
    check(
        "0: 1 irecv#1 2 enter(MPI_Waitany) 3 wait<1#1(any) 4 leave(MPI_Waitany) 5 enter(MPI_Testany) 6 leave(MPI_Testany)
         1: 1 send>0",
        expect![[r#"
            from 1
            not told at 3"#]],
    );
}

#[test]
fn a_call_that_stands_for_several_polls_counts_as_so_many_misses() {
    check(
        "0: 1 irecv#1 2 enter(MPI_Test) 3 test#1 4 leave(MPI_Test) 5 enter(MPI_Test) !polls(7) 6 leave(MPI_Test) 7 enter(MPI_Iprobe) !polls(5) 8 leave(MPI_Iprobe) 10 enter(MPI_Test) 11 wait<1#1 12 leave(MPI_Test)
         1: 1 send>0",
        expect![[r#"Nothing after 13 at 10"#]],
    );
}

#[test]
fn polls_that_find_something_are_told_with_those_before_that_do_not() {
    check(
        "0: 1 enter(MPI_Iprobe) 2 leave(MPI_Iprobe) 3 enter(MPI_Iprobe) 4 probe<1(any) 5 leave(MPI_Iprobe) 6 recv<1(any) 7 irecv#1 8 enter(MPI_Testall) 9 leave(MPI_Testall) 10 enter(MPI_Test) 11 wait<1#1 12 leave(MPI_Test)
         1: 1 send>0 2 send>0",
        expect![[r#"
            from 1
            Message(Taken { source: 1, tag: None }) after 1 at 4
            Nothing after 1 at 11"#]],
    );
}
