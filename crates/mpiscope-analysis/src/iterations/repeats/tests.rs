//! Sequences drawn as letters, one moment apart; and sequences with a planted loop.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn steps(symbols: impl IntoIterator<Item = u32>) -> Vec<Step> {
    let symbols = symbols.into_iter().zip(0..);
    symbols.map(|(symbol, at)| Step { symbol, at }).collect()
}

fn found(symbols: &[u32]) -> Option<Repeat> {
    let steps = steps(symbols.iter().copied());
    strongest(&all(&steps, symbols.len() as i64))
}

/// Writes the symbol that comes back, and how often.
#[track_caller]
fn check(letters: &str, expected: &str) {
    let symbols: Vec<u32> = letters.bytes().map(u32::from).collect();
    let told = found(&symbols).map_or("nothing".to_owned(), |it| {
        format!("{} {}", char::from(it.symbol as u8), it.count)
    });
    assert_eq!(told, expected);
}

#[test]
fn the_last_of_a_loop_is_its_anchor() {
    check("abcabcabcabcabc", "c 4");
    check("xyzabcabcabcabcabcabcabcv", "c 6");
}

#[test]
fn an_inner_loop_may_turn_as_often_as_it_likes() {
    check("xbaabaaaabababaaaaabaaz", "b 5");
    check("bddaaabdabddaaaabddaabdabda", "b 5");
}

#[test]
fn a_helper_that_is_called_twice_does_not_halve_iterations() {
    check("rsrrsrrsrrsrrsrrsrrsrrsr", "s 7");
}

#[test]
fn what_happens_now_and_then_does_not_divide_a_loop() {
    check("abababababababababcabababababababababababababab", "b 22");
}

#[test]
fn a_poll_that_succeeds_every_other_time_does_not_divide_a_loop() {
    check(
        "abcabcabpcabpcabcabpcabcabcabcabpcabpcabcabpcabcabcabcabpcabc",
        "c 17",
    );
}

#[test]
fn what_happens_in_every_second_or_third_step_divides_nothing() {
    for steps in 10..80 {
        for every in [2, 3, 5] {
            let step = |number: usize| match number % every {
                0 => "abcd",
                _ => "abc",
            };
            let letters: String = (0..steps).map(step).collect();
            check(&letters, &format!("c {}", steps - 1));
        }
    }
}

/// A step of one statement is nothing beside what comes with every third.
#[test]
fn what_is_most_of_a_step_divides_it() {
    check(&"aaab".repeat(20), "b 19");
}

#[test]
fn what_does_not_come_back_is_no_loop() {
    check("", "nothing");
    check("aaa", "nothing");
    check("abcdefghijkl", "nothing");
    check("abcdeafghijaklmn", "nothing");
    // Often the same, and never the same between.
    check("abcdaefgahijaklmanopaqrs", "nothing");
}

/// Most turns of a loop last no time, and some a thousand: of two loops the one with alike turns.
#[test]
fn turns_of_a_loop_may_last_as_long_as_they_like() {
    let turn = |turn: usize| [1000, 30, 0][turn % 3];
    let mut at = 0;
    let mut steps: Vec<Step> = Vec::new();
    for number in 0..30 {
        steps.extend([0, 1, 1].map(|symbol| Step { symbol, at }));
        at += turn(number);
        steps.push(Step { symbol: 2, at });
    }
    let found = strongest(&all(&steps, at)).unwrap();
    assert_eq!((found.symbol, found.count), (2, 29));
    assert!(
        found.alike < LEAST_ALIKE && found.strength < WEAKEST,
        "{found:?}"
    );
    for _ in 0..30 {
        at += 1000;
        steps.push(Step { symbol: 3, at });
    }
    let found = strongest(&all(&steps, at)).unwrap();
    assert_eq!((found.symbol, found.count), (3, 29));
}

/// Tells of a symbol what [`Bodies`] tells, set by set.
fn brute(steps: &[Step], symbol: u32) -> (usize, i64, Vec<BTreeSet<u32>>) {
    let at: Vec<usize> = (0..steps.len())
        .filter(|it| steps[*it].symbol == symbol)
        .collect();
    let body = |pair: &[usize]| {
        steps[pair[0] + 1..=pair[1]]
            .iter()
            .map(|it| it.symbol)
            .collect()
    };
    let bodies: Vec<BTreeSet<u32>> = at.windows(2).map(body).collect();
    let time = match (at.first(), at.last()) {
        (Some(first), Some(last)) => steps[*last].at - steps[*first].at,
        _ => 0,
    };
    (bodies.len(), time, bodies)
}

proptest! {
    #[test]
    fn bodies_are_the_sets_between_occurrences(symbols in prop::collection::vec(0u32..5, 1..60), symbol in 0u32..5) {
        let steps = steps(symbols);
        let bodies = Bodies::of(&steps, symbol).unwrap();
        let (count, time, sets) = brute(&steps, symbol);
        prop_assert_eq!((bodies.count, bodies.time), (count, time));
        let known: i64 = bodies.sets.values().flat_map(|it| &it.times).sum();
        prop_assert_eq!(known, time);
        let mut told: Vec<(BTreeSet<u32>, usize)> = (bodies.sets.values())
            .map(|it| (it.symbols.iter().copied().collect(), it.times.len()))
            .collect();
        told.sort();
        let different: BTreeSet<BTreeSet<u32>> = sets.iter().cloned().collect();
        let expected: Vec<(BTreeSet<u32>, usize)> = different
            .into_iter()
            .map(|set| { let often = sets.iter().filter(|it| **it == set).count(); (set, often) })
            .collect();
        prop_assert_eq!(told, expected);
    }

    /// A loop between a prologue and an epilogue of other calls, with an inner loop and polls that
    /// turn as often as they are drawn, is found with all its iterations.
    #[test]
    fn a_planted_loop_is_found(
        prologue in prop::collection::vec(20u32..40, 0..6),
        epilogue in prop::collection::vec(20u32..40, 0..6),
        body in 2u32..8,
        turns in prop::collection::vec((0usize..4, 1usize..5), 12..40),
    ) {
        let mut symbols: Vec<u32> = prologue;
        for (polls, inner) in &turns {
            symbols.extend(0..body);
            symbols.extend(std::iter::repeat_n(10, *polls));
            symbols.extend(std::iter::repeat_n([11, 12], *inner).flatten());
            symbols.push(13);
        }
        symbols.extend(epilogue);
        let found = found(&symbols).unwrap();
        prop_assert_eq!(found.count, turns.len() - 1);
        prop_assert!(found.symbol < body || found.symbol == 13, "{}", found.symbol);
    }

    /// Some calls occur in some steps, which last as long as they like within bounds, and few
    /// much longer: it is the steps that are found, whatever they last.
    #[test]
    fn steps_are_found_whichever_calls_occur_in_them(
        body in 4u32..8,
        often in prop::collection::vec(1usize..6, 1..3),
        lasts in prop::collection::vec((10i64..20, 0usize..50), 12..80),
        others in prop::collection::vec((10i64..20, 0usize..50), 80),
    ) {
        let steps = |lasts: &[(i64, usize)]| {
            let (mut at, mut steps) = (0, Vec::new());
            for (number, (time, seldom)) in lasts.iter().enumerate() {
                at += if *seldom == 0 { 5 * time } else { *time };
                let some = (20..).zip(&often).filter(|(_, every)| number % **every == 0);
                let all = (0..body - 1).chain(some.map(|it| it.0)).chain([body - 1]);
                steps.extend(all.map(|symbol| Step { symbol, at }));
            }
            (steps, at)
        };
        let found = |lasts: &[(i64, usize)]| {
            let (steps, span) = steps(lasts);
            strongest(&all(&steps, span)).map(|it| (it.symbol, it.count))
        };
        let first = found(&lasts);
        prop_assert_eq!(first, Some((body - 1, lasts.len() - 1)));
        prop_assert_eq!(first, found(&others[..lasts.len()]), "in another run of the program");
    }

    /// What a symbol is called does not matter.
    #[test]
    fn names_of_symbols_do_not_matter(symbols in prop::collection::vec(0u32..6, 0..80)) {
        let renamed: Vec<u32> = symbols.iter().map(|it| (it * 5 + 3) % 7).collect();
        let key = |it: Option<Repeat>| it.map(|it| it.count);
        let (a, b) = (found(&symbols), found(&renamed));
        prop_assert_eq!(key(a), key(b));
    }

    #[test]
    fn what_never_comes_back_often_is_nothing(symbols in Just((0u32..60).collect::<Vec<u32>>()).prop_shuffle()) {
        prop_assert_eq!(found(&symbols), None);
    }
}
