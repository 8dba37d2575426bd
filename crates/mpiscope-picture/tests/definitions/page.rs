//! A page of the book, by its parts.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the book's pages.
pub fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src")
}

/// Returns the names of all pages of definitions.
pub fn names() -> BTreeSet<String> {
    let files = fs::read_dir(book().join("definitions")).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let pages = paths.filter(|path| path.extension().is_some_and(|it| it == "md"));
    pages
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect()
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

    /// Returns the files that it links to.
    pub fn links(&self) -> Vec<String> {
        let ends = self.text.split("](").skip(1);
        let links = ends.filter_map(|rest| rest.split(')').next());
        let files = links.filter(|link| !link.contains("://"));
        files
            .filter_map(|link| link.split('#').next())
            .filter(|file| !file.is_empty())
            .map(str::to_owned)
            .collect()
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
