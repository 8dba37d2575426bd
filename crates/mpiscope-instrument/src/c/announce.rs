//! Calls: found in expressions, listed, and announced before they are made.

use mpiscope_model::structure::Kind;
use tree_sitter::Node;

use super::{names, Walk};
use crate::library::is_c_operator;
use crate::tree::{children, lines};

/// Where an announcement may stand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    /// As a statement of its own, here.
    Statement(usize),
    /// As the left side of a comma, here.
    Comma(usize),
    /// Nowhere.
    Nowhere,
}

/// A call in an expression.
struct Call {
    name: String,
    kind: Kind,
    lines: (u32, u32),
}

impl<'a> Walk<'a> {
    /// Lists the calls in expressions, and announces them at the place.
    pub(super) fn announce(&mut self, expressions: &[Node<'a>], place: Anchor) {
        if let Some(call) = self.list(expressions) {
            let probe = match place {
                Anchor::Statement(offset) => Some((offset, format!("MPISCOPE_AT_({call}); "))),
                Anchor::Comma(offset) => Some((offset, format!("MPISCOPE_AT_({call}), "))),
                Anchor::Nowhere => None,
            };
            if let Some((offset, probe)) = probe {
                self.edits.insert(offset, probe);
                self.outline.probed(call);
            }
        }
        for expression in expressions {
            self.within(*expression);
        }
    }

    /// Lists calls; returns the first that wants to be announced.
    pub(super) fn list(&mut self, expressions: &[Node<'a>]) -> Option<u32> {
        let mut calls = Vec::new();
        for expression in expressions {
            self.collect(*expression, &mut calls);
        }
        let mut first = None;
        let refused = |lines: (u32, u32)| {
            let mut lines = lines.0..=lines.1;
            lines.any(|line| self.options.unannounced.contains(&line))
        };
        let refused = calls.iter().any(|call| refused(call.lines));
        for call in calls {
            let number = self.outline.add(call.kind, &call.name, call.lines);
            if call.kind == Kind::Call {
                first = first.or(Some(number));
            }
        }
        first.filter(|_| self.silent == 0 && self.options.calls && !refused)
    }

    fn collect(&self, node: Node<'a>, calls: &mut Vec<Call>) {
        if is_apart(node.kind()) {
            return;
        }
        if node.kind() == "call_expression" {
            calls.extend(self.call(node));
        }
        for child in children(node) {
            self.collect(child, calls);
        }
    }

    fn call(&self, node: Node) -> Option<Call> {
        let function = node.child_by_field_name("function")?;
        let name = names::called(self.text, node);
        // `int(x)` converts.
        if function.kind() == "primitive_type" || is_c_operator(&name) {
            return None;
        }
        let communication = ["MPI_", "PMPI_"].iter().any(|mpi| name.starts_with(mpi));
        let kind = if communication {
            Kind::Communication
        } else {
            Kind::Call
        };
        // A member's call is attributed to the line of the member's name.
        let named = function.child_by_field_name("field").unwrap_or(function);
        let lines = (lines(named).0, lines(node).1);
        Some(Call { name, kind, lines })
    }

    /// Returns whether a call in these expressions may be a macro that is no expression.
    pub(super) fn may_be_macro(&self, expression: Node<'a>) -> bool {
        let mut calls = Vec::new();
        self.collect(expression, &mut calls);
        calls.iter().any(|call| names::like_macro(&call.name))
    }

    /// Walks the procedures, blocks and classes within an expression or declaration.
    pub(super) fn within(&mut self, node: Node<'a>) {
        match node.kind() {
            "lambda_expression" => return self.lambda(node),
            // A block that has a value (GNU C).
            "compound_statement" => return self.block(node),
            "function_definition" | "class_specifier" | "struct_specifier" | "union_specifier" => {
                return self.item(node)
            }
            "call_expression" if names::like_macro(&names::called(self.text, node)) => {
                return self.silently(|walk| walk.all_within(node));
            }
            _ => {}
        }
        self.all_within(node);
    }

    fn all_within(&mut self, node: Node<'a>) {
        for child in children(node) {
            self.within(child);
        }
    }

    fn lambda(&mut self, node: Node<'a>) {
        let Some(body) = node.child_by_field_name("body") else {
            return;
        };
        let head = &self.text[node.start_byte()..body.start_byte()];
        let head = String::from_utf8_lossy(head).into_owned();
        self.body(node, body, "(lambda)", names::untouchable(&head));
    }
}

/// Not executed where it stands, or not at all.
fn is_apart(kind: &str) -> bool {
    matches!(
        kind,
        "lambda_expression"
            | "compound_statement"
            | "function_definition"
            | "class_specifier"
            | "struct_specifier"
            | "union_specifier"
            | "sizeof_expression"
            | "alignof_expression"
            | "offsetof_expression"
            | "decltype"
            | "noexcept"
            | "requires_expression"
            | "static_assert_declaration"
    )
}
