//! A set's measures as a file small enough to commit: each row once, with a value of each run.

mod phases;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::{ensure, Context, Result};
use mpiscope_analysis::compare::{Call, Key, Measures, Row, Source};
use serde::{Deserialize, Serialize};

use crate::input::Damaged;
use phases::OfPhases;

/// What such a file says that it is.
const FORMAT: &str = "mpiscope-baseline";
/// Raised when older builds could not read it.
const VERSION: u32 = 2;
/// Files of this version, too, are read: it knows traces alone.
const OLDEST: u32 = 1;
/// Of more iterations of a run so many are kept, evenly spread over their lengths.
const ITERATIONS: usize = 400;
/// A file of more bytes is not what was written by `--write-baseline`.
const MOST: u64 = 1 << 28;

#[derive(Serialize, Deserialize)]
struct Baseline {
    format: String,
    version: u32,
    runs: Vec<Run>,
    rows: Vec<Values>,
}

#[derive(Serialize, Deserialize)]
struct Run {
    #[serde(default)]
    source: From,
    ranks: u64,
    time_ns: i64,
    total_ns: i64,
    iterations_ns: Vec<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    phases: Option<OfPhases>,
}

/// From what a run is known.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum From {
    #[default]
    Trace,
    Statistics,
    VirtualTime,
}

/// A row, with a value of each run; nothing where a run does not have it.
#[derive(Serialize, Deserialize)]
struct Values {
    kind: Kind,
    /// Of a call path, the regions around, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    within: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    region: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<At>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<At>,
    ns: Vec<Option<i64>>,
    visits: Vec<u64>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Time,
    Iteration,
    Computation,
    Waiting,
    Mpi,
    Call,
    WaitingIn,
    Region,
    Between,
    Threads,
    Unrecorded,
}

#[derive(Serialize, Deserialize)]
struct At {
    name: String,
    file: String,
    function: String,
    at: u64,
    is_line: bool,
}

/// Returns whether a path is such a file, and no run.
pub fn is_one(path: &Path) -> bool {
    let mut begin = [0; 64];
    let read = File::open(path).and_then(|mut file| file.read(&mut begin));
    let text = read.map(|length| String::from_utf8_lossy(&begin[..length]).into_owned());
    path.is_file() && text.is_ok_and(|text| text.trim_start().starts_with('{'))
}

/// Writes measures.
pub fn text(runs: &[Measures]) -> Result<String> {
    let keys = runs.iter().flat_map(|it| it.rows.keys());
    let keys: BTreeSet<&Key> = keys.filter(|it| !matches!(it, Key::Phase(_))).collect();
    let values = |key: &Key| {
        let (kind, region, call, before) = parts(key);
        Values {
            kind,
            within: match key {
                Key::Path(around, _) => around.clone(),
                _ => Vec::new(),
            },
            region,
            call,
            before,
            ns: runs.iter().map(|run| Some(run.rows.get(key)?.ns)).collect(),
            visits: (runs.iter())
                .map(|run| run.rows.get(key).map_or(0, |it| it.visits))
                .collect(),
        }
    };
    let baseline = Baseline {
        format: FORMAT.to_owned(),
        version: VERSION,
        runs: runs.iter().map(run).collect(),
        rows: keys.into_iter().map(values).collect(),
    };
    // A row a line: what changed can be seen where such a file is kept.
    let mut value = serde_json::to_value(&baseline)?;
    let mut lines = |key: &str| -> Result<String> {
        let all = value[key].take();
        let all = all.as_array().into_iter().flatten();
        let all: Vec<String> = all.map(serde_json::to_string).collect::<Result<_, _>>()?;
        Ok(all.join(",\n"))
    };
    let (runs, rows) = (lines("runs")?, lines("rows")?);
    Ok(format!(
        "{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\"runs\":[\n{runs}\n],\"rows\":[\n{rows}\n]}}"
    ))
}

fn run(run: &Measures) -> Run {
    let mut all = run.iterations.clone();
    all.sort_unstable();
    let kept = all.len().min(ITERATIONS);
    Run {
        source: match run.source {
            Source::Trace => From::Trace,
            Source::Statistics => From::Statistics,
            Source::VirtualTime => From::VirtualTime,
        },
        ranks: run.ranks,
        time_ns: run.time_ns,
        total_ns: run.total_ns,
        iterations_ns: (0..kept)
            .map(|it| all[(2 * it + 1) * all.len() / (2 * kept)])
            .collect(),
        phases: run.phases.as_ref().map(OfPhases::new),
    }
}

fn parts(key: &Key) -> (Kind, Option<String>, Option<At>, Option<At>) {
    let at = |it: &Call| {
        Some(At {
            name: it.name.clone(),
            file: it.file.clone(),
            function: it.function.clone(),
            at: it.at,
            is_line: it.is_line,
        })
    };
    let alone = |kind| (kind, None, None, None);
    match key {
        Key::Time => alone(Kind::Time),
        Key::Iteration => alone(Kind::Iteration),
        Key::Computation => alone(Kind::Computation),
        Key::Waiting => alone(Kind::Waiting),
        Key::Mpi => alone(Kind::Mpi),
        Key::Unrecorded => alone(Kind::Unrecorded),
        Key::Call(it) => (Kind::Call, None, at(it), None),
        Key::WaitingIn(it) => (Kind::WaitingIn, None, at(it), None),
        Key::Threads(it) => (Kind::Threads, None, at(it), None),
        Key::Region(name) => (Kind::Region, Some(name.clone()), None, None),
        // Made of what is kept of the run, as all runs have to have as much warm-up.
        Key::Phase(_) => alone(Kind::Time),
        Key::Path(_, inner) => parts(inner),
        Key::Between(from, to) => (
            Kind::Between,
            None,
            from.as_ref().and_then(at),
            to.as_ref().and_then(at),
        ),
    }
}

fn key(values: &mut Values) -> Option<Key> {
    let call = |it: Option<At>| {
        it.map(|it| Call {
            name: it.name,
            file: it.file,
            function: it.function,
            at: it.at,
            is_line: it.is_line,
        })
    };
    let (from, to) = (call(values.call.take()), call(values.before.take()));
    let around = std::mem::take(&mut values.within);
    let key = match values.kind {
        Kind::Time => Key::Time,
        Kind::Iteration => Key::Iteration,
        Kind::Computation => Key::Computation,
        Kind::Waiting => Key::Waiting,
        Kind::Mpi => Key::Mpi,
        Kind::Unrecorded => Key::Unrecorded,
        Kind::Call => Key::Call(from?),
        Kind::WaitingIn => Key::WaitingIn(from?),
        Kind::Threads => Key::Threads(from?),
        Kind::Region => Key::Region(values.region.take()?),
        Kind::Between => Key::Between(from, to),
    };
    match &key {
        _ if around.is_empty() => Some(key),
        Key::Region(_) | Key::Call(_) | Key::WaitingIn(_) => Some(Key::Path(around, Box::new(key))),
        _ => None,
    }
}

/// Reads measures.
pub fn read(path: &Path) -> Result<Vec<Measures>> {
    let shown = path.display();
    let size = fs::metadata(path).map_or(0, |it| it.len());
    ensure!(size <= MOST, "{shown} is no file of --write-baseline");
    let text = fs::read(path).with_context(|| format!("cannot read {shown}"))?;
    parse(&text).with_context(|| format!("{shown} cannot be used as a baseline"))
}

fn parse(text: &[u8]) -> Result<Vec<Measures>> {
    #[derive(Deserialize)]
    struct Head {
        format: Option<String>,
        version: Option<u64>,
    }
    let damaged = |error: serde_json::Error| Damaged(error.to_string());
    let head: Head = serde_json::from_slice(text).map_err(damaged)?;
    ensure!(
        head.format.as_deref() == Some(FORMAT),
        "it is JSON, but not written by --write-baseline"
    );
    let is_known = |it: u64| (OLDEST.into()..=VERSION.into()).contains(&it);
    ensure!(
        head.version.is_some_and(is_known),
        "it has version {}, and this build reads versions {OLDEST} to {VERSION}: write it anew",
        head.version.map_or("none".to_owned(), |it| it.to_string())
    );
    let file: Baseline = serde_json::from_slice(text).map_err(damaged)?;
    let run = |it: &Run| Measures {
        source: match it.source {
            From::Trace => Source::Trace,
            From::Statistics => Source::Statistics,
            From::VirtualTime => Source::VirtualTime,
        },
        ranks: it.ranks,
        time_ns: it.time_ns,
        total_ns: it.total_ns,
        iterations: it.iterations_ns.clone(),
        phases: it.phases.as_ref().map(OfPhases::read),
        rows: BTreeMap::new(),
        ..Measures::default()
    };
    let mut runs: Vec<Measures> = file.runs.iter().map(run).collect();
    for mut values in file.rows {
        let fits = values.ns.len() == runs.len() && values.visits.len() == runs.len();
        let is_time = values.ns.iter().flatten().all(|ns| *ns >= 0);
        let Some(key) = key(&mut values).filter(|_| fits && is_time) else {
            return wrong("a row lacks what it has to say, or has times below 0");
        };
        for ((run, ns), visits) in runs.iter_mut().zip(values.ns).zip(values.visits) {
            let row = ns.map(|ns| Row { ns, visits });
            if row
                .and_then(|row| run.rows.insert(key.clone(), row))
                .is_some()
            {
                return wrong("a row is there twice");
            }
        }
    }
    let mut phases = file.runs.iter().filter_map(|it| it.phases.as_ref());
    if !phases.all(OfPhases::is_time) {
        return wrong("phases of a run have times below 0");
    }
    let is_whole = |run: &Measures| run.rows.contains_key(&Key::Time) && run.total_ns >= 0;
    if runs.is_empty() || !runs.iter().all(is_whole) {
        return wrong("it has no runs, or no time of one of them");
    }
    Ok(runs)
}

fn wrong<T>(what: &str) -> Result<T> {
    Err(Damaged(what.to_owned()).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_analysis::compare::Phases;
    use mpiscope_archive::model::Trace;

    #[test]
    fn what_is_read_is_what_was_written() {
        let run = |end: u32| {
            let trace = Trace::parse(&format!(
                "0: 0 5 enter(MPI_Recv) !at(/src/a.c:8) 9 recv<1 10 leave(MPI_Recv) 12 enter(main) 12 enter(solve) 15 enter(MPI_Send) 16 leave(MPI_Send) 17 leave(solve) 18 leave(main) {end}
                 1: 0 7 send>0 {end}"
            ));
            let trace = trace.unwrap();
            let mut run = Measures::of(&trace, &trace.matching());
            (run.files, run.regions) = Default::default();
            run
        };
        let mut runs = [run(20), run(22)];
        (runs[0].source, runs[1].source) = (Source::Statistics, Source::VirtualTime);
        runs[1].add(Key::Mpi, 7, 2);
        runs[1].phases = Some(Phases {
            before_ns: 1,
            first_ns: vec![2, 3],
            all_ns: 9,
            count: 4,
            warm_up: 1,
            after_ns: 5,
        });
        let is_path = |it: &&Key| matches!(it, Key::Path(..));
        assert_eq!(runs[0].rows.keys().filter(is_path).count(), 2);
        let text = text(&runs).unwrap();
        assert_eq!(parse(text.as_bytes()).unwrap(), runs);
        assert!(parse(&text.as_bytes()[..text.len() - 4]).is_err());
        let later = text.replace("\"version\":2", "\"version\":3");
        let error = parse(later.as_bytes()).unwrap_err();
        assert!(error.to_string().contains("version 3"), "{error}");
        let below = text.replace("\"after_ns\":5", "\"after_ns\":-5");
        assert!(parse(below.as_bytes()).is_err());
        assert!(parse(b"{}").is_err() && parse(b"[]").is_err() && parse(b"{\xff").is_err());
        let head = format!("{{\"format\":\"{FORMAT}\",\"version\":1,");
        for rest in ["\"runs\":[],\"rows\":[]}", "\"runs\":[{\"ranks\":1,\"time_ns\":1,\"total_ns\":1,\"iterations_ns\":[]}],\"rows\":[]}"] {
            let error = parse((head.clone() + rest).as_bytes()).unwrap_err();
            assert!(error.to_string().contains("no runs"), "{error}");
        }
    }

    #[test]
    fn what_is_kept_of_many_iterations_has_their_lengths() {
        let iterations: Vec<i64> = (0..4000)
            .map(|it| if it % 10 == 0 { 90 } else { 10 })
            .collect();
        let all = Measures {
            iterations,
            ..Measures::default()
        };
        let kept = run(&all).iterations_ns;
        assert_eq!(kept.len(), ITERATIONS);
        assert_eq!(kept.iter().filter(|it| **it == 90).count(), ITERATIONS / 10);
    }
}
