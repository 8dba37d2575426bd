//! C and C++: procedures, wherever they are defined.
//!
//! A variable whose cleanup tells of leaving stands first in a procedure and
//! before a loop; the compiler then finds every way out by itself.

mod announce;
mod directive;
mod jumps;
mod loops;
mod macros;
mod names;
mod statements;

use mpiscope_model::structure::Kind;
use tree_sitter::Node;

use crate::edits::Edits;
use crate::outline::Outline;
use crate::tree::{self, children, first_error, lines, text};
use crate::{Dialect, Options, Source, Untouched};
use jumps::Jumps;

/// One walk over a file.
struct Walk<'a> {
    text: &'a [u8],
    options: &'a Options,
    edits: Edits,
    outline: Outline,
    /// Namespaces, classes and procedures around.
    scope: Vec<String>,
    /// Above 0 statements are listed and get no probes.
    silent: u32,
    /// Above 0 loops get no probes: a directive counts them.
    counted: u32,
    /// The labels and jumps of the procedure.
    jumps: Jumps<'a>,
}

/// Returns the text with probes, and its statements.
pub(crate) fn instrument(
    source: &Source,
    options: &Options,
) -> Result<(Vec<u8>, Outline), Untouched> {
    tree::check(source)?;
    let cxx = source.dialect == Dialect::Cxx;
    if cxx && is_module(source.text) {
        return Err(Untouched("it is a C++ module".into()));
    }
    let language = match cxx {
        true => tree_sitter_cpp::LANGUAGE.into(),
        false => tree_sitter_c::LANGUAGE.into(),
    };
    let tree = macros::parse_around(source.text, &language)?;
    let mut walk = Walk {
        text: source.text,
        options,
        edits: Edits::default(),
        outline: Outline::default(),
        scope: Vec::new(),
        silent: 0,
        counted: 0,
        jumps: Jumps::default(),
    };
    walk.items(tree.root_node());
    Ok((walk.edits.apply(source.text), walk.outline))
}

/// In a module's file nothing may stand before its first declaration.
fn is_module(text: &[u8]) -> bool {
    let begins = |line: &[u8]| {
        let line = line.trim_ascii();
        [&b"module;"[..], b"module ", b"export module "]
            .iter()
            .any(|start| line.starts_with(start))
    };
    text.split(|byte| *byte == b'\n').any(begins)
}

impl<'a> Walk<'a> {
    /// Walks what may stand outside of procedures.
    fn items(&mut self, node: Node<'a>) {
        let mut offloaded = false;
        for child in children(node) {
            match child.kind() {
                "preproc_call" => match directive::offload(text(self.text, child)) {
                    Some(begins) => offloaded = begins,
                    None => continue,
                },
                "function_definition" if offloaded => self.silently(|walk| walk.procedure(child)),
                _ => self.item(child),
            }
        }
    }

    fn item(&mut self, node: Node<'a>) {
        match node.kind() {
            "function_definition" => self.procedure(node),
            "linkage_specification"
            | "declaration_list"
            | "template_declaration"
            | "friend_declaration"
            | "field_declaration_list"
            | "preproc_if"
            | "preproc_ifdef"
            | "preproc_else"
            | "preproc_elif"
            | "preproc_elifdef" => self.items(node),
            "namespace_definition" | "class_specifier" | "struct_specifier" | "union_specifier" => {
                self.named_scope(node)
            }
            "declaration" | "field_declaration" | "type_definition" => self.within(node),
            "ERROR" => {
                self.unparsed(node);
                self.items(node);
            }
            "compound_statement" => {
                let reason = "has a head that is none without its macros";
                self.outline.leave_alone("(unknown)", lines(node).0, reason);
            }
            _ => {}
        }
    }

    /// Names the procedures that an error at file level hides.
    fn unparsed(&mut self, node: Node<'a>) {
        if !self.text[node.byte_range()].contains(&b'{') {
            return;
        }
        let (line, reason) = (lines(node).0, "does not parse");
        let heads: Vec<Node> = children(node)
            .into_iter()
            .filter(|child| child.kind() == "function_declarator")
            .collect();
        for head in &heads {
            let name = self.qualified(&names::declared(self.text, *head));
            self.outline.leave_alone(&name, lines(*head).0, reason);
        }
        if heads.is_empty() {
            self.outline.leave_alone("(unknown)", line, reason);
        }
    }

    fn named_scope(&mut self, node: Node<'a>) {
        let Some(body) = node.child_by_field_name("body") else {
            return;
        };
        let name = node.child_by_field_name("name");
        let name = name.map_or("(anonymous)", |name| text(self.text, name));
        self.scope.push(names::spaceless(name));
        self.items(body);
        self.scope.pop();
    }

    /// Runs a part of the walk in which nothing gets probes.
    fn silently(&mut self, part: impl FnOnce(&mut Self)) {
        self.silent += 1;
        part(self);
        self.silent -= 1;
    }

    fn procedure(&mut self, node: Node<'a>) {
        let own = names::declared(self.text, node);
        let name = self.qualified(&own);
        let Some(body) = node.child_by_field_name("body") else {
            // `= default`, `= delete`, or a form that is not known here.
            if tree::has_child(node, "try_statement") {
                let reason = "has a try block for its body";
                self.outline.leave_alone(&name, lines(node).0, reason);
            }
            return;
        };
        if body.kind() != "compound_statement" {
            let reason = "has no block for its body";
            return self.outline.leave_alone(&name, lines(node).0, reason);
        }
        let head = &self.text[node.start_byte()..body.start_byte()];
        let head = String::from_utf8_lossy(head).into_owned();
        let reason = names::untouchable(&head).or(names::unclear(node));
        self.body(node, body, &own, reason);
    }

    /// Walks the body of a procedure or lambda; `reason` says why it gets no probes.
    fn body(&mut self, node: Node<'a>, body: Node<'a>, own: &str, reason: Option<&str>) {
        let name = self.qualified(own);
        let span = lines(node);
        if let Some(line) = first_error(node) {
            let reason = format!("does not parse at line {line}");
            return self.outline.leave_alone(&name, span.0, reason);
        }
        let refused = self.options.refusal(span).map(str::to_owned);
        let reason = reason.map(str::to_owned).or(refused);
        let reason = reason.or_else(|| jumps::is_coroutine(body).then(|| "is a coroutine".into()));
        if let Some(reason) = &reason {
            self.outline.leave_alone(&name, span.0, reason);
        }
        let quiet = u32::from(reason.is_some() || !self.options.wants(&name));
        let outer = std::mem::replace(&mut self.jumps, Jumps::of(self.text, body));
        self.silent += quiet;
        let number = self.outline.open(Kind::Procedure, &name, span);
        if self.silent == 0 {
            let probe = format!(" MPISCOPE_PROCEDURE_({number}); ");
            self.edits.insert(body.start_byte() + 1, probe);
            self.outline.probed(number);
        }
        self.scope.push(own.to_owned());
        self.block(body);
        self.scope.pop();
        self.outline.close();
        self.silent -= quiet;
        self.jumps = outer;
    }

    fn qualified(&self, own: &str) -> String {
        let mut parts: Vec<&str> = self.scope.iter().map(String::as_str).collect();
        parts.push(own);
        parts.join("::")
    }
}
