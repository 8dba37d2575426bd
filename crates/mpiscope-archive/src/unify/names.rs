//! Which statement of the program each process's own numbers and addresses mean.

use std::collections::HashMap;

use mpiscope_model::statistics::{self as model, Statement};
use mpiscope_model::CallSite;

use super::Structures;
use crate::call_sites;
use mpiscope_run::statistics::{Process, Row, INLINED};

/// Where in the one table of statements each process's own are.
pub(super) struct Names<'a, F> {
    name: F,
    structures: &'a Structures,
    pub(super) statements: Vec<Statement>,
    /// First statement of each structure.
    units: HashMap<&'a str, usize>,
    /// The structures' communication statements, loops and procedures, by file name.
    in_file: HashMap<String, Vec<usize>>,
    /// By module, build, place in it and MPI function.
    places: HashMap<(String, String, u64, String), usize>,
    /// By file, line or offset, and name: statements and functions that no structure knows.
    others: HashMap<(String, u64, String), usize>,
    /// Functions that tell when they are entered, by module, build and place in it;
    /// nothing for those that have probes.
    functions: HashMap<(String, String, u64), Option<usize>>,
}

impl<'a, F: FnMut(&mut CallSite) -> Vec<CallSite>> Names<'a, F> {
    pub(super) fn new(processes: &'a [Process], structures: &'a Structures, name: F) -> Self {
        let mut names = Self {
            name,
            structures,
            statements: Vec::new(),
            units: HashMap::new(),
            in_file: HashMap::new(),
            places: HashMap::new(),
            others: HashMap::new(),
            functions: HashMap::new(),
        };
        for (_, hash) in processes.iter().flat_map(|process| &process.units) {
            names.add_unit(hash);
        }
        names
    }

    fn add_unit(&mut self, hash: &'a str) {
        let structure = match self.structures.get(hash) {
            Some(structure) if !self.units.contains_key(hash) => structure,
            _ => return,
        };
        let base = self.statements.len();
        self.units.insert(hash, base);
        for statement in structure {
            let file = statement.short_file().to_owned();
            let number = self.statements.len();
            self.in_file.entry(file).or_default().push(number);
            self.statements.push(Statement {
                parent: statement.parent.map(|parent| base + parent),
                ..statement.clone()
            });
        }
    }

    /// Returns the statement that a probe of a process names by a number.
    pub(super) fn probed(&mut self, process: &Process, number: u32, kind: model::Kind) -> usize {
        let units = process.units.iter().filter(|(base, _)| *base <= number);
        let unit = units.max_by_key(|(base, _)| *base);
        let known = unit.and_then(|(base, hash)| {
            let within = (number - base) as usize;
            let there = within < self.structures.get(hash)?.len();
            there.then(|| self.units.get(hash.as_str()).map(|first| first + within))?
        });
        known.unwrap_or_else(|| {
            let (base, hash) = unit.cloned().unwrap_or_default();
            self.other(Statement {
                kind,
                name: format!("statement {}", number - base),
                file: format!("unknown source {hash}"),
                timed: true,
                ..Statement::default()
            })
        })
    }

    /// Returns the statement that called MPI.
    pub(super) fn called(&mut self, process: &Process, row: &Row) -> usize {
        let mut site = call_sites::place(&process.modules, row.place);
        let name = process.region(row.region).to_owned();
        let key = (
            site.module.clone(),
            site.build_id.clone(),
            site.offset,
            name.clone(),
        );
        if let Some(&known) = self.places.get(&key) {
            return known;
        }
        let around = (self.name)(&mut site);
        let known = self.in_structure(&site, model::Kind::Communication, &name);
        let number = known.unwrap_or_else(|| self.add_site(&site, &around, name));
        self.places.insert(key, number);
        number
    }

    /// Returns the statement of a structure that a call belongs to: of MPI, or of `name`.
    fn in_structure(&mut self, site: &CallSite, kind: model::Kind, name: &str) -> Option<usize> {
        let line = site.line?;
        let inner = self.innermost(site, |statement| {
            statement.kind == kind && same_name(&statement.name, name)
        });
        inner.or_else(|| {
            // Behind a macro, say: known by line, and where in the program by that.
            let around = self.innermost(site, |statement| {
                matches!(statement.kind, model::Kind::Procedure | model::Kind::Loop)
            })?;
            Some(self.other(Statement {
                kind,
                name: name.to_owned(),
                file: self.statements[around].file.clone(),
                line,
                end: line,
                parent: Some(around),
                timed: true,
                ..Statement::default()
            }))
        })
    }

    /// Returns the function at an address, which told when it was entered; nothing if
    /// it has probes, too.
    pub(super) fn function(&mut self, process: &Process, address: u64) -> Option<usize> {
        if address == 0 {
            return Some(self.other(Statement {
                name: "functions that had no room".into(),
                timed: true,
                ..Statement::default()
            }));
        }
        // Of a return address, the byte before it is looked up.
        let mut site = call_sites::place(&process.modules, address.saturating_add(1));
        let key = (site.module.clone(), site.build_id.clone(), site.offset);
        if let Some(&known) = self.functions.get(&key) {
            return known;
        }
        let outermost = (self.name)(&mut site).pop();
        if let Some(outermost) = outermost {
            site = outermost;
        }
        let nameless = || format!("function at {:#x}", site.offset.saturating_sub(1));
        let name = site.function.clone().unwrap_or_else(nameless);
        site.function = Some(name.clone());
        let probed = self.innermost(&site, |statement| {
            statement.kind == model::Kind::Procedure
                && statement.timed
                && same_name(&statement.name, &name)
        });
        let number = probed.is_none().then(|| {
            let number = self.function_of(&site);
            let statement = &mut self.statements[number];
            statement.timed = true;
            statement.line = site.line.unwrap_or(0);
            statement.end = statement.line;
            number
        });
        self.functions.insert(key, number);
        number
    }

    /// Returns the function that a place lies in, so far known by its name alone.
    pub(super) fn function_of(&mut self, site: &CallSite) -> usize {
        let key = function_key(site);
        let (file, _, name) = key.clone();
        *self.others.entry(key).or_insert_with(|| {
            self.statements.push(Statement {
                name,
                file,
                ..Statement::default()
            });
            self.statements.len() - 1
        })
    }

    /// Returns the statement that called a function, if it lies in one that is known.
    pub(super) fn caller(
        &mut self,
        process: &Process,
        address: u64,
        called: usize,
    ) -> Option<usize> {
        let mut site = call_sites::place(&process.modules, address & !INLINED);
        let around = (self.name)(&mut site);
        if address & INLINED != 0 {
            site = around.into_iter().next().unwrap_or(site);
        }
        let name = self.statements[called].name.clone();
        if self.innermost(&site, |_| true).is_some() {
            return self.in_structure(&site, model::Kind::Call, &name);
        }
        let function = self.timed_function(&site)?;
        Some(self.called_in(function, &site, model::Kind::Call, name))
    }

    /// Returns the function around a place, if it told when it was entered.
    fn timed_function(&self, site: &CallSite) -> Option<usize> {
        let number = *self.others.get(&function_key(site))?;
        self.statements[number].timed.then_some(number)
    }

    fn called_in(
        &mut self,
        function: usize,
        site: &CallSite,
        kind: model::Kind,
        name: String,
    ) -> usize {
        let line = site.line.unwrap_or(0);
        self.other(Statement {
            kind,
            name,
            file: site.file.clone().unwrap_or_else(|| site.module.clone()),
            line,
            end: line,
            offset: if line == 0 { site.offset } else { 0 },
            parent: Some(function),
            timed: true,
        })
    }

    /// Returns the smallest statement of some kind around a line.
    fn innermost(&self, site: &CallSite, wanted: impl Fn(&Statement) -> bool) -> Option<usize> {
        let (file, line) = (site.file.as_deref()?, site.line?);
        let all = self.in_file.get(file.rsplit('/').next()?)?.iter().copied();
        let fitting = all.filter(|&number| {
            let statement = &self.statements[number];
            (statement.line..=statement.end.max(statement.line)).contains(&line)
                && same_file(&statement.file, file)
                && wanted(statement)
        });
        fitting.min_by_key(|&number| {
            let statement = &self.statements[number];
            statement.end.saturating_sub(statement.line)
        })
    }

    /// Adds a call of MPI that no structure knows: in the innermost function that told
    /// when it was entered, else in that of its line.
    fn add_site(&mut self, site: &CallSite, around: &[CallSite], name: String) -> usize {
        let mut frames = std::iter::once(site).chain(around);
        let function = match frames.find_map(|frame| self.timed_function(frame)) {
            Some(function) => function,
            None => self.function_of(site),
        };
        self.called_in(function, site, model::Kind::Communication, name)
    }

    /// Returns the number of a statement that no structure knows.
    pub(super) fn other(&mut self, statement: Statement) -> usize {
        let place = statement.offset.max(statement.line.into());
        let key = (statement.file.clone(), place, statement.name.clone());
        *self.others.entry(key).or_insert_with(|| {
            self.statements.push(statement);
            self.statements.len() - 1
        })
    }
}

/// Returns what a function is known by: the file, or module, and its name.
fn function_key(site: &CallSite) -> (String, u64, String) {
    let file = site.file.as_ref().unwrap_or(&site.module);
    let name = site.function.as_deref().unwrap_or("(no symbol)");
    (file.clone(), 0, name.to_owned())
}

/// Returns whether a procedure of a source is that of a symbol, which may have
/// namespaces and arguments; Fortran does not tell case.
fn same_name(source: &str, symbol: &str) -> bool {
    let short = |name: &str| -> String {
        let name = name.split('(').next().unwrap_or_default();
        name.rsplit("::").next().unwrap_or_default().to_owned()
    };
    short(source).eq_ignore_ascii_case(&short(symbol))
}

/// Returns whether two names may be of one file: a compiler writes it as it was
/// given, debug information with the folder.
pub(super) fn same_file(one: &str, other: &str) -> bool {
    let plain = |name: &'_ str| -> Vec<String> {
        let parts = name
            .split('/')
            .filter(|part| !matches!(*part, "" | "." | ".."));
        parts.map(str::to_owned).collect()
    };
    let (one, other) = (plain(one), plain(other));
    one.ends_with(&other) || other.ends_with(&one)
}
