//! The report of a trace.

use std::collections::BTreeMap;

use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_analysis::evidence::{untold_operations, Evidence};
use mpiscope_analysis::profile::{self, Count, Profile};
use mpiscope_analysis::races::CallPlace;
use mpiscope_analysis::root_causes;
use mpiscope_analysis::wait_states::{tells_of_threads, Kind, WaitState};
use mpiscope_analysis::whatif::Replay;
use mpiscope_archive::model::{Duration, EventRef, Matching, RegionId, Trace};
use mpiscope_run::run_info::RunInfo;
use mpiscope_run::statistics;
use rustc_hash::FxHashSet;

use super::causes::{Delay, OfPath, RootCauses, Unexplained};
use super::efficiency::Known;
use super::facts::{
    Activity, CriticalPath, Facts, Longest, OfKind, Pair, PathPart, Rank, Sent, Share, SourcePlace,
    Statement, Unknown, Waits,
};
use super::patterns::Patterns;
use super::{computation, efficiency, gains, iterations, unknown, verdict};
use crate::end_of_run::EndOfRun;
use crate::evidence;
use crate::input::{Input, TimeBase};
use crate::kinds::Kinds;
use crate::report::show;
use crate::traced::{self, FEW};

/// What is looked for in a trace of any size, as it was asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// Root causes.
    pub causes: bool,
    /// What mending each loss of the verdict would gain.
    pub gains: bool,
    /// How long it takes on an ideal network.
    pub ideal: bool,
}

/// What was found in a trace.
pub struct Found<'a> {
    pub matching: &'a Matching,
    pub profile: &'a Profile,
    pub errors: &'a ClockErrors,
    pub told: Told,
}

/// What a trace tells, or does not, of what is waited for.
pub struct Told {
    pub evidence: Evidence,
    /// Where operations ended of which it is not told who sent to whom.
    pub pairwise: FxHashSet<CallPlace>,
    /// Some threads wait for others, and it tells for which.
    pub of_threads: bool,
}

impl Told {
    /// Looks at a trace.
    fn by(trace: &Trace, matching: &Matching) -> Told {
        Told {
            evidence: Evidence::of(trace, matching),
            pairwise: untold_operations(trace, matching),
            of_threads: tells_of_threads(matching),
        }
    }
}

/// Looks at a trace.
pub fn facts(input: &Input, errors: ClockErrors, asked_for: Asked) -> Facts {
    let trace = &input.trace;
    let matching = trace.matching();
    let events = trace.event_count();
    let replayed = efficiency::is_replayed(trace, asked_for.ideal);
    let replay = replayed.then(|| Replay::of(trace, &matching));
    let asked = profile::Asked {
        causes: asked_for.causes || events <= FEW,
        errors,
        replay: replay.as_ref().map(|it| it as _),
    };
    let profile = Profile::asked(trace, &matching, &asked);
    let found = Found {
        matching: &matching,
        profile: &profile,
        errors: &asked.errors,
        told: Told::by(trace, &matching),
    };
    of_found(input, found, asked_for.gains, replay)
}

/// Tells what was found; of a trace that may have been replayed already, also what mending losses
/// would gain, if that is asked for.
pub fn of_found(input: &Input, found: Found, gains: bool, replay: Option<Replay>) -> Facts {
    let trace = &input.trace;
    let (matching, profile) = (found.matching, found.profile);
    let names = Names {
        trace,
        profile,
        errors: found.errors,
        told: found.told,
    };
    let statements = names.all();
    let of_mpi = || statements.iter().filter(|it| !it.among_threads);
    let sums = names.sums(names.unknown(&statements));
    let evidence = &names.told.evidence;
    let is_corrected = input.clock == Some(TimeBase::Corrected);
    let found = verdict::find(trace, matching, profile, evidence, is_corrected);
    let gains = gains::all(trace, matching, &found, gains, replay);
    let mut verdict = verdict::told(trace, &found, gains, |it| names.activity(it));
    let end = EndOfRun::of(input);
    verdict
        .cannot_tell
        .splice(0..0, end.as_ref().and_then(EndOfRun::doubt));
    let mut facts = Facts {
        path: input.path.clone(),
        archive: Some(input.anchor.clone()),
        clock: input.clock,
        corrected: input.clock.map(|clock| clock == TimeBase::Corrected),
        ranks: input.ranks(),
        verdict: Some(verdict),
        locations: Some(Kinds::of(trace)),
        length_ns: profile.length().0,
        mpi_ns: profile.total(|rank| rank.mpi).0,
        threads_ns: profile.total(|rank| rank.threads).0,
        threads_waiting_ns: profile.total(|rank| rank.threads_waiting).0,
        calls: of_mpi().map(|it| it.calls).sum(),
        separated_calls: of_mpi().map(|it| it.separated_calls).sum(),
        unrecorded_ns: profile.total(|rank| rank.unrecorded).0,
        critical_path: Some(names.path()),
        computation: computation::of(trace),
        by_rank: profile.ranks.iter().map(|sum| rank(trace, sum)).collect(),
        pairs: profile.pairs.iter().map(pair).collect(),
        messages: profile.messages.iter().map(sent).collect(),
        contradictions: profile.contradictions,
        end,
        notes: notes(input, matching, profile, evidence),
        damage: traced::damage(input),
        statements,
        ..sums
    };
    facts.complete();
    facts
}

/// Says why root causes were not looked for, if they were not.
fn no_root_causes(trace: &Trace, profile: &Profile) -> Option<String> {
    profile.causes.is_none().then(|| {
        format!(
            "not looked for in {} events, which are more than {}: --causes does",
            show::count(trace.event_count() as u64),
            show::count(FEW as u64)
        )
    })
}

/// Takes the sums of a run alone from its profile by any clock.
pub fn sums(trace: &Trace, matching: &Matching, profile: &Profile, errors: &ClockErrors) -> Facts {
    let names = Names {
        trace,
        profile,
        errors,
        told: Told::by(trace, matching),
    };
    let mut facts = names.sums(names.unknown(&names.all()));
    facts.complete();
    facts
}

/// Says in what a trace does not tell all waiting for other ranks.
pub fn untold(trace: &Trace, matching: &Matching, profile: &Profile) -> Vec<String> {
    let errors = &ClockErrors::default();
    let names = Names {
        trace,
        profile,
        errors,
        told: Told::by(trace, matching),
    };
    let unknown = names.unknown(&names.all());
    let of_ranks = unknown.iter().filter(|it| it.is_of_ranks());
    of_ranks
        .map(|it| format!("{}: {}", it.what, it.why))
        .collect()
}

/// Says that calls ended, by the clocks, before the other side had come, and what helps.
pub fn contradictions(input: &Input, calls: u64) -> Option<String> {
    let hint = match input.clock {
        Some(TimeBase::Corrected) => String::new(),
        _ => format!(
            "; `mpiscope sync {}` corrects them",
            show::word(&input.path)
        ),
    };
    (calls > 0).then(|| {
        format!(
            "{} ended, by the clocks, before the other side had come{hint}",
            show::counted(calls, "call")
        )
    })
}

fn of_kinds(profile: &Profile) -> Vec<OfKind> {
    let of = |(kind, count): (&Kind, &Count)| OfKind {
        kind: kind.name().into(),
        times: count.times,
        waiting_ns: count.time.0,
        resolution: Some(count.resolution.into()),
    };
    profile.waiting_of_kinds.iter().map(of).collect()
}

fn rank(trace: &Trace, sum: &profile::RankSum) -> Rank {
    let processes = &trace.definitions.processes;
    let at = processes.binary_search_by_key(&sum.rank, |it| it.rank.0);
    let scheduled = at.ok().and_then(|at| processes[at].scheduled);
    Rank {
        rank: sum.rank,
        time_ns: sum.time.0,
        mpi_ns: sum.mpi.0,
        waiting_ns: Some(sum.waiting.0),
        resolution: Some(sum.resolution.into()),
        threads_ns: sum.threads.0,
        threads_waiting_ns: sum.threads_waiting.0,
        unrecorded_ns: sum.unrecorded.0,
        causing_ns: Some(sum.causing.0),
        path_ns: Some(sum.path.0),
        run_delay_ns: scheduled.map(|it| it.delay.0),
    }
}

fn pair((&(rank, waited_for), count): (&(u32, u32), &Count)) -> Pair {
    Pair {
        rank,
        waited_for,
        times: count.times,
        waiting_ns: count.time.0,
        resolution: Some(count.resolution.into()),
    }
}

fn sent(sent: &profile::Sent) -> Sent {
    Sent {
        from: sent.from,
        to: sent.to,
        messages: sent.messages,
        bytes: sent.bytes,
    }
}

fn shares(counts: &BTreeMap<u32, Count>) -> Vec<Share> {
    let share = |(&rank, count): (&u32, &Count)| Share {
        rank,
        waiting_ns: count.time.0,
        resolution: Some(count.resolution.into()),
    };
    counts.iter().map(share).collect()
}

/// What is to be known of the trace besides.
fn notes(
    input: &Input,
    matching: &Matching,
    profile: &Profile,
    evidence: &Evidence,
) -> Vec<String> {
    let mut notes = input.not_kept();
    notes.extend(input.run.as_ref().and_then(RunInfo::polls_told));
    notes.extend(evidence::impossible(evidence));
    let run = show::word(&input.path);
    if statistics::exists(&input.path) {
        notes.push(format!(
            "the run has statistics, too, which are not looked at here: `mpiscope stats {run}`"
        ));
    }
    let wrong = profile.contradictions + profile.path.contradictions as u64;
    notes.extend(contradictions(input, wrong));
    if let Some(others) = Kinds::of(&input.trace).others() {
        notes.push(format!(
            "beside its threads the archive has {others}: their time is in no figure here"
        ));
    }
    let counts = matching.counts();
    let unmatched = counts.unmatched_sends + counts.unmatched_receives;
    if unmatched > 0 {
        notes.push(format!(
            "of {} the other side is not in the trace: nothing follows from them",
            show::counted(unmatched, "message")
        ));
    }
    notes
}

struct Names<'a> {
    trace: &'a Trace,
    errors: &'a ClockErrors,
    profile: &'a Profile,
    told: Told,
}

impl Names<'_> {
    /// Returns what is told of each statement.
    fn all(&self) -> Vec<Statement> {
        let all = self.statements();
        all.map(|(it, among_threads, sum)| self.statement(it, among_threads, sum))
            .collect()
    }

    /// Says what the trace does not tell, in these statements or at all.
    fn unknown(&self, all: &[Statement]) -> Vec<Unknown> {
        let of_mpi = all.iter().filter(|it| !it.among_threads);
        let untold: Vec<&Statement> = of_mpi.filter(|it| it.waiting_ns.is_none()).collect();
        unknown::all(self.trace, &self.told, &untold)
    }

    /// Returns the sums alone: waiting by kind, patterns, efficiencies, iterations, root causes.
    fn sums(&self, unknown: Vec<Unknown>) -> Facts {
        let profile = self.profile;
        let known = Known {
            waiting: unknown.is_empty(),
            events: self.trace.event_count(),
            contradicting: profile.contradicting(),
            calls: self.trace.definitions.told.calls,
        };
        Facts {
            source: "trace".into(),
            time_ns: profile.total(|rank| rank.time).0,
            waiting_ns: Some(profile.waiting().0),
            efficiency: known.efficiency(&profile.within),
            no_efficiency: known.why_none(&profile.within),
            resolution: Some(profile.waiting_of_ranks.resolution.into()),
            wait_states: of_kinds(profile),
            patterns: Some(Patterns::of(profile)),
            unknown,
            root_causes: profile.causes.as_ref().map(|it| self.causes(it)),
            no_root_causes: no_root_causes(self.trace, profile),
            iterations: iterations::of(self.trace, profile, known),
            no_iterations: iterations::why_none(profile),
            ..Facts::default()
        }
    }

    /// Returns all statements that call MPI, or in which threads wait for each other (then it is
    /// true), with their sums.
    fn statements(&self) -> impl Iterator<Item = (profile::Statement, bool, &profile::Sum)> {
        let activities = self.profile.activities.iter();
        activities.filter_map(|(activity, sum)| match activity {
            profile::Activity::Mpi(statement) => Some((*statement, false, sum)),
            profile::Activity::Threads(statement) => Some((*statement, true, sum)),
            _ => None,
        })
    }

    fn statement(
        &self,
        statement: profile::Statement,
        among_threads: bool,
        sum: &profile::Sum,
    ) -> Statement {
        let kinds = (statement, Kind::ALL[0])..=(statement, Kind::ALL[Kind::ALL.len() - 1]);
        let waits = self.profile.waits.range(kinds);
        let place = self.place(statement);
        // Waiting that was told is known, and may be but a part.
        let is_pairwise = self.told.pairwise.contains(&statement.place);
        let untold = is_pairwise || unknown::is_untold(self.trace, &self.told.evidence, &place);
        let untold = untold && sum.waiting == Duration::ZERO;
        Statement {
            place,
            among_threads,
            calls: sum.times,
            time_ns: (sum.time + sum.waiting).0,
            waiting_ns: (!untold).then_some(sum.waiting.0),
            separated_calls: if untold { 0 } else { sum.times },
            bytes: sum.sent.saturating_add(sum.received),
            waits: waits
                .map(|((_, kind), waits)| self.waits(*kind, waits))
                .collect(),
        }
    }

    fn waits(&self, kind: Kind, waits: &profile::Waits) -> Waits {
        Waits {
            kind: kind.name().into(),
            times: waits.all.times,
            waiting_ns: waits.all.time.0,
            resolution: Some(waits.all.resolution.into()),
            ranks: shares(&waits.waiting),
            waited_for: shares(&waits.causing),
            longest: Some(self.longest(&waits.longest)),
        }
    }

    fn longest(&self, state: &WaitState) -> Longest {
        let of = |event: EventRef| &self.trace.locations[event.location.index()];
        let (call, cause) = (state.call.location, state.cause.location);
        let half_width = self.errors.half_width(call, cause, state.end);
        Longest {
            waiting_ns: state.duration().0,
            half_width_ns: half_width.map(|it| it.0),
            rank: of(state.call).rank.0,
            location: of(state.call).id,
            event: state.call.index,
            waited_for: of(state.cause).rank.0,
            cause: SourcePlace::of(self.trace, state.cause),
        }
    }

    fn causes(&self, causes: &root_causes::RootCauses) -> RootCauses {
        let path = |of: &root_causes::OfPath| {
            let regions = causes.call_paths.regions(of.path).into_iter();
            let path: Vec<String> = regions.filter_map(|it| self.region(it)).collect();
            (!path.is_empty()).then_some(OfPath {
                path,
                short_term_ns: of.short_term.0,
                long_term_ns: of.long_term.0,
            })
        };
        let delay = |(number, delay): (usize, &root_causes::Delay)| Delay {
            rank: delay.rank,
            activity: self.activity(&self.profile.activities[delay.activity as usize].0),
            short_term_ns: delay.short_term.0,
            long_term_ns: delay.long_term.0,
            longest: self.longest(&delay.longest),
            paths: causes.paths_of(number).iter().filter_map(path).collect(),
        };
        RootCauses {
            waiting_ns: causes.waiting.0,
            direct_ns: causes.direct().0,
            indirect_ns: causes.indirect.0,
            propagating_ns: causes.propagating.0,
            terminal_ns: causes.terminal().0,
            delays: causes.delays.iter().enumerate().map(delay).collect(),
            unexplained: Unexplained {
                unrecorded_ns: causes.rest.unrecorded.0,
                contradicting_ns: causes.rest.contradicting.0,
                without_excess_ns: causes.rest.without_excess.0,
            },
        }
    }

    /// Names a statement; where no line is known, after the region around it.
    fn place(&self, statement: profile::Statement) -> SourcePlace {
        let place = SourcePlace::new(self.trace, statement.place);
        let around = statement.within.and_then(|region| self.region(region));
        match place.function {
            None => SourcePlace {
                function: around,
                ..place
            },
            Some(_) => place,
        }
    }

    fn region(&self, region: RegionId) -> Option<String> {
        let region = self.trace.definitions.regions.get(region.index())?;
        (!region.name.is_empty()).then(|| region.name.clone())
    }

    fn path(&self) -> CriticalPath {
        let on_it = self.profile.activities.iter();
        let on_it = on_it.filter(|(_, sum)| sum.path > Duration::ZERO);
        let total = |wanted: fn(&profile::Activity) -> bool| {
            let of = on_it.clone().filter(|(activity, _)| wanted(activity));
            of.map(|(_, sum)| sum.path.0).sum()
        };
        CriticalPath {
            length_ns: self.profile.length().0,
            mpi_ns: total(|it| matches!(it, profile::Activity::Mpi(_))),
            work_ns: total(|it| {
                matches!(
                    it,
                    profile::Activity::Region(_) | profile::Activity::Between(..)
                )
            }),
            segments: self.profile.path.steps.len() as u64,
            contradictions: self.profile.path.contradictions as u64,
            parts: on_it.clone().map(|(it, sum)| self.part(it, sum)).collect(),
        }
    }

    fn activity(&self, activity: &profile::Activity) -> Activity {
        let place = |statement: &profile::Statement| self.place(*statement);
        match activity {
            profile::Activity::Mpi(statement) => Activity::Mpi {
                place: place(statement),
            },
            profile::Activity::Threads(statement) => Activity::Threads {
                place: place(statement),
            },
            profile::Activity::Region(region) => Activity::Region {
                name: self.region(*region).unwrap_or_default(),
            },
            profile::Activity::Between(after, before) => Activity::Work {
                after: after.as_ref().map(place),
                before: before.as_ref().map(place),
            },
            profile::Activity::Unrecorded => Activity::Unrecorded,
        }
    }

    fn part(&self, activity: &profile::Activity, sum: &profile::Sum) -> PathPart {
        let activity = self.activity(activity);
        let imbalance = match activity {
            Activity::Unrecorded => 0,
            _ => self.profile.imbalance(sum).0,
        };
        PathPart {
            activity,
            path_ns: sum.path.0,
            time_ns: sum.time.0,
            imbalance_ns: imbalance,
            held_ns: sum.held.0,
        }
    }
}
