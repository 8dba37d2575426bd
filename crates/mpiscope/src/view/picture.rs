//! `mpiscope report --svg FILE --png FILE`: time lines as a picture, without a browser.

use std::path::Path;

use anyhow::{anyhow, ensure, Context, Result};
use mpiscope_picture::{draw, Choice, Theme};
use mpiscope_serve::Shown;

use super::anonymous::Names;
use super::load;
use crate::cli::report::{Picture, Report};
use crate::debug::ranks::Ranks;
use crate::{aside, say, size};

/// How files begin by which earlier pictures are known.
const SVG: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ";
const PNG: &[u8] = b"\x89PNG";

/// Draws what is asked for; returns the command's exit code.
pub fn run(arguments: &Report, names: Names) -> Result<u8> {
    let asked = &arguments.picture;
    let [input] = &arguments.inputs[..] else {
        return Err(anyhow!("a picture is of one run: name one"));
    };
    ensure!(
        asked.from.zip(asked.to).is_none_or(|(from, to)| from < to),
        "--from does not lie before --to: there is nothing to draw between them"
    );
    let places = [(&asked.svg, SVG), (&asked.png, PNG)];
    for (place, begin) in places {
        if let Some(place) = place {
            aside::check_place(place, arguments.force, begin, "picture")?;
        }
    }
    load::refuse(input)?;
    let shown = load::load(input, names, arguments.no_cache)?;
    let drawing = draw(&shown, &choice(asked, &shown)?)?;
    if let Some(place) = &asked.svg {
        write(place, drawing.svg().as_bytes())?;
    }
    if let Some(place) = &asked.png {
        write(place, &drawing.png(asked.scale as f32))?;
    }
    Ok(0)
}

fn write(place: &Path, content: &[u8]) -> Result<()> {
    aside::write(place, content).with_context(|| format!("cannot write {}", place.display()))?;
    let size = size::show(content.len() as u64);
    say::report(format!("{}: {size}", place.display()))
}

/// Returns what the arguments choose of a run.
fn choice(asked: &Picture, shown: &Shown) -> Result<Choice> {
    let rows = shown.run.rows.list.iter();
    let all: Ranks = rows.filter_map(|row| row.rank).collect();
    let ranks = match &asked.rank {
        Some(list) => Some(Ranks::parse(list, &all).map_err(|error| anyhow!("--rank {error}"))?),
        None => None,
    };
    let moment = |seconds: f64| (seconds * 1e9).round() as u64;
    Ok(Choice {
        clock: asked.clock.clone(),
        ranks: ranks.map(|ranks| ranks.iter().collect()),
        from: asked.from.map(moment),
        to: asked.to.map(moment),
        width: asked.width,
        height: asked.height,
        theme: match asked.dark {
            true => Theme::Dark,
            false => Theme::Light,
        },
    })
}
