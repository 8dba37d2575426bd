//! `mpiscope sync`: corrects a run or any archive, or only says what that would give.

use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};
use mpiscope_run::model::Duration;
use mpiscope_sync::{Config, Control, LatencyOverride, PresyncMode};

use crate::cli::{Presync, Sync};
use crate::correction::{self, Summary, Target};
use crate::figures::LEGEND;
use crate::input::{self, Input};
use crate::{say, show};

/// Runs the command; returns its exit code.
pub fn run(arguments: &Sync) -> Result<u8> {
    let summary = match corrected(arguments) {
        Ok(summary) => summary,
        Err(error) => {
            if arguments.json {
                input::report_damaged("input", &arguments.input, &error)?;
            }
            return Err(error);
        }
    };
    match arguments.json {
        true => say::report(serde_json::to_string_pretty(&summary)?)?,
        false => say::report(text(&summary))?,
    }
    for damage in &summary.damage {
        say::aside(format!("error: {damage}"));
    }
    if let Some(alarm) = summary.alarm() {
        say::aside(format!("error: {alarm}"));
    }
    Ok(summary.verdict())
}

fn corrected(arguments: &Sync) -> Result<Summary> {
    let target = target(arguments)?;
    let input = Input::open(&arguments.input)?;
    let target = target.map(|target| target.unwrap_or_else(|| default_target(&input, arguments)));
    let config = config(arguments);
    correction::run(&input, &config, target.as_ref(), arguments.truth)
}

/// Returns where to write: nowhere, where the user says, or where it belongs (inner nothing).
fn target(arguments: &Sync) -> Result<Option<Option<Target>>> {
    let only_look = arguments.truth && arguments.output.is_none() && !arguments.force;
    if only_look {
        return Ok(None);
    }
    let Some(output) = &arguments.output else {
        return Ok(Some(None));
    };
    ensure!(
        output.file_name().is_some(),
        "{} cannot be replaced by an archive; name a new directory",
        output.display()
    );
    let directory = std::path::absolute(output)?;
    Ok(Some(Some(Target {
        directory,
        force: arguments.force,
    })))
}

fn default_target(input: &Input, arguments: &Sync) -> Target {
    let directory = input.corrected().unwrap_or_else(|| beside(&input.path));
    Target {
        directory,
        force: arguments.force,
    }
}

/// Returns `NAME-corrected` beside an archive.
fn beside(path: &Path) -> PathBuf {
    // Of `.` the name is known only in full.
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = match full.is_dir() {
        true => full.file_name(),
        false => full.file_stem(),
    };
    let name = name.unwrap_or_default().to_string_lossy();
    full.with_file_name(format!("{name}-corrected"))
}

fn config(arguments: &Sync) -> Config {
    let default = Config::default();
    let lmin = arguments
        .lmin
        .map(|seconds| Duration((seconds * 1e9).round() as i64));
    Config {
        presync: match arguments.presync {
            Presync::None => PresyncMode::None,
            Presync::Align => PresyncMode::Align,
            Presync::Linear => PresyncMode::Linear,
            Presync::Hull => PresyncMode::Hull,
            Presync::MinMax => PresyncMode::MinMax,
            Presync::Fit => PresyncMode::Fit,
        },
        control: arguments
            .gamma
            .map_or(default.control, |gamma| Control::Fixed {
                kappa: 1.0 - gamma,
            }),
        latency: LatencyOverride {
            same_clock: lmin,
            different_clocks: lmin,
        },
        ..default
    }
}

fn text(summary: &Summary) -> String {
    let logical = summary.messages.logical;
    let mut parts = vec![
        format!("{}: {}", summary.input.display(), summary.contents()),
        format!(
            "{} logical messages (point-to-point, and those that collectives imply)\n{}\n{LEGEND}",
            show::count(logical),
            summary.violations.table(logical)
        ),
        format!(
            "correction       {}\nminimum latency  {}",
            summary.moved(),
            summary.latency.sentence(summary.clocks)
        ),
    ];
    if let Some(truth) = &summary.truth {
        let title = "Error against the known truth: of how long logical messages took, \
                     and of when events happened";
        let table = truth.table();
        let lines = [Some(title), Some(&table), truth.comment()];
        let lines: Vec<&str> = lines.into_iter().flatten().collect();
        parts.push(lines.join("\n"));
    }
    if !summary.warnings.is_empty() {
        let warnings = summary
            .warnings
            .iter()
            .map(|text| format!("warning: {text}"));
        parts.push(warnings.collect::<Vec<_>>().join("\n"));
    }
    parts.push(match &summary.output {
        Some(output) => format!("corrected archive: {}", output.display()),
        None => "nothing was written (--truth alone only compares)".to_owned(),
    });
    parts.join("\n\n")
}

/// Corrects a run that has just been completed, into its own `corrected/`.
pub fn of_run(run: &Path, force: bool) -> Result<Summary> {
    let input = Input::open(run)?;
    let directory = input.corrected().context("it has no run.json")?;
    let target = Target { directory, force };
    correction::run(&input, &Config::default(), Some(&target), false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;

    fn parse(line: &str) -> Sync {
        let words = ["mpiscope", "sync"].into_iter().chain(line.split(' '));
        let Command::Sync(arguments) = Cli::parse_from(words).command else {
            panic!("not sync");
        };
        arguments
    }

    #[test]
    fn options_become_a_config() {
        let config = config(&parse("a --gamma 0.99 --lmin 1.2us --presync align"));
        assert_eq!(config.presync, PresyncMode::Align);
        assert!((config.control.kappa().unwrap() - 0.01).abs() < 1e-9);
        assert_eq!(config.latency.same_clock, Some(Duration(1200)));
    }

    #[test]
    fn truth_alone_writes_nothing() {
        let writes = |line: &str| target(&parse(line)).unwrap().is_some();
        assert!(writes("a") && writes("a --truth --force") && writes("a --truth -o b"));
        assert!(!writes("a --truth"));
    }

    #[test]
    fn an_archive_is_corrected_beside_itself() {
        let folder = tempfile::tempdir().unwrap();
        let anchor = folder.path().join("traces.otf2");
        std::fs::write(&anchor, "").unwrap();
        assert!(beside(&anchor).ends_with("traces-corrected"));
        let name = folder
            .path()
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        assert!(beside(folder.path()).ends_with(format!("{name}-corrected")));
    }
}
