//! The static tables of a program: which procedure contains which loop, which
//! of them which communication statement and which call (Li and Zhang 1998).
//!
//! Six tables, every entry by line: PL and LL (loops in procedures and in
//! loops), PCom and LCom (communication statements), PC and LC (calls, with the
//! procedure that is called). What lies in a loop is the loop's, not also the
//! procedure's: whoever asks for a procedure goes down from table to table.

use std::fmt::Write as _;

use mpiscope_model::structure::{Kind, Language, Statement};
use mpiscope_model::Structure;

/// A statement of a program: a source file, by its place in the list, and the
/// number of the statement in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// Which structure of the list.
    pub file: usize,
    /// The statement's number there.
    pub statement: u32,
}

/// One entry of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The procedure or loop.
    pub within: Site,
    /// The loop, communication statement or call that lies in it.
    pub what: Site,
    /// Of a call, the procedure that is called, if the program has just one of that name.
    pub invoked: Option<Site>,
}

/// The six tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// PL: procedures and their loops.
    pub procedure_loops: Vec<Entry>,
    /// PCom: procedures and their communication statements.
    pub procedure_communication: Vec<Entry>,
    /// PC: procedures, their calls, and the procedure called.
    pub procedure_calls: Vec<Entry>,
    /// LL: loops in loops.
    pub loop_loops: Vec<Entry>,
    /// LCom: loops and their communication statements.
    pub loop_communication: Vec<Entry>,
    /// LC: loops, their calls, and the procedure called.
    pub loop_calls: Vec<Entry>,
}

/// Returns the tables of a program, given the structures of its source files.
#[must_use]
pub fn tables(files: &[Structure]) -> Tables {
    let mut tables = Tables::default();
    for (file, structure) in files.iter().enumerate() {
        for (number, statement) in structure.statements.iter().enumerate() {
            let Some(parent) = statement.parent else {
                continue;
            };
            let around = structure.statements[parent as usize].kind;
            let Some(table) = tables.of(around, statement.kind) else {
                continue;
            };
            let site = |statement| Site { file, statement };
            table.push(Entry {
                within: site(parent),
                what: site(number as u32),
                invoked: invoked(files, file, statement),
            });
        }
    }
    tables
}

/// Returns the procedure that a call calls: the file's own, or the only one of
/// that name in the program.
#[must_use]
pub fn invoked(files: &[Structure], file: usize, call: &Statement) -> Option<Site> {
    if call.kind != Kind::Call {
        return None;
    }
    let candidates = |file: usize| {
        let structure = &files[file];
        let found = structure.statements.iter().enumerate();
        let found = found.filter(|(_, procedure)| is_called(procedure, call, structure.language));
        found.map(move |(number, _)| Site {
            file,
            statement: number as u32,
        })
    };
    let own = only(candidates(file));
    own.or_else(|| only((0..files.len()).flat_map(candidates)))
}

/// A call may leave out what qualifies the name; Fortran does not mind cases.
fn is_called(procedure: &Statement, call: &Statement, language: Language) -> bool {
    if procedure.kind != Kind::Procedure {
        return false;
    }
    let same = |a: &str, b: &str| match language {
        Language::Fortran => a.eq_ignore_ascii_case(b),
        Language::C | Language::Cxx => a == b,
    };
    let last = |name: &str| {
        name.rsplit(['%', ':'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    same(&procedure.name, &call.name) || same(&last(&procedure.name), &last(&call.name))
}

fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    let first = found.next();
    first.filter(|_| found.next().is_none())
}

impl Tables {
    fn of(&mut self, around: Kind, what: Kind) -> Option<&mut Vec<Entry>> {
        Some(match (around, what) {
            (Kind::Procedure, Kind::Loop) => &mut self.procedure_loops,
            (Kind::Procedure, Kind::Communication) => &mut self.procedure_communication,
            (Kind::Procedure, Kind::Call) => &mut self.procedure_calls,
            (Kind::Loop, Kind::Loop) => &mut self.loop_loops,
            (Kind::Loop, Kind::Communication) => &mut self.loop_communication,
            (Kind::Loop, Kind::Call) => &mut self.loop_calls,
            // A procedure within a procedure is called by name, like any other.
            _ => return None,
        })
    }

    /// Returns the tables with their names and columns, as the document has them.
    #[must_use]
    pub fn named(&self) -> [(&'static str, &'static str, &[Entry]); 6] {
        [
            ("PL", "procedure loop", &self.procedure_loops),
            (
                "PCom",
                "procedure communication",
                &self.procedure_communication,
            ),
            ("PC", "procedure call invoked", &self.procedure_calls),
            ("LL", "loop loop", &self.loop_loops),
            ("LCom", "loop communication", &self.loop_communication),
            ("LC", "loop call invoked", &self.loop_calls),
        ]
    }

    /// Prints the tables; lines of several files are told apart by the files' names.
    #[must_use]
    pub fn print(&self, files: &[Structure]) -> String {
        let line = |site: Site| {
            let structure = &files[site.file];
            let line = structure.statements[site.statement as usize].line;
            match files.len() {
                1 => line.to_string(),
                _ => format!("{}:{line}", structure.file),
            }
        };
        let mut text = String::new();
        for (name, columns, entries) in self.named() {
            let _ = writeln!(text, "{name}  ({columns})");
            for entry in entries {
                let _ = write!(text, "  {}  {}", line(entry.within), line(entry.what));
                match (entry.invoked, columns.ends_with("invoked")) {
                    (Some(invoked), _) => _ = writeln!(text, "  {}", line(invoked)),
                    (None, true) => _ = writeln!(text, "  -"),
                    (None, false) => text.push('\n'),
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};
    use mpiscope_instrument::{instrument, Dialect, Options, Source};

    fn check(sources: &[(&str, &str)], expected: Expect) {
        let structure = |(file, text): &(&str, &str)| {
            let text = text.as_bytes();
            let source = Source {
                text,
                file,
                directory: "/",
                dialect: Dialect::C,
            };
            instrument(&source, &Options::default()).unwrap().structure
        };
        let files: Vec<Structure> = sources.iter().map(structure).collect();
        expected.assert_eq(&tables(&files).print(&files));
    }

    /// As the document's: a main of two calls, one procedure that only calls,
    /// one with a loop in a loop, each with something in it.
    const EXAMPLE: &str = "\
int main(void) {
  p1();
  p2();
}
void p1(void) { p3(); }
void p2(void) {
  MPI_Send();
  for (;;) {
    p3();
    while (1) {
      MPI_Recv();
      elsewhere();
    }
  }
}
void p3(void) { MPI_Barrier(); }
";

    #[test]
    fn the_example_of_the_document_has_its_six_tables() {
        check(
            &[("a.c", EXAMPLE)],
            expect![[r#"
                PL  (procedure loop)
                  6  8
                PCom  (procedure communication)
                  6  7
                  16  16
                PC  (procedure call invoked)
                  1  2  5
                  1  3  6
                  5  5  16
                LL  (loop loop)
                  8  10
                LCom  (loop communication)
                  10  11
                LC  (loop call invoked)
                  8  9  16
                  10  12  -
            "#]],
        );
    }

    #[test]
    fn a_file_calls_its_own_procedure_before_another_files() {
        check(
            &[
                (
                    "a.c",
                    "static void f(void) {}\nvoid a(void) { f(); g(); }\n",
                ),
                ("b.c", "static void f(void) {}\nvoid b(void) { f(); }\n"),
                ("c.c", "void g(void) { f(); }\n"),
            ],
            expect![[r#"
                PL  (procedure loop)
                PCom  (procedure communication)
                PC  (procedure call invoked)
                  a.c:2  a.c:2  a.c:1
                  a.c:2  a.c:2  c.c:1
                  b.c:2  b.c:2  b.c:1
                  c.c:1  c.c:1  -
                LL  (loop loop)
                LCom  (loop communication)
                LC  (loop call invoked)
            "#]],
        );
    }
}
