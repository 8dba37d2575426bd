//! What was asked to be different: options become changes of a replay, and words.

use std::collections::BTreeMap;

use anyhow::{anyhow, bail, Result};
use mpiscope_analysis::profile::Activity;
use mpiscope_analysis::whatif::{Changes, Replay};
use mpiscope_archive::model::{Duration, Trace};

use super::facts;
use super::names::{typed, Named};
use crate::cli::{Scaled, Whatif};
use crate::debug::ranks::Ranks;
use crate::report::show;

/// How things are named.
const FORMS: &str = "a name is NAME, NAME@FILE or NAME@FILE:LINE, CALL..CALL, CALL.., ..CALL, \
    computation, or as `analyze` says it: in NAME, between CALL and CALL, between two calls of CALL, \
    before CALL, after CALL, outside of MPI";

/// Changes, what they are in words, and what they take for granted.
#[derive(Default)]
pub struct Asked {
    pub changes: Changes,
    pub said: Vec<String>,
    pub assumptions: Vec<String>,
}

impl Asked {
    /// Reads the options.
    pub fn of(arguments: &Whatif, trace: &Trace, replay: &Replay) -> Result<Asked> {
        let all: Ranks = replay.ranks().into_iter().collect();
        let ranks = match &arguments.rank {
            None => None,
            Some(list) => {
                Some(Ranks::parse(list, &all).map_err(|error| anyhow!("--rank {error}"))?)
            }
        };
        let mut asked = Reader {
            trace,
            replay,
            asked: Asked::default(),
        };
        for scaled in &arguments.scale {
            asked.scale(scaled, ranks.as_ref(), arguments.rank.as_deref())?;
        }
        for what in &arguments.balance {
            asked.balance(what)?;
        }
        for what in &arguments.no_wait {
            asked.no_wait(what)?;
        }
        asked.network(arguments);
        Ok(asked.asked)
    }
}

struct Reader<'a> {
    trace: &'a Trace,
    replay: &'a Replay,
    asked: Asked,
}

impl Reader<'_> {
    fn is_any(&self, which: impl Fn(&Activity) -> bool) -> bool {
        self.replay.activities.iter().any(which)
    }

    fn scale(&mut self, scaled: &Scaled, ranks: Option<&Ranks>, list: Option<&str>) -> Result<()> {
        let (trace, replay, factor) = (self.trace, self.replay, scaled.factor);
        let named = Named::parse(&scaled.what);
        let is_asked = |rank: u32| ranks.is_none_or(|ranks| ranks.contains(rank));
        let changes = &mut self.asked.changes;
        let place = list.map_or(String::new(), |list| {
            let word = if list.parse::<u32>().is_ok() {
                "rank"
            } else {
                "ranks"
            };
            format!(" on {word} {list}")
        });
        let length = match factor {
            0.0 => "no time of its own".to_owned(),
            factor => format!("{} times as long", show::three_digits(factor)),
        };
        let takes = format!("{} takes {length}", scaled.what);
        let meant = named.all(trace, replay);
        if !meant.is_empty() {
            match ranks {
                None => changes.scale_everywhere(replay, factor, |it| meant.contains(it)),
                Some(_) => changes.scale(replay, factor, |rank, it| {
                    is_asked(rank) && meant.contains(it)
                }),
            }
            self.asked.said.push(takes + &place);
            return Ok(());
        }
        let sites = &trace.definitions.call_sites;
        let is_there = changes.scale_sampled(replay, factor, |rank, site| {
            let site = sites.get(site.index());
            is_asked(rank) && site.is_some_and(|it| named.means_site(it))
        });
        if !is_there {
            bail!(self.unknown("--scale", &scaled.what, |_| true));
        }
        self.asked.said.push(takes + &place);
        self.asked.assumptions.push(format!(
            "{} has of each computation of a rank the part that its samples have",
            scaled.what
        ));
        Ok(())
    }

    fn balance(&mut self, what: &str) -> Result<()> {
        let (trace, replay) = (self.trace, self.replay);
        let named = Named::parse(what);
        let is_one = |it: &Activity| replay.is_computation(it) && named.means(trace, it);
        if !self.is_any(is_one) {
            bail!(self.unknown("--balance", what, |it| replay.is_computation(it)));
        }
        self.asked.changes.balance(replay, is_one);
        self.asked.said.push(format!("{what} is balanced"));
        let meetings = facts::meetings(replay.meetings());
        if !self.asked.assumptions.contains(&meetings) {
            self.asked.assumptions.push(meetings);
        }
        Ok(())
    }

    fn no_wait(&mut self, what: &str) -> Result<()> {
        let (trace, replay) = (self.trace, self.replay);
        let named = Named::parse(what);
        let is_one = |it: &Activity| matches!(it, Activity::Mpi(_)) && named.means(trace, it);
        if !self.is_any(is_one) {
            bail!(self.unknown("--no-wait", what, |it| matches!(it, Activity::Mpi(_))));
        }
        self.asked.changes.no_wait(replay, is_one);
        self.asked.said.push(format!("nobody waits in {what}"));
        Ok(())
    }

    fn network(&mut self, arguments: &Whatif) {
        let changes = &mut self.asked.changes;
        let latency = arguments.latency.map(|it| (it * 1e9).round());
        changes.latency = latency.map(|ns| Duration(ns as i64));
        changes.bandwidth = arguments.bandwidth;
        let said = &mut self.asked.said;
        said.extend(latency.map(|ns| format!("the latency is {}", show::duration(ns))));
        said.extend(arguments.bandwidth.map(|it| match it.is_finite() {
            true => format!("the bandwidth is {} MB/s", show::three_digits(it / 1e6)),
            false => "the bandwidth is infinite".to_owned(),
        }));
        if latency.is_none() && arguments.bandwidth.is_none() {
            return;
        }
        let assumptions = &mut self.asked.assumptions;
        assumptions.push(
            "a message takes latency + bytes / bandwidth once its sender has come; an operation \
             pays the latency, and the bytes that are passed on, in each of its stages: "
                .to_owned()
                + match self.replay.latency() {
                    Some(_) => {
                        "so many as it took latencies of a message in the run, those of a binary \
                         tree at most"
                    }
                    None => {
                        "those of a binary tree, as no call of the run waited for a message, which \
                         would tell the latency"
                    }
                },
        );
        if latency.is_none() || arguments.bandwidth.is_none() {
            let before = self.replay.latency().map_or(0, |it| it.0);
            assumptions.push(format!(
                "the run's own latency is {}: what a tenth of the calls that waited for a message \
                 took at most after its sender had come",
                show::duration(before as f64)
            ));
        }
    }

    /// Says that something is not there, and what is, of those that may be named.
    fn unknown(&self, option: &str, what: &str, may: impl Fn(&Activity) -> bool) -> anyhow::Error {
        let sums = self.replay.sums();
        let all = self.replay.activities.iter().zip(&sums);
        let mut times: BTreeMap<String, Duration> = BTreeMap::new();
        for (it, [time, waiting]) in all.filter(|(it, _)| may(it)) {
            if let Some(name) = typed(self.trace, it) {
                *times.entry(name).or_default() += *time + *waiting;
            }
        }
        let known = times.into_iter().map(|(name, time)| (time, name));
        let mut known: Vec<(Duration, String)> = known.collect();
        known.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let names: Vec<String> = known.into_iter().map(|(_, name)| name).collect();
        match names.is_empty() {
            true => anyhow!("{option} {what}: there is nothing of that name, nor any other"),
            false => anyhow!(
                "{option} {what}: there is nothing of that name; most time was in {}; {FORMS}",
                show::list(&names, 5)
            ),
        }
    }
}
