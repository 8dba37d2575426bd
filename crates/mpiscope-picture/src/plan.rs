//! Where everything of a picture lies: rows from top to bottom, moments from left to right.

use std::collections::HashMap;

use mpiscope_serve::Shown;
use mpiscope_tiles::{Clocked, RowKind};

use crate::axis::{exact, rounded, Axis};
use crate::choice::{Choice, Error, Theme};
use crate::font;
use crate::palette::{Palette, DARK, LIGHT};

/// Size of most words.
pub const SIZE: f32 = 11.0;
/// Size of the title.
pub const TITLE: f32 = 13.0;
/// Free room around all.
pub const EDGE: f32 = 10.0;
/// Room for the title.
const HEAD: f32 = 30.0;
/// Room for the axis.
pub const FOOT: f32 = 38.0;
/// Room for the name of a host above its rows.
const HOST: f32 = 16.0;
/// Room between the names of hosts beside their rows and those of the rows.
const BESIDE: f32 = 12.0;
/// The least distance of two rows at which both can be told apart.
const LEAST: f32 = 3.0;
/// The least room for time lines.
const LEAST_WIDTH: f32 = 100.0;
/// Room that a mark of the axis has.
const MARK: f32 = 90.0;

/// A row's place.
#[derive(Debug)]
pub struct Lane {
    /// Its number in the run.
    pub row: u32,
    /// Its name.
    pub label: String,
    /// Its upper edge.
    pub y: f32,
    /// How high its states are.
    pub height: f32,
}

impl Lane {
    pub fn middle(&self) -> f32 {
        self.y + self.height / 2.0
    }
}

/// A host's place: its name, and its rows.
#[derive(Debug)]
pub struct Host {
    pub name: String,
    /// Whether the name stands above the rows; else it stands beside them.
    pub is_above: bool,
    /// The upper edge of the first row and the lower edge of the last.
    pub top: f32,
    pub bottom: f32,
}

/// Where names of hosts stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hosts {
    /// There is one, or none is known.
    None,
    /// Above the rows of each, of which there are several.
    Above,
    /// Beside them.
    Beside,
}

impl Hosts {
    fn of(clock: &Clocked, rows: &[u32]) -> Hosts {
        let all = &clock.run.rows;
        let mut hosts: Vec<u32> = rows.iter().map(|row| all.host[*row as usize]).collect();
        hosts.dedup();
        let is_host = |it: &u32| all.list[*it as usize].kind == RowKind::Host;
        match hosts.len() {
            many if many < 2 || !hosts.iter().all(is_host) => Hosts::None,
            many if 2 * many <= rows.len() => Hosts::Above,
            _ => Hosts::Beside,
        }
    }
}

/// The places of a picture.
pub struct Plan<'a> {
    pub shown: &'a Shown,
    pub clock: Clocked<'a>,
    /// Whether it is the clock by which findings were found.
    pub is_best: bool,
    pub palette: &'static Palette,
    pub from: u64,
    pub to: u64,
    pub lanes: Vec<Lane>,
    of_row: HashMap<u32, usize>,
    /// The hosts, if there are several.
    pub hosts: Vec<Host>,
    /// Where their brackets stand, if those are beside the rows.
    pub beside: f32,
    pub width: f32,
    /// Where time lines begin and how wide they are.
    pub left: f32,
    pub room: f32,
    /// Where the first row begins and the last one ends.
    pub top: f32,
    pub bottom: f32,
    pub axis: Axis,
}

impl<'a> Plan<'a> {
    pub fn new(shown: &'a Shown, choice: &Choice) -> Result<Plan<'a>, Error> {
        let clock = clock(shown, choice)?;
        let (from, to) = window(&clock, choice)?;
        let rows = rows(&clock, choice)?;
        let labels: Vec<String> = rows.iter().map(|row| label(&clock, *row)).collect();
        let hosts = Hosts::of(&clock, &rows);
        let beside = match hosts {
            Hosts::Beside => widest(rows.iter().map(|row| host_of(&clock, *row))) + BESIDE,
            _ => 0.0,
        };
        let left = EDGE + beside + widest(labels.iter().map(String::as_str)) + 8.0;
        let width = choice.width as f32;
        let room = width - left - EDGE - 6.0;
        if room < LEAST_WIDTH {
            return Err(Error::Narrow(choice.width));
        }
        let best = shown.run.clocks().next();
        let mut plan = Plan {
            shown,
            is_best: best.is_some_and(|best| best.view.name == clock.view.name),
            clock,
            palette: match choice.theme {
                Theme::Light => &LIGHT,
                Theme::Dark => &DARK,
            },
            from,
            to,
            of_row: rows.iter().copied().zip(0..).collect(),
            lanes: Vec::new(),
            hosts: Vec::new(),
            beside: EDGE + beside - 8.0,
            width,
            left,
            room,
            top: HEAD,
            bottom: HEAD,
            axis: Axis::new(from, to, (room / MARK) as usize),
        };
        plan.stack(rows, labels, hosts, choice.height)?;
        Ok(plan)
    }

    /// Gives each row its place, and each host.
    fn stack(
        &mut self,
        rows: Vec<u32>,
        labels: Vec<String>,
        hosts: Hosts,
        height: Option<u32>,
    ) -> Result<(), Error> {
        let of_row = &self.clock.run.rows.host;
        let is_first = |at: usize| {
            let host = |at: usize| of_row[rows[at] as usize];
            hosts != Hosts::None && (at == 0 || host(at) != host(at - 1))
        };
        let many = (0..rows.len()).filter(|at| is_first(*at)).count();
        let head = match hosts {
            Hosts::Above => HOST,
            _ => 0.0,
        };
        let heads = many as f32 * head;
        let count = rows.len() as f32;
        let distance = match height {
            Some(height) => (height as f32 - HEAD - FOOT - heads) / count,
            None => (900.0 / count).clamp(LEAST, 24.0),
        };
        if distance < LEAST {
            return Err(Error::TooMany {
                rows: rows.len(),
                height: height.unwrap_or_default(),
                least: (HEAD + FOOT + heads + LEAST * count).ceil() as u32,
            });
        }
        let mut y = HEAD;
        for (at, label) in labels.into_iter().enumerate() {
            if is_first(at) {
                y += head;
                self.hosts.push(Host {
                    name: host_of(&self.clock, rows[at]).to_owned(),
                    is_above: hosts == Hosts::Above,
                    top: y,
                    bottom: y,
                });
            }
            let height = distance * 0.82;
            self.lanes.push(Lane {
                row: rows[at],
                label,
                y,
                height,
            });
            if let Some(host) = self.hosts.last_mut() {
                host.bottom = y + height;
            }
            y += distance;
        }
        self.bottom = y;
        Ok(())
    }

    /// Returns where a moment lies; outside of the room if it is outside of the window.
    pub fn x(&self, time: u64) -> f32 {
        let since = time as f64 - self.from as f64;
        let part = since / (self.to - self.from) as f64;
        (f64::from(self.left) + part * f64::from(self.room)) as f32
    }

    /// Returns where a moment lies, or the edge beside which it does.
    pub fn x_within(&self, time: u64) -> f32 {
        self.x(time.clamp(self.from, self.to))
    }

    /// Returns where the room ends.
    pub fn right(&self) -> f32 {
        self.left + self.room
    }

    /// Returns the place of a row, if it is drawn.
    pub fn lane(&self, row: u32) -> Option<&Lane> {
        self.lanes.get(*self.of_row.get(&row)?)
    }

    pub fn title(&self) -> String {
        let name = &self.shown.about.name;
        let clock = &self.clock.view.name;
        let (from, to) = (exact(self.from), exact(self.to));
        match self.to - self.from == self.clock.length() {
            true => format!("{name} · {clock} time · all of {}", rounded(self.to)),
            false => format!("{name} · {clock} time · {from} to {to}"),
        }
    }

    pub fn description(&self) -> String {
        format!(
            "Time lines of {} ranks and threads, from {} to {} after the start of the run: what \
             each does and when it waits, collective operations and messages.",
            self.lanes.len(),
            exact(self.from),
            exact(self.to),
        )
    }
}

fn widest<'a>(words: impl Iterator<Item = &'a str>) -> f32 {
    words.map(|it| font::width(it, SIZE)).fold(0.0, f32::max)
}

/// Returns the name of the host that a row is on.
fn host_of<'a>(clock: &Clocked<'a>, row: u32) -> &'a str {
    let rows = &clock.run.rows;
    &rows.list[rows.host[row as usize] as usize].name
}

fn clock<'a>(shown: &'a Shown, choice: &Choice) -> Result<Clocked<'a>, Error> {
    let found = match &choice.clock {
        None => shown.run.clocks().next(),
        Some(name) => shown.run.clock(name),
    };
    found.ok_or_else(|| match &choice.clock {
        None => Error::Nothing,
        Some(wanted) => Error::Clock {
            wanted: wanted.clone(),
            there: shown.run.clocks().map(|it| it.view.name.clone()).collect(),
        },
    })
}

fn window(clock: &Clocked, choice: &Choice) -> Result<(u64, u64), Error> {
    let length = clock.length();
    if length == 0 {
        return Err(Error::Nothing);
    }
    let from = choice.from.unwrap_or(0);
    let to = choice.to.unwrap_or(length).min(length);
    if from >= length {
        return Err(Error::Behind(exact(length)));
    }
    match from < to {
        true => Ok((from, to)),
        false => Err(Error::Empty),
    }
}

/// Returns the rows that have events of their own, of the ranks that were chosen.
fn rows(clock: &Clocked, choice: &Choice) -> Result<Vec<u32>, Error> {
    let is_chosen = |rank: u32| {
        let ranks = choice.ranks.as_ref();
        ranks.is_none_or(|ranks| ranks.binary_search(&rank).is_ok())
    };
    let is_shown = |number: &u32| {
        let row = &clock.run.rows.list[*number as usize];
        row.location.is_some() && row.kind != RowKind::Metric && row.rank.is_some_and(is_chosen)
    };
    let mut rows = clock.run.rows.unfolded();
    rows.retain(is_shown);
    match rows.is_empty() {
        true => Err(Error::NoRows),
        false => Ok(rows),
    }
}

fn label(clock: &Clocked, row: u32) -> String {
    let row = &clock.run.rows.list[row as usize];
    match (row.kind, row.rank) {
        (RowKind::Process, _) | (_, None) => row.name.clone(),
        (_, Some(rank)) => format!("rank {rank}, {}", row.name),
    }
}
