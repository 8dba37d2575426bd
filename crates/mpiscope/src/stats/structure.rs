//! The static structure of the program: six tables, or a graph.

use std::path::Path;

use anyhow::{ensure, Result};
use mpiscope_analysis::statistics::structure::{graph, tables, Place};
use mpiscope_run::model::structure::Structure;
use mpiscope_run::statistics::structures;

use crate::input::Damaged;
use crate::show;

/// Reads the structures that a run holds, by file.
fn read(run: &Path) -> Result<Vec<Structure>> {
    let folder = structures(run);
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut all = Vec::new();
    for path in paths.filter(|path| path.extension().is_some_and(|ending| ending == "json")) {
        let damaged = |what: String| Damaged(format!("{}: {what}", path.display()));
        let text = std::fs::read_to_string(&path).map_err(|error| damaged(error.to_string()))?;
        all.push(Structure::parse(&text).map_err(|error| damaged(error.to_string()))?);
    }
    ensure!(
        !all.is_empty(),
        "{}: no source of its program was compiled by `mpiscope cc`",
        run.display()
    );
    all.sort_by(|a, b| (&a.directory, &a.file).cmp(&(&b.directory, &b.file)));
    Ok(all)
}

/// Draws the program graph.
pub fn as_graph(run: &Path) -> Result<String> {
    Ok(graph(&read(run)?).trim_end().to_owned())
}

/// Prints the six tables.
pub fn as_tables(run: &Path) -> Result<String> {
    let sources = read(run)?;
    let place = |(source, line): Place| {
        let file = sources.get(source).map_or("?", |source| &*source.file);
        let file = Path::new(file).file_name().unwrap_or_default();
        format!("{}:{line}", file.to_string_lossy())
    };
    let pairs = |rows: &[(Place, Place)]| {
        let rows = rows.iter().map(|&(a, b)| [place(a), place(b)]);
        rows.collect::<Vec<_>>()
    };
    let triples = |rows: &[(Place, Place, Option<Place>)]| {
        let rows = rows.iter();
        rows.map(|&(a, b, c)| [place(a), place(b), c.map_or("–".into(), place)])
            .collect::<Vec<_>>()
    };
    let all = tables(&sources);
    let parts = [
        ("PL", show::table(["procedure", "loop"], pairs(&all.loops))),
        (
            "PCom",
            show::table(["procedure", "communication"], pairs(&all.communication)),
        ),
        (
            "PC",
            show::table(
                ["procedure", "call", "procedure called"],
                triples(&all.calls),
            ),
        ),
        (
            "LL",
            show::table(["loop", "loop in it"], pairs(&all.loops_in_loops)),
        ),
        (
            "LCom",
            show::table(
                ["loop", "communication"],
                pairs(&all.communication_in_loops),
            ),
        ),
        (
            "LC",
            show::table(
                ["loop", "call", "procedure called"],
                triples(&all.calls_in_loops),
            ),
        ),
    ];
    let parts = parts.map(|(name, table)| format!("{name}\n{table}"));
    Ok(parts.join("\n\n"))
}
