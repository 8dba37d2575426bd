//! What each row does: areas of the classes of states, and a hatch where it waits.
//!
//! The room is cut into columns, of each of which it is known exactly how long what was done. Where
//! one class fills columns side by side they become one rectangle, whose ends lie where the
//! neighbouring columns say; a short call between two others is as wide as it lasted. Where several
//! classes fill columns side by side, calls are shorter than the picture can show, and each has its
//! share of the height, as on the page. So a picture has no more shapes than it has columns,
//! whatever the length of the window.

use mpiscope_tiles::class::CLASSES;
use mpiscope_tiles::{Class, Done};
use rayon::prelude::*;

use crate::drawing::{Drawing, Paint, Path, Step};
use crate::frame::{Entry, Mark};
use crate::plan::{Lane, Plan};

/// Width of a column.
const COLUMN: f32 = 0.5;
/// What is less of a column than this is not seen.
const LEAST: f64 = 0.004;
/// Heights of shares are rounded to this.
const STEP: f32 = 0.25;

/// The order in which shares of a column lie on each other, the lowest first.
const ORDER: [Class; 8] = [
    Class::Computation,
    Class::Parallel,
    Class::Io,
    Class::Management,
    Class::OneSided,
    Class::Collective,
    Class::PointToPoint,
    Class::Unrecorded,
];

/// Areas of all rows.
#[derive(Default)]
struct Areas {
    classes: [Path; CLASSES],
    waiting: Path,
}

/// Draws all rows; returns what there is to explain.
pub fn draw(plan: &Plan, drawing: &mut Drawing) -> Vec<Entry> {
    let columns = Columns::of(plan);
    let rows: Vec<Vec<Part>> = plan
        .lanes
        .par_iter()
        .map(|lane| columns.parts(plan, lane.row))
        .collect();
    let mut areas = Areas::default();
    for (lane, parts) in plan.lanes.iter().zip(&rows) {
        areas.row(&columns, lane, parts);
    }
    let mut legend = Vec::new();
    // What lies lowest is painted last: each area goes down to the foot of its row.
    for class in ORDER.into_iter().rev() {
        let path = std::mem::take(&mut areas.classes[class.index()]);
        if path.is_empty() {
            continue;
        }
        let colour = plan.palette.of(class);
        legend.push(Entry::new(Mark::Area(Paint::Plain(colour)), class.label()));
        let is_off = class == Class::Unrecorded;
        let stripes = is_off.then(|| path.clone());
        drawing.fill(class.name(), path, Paint::Plain(colour), 1.0);
        let stripes = stripes.unwrap_or_default();
        drawing.fill(
            class.name(),
            stripes,
            Paint::Hatch(plan.palette.stripe),
            1.0,
        );
    }
    legend.reverse();
    if !areas.waiting.is_empty() {
        let hatch = Paint::Hatch(plan.palette.waiting);
        legend.push(Entry::new(Mark::Area(hatch), "Waiting for others"));
        drawing.fill("waiting", areas.waiting, hatch, 1.0);
    }
    legend
}

/// The columns of a picture.
struct Columns {
    /// Moments, one more than there are columns.
    edges: Vec<u64>,
    /// Where they lie.
    x: Vec<f32>,
}

/// What fills a column.
#[derive(Clone, Copy, Debug)]
struct Part {
    shares: [f64; CLASSES],
    waiting: f64,
}

impl Part {
    fn of(done: &Done) -> Part {
        let all = (done.all() as f64).max(1.0);
        let mut shares = [0.0; CLASSES];
        for (share, ns) in shares.iter_mut().zip(done.classes()) {
            *share = *ns as f64 / all;
        }
        Part {
            shares,
            waiting: done.waiting() as f64 / all,
        }
    }

    /// Returns the class that fills it, if it is one.
    fn only(&self) -> Option<Class> {
        let mut classes = Class::ALL.into_iter();
        classes.find(|class| self.of_class(*class) >= 1.0 - LEAST)
    }

    fn of_class(&self, class: Class) -> f64 {
        self.shares[class.index()]
    }
}

impl Columns {
    fn of(plan: &Plan) -> Columns {
        let length = u128::from(plan.to - plan.from);
        let count = ((plan.room / COLUMN) as u128).min(length).max(1);
        let edge = |at: u128| plan.from + (length * at / count) as u64;
        let edges: Vec<u64> = (0..=count).map(edge).collect();
        let x = edges.iter().map(|edge| plan.x(*edge)).collect();
        Columns { edges, x }
    }

    fn len(&self) -> usize {
        self.edges.len() - 1
    }

    fn parts(&self, plan: &Plan, row: u32) -> Vec<Part> {
        let ends = self.edges.windows(2);
        let done = ends.map(|ends| plan.clock.done(row, ends[0], ends[1]));
        done.map(|done| Part::of(&done)).collect()
    }

    /// Returns the place of a part of a column, from 0 to 1.
    fn within(&self, column: usize, part: f64) -> f32 {
        let (left, right) = (self.x[column], self.x[column + 1]);
        left + (right - left) * part as f32
    }
}

impl Areas {
    fn row(&mut self, columns: &Columns, lane: &Lane, parts: &[Part]) {
        let only: Vec<Option<Class>> = parts.iter().map(Part::only).collect();
        // Columns of several classes that stand by themselves are cut from left to right.
        let is_dense = |at: usize| {
            let mixed = |at: Option<usize>| at.is_some_and(|at| only.get(at) == Some(&None));
            mixed(Some(at)) && (mixed(at.checked_sub(1)) || mixed(Some(at + 1)))
        };
        let mut line = Line::default();
        let mut at = 0;
        while at < columns.len() {
            let dense = (at..columns.len()).take_while(|at| is_dense(*at)).count();
            if dense > 0 {
                line.end(self, lane);
                self.stack(columns, lane, at, &parts[at..at + dense]);
                at += dense;
                continue;
            }
            match only[at] {
                Some(class) => line.go_on(self, lane, class, columns.x[at], columns.x[at + 1]),
                None => {
                    let before = at.checked_sub(1).and_then(|it| only[it]);
                    let after = only.get(at + 1).copied().flatten();
                    let mut from = 0.0;
                    for (class, share) in in_turn(&parts[at], before, after) {
                        let x = [from, from + share].map(|it| columns.within(at, it));
                        line.go_on(self, lane, class, x[0], x[1]);
                        from += share;
                    }
                }
            }
            at += 1;
        }
        line.end(self, lane);
        self.waits(columns, lane, parts, &is_dense);
    }

    /// Gives each class its share of the height, in columns side by side.
    fn stack(&mut self, columns: &Columns, lane: &Lane, first: usize, parts: &[Part]) {
        let foot = lane.y + lane.height;
        for (number, class) in ORDER.into_iter().enumerate() {
            let below = &ORDER[..=number];
            let height = |part: &Part| -> Option<f32> {
                let sum: f64 = below.iter().map(|class| part.of_class(*class)).sum();
                let height = (sum as f32 * lane.height / STEP).round() * STEP;
                (part.of_class(class) > LEAST).then_some(height.min(lane.height))
            };
            let heights = parts.iter().map(height);
            steps(
                &mut self.classes[class.index()],
                columns,
                first,
                heights,
                foot,
                -1.0,
            );
        }
    }

    /// Adds where a row waits.
    fn waits(
        &mut self,
        columns: &Columns,
        lane: &Lane,
        parts: &[Part],
        is_dense: &impl Fn(usize) -> bool,
    ) {
        let share =
            |at: Option<usize>| at.and_then(|at| parts.get(at)).map_or(0.0, |it| it.waiting);
        let mut open: Option<[f32; 2]> = None;
        let mut at = 0;
        while at < parts.len() {
            let dense = (at..parts.len()).take_while(|at| is_dense(*at)).count();
            if dense > 0 {
                close(&mut open, &mut self.waiting, lane);
                let heights = parts[at..at + dense].iter().map(|part| {
                    let height = (part.waiting as f32 * lane.height / STEP).round() * STEP;
                    (part.waiting > LEAST).then_some(height.min(lane.height))
                });
                steps(&mut self.waiting, columns, at, heights, lane.y, 1.0);
                at += dense;
                continue;
            }
            let waiting = parts[at].waiting.min(1.0);
            if waiting > LEAST {
                let before = share(at.checked_sub(1)) > 0.5;
                let after = share(Some(at + 1)) > 0.5;
                let from = match (before, after) {
                    (true, _) => 0.0,
                    (false, true) => 1.0 - waiting,
                    (false, false) => (1.0 - waiting) / 2.0,
                };
                let x = [from, from + waiting].map(|it| columns.within(at, it));
                match &mut open {
                    Some(stretch) if x[0] - stretch[1] < COLUMN / 100.0 => stretch[1] = x[1],
                    _ => {
                        close(&mut open, &mut self.waiting, lane);
                        open = Some(x);
                    }
                }
            }
            at += 1;
        }
        close(&mut open, &mut self.waiting, lane);
    }
}

/// Returns the shares of a column from left to right, so that what its neighbours do stands beside
/// them.
fn in_turn(part: &Part, before: Option<Class>, after: Option<Class>) -> Vec<(Class, f64)> {
    let there = Class::ALL
        .into_iter()
        .map(|class| (class, part.of_class(class)));
    let mut there: Vec<(Class, f64)> = there.filter(|(_, share)| *share > LEAST).collect();
    let is_between = before.is_some() && before == after;
    let place = |class: Class| match (Some(class) == before, Some(class) == after) {
        (true, _) => 0,
        (_, true) => 2,
        _ => 1,
    };
    there.sort_by_key(|(class, _)| place(*class));
    // A short call between two parts of the same.
    let first = there.first().copied().filter(|_| is_between);
    if let Some((class, share)) = first.filter(|(class, _)| Some(*class) == before) {
        there[0].1 = share / 2.0;
        there.push((class, share / 2.0));
    }
    there
}

/// A rectangle that may go on.
#[derive(Default)]
struct Line(Option<(Class, f32, f32)>);

impl Line {
    fn go_on(&mut self, areas: &mut Areas, lane: &Lane, class: Class, from: f32, to: f32) {
        match &mut self.0 {
            Some((same, _, end)) if *same == class => *end = to,
            _ => {
                self.end(areas, lane);
                self.0 = Some((class, from, to));
            }
        }
    }

    fn end(&mut self, areas: &mut Areas, lane: &Lane) {
        if let Some((class, from, to)) = self.0.take() {
            let path = &mut areas.classes[class.index()];
            path.rectangle(from, lane.y, to - from, lane.height);
        }
    }
}

fn close(open: &mut Option<[f32; 2]>, path: &mut Path, lane: &Lane) {
    if let Some([from, to]) = open.take() {
        path.rectangle(from, lane.y, to - from, lane.height);
    }
}

/// Adds areas that rise from a line by steps; nothing where there is no height.
fn steps(
    path: &mut Path,
    columns: &Columns,
    first: usize,
    heights: impl Iterator<Item = Option<f32>>,
    foot: f32,
    up: f32,
) {
    let mut last: Option<f32> = None;
    let mut end = first;
    for (height, at) in heights.zip(first..) {
        let x = columns.x[at];
        match (last, height) {
            (None, Some(height)) => path.line(&[(x, foot), (x, foot + up * height)]),
            (Some(before), Some(height)) if before != height => path.0.extend([
                Step::Line(x, foot + up * before),
                Step::Line(x, foot + up * height),
            ]),
            (Some(before), None) => descend(path, x, foot, up * before),
            _ => {}
        }
        (last, end) = (height, at + 1);
    }
    if let Some(before) = last {
        descend(path, columns.x[end], foot, up * before);
    }
}

fn descend(path: &mut Path, x: f32, foot: f32, height: f32) {
    path.0.extend([
        Step::Line(x, foot + height),
        Step::Line(x, foot),
        Step::Close,
    ]);
}
