//! Calls and references of functions, as far as the text tells them from arrays.

use std::collections::HashSet;

use mpiscope_model::structure::Kind;
use tree_sitter::Node;

use super::Walk;
use crate::library::is_fortran_intrinsic;
use crate::tree::{children, lines, text};

impl<'a> Walk<'a> {
    /// Lists the calls in some nodes; returns the first that wants to be announced.
    pub(super) fn list(&mut self, nodes: &[Node<'a>]) -> Option<u32> {
        let mut calls = Vec::new();
        for node in nodes {
            self.collect(*node, &mut calls);
        }
        let mut first = None;
        for (kind, name, lines) in calls {
            let number = self.outline.add(kind, &name, lines);
            if kind == Kind::Call {
                first = first.or(Some(number));
            }
        }
        first.filter(|_| self.silent == 0 && self.options.calls)
    }

    /// Returns whether anything is called in a node.
    pub(super) fn calls(&self, node: Node<'a>) -> bool {
        self.call(node).is_some() || children(node).into_iter().any(|child| self.calls(child))
    }

    fn collect(&self, node: Node<'a>, calls: &mut Vec<(Kind, String, (u32, u32))>) {
        calls.extend(self.call(node));
        for child in children(node) {
            self.collect(child, calls);
        }
    }

    fn call(&self, node: Node<'a>) -> Option<(Kind, String, (u32, u32))> {
        let called = match node.kind() {
            "subroutine_call" => node.child_by_field_name("subroutine")?,
            "call_expression" => node.named_child(0)?,
            _ => return None,
        };
        let name: String = text(self.source(), called).split_whitespace().collect();
        let lower = name.to_lowercase();
        let kind = match ["mpi_", "pmpi_"].iter().any(|mpi| lower.starts_with(mpi)) {
            true => Kind::Communication,
            false => Kind::Call,
        };
        let known = match node.kind() {
            "subroutine_call" => !is_fortran_intrinsic(&lower),
            // `a(i)` may be an element.
            _ => {
                kind == Kind::Communication
                    || (self.functions.contains(&lower) && !self.arrays.contains(&lower))
            }
        };
        let name = if kind == Kind::Communication {
            spelled(&lower)
        } else {
            name
        };
        known.then(|| (kind, name, lines(node)))
    }
}

/// Returns an MPI function's name as the standard spells it.
fn spelled(lower: &str) -> String {
    let (prefix, rest) = lower.split_once('_').unwrap_or(("", lower));
    let mut rest = rest.chars();
    let first: String = rest
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    format!("{}_{first}{}", prefix.to_uppercase(), rest.as_str())
}

/// Collects the functions that a file defines, declares or describes in interfaces.
pub(super) fn functions(source: &[u8], node: Node, found: &mut HashSet<String>) {
    let name = match node.kind() {
        "function_statement" => node.child_by_field_name("name"),
        _ => None,
    };
    found.extend(name.map(|name| text(source, name).to_lowercase()));
    let external = node.kind() == "variable_modification"
        && text(source, node).to_lowercase().starts_with("external");
    for child in children(node) {
        if external && child.kind() == "identifier" {
            found.insert(text(source, child).to_lowercase());
        }
        functions(source, child, found);
    }
}

/// Collects the names with sizes in some declarations.
pub(super) fn arrays(source: &[u8], node: Node, found: &mut HashSet<String>) {
    let sized = node.kind() == "sized_declarator";
    let whole = node.kind() == "variable_declaration" && {
        let text = text(source, node).to_lowercase();
        ["dimension", "character"]
            .iter()
            .any(|word| text.contains(word))
    };
    for child in children(node) {
        if (sized || whole) && child.kind() == "identifier" {
            found.insert(text(source, child).to_lowercase());
        }
        arrays(source, child, found);
    }
}
