//! DEPENDENCIES.md names every library that we ask for, who asks, and why; the Rust that is asked
//! for is the same everywhere.
#![forbid(unsafe_code)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use common::{process, workspace};
use serde_json::Value;

/// A library, and the crates that ask for it, in brackets if for their tests alone.
type Asked = BTreeMap<String, BTreeSet<String>>;

#[test]
fn every_library_has_a_row_with_its_reason() {
    assert_eq!(documented(), actual());
}

fn documented() -> Asked {
    let text = read("DEPENDENCIES.md");
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, who, why] = cells[..] else {
            panic!("three cells are expected: {line}")
        };
        assert!(why.len() > 15 && why.ends_with('.'), "no reason: {line}");
        let who = who.split(", ").map(|name| name.replace('`', ""));
        (name.replace('`', ""), who.collect())
    };
    rows.map(row).collect()
}

fn actual() -> Asked {
    let mut asked = Asked::new();
    for package in metadata()["packages"].as_array().unwrap() {
        let all = package["dependencies"].as_array().unwrap().iter();
        let others: Vec<&Value> = all.filter(|it| it["path"].is_null()).collect();
        for library in &others {
            let is_used = |it: &&Value| it["name"] == library["name"] && it["kind"].is_null();
            let of = package["name"].as_str().unwrap();
            let of = match others.iter().copied().any(|it| is_used(&it)) {
                true => of.to_owned(),
                false => format!("({of})"),
            };
            let name = library["name"].as_str().unwrap().to_owned();
            asked.entry(name).or_default().insert(of);
        }
    }
    asked
}

fn metadata() -> Value {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version=1", "--no-deps", "--offline"]);
    let done = process::run(cargo.current_dir(workspace()));
    done.check(0, &[]);
    serde_json::from_str(&done.out).unwrap()
}

/// The compiler that is tested is newer: clippy's lint `incompatible_msrv` reads this number, and
/// names what the standard library has had for a shorter time.
#[test]
fn one_oldest_rust_is_asked_for_everywhere() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let asked: BTreeSet<&str> = packages
        .iter()
        .map(|it| it["rust_version"].as_str().unwrap())
        .collect();
    let asked: Vec<&str> = asked.into_iter().collect();
    let [oldest] = asked[..] else {
        panic!("{asked:?}")
    };
    for page in ["README.md", "CONTRIBUTING.md", "book/src/install.md"] {
        assert!(read(page).contains(&format!("Rust {oldest}")), "{page}");
    }
    let lints = &read("Cargo.toml");
    assert!(lints.contains("incompatible_msrv = \"deny\""));
}

fn read(page: &str) -> String {
    std::fs::read_to_string(workspace().join(page)).unwrap()
}
