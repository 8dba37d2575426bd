//! The names of procedures and of what they call, as far as the text says.

use tree_sitter::Node;

use crate::tree::{children, text};

/// Returns a name without blanks and line breaks.
pub(super) fn spaceless(name: &str) -> String {
    name.split_whitespace().collect()
}

/// Returns the name that a function definition declares.
pub(super) fn declared(source: &[u8], definition: Node) -> String {
    let mut node = definition;
    while let Some(inner) = inner_declarator(node) {
        node = inner;
    }
    if node == definition {
        return "(unknown)".into();
    }
    let name = text(source, node);
    match node.kind() {
        // The parameters belong to the node.
        "operator_cast" => name.split('(').next().unwrap_or(name).trim().to_owned(),
        "operator_name" => name.to_owned(),
        _ => spaceless(name),
    }
}

fn inner_declarator(node: Node) -> Option<Node> {
    match node.kind() {
        "identifier"
        | "field_identifier"
        | "qualified_identifier"
        | "destructor_name"
        | "operator_name"
        | "operator_cast"
        | "template_function"
        | "type_identifier" => None,
        "parenthesized_declarator" | "reference_declarator" | "attributed_declarator" => {
            let declarator = |child: &Node| !child.kind().starts_with("attribute");
            children(node).into_iter().find(declarator)
        }
        _ => node.child_by_field_name("declarator"),
    }
}

/// Returns the name of what a call calls.
pub(super) fn called(source: &[u8], call: Node) -> String {
    let Some(function) = call.child_by_field_name("function") else {
        return String::new();
    };
    let named = match function.kind() {
        "field_expression" => function.child_by_field_name("field"),
        "template_function" => function.child_by_field_name("name"),
        _ => None,
    };
    spaceless(text(source, named.unwrap_or(function)))
}

/// Returns whether a name looks like a macro's: it may stand for anything.
pub(super) fn like_macro(name: &str) -> bool {
    let communication = name.starts_with("MPI_") || name.starts_with("PMPI_");
    !communication && !name.chars().any(char::is_lowercase)
}

/// Returns why a procedure with such a head must get no probes.
pub(super) fn untouchable(head: &str) -> Option<&'static str> {
    let words = head.split(|c: char| !c.is_alphanumeric() && c != '_');
    let reason = |word: &str| {
        let found = REASONS
            .iter()
            .find(|(name, _)| *name == word.trim_matches('_'));
        found.map(|(_, reason)| *reason)
    };
    words.filter_map(reason).next()
}

/// One word after the parameters may be an attribute behind a macro; of several,
/// one may be the opening brace.
pub(super) fn unclear(definition: Node) -> Option<&'static str> {
    let declarator = definition.child_by_field_name("declarator")?;
    let parts = children(declarator).into_iter();
    let words = parts.filter(|part| part.kind() == "identifier").skip(1);
    let name = declarator.child_by_field_name("declarator");
    let several = words.filter(|word| Some(*word) != name).count() > 1;
    several.then_some("has a head that is unclear without its macros")
}

const REASONS: [(&str, &str); 9] = [
    ("naked", "is naked: it has no frame"),
    ("interrupt", "is an interrupt handler"),
    ("ifunc", "resolves a symbol while the program is loaded"),
    ("constexpr", "is constexpr: the compiler may execute it"),
    ("consteval", "is consteval: the compiler executes it"),
    ("no_instrument_function", "asks not to be instrumented"),
    ("global", "runs on a device"),
    ("device", "runs on a device"),
    ("noipa", "asks the compiler to be left alone"),
];
