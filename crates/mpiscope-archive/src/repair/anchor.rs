//! The anchor: properties that others read without complaint, and what was done.

use std::collections::HashSet;

use otf2::Anchor;

use super::Changes;
use crate::check::anchor::is_property_name;
use crate::check::findings::Findings;
use crate::check::rules::Mend;

/// Property of a mended archive: which rules were broken, and how often.
pub const REPAIRED: &str = "MPISCOPE::REPAIRED";
/// Property of a mended archive: events that were added, left out, changed, and held in time.
pub const REPAIRED_EVENTS: &str = "MPISCOPE::REPAIRED_EVENTS";

/// Returns the properties of a mended archive.
pub(super) fn properties(
    old: &Anchor,
    findings: &Findings,
    changes: Changes,
) -> Vec<(String, String)> {
    let mut taken = HashSet::new();
    let mut all: Vec<(String, String)> = Vec::new();
    for (name, value) in &old.properties {
        if !value.is_empty() {
            all.push((free(name, &mut taken), value.clone()));
        }
    }
    let mended = findings.iter().filter_map(|(rule, finding)| {
        let row = rule.row();
        matches!(row.mend, Mend::By(_)).then(|| format!("{} {}", row.id, finding.count))
    });
    let mended: Vec<String> = mended.collect();
    let events = [
        ("added", changes.added),
        ("left out", changes.left_out),
        ("changed", changes.changed),
        ("held", changes.held),
    ];
    let events = events.map(|(what, count)| format!("{what} {count}"));
    tell(&mut all, REPAIRED, mended.join(", "));
    tell(&mut all, REPAIRED_EVENTS, events.join(", "));
    all
}

/// Adds a property, or what it says to one of that name: an archive may be mended again.
fn tell(all: &mut Vec<(String, String)>, name: &str, value: String) {
    match all.iter_mut().find(|(known, _)| known == name) {
        Some((_, earlier)) => *earlier = format!("{earlier}; {value}"),
        None => all.push((name.to_owned(), value)),
    }
}

/// Returns a name as it is, if others accept it, or one that is like it and nobody else's.
fn free(name: &str, taken: &mut HashSet<String>) -> String {
    let name = match is_property_name(name) {
        true => name.to_owned(),
        false => spelled(name),
    };
    let others = (2..).map(|number: u64| format!("{name}_{number}"));
    let mut names = std::iter::once(name.clone()).chain(others);
    let free = names.find(|name| taken.insert(name.clone()));
    free.unwrap_or(name)
}

/// Spells a name as libotf2 asks for.
fn spelled(name: &str) -> String {
    let letter = |letter: char| match letter.to_ascii_uppercase() {
        letter @ ('A'..='Z' | '0'..='9') => letter,
        _ => '_',
    };
    let parts = name.split("::").filter(|part| !part.is_empty());
    let parts: Vec<String> = parts
        .map(|part| part.chars().map(letter).collect())
        .collect();
    match &parts[..] {
        [] => "OTHER::_".to_owned(),
        [only] => format!("OTHER::{only}"),
        some => some.join("::"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_as_others_ask_for() {
        let check = |name: &str, expected: &str| {
            let found = free(name, &mut HashSet::new());
            assert_eq!(found, expected);
            assert!(is_property_name(&found), "{found}");
        };
        check("A::B", "A::B");
        check("A.:B", "OTHER::A__B");
        check("heat::run-2", "HEAT::RUN_2");
        check("::grün::", "OTHER::GR_N");
        check("", "OTHER::_");
    }

    #[test]
    fn of_two_names_that_become_one_the_later_gets_a_number() {
        let mut taken = HashSet::new();
        let names = ["a::b", "A::B", "A::B"].map(|name| free(name, &mut taken));
        assert_eq!(names, ["A::B", "A::B_2", "A::B_3"]);
    }

    #[test]
    fn what_was_done_before_is_still_told() {
        let mut anchor = Anchor::default();
        anchor.properties = vec![(REPAIRED.to_owned(), "event-count 1".to_owned())];
        let found = properties(&anchor, &Findings::default(), Changes::default());
        assert_eq!(found[0].1, "event-count 1; ");
    }
}
