//! The book's pages of definitions: each has a run as text, its picture and what the analysis finds
//! in it, and all three belong together. `UPDATE_EXPECT=1` writes the pictures and what is found anew.
#![forbid(unsafe_code)]

#[path = "../common/mod.rs"]
mod common;
mod facts;
mod page;

use std::collections::BTreeSet;

use common::shown;
use expect_test::expect_file;
use facts::Facts;
use mpiscope_analysis::wait_states::Kind;
use mpiscope_picture::{draw, Choice};
use page::{book, Page};

/// What a page shows of what the analysis knows.
type Told = fn(&Facts) -> Vec<String>;

/// The pages that are no wait state's, each with what it shows; wait states' are found by their names.
const OTHERS: [(&str, Told); 14] = [
    ("late-sender-wrong-order", Facts::wrong_order),
    ("late-receiver-wrong-order", Facts::wrong_order),
    ("late-complete", Facts::late_complete),
    ("barrier-completion", Facts::completion),
    ("n-x-n-completion", Facts::completion),
    ("critical-path", Facts::critical_path),
    ("imbalance", Facts::imbalance),
    ("parallel-efficiency", Facts::efficiency),
    ("load-balance", Facts::efficiency),
    ("communication-efficiency", Facts::efficiency),
    ("serialization-efficiency", Facts::efficiency),
    ("transfer-efficiency", Facts::efficiency),
    ("iterations", Facts::iterations),
    ("growing-iterations", Facts::growth),
];

/// Other pages of the book with the picture of a run.
const PICTURED: [&str; 2] = ["causes", "whatif"];

fn page_of(name: &str) -> Page {
    Page::read(&format!("definitions/{name}"))
}

fn name_of(kind: Kind) -> String {
    kind.name().replace(' ', "-")
}

fn pages() -> Vec<(String, Told)> {
    let waits = Kind::ALL.map(|kind| (name_of(kind), Facts::waits as Told));
    let others = OTHERS.map(|(name, told)| (name.to_owned(), told));
    waits.into_iter().chain(others).collect()
}

#[test]
fn each_picture_is_that_of_the_run_on_its_page() {
    let choice = Choice {
        width: 720,
        ..Choice::default()
    };
    let defined = pages().into_iter().map(|(name, _)| page_of(&name));
    for page in defined.chain(PICTURED.map(Page::read)) {
        let shown = shown(&page.block("fixture"), page.title());
        let drawn = draw(&shown, &choice).unwrap();
        expect_file![page.picture()].assert_eq(&drawn.svg());
    }
}

#[test]
fn each_page_says_what_the_analysis_finds_in_its_run() {
    for (name, told) in pages() {
        let page = page_of(&name);
        let found = told(&Facts::of(&page.block("fixture"))).join("\n");
        expect_file![page.path()].assert_eq(&page.with_block("found", &found));
    }
}

#[test]
fn each_wait_state_is_found_in_the_run_on_its_page() {
    for kind in Kind::ALL {
        let found = page_of(&name_of(kind)).block("found");
        let begin = format!("{}: ", kind.name());
        assert!(
            found.lines().any(|line| line.starts_with(&begin)),
            "{found}"
        );
    }
}

/// The figures that are found follow from the formula, which is worked out beside it.
#[test]
fn each_page_works_out_what_is_found() {
    for (name, _) in pages() {
        let page = page_of(&name);
        let formula = page::figures(page.section("Formula"));
        let found = page::figures(&page.block("found"));
        assert!(!found.is_empty(), "{name}");
        for figure in found {
            assert!(
                formula.contains(&figure),
                "{name}: no {figure} in {formula:?}"
            );
        }
        assert!(!page.section("What to do").trim().is_empty(), "{name}");
    }
}

#[test]
fn pages_are_in_the_table_of_contents_and_each_is_tested() {
    let tested: BTreeSet<String> = pages().into_iter().map(|(name, _)| name).collect();
    let mut there = page::names();
    assert!(there.remove("index"));
    assert_eq!(there, tested);
    let summary = std::fs::read_to_string(book().join("SUMMARY.md")).unwrap();
    let analyze = std::fs::read_to_string(book().join("analyze.md")).unwrap();
    for name in there {
        let link = format!("(definitions/{name}.md)");
        assert!(summary.contains(&link), "{link} in SUMMARY.md");
        assert!(analyze.contains(&link), "{link} in analyze.md");
    }
}

#[test]
fn links_of_the_pages_lead_to_files() {
    for name in page::names() {
        for link in page_of(&name).links() {
            let target = book().join("definitions").join(&link);
            assert!(target.is_file(), "{name}: {link}");
        }
    }
}
