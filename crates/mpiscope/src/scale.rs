//! `mpiscope scale`: runs of one program on different numbers of ranks: speedup, efficiencies, and
//! which calls, regions and computation stop scaling; or of different sizes of the problem: which of
//! them grow fastest.

mod facts;
mod field;
mod load;
mod notes;
mod picture;
mod problem;
mod shared;
mod sizes;
#[cfg(test)]
mod tests;
mod text;
mod verdict;

use std::fs;
use std::path::Path;

use anyhow::{anyhow, Context, Result};
use mpiscope_analysis::scaling::{found_kind, scale, Found, Kind, Refusal, Run};

use crate::cli::Scale;
use crate::diff::named_once;
use crate::input::{self, Damaged};
use crate::report::show;
use crate::say;
use facts::{Facts, KindFrom};
use load::{Doubt, Loaded};
use sizes::Compared;

/// Runs the command; returns its exit code.
pub fn run(arguments: &Scale) -> Result<u8> {
    named_once(arguments.inputs.iter())?;
    let loaded = (arguments.inputs.iter())
        .map(|path| telling(arguments, path, load::run(path, arguments.clock.measured)))
        .collect::<Result<Vec<Loaded>>>()?;
    let doubts = load::doubts(&loaded);
    if !arguments.anyway {
        refuse(arguments, &doubts)?;
    }
    let doubts = doubts.into_iter().filter(|it| !it.is_damage);
    let doubts = doubts.map(|it| it.what).collect();
    let top = arguments.top as usize;
    match sizes::compared(arguments, &loaded)? {
        Compared::Ranks(told) => {
            let facts = facts(arguments, &loaded, told, doubts)?;
            draw(arguments, || picture::svg(&facts))?;
            let text = || text::text(&facts, top);
            say::found(arguments.json, &facts, text, &facts.damage)
        }
        Compared::Sizes(sizes) => {
            let clocks = loaded.iter().filter_map(|it| it.clocks.clone());
            let facts = problem::facts(&loaded, &sizes, clocks.chain(doubts).collect())?;
            draw(arguments, || problem::svg(&facts))?;
            let text = || problem::text(&facts, top);
            say::found(arguments.json, &facts, text, &facts.damage)
        }
    }
}

/// Writes a picture, if one is wanted.
fn draw(arguments: &Scale, svg: impl FnOnce() -> String) -> Result<()> {
    let Some(file) = &arguments.svg else {
        return Ok(());
    };
    fs::write(file, svg()).with_context(|| format!("cannot write {}", file.display()))?;
    say::aside(format!("a picture of it is in {}", file.display()));
    Ok(())
}

/// Refuses runs that speak against being compared.
fn refuse(arguments: &Scale, doubts: &[Doubt]) -> Result<()> {
    let Some(first) = doubts.iter().max_by_key(|it| it.is_damage) else {
        return Ok(());
    };
    let why: Vec<&str> = doubts.iter().map(|it| it.what.as_str()).collect();
    let why = format!("{}; --anyway compares them all the same", why.join("; "));
    let error = match first.is_damage {
        true => anyhow!(Damaged(why)),
        false => anyhow!(why),
    };
    telling(arguments, &first.path, Err(error))
}

/// Tells programs of a run that is damaged.
fn telling<T>(arguments: &Scale, path: &Path, result: Result<T>) -> Result<T> {
    result.inspect_err(|error| {
        if arguments.json {
            // What cannot be said any more is an error that is said.
            let _ = input::report_damaged("path", path, error);
        }
    })
}

/// Compares runs on different numbers of ranks; sizes may have told which kind of scaling it is.
fn facts(
    arguments: &Scale,
    loaded: &[Loaded],
    told: Option<Kind>,
    doubts: Vec<String>,
) -> Result<Facts> {
    let runs: Vec<Run> = loaded.iter().map(|it| it.run.clone()).collect();
    let (kind, from, why) = kind(arguments.kind().or(told), &runs);
    let found = scale(&runs, kind, arguments.reference).map_err(|why| match why {
        Refusal::Empty(at) => anyhow!("{}: {why}", show::word(&loaded[at].path)),
        Refusal::OneSize(Some(_)) => anyhow!(
            "{why}. Runs of different sizes of the problem: --sizes names these, in the order of the \
             runs"
        ),
        why => anyhow!(why.to_string()),
    })?;
    let mut facts = Facts::new(&found, loaded, from);
    let clocks = loaded.iter().filter_map(|it| it.clocks.clone());
    let first: Vec<String> = clocks.chain(doubts).chain(why).collect();
    facts.notes.splice(0..0, first);
    Ok(facts)
}

/// Returns which kind of scaling it is, how that is known, and what to say of it.
fn kind(asked: Option<Kind>, runs: &[Run]) -> (Kind, KindFrom, Option<String>) {
    if let Some(kind) = asked {
        return (kind, KindFrom::Asked, None);
    }
    let why = match found_kind(runs) {
        Found::Told(Kind::Strong) => return (Kind::Strong, KindFrom::Found, None),
        Found::Told(Kind::Weak) => {
            let note = "taken for weak scaling (--strong for the other): computation grows with \
                        the ranks, and the program was given other arguments";
            return (Kind::Weak, KindFrom::Found, Some(note.to_owned()));
        }
        Found::Either => {
            "computation grows with the ranks, as in weak scaling, or as where each rank repeats \
             what others do"
        }
        Found::Neither => "computation neither stays the same nor grows with the ranks",
    };
    let note = format!("taken for strong scaling (--weak for the other): {why}");
    (Kind::Strong, KindFrom::Assumed, Some(note))
}
