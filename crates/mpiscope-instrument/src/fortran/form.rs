//! The two forms of Fortran source: what the parser gets, and the text that
//! probes are put into.
//!
//! The grammar knows free form. Fixed form is made free line by line: comments
//! begin with `!`, a continued line ends in `&`, the mark of a continuation
//! line becomes `&`. Every character keeps its line and column.

use tree_sitter::Point;

/// A source in both shapes.
pub(super) struct Form {
    /// What the parser gets.
    pub parse: Vec<u8>,
    /// What is compiled: in fixed form nothing beyond the columns that count,
    /// as the compiler will be told that there is no end to lines.
    pub base: Vec<u8>,
    /// Where the lines of `base` begin.
    lines: Vec<usize>,
}

impl Form {
    /// Takes free form as it is.
    pub fn free(text: &[u8]) -> Self {
        Self::new(text.to_vec(), text.to_vec())
    }

    /// Makes fixed form free.
    pub fn fixed(text: &[u8], columns: usize) -> Self {
        let mut fixed = Fixed::default();
        for line in text.split(|byte| *byte == b'\n') {
            fixed.line(line, columns);
        }
        Self::new(fixed.parse.join(&b'\n'), fixed.base.join(&b'\n'))
    }

    fn new(mut parse: Vec<u8>, base: Vec<u8>) -> Self {
        mask_labels(&mut parse);
        let breaks = base.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let lines = std::iter::once(0)
            .chain(breaks.map(|(at, _)| at + 1))
            .collect();
        Self { parse, base, lines }
    }

    /// Returns where a place of the parsed text is in `base`.
    pub fn offset(&self, place: Point) -> usize {
        let start = self
            .lines
            .get(place.row)
            .copied()
            .unwrap_or(self.base.len());
        let next = self.lines.get(place.row + 1);
        let end = next.map_or(self.base.len(), |next| next - 1);
        (start + place.column).min(end)
    }
}

/// The grammar knows no alternate returns: `*10` and `*` among arguments are
/// made to look like numbers and names.
fn mask_labels(text: &mut [u8]) {
    let mut open = false;
    for at in 0..text.len() {
        match text[at] {
            b'(' | b',' => open = true,
            b' ' => {}
            b'*' if open => {
                let next = text[at + 1..].iter().find(|byte| **byte != b' ');
                match next {
                    Some(b',' | b')') => text[at] = b'x',
                    Some(digit) if digit.is_ascii_digit() => text[at] = b' ',
                    _ => {}
                }
                open = false;
            }
            _ => open = false,
        }
    }
}

#[derive(Default)]
struct Fixed {
    parse: Vec<Vec<u8>>,
    base: Vec<Vec<u8>>,
    /// The last line of a statement, and where its comment begins.
    statement: Option<(usize, usize)>,
    /// The string that the last line left open.
    quote: Option<u8>,
}

/// The column, counted from 0, that marks a continuation (Fortran 2018, 6.3.3).
const MARK: usize = 5;

impl Fixed {
    fn line(&mut self, line: &[u8], columns: usize) {
        let (line, end) = match line.strip_suffix(b"\r") {
            Some(line) => (line, &b"\r"[..]),
            None => (line, &b""[..]),
        };
        if let Some(parse) = no_statement(line) {
            self.parse.push(parse);
            self.base.push([line, end].concat());
            return;
        }
        let line = untabbed(line);
        let mut line = line[..line.len().min(columns)].to_vec();
        let base = line.clone();
        let number = self.parse.len();
        let continues = line.len() > MARK && !matches!(line[MARK], b' ' | b'0');
        if continues {
            line[MARK] = b'&';
            self.continue_statement(columns);
        } else {
            self.quote = None;
            if let Some(mark) = line.get_mut(MARK) {
                *mark = b' ';
            }
        }
        let comment = self.comment(&line);
        self.statement = Some((number, comment));
        self.parse.push(line);
        self.base.push([&base, end].concat());
    }

    /// Marks the last line as continued, behind its code.
    fn continue_statement(&mut self, columns: usize) {
        let Some((number, comment)) = self.statement else {
            return;
        };
        let line = &mut self.parse[number];
        line.truncate(comment);
        line.extend(b" &");
        // A string goes on to the last column, blanks and all.
        if self.quote.is_some() && columns != usize::MAX {
            let base = &mut self.base[number];
            let end = base.strip_suffix(b"\r").map_or(base.len(), <[u8]>::len);
            let blanks = vec![b' '; columns.saturating_sub(end)];
            base.splice(end..end, blanks);
        }
    }

    /// Returns where a line's comment begins, and minds open strings.
    fn comment(&mut self, line: &[u8]) -> usize {
        for (at, &byte) in line.iter().enumerate().skip(MARK + 1) {
            match (self.quote, byte) {
                (Some(open), _) if byte == open => self.quote = None,
                (Some(_), _) => {}
                (None, b'\'' | b'"') => self.quote = Some(byte),
                (None, b'!') => return at,
                _ => {}
            }
        }
        line.len()
    }
}

/// Returns how the parser gets a line that is no part of a statement.
fn no_statement(line: &[u8]) -> Option<Vec<u8>> {
    let first = line.iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
    match line[0] {
        b'#' => Some(line.to_vec()),
        b'c' | b'C' | b'*' | b'!' | b'd' | b'D' => Some([b"!", &line[1..]].concat()),
        _ if line[first] == b'!' && first != MARK => Some(line.to_vec()),
        _ => None,
    }
}

/// A tab among the first columns stands for all that are left of them (DEC).
fn untabbed(line: &[u8]) -> Vec<u8> {
    let tab = line.iter().take(MARK + 1).position(|byte| *byte == b'\t');
    let Some(tab) = tab else {
        return line.to_vec();
    };
    let continues = line
        .get(tab + 1)
        .is_some_and(|byte| (b'1'..=b'9').contains(byte));
    let blanks = if continues { MARK } else { MARK + 1 };
    let mut text = line[..tab].to_vec();
    text.resize(blanks.max(tab), b' ');
    text.extend(&line[tab + 1..]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};

    fn check(fixed: &str, columns: usize, parse: Expect, base: Expect) {
        let form = Form::fixed(fixed.as_bytes(), columns);
        parse.assert_eq(std::str::from_utf8(&form.parse).unwrap());
        base.assert_eq(std::str::from_utf8(&form.base).unwrap());
    }

    #[test]
    fn fixed_form_becomes_free_in_its_columns() {
        check(
            "C text\n   10 x = 1 ! one\n     +  + 2\n\ty = 1\n\t1+ 2\n      end",
            72,
            expect![[r#"
                ! text
                   10 x = 1  &
                     &  + 2
                      y = 1 &
                     &+ 2
                      end"#]],
            expect![[r#"
                C text
                   10 x = 1 ! one
                     +  + 2
                      y = 1
                     1+ 2
                      end"#]],
        );
    }

    #[test]
    fn strings_go_on_to_the_last_column_and_what_is_beyond_is_no_text() {
        let source = b"      s = 'ab\n     1cd'\n      t = 1      sequence";
        let form = Form::fixed(source, 16);
        let parse = b"      s = 'ab &\n     &cd'\n      t = 1     ";
        assert_eq!(form.parse, parse);
        let base = b"      s = 'ab   \n     1cd'\n      t = 1     ";
        assert_eq!(form.base, base);
    }
}
