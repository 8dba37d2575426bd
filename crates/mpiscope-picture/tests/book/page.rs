//! A page of the book, by its parts.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the book's pages.
pub fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src")
}

/// Returns the names of the pages in a folder of the book and below it, from the book's on.
pub fn pages_below(folder: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in fs::read_dir(book().join(folder)).unwrap() {
        let path = file.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let name = match folder {
            "" => stem.to_owned(),
            folder => format!("{folder}/{stem}"),
        };
        if path.is_dir() {
            found.append(&mut pages_below(&name));
        } else if path.extension().is_some_and(|it| it == "md") {
            found.insert(name);
        }
    }
    found
}

/// What a fixture's last line begins with that is to be repeated.
const TIMES: &str = "\n\u{d7} ";

/// Repeats a run, each time from when it has ended before. Words that are numbers are times.
fn repeated(run: &str, times: i64) -> String {
    let length = run.split_whitespace().filter_map(|it| it.parse().ok());
    let length: i64 = length.max().unwrap_or(0);
    let later = |word: &str, by: i64| match word.parse::<i64>() {
        Ok(time) => (time + by).to_string(),
        Err(_) => word.to_owned(),
    };
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let rank = words.next().unwrap().to_owned();
        let words: Vec<&str> = words.collect();
        let all = (0..times).flat_map(|turn| words.iter().map(move |it| later(it, turn * length)));
        [rank].into_iter().chain(all).collect::<Vec<_>>().join(" ")
    };
    run.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A page.
pub struct Page {
    name: String,
    text: String,
}

impl Page {
    /// Reads the page of this name below the book's folder, without its ending.
    pub fn read(name: &str) -> Page {
        let mut page = Page {
            name: name.to_owned(),
            text: String::new(),
        };
        page.text = fs::read_to_string(page.path()).unwrap_or_else(|error| {
            panic!("{}: {error}", page.path().display());
        });
        page
    }

    pub fn path(&self) -> PathBuf {
        book().join(format!("{}.md", self.name))
    }

    /// Returns its picture.
    pub fn picture(&self) -> PathBuf {
        self.path().with_extension("svg")
    }

    /// Returns its heading.
    pub fn title(&self) -> &str {
        let first = self.text.lines().next().unwrap_or_default();
        first.trim_start_matches("# ")
    }

    /// Returns what lies before a block of code of this kind, in it and after it.
    fn around(&self, kind: &str) -> [&str; 3] {
        let begin = format!("```{kind}\n");
        let (before, rest) = (self.text.split_once(&begin))
            .unwrap_or_else(|| panic!("{}: no block of {kind}", self.name));
        let end = rest.find("```").unwrap();
        let (before, _) = self.text.split_at(before.len() + begin.len());
        [before, &rest[..end], &rest[end..]]
    }

    /// Returns what stands in a block of code of this kind.
    pub fn block(&self, kind: &str) -> String {
        self.around(kind)[1].trim_end().to_owned()
    }

    /// Returns what its picture shows of its run.
    pub fn shown(&self) -> String {
        let fixture = self.block("fixture");
        let (shown, _) = fixture.split_once(TIMES).unwrap_or((&fixture, ""));
        shown.to_owned()
    }

    /// Returns its run: what is shown, as often as the last line says, one after the other.
    pub fn run(&self) -> String {
        match self.block("fixture").split_once(TIMES) {
            None => self.shown(),
            Some((shown, times)) => repeated(shown, times.trim().parse().unwrap()),
        }
    }

    /// Returns the page with something else in such a block.
    pub fn with_block(&self, kind: &str, text: &str) -> String {
        let [before, _, after] = self.around(kind);
        format!("{before}{text}\n{after}")
    }

    /// Returns what stands below a heading.
    pub fn section(&self, heading: &str) -> &str {
        let mut parts = self.text.split("\n## ").skip(1);
        let part = parts.find_map(|part| part.strip_prefix(heading)?.strip_prefix('\n'));
        part.unwrap_or_else(|| panic!("{}: no {heading}", self.name))
    }

    /// Returns its text without blocks of code.
    pub fn prose(&self) -> String {
        self.text.split("```").step_by(2).collect()
    }

    /// Returns its blocks of code.
    pub fn blocks(&self) -> String {
        self.text.split("```").skip(1).step_by(2).collect()
    }

    /// Returns what of the book it links to, or shows.
    pub fn links(&self) -> Vec<String> {
        let prose = self.prose();
        let ends = prose.split("](").skip(1);
        let links = ends.filter_map(|rest| rest.split(')').next());
        let own = links.filter(|link| !link.contains("://"));
        own.map(str::to_owned).collect()
    }
}

/// Returns times and shares as text has them: `50 ns`, `75 %`.
pub fn figures(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let trimmed = |word: &str| {
        word.trim_matches(|it: char| !it.is_alphanumeric() && it != '%')
            .to_owned()
    };
    let pairs = words
        .windows(2)
        .map(|pair| (trimmed(pair[0]), trimmed(pair[1])));
    let figures = pairs.filter(|(_, unit)| unit == "ns" || unit == "%");
    figures
        .map(|(number, unit)| format!("{number} {unit}"))
        .collect()
}

#[test]
fn a_run_is_repeated_from_its_end_on() {
    let run = "0: 0 5 send>1(bytes=8) 9\n1: 2 8 recv<0(bytes=8)";
    let twice = "0: 0 5 send>1(bytes=8) 9 9 14 send>1(bytes=8) 18\n1: 2 8 recv<0(bytes=8) 11 17 recv<0(bytes=8)";
    assert_eq!(repeated(run, 2), twice);
}
