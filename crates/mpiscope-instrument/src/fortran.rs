//! Fortran, in free and fixed form.
//!
//! Probes are calls put on the statements' own lines with `;`. A procedure is
//! entered before its first executable statement; every way out that the text
//! shows (`return`, the end, `exit` and `goto` out of loops) tells before it
//! goes. What cannot be told of is left alone.

mod calls;
mod directive;
mod form;
mod jumps;
mod kinds;
mod loops;
mod statements;

use std::collections::HashSet;

use mpiscope_model::structure::Kind;
use tree_sitter::Node;

use crate::edits::Edits;
use crate::outline::Outline;
use crate::tree::{self, children, first_error, lines, text};
use crate::{Dialect, Options, Source, Untouched};
use directive::Directive;
use form::Form;
use jumps::Jumps;
use kinds::{is_conditional, is_end, is_end_of_path, is_executable};

/// One walk over a file.
struct Walk<'a> {
    form: &'a Form,
    options: &'a Options,
    key: &'a str,
    edits: Edits,
    outline: Outline,
    /// Modules and procedures around.
    scope: Vec<String>,
    /// Functions that the file knows, in lower case.
    functions: HashSet<String>,
    /// Arrays of the procedure.
    arrays: HashSet<String>,
    /// Above 0 statements are listed and get no probes.
    silent: u32,
    /// Above 0 loops get no probes: a directive counts them.
    counted: u32,
    jumps: Jumps,
    /// The procedure's number, and the constructs around, innermost last.
    procedure: u32,
    frames: Vec<Frame>,
}

/// A construct that a statement may leave.
struct Frame {
    /// Of a loop with probes.
    number: Option<u32>,
    name: Option<String>,
    range: std::ops::Range<usize>,
}

/// Returns the text with probes, and its statements.
pub(crate) fn instrument(
    source: &Source,
    options: &Options,
    key: &str,
) -> Result<(Vec<u8>, Outline), Untouched> {
    tree::check(source)?;
    let form = match source.dialect {
        Dialect::Fixed { columns } => Form::fixed(source.text, columns),
        _ => Form::free(source.text),
    };
    let tree = tree::parse(&form.parse, &tree_sitter_fortran::LANGUAGE.into())?;
    let mut functions = HashSet::new();
    calls::functions(&form.parse, tree.root_node(), &mut functions);
    let mut walk = Walk {
        form: &form,
        options,
        key,
        edits: Edits::default(),
        outline: Outline::default(),
        scope: Vec::new(),
        functions,
        arrays: HashSet::new(),
        silent: 0,
        counted: 0,
        jumps: Jumps::default(),
        procedure: 0,
        frames: Vec::new(),
    };
    walk.units(tree.root_node());
    Ok((walk.edits.apply(&form.base), walk.outline))
}

impl<'a> Walk<'a> {
    fn source(&self) -> &'a [u8] {
        &self.form.parse
    }

    /// Returns where a node begins in the text that is compiled.
    fn start(&self, node: Node) -> usize {
        self.form.offset(node.start_position())
    }

    /// Returns where a node ends, without blanks and line breaks.
    fn end(&self, node: Node) -> usize {
        let start = self.start(node);
        let end = self.form.offset(node.end_position());
        start + self.form.base[start..end.max(start)].trim_ascii_end().len()
    }

    /// Returns the call of a probe.
    fn probe(&self, probe: char, number: u32) -> String {
        format!("call mpiscope{probe}{}({number})", self.key)
    }

    /// Walks what may contain procedures.
    fn units(&mut self, node: Node<'a>) {
        for child in children(node) {
            let kind = child.kind();
            match kind {
                "program" | "subroutine" | "function" | "module_procedure" => self.unit(child),
                "module" | "submodule" => {
                    let name = self.name_of(child).unwrap_or_default();
                    self.scope.push(name);
                    self.units(child);
                    self.scope.pop();
                }
                "internal_procedures" => self.units(child),
                "ERROR" => {
                    self.unparsed(child);
                    self.units(child);
                }
                _ if is_conditional(kind) => self.units(child),
                _ => {}
            }
        }
    }

    /// Names the procedures that an error hides.
    fn unparsed(&mut self, node: Node<'a>) {
        let heads = [
            "program_statement",
            "subroutine_statement",
            "function_statement",
        ];
        let parts = children(node);
        let heads: Vec<_> = parts
            .iter()
            .filter(|part| heads.contains(&part.kind()))
            .collect();
        for head in &heads {
            let name = children(**head)
                .into_iter()
                .find(|part| part.kind() == "name");
            let name = name.map_or("(unknown)", |name| text(self.source(), name));
            self.outline
                .leave_alone(name, lines(**head).0, "does not parse");
        }
        if heads.is_empty() {
            let line = lines(node).0;
            self.outline
                .leave_alone("(unknown)", line, "does not parse");
        }
    }

    /// Returns the name in a unit's first statement.
    fn name_of(&self, unit: Node<'a>) -> Option<String> {
        let head = children(unit)
            .into_iter()
            .find(|child| child.kind().ends_with("_statement"))?;
        let names = children(head);
        let name = names
            .iter()
            .find(|child| matches!(child.kind(), "name" | "module_name"))?;
        Some(text(self.source(), *name).to_owned())
    }

    fn unit(&mut self, node: Node<'a>) {
        let own = self.name_of(node).unwrap_or_else(|| "(main)".into());
        let parts = children(node);
        let (inner, parts): (Vec<Node>, Vec<Node>) = parts
            .into_iter()
            .partition(|part| part.kind() == "internal_procedures");
        self.procedure(node, &own, &parts, inner.first().copied());
        self.scope.push(own);
        for procedures in inner {
            self.units(procedures);
        }
        self.scope.pop();
    }

    /// Walks the statements of a procedure, those of its internal ones apart.
    fn procedure(
        &mut self,
        node: Node<'a>,
        own: &str,
        parts: &[Node<'a>],
        inner: Option<Node<'a>>,
    ) {
        let mut path: Vec<&str> = self.scope.iter().map(String::as_str).collect();
        path.push(own);
        let name = path.join("::");
        let last = inner.map_or(lines(node).1, |inner| lines(inner).0);
        let span = (lines(node).0, last);
        if let Some(line) = parts
            .iter()
            .find_map(|part| part.has_error().then(|| first_error(*part)))
        {
            let reason = format!("does not parse at line {}", line.unwrap_or(span.0));
            return self.outline.leave_alone(&name, span.0, reason);
        }
        self.arrays.clear();
        for part in parts {
            calls::arrays(&self.form.parse, *part, &mut self.arrays);
        }
        self.jumps = Jumps::of(&self.form.parse, parts);
        self.alternate_returns(parts);
        let places = self.places(parts, inner);
        let reason = self
            .untouchable(parts, span)
            .or(places.as_ref().err().cloned());
        if let Some(reason) = &reason {
            self.outline.leave_alone(&name, span.0, reason.clone());
        }
        let quiet = u32::from(reason.is_some() || !self.options.wants(&name));
        self.silent += quiet;
        self.procedure = self.outline.open(Kind::Procedure, &name, span);
        let places = places.ok().filter(|_| self.silent == 0);
        if let Some(places) = &places {
            self.enter(places);
        }
        self.statements(parts);
        if let Some(places) = &places {
            let leave = self.probe('l', self.procedure);
            self.edits.insert(places.leave, format!("{leave}; "));
        }
        self.outline.close();
        self.silent -= quiet;
    }

    fn enter(&mut self, places: &Places) {
        let number = self.procedure;
        let enter = self.probe('e', number);
        match places.enter {
            Spot::Before(offset) => self.edits.insert(offset, format!("{enter}; ")),
            Spot::After(offset) => self.edits.insert(offset, format!("; {enter}")),
        }
        for entry in &places.entries {
            self.edits.insert(*entry, format!("; {enter}"));
        }
        self.outline.probed(number);
    }

    /// Returns why a procedure that parses gets no probes.
    fn untouchable(&self, parts: &[Node<'a>], span: (u32, u32)) -> Option<String> {
        let head = parts
            .iter()
            .find(|part| part.kind().ends_with("_statement"));
        let qualifiers: Vec<String> = head.map_or_else(Vec::new, |head| {
            let qualifiers = children(*head).into_iter();
            let qualifiers = qualifiers.filter(|child| child.kind() == "procedure_qualifier");
            qualifiers
                .map(|child| text(self.source(), child).to_lowercase())
                .collect()
        });
        let has = |word: &str| qualifiers.iter().any(|qualifier| qualifier == word);
        let pure = ["pure", "elemental", "simple"]
            .into_iter()
            .find(|word| has(word));
        let pure = pure
            .filter(|_| !has("impure"))
            .map(|word| format!("is {word}"));
        let device = || {
            let mut comments = parts.iter().filter(|part| part.kind() == "comment");
            let directive = |part: &&Node<'a>| directive::read(text(self.source(), **part));
            let device = comments.any(|part| directive(&part) == Some(Directive::Procedure));
            device.then(|| "is also compiled for devices or vectors".to_owned())
        };
        let returns = self.jumps.returns_from_terminator;
        let returns =
            returns.then(|| "returns from the last statement of a labelled loop".to_owned());
        let attributes = has("attributes").then(|| "runs on a device".to_owned());
        let refused = || self.options.refusal(span).map(str::to_owned);
        pure.or_else(device)
            .or(returns)
            .or(attributes)
            .or_else(refused)
    }

    /// Labels among the arguments of a call are ways out of loops.
    fn alternate_returns(&mut self, parts: &[Node<'a>]) {
        for part in parts {
            if part.kind() == "subroutine_call" {
                let text = &self.form.base[self.start(*part)..self.end(*part)];
                let labels = alternate_labels(text);
                if !labels.is_empty() {
                    self.jumps.alternate(part.start_byte(), labels);
                }
            }
            self.alternate_returns(&children(*part));
        }
    }

    /// Finds where the procedure is entered and left.
    fn places(&self, parts: &[Node<'a>], inner: Option<Node<'a>>) -> Result<Places, String> {
        let end = parts.iter().find(|part| is_end(part.kind()));
        let leave = inner.or(end.copied()).ok_or("has no end of its own")?;
        let leave = self.start(leave);
        let first = parts.iter().position(|part| self.is_first(*part));
        let enter = match first {
            Some(first) => self.enter_before(parts, first)?,
            None => Spot::Before(leave),
        };
        let mut entries = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            if part.kind() == "entry_statement" {
                let mut before = parts[..index].iter().rev();
                let before = before.find(|part| is_executable(part.kind()));
                if !before.is_some_and(|before| is_end_of_path(self.source(), *before)) {
                    return Err("has an ENTRY that is reached from above".into());
                }
                entries.push(self.end(*part));
            }
        }
        Ok(Places {
            enter,
            leave,
            entries,
        })
    }

    /// Returns whether a part is, or may contain, the first executable statement.
    fn is_first(&self, part: Node<'a>) -> bool {
        match part.kind() {
            "assignment_statement" => !self.is_statement_function(part),
            kind if is_conditional(kind) => {
                children(part).into_iter().any(|child| self.is_first(child))
            }
            kind => is_executable(kind),
        }
    }

    /// `f(x) = x + 1` declares a function where `f` is no array.
    fn is_statement_function(&self, part: Node<'a>) -> bool {
        let left = part
            .child_by_field_name("left")
            .filter(|left| left.kind() == "call_expression");
        let Some(left) = left else { return false };
        let parts = children(left);
        let [name, arguments] = parts[..] else {
            return false;
        };
        let names = children(arguments)
            .iter()
            .all(|argument| argument.kind() == "identifier");
        let name = text(self.source(), name).to_lowercase();
        names && !self.arrays.contains(&name) && self.scope.is_empty()
    }

    fn enter_before(&self, parts: &[Node<'a>], first: usize) -> Result<Spot, String> {
        let labelled = first > 0 && parts[first - 1].kind() == "statement_label";
        let before = &parts[..first - usize::from(labelled)];
        let comments = before
            .iter()
            .rev()
            .take_while(|part| part.kind() == "comment");
        let mut directives = comments.map(|part| directive::read(text(self.source(), *part)));
        let bound = directives.any(|directive| directive.is_some());
        if !labelled && !bound && !is_conditional(parts[first].kind()) {
            return Ok(Spot::Before(self.start(parts[first])));
        }
        let previous = before.iter().rev().find(|part| part.kind() != "comment");
        let complete = previous.filter(|part| {
            !part.kind().starts_with("preproc") && part.kind() != "include_statement"
        });
        let complete = complete
            .ok_or("begins with a label or a directive, and nothing can be put before it")?;
        Ok(Spot::After(self.end(*complete)))
    }
}

/// Where probes of a procedure go.
struct Places {
    enter: Spot,
    leave: usize,
    entries: Vec<usize>,
}

/// Before a statement, or after another.
enum Spot {
    Before(usize),
    After(usize),
}

/// Returns the labels in `(*10, x, *20)`.
fn alternate_labels(call: &[u8]) -> Vec<u32> {
    let text = String::from_utf8_lossy(call).into_owned();
    let arguments = text.split(['(', ',', ')']).map(str::trim);
    let labels = arguments.filter_map(|argument| argument.strip_prefix('*'));
    labels
        .filter_map(|label| label.trim().parse().ok())
        .collect()
}
