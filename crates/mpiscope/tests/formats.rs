//! FORMATS.md has the number of every format as the sources have it.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::workspace;

/// A source file, and the number in it.
type Numbers = BTreeMap<String, u32>;

#[test]
fn the_table_has_the_number_of_every_format() {
    let mut actual = Numbers::new();
    numbers(&workspace().join("crates"), &mut actual);
    assert!(actual.len() > 10, "{actual:?}");
    assert_eq!(documented(), actual);
}

fn documented() -> Numbers {
    let text = fs::read_to_string(workspace().join("FORMATS.md")).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, _, _, number, source, ..] = cells[..] else {
            return None;
        };
        let source = source.trim_matches('`');
        Some((source.to_owned(), number.parse().ok()?))
    };
    text.lines().filter_map(row).collect()
}

/// Collects what sources declare as `const VERSION: u32 = 1;` or by the two other names.
fn numbers(folder: &Path, found: &mut Numbers) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("tests") {
            numbers(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let source = path
                .strip_prefix(workspace())
                .unwrap()
                .display()
                .to_string();
            found.extend(text.lines().find_map(number).map(|number| (source, number)));
        }
    }
}

fn number(line: &str) -> Option<u32> {
    let (_, declared) = line.split_once("const ")?;
    let (name, value) = declared.split_once(": u32 = ")?;
    let is_format = ["VERSION", "FORMAT", "INTERFACE"].contains(&name);
    value
        .trim_end_matches(';')
        .parse()
        .ok()
        .filter(|_| is_format)
}
