//! `mpiscope sync`: corrects a run or any archive, or only says what that would give.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};
use mpiscope_archive::model::Duration;
use mpiscope_sync::{Class, Config, Control, LatencyOverride, PresyncMode, DEFAULT_KAPPA};

use crate::cli::{Assumed, Concerned, GammaControl, Lmin, Presync, Sync};
use crate::correction::{self, Job, Summary, Target, Worst};
use crate::input::{self, Input};
use crate::report::figures::LEGEND;
use crate::report::show;
use crate::{finish, info, job, say};

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
    let config = config(arguments)?;
    if arguments.memory.is_some() {
        job::agree(input::limit_memory(&arguments.input, arguments.memory))?;
    }
    // The result is the same for any number of threads.
    job::with_threads(arguments.threads.or_else(job::threads), || {
        let mut input = match job::processes() {
            Some(processes) => {
                let whole = arguments.truth || arguments.plot.is_some();
                correction::shared::open(&arguments.input, whole, processes)?
            }
            None => Input::open(&arguments.input)?,
        };
        // What a program's symbols tell may be told on one host and not on another.
        job::once(|| {
            if input.named && input.run.is_some() && target.is_some() {
                // The corrected archive has them, too.
                finish::name_call_sites(&input.path);
            }
            Ok(())
        })?;
        let target = target.map(|it| it.unwrap_or_else(|| default_target(&input, arguments)));
        let job = Job {
            config,
            clocks: arguments.clocks,
            target: target.as_ref(),
            truth: arguments.truth,
            pairs: arguments.pairs,
            plot: arguments.plot.as_deref(),
            no_shifts: arguments.no_shifts,
            processes: job::processes(),
        };
        correct(&mut input, &job)
    })
}

/// Corrects an archive, and keeps with a run what is known of it then.
fn correct(input: &mut Input, job: &Job) -> Result<Summary> {
    let corrected = correction::run(input, job)?;
    // Who has not all events cannot say all that `info` does, which looks anew then.
    if corrected.is_of_run && job::is_first() && input.trace.parts.is_empty() {
        info::keep(input, &corrected);
    }
    Ok(corrected.summary)
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
        times: arguments.times.into(),
    })))
}

fn default_target(input: &Input, arguments: &Sync) -> Target {
    let directory = input.corrected().unwrap_or_else(|| beside(&input.path));
    Target {
        directory,
        force: arguments.force,
        times: arguments.times.into(),
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

fn config(arguments: &Sync) -> Result<Config> {
    Ok(Config {
        presync: match arguments.presync {
            Presync::None => PresyncMode::None,
            Presync::Align => PresyncMode::Align,
            Presync::Linear => PresyncMode::Linear,
            Presync::Hull => PresyncMode::Hull,
            Presync::MinMax => PresyncMode::MinMax,
            Presync::Fit => PresyncMode::Fit,
        },
        control: control(arguments)?,
        delta: arguments.delta.map(duration),
        interval: arguments.interval,
        latency: latency(&arguments.lmin),
        assumptions: Assumed::all(&arguments.assume),
        ..Config::default()
    })
}

/// Largest error, as a share of a location's length, that ends the papers' passes.
const EPSILON: f64 = 1e-3;

/// A gamma alone is meant to hold.
fn control(arguments: &Sync) -> Result<Control> {
    use Control::*;
    let gamma = arguments.gamma;
    Ok(match (arguments.control, gamma) {
        (None, None) => Adaptive,
        (None | Some(GammaControl::Fixed), Some(gamma)) => Fixed { kappa: 1.0 - gamma },
        (Some(GammaControl::Fixed), None) => Fixed {
            kappa: DEFAULT_KAPPA,
        },
        (Some(GammaControl::Paper), gamma) => Paper {
            gamma: gamma.unwrap_or(0.99),
            epsilon: EPSILON,
        },
        (Some(GammaControl::Adaptive), None) => Adaptive,
        (Some(GammaControl::Adaptive), Some(_)) => {
            bail!("--control adaptive chooses gamma itself; leave out --gamma, or name another control")
        }
    })
}

fn duration(seconds: f64) -> Duration {
    Duration((seconds * 1e9).round() as i64)
}

/// Of several latencies for the same messages the last holds.
fn latency(given: &[Lmin]) -> LatencyOverride {
    let mut latency = LatencyOverride::default();
    for lmin in given {
        let value = duration(lmin.seconds);
        let classes: &[Class] = match &lmin.of {
            // Threads of a process share memory, unless they are named.
            Concerned::All => &Class::ALL[1..],
            Concerned::DifferentClocks => &Class::BETWEEN_CLOCKS,
            Concerned::Class(class) => std::slice::from_ref(class),
            Concerned::Hosts(hosts) => {
                latency.pairs.retain(|(known, _)| !same_pair(known, hosts));
                latency.pairs.push((hosts.clone(), value));
                &[]
            }
        };
        for class in classes {
            latency.classes[*class as usize] = Some(value);
        }
    }
    latency
}

fn same_pair([a, b]: &[String; 2], other: &[String; 2]) -> bool {
    [[a, b], [b, a]].contains(&other.each_ref())
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
        summary.statistics.text(),
        steps(summary),
    ];
    parts.extend(summary.worst.as_ref().map(Worst::sentence));
    if let Some(truth) = &summary.truth {
        let title = "Error against the known truth: of how long logical messages took, \
                     and of when events happened";
        let table = truth.table();
        let half_widths = truth.half_widths.sentence();
        let lines = [
            Some(title),
            Some(&table),
            half_widths.as_deref(),
            truth.comment(),
        ];
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
        Some(output) => {
            let written = summary.written.unwrap_or_default().sentence();
            format!("corrected archive: {} ({written})", output.display())
        }
        None => "nothing was written (--truth alone only compares)".to_owned(),
    });
    parts.join("\n\n")
}

/// Names the steps and their constants.
fn steps(summary: &Summary) -> String {
    let passes = match summary.passes.len() {
        0 | 1 => String::new(),
        passes => format!(", in {passes} passes"),
    };
    let gamma = format!(
        "gamma 1 - {:.1e} ({}{passes})",
        1.0 - summary.gamma,
        summary.control
    );
    let latency = summary.latency.sentence();
    let lines = [
        ("correction", Some(summary.moved())),
        ("clocks", Some(summary.presync.clone())),
        ("shifts", summary.shifted()),
        ("uncertainty", summary.uncertainty.sentence()),
        ("logical clock", Some(gamma)),
        ("minimum latency", Some(latency)),
    ];
    let lines = lines.map(|(name, text)| Some(format!("{name:<17}{}", text?)));
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// Corrects a run that has just been completed, into its own `corrected/`.
pub fn of_run(run: &Path, force: bool) -> Result<Summary> {
    let mut input = Input::open(run)?;
    let directory = input.corrected().context("it has no run.json")?;
    let target = Target {
        directory,
        force,
        ..Target::default()
    };
    let job = Job {
        target: Some(&target),
        ..Job::default()
    };
    correct(&mut input, &job)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;
    use mpiscope_archive::model::Assumptions;

    fn parse(line: &str) -> Sync {
        let words = ["mpiscope", "sync"].into_iter().chain(line.split(' '));
        let Command::Sync(arguments) = Cli::parse_from(words).command else {
            panic!("not sync");
        };
        arguments
    }

    #[test]
    fn options_become_a_config() {
        let config = |line: &str| config(&parse(line)).unwrap();
        let first = config("a --gamma 0.99 --lmin 1.2us --presync align --delta 1ns --interval 50");
        assert_eq!(first.presync, PresyncMode::Align);
        assert!((first.control.kappa().unwrap() - 0.01).abs() < 1e-9);
        assert_eq!(first.latency, LatencyOverride::all(Duration(1200)));
        assert_eq!((first.delta, first.interval), (Some(Duration(1)), 50.0));
        let two = config("a --lmin 1us --lmin same-clock=300ns").latency;
        let expected = LatencyOverride::by_clock(Duration(300), Duration(1000));
        assert_eq!(two, expected);
    }

    #[test]
    fn latencies_are_given_by_class_and_by_pair_of_hosts() {
        let given = |line: &str| config(&parse(line)).unwrap().latency;
        let latency = given("a --lmin different-clocks=2us --lmin same-rack=1us");
        let ns = latency.classes.map(|given| given.map(|given| given.0));
        assert_eq!(ns, [None, None, Some(2000), Some(1000), Some(2000)]);
        let latency = given("a --lmin n1:n2=3us --lmin n2:n1=4us --lmin n1:n1=5us");
        let pair = |a: &str, b: &str, us: i64| ([a.into(), b.into()], Duration(us * 1000));
        assert_eq!(latency.pairs, [pair("n2", "n1", 4), pair("n1", "n1", 5)]);
    }

    #[test]
    fn gamma_and_control_go_together_or_not() {
        let kappa = |line: &str| control(&parse(line)).map(|control| control.kappa());
        assert_eq!(kappa("a").unwrap(), None);
        assert_eq!(kappa("a --control fixed").unwrap(), Some(DEFAULT_KAPPA));
        let paper = kappa("a --control paper").unwrap().unwrap();
        assert!((paper - 0.01).abs() < 1e-9);
        assert!(kappa("a --control adaptive --gamma 0.9").is_err());
    }

    #[test]
    fn threads_are_as_many_as_asked_for() {
        assert_eq!(job::with_threads(Some(3), rayon::current_num_threads), 3);
    }

    #[test]
    fn what_is_assumed_can_be_said() {
        let assumed = |line: &str| config(&parse(line)).unwrap().assumptions;
        assert_eq!(assumed("a"), Assumptions::default());
        let (all, none) = (
            assumed("a --assume init,finalize"),
            assumed("a --assume none"),
        );
        assert!(all.init && all.finalize && !all.creation);
        assert!(!none.init && !none.finalize && !none.creation);
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
