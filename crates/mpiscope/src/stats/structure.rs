//! The static structure of the program: six tables, or a graph.

use std::path::Path;

use anyhow::{ensure, Result};
use mpiscope_analysis::statistics::graph::graph;
use mpiscope_analysis::statistics::tables::tables;
use mpiscope_archive::model::structure::Structure;
use mpiscope_run::statistics::structures;

use crate::input::Damaged;

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
    Ok(tables(&sources).print(&sources).trim_end().to_owned())
}
