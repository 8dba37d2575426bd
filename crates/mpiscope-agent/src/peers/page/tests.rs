//! What ranks can tell of each other by the page.

use super::*;

#[test]
fn who_is_late_or_waits_without_a_choice_sends_nothing_earlier() {
    let folder = std::env::temp_dir().join(format!("mpiscope-other-{}", std::process::id()));
    let page = Page::open(&folder, 3).unwrap();
    let _ = std::fs::remove_file(&folder);
    (0..3).for_each(|rank| page.come(rank));
    let other = |at| page.other(1, (at, 0), 100, false);
    let shown = page.published(1).unwrap();
    shown.run(40);
    assert_eq!((other(59), other(60)), (Other::Past, Other::Runs));
    // In a call its time stands.
    shown.stand(50);
    assert_eq!((other(49), other(50)), (Other::Past, Other::Runs));
    page.begin(1);
    assert_eq!(other(60), Other::Waits(1, 0));
    // It could choose something: who goes on first does so first, at the same time the lower rank.
    page.turn(1, 70);
    assert_eq!(
        (other(69), other(70)),
        (Other::Waits(1, 1), Other::Waits(1, 1))
    );
    assert_eq!(other(71), Other::Runs);
    assert_eq!(page.other(1, (70, 2), 100, false), Other::Runs);
    let before = page.activity_beside(1);
    page.end(1);
    assert_eq!((other(80), page.activity_beside(1)), (Other::Past, before));
}

#[test]
fn all_choose_in_the_same_quiet_moment() {
    let folder = std::env::temp_dir().join(format!("mpiscope-page-{}", std::process::id()));
    let pages: Vec<Page> = (0..3).map(|_| Page::open(&folder, 3).unwrap()).collect();
    let _ = std::fs::remove_file(&folder);
    assert!(!pages[0].is_complete());
    (0..3).for_each(|rank| pages[rank].come(rank));
    assert!(pages[2].is_complete());
    pages[2].end(2);
    let mut first = pages[0].begin(0);
    (0..100).for_each(|_| first.turn(0, None));
    assert_eq!(pages[1].round(), 0, "rank 1 runs");
    let mut second = pages[1].begin(1);
    (0..100).for_each(|_| second.turn(0, None));
    assert_eq!(pages[0].round(), 0, "rank 0 has not looked since");
    (0..100).for_each(|_| first.turn(0, None));
    assert_eq!(pages[1].round(), 1);
    pages[0].chose(0, 1);
    pages[0].try_end(1);
    assert_eq!(pages[0].round(), 1, "rank 1 has not chosen");
    pages[1].chose(1, 1);
    pages[1].try_end(1);
    assert_eq!(pages[0].round(), 2);
}
