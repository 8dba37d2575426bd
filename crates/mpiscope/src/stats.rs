//! `mpiscope stats`: where the time of a monitored run went, by source line.

mod facts;
mod flame;
pub mod labels;
mod lines;
mod listing;
mod load;
mod one;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "stats/no_parquet.rs"]
mod parquet;
mod proposal;
mod speedscope;
mod structure;
#[cfg(test)]
mod tests;
mod text;

use std::path::Path;

use anyhow::{ensure, Context, Result};
use mpiscope_analysis::statistics::{of_rank, tree};
use mpiscope_run::run_info::RunInfo;
use mpiscope_run::{directory, shared_memory, statistics};

use crate::cli::Stats;
use crate::exit::DAMAGED;
use crate::{aside, say};
pub use facts::{sent, Sent};
pub use load::{load, Loaded, Loader};
pub use proposal::filter;
pub use text::state;

/// Runs the command; returns its exit code.
pub fn run(arguments: &Stats) -> Result<u8> {
    let mut loaded = load::load(&arguments.run)?;
    if let Some(rank) = arguments.rank {
        loaded.statistics = of_rank(&loaded.statistics, rank);
        ensure!(
            !loaded.statistics.ranks.is_empty(),
            "{}: there are no statistics of rank {rank}",
            arguments.run.display()
        );
    }
    write_pictures(arguments, &loaded)?;
    say::report(report(arguments, &loaded)?)?;
    Ok(say::damaged(&loaded.damage))
}

/// Returns whether a run was monitored and not traced. While it runs, and after a death that
/// nobody cleaned up after, what it counts lies in shared memory.
pub fn only(run: &Path) -> bool {
    let in_memory = || {
        let id = RunInfo::read(run).map_or_else(|_| String::new(), |info| info.run_id);
        !id.is_empty() && !statistics::writers(&shared_memory::folder(&id)).is_empty()
    };
    !directory::anchor(run).exists() && (statistics::exists(run) || in_memory())
}

/// Says in short what a monitored run holds, for whoever asks for more than it
/// has; returns the exit code.
pub fn describe(run: &Path, json: bool) -> Result<u8> {
    let loaded = load::load(run)?;
    match json {
        true => say::report(serde_json::to_string_pretty(&facts::facts(run, &loaded))?)?,
        false => {
            say::report(text::head(run, &loaded))?;
            say::aside(format!(
                "mpiscope: the run was monitored, not traced; next: mpiscope stats {}",
                run.display()
            ));
        }
    }
    Ok(if loaded.damage.is_empty() { 0 } else { DAMAGED })
}

/// Writes the head and the tree of the program, as `mpiscope stats` does.
pub fn written(run: &Path, loaded: &Loaded) -> String {
    let statistics = &loaded.statistics;
    let body = text::tree(statistics, &tree(statistics));
    format!("{}\n{body}", text::head(run, loaded))
}

fn report(arguments: &Stats, loaded: &Loaded) -> Result<String> {
    if arguments.json {
        let facts = facts::facts(&arguments.run, loaded);
        return Ok(serde_json::to_string_pretty(&facts)?);
    }
    let statistics = &loaded.statistics;
    if arguments.propose_filter {
        return Ok(filter(&arguments.run, statistics).0);
    }
    if arguments.tables {
        return structure::as_tables(&arguments.run);
    }
    if arguments.graph {
        return structure::as_graph(&arguments.run);
    }
    let body = match (&arguments.of, arguments.by) {
        (Some(place), _) => one::text(statistics, place)?,
        (None, Some(by)) => listing::by(statistics, by),
        (None, None) if arguments.matrix => listing::matrix(statistics, arguments.blocks),
        (None, None) if arguments.messages => listing::messages(statistics, |_| true),
        (None, None) => text::tree(statistics, &tree(statistics)),
    };
    Ok(format!("{}\n{body}", text::head(&arguments.run, loaded)))
}

fn write_pictures(arguments: &Stats, loaded: &Loaded) -> Result<()> {
    let write = |file: &Path, content: String| {
        aside::write(file, content).with_context(|| format!("cannot write {}", file.display()))
    };
    let statistics = &loaded.statistics;
    if let Some(folder) = &arguments.parquet {
        parquet::write(folder, &arguments.run, loaded)?;
    }
    if let Some(file) = &arguments.flame {
        write(file, flame::svg(statistics, &tree(statistics)))?;
    }
    if let Some(file) = &arguments.speedscope {
        let profile = speedscope::profile(statistics, &tree(statistics), &arguments.run);
        write(file, serde_json::to_string(&profile)? + "\n")?;
    }
    Ok(())
}
