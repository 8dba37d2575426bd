//! What is around the time lines: the title, the axis, names of rows, and what all of it means.

use crate::drawing::{Anchor, Drawing, Paint, Path};
use crate::font;
use crate::palette::Colour;
use crate::plan::{Plan, EDGE, FOOT, SIZE, TITLE};

/// Distance of the lines of the legend.
const LINE: f32 = 18.0;
/// Width of a sample in it.
const SAMPLE: f32 = 22.0;
/// Distance of its entries.
const GAP: f32 = 18.0;

/// What something looks like.
#[derive(Clone, Copy, Debug)]
pub enum Mark {
    /// An area.
    Area(Paint),
    /// A frame.
    Frame(Colour),
    /// A band, with a line in it.
    Band(Colour),
    /// An arrow.
    Arrow(Colour),
    /// Nothing that is drawn, but said.
    None,
}

/// A line of the legend.
#[derive(Debug)]
pub struct Entry {
    mark: Mark,
    text: String,
}

impl Entry {
    pub fn new(mark: Mark, text: impl Into<String>) -> Entry {
        Entry {
            mark,
            text: text.into(),
        }
    }

    fn width(&self) -> f32 {
        let sample = match self.mark {
            Mark::None => 0.0,
            _ => SAMPLE + 6.0,
        };
        sample + font::width(&self.text, SIZE)
    }
}

/// Draws what lies behind the time lines.
pub fn behind(plan: &Plan, drawing: &mut Drawing) {
    let mut bands = Path::default();
    for lane in &plan.lanes {
        bands.rectangle(plan.left, lane.y, plan.room, lane.height);
    }
    drawing.fill("row", bands, Paint::Plain(plan.palette.band), 1.0);
    let mut grid = Path::default();
    for (time, _) in &plan.axis.ticks {
        let x = plan.x(*time);
        grid.line(&[(x, plan.top), (x, plan.bottom)]);
    }
    drawing.stroke("grid", grid, plan.palette.line, (1.0, 1.0));
}

/// Draws title, axis and names.
pub fn around(plan: &Plan, drawing: &mut Drawing) {
    let palette = plan.palette;
    let (words, quiet) = ((SIZE, palette.text), (SIZE, palette.quiet));
    drawing.text(
        (EDGE, EDGE + TITLE - 2.0),
        Anchor::Start,
        (TITLE, palette.text),
        &plan.title(),
    );
    hosts(plan, drawing);
    // Names that would lie on each other are left out.
    let mut free = f32::MIN;
    for lane in &plan.lanes {
        let y = lane.middle() + SIZE * 0.36;
        if y - SIZE >= free {
            drawing.text((plan.left - 8.0, y), Anchor::End, words, &lane.label);
            free = y;
        }
    }
    let mut axis = Path::default();
    axis.line(&[(plan.left, plan.bottom), (plan.right(), plan.bottom)]);
    let mut free = f32::MIN;
    for (time, number) in &plan.axis.ticks {
        let x = plan.x(*time);
        axis.line(&[(x, plan.bottom), (x, plan.bottom + 4.0)]);
        let half = font::width(number, SIZE) / 2.0;
        if x - half > free {
            let y = plan.bottom + 5.0 + SIZE;
            drawing.text((x, y), Anchor::Middle, quiet, number);
            free = x + half + 4.0;
        }
    }
    drawing.stroke("axis", axis, palette.quiet, (1.0, 1.0));
    let middle = plan.left + plan.room / 2.0;
    let y = plan.bottom + 8.0 + 2.0 * SIZE;
    drawing.text((middle, y), Anchor::Middle, words, &plan.axis.title);
}

/// How far the bracket of a host reaches towards its rows.
const REACH: f32 = 3.0;

/// Names the hosts, above their rows or beside them, and puts a bracket around the rows of each.
fn hosts(plan: &Plan, drawing: &mut Drawing) {
    let quiet = (SIZE, plan.palette.quiet);
    let mut brackets = Path::default();
    // Names that would lie on each other are left out.
    let mut free = f32::MIN;
    for host in &plan.hosts {
        let middle = (host.top + host.bottom) / 2.0;
        let (x, anchor, at) = match host.is_above {
            true => (EDGE - REACH - 2.0, Anchor::Start, (EDGE, host.top - 5.0)),
            false => {
                let at = (plan.beside - 4.0, middle + SIZE * 0.36);
                (plan.beside, Anchor::End, at)
            }
        };
        if at.1 - SIZE >= free {
            drawing.text(at, anchor, quiet, &host.name);
            free = at.1;
        }
        brackets.line(&[
            (x + REACH, host.top),
            (x, host.top),
            (x, host.bottom),
            (x + REACH, host.bottom),
        ]);
    }
    drawing.stroke("host", brackets, plan.palette.quiet, (1.0, 1.0));
}

/// Draws the legend; returns how high all is.
pub fn legend(plan: &Plan, entries: &[Entry], drawing: &mut Drawing) -> f32 {
    let mut x = plan.left;
    let mut y = plan.bottom + FOOT + SIZE;
    for entry in entries {
        let width = entry.width();
        if x > plan.left && x + width > plan.right() {
            (x, y) = (plan.left, y + LINE);
        }
        let words = match entry.mark {
            Mark::None => x,
            _ => {
                sample(plan, entry.mark, (x, y), drawing);
                x + SAMPLE + 6.0
            }
        };
        let colour = plan.palette.text;
        drawing.text((words, y), Anchor::Start, (SIZE, colour), &entry.text);
        x += width + GAP;
    }
    y + EDGE
}

fn sample(plan: &Plan, mark: Mark, (x, y): (f32, f32), drawing: &mut Drawing) {
    let (top, height) = (y - SIZE + 1.0, SIZE);
    let mut path = Path::default();
    match mark {
        Mark::Area(paint) => {
            path.rectangle(x, top, SAMPLE, height);
            if let Paint::Hatch(_) = paint {
                let ground = Paint::Plain(plan.palette.band);
                drawing.fill("legend", path.clone(), ground, 1.0);
            }
            drawing.fill("legend", path, paint, 1.0);
        }
        Mark::Frame(colour) => {
            path.polygon(&[
                (x, top),
                (x + SAMPLE, top),
                (x + SAMPLE, top + height),
                (x, top + height),
            ]);
            drawing.stroke("legend", path, colour, (1.6, 1.0));
        }
        Mark::Band(colour) => {
            let line = x + SAMPLE * 0.7;
            path.rectangle(x, top, SAMPLE, height);
            drawing.fill("legend", path, Paint::Plain(colour), 0.18);
            let mut edges = Path::default();
            edges.line(&[(x, top), (x + SAMPLE, top)]);
            edges.line(&[(x, top + height), (x + SAMPLE, top + height)]);
            edges.line(&[(line, top), (line, top + height)]);
            drawing.stroke("legend", edges, colour, (1.0, 1.0));
        }
        Mark::Arrow(colour) => {
            let ends = [(x, y - 2.0), (x + SAMPLE, top + 1.0)];
            super::overlay::arrow(drawing, "legend", &[ends], colour, (1.0, 1.0));
        }
        Mark::None => {}
    }
}
