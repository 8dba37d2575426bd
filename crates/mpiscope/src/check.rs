//! `mpiscope check`: what of an archive is against the format, and what readers of it will refuse.

use std::path::Path;

use anyhow::{bail, Result};
use mpiscope_archive::check::check_watched;
use mpiscope_archive::check::findings::{Finding, Place};
use mpiscope_archive::check::rules::{Mend, Reader, Row, Rule};
use mpiscope_archive::check::Checked;
use mpiscope_archive::progress::Progress;
use mpiscope_archive::trace::anchor_of;
use mpiscope_run::{directory, run_info};
use serde_json::{json, Value};

use crate::cli::Check;
use crate::exit::{DAMAGED, FINDINGS};
use crate::input::{begins_like_an_archive, run_of, Damaged};
use crate::progress::{self, Unit};
use crate::report::show;
use crate::say;

/// Runs the command; returns its exit code.
pub fn run(arguments: &Check) -> Result<u8> {
    let Some(input) = &arguments.input else {
        say::report(rules())?;
        return Ok(0);
    };
    let checked = match archives(input) {
        Ok(checked) => checked,
        Err(error) => {
            if arguments.json && error.is::<Damaged>() {
                let damage = [say::chain(&error)];
                say::report(json!({ "path": input, "damage": damage }))?;
            }
            return Err(error);
        }
    };
    say::report(match arguments.json {
        true => serde_json::to_string_pretty(&as_json(input, &checked))?,
        false => as_text(&checked),
    })?;
    Ok(code(&checked))
}

fn code(checked: &[Checked]) -> u8 {
    let any = |test: fn(&Checked) -> bool| checked.iter().any(test);
    if any(|it| it.findings.is_damaged()) {
        DAMAGED
    } else if any(|it| !it.findings.is_empty()) {
        FINDINGS
    } else {
        0
    }
}

/// Checks an archive, or all that a run has.
fn archives(input: &Path) -> Result<Vec<Checked>> {
    let input = run_of(input);
    let mut anchors = vec![anchor_of(&input)?];
    let corrected = directory::anchor(&directory::corrected(&input));
    if input.join(run_info::FILE).is_file() && corrected.is_file() {
        anchors.push(corrected);
    }
    anchors.iter().map(|anchor| one(anchor)).collect()
}

/// Checks one archive; if it is one and its anchor cannot be read, that is damage.
fn one(anchor: &Path) -> Result<Checked> {
    let progress = Progress::default();
    let what = format!("checking {}", anchor.display());
    let checked = progress::during(&what, Unit::Events, &progress, || {
        check_watched(anchor, &progress)
    });
    match checked {
        Ok(checked) => Ok(checked),
        Err(error) if begins_like_an_archive(anchor) => bail!(Damaged(error.to_string())),
        Err(error) => bail!(error),
    }
}

fn as_text(checked: &[Checked]) -> String {
    let mut lines = Vec::new();
    for it in checked {
        lines.push(format!(
            "{}: {}, {}, {}",
            it.anchor.display(),
            show::counted(it.definitions, "definition"),
            show::counted(it.locations, "location"),
            show::counted(it.events, "event"),
        ));
        let cannot = cannot_open(it);
        if it.findings.is_empty() {
            lines.push(match cannot.is_some() {
                true => "  nothing is against the format".into(),
                false => "  nothing is against the format, nor against what readers expect".into(),
            });
        }
        lines.extend(cannot.map(|why| format!("  {why}")));
        for (rule, finding) in it.findings.iter() {
            lines.extend(told(rule.row(), finding));
        }
    }
    lines.join("\n")
}

/// Says who cannot open an archive though nothing in it is against the format.
fn cannot_open(checked: &Checked) -> Option<String> {
    (checked.between_groups > 0).then(|| {
        format!(
            "PyPI's otf2 (3.2) cannot open it: it defines {}, of which that package reads the fields \
             wrongly; otf2-print can",
            show::counted(checked.between_groups, "intercommunicator")
        )
    })
}

/// Tells what is against one rule.
fn told(row: Row, finding: &Finding) -> Vec<String> {
    let count = show::count(finding.count);
    let mut lines = vec![format!("  {} ({count}): {}", row.id, row.says)];
    lines.push(format!("      {}", asked(&row)));
    let places = finding.places.iter().map(place);
    lines.extend(places.map(|it| format!("      {it}")));
    let more = finding.count - finding.places.len() as u64;
    if more > 0 {
        lines.push(format!("      and {} more", show::count(more)));
    }
    lines
}

/// Says who asks for it.
fn asked(row: &Row) -> String {
    let by = match row.asked_by {
        [] => "asked for by nobody for certain".to_owned(),
        some => format!("asked for by {}", names(some)),
    };
    match row.not_known_of {
        [] => by,
        some => format!("{by}; not known of {}", names(some)),
    }
}

/// Says what `mpiscope repair` does about it.
fn mended(row: &Row) -> String {
    match row.mend {
        Mend::By(how) => format!("mended: {how}"),
        Mend::Not(why) => format!("cannot be mended: {why}"),
    }
}

fn names(readers: &[Reader]) -> String {
    let names: Vec<&str> = readers.iter().map(|reader| reader.name()).collect();
    names.join(", ")
}

/// Says where something is against a rule, and what it is.
pub fn place(place: &Place) -> String {
    let event = place.location.is_some();
    let record = place.record.map(|number| match event {
        true => format!("event {}", show::count(number)),
        false => format!("record {}", show::count(number)),
    });
    let offset = place.offset.map(|offset| format!("byte {offset}"));
    let at: Vec<String> = record.into_iter().chain(offset).collect();
    let at = at.join(", ");
    match (place.file.as_str(), at.as_str()) {
        ("", _) => place.what.clone(),
        (file, "") => format!("{file}: {}", place.what),
        (file, at) => format!("{file}, {at}: {}", place.what),
    }
}

fn as_json(input: &Path, checked: &[Checked]) -> Value {
    let clean = checked.iter().all(|it| it.findings.is_empty());
    let archives: Vec<Value> = checked.iter().map(archive_json).collect();
    json!({ "path": input, "clean": clean, "archives": archives })
}

/// Returns what is told of one archive.
fn archive_json(checked: &Checked) -> Value {
    let findings: Vec<Value> = checked.findings.iter().map(finding_json).collect();
    json!({
        "archive": checked.anchor,
        "definitions": checked.definitions,
        "locations": checked.locations,
        "events": checked.events,
        "cannot_open": cannot_open(checked),
        "findings": findings,
    })
}

fn finding_json((rule, finding): (Rule, &Finding)) -> Value {
    let row = rule.row();
    let places = finding.places.iter().map(place_json);
    let names = |readers: &[Reader]| -> Vec<&str> { readers.iter().map(|it| it.name()).collect() };
    json!({
        "rule": row.id,
        "says": row.says,
        "asked_by": names(row.asked_by),
        "not_known_of": names(row.not_known_of),
        "count": finding.count,
        "places": places.collect::<Vec<Value>>(),
    })
}

/// Returns a place for JSON.
pub fn place_json(place: &Place) -> Value {
    json!({
        "file": Some(&place.file).filter(|file| !file.is_empty()),
        "location": place.location,
        "record": place.record,
        "offset": place.offset,
        "what": place.what,
    })
}

/// Returns the table of rules.
fn rules() -> String {
    let lines = Rule::ALL.iter().flat_map(|rule| {
        let row = rule.row();
        [
            format!("{}: {}", row.id, row.says),
            format!("    {}", asked(&row)),
            format!("    {}", mended(&row)),
        ]
    });
    lines.collect::<Vec<String>>().join("\n")
}
