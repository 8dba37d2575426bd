//! What the readers of all languages ask of a syntax tree.

use tree_sitter::{Node, Parser, Tree};

use crate::{Source, Untouched};

/// Deeper trees are left alone: the walk over them is recursive.
const DEEPEST: usize = 2_000;

/// Parses a text that will be walked recursively.
pub(crate) fn parse(text: &[u8], language: &tree_sitter::Language) -> Result<Tree, Untouched> {
    let mut parser = Parser::new();
    let set = parser.set_language(language);
    set.map_err(|error| Untouched(format!("its grammar cannot be used: {error}")))?;
    let tree = parser.parse(text, None);
    let tree = tree.ok_or_else(|| Untouched("it cannot be parsed".into()))?;
    if depth(&tree) > DEEPEST {
        let reason = format!("it is nested more than {DEEPEST} levels deep");
        return Err(Untouched(reason));
    }
    Ok(tree)
}

/// Returns how deep a tree is, without recursion.
fn depth(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let (mut depth, mut deepest) = (0, 0);
    loop {
        if cursor.goto_first_child() {
            depth += 1;
            deepest = deepest.max(depth);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return deepest;
            }
            depth -= 1;
        }
    }
}

/// Returns a node's named children.
pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.named_children(&mut node.walk()).collect()
}

/// Returns whether a node has a child of this kind, named or not.
pub(crate) fn has_child(node: Node, kind: &str) -> bool {
    node.children(&mut node.walk())
        .any(|child| child.kind() == kind)
}

/// Returns a node's text.
pub(crate) fn text<'a>(source: &'a [u8], node: Node) -> &'a str {
    std::str::from_utf8(&source[node.byte_range()]).unwrap_or("?")
}

/// Returns the first and the last line of a node, counted from 1.
pub(crate) fn lines(node: Node) -> (u32, u32) {
    let last = node.end_position();
    // A node that ends at the start of a line ends with the line before.
    let end = last.row + usize::from(last.column > 0 || last.row == node.start_position().row);
    (node.start_position().row as u32 + 1, end as u32)
}

/// Returns the line of the first error in a node.
pub(crate) fn first_error(node: Node) -> Option<u32> {
    if node.is_error() || node.is_missing() {
        return Some(lines(node).0);
    }
    let mut cursor = node.walk();
    let broken = node.children(&mut cursor).find(|child| child.has_error());
    broken.and_then(first_error)
}

/// Returns whether a source is text that can be read at all.
pub(crate) fn check(source: &Source) -> Result<(), Untouched> {
    match source.text.contains(&0) {
        true => Err(Untouched("it has bytes that are zero".into())),
        false => Ok(()),
    }
}
