//! `mpiscope diff`: what got slower or faster between two sets of runs, and whether that is more
//! than noise; or, with `--order`, where two runs took their messages in another order
//! ([`diff_order`]).

mod baseline;
mod conditions;
mod facts;
mod junit;
mod left_out;
mod load;
mod sarif;
mod text;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail, ensure, Context, Result};
use mpiscope_analysis::compare::{compare, Asked};

use crate::cli::{Condition, Diff};
use crate::exit::{CANNOT, FINDINGS};
use crate::{diff_order, input, say};
pub use facts::{place, shown};
use facts::{Answer, Facts};
use load::Set;

/// Runs the command; returns its exit code.
pub fn run(arguments: &Diff) -> Result<u8> {
    if arguments.order {
        return order(arguments);
    }
    let conditions = arguments.fail_on.iter().map(|it| Condition::parse(it));
    let conditions: Vec<Condition> = conditions
        .collect::<Result<_, _>>()
        .map_err(|error| anyhow!(error))?;
    let (a, b) = arguments.sides();
    ensure!(
        !a.is_empty() && (!b.is_empty() || arguments.write_baseline.is_some()),
        "two runs are compared, A and B, or two sets of them: --baseline A… --candidate B…"
    );
    ensure!(
        !b.is_empty()
            || (conditions.is_empty() && arguments.junit.is_none() && arguments.sarif.is_none()),
        "there is nothing to compare with: name B, or --candidate B…"
    );
    named_once(a.iter().chain(&b))?;
    let a = read(&a, arguments)?;
    if arguments.write_baseline.is_some() && !a.damage.is_empty() {
        say::aside("error: what could be read of A is no baseline: no file was written");
        return Ok(say::damaged(&a.damage));
    }
    if arguments.write_baseline.is_some() && !a.died.is_empty() && !arguments.anyway {
        say::aside(format!(
            "error: runs that died are no baseline (--anyway takes them all the same): no file was \
             written; {}",
            a.died.join("; ")
        ));
        return Ok(CANNOT);
    }
    if let Some(file) = &arguments.write_baseline {
        write(file, &baseline::text(&a.runs)?)?;
        say::aside(format!("what was measured of A is in {}", file.display()));
    }
    if b.is_empty() {
        return Ok(say::damaged(&a.damage));
    }
    let b = read(&b, arguments)?;
    comparable(&a, &b)?;
    let asked = Asked {
        level: arguments.level,
        least: arguments.least / 100.0,
    };
    let found = compare(&a.runs, &b.runs, &asked);
    let mut facts = Facts::new(&found, &a, &b, &asked);
    let are_whole = facts.without_end() == 0;
    facts.conditions = conditions::answers(&conditions, &found, arguments, are_whole)?;
    report(arguments, &facts)?;
    let is = |answer: Answer| facts.conditions.iter().any(|it| it.answer == answer);
    Ok(match say::damaged(&facts.damage) {
        0 if is(Answer::True) => FINDINGS,
        0 if is(Answer::Unknown) => CANNOT,
        code => code,
    })
}

fn order(arguments: &Diff) -> Result<u8> {
    let (Some(a), Some(b)) = (&arguments.a, &arguments.b) else {
        bail!("--order compares two runs: A and B");
    };
    let is_known = arguments.fail_on.iter().all(|it| it == "difference");
    ensure!(is_known, "--order has one condition: --fail-on difference");
    diff_order::run(a, b, arguments.json, !arguments.fail_on.is_empty())
}

fn read(paths: &[PathBuf], arguments: &Diff) -> Result<Set> {
    load::set(paths, arguments.clock.measured).inspect_err(|error| {
        if let (true, Some(path)) = (arguments.json, paths.first()) {
            // What cannot be said any more is an error that is said.
            let _ = input::report_damaged("path", path, error);
        }
    })
}

/// Refuses a run that is named twice: it would count as two that are alike.
pub fn named_once<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> Result<()> {
    let mut known = BTreeSet::new();
    for path in paths {
        let whole = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        ensure!(
            known.insert(whole),
            "{} is named twice: a run is no two runs",
            path.display()
        );
    }
    Ok(())
}

/// Two sets of one program on as many ranks?
fn comparable(a: &Set, b: &Set) -> Result<()> {
    let mut ranks: Vec<u64> = a.runs.iter().chain(&b.runs).map(|it| it.ranks).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ensure!(
        ranks.len() <= 1,
        "the runs are on different numbers of ranks ({}): what of a difference is the build's \
         cannot be told",
        ranks
            .iter()
            .map(u64::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    );
    Ok(())
}

fn report(arguments: &Diff, facts: &Facts) -> Result<()> {
    if let Some(file) = &arguments.junit {
        write(file, &junit::text(facts))?;
    }
    if let Some(file) = &arguments.sarif {
        write(file, &sarif::text(facts)?)?;
    }
    match arguments.json {
        true => say::report(serde_json::to_string_pretty(facts)?)?,
        false => say::report(text::text(facts, arguments.top as usize))?,
    }
    for answer in facts
        .conditions
        .iter()
        .filter(|it| it.answer == Answer::Unknown)
    {
        say::aside(format!(
            "error: --fail-on '{}' cannot be answered: {}; --anyway goes by the averages",
            answer.condition, answer.why
        ));
    }
    Ok(())
}

fn write(file: &Path, text: &str) -> Result<()> {
    let text = format!("{}\n", text.trim_end());
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
