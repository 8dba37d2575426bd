//! From a run to facts: of one that lives by its buffers, else by its archive.

use std::path::Path;
use std::time::Duration;

use anyhow::{bail, ensure, Result};
use mpiscope_analysis::errors::Stand;
use mpiscope_analysis::waiting_for::of_trace::{picture, Picture};
use mpiscope_analysis::waiting_for::Stuck;
use mpiscope_archive::model::{Rank, Trace};
use mpiscope_run::run_info::{self, LivedOn, RunInfo, State};
use mpiscope_run::sight::{self, Seen, Sight};
use mpiscope_run::{directory, order, placement};
use tempfile::TempDir;

use super::facts::{Facts, Job, RankFacts, FINALIZED, NOT_SEEN, NO_CALL};
use super::since::now;
use super::verdict;
use crate::end_of_run::EndOfRun;
use crate::input::{self, Input};
use crate::launch::environment::Launch;
use crate::report::show;
use crate::{finish, signals, stats};

/// Ranks that wait for each other are looked at once more after this time: whether they moved.
const AGAIN: Duration = Duration::from_millis(300);

/// Looks at a run.
pub fn look(path: &Path) -> Result<Facts> {
    let run = &input::run_of(path);
    let shown = run.display();
    ensure!(run.exists(), "{shown}: no such run");
    ensure!(
        run.is_dir(),
        "{shown} is no run of mpiscope, which would be a directory"
    );
    let is_run = run.join(run_info::FILE).is_file() || directory::buffers(run).is_dir();
    ensure!(is_run, "{shown} is no run of mpiscope: it has no run.json");
    let info = RunInfo::read(run).unwrap_or_default();
    let mut facts = match archived(run)? {
        Some(facts) => facts,
        None => match seen(run, &info.run_id) {
            Ok(facts) => facts,
            // It may have come to its end meanwhile.
            Err(error) => match archived(run)? {
                Some(facts) => facts,
                None => unseen(run, &info, &error)?,
            },
        },
    };
    facts.run = shown.to_string();
    facts.at = now();
    Ok(facts)
}

/// Tells of a run whose archive is written.
fn archived(run: &Path) -> Result<Option<Facts>> {
    if !finish::is_complete(run) {
        return Ok(None);
    }
    let info = RunInfo::read(run)?;
    let mut facts = Facts {
        job: match info.state {
            State::Recovered => Job::Died,
            State::Running | State::Finished => Job::Finished,
        },
        finished: info.finished,
        exit_code: info.exit_code,
        world_size: info.world_size,
        ..Facts::default()
    };
    let mut end = None;
    if facts.job == Job::Died {
        let input = Input::open(run)?;
        let whole = info.lost().is_empty() && input.damage.is_empty();
        let matching = input.trace.matching();
        let found = picture(&input.trace, &matching, info.world_size, &[], whole);
        let lived_on = |rank: u32| {
            let own = info.lived_on.iter().find(|it| it.rank == rank);
            own.map_or(0, |it| it.nanoseconds as i64)
        };
        tell(&mut facts, &input.trace, &found, whole, lived_on);
        end = EndOfRun::of(&input);
        if end.is_none() {
            facts.job = Job::Finished;
        }
    }
    facts.verdict = verdict::verdict(&facts, end.as_ref());
    Ok(Some(facts))
}

/// What was seen at one moment.
struct Moment {
    sight: Sight,
    input: Input,
    picture: Picture,
    _folder: TempDir,
}

impl Moment {
    fn look(run: &Path, run_id: &str) -> Result<Moment> {
        let folder = signals::make_fleeting(|| {
            let folder = tempfile::Builder::new()
                .prefix("mpiscope-state-")
                .tempdir()?;
            let path = folder.path().to_owned();
            Ok((folder, path))
        })?;
        let sight = sight::look(run, run_id, folder.path())?;
        let input = Input::open(folder.path())?;
        let picture = picture(
            &input.trace,
            &input.trace.matching(),
            sight.world_size,
            &ended(&sight),
            is_whole(&sight) && input.damage.is_empty(),
        );
        Ok(Moment {
            sight,
            input,
            picture,
            _folder: folder,
        })
    }

    /// Drops ranks that were not seen waiting before, at the same event.
    fn keep_steady(&mut self, before: &Moment) {
        let counts = |trace: &Trace, ranks: &[usize]| -> Vec<(u64, usize)> {
            let own = trace.locations.iter();
            let own = own.filter(|it| ranks.contains(&(it.rank.0 as usize)));
            own.map(|it| (it.id, it.events.len())).collect()
        };
        let steady = |now: &Stuck, then: &Stuck| {
            let ranks = now.waiting();
            let same = ranks == then.waiting();
            same && counts(&self.input.trace, &ranks) == counts(&before.input.trace, &ranks)
        };
        let (now, then) = (&self.picture, &before.picture);
        let certain = steady(&now.certain, &then.certain);
        let presumed = steady(&now.presumed, &then.presumed);
        if !certain {
            self.picture.certain = Stuck::default();
        }
        if !presumed {
            self.picture.presumed = Stuck::default();
        }
    }
}

/// Returns the ranks that have ended in a job that lives. Of one that has ended as a whole, who
/// waited for whom is asked of the time before.
fn ended(sight: &Sight) -> Vec<Rank> {
    if job(sight) == Job::Died {
        return Vec::new();
    }
    let ended = sight.ranks.iter().filter(|seen| seen.lives == Some(false));
    ended.map(|seen| Rank(seen.rank)).collect()
}

fn is_whole(sight: &Sight) -> bool {
    sight.lost == 0 && sight.threads_lost == 0 && sight.notes.is_empty()
}

fn job(sight: &Sight) -> Job {
    let all_ended = || sight.ranks.iter().all(|seen| seen.lives == Some(false));
    match sight.ranks.iter().any(|seen| seen.lives == Some(true)) {
        true => Job::Lives,
        false if all_ended() && sight.missing.is_empty() => Job::Died,
        false => Job::Unknown,
    }
}

/// Tells of a run by its buffers.
fn seen(run: &Path, run_id: &str) -> Result<Facts> {
    let mut moment = Moment::look(run, run_id)?;
    let waits = !moment.picture.presumed.waiting().is_empty();
    if waits && job(&moment.sight) == Job::Lives {
        std::thread::sleep(AGAIN);
        let before = std::mem::replace(&mut moment, Moment::look(run, run_id)?);
        moment.keep_steady(&before);
    }
    let Moment {
        sight,
        mut input,
        picture,
        ..
    } = moment;
    let mut facts = Facts {
        job: job(&sight),
        world_size: sight.world_size,
        ..Facts::default()
    };
    let of = |rank: u32| sight.ranks.iter().find(|seen| seen.rank == rank);
    let after_last = |rank: u32| of(rank).map_or(0, |seen| seen.after_last);
    tell(
        &mut facts,
        &input.trace,
        &picture,
        is_whole(&sight),
        after_last,
    );
    for row in &mut facts.ranks {
        if let Some(seen) = of(row.rank) {
            row.host = Some(seen.host.clone());
            row.pid = Some(seen.pid);
            row.lives = seen.lives;
        }
    }
    facts.cannot_tell.extend(sight.notes.iter().cloned());
    facts.cannot_tell.extend(elsewhere(run, &sight));
    let end = end(run, &mut input, &sight);
    facts.verdict = verdict::verdict(&facts, end.as_ref());
    Ok(facts)
}

/// Returns how those ended that have.
fn end(run: &Path, input: &mut Input, sight: &Sight) -> Option<EndOfRun> {
    input.path = run.to_owned();
    let lived_on = |seen: &Seen| LivedOn {
        rank: seen.rank,
        nanoseconds: seen.after_last as u64,
    };
    if let Some(info) = &mut input.run {
        info.lived_on = sight.ranks.iter().map(lived_on).collect();
    }
    let mut end = EndOfRun::of(input)?;
    let ended = |rank: u32| {
        let mut seen = sight.ranks.iter();
        seen.any(|seen| seen.rank == rank && seen.lives == Some(false))
    };
    end.ranks.retain(|standing| ended(standing.rank));
    (!end.ranks.is_empty()).then_some(end)
}

/// Says what the trace tells, a row for each thread and for each rank that has none.
pub(super) fn tell(
    facts: &mut Facts,
    trace: &Trace,
    picture: &Picture,
    whole: bool,
    after_last: impl Fn(u32) -> i64,
) {
    facts.of_picture(trace, picture);
    let row = |stand: &Stand| {
        let rank = trace.locations[stand.location.index()].rank.0;
        RankFacts::of(trace, stand, after_last(rank))
    };
    facts.ranks = picture.stands.iter().map(row).collect();
    for rank in 0..facts.world_size {
        if facts.ranks.iter().any(|row| row.rank == rank) {
            continue;
        }
        let own = trace.locations.iter().filter(|it| it.rank.0 == rank);
        let events: usize = own.map(|it| it.events.len()).sum();
        facts.ranks.push(RankFacts {
            rank,
            doing: match (events, picture.stands.is_empty()) {
                (0, _) => NOT_SEEN,
                // Nobody stands anywhere if all came to MPI_Finalize.
                (_, true) => FINALIZED,
                (_, false) => NO_CALL,
            },
            ..RankFacts::default()
        });
    }
    facts.ranks.sort_by_key(|row| (row.rank, row.thread));
    if picture.paused {
        let what =
            "who waits for whom: recording was switched off for a while, or calls were left out";
        facts.cannot_tell.push(what.to_owned());
    } else if !whole {
        let what = "who waits for ever for certain: not all events are there";
        facts.cannot_tell.push(what.to_owned());
    }
}

/// Says of which ranks nothing is to be seen here, and where it is.
fn elsewhere(run: &Path, sight: &Sight) -> Option<String> {
    let unseen = &sight.missing;
    let hosts = placement::hosts_of(run, unseen);
    let whose = match &hosts[..] {
        [] => "these hosts".to_owned(),
        hosts => hosts.join(", "),
    };
    (!unseen.is_empty()).then(|| {
        format!(
            "what rank {} does: nothing of it is to be seen from this host. Ranks of other hosts keep \
             their events in the memory there: run `mpiscope state {}` on {whose}, too (through ssh)",
            show::ranges(unseen),
            show::word(run)
        )
    })
}

/// Tells of a run in which no calls are to be seen, if it can be a traced one.
fn unseen(run: &Path, info: &RunInfo, error: &anyhow::Error) -> Result<Facts> {
    let (shown, word) = (run.display(), show::word(run));
    let is_tracing = Launch::is_tracing(info);
    if is_tracing != Some(true) && stats::only(run) {
        bail!("{shown} is monitored, not traced; where its ranks are: mpiscope top --once {word}");
    }
    if is_tracing == Some(false) || order::exists(run) {
        bail!(
            "{shown} keeps the order of messages alone, not in which call its ranks are: \
             `mpiscope trace` keeps both"
        );
    }
    let mut facts = Facts {
        job: Job::Unknown,
        ..Facts::default()
    };
    let placed = placement::read(run).into_iter();
    let hosts: Vec<String> = placed.map(|placed| placed.host).collect();
    let where_else = match &hosts[..] {
        [] => {
            "They have not come to MPI_Init yet, or ended before it, or run on other hosts".into()
        }
        hosts => format!("They run on {}", hosts.join(", ")),
    };
    facts.cannot_tell.push(format!(
        "what its ranks do: {error}. {where_else}: run `mpiscope state {word}` there"
    ));
    facts.verdict = verdict::verdict(&facts, None);
    Ok(facts)
}
