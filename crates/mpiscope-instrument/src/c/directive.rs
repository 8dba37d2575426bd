//! Directives: what stands under one must stay under it.

use tree_sitter::Node;

use crate::tree::{has_child, text};

/// The directives before a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Directive {
    /// There is one at all: the statement's head must stay as it is.
    pub any: bool,
    /// What stands under it runs on a device.
    pub offloads: bool,
    /// It speaks of several nested loops.
    pub counts_loops: bool,
}

/// Where a statement in a block may get company, and its directives.
/// `None` if there is no such place outside of the directives.
pub(super) fn before(source: &[u8], node: Node) -> (Option<usize>, Directive) {
    let mut directive = Directive::default();
    let mut anchor = Some(node.start_byte());
    let mut previous = node.prev_sibling();
    while let Some(sibling) = previous {
        match sibling.kind() {
            "comment" => {}
            "preproc_call" if is_pragma(text(source, sibling)) => {
                directive.read(text(source, sibling));
                anchor = None;
            }
            _ => break,
        }
        previous = sibling.prev_sibling();
    }
    if directive.any && !directive.is_section(source, node) {
        anchor = previous
            .filter(|sibling| is_complete(*sibling))
            .map(|s| s.end_byte());
    }
    (anchor, directive)
}

/// After these a statement may begin: on their own line, so not after other
/// lines of the preprocessor.
fn is_complete(node: Node) -> bool {
    let kind = node.kind();
    matches!(kind, "{" | ":")
        || kind == "declaration"
        || (kind.ends_with("_statement") && !ends_in_line(node))
}

fn ends_in_line(node: Node) -> bool {
    has_child(node, "preproc_call")
}

fn is_pragma(line: &str) -> bool {
    line.trim_start_matches(['#', ' ', '\t'])
        .starts_with("pragma")
}

impl Directive {
    fn read(&mut self, line: &str) {
        self.any = true;
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        let accelerated = words.clone().any(|word| word == "acc");
        self.offloads |= accelerated || words.clone().any(|word| word == "target");
        self.counts_loops |= words.any(|word| COUNTING.contains(&word));
    }

    /// Between the sections of a construct nothing may stand.
    fn is_section(self, source: &[u8], node: Node) -> bool {
        let before = node
            .prev_named_sibling()
            .map(|sibling| text(source, sibling));
        before.is_some_and(|line| line.split_whitespace().any(|word| word == "section"))
    }
}

const COUNTING: [&str; 9] = [
    "collapse",
    "ordered",
    "tile",
    "sizes",
    "interchange",
    "fuse",
    "stripe",
    "unroll_and_jam",
    "acc",
];

/// Returns whether a line begins (or ends) a part of the file for devices.
pub(super) fn offload(line: &str) -> Option<bool> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.strip_prefix(&["#pragma", "omp"])? {
        ["declare", "target"] | ["begin", "declare", "target", ..] => Some(true),
        ["end", "declare", "target", ..] => Some(false),
        _ => None,
    }
}
