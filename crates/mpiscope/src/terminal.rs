//! The terminal that a report goes to: how wide it is, and whether it shows colours.

use std::borrow::Cow;
use std::io::{stdout, IsTerminal};

/// Columns where nobody says: what a page holds that is read in an editor or a mail.
const DEFAULT: usize = 80;

/// Narrower than this nothing can be read.
const LEAST: usize = 40;

/// What a piece of a report says of the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// As it should be.
    Green,
    /// Works, with a loss.
    Yellow,
    /// Does not work.
    Red,
}

/// Returns how many columns a line of standard output has.
pub fn width() -> usize {
    let said = || std::env::var("COLUMNS").ok()?.parse().ok();
    columns().or_else(said).unwrap_or(DEFAULT).max(LEAST)
}

/// Returns how many columns the terminal has, if standard output is one.
fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
}

/// Colours a text where standard output is a terminal that shows it (see no-color.org).
pub fn coloured(text: &str, colour: Colour) -> String {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    match stdout().is_terminal() && wanted {
        true => paint(text, colour),
        false => text.to_owned(),
    }
}

fn paint(text: &str, colour: Colour) -> String {
    let code = match colour {
        Colour::Green => 32,
        Colour::Yellow => 33,
        Colour::Red => 31,
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}

/// Returns a text in which nothing but our own colours tells a terminal to do something: names of a
/// trace may hold anything, and are not to move the cursor or set a title.
pub fn harmless(text: &str) -> Cow<'_, str> {
    // All bytes, many at a time: that takes less than to stop at the first.
    let may = |found, byte| found | may_begin_command(byte);
    if !text.bytes().fold(false, may) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        match is_command(letter) && !is_colour(&text[at..]) {
            true => out.extend(letter.escape_default()),
            false => out.push(letter),
        }
    }
    Cow::Owned(out)
}

/// Returns whether a letter that begins with this byte may be a command: most texts have none, and are
/// looked through in no time.
fn may_begin_command(byte: u8) -> bool {
    /// The first byte of U+0080 to U+00BF in UTF-8, of which half are commands.
    const LATIN: u8 = 0xc2;
    (byte == LATIN) | (byte == 0x7f) | ((byte < b' ') & (byte != b'\n') & (byte != b'\t'))
}

/// Returns whether a terminal does something at this letter, beside beginning a line.
fn is_command(letter: char) -> bool {
    letter.is_control() && letter != '\n' && letter != '\t'
}

/// Returns whether a text begins with what [`paint`] puts around another.
fn is_colour(text: &str) -> bool {
    let codes = ["\x1b[0m", "\x1b[31m", "\x1b[32m", "\x1b[33m"];
    codes.iter().any(|code| text.starts_with(code))
}

/// Breaks a line so that it suits the terminal, if that is where it goes; what goes on
/// begins after `indent` spaces.
pub fn wrapped(line: &str, indent: usize) -> String {
    match columns() {
        Some(width) => wrapped_at(line, indent, width),
        None => line.to_owned(),
    }
}

fn wrapped_at(line: &str, indent: usize, width: usize) -> String {
    let text = line.trim_start();
    let begin = &line[..line.len() - text.len()];
    format!("{begin}{}", wrap(text, width, begin.len(), indent))
}

/// Breaks a text between words so that it fits into `width` columns, all lines but the first
/// after `indent` spaces. The first line is `begun` columns long already. What has no space
/// in it, as a path, stays whole.
pub fn wrap(text: &str, width: usize, begun: usize, indent: usize) -> String {
    let mut wrapped = String::new();
    let mut column = begun;
    let mut at_begin = true;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if !at_begin && column + 1 + length > width {
            wrapped.push('\n');
            wrapped.extend(std::iter::repeat_n(' ', indent));
            column = indent;
            at_begin = true;
        }
        if !at_begin {
            wrapped.push(' ');
            column += 1;
        }
        wrapped.push_str(word);
        column += length;
        at_begin = false;
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_text_is_broken_between_words_under_its_begin() {
        let text = "one two three four /a/path/that/is/longer/than/a/line five";
        let wrapped = format!("ok {}", wrap(text, 14, 3, 3));
        expect![[r#"
            ok one two
               three four
               /a/path/that/is/longer/than/a/line
               five"#]]
        .assert_eq(&wrapped);
        assert_eq!(wrap("", 10, 0, 0), "");
    }

    #[test]
    fn what_a_line_begins_with_stays() {
        let text = wrapped_at("  one two three four averylongword five", 4, 14);
        let lines: Vec<&str> = text.lines().collect();
        let broken = [
            "  one two",
            "    three four",
            "    averylongword",
            "    five",
        ];
        assert_eq!(lines, broken);
        assert_eq!(wrapped_at("one two", 2, 80), "one two");
    }

    #[test]
    fn colours_end_where_the_text_does() {
        assert_eq!(paint("NO", Colour::Red), "\x1b[31mNO\x1b[0m");
        let all = [Colour::Green, Colour::Yellow, Colour::Red];
        all.map(|it| paint("a\tb\n", it))
            .iter()
            .for_each(|text| assert_eq!(harmless(text), *text));
    }

    #[test]
    fn names_tell_a_terminal_nothing() {
        let shown = |text| harmless(text).into_owned();
        assert_eq!(
            shown("a\x1b[2Jb\x1b]0;title\x07"),
            r"a\u{1b}[2Jb\u{1b}]0;title\u{7}"
        );
        assert_eq!(shown("a\rb\u{9b}31m"), r"a\rb\u{9b}31m");
        assert_eq!(shown("größer ≥ 3 µs\n"), "größer ≥ 3 µs\n");
        let all = (0..=0x10ffff).filter_map(char::from_u32);
        let missed =
            |letter: &char| is_command(*letter) && harmless(&letter.to_string()).contains(*letter);
        assert_eq!(all.filter(missed).collect::<Vec<_>>(), []);
    }
}
