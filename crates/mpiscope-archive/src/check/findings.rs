//! What was found against the rules: counted, and the first of each with their places.

use std::collections::BTreeMap;

use super::rules::Rule;

/// Places that are kept of each rule.
pub const PLACES: usize = 5;

/// Where something is against a rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The file's name within the archive.
    pub file: String,
    /// The location, of events.
    pub location: Option<u64>,
    /// The number of the event, or of the definition, from 1.
    pub record: Option<u64>,
    /// The byte in the file where the record begins.
    pub offset: Option<u64>,
    /// What is wrong there.
    pub what: String,
}

/// All that is against one rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finding {
    /// How often.
    pub count: u64,
    /// The first of them.
    pub places: Vec<Place>,
}

/// All that is against any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings(BTreeMap<Rule, Finding>);

impl Findings {
    /// Adds one; its place is asked for if it is among the first.
    pub fn add(&mut self, rule: Rule, place: impl FnOnce() -> Place) {
        let finding = self.0.entry(rule).or_default();
        finding.count += 1;
        if finding.places.len() < PLACES {
            finding.places.push(place());
        }
    }

    /// Adds those of another part of the archive, behind these.
    pub fn merge(&mut self, others: Findings) {
        for (rule, other) in others.0 {
            let finding = self.0.entry(rule).or_default();
            finding.count += other.count;
            let room = PLACES - finding.places.len();
            finding.places.extend(other.places.into_iter().take(room));
        }
    }

    /// Returns what is against each rule, in the rules' order.
    pub fn iter(&self) -> impl Iterator<Item = (Rule, &Finding)> {
        self.0.iter().map(|(rule, finding)| (*rule, finding))
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether something could not be read.
    pub fn is_damaged(&self) -> bool {
        self.0.keys().any(|rule| rule.is_damage())
    }
}
