//! What of a run is looked at, as it was typed.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use anyhow::{anyhow, bail, ensure, Result};
use mpi_abi::{FunctionId, Group, GROUPS};
use mpiscope_analysis::breakdown::{Breakdown, Only, Selection};
use mpiscope_analysis::described::origin;
use mpiscope_analysis::is_mpi;
use mpiscope_analysis::iterations::Iterations;
use mpiscope_archive::model::definitions::Paradigm;
use mpiscope_archive::model::{Duration, Matching, Region, RegionId, Timestamp, Trace};

use crate::cli::Profile;
use crate::debug::ranks::Ranks;
use crate::report::show;
use crate::traced;
use crate::whatif::names::Place;

/// What was asked for.
pub struct Selected {
    pub selection: Selection,
    /// The same in words.
    pub said: Vec<String>,
}

impl Selected {
    /// Reads the arguments.
    pub fn of(arguments: &Profile, trace: &Trace, matching: &Matching) -> Result<Selected> {
        let mut selection = Selection::all(trace);
        let mut said = Vec::new();
        if let Some(list) = &arguments.rank {
            ranks(&mut selection, trace, list)?;
            said.push(format!("ranks {list}"));
        }
        if let Some(window) = arguments.between {
            let origin = origin(trace);
            let at = |seconds: f64| origin + Duration((seconds * 1e9).round() as i64);
            let until = window.until.map_or(Timestamp::MAX, at);
            cut(&mut selection, |_| Some(at(window.from)..until));
            let from = show::duration(window.from * 1e9);
            let until = window.until.map(|it| show::duration(it * 1e9));
            said.push(match until {
                Some(until) => format!("from {from} to {until} after the first event"),
                None => format!("from {from} after the first event to the end"),
            });
        }
        if let Some(numbers) = &arguments.phase {
            phase(&mut selection, trace, matching, numbers)?;
            said.push(match numbers.start() == numbers.end() {
                true => format!("iteration {}", numbers.start()),
                false => format!("iterations {} to {}", numbers.start(), numbers.end()),
            });
        }
        if !arguments.region.is_empty() {
            selection.within = Some(within(trace, &arguments.region)?);
            said.push(format!("within {}", arguments.region.join(", ")));
        }
        if !arguments.only.is_empty() {
            selection.only = Some(only(trace, &arguments.only)?);
            said.push(format!("only {}", arguments.only.join(", ")));
        }
        Ok(Selected { selection, said })
    }

    /// Says that nothing of the run is what was asked for, and how long it is.
    pub fn nothing(&self, trace: &Trace, all: &Breakdown) -> Option<String> {
        let is_nothing = all.selected == Duration::ZERO && !self.said.is_empty();
        is_nothing.then(|| format!("nothing is selected: {}", traced::last_event(trace)))
    }
}

/// Cuts the windows of all locations, by their index.
fn cut(selection: &mut Selection, window: impl Fn(usize) -> Option<Range<Timestamp>>) {
    for (index, old) in selection.windows.iter_mut().enumerate() {
        *old = old.take().zip(window(index)).map(|(old, new)| {
            let begin = old.start.max(new.start);
            begin..old.end.min(new.end).max(begin)
        });
    }
}

fn ranks(selection: &mut Selection, trace: &Trace, list: &str) -> Result<()> {
    let threads = trace.locations.iter().filter(|it| it.is_thread());
    let all: Ranks = threads.map(|location| location.rank.0).collect();
    let ranks = Ranks::parse(list, &all).map_err(|error| anyhow!("--rank {error}"))?;
    let has = |index: usize| ranks.contains(trace.locations[index].rank.0);
    cut(selection, |index| {
        has(index).then_some(Timestamp::MIN..Timestamp::MAX)
    });
    Ok(())
}

fn phase(
    selection: &mut Selection,
    trace: &Trace,
    matching: &Matching,
    numbers: &RangeInclusive<usize>,
) -> Result<()> {
    let found = Iterations::of(trace, matching)
        .map_err(|why| anyhow!("--phase: no iterations were found: {why}"))?;
    ensure!(
        *numbers.end() <= found.count(),
        "--phase: there are iterations 1 to {}",
        found.count()
    );
    let ranks: BTreeMap<u32, _> = found.ranks.iter().map(|it| (it.rank, it)).collect();
    let window = |index: usize| {
        let of_rank = ranks.get(&trace.locations[index].rank.0)?;
        let times = trace.locations[of_rank.location.index()].events.times();
        let at = |bound: usize| {
            let bound = *of_rank.bounds.get(bound)? as usize;
            times.get(..=bound)?.iter().max().copied()
        };
        Some(at(numbers.start() - 1)?..at(*numbers.end())?)
    };
    cut(selection, window);
    Ok(())
}

fn within(trace: &Trace, names: &[String]) -> Result<Vec<RegionId>> {
    let mut all = Vec::new();
    for name in names {
        let place = Place::parse(name);
        let regions = (0..).zip(&trace.definitions.regions);
        let known = all.len();
        let these = regions.filter(|(_, region)| place.is_region(region));
        all.extend(these.map(|(number, _)| RegionId(number)));
        ensure!(
            all.len() > known,
            "--region {name}: the trace has no such region; `mpiscope profile` without --region \
             names them"
        );
    }
    Ok(all)
}

/// A group of regions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Mpi,
    Of(Group),
    Threads,
    Computation,
}

fn kind(name: &str) -> Result<Kind> {
    Ok(match name.trim() {
        "mpi" => Kind::Mpi,
        "threads" => Kind::Threads,
        "computation" => Kind::Computation,
        "collective" => Kind::Of(Group::Coll),
        name => match Group::named(name) {
            Some(group) => Kind::Of(group),
            None => {
                let groups: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
                bail!(
                    "--only {name}: mpi, collective, threads, computation or a group of MPI's \
                     functions ({}) is expected",
                    groups.join(", ")
                )
            }
        },
    })
}

fn only(trace: &Trace, names: &[String]) -> Result<Only> {
    let kinds: Vec<Kind> = names.iter().map(|it| kind(it)).collect::<Result<_>>()?;
    let has = |kind: Kind| kinds.contains(&kind);
    let regions = trace.definitions.regions.iter();
    Ok(Only {
        regions: regions
            .map(|region| kinds.iter().any(|kind| is_of(region, *kind)))
            .collect(),
        outside: has(Kind::Computation),
        idle: has(Kind::Threads),
        operations: has(Kind::Mpi) || has(Kind::Of(Group::Coll)),
    })
}

fn is_of(region: &Region, kind: Kind) -> bool {
    let is_mpi = is_mpi(region);
    let is_threads = matches!(region.paradigm, Paradigm::OpenMp | Paradigm::Pthread);
    match kind {
        Kind::Mpi => is_mpi,
        Kind::Of(group) => {
            let function = FunctionId::find(&region.name);
            is_mpi && function.is_some_and(|it| Group::of(it.function()) == group)
        }
        Kind::Threads => is_threads && !is_mpi,
        Kind::Computation => !is_mpi && !is_threads,
    }
}
