//! Statements by what they are to us.

use tree_sitter::Node;

use crate::tree::{children, has_child, text};

/// Returns whether a node is a statement that is executed, or a construct of such.
pub(super) fn is_executable(kind: &str) -> bool {
    EXECUTABLE.contains(&kind)
}

const EXECUTABLE: [&str; 36] = [
    "assignment_statement",
    "pointer_association_statement",
    "subroutine_call",
    "do_loop",
    "if_statement",
    "arithmetic_if_statement",
    "keyword_statement",
    "select_case_statement",
    "select_type_statement",
    "select_rank_statement",
    "where_statement",
    "forall_statement",
    "write_statement",
    "print_statement",
    "read_statement",
    "open_statement",
    "close_statement",
    "inquire_statement",
    "file_position_statement",
    "allocate_statement",
    "deallocate_statement",
    "nullify_statement",
    "stop_statement",
    "associate_statement",
    "block_construct",
    "coarray_statement",
    "coarray_team_statement",
    "coarray_critical_statement",
    "assign_statement",
    "else_clause",
    "elseif_clause",
    "case_statement",
    "elsewhere_clause",
    "do_statement",
    "rank_statement",
    "type_statement",
];

/// Returns whether a node holds statements between lines of the preprocessor.
pub(super) fn is_conditional(kind: &str) -> bool {
    matches!(
        kind,
        "preproc_if" | "preproc_ifdef" | "preproc_else" | "preproc_elif" | "preproc_elifdef"
    )
}

/// Returns whether a node ends a block.
pub(super) fn is_end(kind: &str) -> bool {
    kind.starts_with("end_") && kind.ends_with("_statement")
}

/// Returns whether an `if` is one statement without `end if`.
pub(super) fn is_short_if(node: Node) -> bool {
    node.kind() == "if_statement" && !has_child(node, "end_if_statement")
}

/// Returns what a short `if` does.
pub(super) fn action(node: Node<'_>) -> Option<Node<'_>> {
    let found = children(node).into_iter().rev();
    let mut found =
        found.filter(|child| is_executable(child.kind()) || child.kind() == "statement_label");
    found.next()
}

/// How a statement leaves where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// It does not.
    On,
    Return,
    /// `exit` or `cycle`, of the named construct.
    Out(String),
    Goto(u32),
    /// One of several labels, or an unknown one.
    Choice,
}

/// Returns where a statement goes.
pub(super) fn way(source: &[u8], node: Node) -> Way {
    if node.kind() == "arithmetic_if_statement" {
        return Way::Choice;
    }
    if node.kind() != "keyword_statement" {
        return Way::On;
    }
    let words = text(source, node).to_lowercase();
    let compact: String = words.split_whitespace().collect();
    if compact.starts_with("return") {
        return Way::Return;
    }
    if let Some(label) = compact.strip_prefix("goto") {
        return label.parse().map_or(Way::Choice, Way::Goto);
    }
    let mut words = words.split_whitespace();
    match (words.next(), words.next()) {
        (Some("exit" | "cycle"), Some(name)) => Way::Out(name.to_owned()),
        _ => Way::On,
    }
}

/// Returns whether control never goes on after a statement.
pub(super) fn is_end_of_path(source: &[u8], node: Node) -> bool {
    let word = text(source, node).to_lowercase();
    let jumps = ["return", "goto", "go to", "exit", "cycle"];
    node.kind() == "stop_statement"
        || (node.kind() == "keyword_statement" && jumps.iter().any(|jump| word.starts_with(jump)))
}

/// Returns a DO loop's name, or another construct's.
pub(super) fn construct_name(source: &[u8], node: Node) -> Option<String> {
    let first = children(node).into_iter().next()?;
    let label = (first.kind() == "block_label_start_expression").then(|| text(source, first))?;
    Some(label.trim_end_matches(':').trim().to_lowercase())
}
