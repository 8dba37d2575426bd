//! From what processes counted, each in its own numbers and ticks, to the
//! statistics of the program.
//!
//! A statement of an instrumented source is known by its file's structure. An
//! MPI call is known by its return address: if that lies in an instrumented
//! source it is the communication statement of that line, else a statement of
//! its own in the function around it. Copies that a compiler made of one line
//! are one statement.

use std::collections::HashMap;

use mpiscope_model::statistics::{self as model, Figures, Peer, Record, Statement, Statistics};
use mpiscope_model::CallSite;

use super::{Kind, Process, Row, Side, Thread, ALL, ANY, INLINED, NOBODY, OTHERS};
use crate::call_sites;

/// Statements of instrumented sources, by the hash of their structure.
pub type Structures = HashMap<String, Vec<Statement>>;

/// In place of a calling statement: not known.
const NO_STATEMENT: u32 = u32::MAX;

/// Puts what processes counted into one table; `name` finds functions and lines of return
/// addresses, and returns the calls around one that the compiler copied into another
/// function, the innermost first.
pub fn unify(
    processes: &[Process],
    structures: &Structures,
    name: impl FnMut(&mut CallSite) -> Vec<CallSite>,
) -> Statistics {
    let mut names = Names::new(processes, structures, name);
    let mut all = Statistics::default();
    for process in processes {
        let rate = process.nanoseconds_per_tick();
        for thread in &process.threads {
            let rows = thread.rows.iter();
            let records = rows.filter_map(|row| record(process, thread, row, rate, &mut names));
            all.records.extend(records);
        }
        all.ranks.push(about(process, rate));
    }
    all.statements = names.statements;
    for rank in &mut all.ranks {
        let own = all.records.iter().filter(|r| r.rank == rank.rank);
        let of_mpi = own.filter(|r| all.statements[r.statement].kind == model::Kind::Communication);
        let sum: Figures = of_mpi.map(|record| &record.figures).collect();
        (rank.calls, rank.mpi) = (sum.calls, sum.time);
    }
    all
}

/// Returns what a row says; nothing of a function that has probes, too: those count.
fn record<F: FnMut(&mut CallSite) -> Vec<CallSite>>(
    process: &Process,
    thread: &Thread,
    row: &Row,
    rate: f64,
    names: &mut Names<F>,
) -> Option<Record> {
    let communicates = row.kind == Kind::Call;
    let (statement, caller) = match row.kind {
        Kind::Loop => {
            let number = names.probed(process, row.place as u32, model::Kind::Loop);
            (number, None)
        }
        Kind::Procedure | Kind::Histogram => {
            let number = names.probed(process, row.place as u32, model::Kind::Procedure);
            let caller = (row.peer() != NO_STATEMENT)
                .then(|| names.probed(process, row.peer(), model::Kind::Call));
            (number, caller)
        }
        Kind::Function => {
            let number = names.function(process, row.place)?;
            (number, names.caller(process, row.other, number))
        }
        Kind::Call => (names.called(process, row), None),
    };
    Some(Record {
        rank: process.identity.rank,
        thread: thread.number,
        statement,
        caller,
        peer: if communicates {
            peer(process, row)
        } else {
            Peer::None
        },
        side: match row.side {
            Side::None => model::Side::None,
            Side::Sent => model::Side::Sent,
            Side::Received => model::Side::Received,
            Side::Collective => model::Side::Collective,
        },
        figures: figures(row, rate),
    })
}

fn peer(process: &Process, row: &Row) -> Peer {
    match row.peer() {
        OTHERS => Peer::Others,
        NOBODY => Peer::None,
        ANY => Peer::Any,
        ALL => {
            let group = process.group(row.group());
            Peer::All(group.map_or(0, |group| group.members.len() as u32))
        }
        rank => (process.world_rank(rank, row.group())).map_or(Peer::None, Peer::Rank),
    }
}

fn figures(row: &Row, rate: f64) -> Figures {
    let nanoseconds = |ticks: u64| (ticks as f64 * rate) as u64;
    Figures {
        calls: row.calls,
        messages: row.messages,
        bytes: row.bytes,
        time: nanoseconds(row.compensated()),
        intrusion: nanoseconds(row.intrusion.max(0) as u64),
        delay: nanoseconds(row.delay),
        separated: row.separated,
        longest: nanoseconds(row.longest),
        histogram: row.histogram.clone(),
    }
}

fn about(process: &Process, rate: f64) -> model::Process {
    let nanoseconds = |ticks: u64| (ticks as f64 * rate) as u64;
    let start = |thread: &Thread| thread.span[0].ticks.saturating_sub(before(process, thread));
    let threads = || process.threads.iter();
    let begin = threads().map(start).min().unwrap_or_default();
    let end = threads().map(|t| t.span[1].ticks).max().unwrap_or_default();
    let started = process.ticks().map_or(0, |map| map.apply(begin).max(0));
    let all = threads().fold(0, |sum: u64, thread| {
        sum.saturating_add(end.saturating_sub(start(thread)))
    });
    model::Process {
        rank: process.identity.rank,
        host: process.identity.host.clone(),
        pid: process.identity.pid,
        started: started as u64,
        duration: nanoseconds(end.saturating_sub(begin)),
        thread_time: nanoseconds(all),
        intrusion: nanoseconds(threads().fold(0, |sum, t| sum.saturating_add(t.now.intrusion))),
        refused: threads().fold(0, |sum, t| sum.saturating_add(t.refused)),
        ..model::Process::default()
    }
}

/// Returns how long a thread was in MPI before its table was there: initialising it.
fn before(process: &Process, thread: &Thread) -> u64 {
    let begins =
        |row: &&Row| row.kind == Kind::Call && process.region(row.region).starts_with("MPI_Init");
    let rows = thread.rows.iter().filter(begins);
    rows.fold(0, |sum, row| sum.saturating_add(row.time))
}

/// Where in the one table of statements each process's own are.
struct Names<'a, F> {
    name: F,
    structures: &'a Structures,
    statements: Vec<Statement>,
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
    fn new(processes: &'a [Process], structures: &'a Structures, name: F) -> Self {
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
    fn probed(&mut self, process: &Process, number: u32, kind: model::Kind) -> usize {
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
    fn called(&mut self, process: &Process, row: &Row) -> usize {
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
    fn function(&mut self, process: &Process, address: u64) -> Option<usize> {
        if address == 0 {
            return Some(self.other(Statement {
                name: "functions that had no room".into(),
                timed: true,
                ..Statement::default()
            }));
        }
        // Of a return address, the byte before it is looked up.
        let mut site = call_sites::place(&process.modules, address + 1);
        let key = (site.module.clone(), site.build_id.clone(), site.offset);
        if let Some(&known) = self.functions.get(&key) {
            return known;
        }
        let outermost = (self.name)(&mut site).pop();
        if let Some(outermost) = outermost {
            site = outermost;
        }
        let nameless = || format!("function at {:#x}", site.offset - 1);
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
    fn function_of(&mut self, site: &CallSite) -> usize {
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
    fn caller(&mut self, process: &Process, address: u64, called: usize) -> Option<usize> {
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
    fn other(&mut self, statement: Statement) -> usize {
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
fn same_file(one: &str, other: &str) -> bool {
    let plain = |name: &'_ str| -> Vec<String> {
        let parts = name
            .split('/')
            .filter(|part| !matches!(*part, "" | "." | ".."));
        parts.map(str::to_owned).collect()
    };
    let (one, other) = (plain(one), plain(other));
    one.ends_with(&other) || other.ends_with(&one)
}

#[cfg(test)]
mod tests {
    use super::super::{Amount, Entry, Group, Key};
    use super::*;
    use crate::process::{Identity, Members, Module};

    const MAIN: u64 = 0x1000;

    /// A process of two, whose program lies at `start`, with entries.
    fn process(rank: u32, start: u64, entries: &[(Key, u64)]) -> Process {
        let row = |(key, time): &(Key, u64)| {
            let entry = Entry::default();
            entry.begin(*key);
            entry.add(Amount {
                calls: 1,
                time: *time,
                intrusion: 1,
                ..Amount::default()
            });
            entry.read().unwrap()
        };
        Process {
            identity: Identity {
                rank,
                ..Identity::default()
            },
            modules: vec![Module {
                start,
                end: start + 0x1000,
                bias: start,
                path: "/bin/heat".into(),
                build_id: "aa".into(),
            }],
            regions: vec![(1, "MPI_Send".into())],
            groups: vec![Group {
                id: 0,
                members: Members::new(&[1, 0]),
                remote: None,
            }],
            units: vec![(100, "hash".into())],
            threads: vec![Thread {
                rows: entries.iter().map(row).collect(),
                ..Thread::default()
            }],
            ..Process::default()
        }
    }

    /// main in lines 1 to 9, in it a loop, in that a call and a send.
    fn structures() -> Structures {
        let statement = |kind, name: &str, line, end, parent| Statement {
            kind,
            name: name.into(),
            file: "src/heat.c".into(),
            line,
            end,
            parent,
            timed: true,
            ..Statement::default()
        };
        let statements = vec![
            statement(model::Kind::Procedure, "main", 1, 9, None),
            statement(model::Kind::Loop, "for", 2, 8, Some(0)),
            statement(model::Kind::Call, "work", 3, 3, Some(1)),
            statement(model::Kind::Communication, "MPI_Send", 4, 5, Some(1)),
        ];
        HashMap::from([("hash".into(), statements)])
    }

    /// Offsets below 0x100 are lines of heat.c.
    fn name(site: &mut CallSite) -> Vec<CallSite> {
        site.function = Some("main".into());
        if site.offset < 0x100 {
            site.file = Some("/home/me/src/heat.c".into());
            site.line = Some(site.offset as u32);
        }
        Vec::new()
    }

    fn check(processes: &[Process], expected: expect_test::Expect) {
        let all = unify(processes, &structures(), name);
        let line = |record: &Record| {
            let statement = &all.statements[record.statement];
            let around = statement.parent.map(|parent| &all.statements[parent]);
            format!(
                "{} {} {} in {} by {:?} {:?} {}",
                record.rank,
                statement.name,
                statement.place(),
                around.map_or("-".into(), |s| format!("{} {}", s.name, s.place())),
                record.caller.map(|caller| all.statements[caller].place()),
                record.peer,
                record.figures.time
            )
        };
        let lines: Vec<String> = all.records.iter().map(line).collect();
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn a_call_is_the_statement_of_its_line_wherever_the_program_was_loaded() {
        let send = |start: u64, line: u64| Key::call(1, Side::Sent, start + line, 0, 0);
        check(
            &[
                process(0, MAIN, &[(send(MAIN, 5), 10), (send(MAIN, 7), 20)]),
                process(
                    1,
                    0x7000,
                    &[(send(0x7000, 4), 30), (send(0x7000, 0x200), 40)],
                ),
            ],
            expect_test::expect![[r#"
                0 MPI_Send heat.c:4-5 in for heat.c:2-8 by None Rank(1) 9
                0 MPI_Send heat.c:7 in for heat.c:2-8 by None Rank(1) 19
                1 MPI_Send heat.c:4-5 in for heat.c:2-8 by None Rank(1) 29
                1 MPI_Send heat+0x200 in main heat by None Rank(1) 39"#]],
        );
    }

    #[test]
    fn procedures_and_loops_are_those_of_their_structure() {
        let probed = |kind, number, caller| Key::statement(kind, number, caller);
        check(
            &[
                process(
                    0,
                    MAIN,
                    &[
                        (probed(Kind::Procedure, 100, NO_STATEMENT), 10),
                        (probed(Kind::Loop, 101, NO_STATEMENT), 9),
                        (probed(Kind::Procedure, 100, 102), 8),
                        (probed(Kind::Procedure, 7, NO_STATEMENT), 5),
                    ],
                ),
                process(1, MAIN, &[(probed(Kind::Loop, 101, NO_STATEMENT), 7)]),
            ],
            expect_test::expect![[r#"
                0 main heat.c:1-9 in - by None None 9
                0 for heat.c:2-8 in main heat.c:1-9 by None None 8
                0 main heat.c:1-9 in - by Some("heat.c:3") None 7
                0 statement 7 unknown source  in - by None None 4
                1 for heat.c:2-8 in main heat.c:1-9 by None None 6"#]],
        );
    }

    #[test]
    fn constants_in_place_of_a_peer_keep_their_meaning() {
        let with = |peer| Key::call(1, Side::Collective, MAIN + 4, peer, 0);
        let keys = [OTHERS, NOBODY, ALL, ANY, 5].map(|peer| (with(peer), 2));
        let all = unify(&[process(0, MAIN, &keys)], &structures(), name);
        let peers: Vec<Peer> = all.records.iter().map(|record| record.peer).collect();
        assert_eq!(
            peers,
            [
                Peer::Others,
                Peer::None,
                Peer::All(2),
                Peer::Any,
                Peer::None
            ]
        );
        assert_eq!((all.ranks[0].calls, all.ranks[0].mpi), (5, 5));
    }

    #[test]
    fn a_file_is_told_from_another_of_its_name() {
        assert!(same_file("heat.c", "/home/me/heat.c") && same_file("./a/heat.c", "x/a/heat.c"));
        assert!(!same_file("a/heat.c", "b/heat.c"));
    }
}
