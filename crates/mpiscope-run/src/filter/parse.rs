//! Filter files, read.
//!
//! Words are parted by white space, over any number of lines; `#` begins a
//! comment, and a backslash before one of these, or before another, means it as it is.

use std::fmt;

use super::{Filter, Rule};

/// A word that may not stand where it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damaged {
    /// Its line, from 1; the last one if the file ends too early.
    pub line: usize,
    /// The word; nothing at the end of the file.
    pub found: Option<String>,
    /// What may stand there.
    pub expected: &'static str,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, expected) = (self.line, self.expected);
        match &self.found {
            Some(found) => write!(f, "line {line}: `{found}`, where {expected} is expected"),
            None => write!(
                f,
                "line {line}: the file ends, where {expected} is expected"
            ),
        }
    }
}

/// In which block one is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Regions,
    Files,
}

const BLOCKS: [(Block, &str, &str); 2] = [
    (
        Block::Regions,
        "SCOREP_REGION_NAMES_BEGIN",
        "SCOREP_REGION_NAMES_END",
    ),
    (
        Block::Files,
        "SCOREP_FILE_NAMES_BEGIN",
        "SCOREP_FILE_NAMES_END",
    ),
];

const A_BLOCK: &str = "SCOREP_REGION_NAMES_BEGIN or SCOREP_FILE_NAMES_BEGIN";
const A_RULE: &str = "EXCLUDE, INCLUDE or the block's END";
const A_NAME: &str = "a name, EXCLUDE, INCLUDE or the block's END";
const NAMES_ALONE: &str = "EXCLUDE or INCLUDE before MANGLED, in a block of region names";

/// Reads a filter file.
///
/// # Errors
/// The first word that may not stand where it does.
pub fn parse(text: &str) -> Result<Filter, Damaged> {
    let mut reader = Reader::default();
    for (line, content) in (1..).zip(text.lines()) {
        for word in words(content) {
            reader.take(word).map_err(|(found, expected)| Damaged {
                line,
                found: Some(found),
                expected,
            })?;
        }
    }
    match reader.block {
        None => Ok(reader.filter),
        Some(block) => Err(Damaged {
            line: text.lines().count().max(1),
            found: None,
            expected: end_of(block),
        }),
    }
}

fn end_of(block: Block) -> &'static str {
    match block {
        Block::Regions => "SCOREP_REGION_NAMES_END",
        Block::Files => "SCOREP_FILE_NAMES_END",
    }
}

/// Parts a line into words, without its comment. A backslash stays before what it is for, as a
/// pattern has it, but where it is for white space.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '#' => break,
            '\\' => match letters.next() {
                Some(meant) if meant.is_whitespace() || meant == '#' => word.push(meant),
                meant => word.extend(['\\'].into_iter().chain(meant)),
            },
            space if space.is_whitespace() => {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            }
            letter => word.push(letter),
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

#[derive(Default)]
struct Reader {
    filter: Filter,
    block: Option<Block>,
    /// Whether names are to be excluded, once that is said.
    exclude: Option<bool>,
    mangled: bool,
}

impl Reader {
    /// Takes a word, or says what is expected in its place.
    fn take(&mut self, word: String) -> Result<(), (String, &'static str)> {
        let begins = BLOCKS.iter().find(|(_, begin, _)| *begin == word);
        let ends = BLOCKS.iter().find(|(.., end)| *end == word);
        match (self.block, begins, ends) {
            (None, Some((block, ..)), _) => self.block = Some(*block),
            (None, ..) => return Err((word, A_BLOCK)),
            (Some(block), _, Some((ended, ..))) if block == *ended => self.end(),
            (Some(_), Some(_), _) | (Some(_), _, Some(_)) => return Err((word, self.wanted())),
            (Some(block), None, None) => return self.take_rule(block, word),
        }
        Ok(())
    }

    fn end(&mut self) {
        (self.block, self.exclude, self.mangled) = (None, None, false);
    }

    fn wanted(&self) -> &'static str {
        match self.exclude {
            None => A_RULE,
            Some(_) => A_NAME,
        }
    }

    fn take_rule(&mut self, block: Block, word: String) -> Result<(), (String, &'static str)> {
        match (word.as_str(), self.exclude) {
            ("EXCLUDE", _) => (self.exclude, self.mangled) = (Some(true), false),
            ("INCLUDE", _) => (self.exclude, self.mangled) = (Some(false), false),
            ("MANGLED", Some(_)) if block == Block::Regions => self.mangled = true,
            ("MANGLED", _) => return Err((word, NAMES_ALONE)),
            (_, None) => return Err((word, A_RULE)),
            (_, Some(exclude)) => {
                let rule = Rule {
                    exclude,
                    mangled: self.mangled,
                    pattern: word,
                };
                match block {
                    Block::Regions => self.filter.regions.push(rule),
                    Block::Files => self.filter.files.push(rule),
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(rules: &[Rule]) -> Vec<String> {
        let text = |rule: &Rule| {
            let sign = if rule.exclude { '-' } else { '+' };
            let mangled = if rule.mangled { "~" } else { "" };
            format!("{sign}{mangled}{}", rule.pattern)
        };
        rules.iter().map(text).collect()
    }

    #[test]
    fn blocks_have_rules_over_lines_with_comments() {
        let text = "# a comment\n\
                    SCOREP_REGION_NAMES_BEGIN\n\
                    EXCLUDE * # all\n\
                    INCLUDE bar foo\n   baz\n\
                    EXCLUDE MANGLED _Z3* x INCLUDE y\n\
                    SCOREP_REGION_NAMES_END\n\
                    SCOREP_FILE_NAMES_BEGIN EXCLUDE */a\\ b.c c\\#.c SCOREP_FILE_NAMES_END\n";
        let filter = parse(text).unwrap();
        assert_eq!(
            rules(&filter.regions),
            ["-*", "+bar", "+foo", "+baz", "-~_Z3*", "-~x", "+y"]
        );
        assert_eq!(rules(&filter.files), ["-*/a b.c", "-c#.c"]);
        assert_eq!(parse(""), Ok(Filter::default()));
    }

    #[test]
    fn backslashes_of_patterns_stay() {
        let text = "SCOREP_REGION_NAMES_BEGIN EXCLUDE operator\\* SCOREP_REGION_NAMES_END";
        assert_eq!(rules(&parse(text).unwrap().regions), ["-operator\\*"]);
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(parse(text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        check(
            "\n\nEXCLUDE *",
            "line 3: `EXCLUDE`, where SCOREP_REGION_NAMES_BEGIN or SCOREP_FILE_NAMES_BEGIN is expected",
        );
        check(
            "SCOREP_REGION_NAMES_BEGIN\nfoo",
            "line 2: `foo`, where EXCLUDE, INCLUDE or the block's END is expected",
        );
        check(
            "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE foo\n\n",
            "line 3: the file ends, where SCOREP_REGION_NAMES_END is expected",
        );
        check(
            "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE foo\nSCOREP_FILE_NAMES_END",
            "line 3: `SCOREP_FILE_NAMES_END`, where a name, EXCLUDE, INCLUDE or the block's END is expected",
        );
        check(
            "SCOREP_FILE_NAMES_BEGIN\nEXCLUDE MANGLED foo",
            "line 2: `MANGLED`, where EXCLUDE or INCLUDE before MANGLED, in a block of region names is expected",
        );
    }
}
