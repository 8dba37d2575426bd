//! Receives count in the order of their posts.
#![forbid(unsafe_code)]

use mpiscope_rules::posts::{Posts, MOST};
use proptest::prelude::*;

#[test]
fn receives_count_in_the_order_of_their_posts() {
    let mut posts = Posts::default();
    let numbers: Vec<u64> = (0..5).map(|_| posts.post()).collect();
    let mut counted = Vec::new();
    for at in [2, 0, 4, 1] {
        // The second was cancelled.
        let got = (at != 1).then_some(at);
        posts.complete(numbers[at], got, |at| counted.push(at));
    }
    assert_eq!(counted, [0, 2]);
    posts.finish(|at| counted.push(at));
    assert_eq!(counted, [0, 2, 4]);
}

#[test]
fn one_that_never_completes_does_not_hold_up_all_others() {
    let mut posts = Posts::default();
    let forever = posts.post();
    let mut counted = 0;
    for _ in 0..2 * MOST {
        let number = posts.post();
        posts.complete(number, Some(()), |()| counted += 1);
        assert!(number <= MOST as u64 || counted > 0, "{number} waits");
    }
    assert_eq!(counted, 2 * MOST);
    posts.complete(forever, Some(()), |()| counted += 1);
    assert_eq!(posts.late(), 1);
}

proptest! {
    /// In whatever order receives complete, what counts is always the longest beginning of the
    /// posts in which all are complete, without those that got nothing.
    #[test]
    fn what_counts_is_the_complete_beginning(
        posted in 1..40usize,
        completions in prop::collection::vec((0..40usize, any::<bool>()), 0..80),
    ) {
        let mut posts = Posts::default();
        let numbers: Vec<u64> = (0..posted).map(|_| posts.post()).collect();
        let mut state: Vec<Option<bool>> = vec![None; posted];
        let mut counted = Vec::new();
        for (at, has_message) in completions {
            let Some(open) = state.get_mut(at).filter(|state| state.is_none()) else {
                continue;
            };
            *open = Some(has_message);
            posts.complete(numbers[at], has_message.then_some(at), |at| counted.push(at));
            let beginning = state.iter().take_while(|state| state.is_some());
            let expected: Vec<usize> = beginning
                .enumerate()
                .filter_map(|(at, state)| (*state == Some(true)).then_some(at))
                .collect();
            prop_assert_eq!(&counted, &expected);
        }
        prop_assert_eq!(posts.late(), 0);
    }
}
