//! DO loops, of every age.

use mpiscope_model::structure::Kind;
use tree_sitter::Node;

use super::directive::{self, Directive};
use super::kinds::{construct_name, is_end, is_end_of_path};
use super::{Frame, Spot, Walk};
use crate::tree::{children, has_child, lines, text};
use crate::Loops;

/// Where the probes of a loop go.
struct Around {
    enter: Spot,
    leave: Spot,
}

impl<'a> Walk<'a> {
    pub(super) fn loop_(&mut self, siblings: &[Node<'a>], index: usize, bound: Option<Directive>) {
        let node = siblings[index];
        let parts = children(node);
        let head = parts
            .iter()
            .find(|part| part.kind() == "do_statement")
            .copied();
        let number = self
            .outline
            .open(Kind::Loop, self.keyword(head), lines(node));
        let around = self.around(siblings, index, bound);
        let around = around.filter(|_| self.guards(node));
        if let Some(around) = &around {
            let probe = self.probe('b', number);
            self.insert(&around.enter, &probe);
            self.outline.probed(number);
        }
        self.evaluate(node, head, bound);

        let (offloads, counts) = match bound {
            Some(Directive::Bound {
                offloads,
                counts_loops,
            }) => (offloads, counts_loops),
            _ => (false, false),
        };
        let silent = u32::from(offloads || self.keyword(head) == "do concurrent");
        self.silent += silent;
        self.counted += u32::from(counts);
        let name = construct_name(self.source(), node);
        let probed = around.as_ref().map(|_| number);
        self.frames.push(Frame {
            number: probed,
            name,
            range: node.byte_range(),
        });
        self.statements(&parts);
        self.frames.pop();
        self.counted -= u32::from(counts);
        self.silent -= silent;
        self.outline.close();
        if let Some(around) = &around {
            let probe = self.probe('x', number);
            self.insert(&around.leave, &probe);
        }
    }

    fn insert(&mut self, spot: &Spot, probe: &str) {
        match *spot {
            Spot::Before(offset) => self.edits.insert(offset, format!("{probe}; ")),
            Spot::After(offset) => self.edits.insert(offset, format!("; {probe}")),
        }
    }

    fn keyword(&self, head: Option<Node<'a>>) -> &'static str {
        let head = head.map(|head| text(self.source(), head).to_lowercase());
        let head: String = head
            .unwrap_or_default()
            .split_whitespace()
            .take(2)
            .collect();
        match () {
            () if head.starts_with("dowhile") => "do while",
            () if head.starts_with("doconcurrent") => "do concurrent",
            () => "do",
        }
    }

    /// Lists and announces what the bounds or the condition call.
    fn evaluate(&mut self, node: Node<'a>, head: Option<Node<'a>>, bound: Option<Directive>) {
        let Some(head) = head else { return };
        let call = self.list(&[head]);
        if let Some(call) = call.filter(|_| bound.is_none()) {
            let probe = self.probe('c', call);
            self.edits.insert(self.start(node), format!("{probe}; "));
            self.outline.probed(call);
        }
    }

    /// Returns whether a loop gets probes if there is room for them.
    fn guards(&self, node: Node<'a>) -> bool {
        let wanted = match self.options.loops {
            Loops::None => false,
            Loops::Calls => self.calls(node),
            Loops::All => true,
        };
        // Several loops that end in one statement: only the outermost can tell its end.
        let shares = children(node).iter().any(|part| {
            part.kind() == "end_do_label_loop_statement" && has_child(*part, "do_label_virtual")
        });
        let escapes = self.jumps.escape(&node.byte_range());
        wanted && !shares && !escapes && self.silent == 0 && self.counted == 0
    }

    /// Returns where the probes of a loop go: outside of its directives.
    fn around(
        &self,
        siblings: &[Node<'a>],
        index: usize,
        bound: Option<Directive>,
    ) -> Option<Around> {
        let node = siblings[index];
        if bound.is_none() {
            let enter = Spot::Before(self.start(node));
            let leave = Spot::After(self.end(node));
            return Some(Around { enter, leave });
        }
        let enter = Spot::After(self.end(self.before_directives(&siblings[..index])?));
        let leave = self.after_directives(node, &siblings[index + 1..])?;
        Some(Around { enter, leave })
    }

    /// Returns the statement after which the directives of a loop stand; none
    /// if other directives stand between.
    fn before_directives(&self, before: &[Node<'a>]) -> Option<Node<'a>> {
        let read = |part: &Node<'a>| directive::read(text(self.source(), *part));
        let mut before = before.iter().rev();
        let previous = before.find(|part| {
            part.kind() != "comment" || !matches!(read(part), None | Some(Directive::Bound { .. }))
        })?;
        let kind = previous.kind();
        let statement = kind.ends_with("_statement")
            || matches!(kind, "do_loop" | "subroutine_call" | "variable_declaration");
        let goes_on = !is_end_of_path(self.source(), *previous) && kind != "include_statement";
        (statement && goes_on).then_some(*previous)
    }

    /// A directive that ends the loop's stays with it; the probe goes before what follows.
    fn after_directives(&self, node: Node<'a>, after: &[Node<'a>]) -> Option<Spot> {
        let read = |part: &Node<'a>| directive::read(text(self.source(), *part));
        let mut after = after
            .iter()
            .skip_while(|part| part.kind() == "comment" && read(part).is_none());
        let next = after.next();
        let ends =
            next.is_some_and(|next| next.kind() == "comment" && read(next) == Some(Directive::End));
        if !ends {
            return Some(Spot::After(self.end(node)));
        }
        let next = after.find(|part| part.kind() != "comment" || read(part).is_some())?;
        let kind = next.kind();
        let room = super::is_executable(kind) || is_end(kind);
        (room && kind != "comment").then(|| Spot::Before(self.start(*next)))
    }
}
