//! Loops: a guard in braces around, a count in the body.

use mpiscope_model::structure::Kind;
use tree_sitter::Node;

use super::announce::Anchor;
use super::directive::Directive;
use super::statements::{comma_in, Stand};
use super::Walk;
use crate::tree::lines;
use crate::Loops;

impl<'a> Walk<'a> {
    pub(super) fn loop_(&mut self, node: Node<'a>, stand: Stand, directive: Directive) {
        let body = node.child_by_field_name("body");
        let block = body.filter(|body| body.kind() == "compound_statement");
        let start = match stand {
            Stand::InBlock(offset) => Some(offset),
            // Without braces of its own, its last `if` might take another's `else`.
            Stand::Alone => block.map(|_| node.start_byte()),
            Stand::Bound => None,
        };
        let keyword = node.kind().split('_').next().unwrap_or("loop");
        let number = self.outline.open(Kind::Loop, keyword, lines(node));
        let guard = start.map(|start| self.edits.reserve(start));
        let first = start.map(|start| self.edits.reserve(start));
        let turn = block.filter(|_| !directive.any);
        let turn = turn.map(|block| self.edits.reserve(block.start_byte() + 1));

        let fields = |names: [&str; 2]| names.map(|name| node.child_by_field_name(name));
        let before: Vec<Node> = fields(["initializer", "right"])
            .into_iter()
            .flatten()
            .collect();
        let announced = self.list(&before);
        before.iter().for_each(|part| self.within(*part));
        self.head(node, directive);
        if let Some(body) = body {
            self.statement(body, Stand::Alone, Directive::default());
        }
        self.outline.close();

        let guarded = self.guards(number) && !self.jumps.enter(self.text, node);
        let guard = guard.filter(|_| guarded);
        if let (Some(call), Some(first), true) = (
            announced,
            first,
            guard.is_some() || matches!(stand, Stand::InBlock(_)),
        ) {
            self.edits.fill(first, format!("MPISCOPE_AT_({call}); "));
            self.outline.probed(call);
        }
        let Some(guard) = guard else { return };
        let form = if turn.is_some() { "LOOP" } else { "UNCOUNTED" };
        self.edits
            .fill(guard, format!("{{ MPISCOPE_{form}_({number}); "));
        if let Some(turn) = turn {
            self.edits
                .fill(turn, format!(" MPISCOPE_TURN_({number}); "));
        }
        self.edits.insert(node.end_byte(), " }");
        self.outline.probed(number);
    }

    /// Announces what is called in each turn: the condition and the step.
    fn head(&mut self, node: Node<'a>, directive: Directive) {
        if let Some(condition) = node.child_by_field_name("condition") {
            let place = match node.kind() {
                _ if directive.any => Anchor::Nowhere,
                "for_statement" if condition.kind() == "declaration" => Anchor::Nowhere,
                "for_statement" => Anchor::Comma(condition.start_byte()),
                _ => comma_in(condition),
            };
            self.announce(&[condition], place);
        }
        if let Some(update) = node.child_by_field_name("update") {
            let place = match directive.any {
                true => Anchor::Nowhere,
                false => Anchor::Comma(update.start_byte()),
            };
            self.announce(&[update], place);
        }
    }

    /// Returns whether a loop gets a probe, now that its body was seen.
    fn guards(&self, number: u32) -> bool {
        let wanted = match self.options.loops {
            Loops::None => false,
            Loops::Calls => self.outline.calls_since(number),
            Loops::All => true,
        };
        wanted && self.silent == 0 && self.counted == 0
    }
}
