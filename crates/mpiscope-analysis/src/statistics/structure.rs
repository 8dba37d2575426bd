//! The static structure of a program, from what its sources say of themselves:
//! the six tables of Li and Zhang (Fig. "format of static tables"), and the
//! graph that they are read as, from `main`, a call expanding into its callee.

use std::collections::HashSet;
use std::fmt::Write;

use mpiscope_model::structure::{Kind, Statement, Structure};

/// A line of a source file: number of the source, line.
pub type Place = (usize, u32);

/// Which statement lies directly within which.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tables {
    /// PL: procedures and their outermost loops.
    pub loops: Vec<(Place, Place)>,
    /// PCom: procedures and their communication statements outside of loops.
    pub communication: Vec<(Place, Place)>,
    /// PC: procedures, their calls outside of loops, and the procedures called, if they are known.
    pub calls: Vec<(Place, Place, Option<Place>)>,
    /// LL: loops and the loops in them.
    pub loops_in_loops: Vec<(Place, Place)>,
    /// LCom: loops and their communication statements.
    pub communication_in_loops: Vec<(Place, Place)>,
    /// LC: loops, their calls, and the procedures called, if they are known.
    pub calls_in_loops: Vec<(Place, Place, Option<Place>)>,
}

/// A statement: number of the source, number in it.
type Number = (usize, usize);

/// Returns the six tables of a program's sources.
pub fn tables(sources: &[Structure]) -> Tables {
    let mut tables = Tables::default();
    for (source, structure) in sources.iter().enumerate() {
        for statement in &structure.statements {
            let Some(parent) = parent(structure, statement) else {
                continue;
            };
            let within = (source, parent.line);
            let place = (source, statement.line);
            let in_loop = parent.kind == Kind::Loop;
            let called = || {
                let callee = callee(sources, source, &statement.name);
                callee.map(|(source, number)| (source, sources[source].statements[number].line))
            };
            match (statement.kind, in_loop) {
                (Kind::Loop, false) => tables.loops.push((within, place)),
                (Kind::Loop, true) => tables.loops_in_loops.push((within, place)),
                (Kind::Communication, false) => tables.communication.push((within, place)),
                (Kind::Communication, true) => tables.communication_in_loops.push((within, place)),
                (Kind::Call, false) => tables.calls.push((within, place, called())),
                (Kind::Call, true) => tables.calls_in_loops.push((within, place, called())),
                (Kind::Procedure, _) => {}
            }
        }
    }
    tables
}

fn parent<'a>(structure: &'a Structure, statement: &Statement) -> Option<&'a Statement> {
    structure.statements.get(statement.parent? as usize)
}

/// Returns the procedure of a name: in the same source, else the only one of all.
fn callee(sources: &[Structure], source: usize, name: &str) -> Option<Number> {
    let named = |source: usize| {
        let statements = sources
            .get(source)
            .into_iter()
            .flat_map(|s| s.statements.iter().enumerate());
        statements
            .filter(|(_, statement)| statement.kind == Kind::Procedure && is_named(statement, name))
            .map(move |(number, _)| (source, number))
    };
    if let Some(here) = named(source).next() {
        return Some(here);
    }
    let mut elsewhere = (0..sources.len()).flat_map(named);
    let only = elsewhere.next()?;
    elsewhere.next().is_none().then_some(only)
}

/// Whether a procedure is what a call names: `heat::shift` is `shift` too.
fn is_named(procedure: &Statement, name: &str) -> bool {
    let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
    procedure.name == name || last(&procedure.name) == last(name)
}

/// Draws the program as a graph from its main procedure, or from whatever
/// nobody calls: calls expand into what they call, each procedure once.
pub fn graph(sources: &[Structure]) -> String {
    let mut text = String::new();
    let mut shown = HashSet::new();
    for root in roots(sources) {
        draw(sources, root, 0, &mut shown, &mut text);
    }
    text
}

fn roots(sources: &[Structure]) -> Vec<Number> {
    let all = || {
        let sources = sources.iter().enumerate();
        sources.flat_map(|(source, structure)| {
            let statements = structure.statements.iter().enumerate();
            statements.map(move |(number, statement)| ((source, number), statement))
        })
    };
    let calls = all().filter(|(_, statement)| statement.kind == Kind::Call);
    let called: HashSet<Number> = calls
        .filter_map(|((source, _), call)| callee(sources, source, &call.name))
        .collect();
    let procedures = all().filter(|(_, statement)| statement.kind == Kind::Procedure);
    let mut roots: Vec<(bool, Number)> = procedures
        .filter(|(number, procedure)| procedure.name == "main" || !called.contains(number))
        .map(|(number, procedure)| (procedure.name != "main", number))
        .collect();
    roots.sort_unstable();
    roots.into_iter().map(|(_, number)| number).collect()
}

fn draw(
    sources: &[Structure],
    (source, number): Number,
    depth: usize,
    shown: &mut HashSet<Number>,
    text: &mut String,
) {
    let structure = &sources[source];
    let statement = &structure.statements[number];
    let (line, name) = (statement.line, &statement.name);
    let _ = write!(
        text,
        "{:1$}{name} {2}:{line}",
        "",
        2 * depth,
        structure.file
    );
    if statement.kind == Kind::Procedure && !shown.insert((source, number)) {
        text.push_str(" (above)\n");
        return;
    }
    text.push('\n');
    if statement.kind == Kind::Call {
        if let Some(called) = callee(sources, source, name) {
            draw(sources, called, depth + 1, shown, text);
        }
        return;
    }
    let within = |(_, inner): &(usize, &Statement)| inner.parent == Some(number as u32);
    let inner = structure.statements.iter().enumerate().filter(within);
    for (inner, _) in inner.filter(|(_, inner)| inner.kind != Kind::Procedure) {
        draw(sources, (source, inner), depth + 1, shown, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    /// The example of Li and Zhang: main calls two procedures, one of which calls
    /// the other from a loop that holds another loop and a communication statement.
    fn example() -> Vec<Structure> {
        let lines = [
            ("procedure", 1, None, "main"),
            ("call", 2, Some(0), "first"),
            ("call", 3, Some(0), "second"),
            ("procedure", 5, None, "first"),
            ("communication", 6, Some(3), "MPI_Recv"),
            ("loop", 7, Some(3), "for"),
            ("loop", 8, Some(5), "for"),
            ("communication", 9, Some(6), "MPI_Send"),
            ("call", 10, Some(5), "second"),
            ("procedure", 13, None, "second"),
            ("call", 14, Some(9), "library"),
            ("call", 15, Some(9), "first"),
        ];
        let statements: Vec<String> = lines
            .iter()
            .map(|(kind, line, parent, name)| {
                let parent = parent.map_or("null".to_owned(), |p: u32| p.to_string());
                format!(
                    r#"{{"kind": "{kind}", "line": {line}, "end": {line}, "parent": {parent}, "name": "{name}", "probe": true}}"#
                )
            })
            .collect();
        let text = format!(
            r#"{{"version": 1, "file": "a.c", "directory": "/", "language": "C", "compiled": "0",
                "statements": [{}], "left_alone": []}}"#,
            statements.join(",")
        );
        vec![Structure::parse(&text).unwrap()]
    }

    #[test]
    fn the_tables_name_what_lies_directly_within() {
        let tables = tables(&example());
        let at = |line| (0, line);
        assert_eq!(tables.loops, [(at(5), at(7))]);
        assert_eq!(tables.communication, [(at(5), at(6))]);
        let calls = [
            (at(1), at(2), Some(at(5))),
            (at(1), at(3), Some(at(13))),
            (at(13), at(14), None),
            (at(13), at(15), Some(at(5))),
        ];
        assert_eq!(tables.calls, calls);
        assert_eq!(tables.loops_in_loops, [(at(7), at(8))]);
        assert_eq!(tables.communication_in_loops, [(at(8), at(9))]);
        assert_eq!(tables.calls_in_loops, [(at(7), at(10), Some(at(13)))]);
    }

    #[test]
    fn the_graph_expands_calls_once() {
        expect![[r"
            main a.c:1
              first a.c:2
                first a.c:5
                  MPI_Recv a.c:6
                  for a.c:7
                    for a.c:8
                      MPI_Send a.c:9
                    second a.c:10
                      second a.c:13
                        library a.c:14
                        first a.c:15
                          first a.c:5 (above)
              second a.c:3
                second a.c:13 (above)
        "]]
        .assert_eq(&graph(&example()));
    }
}
