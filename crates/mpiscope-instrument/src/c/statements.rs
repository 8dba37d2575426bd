//! Statements: each knows where company may be put before it.

use tree_sitter::Node;

use super::announce::Anchor;
use super::directive::{self, Directive};
use super::Walk;
use crate::tree::{children, has_child};

/// How a statement stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stand {
    /// In a block: another statement may be put before it, here.
    InBlock(usize),
    /// As the body of another statement: only braces would give it company.
    Alone,
    /// Under a directive that leaves no room.
    Bound,
}

impl<'a> Walk<'a> {
    /// Walks the statements of a block, also those between lines of the preprocessor.
    pub(super) fn block(&mut self, node: Node<'a>) {
        for child in children(node) {
            match child.kind() {
                "preproc_if" | "preproc_ifdef" | "preproc_else" | "preproc_elif"
                | "preproc_elifdef" => self.block(child),
                _ => self.in_block(child),
            }
        }
    }

    fn in_block(&mut self, node: Node<'a>) {
        let (anchor, directive) = directive::before(self.text, node);
        let stand = anchor.map_or(Stand::Bound, Stand::InBlock);
        self.silent += u32::from(directive.offloads);
        self.statement(node, stand, directive);
        self.silent -= u32::from(directive.offloads);
    }

    pub(super) fn statement(&mut self, node: Node<'a>, stand: Stand, directive: Directive) {
        match node.kind() {
            "compound_statement" => self.block(node),
            "for_statement" | "while_statement" | "do_statement" | "for_range_loop" => {
                self.counted += u32::from(directive.counts_loops);
                self.loop_(node, stand, directive);
                self.counted -= u32::from(directive.counts_loops);
            }
            "if_statement" => self.if_(node, stand, directive),
            "switch_statement" => {
                self.condition(node, stand, directive);
                self.body_of(node, "body");
            }
            "case_statement" => self.case(node, stand),
            "labeled_statement" => self.labeled(node, stand),
            "attributed_statement" => self.labeled(node, Stand::Bound),
            "try_statement" => {
                self.body_of(node, "body");
                let handlers = children(node).into_iter();
                for handler in handlers.filter(|child| child.kind() == "catch_clause") {
                    self.body_of(handler, "body");
                }
            }
            "return_statement" => self.return_(node, stand),
            "expression_statement" => self.expression(node, stand),
            "preproc_def"
            | "preproc_function_def"
            | "preproc_include"
            | "preproc_call"
            | "comment" => {}
            _ => self.announce(&[node], before(stand)),
        }
    }

    fn body_of(&mut self, node: Node<'a>, field: &str) {
        if let Some(body) = node.child_by_field_name(field) {
            self.statement(body, Stand::Alone, Directive::default());
        }
    }

    fn if_(&mut self, node: Node<'a>, stand: Stand, directive: Directive) {
        // The compiler evaluates it.
        if !has_child(node, "constexpr") {
            self.condition(node, stand, directive);
        }
        self.body_of(node, "consequence");
        if let Some(alternative) = node.child_by_field_name("alternative") {
            for child in children(alternative) {
                self.statement(child, Stand::Alone, Directive::default());
            }
        }
    }

    /// Announces what the condition of an `if` or `switch` calls.
    fn condition(&mut self, node: Node<'a>, stand: Stand, directive: Directive) {
        let Some(condition) = node.child_by_field_name("condition") else {
            return;
        };
        let place = match stand {
            Stand::InBlock(offset) => Anchor::Statement(offset),
            Stand::Alone if !directive.any => comma_in(condition),
            _ => Anchor::Nowhere,
        };
        self.announce(&[condition], place);
    }

    fn case(&mut self, node: Node<'a>, stand: Stand) {
        let value = node.child_by_field_name("value").map(|value| value.id());
        for child in children(node) {
            if Some(child.id()) == value {
                continue;
            }
            match stand {
                Stand::InBlock(_) => self.in_block(child),
                _ => self.statement(child, stand, Directive::default()),
            }
        }
    }

    /// What a label or an attribute belongs to; a label's statement may get company after it.
    fn labeled(&mut self, node: Node<'a>, stand: Stand) {
        let label = node.child_by_field_name("label").map(|label| label.id());
        for child in children(node) {
            let inner = match stand {
                Stand::InBlock(_) => Stand::InBlock(child.start_byte()),
                other => other,
            };
            let skipped = child.kind().starts_with("attribute") || child.kind() == "comment";
            if Some(child.id()) != label && !skipped {
                self.statement(child, inner, Directive::default());
            }
        }
    }

    fn return_(&mut self, node: Node<'a>, stand: Stand) {
        let values = children(node);
        let value = values.iter().find(|value| value.kind() != "comment");
        let place = match (stand, value) {
            (Stand::Alone, Some(value)) if value.kind() != "initializer_list" => self.comma(*value),
            _ => before(stand),
        };
        self.announce(&values, place);
    }

    fn expression(&mut self, node: Node<'a>, stand: Stand) {
        let place = match stand {
            Stand::Alone => self.comma(node),
            _ => before(stand),
        };
        self.announce(&[node], place);
    }

    /// A comma is right before every expression, and wrong before a macro that is none.
    fn comma(&self, node: Node<'a>) -> Anchor {
        match self.may_be_macro(node) {
            true => Anchor::Nowhere,
            false => Anchor::Comma(node.start_byte()),
        }
    }
}

fn before(stand: Stand) -> Anchor {
    match stand {
        Stand::InBlock(offset) => Anchor::Statement(offset),
        Stand::Alone | Stand::Bound => Anchor::Nowhere,
    }
}

/// Returns the place within the parentheses of a condition that is an expression.
pub(super) fn comma_in(condition: Node) -> Anchor {
    let inner = children(condition);
    let mut parts = inner.iter().filter(|part| part.kind() != "comment");
    match (condition.kind(), parts.next(), parts.next()) {
        ("parenthesized_expression" | "condition_clause", Some(value), None)
            if value.kind() != "declaration" && value.kind() != "init_statement" =>
        {
            Anchor::Comma(value.start_byte())
        }
        _ => Anchor::Nowhere,
    }
}
