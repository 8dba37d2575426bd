//! Labels and jumps of one procedure: what leaves which loop?

use std::collections::HashMap;
use std::ops::Range;

use tree_sitter::Node;

use super::kinds::{action, is_short_if, way, Way};
use crate::tree::{children, text};

/// The labels and the jumps that may go to one of several.
#[derive(Default)]
pub(super) struct Jumps {
    labels: HashMap<u32, usize>,
    /// Where such a jump stands, and its labels; none are known of `goto i`.
    choices: Vec<(usize, Vec<u32>)>,
    /// The last statement of a labelled loop returns.
    pub returns_from_terminator: bool,
}

impl Jumps {
    /// Collects what is in the given parts of a procedure.
    pub fn of(source: &[u8], parts: &[Node]) -> Self {
        let mut jumps = Self::default();
        for part in parts {
            jumps.collect(source, *part);
        }
        jumps
    }

    fn collect(&mut self, source: &[u8], node: Node) {
        let number = || text(source, node).trim().parse().ok();
        let start = node.start_byte();
        match node.kind() {
            "statement_label" => {
                self.labels
                    .extend(number().map(|label: u32| (label, start)));
            }
            // The label at its end, which several loops may share.
            "do_loop" => {
                let head = children(node)
                    .into_iter()
                    .find(|part| part.kind() == "do_statement");
                let label = head.and_then(|head| head.child_by_field_name("do_label"));
                let label = label.and_then(|label| text(source, label).trim().parse().ok());
                self.labels
                    .extend(label.map(|label: u32| (label, node.end_byte() - 1)));
            }
            "end_do_label_loop_statement" => self.terminator(source, node),
            // A short `if` of several targets is one of these, too.
            "keyword_statement" | "arithmetic_if_statement" if way(source, node) == Way::Choice => {
                self.choices.push((start, references(source, node)));
            }
            // `end=10`, `err=10`, `eor=10`.
            "keyword_argument" => {
                let name = node
                    .child_by_field_name("name")
                    .map(|name| text(source, name));
                let jumps = ["end", "err", "eor"];
                let value = node
                    .child_by_field_name("value")
                    .map(|value| text(source, value));
                let label = value.and_then(|value| value.parse().ok());
                if let (Some(name), Some(label)) = (name, label) {
                    if jumps.contains(&&*name.to_lowercase()) {
                        self.choices.push((start, vec![label]));
                    }
                }
            }
            _ => {}
        }
        for child in children(node) {
            self.collect(source, child);
        }
    }

    /// Nothing can be put before the last statement of a labelled loop.
    fn terminator(&mut self, source: &[u8], node: Node) {
        for statement in children(node) {
            let done = if is_short_if(statement) {
                action(statement)
            } else {
                Some(statement)
            };
            match done.map(|done| way(source, done)) {
                Some(Way::Return) => self.returns_from_terminator = true,
                Some(Way::Goto(label)) => self.choices.push((node.start_byte(), vec![label])),
                Some(Way::Out(_)) => self.choices.push((node.start_byte(), Vec::new())),
                _ => {}
            }
        }
    }

    /// Counts the labels that a call may return to as jumps.
    pub fn alternate(&mut self, start: usize, labels: Vec<u32>) {
        self.choices.push((start, labels));
    }

    /// Returns whether a jump may leave a loop where nothing can be told before it.
    pub fn escape(&self, range: &Range<usize>) -> bool {
        let outside = |label: &u32| !self.labels.get(label).is_some_and(|at| range.contains(at));
        self.choices.iter().any(|(at, labels)| {
            range.contains(at) && (labels.is_empty() || labels.iter().any(outside))
        })
    }

    /// Returns whether a label stands in a range of the text.
    pub fn stands_in(&self, label: u32, range: &Range<usize>) -> bool {
        self.labels.get(&label).is_some_and(|at| range.contains(at))
    }
}

fn references(source: &[u8], node: Node) -> Vec<u32> {
    let labels = children(node).into_iter();
    let labels = labels.filter(|child| child.kind() == "statement_label_reference");
    labels
        .filter_map(|label| text(source, label).trim().parse().ok())
        .collect()
}
