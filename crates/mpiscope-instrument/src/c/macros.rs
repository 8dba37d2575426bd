//! Macros that no grammar of C has: those that stand for statements and go
//! without a semicolon, as `FUNC_ENTER(FAIL)` on a line of its own, and
//! attributes between a type and a name, as in `int UNUSED x`.
//!
//! They are hidden from the parser behind as many blanks, those that are
//! statements with a semicolon, so that everything else keeps its place.

use tree_sitter::{Language, Node, Tree};

use super::names::like_macro;
use crate::tree::{children, parse};
use crate::Untouched;

/// Parses a text; where that fails, once more without such macros.
pub(super) fn parse_around(text: &[u8], language: &Language) -> Result<Tree, Untouched> {
    let tree = parse(text, language)?;
    if !tree.root_node().has_error() {
        return Ok(tree);
    }
    let mut places = Vec::new();
    broken(tree.root_node(), &mut places);
    let Some(hidden) = hide(text, &places) else {
        return Ok(tree);
    };
    let other = parse(&hidden, language)?;
    let is_better = whole(other.root_node()) > whole(tree.root_node());
    Ok(if is_better { other } else { tree })
}

/// Collects the ranges in which something does not parse.
fn broken(node: Node, places: &mut Vec<(usize, usize)>) {
    let is_one = node.is_error() || node.kind() == "function_definition";
    match node.has_error() {
        true if is_one => places.push((node.start_byte(), node.end_byte())),
        true => children(node)
            .into_iter()
            .for_each(|child| broken(child, places)),
        false => {}
    }
}

/// Counts procedures that parse.
fn whole(node: Node) -> usize {
    let own = node.kind() == "function_definition" && !node.has_error();
    let within = children(node).into_iter().map(whole);
    usize::from(own) + within.sum::<usize>()
}

/// Returns the text with such macros hidden within these ranges, if there are any.
fn hide(text: &[u8], places: &[(usize, usize)]) -> Option<Vec<u8>> {
    let mut hidden = text.to_vec();
    let mut reader = Reader { text, at: 0 };
    let (mut before, mut depth, mut found) = (b';', 0usize, false);
    let mut after_type = false;
    while let Some(token) = reader.next() {
        let word = std::str::from_utf8(&text[token.start..token.end]).unwrap_or("");
        let here = || {
            places
                .iter()
                .any(|(from, to)| (*from..*to).contains(&token.start))
        };
        if is_macro(word) && here() {
            if after_type && reader.names() {
                hidden[token.start..token.end].fill(b' ');
                found = true;
                continue;
            }
            let may_begin = depth > 0 && opens(before);
            if let Some(end) = may_begin.then(|| reader.statement(before)).flatten() {
                blank(&mut hidden[token.start..end]);
                (reader.at, before, found) = (end, b';', true);
                continue;
            }
        }
        after_type = is_of_word(token.byte) && !NO_TYPES.contains(&word);
        before = match word {
            "else" | "do" => b';',
            _ => token.byte,
        };
        match token.byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found.then_some(hidden)
}

/// Words after which a type may come yet.
const NO_TYPES: [&str; 17] = [
    "auto", "case", "const", "do", "else", "enum", "extern", "goto", "inline", "register",
    "return", "sizeof", "static", "struct", "typedef", "union", "volatile",
];

/// Whether a statement may begin after this.
fn opens(before: u8) -> bool {
    matches!(before, b';' | b'{' | b'}' | b':' | b')')
}

fn is_macro(word: &str) -> bool {
    word.len() > 2 && like_macro(word) && word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Blanks all but line breaks; ends in a semicolon.
fn blank(text: &mut [u8]) {
    for byte in text.iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
    if let Some(last) = text.last_mut() {
        *last = b';';
    }
}

/// A word, a string, or a single character.
struct Token {
    start: usize,
    end: usize,
    /// Its first.
    byte: u8,
}

/// Reads what the compiler would: no comments, no lines of the preprocessor.
#[derive(Clone)]
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    /// Returns the next token, and moves to its end.
    fn next(&mut self) -> Option<Token> {
        loop {
            let rest = &self.text[self.at..];
            let (start, byte) = (self.at, *rest.first()?);
            self.at = match byte {
                b'#' if self.is_at_line_start() => self.line_end(),
                b'/' if rest.starts_with(b"//") => self.line_end(),
                b'/' if rest.starts_with(b"/*") => {
                    let close = rest.windows(2).skip(2).position(|pair| pair == b"*/");
                    start + close.map_or(rest.len(), |at| at + 4)
                }
                _ if byte.is_ascii_whitespace() => start + 1,
                _ => break,
            };
        }
        let (start, byte) = (self.at, self.text[self.at]);
        self.at = match byte {
            b'"' | b'\'' => self.quote_end(byte),
            _ if is_of_word(byte) => self.word_end(),
            _ => start + 1,
        };
        let end = self.at;
        Some(Token { start, end, byte })
    }

    fn is_at_line_start(&self) -> bool {
        let before = self.text[..self.at].iter().rev();
        let mut before = before.skip_while(|byte| matches!(byte, b' ' | b'\t'));
        before.next().is_none_or(|byte| *byte == b'\n')
    }

    /// Returns the end of a line, and of those that continue it.
    fn line_end(&self) -> usize {
        let mut at = self.at;
        while let Some(length) = self.text[at..].iter().position(|byte| *byte == b'\n') {
            at += length;
            if !self.text[..at].trim_ascii_end().ends_with(b"\\") {
                return at;
            }
            at += 1;
        }
        self.text.len()
    }

    fn quote_end(&self, quote: u8) -> usize {
        let mut at = self.at + 1;
        while let Some(byte) = self.text.get(at) {
            match *byte {
                b'\\' => at += 1,
                b'\n' => return at,
                byte if byte == quote => return at + 1,
                _ => {}
            }
            at += 1;
        }
        self.text.len()
    }

    fn word_end(&self) -> usize {
        let rest = self.text[self.at..].iter();
        self.at + rest.take_while(|byte| is_of_word(**byte)).count()
    }

    /// After a macro's name: returns where it ends if it is a statement without
    /// a semicolon, as what follows on another line begins one or ends the block.
    fn statement(&self, before: u8) -> Option<usize> {
        let mut reader = self.clone();
        let takes_words = self.text[self.at..].trim_ascii_start().starts_with(b"(");
        if takes_words {
            reader.close()?;
        }
        let end = reader.at;
        let next = reader.next()?;
        let is_apart = self.text[end..next.start].contains(&b'\n');
        let begins = is_of_word(next.byte) || next.byte == b'}';
        let opens_block = next.byte == b'{' && !takes_words && before != b')';
        (is_apart && begins || opens_block).then_some(end)
    }

    /// After a type and a macro's name: returns whether what follows is a name, so
    /// that the macro is neither.
    fn names(&self) -> bool {
        let next = self.clone().next();
        next.is_some_and(|next| is_of_word(next.byte) || next.byte == b'*')
    }

    /// Moves behind the parenthesis that comes next.
    fn close(&mut self) -> Option<()> {
        let mut depth = 0;
        loop {
            match self.next()?.byte {
                b'(' => depth += 1,
                b')' if depth == 1 => return Some(()),
                b')' => depth -= 1,
                b'{' | b'}' | b';' => return None,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language() -> Language {
        tree_sitter_c::LANGUAGE.into()
    }

    /// Returns what the parser gets to see of a procedure's body.
    fn hidden(body: &str) -> String {
        let text = format!("int f(int x)\n{{\n{body}\n}}\n");
        let all = [(0, text.len())];
        let seen = hide(text.as_bytes(), &all).unwrap_or_else(|| text.clone().into_bytes());
        assert_eq!(seen.len(), text.len());
        let seen = String::from_utf8(seen).unwrap();
        let seen = seen.strip_prefix("int f(int x)\n{\n").unwrap();
        seen.strip_suffix("\n}\n").unwrap().to_owned()
    }

    #[test]
    fn macros_on_lines_of_their_own_are_hidden() {
        assert_eq!(hidden("ENTER(1, (2))\nx = 1;"), "            ;\nx = 1;");
        assert_eq!(hidden("ENTER\nx = 1;"), "    ;\nx = 1;");
        assert_eq!(
            hidden("x = 1;\nLEAVE(x) /* ) */"),
            "x = 1;\n       ; /* ) */"
        );
        assert_eq!(
            hidden("if (x)\nFAIL(\")\",\n 1)\nx = 1;"),
            "if (x)\n         \n  ;\nx = 1;"
        );
        assert_eq!(hidden("TRY {\nf(1);\n}"), "  ; {\nf(1);\n}");
    }

    #[test]
    fn attributes_between_a_type_and_a_name_are_hidden() {
        assert_eq!(hidden("int UNUSED x;"), "int        x;");
        assert_eq!(
            hidden("void g(T UNUSED *a, char UNUSED b);"),
            "void g(T        *a, char        b);"
        );
    }

    #[test]
    fn what_may_be_something_else_stays() {
        for text in [
            "struct NODE x;",
            "const REAL x = 1;",
            "x = a * SIZE;",
            "ENTER(1);\nx = 1;",
            "x =\nTWO\n+ 1;",
            "x = f(\nONE,\nTWO);",
            "enter(1)\nx = 1;",
            "FILE *file;",
            "MPI_Init(0, 0)\n;",
            "switch (x) {\ncase ONE:\nbreak;\n}",
            "\"ENTER(1)\"\nx;",
            "/* ENTER\n */ x;",
            "#define ENTER \\\nTWO(1)\nx;",
            "BOOL x = 1;",
        ] {
            assert_eq!(hidden(text), text, "{text}");
        }
    }

    #[test]
    fn procedures_with_such_macros_parse() {
        let text = b"int f(void)\n{\n    ENTER(FAIL)\n    if (g())\n        FAIL(1)\n    h();\ndone:\n    LEAVE(2)\n}\n";
        let tree = parse_around(text, &language()).unwrap();
        assert!(
            !tree.root_node().has_error(),
            "{}",
            tree.root_node().to_sexp()
        );
    }
}
