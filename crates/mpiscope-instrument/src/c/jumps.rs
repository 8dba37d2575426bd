//! Jumps and labels of a procedure: who could jump past a guard?

use tree_sitter::Node;

use crate::tree::{children, text};

/// The jumps of one procedure.
#[derive(Default)]
pub(super) struct Jumps<'a> {
    /// Where a `goto` stands, and its label.
    gotos: Vec<(usize, &'a str)>,
    /// A label's address is taken, or assembly jumps.
    unknown: bool,
}

impl<'a> Jumps<'a> {
    /// Collects the jumps in a body.
    pub fn of(source: &'a [u8], body: Node) -> Self {
        let mut jumps = Self::default();
        jumps.collect(source, body);
        jumps
    }

    fn collect(&mut self, source: &'a [u8], node: Node) {
        match node.kind() {
            "goto_statement" => {
                let label = node.child_by_field_name("label");
                match label {
                    Some(label) => self.gotos.push((node.start_byte(), text(source, label))),
                    None => self.unknown = true,
                }
            }
            "gnu_asm_goto_list" => self.unknown = true,
            _ => {}
        }
        for child in children(node) {
            self.collect(source, child);
        }
    }

    /// Returns whether something outside of a loop may jump into it.
    pub fn enter(&self, source: &[u8], loop_: Node) -> bool {
        self.enter_part(source, loop_, loop_, false)
    }

    /// In a `switch` of the loop, `case` is no jump from outside.
    fn enter_part(&self, source: &[u8], loop_: Node, node: Node, in_switch: bool) -> bool {
        let jumped = match node.kind() {
            "labeled_statement" => {
                let name = node.child_by_field_name("label").map(|l| text(source, l));
                let outside = |(offset, label): &(usize, &str)| {
                    Some(*label) == name && !loop_.byte_range().contains(offset)
                };
                self.unknown || self.gotos.iter().any(outside)
            }
            // Its switch stands around the loop, as in Duff's device.
            "case_statement" => !in_switch,
            _ => false,
        };
        let in_switch = in_switch || node.kind() == "switch_statement";
        let parts = children(node).into_iter();
        let mut parts = parts.filter(|part| part.kind() != "lambda_expression");
        jumped || parts.any(|part| self.enter_part(source, loop_, part, in_switch))
    }
}

/// Returns whether a body suspends itself: its guard would outlive the call.
pub(super) fn is_coroutine(body: Node) -> bool {
    let suspends = [
        "co_await_expression",
        "co_yield_statement",
        "co_return_statement",
    ];
    children(body).into_iter().any(|node| {
        suspends.contains(&node.kind())
            || (node.kind() != "lambda_expression" && is_coroutine(node))
    })
}
