//! What the book says of JSON, against what is printed.

use serde_json::Value;

use super::workspace;

/// Expects in an object just the keys that a table of the book names.
#[track_caller]
pub fn has_documented_keys(object: &Value, heading: &str, table: &str) {
    let book = std::fs::read_to_string(workspace().join("book/src/json.md")).unwrap();
    let part = book.split("\n## ").find(|part| part.starts_with(heading));
    let part = part.unwrap_or_else(|| panic!("no {heading} in the book"));
    let rows = part.split_once(&format!("| {table} |")).unwrap().1;
    let rows = rows
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let cells = rows.map(|row| row.split('|').nth(1).unwrap());
    let mut named: Vec<&str> = cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    named.sort_unstable();
    let mut found: Vec<&String> = object.as_object().unwrap().keys().collect();
    found.sort_unstable();
    assert_eq!(named, found, "{heading}, {table}");
}
