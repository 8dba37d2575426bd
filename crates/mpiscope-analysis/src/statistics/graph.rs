//! The program as a graph (Li and Zhang): from `main`, with loops, communication
//! statements and calls where they stand, each call expanding into what it calls.

use std::collections::HashSet;
use std::fmt::Write;

use mpiscope_model::structure::{Kind, Statement, Structure};

use super::tables::{invoked, Site};

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

fn roots(sources: &[Structure]) -> Vec<Site> {
    let all = || {
        let sources = sources.iter().enumerate();
        sources.flat_map(|(file, structure)| {
            let statements = (0u32..).zip(&structure.statements);
            statements.map(move |(number, statement)| {
                let statement_of = Site {
                    file,
                    statement: number,
                };
                (statement_of, statement)
            })
        })
    };
    let calls = all().filter(|(_, statement)| statement.kind == Kind::Call);
    let called: HashSet<Site> = calls
        .filter_map(|(of, call)| invoked(sources, of.file, call))
        .collect();
    let procedures = all().filter(|(_, statement)| statement.kind == Kind::Procedure);
    let mut roots: Vec<(bool, Site)> = procedures
        .filter(|(number, procedure)| procedure.name == "main" || !called.contains(number))
        .map(|(number, procedure)| (procedure.name != "main", number))
        .collect();
    roots.sort_unstable();
    roots.into_iter().map(|(_, number)| number).collect()
}

fn draw(
    sources: &[Structure],
    site: Site,
    depth: usize,
    shown: &mut HashSet<Site>,
    text: &mut String,
) {
    let structure = &sources[site.file];
    let statement = &structure.statements[site.statement as usize];
    let (line, name) = (statement.line, &statement.name);
    let _ = write!(
        text,
        "{:1$}{name} {2}:{line}",
        "",
        2 * depth,
        structure.file
    );
    if statement.kind == Kind::Procedure && !shown.insert(site) {
        text.push_str(" (above)\n");
        return;
    }
    text.push('\n');
    if statement.kind == Kind::Call {
        if let Some(called) = invoked(sources, site.file, statement) {
            draw(sources, called, depth + 1, shown, text);
        }
        return;
    }
    let within = |(_, inner): &(u32, &Statement)| {
        inner.parent == Some(site.statement) && inner.kind != Kind::Procedure
    };
    for (statement, _) in (0u32..).zip(&structure.statements).filter(within) {
        draw(sources, Site { statement, ..site }, depth + 1, shown, text);
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
