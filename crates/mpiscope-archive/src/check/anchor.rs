//! The anchor: how its properties are spelled, and what it counts.

use otf2::{Anchor, Definition};

use super::findings::{Findings, Place};
use super::rules::Rule;

/// Whether a property is named as libotf2 asks for.
pub(crate) fn is_property_name(name: &str) -> bool {
    let letter = |byte: u8| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_');
    let part = |part: &str| !part.is_empty() && part.bytes().all(letter);
    name.split("::").count() >= 2 && name.split("::").all(part)
}

/// What there is of things that the anchor counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted {
    /// All definitions could be read.
    pub complete: bool,
    pub thumbnails: u32,
}

/// Looks at an anchor.
pub(super) fn look(
    file: &str,
    anchor: &Anchor,
    definitions: &[Definition],
    counted: Counted,
    findings: &mut Findings,
) {
    let mut add = |rule, what: String| {
        let place = Place {
            file: file.to_owned(),
            what,
            ..Place::default()
        };
        findings.add(rule, || place);
    };
    for (name, value) in &anchor.properties {
        if !is_property_name(name) {
            add(Rule::PropertyName, format!("{name:?}"));
        }
        if value.is_empty() {
            add(Rule::PropertyValue, format!("{name} is empty"));
        }
    }
    let is_location = |it: &&Definition| matches!(it, Definition::Location { .. });
    let locations = definitions.iter().filter(is_location).count() as u64;
    let mut count = |what: &str, said: u64, found: u64| {
        if said != found {
            let what = format!("{found} {what}, the anchor tells of {said}");
            add(Rule::AnchorCounts, what);
        }
    };
    if counted.complete {
        count("locations", anchor.locations, locations);
        count("definitions", anchor.definitions, definitions.len() as u64);
    }
    let thumbnails = counted.thumbnails.into();
    count("thumbnails", anchor.thumbnails.into(), thumbnails);
}
