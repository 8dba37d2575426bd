//! `mpiscope top`: a monitored program while it runs.
//!
//! ```text
//! tables in shared memory -> Loaded -> View -> text, JSON, OpenMetrics
//!                                           -> screen <- keys
//! ```
//!
//! The program's tables are only read: it does not notice.

mod calls;
mod keys;
mod metrics;
mod rows;
mod screen;
#[cfg(test)]
mod tests;
mod view;

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{ensure, Context, Result};

use mpiscope_analysis::statistics::of_rank;

use crate::cli::Top;
use crate::say;
use crate::stats::{Loaded, Loader};
pub use view::{RankView, StatementView, View};

/// Runs the command; returns its exit code.
pub fn run(arguments: &Top) -> Result<u8> {
    let mut eye = Eye::open(&arguments.run)?;
    if let Some(file) = &arguments.output {
        return write_metrics(&mut eye, file, arguments.interval);
    }
    if arguments.openmetrics {
        say::report(metrics::text(eye.view()).trim_end())?;
    } else if arguments.json {
        say::report(serde_json::to_string_pretty(eye.view())?)?;
    } else if arguments.once {
        say::report(rows::text(eye.view()))?;
    } else {
        ensure!(
            std::io::stdout().is_terminal() && std::io::stdin().is_terminal(),
            "this is no terminal: `mpiscope top --once` prints text, `--once --json` JSON"
        );
        screen::show(&mut eye, Duration::from_secs_f64(arguments.interval))?;
    }
    Ok(0)
}

/// Looks at a run from time to time.
pub struct Eye {
    run: PathBuf,
    loader: Loader,
    /// When it last looked.
    looked: Instant,
    loaded: Loaded,
    latest: View,
    /// What went wrong at the last look.
    trouble: Option<String>,
}

impl Eye {
    /// Looks for the first time.
    pub fn open(run: &Path) -> Result<Self> {
        let mut eye = Self {
            run: run.to_owned(),
            loader: Loader::default(),
            looked: Instant::now(),
            loaded: Loaded::default(),
            latest: View::default(),
            trouble: None,
        };
        eye.look()?;
        Ok(eye)
    }

    /// Looks once more.
    pub fn look(&mut self) -> Result<()> {
        self.loaded = self.loader.load(&self.run)?;
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let path = self.run.display().to_string();
        let known = (self.latest.at_ns > 0).then_some(&self.latest);
        let view = view::view(&path, &self.loaded, now.as_nanos() as u64, known);
        self.latest = view;
        self.looked = Instant::now();
        Ok(())
    }

    /// Returns how long ago it last looked.
    pub fn since(&self) -> Duration {
        self.looked.elapsed()
    }

    /// Returns what was read last.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Returns what was seen last.
    pub fn view(&self) -> &View {
        &self.latest
    }

    /// Returns the statements of a rank.
    pub fn of_rank(&self, rank: u32) -> Vec<StatementView> {
        let alone = of_rank(&self.loaded.statistics, rank);
        let ranks: Vec<RankView> = (self.latest.ranks.iter())
            .filter(|view| view.rank == rank)
            .cloned()
            .collect();
        view::statements(&alone, &ranks, 0.0, None)
    }

    /// Returns what each rank did in a statement.
    fn of_statement(&self, name: &str, place: &str) -> Vec<StatementView> {
        let of_rank = |rank: &RankView| {
            let mut views = self.of_rank(rank.rank);
            views.retain(|view| view.name == name && view.place == place);
            let named = |view: StatementView| StatementView {
                name: format!("rank {}", rank.rank),
                ..view
            };
            views.into_iter().map(named).next()
        };
        self.latest.ranks.iter().filter_map(of_rank).collect()
    }
}

/// Renews a file of metrics until the program has ended.
fn write_metrics(eye: &mut Eye, file: &Path, interval: f64) -> Result<u8> {
    loop {
        let view = eye.view();
        // Whoever reads it sees the old metrics or the new ones.
        let beside = file.with_extension(format!("{}.new", std::process::id()));
        fs::write(&beside, metrics::text(view))
            .and_then(|()| fs::rename(&beside, file))
            .with_context(|| format!("cannot write {}", file.display()))?;
        if view.ranks.iter().all(|rank| rank.state != "running") {
            return Ok(0);
        }
        std::thread::sleep(Duration::from_secs_f64(interval));
        eye.look()?;
    }
}
