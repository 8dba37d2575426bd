//! Statements of a block, in their order.

use tree_sitter::Node;

use super::directive::{self, Directive};
use super::kinds::{action, construct_name, is_conditional, is_executable, is_short_if, way, Way};
use super::{Frame, Walk};
use crate::tree::{children, text};

impl<'a> Walk<'a> {
    /// Walks a block; parts that are no statements are passed over.
    pub(super) fn statements(&mut self, parts: &[Node<'a>]) {
        let mut bound = None;
        let mut offloaded = 0;
        for (index, &part) in parts.iter().enumerate() {
            match part.kind() {
                "comment" => match directive::read(text(self.source(), part)) {
                    Some(Directive::Begin) => offloaded += 1,
                    Some(Directive::End) => offloaded = u32::saturating_sub(offloaded, 1),
                    Some(directive @ Directive::Bound { .. }) => bound = Some(directive),
                    _ => {}
                },
                kind if is_conditional(kind) => self.statements(&children(part)),
                kind if is_executable(kind) => {
                    self.silent += offloaded;
                    self.one(parts, index, bound.take());
                    self.silent -= offloaded;
                }
                // Of a labelled loop, its last statement: nothing can go before it.
                "end_do_label_loop_statement" => self.terminator(part),
                _ => {}
            }
        }
    }

    fn one(&mut self, parts: &[Node<'a>], index: usize, bound: Option<Directive>) {
        let node = parts[index];
        match node.kind() {
            "do_loop" => self.loop_(parts, index, bound),
            // The loop has looked at it.
            "do_statement" => {}
            "if_statement" if is_short_if(node) => self.short_if(node, bound),
            "if_statement"
            | "select_case_statement"
            | "select_type_statement"
            | "select_rank_statement"
            | "associate_statement"
            | "block_construct" => {
                self.construct(node, bound);
            }
            "else_clause"
            | "elseif_clause"
            | "case_statement"
            | "type_statement"
            | "rank_statement"
            | "coarray_critical_statement"
            | "coarray_team_statement" => {
                let parts = children(node);
                self.list(&heads(&parts));
                self.statements(&parts);
            }
            _ => {
                self.leaves(node, None);
                self.announce(node, &[node], bound);
            }
        }
    }

    /// A construct of blocks that may have a name.
    fn construct(&mut self, node: Node<'a>, bound: Option<Directive>) {
        let parts = children(node);
        self.announce(node, &heads(&parts), bound);
        let name = construct_name(self.source(), node);
        let range = node.byte_range();
        self.frames.push(Frame {
            number: None,
            name,
            range,
        });
        self.statements(&parts);
        self.frames.pop();
    }

    /// `if (c) return` becomes a block if something must be told first.
    fn short_if(&mut self, node: Node<'a>, bound: Option<Directive>) {
        self.announce(node, &[node], bound);
        if let Some(action) = action(node) {
            self.leaves(action, Some(node));
        }
    }

    fn terminator(&mut self, node: Node<'a>) {
        self.list(&[node]);
    }

    /// Lists what is called, and announces it before the statement.
    fn announce(&mut self, node: Node<'a>, calling: &[Node<'a>], bound: Option<Directive>) {
        let call = self.list(calling);
        let Some(call) = call.filter(|_| bound.is_none()) else {
            return;
        };
        let probe = self.probe('c', call);
        self.edits.insert(self.start(node), format!("{probe}; "));
        self.outline.probed(call);
    }

    /// Tells what a jump leaves, before it jumps.
    fn leaves(&mut self, node: Node<'a>, short_if: Option<Node<'a>>) {
        let told = self.left_by(&way(self.source(), node));
        if told.is_empty() || self.silent > 0 {
            return;
        }
        let told: String = told.iter().map(|probe| format!("{probe}; ")).collect();
        let start = self.start(node);
        match short_if {
            None => self.edits.insert(start, told),
            Some(whole) => {
                self.edits.insert(start, format!("then; {told}"));
                self.edits.insert(self.end(whole), "; end if");
            }
        }
    }

    /// Returns the probes of what a way leaves, the innermost loop first.
    fn left_by(&self, way: &Way) -> Vec<String> {
        let loops = |leaves: &dyn Fn(&Frame) -> bool| -> Vec<String> {
            let left = self.frames.iter().rev().take_while(|frame| leaves(frame));
            left.filter_map(|frame| frame.number)
                .map(|number| self.probe('x', number))
                .collect()
        };
        match way {
            Way::On | Way::Choice => Vec::new(),
            Way::Return => {
                let mut told = loops(&|_| true);
                told.push(self.probe('l', self.procedure));
                told
            }
            Way::Out(name) => loops(&|frame| frame.name.as_ref() != Some(name)),
            Way::Goto(label) => loops(&|frame| !self.jumps.stands_in(*label, &frame.range)),
        }
    }
}

/// The parts of a construct that are evaluated before its blocks.
fn heads<'a>(parts: &[Node<'a>]) -> Vec<Node<'a>> {
    let heads = parts.iter().filter(|part| {
        matches!(
            part.kind(),
            "parenthesized_expression" | "selector" | "association_list"
        )
    });
    heads.copied().collect()
}
