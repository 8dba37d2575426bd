//! Rust source as words: names, `::`, and single characters, without comments and literals.

/// Splits source text.
pub fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, is_word) = match first {
            _ if rest.starts_with("//") => (line(rest), false),
            _ if rest.starts_with("/*") => (block_comment(rest), false),
            _ if is_raw_string(rest) => (raw_string(rest), false),
            '"' => (quoted(rest, '"'), false),
            '\'' => (character(rest), false),
            _ if first.is_alphanumeric() || first == '_' => (name(rest), true),
            _ if rest.starts_with("::") => (2, true),
            _ => (first.len_utf8(), !first.is_whitespace()),
        };
        let (word, after) = rest.split_at(length);
        if is_word {
            words.push(word);
        }
        rest = after;
    }
    words
}

/// Leaves out every item under `#[cfg(test)]`.
pub fn without_tests(words: Vec<&str>) -> Vec<&str> {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut rest = &words[..];
    while let [word, after @ ..] = rest {
        match rest.starts_with(&TEST) {
            true => rest = &rest[TEST.len() + item(&rest[TEST.len()..])..],
            false => {
                kept.push(*word);
                rest = after;
            }
        }
    }
    kept
}

/// Returns how many words the first item takes: up to its `;` or the end of its braces.
fn item(words: &[&str]) -> usize {
    let mut depth = 0;
    let ends = |word: &&str| {
        depth += i32::from("{([".contains(word)) - i32::from("})]".contains(word));
        depth == 0 && matches!(*word, ";" | "}")
    };
    words
        .iter()
        .position(ends)
        .map_or(words.len(), |end| end + 1)
}

fn line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// Block comments lie in each other.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    for (at, _) in text.char_indices() {
        depth += i32::from(text[at..].starts_with("/*"));
        depth -= i32::from(text[..at].ends_with("*/"));
        if at > 2 && depth == 0 {
            return at;
        }
    }
    text.len()
}

/// `r"…"`, `br#"…"#`, which end at a quote and as many `#` as before them.
fn is_raw_string(text: &str) -> bool {
    let text = text.strip_prefix('b').unwrap_or(text);
    let hashes = text
        .strip_prefix('r')
        .map(|text| text.trim_start_matches('#'));
    hashes.is_some_and(|text| text.starts_with('"'))
}

fn raw_string(text: &str) -> usize {
    let open = text.find('"').unwrap();
    let hashes = text[..open].matches('#').count();
    let close = format!("\"{}", "#".repeat(hashes));
    let body = open + 1;
    let end = text[body..].find(&close);
    end.map_or(text.len(), |end| body + end + close.len())
}

fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

/// A literal, or the quote before a lifetime.
fn character(text: &str) -> usize {
    let mut after = text.chars().skip(1);
    let (first, second) = (after.next(), after.next());
    match first == Some('\\') || second == Some('\'') {
        true => quoted(text, '\''),
        false => 1,
    }
}

fn name(text: &str) -> usize {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    end.unwrap_or(text.len())
}
