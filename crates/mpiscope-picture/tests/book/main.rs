//! The book: its links, and its pages of definitions. Each of these has a run as text, its picture
//! and what the analysis finds in it, and all three belong together. `UPDATE_EXPECT=1` writes the
//! pictures and what is found anew.
#![forbid(unsafe_code)]

#[path = "../common/mod.rs"]
mod common;
mod facts;
mod links;
mod page;
mod whatif;

use std::collections::BTreeSet;

use common::shown;
use expect_test::expect_file;
use facts::Facts;
use mpiscope_analysis::verdict::Kind as Loss;
use mpiscope_analysis::wait_states::Kind;
use mpiscope_picture::{draw, Choice};
use page::Page;

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

/// The pages of what the verdict tells as lost.
const LOSSES: [(Loss, &str); 17] = [
    (Loss::GrowingIterations, "growing-iterations"),
    (Loss::SmallMessages, "small-messages"),
    (Loss::WrongOrder, "late-sender-wrong-order"),
    (Loss::Contention, "contention"),
    (Loss::Barrier, "needless-barrier"),
    (Loss::FileAccess, "file-access"),
    (Loss::SlowRank, "slow-rank"),
    (Loss::Serialization, "ranks-take-turns"),
    (Loss::LateSenderChain, "late-sender-chain"),
    (Loss::UnevenComputation, "uneven-computation"),
    (Loss::UnevenThreads, "uneven-threads"),
    (Loss::SlowCall, "slow-call"),
    (Loss::SlowCompletion, "slow-completion"),
    (Loss::LateProgress, "late-progress"),
    (Loss::Waiting, "waiting-unexplained"),
    (Loss::Transfer, "time-in-mpi"),
    (Loss::StartUp, "start-up"),
];

/// Other pages of the book with the picture of a run.
const PICTURED: [&str; 2] = ["causes", "whatif"];

fn page_of(name: &str) -> Page {
    Page::read(&format!("definitions/{name}"))
}

fn name_of(kind: Kind) -> String {
    kind.name().replace(' ', "-")
}

fn pages() -> BTreeSet<String> {
    let waits = Kind::ALL.map(name_of);
    let others = OTHERS.map(|(name, _)| name.to_owned());
    let losses = LOSSES.map(|(_, name)| name.to_owned());
    waits.into_iter().chain(others).chain(losses).collect()
}

/// Returns what a page shows of what the analysis finds.
fn found(name: &str, facts: &Facts) -> Vec<String> {
    let waits = Kind::ALL.into_iter().filter(|kind| name_of(*kind) == name);
    let others = OTHERS.iter().filter(|it| it.0 == name);
    let losses = LOSSES.iter().filter(|it| it.1 == name);
    let told = waits.flat_map(|_| facts.waits());
    let told = told.chain(others.flat_map(|it| it.1(facts)));
    told.chain(losses.flat_map(|it| facts.losses(it.0)))
        .collect()
}

#[test]
fn each_picture_is_that_of_the_run_on_its_page() {
    let choice = Choice {
        width: 720,
        ..Choice::default()
    };
    let defined = pages().into_iter().map(|name| page_of(&name));
    for page in defined.chain(PICTURED.map(Page::read)) {
        let shown = shown(&page.shown(), page.title());
        let drawn = draw(&shown, &choice).unwrap();
        expect_file![page.picture()].assert_eq(&drawn.svg());
    }
}

#[test]
fn each_page_says_what_the_analysis_finds_in_its_run() {
    for name in pages() {
        let page = page_of(&name);
        let found = found(&name, &Facts::of(&page.run())).join("\n");
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

#[test]
fn each_loss_is_found_in_the_run_on_its_page() {
    for (kind, name) in LOSSES {
        let facts = Facts::of(&page_of(name).run());
        assert!(!facts.losses(kind).is_empty(), "{name}");
    }
}

/// The figures that are found follow from the formula, which is worked out beside it.
#[test]
fn each_page_works_out_what_is_found() {
    for name in pages() {
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
fn the_page_on_root_causes_has_the_costs_of_its_run() {
    let page = Page::read("causes");
    let costs = Facts::of(&page.block("fixture")).costs();
    assert_eq!(costs.len(), 8);
    for cost in costs {
        assert!(page.blocks().contains(&cost), "{cost}");
    }
}

#[test]
fn each_page_is_tested_and_reached_from_a_table() {
    let mut there = page::pages_below("definitions");
    assert!(there.remove("definitions/index"));
    let tested: BTreeSet<String> = pages()
        .iter()
        .map(|it| format!("definitions/{it}"))
        .collect();
    assert_eq!(there, tested);
    let tables = [Page::read("analyze"), Page::read("verdict")].map(|page| page.links());
    for name in there {
        let target = format!("{name}.md");
        assert!(tables.concat().contains(&target), "{target} in a table");
    }
}
