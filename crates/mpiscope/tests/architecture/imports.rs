//! Which module of a crate names which, read from its source text.
//!
//! A module names another by a `use` or by a path in its code. The arrow goes to the module
//! that defines what is named, past every re-export on the way: `crate::Error` is an arrow to
//! `error`, not to `lib.rs`. Tests (`#[cfg(test)]`) are left out, and `mod name { .. }` counts
//! as part of its file.
//!
//! ```text
//! imports("mpiscope-run")["plan"]   {"communicators", "definitions", "error", ..}
//! circles(&imports("mpiscope-run")) [{"buffer", "directory", ..}, ..]
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::slice;

use super::words::{without_tests, words};
use crate::common::workspace;

/// Module → modules it names; `order::state` is `src/order/state.rs`, `crate` the root.
pub type Imports = BTreeMap<String, BTreeSet<String>>;

/// Returns the arrows between the modules of one of our crates.
pub fn imports(crate_name: &str) -> Imports {
    let src = workspace().join("crates").join(crate_name).join("src");
    let root = ["lib.rs", "main.rs"].map(|name| src.join(name));
    let root = root.iter().find(|file| file.is_file()).unwrap();
    let mut house = House::default();
    house.read(root, &src, &[]);
    let named = |(at, module): (&Segments, &Module)| {
        let paths = module.paths.iter().chain(module.uses.values());
        let paths = paths.chain(&module.globs);
        let targets = paths.filter_map(|path| house.resolve(at, path, 0));
        (
            name(at),
            targets.filter(|to| to != at).map(|to| name(&to)).collect(),
        )
    };
    house.modules.iter().map(named).collect()
}

/// Returns the sets of modules that name each other, directly or through others; largest first.
pub fn circles(imports: &Imports) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = imports
        .keys()
        .map(|from| (from, reach(imports, from)))
        .collect();
    let circle = |module: &String| -> BTreeSet<String> {
        let there = reached[module].iter();
        let back = there.filter(|to| reached[**to].contains(module));
        back.map(|to| (*to).clone()).collect()
    };
    let all: BTreeSet<BTreeSet<String>> = imports.keys().map(circle).collect();
    let mut all: Vec<BTreeSet<String>> = all.into_iter().filter(|one| one.len() > 1).collect();
    all.sort_by_key(|one| std::cmp::Reverse(one.len()));
    all
}

fn reach<'a>(imports: &'a Imports, from: &String) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&String> = imports[from].iter().collect();
    while let Some(module) = open.pop() {
        if reached.insert(module) {
            open.extend(&imports[module]);
        }
    }
    reached
}

type Segments = Vec<String>;

fn name(segments: &Segments) -> String {
    match segments.is_empty() {
        true => "crate".to_owned(),
        false => segments.join("::"),
    }
}

/// One file.
#[derive(Default)]
struct Module {
    children: BTreeSet<String>,
    /// What it defines itself.
    items: BTreeSet<String>,
    /// Name here → path, of each `use`.
    uses: BTreeMap<String, Segments>,
    /// Modules of `use module::*`.
    globs: Vec<Segments>,
    /// Every `a::b` in the code.
    paths: Vec<Segments>,
}

/// All files of a crate.
#[derive(Default)]
struct House {
    modules: BTreeMap<Segments, Module>,
}

impl House {
    /// Reads `file` and what it declares; `folder` holds its children.
    fn read(&mut self, file: &Path, folder: &Path, at: &[String]) {
        let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let mut module = Module::of(&without_tests(words(&text)));
        if text.contains("#[path") {
            // What stands in another crate's source is looked at there.
            let here = |child: &String| folder.join(child).with_extension("rs").exists();
            module.children.retain(here);
        }
        for child in &module.children {
            let file = folder.join(child).with_extension("rs");
            let at = [at, slice::from_ref(child)].concat();
            self.read(&file, &folder.join(child), &at);
        }
        self.modules.insert(at.to_vec(), module);
    }

    /// Returns the module that defines what `path` means in module `at`; none for other crates'.
    fn resolve(&self, at: &[String], path: &[String], depth: usize) -> Option<Segments> {
        let here = &self.modules[at];
        let first = path.first()?;
        match first.as_str() {
            "crate" => self.descend(&[], &path[1..], depth),
            "self" => self.descend(at, &path[1..], depth),
            "super" => {
                let parent = &at[..at.len().checked_sub(1)?];
                let path = [&["self".to_owned()], &path[1..]].concat();
                match path.get(1).is_some_and(|next| next == "super") {
                    true => self.resolve(parent, &path[1..], depth),
                    false => self.resolve(parent, &path, depth),
                }
            }
            _ if here.children.contains(first) => self.descend(at, path, depth),
            _ => self.through_use(at, path, depth),
        }
    }

    /// Follows the `use` that brings the first name of `path` into `at`.
    fn through_use(&self, at: &[String], path: &[String], depth: usize) -> Option<Segments> {
        let target = self.modules[at].uses.get(&path[0])?;
        // `use serde_json;` and the like name themselves.
        let is_loop = depth > 20 || target == path;
        let whole = [target, &path[1..]].concat();
        (!is_loop).then(|| self.resolve(at, &whole, depth + 1))?
    }

    /// Goes down from module `at` as far as `path` names modules or re-exports.
    fn descend(&self, at: &[String], path: &[String], depth: usize) -> Option<Segments> {
        let here = &self.modules[at];
        let Some(first) = path.first() else {
            return Some(at.to_vec());
        };
        if here.children.contains(first) {
            let child = [at, slice::from_ref(first)].concat();
            return self.descend(&child, &path[1..], depth);
        }
        if here.items.contains(first) {
            return Some(at.to_vec());
        }
        if here.uses.contains_key(first) {
            return self.through_use(at, path, depth);
        }
        let behind = here
            .globs
            .iter()
            .filter_map(|glob| self.resolve(at, glob, depth + 1));
        let mut behind = behind.filter(|module| self.modules[module].items.contains(first));
        behind.next().or(Some(at.to_vec()))
    }
}

/// Words after which a name is defined.
const DEFINES: [&str; 8] = [
    "struct", "enum", "fn", "trait", "type", "const", "static", "union",
];

impl Module {
    fn of(words: &[&str]) -> Self {
        let mut module = Self::default();
        let mut rest = words;
        while let [word, after @ ..] = rest {
            rest = match (*word, after) {
                ("use", _) => {
                    let end = after
                        .iter()
                        .position(|word| *word == ";")
                        .unwrap_or(after.len());
                    module.import(&[], &after[..end]);
                    &after[end..]
                }
                ("mod", [child, ";", ..]) => {
                    module.children.insert((*child).to_owned());
                    after
                }
                ("mod", [inline, "{", ..]) => {
                    module.items.insert((*inline).to_owned());
                    after
                }
                (word, [name, ..]) if DEFINES.contains(&word) => {
                    module.items.insert((*name).to_owned());
                    after
                }
                // Visibility is no arrow: `pub(in crate::order)`.
                ("pub", ["(", "in", path @ ..]) => path_at(path).1,
                (_, ["::", ..]) if is_name(word) => {
                    let (path, after) = path_at(rest);
                    module.paths.push(path);
                    after
                }
                _ => after,
            };
        }
        module
    }

    /// Takes in one tree of a `use`, of which `prefix` came before.
    fn import(&mut self, prefix: &[String], tree: &[&str]) {
        let (path, after) = path_at(tree);
        let path = [prefix, &path[..]].concat();
        match after {
            ["*", ..] => self.globs.push(path),
            ["{", inner @ .., "}"] => {
                for part in parts(inner) {
                    self.import(&path, part);
                }
            }
            ["as", alias, ..] => self.bind(alias, path),
            _ => match &path[..] {
                [.., module, last] if last == "self" => {
                    self.bind(&module.clone(), path[..path.len() - 1].to_vec());
                }
                [.., last] => self.bind(&last.clone(), path),
                [] => {}
            },
        }
    }

    fn bind(&mut self, name: &str, path: Segments) {
        // `use Trait as _` names nothing, and is an arrow all the same.
        match name {
            "_" => self.paths.push(path),
            _ => drop(self.uses.insert(name.to_owned(), path)),
        }
    }
}

/// Splits `a, b::{c, d}` at its outer commas.
fn parts<'a, 'b>(words: &'a [&'b str]) -> Vec<&'a [&'b str]> {
    let mut depth = 0;
    let outer = |word: &&str| {
        depth += i32::from(*word == "{") - i32::from(*word == "}");
        depth == 0 && *word == ","
    };
    words.split(outer).filter(|part| !part.is_empty()).collect()
}

/// Takes `a::b::` off the front, up to what is no name.
fn path_at<'a, 'b>(words: &'a [&'b str]) -> (Segments, &'a [&'b str]) {
    let mut path = Segments::new();
    let mut rest = words;
    while let [name, after @ ..] = rest {
        if !is_name(name) {
            break;
        }
        path.push((*name).to_owned());
        match after {
            ["::", after @ ..] => rest = after,
            _ => return (path, after),
        }
    }
    (path, rest)
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}
