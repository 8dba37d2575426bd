//! What lies over the time lines: collective operations as bands, the critical path as a frame
//! that goes through them, messages as arrows.

use mpiscope_tiles::messages::{Timed, Told};
use mpiscope_tiles::tile::BINS;
use mpiscope_tiles::{Class, Tile};

use crate::drawing::{Drawing, Paint, Path};
use crate::frame::{Entry, Mark};
use crate::palette::Colour;
use crate::plan::{Lane, Plan};

/// Bands that are narrower would hide what is below.
const LEAST_BAND: f32 = 6.0;
/// Arrows that are drawn, at most.
const MOST_ARROWS: usize = 3_000;
/// How far arrows between the same rows are apart, at least: what is closer is a blot.
const APART: f32 = 4.0;
/// So many arrows are drawn in full; more are fainter, that what is below can be seen.
const PLAIN: usize = 400;
/// So many have no heads.
const HEADLESS: usize = 1_000;
/// Pieces of the critical path that are narrower than their frame are underlined.
const LEAST_FRAME: f32 = 3.0;
/// Tiles that a window is looked at in, at most.
const MOST_TILES: u64 = 8;

/// The ends of a line.
type Ends = [(f32, f32); 2];

/// Draws all of it; returns what there is to explain.
pub fn draw(plan: &Plan, drawing: &mut Drawing) -> Vec<Entry> {
    let mut legend = Vec::new();
    legend.extend(collectives(plan, drawing));
    legend.extend(path(plan, drawing));
    legend.extend(messages(plan, drawing));
    legend
}

fn collectives(plan: &Plan, drawing: &mut Drawing) -> Option<Entry> {
    let colour = plan.palette.of(Class::Collective);
    let (mut bands, mut edges) = (Path::default(), Path::default());
    let (numbers, _) = plan.clock.collectives(plan.from..plan.to);
    for number in numbers {
        let when = plan.clock.moments(number);
        let left = plan.x_within(when.first_enter);
        let right = plan.x_within(when.last_leave);
        let members = plan.clock.members(number).unwrap_or_default();
        let lanes: Vec<&Lane> = members.iter().filter_map(|it| plan.lane(it.0)).collect();
        if right - left < LEAST_BAND || lanes.len() < 2 {
            continue;
        }
        // MPI_Init and the like synchronize too, and are no operation of the program's.
        let is_operation = members.iter().any(|(row, enter, leave)| {
            let done = plan.clock.done(*row, *enter, *leave);
            done.of(Class::Collective) > 0
        });
        if !is_operation {
            continue;
        }
        let top = lanes.iter().map(|lane| lane.y).fold(f32::MAX, f32::min);
        let foot = lanes.iter().map(|lane| lane.y + lane.height);
        let foot = foot.fold(f32::MIN, f32::max);
        bands.rectangle(left, top, right - left, foot - top);
        edges.line(&[(left, top), (right, top)]);
        edges.line(&[(left, foot), (right, foot)]);
        if (plan.from..=plan.to).contains(&when.last_enter) {
            let last = plan.x(when.last_enter);
            edges.line(&[(last, top), (last, foot)]);
        }
    }
    if bands.is_empty() {
        return None;
    }
    drawing.fill("collective_operation", bands, Paint::Plain(colour), 0.12);
    drawing.stroke("collective_operation", edges, colour, (1.0, 0.9));
    let text = "Collective operation, line: last to come";
    Some(Entry::new(Mark::Band(colour), text))
}

/// A piece of the critical path: its row, when it begins and ends.
struct Segment {
    row: u32,
    from: u64,
    to: u64,
}

fn path(plan: &Plan, drawing: &mut Drawing) -> Option<Entry> {
    // By another clock the path may be another.
    if !plan.is_best {
        return None;
    }
    let segments = segments(plan);
    let mut frames = Path::default();
    let mut last: Option<(u32, &Lane)> = None;
    let mut crossed = f32::MIN;
    for segment in &segments {
        let Some(lane) = plan.lane(segment.row) else {
            last = None;
            continue;
        };
        let (left, right) = (plan.x_within(segment.from), plan.x_within(segment.to));
        let before = last.filter(|(row, _)| *row != segment.row);
        if let Some((_, before)) = before.filter(|_| left - crossed >= LEAST_FRAME) {
            let (from, to) = match before.y < lane.y {
                true => (before.y + before.height, lane.y),
                false => (before.y, lane.y + lane.height),
            };
            frames.line(&[(left, from), (left, to)]);
            crossed = left;
        }
        last = Some((segment.row, lane));
        let (width, foot) = ((right - left).max(0.5), lane.y + lane.height);
        match width >= LEAST_FRAME {
            true => frames.rectangle(left, lane.y, width, lane.height),
            false => frames.line(&[(left, foot), (left + width, foot)]),
        }
    }
    if frames.is_empty() {
        return None;
    }
    let colour = plan.palette.path;
    drawing.stroke("critical_path", frames, colour, (1.6, 1.0));
    Some(Entry::new(Mark::Frame(colour), "Critical path"))
}

/// Returns the pieces of the critical path that lie in the window, by time.
fn segments(plan: &Plan) -> Vec<Segment> {
    let run = plan.clock.run;
    let time = |event| plan.clock.recorded(event);
    let found = &plan.shown.found;
    let steps = found.list.iter().filter_map(|it| {
        let [first, last] = &it.places[..] else {
            return None;
        };
        (first.role == "step").then(|| Segment {
            row: run.rows.of_location[first.event.location.index()],
            from: time(first.event),
            to: time(last.event),
        })
    });
    let mut segments: Vec<Segment> = steps.collect();
    segments.sort_by_key(|it| (it.from, it.to));
    // A piece begins where the one before ends, which may be before its first event; some of very
    // many are not listed.
    let kind = found.kinds.iter().find(|it| it.name == "critical_path");
    if kind.is_some_and(|it| it.count == segments.len() as u64) {
        for at in 1..segments.len() {
            let end = segments[at - 1].to;
            segments[at].from = segments[at].from.min(end.max(segments[at - 1].from));
        }
    }
    segments.retain(|it| it.from < plan.to && it.to > plan.from);
    segments
}

fn messages(plan: &Plan, drawing: &mut Drawing) -> Vec<Entry> {
    let messages = match found(plan) {
        Found::Each(messages) => messages,
        Found::TooMany(count) => {
            let text = format!("{} messages, too many to be drawn", grouped(count));
            return vec![Entry::new(Mark::None, text)];
        }
    };
    let mut plain: Vec<Ends> = Vec::new();
    let mut reversed: Vec<Ends> = Vec::new();
    for Timed {
        message,
        sent,
        received,
    } in messages
    {
        let row = |location: mpiscope_model::LocationIndex| {
            plan.clock.run.rows.of_location[location.index()]
        };
        let (from, to) = (row(message.send.location), row(message.receive.location));
        let (Some(from), Some(to)) = (plan.lane(from), plan.lane(to)) else {
            continue;
        };
        let line = [
            (plan.x(sent), from.middle()),
            (plan.x(received), to.middle()),
        ];
        let line = within(line, plan.left, plan.right());
        let list = match received < sent {
            true => &mut reversed,
            false => &mut plain,
        };
        if message.send.location != message.receive.location {
            list.extend(line);
        }
    }
    let mut legend = Vec::new();
    let kinds = [
        (plain, "message", plan.palette.arrow, (0.8, 0.75), "Message"),
        (
            reversed,
            "reversed_message",
            plan.palette.reversed,
            (1.2, 1.0),
            "Received before sent",
        ),
    ];
    for (lines, what, colour, look, name) in kinds {
        let count = lines.len();
        if count == 0 {
            continue;
        }
        let lines = apart(lines);
        let every = lines.len().div_ceil(MOST_ARROWS);
        let drawn: Vec<Ends> = lines.iter().step_by(every).copied().collect();
        let fade = (PLAIN as f32 / drawn.len() as f32).clamp(0.25, 1.0);
        arrow(drawing, what, &drawn, colour, (look.0, look.1 * fade));
        let text = match drawn.len() == count {
            true => format!("{name} ({})", grouped(count as u64)),
            false => format!(
                "{name} ({} of {} drawn)",
                grouped(drawn.len() as u64),
                grouped(count as u64)
            ),
        };
        legend.push(Entry::new(Mark::Arrow(colour), text));
    }
    legend
}

/// The messages of a window.
enum Found {
    Each(Vec<Timed>),
    TooMany(u64),
}

/// Looks for the messages of the window, in as few tiles as hold it closely.
fn found(plan: &Plan) -> Found {
    let clock = plan.clock;
    let width = |level: u32| 2 * level + BINS.ilog2();
    let tiles = |level: u32| plan.from >> width(level)..=(plan.to - 1) >> width(level);
    let level = (0..clock.levels()).find(|level| {
        let tiles = tiles(*level);
        tiles.end() - tiles.start() < MOST_TILES
    });
    let Some(level) = level else {
        return Found::Each(Vec::new());
    };
    let (mut each, mut many) = (Vec::new(), 0);
    let tiles = tiles(level).filter_map(|index| -> Option<Tile> { clock.tile(level, index) });
    for tile in tiles {
        match clock.messages(tile) {
            Told::Each(messages) => each.extend(messages),
            Told::Pairs { pairs, .. } => many += pairs.iter().map(|(_, it)| it.count).sum::<u64>(),
        }
    }
    each.sort_unstable_by_key(|it| it.message);
    each.dedup_by_key(|it| it.message);
    each.retain(|it| {
        let (begin, end) = it.interval();
        begin < plan.to && end > plan.from
    });
    match many {
        0 => Found::Each(each),
        _ => Found::TooMany(many + each.len() as u64),
    }
}

/// Cuts a line at both sides of the room; nothing if it is outside.
fn within([from, to]: Ends, left: f32, right: f32) -> Option<Ends> {
    let (low, high) = (from.0.min(to.0), from.0.max(to.0));
    if high < left || low > right {
        return None;
    }
    let cut = |(x, y): (f32, f32)| {
        let within = x.clamp(left, right);
        let length = to.0 - from.0;
        if within == x || length == 0.0 {
            return (within, y);
        }
        let part = (within - from.0) / length;
        (within, from.1 + part * (to.1 - from.1))
    };
    Some([cut(from), cut(to)])
}

/// Leaves out lines that lie close to others between the same rows.
fn apart(mut lines: Vec<Ends>) -> Vec<Ends> {
    let rows = |line: &Ends| line.map(|(_, y)| (y * 4.0).round() as i64);
    lines.sort_by(|a, b| {
        let begins = a[0].0.total_cmp(&b[0].0).then(a[1].0.total_cmp(&b[1].0));
        rows(a).cmp(&rows(b)).then(begins)
    });
    let mut kept: Vec<Ends> = Vec::new();
    for line in lines {
        let is_close = kept.last().is_some_and(|last| {
            let close = |end: usize| (line[end].0 - last[end].0).abs() < APART;
            rows(last) == rows(&line) && close(0) && close(1)
        });
        if !is_close {
            kept.push(line);
        }
    }
    kept
}

/// Draws lines with heads at their ends.
pub fn arrow(
    drawing: &mut Drawing,
    what: &'static str,
    lines: &[Ends],
    colour: Colour,
    (width, opacity): (f32, f32),
) {
    let (mut shafts, mut heads) = (Path::default(), Path::default());
    for [from, to] in lines {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        if length < 0.5 {
            continue;
        }
        let (ux, uy) = (dx / length, dy / length);
        let head = match lines.len() > HEADLESS {
            true => 0.0,
            false => (3.5 + width).min(length),
        };
        let base = (to.0 - ux * head, to.1 - uy * head);
        let half = head * 0.36;
        shafts.line(&[*from, base]);
        if head > 0.0 {
            heads.polygon(&[
                *to,
                (base.0 - uy * half, base.1 + ux * half),
                (base.0 + uy * half, base.1 - ux * half),
            ]);
        }
    }
    drawing.stroke(what, shafts, colour, (width, opacity));
    drawing.fill(what, heads, Paint::Plain(colour), opacity);
}

/// Writes `12,345`.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_sides_of_the_room() {
        let cut = within([(0.0, 0.0), (10.0, 10.0)], 2.0, 5.0);
        assert_eq!(cut, Some([(2.0, 2.0), (5.0, 5.0)]));
        assert_eq!(within([(0.0, 0.0), (1.0, 9.0)], 2.0, 5.0), None);
        let down = [(3.0, 0.0), (3.0, 9.0)];
        assert_eq!(within(down, 2.0, 5.0), Some(down));
    }

    #[test]
    fn lines_that_would_be_a_blot_are_left_out() {
        let line = |x: f32, y: f32| [(x, 10.0), (x + 1.0, y)];
        let kept = apart(vec![
            line(0.0, 30.0),
            line(3.0, 30.0),
            line(5.0, 30.0),
            line(3.0, 50.0),
        ]);
        assert_eq!(kept, [line(0.0, 30.0), line(5.0, 30.0), line(3.0, 50.0)]);
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!(
            [0, 999, 1000, 1234567].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
