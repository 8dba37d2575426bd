//! `mpiscope repair`: a clean copy of an archive, what was mended in it, and what could not be.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};
use mpiscope_archive::check::rules::Mend;
use mpiscope_archive::progress::Progress;
use mpiscope_archive::repair::{Repair, Repaired, Row};
use mpiscope_archive::trace::anchor_of;
use mpiscope_run::run_info;
use serde_json::{json, Value};

use crate::aside::{beside, remove, replace};
use crate::check::{self, place};
use crate::cli;
use crate::exit::DAMAGED;
use crate::input::{begins_like_an_archive, run_of, Damaged};
use crate::progress::{self, Unit};
use crate::report::show;
use crate::{say, signals};

/// Runs the command; returns its exit code.
pub fn run(arguments: &cli::Repair) -> Result<u8> {
    let repaired = match repaired(arguments) {
        Ok(repaired) => repaired,
        Err(error) => {
            if arguments.json && error.is::<Damaged>() {
                let damage = [say::chain(&error)];
                say::report(json!({ "path": arguments.input, "damage": damage }))?;
            }
            return Err(error);
        }
    };
    say::report(match arguments.json {
        true => serde_json::to_string_pretty(&as_json(arguments, &repaired))?,
        false => as_text(&repaired),
    })?;
    Ok(if repaired.damaged { DAMAGED } else { 0 })
}

fn repaired(arguments: &cli::Repair) -> Result<Repaired> {
    let out = &arguments.output;
    let anchor = anchor_of(&run_of(&arguments.input))?;
    ensure!(
        out.file_name().is_some(),
        "{} cannot be replaced by an archive; name another place",
        out.display()
    );
    refuse_source(out, &anchor)?;
    check_free(out, arguments.force)?;
    let aside = beside(out, "partial")?;
    // Of an earlier process of that number.
    let _ = remove(&aside);
    signals::remove_when_ended(&aside)?;
    let progress = Progress::default();
    let what = format!("repairing {}", anchor.display());
    let written = progress::during(&what, Unit::Events, &progress, || {
        let repair = match Repair::of(&anchor, &progress) {
            Ok(repair) => repair,
            Err(error) if begins_like_an_archive(&anchor) => bail!(Damaged(error.to_string())),
            Err(error) => bail!(error),
        };
        Ok(repair.write(&aside, &progress)?)
    });
    let mut repaired = written.inspect_err(|_| {
        let _ = remove(&aside);
    })?;
    replace(&aside, out).with_context(|| format!("cannot write {}", out.display()))?;
    repaired.anchor = out.join(repaired.anchor.file_name().unwrap_or_default());
    Ok(repaired)
}

/// Refuses to write over what is read, or over what holds it, whatever is forced.
fn refuse_source(out: &Path, anchor: &Path) -> Result<()> {
    let (Ok(out_full), Ok(anchor)) = (out.canonicalize(), anchor.canonicalize()) else {
        return Ok(());
    };
    ensure!(
        !anchor.starts_with(&out_full),
        "{} holds the archive, which stays as it is; name another place",
        out.display()
    );
    Ok(())
}

/// Refuses to replace what nobody asked to replace, or what is no archive.
fn check_free(out: &Path, force: bool) -> Result<()> {
    let Ok(data) = fs::symlink_metadata(out) else {
        return Ok(());
    };
    let is_empty = || fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_none());
    if data.is_dir() && is_empty() {
        return Ok(());
    }
    ensure!(
        force,
        "{} exists; give --force to replace it, or another place with -o",
        out.display()
    );
    let is_archive = || anchor_of(out).is_ok_and(|anchor: PathBuf| anchor.is_file());
    ensure!(
        data.is_dir() && !out.join(run_info::FILE).exists() && is_archive(),
        "{} is no archive by itself: not replaced",
        out.display()
    );
    Ok(())
}

fn as_text(repaired: &Repaired) -> String {
    let mut lines = vec![format!(
        "{}: {}, {}, {}",
        repaired.anchor.display(),
        show::counted(repaired.definitions, "definition"),
        show::counted(repaired.locations, "location"),
        show::counted(repaired.events, "event"),
    )];
    if repaired.copied {
        let what = match repaired.rows.is_empty() {
            true => "nothing is against the format, nor against what readers expect",
            false => "nothing can be mended",
        };
        lines.push(format!("  {what}: copied as it is"));
    }
    if !repaired.rows.is_empty() {
        lines.extend(table(&repaired.rows));
    }
    let changes = repaired.changes;
    let events = [
        (changes.added, "added"),
        (changes.left_out, "left out"),
        (changes.changed, "changed"),
        (changes.held, "held in time"),
    ];
    let events = events.into_iter().filter(|(count, _)| *count > 0);
    let events: Vec<String> = events
        .map(|(count, what)| format!("{} {what}", show::count(count)))
        .collect();
    if !events.is_empty() {
        lines.push(format!("  events: {}", events.join(", ")));
    }
    let left = repaired.rows.iter().filter(|row| row.left > 0);
    lines.extend(left.map(|row| format!("  {}: {}", row.rule, why_left(row))));
    lines.join("\n")
}

fn table(rows: &[Row]) -> Vec<String> {
    let rules = rows.iter().map(|row| row.rule.row().id.len());
    let width = rules.max().unwrap_or(0).max(4);
    let mut lines = vec![format!("  {:<width$}  mended    left  first", "rule")];
    lines.extend(rows.iter().map(|row| {
        format!(
            "  {:<width$}  {:>6}  {:>6}  {}",
            row.rule.row().id,
            show::count(row.mended()),
            show::count(row.left),
            row.first.as_ref().map(place).unwrap_or_default()
        )
    }));
    lines
}

/// Says why something is left.
fn why_left(row: &Row) -> String {
    match row.rule.row().mend {
        Mend::Not(why) => format!("cannot be mended: {why}"),
        Mend::By(_) if row.found == 0 => "follows from what was mended".to_owned(),
        Mend::By(_) => "not all of it could be mended".to_owned(),
    }
}

fn as_json(arguments: &cli::Repair, repaired: &Repaired) -> Value {
    let changes = repaired.changes;
    let rules: Vec<Value> = repaired.rows.iter().map(row_json).collect();
    json!({
        "path": arguments.input,
        "archive": repaired.source,
        "output": repaired.anchor,
        "copied": repaired.copied,
        "clean": repaired.rows.iter().all(|row| row.left == 0),
        "definitions": repaired.definitions,
        "locations": repaired.locations,
        "events": repaired.events,
        "events_added": changes.added,
        "events_left_out": changes.left_out,
        "events_changed": changes.changed,
        "events_held": changes.held,
        "rules": rules,
    })
}

fn row_json(row: &Row) -> Value {
    let how = match row.rule.row().mend {
        Mend::By(how) => Some(how),
        Mend::Not(_) => None,
    };
    json!({
        "rule": row.rule.row().id,
        "found": row.found,
        "mended": row.mended(),
        "left": row.left,
        "how": how,
        "why_left": (row.left > 0).then(|| why_left(row)),
        "first": row.first.as_ref().map(check::place_json),
    })
}
