//! What is written for other programs: JSON that is documented, XML that is well-formed.

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

/// Checks that elements are nested, attributes quoted, and no markup stands in text.
#[track_caller]
pub fn check_xml(text: &str) {
    let body = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    let body = body.unwrap_or(text);
    let mut open: Vec<&str> = Vec::new();
    for part in body.split('<').skip(1) {
        let (tag, after) = part.split_once('>').unwrap_or_else(|| panic!("{part}"));
        assert!(!after.contains('>'), "{part}");
        assert!(tag.matches('"').count() % 2 == 0, "{tag}");
        let name = tag
            .trim_start_matches('/')
            .split([' ', '/'])
            .next()
            .unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for reference in text.split('&').skip(1) {
        let name = reference.split(';').next().unwrap();
        assert!(["amp", "lt", "gt", "quot"].contains(&name), "{name}");
    }
}
