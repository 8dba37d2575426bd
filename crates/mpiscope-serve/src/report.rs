//! The page in one file: with answers in it in place of a server that gives them.
//!
//! What the file holds is chosen by its size. First comes what the page begins with: what the runs
//! are, findings, numbers of the whole. Then tiles, from the whole run downwards; where a tile has
//! all calls (or messages, or operations) of its window, none below it is needed. Half of the room
//! goes to levels of the whole, then what is around the weightiest findings goes before the rest.

mod file;

use std::collections::{BTreeMap, VecDeque};

use mpiscope_tiles::tile::{BINS, ROWS};
use rayon::prelude::*;
use serde_json::{json, Value};

use crate::answer::{answer, Answer};
use crate::question::Question;
use crate::site::Site;

/// Findings that a report lists, of each run.
const FINDINGS: usize = 2000;
/// Findings whose calls it describes in full.
const DESCRIBED: usize = 300;
/// Findings around which it holds all detail, as far as there is room.
const AROUND: usize = 200;
/// Tiles across the whole run whose shares the overview needs.
const OVERVIEW: u64 = 8;
/// Places whose tiles are made at a time.
const AT_A_TIME: usize = 64;
/// Events whose times are asked for at once.
const AT_ONCE: usize = 1000;

/// A report, and what it holds.
pub struct Report {
    /// The file.
    pub html: Vec<u8>,
    /// Tiles in it.
    pub tiles: usize,
    /// Everything that the page can show is in it: zooming in ends at single calls everywhere.
    pub is_whole: bool,
}

/// Makes the page in one file of `most` bytes at most; what it begins with is never left out, so
/// that a file of less is as large as that. Nothing if this program was built without its page.
pub fn report(site: &Site, most: u64) -> Option<Report> {
    let page = file::with_answers(&BTreeMap::new())?.len() as i64;
    let mut held = Held {
        site,
        answers: BTreeMap::new(),
        room: i64::try_from(most).unwrap_or(i64::MAX).saturating_sub(page),
        tiles: 0,
    };
    let mut meta = held.ask("meta").value();
    let runs: Vec<Shape> = shapes(&meta);
    for run in &runs {
        let cut = held.keep_what_is_found(run);
        if let (Some(cut), Some(notes)) = (cut, meta["runs"][run.run]["notes"].as_array_mut()) {
            notes.push(cut.into());
        }
    }
    held.keep("meta", meta.to_string().as_bytes());
    let mut walk = Walk::of(&runs);
    let half = held.room / 2;
    walk.down(&mut held, half);
    for run in &runs {
        held.keep_around_findings(run);
    }
    walk.down(&mut held, 0);
    Some(Report {
        html: file::with_answers(&held.answers)?,
        tiles: held.tiles,
        is_whole: walk.is_done(),
    })
}

/// What tiles a run has.
struct Shape {
    run: usize,
    /// The best first, each with its length.
    clocks: Vec<(String, u64)>,
    bins: Vec<u64>,
    blocks: u64,
}

fn shapes(meta: &Value) -> Vec<Shape> {
    let runs = meta["runs"].as_array().into_iter().flatten();
    let shape = |(run, it): (usize, &Value)| {
        let best = it["clock"].as_str().unwrap_or_default();
        let mut clocks: Vec<(String, u64)> = (it["clocks"].as_array().into_iter().flatten())
            .filter_map(Value::as_str)
            .map(|clock| {
                (
                    clock.to_owned(),
                    it["spans"][clock]["length"].as_u64().unwrap_or(0),
                )
            })
            .collect();
        clocks.sort_by_key(|(clock, _)| clock != best);
        let levels = it["levels"].as_array().into_iter().flatten();
        let rows = it["rows"].as_array().map_or(0, Vec::len) as u64;
        Shape {
            run,
            clocks,
            bins: levels.filter_map(|level| level["bin"].as_u64()).collect(),
            blocks: rows.div_ceil(ROWS as u64),
        }
    };
    runs.enumerate().map(shape).collect()
}

impl Shape {
    /// Returns how many tiles a level has by a clock.
    fn tiles(&self, clock: usize, level: usize) -> u64 {
        let width = self.bins[level].saturating_mul(BINS as u64);
        self.clocks[clock].1.div_ceil(width).max(1)
    }
}

/// A tile of one kind: where it is, without its kind.
#[derive(Clone, Copy)]
struct At {
    run: usize,
    clock: usize,
    level: usize,
    index: u64,
    /// Rows, or none for what is between rows.
    block: Option<u64>,
}

impl At {
    /// Returns the four tiles of the next level that it is divided into.
    fn parts(self, of: &Shape) -> impl Iterator<Item = At> {
        let below = self.level.checked_sub(1);
        let count = below.map_or(0, |level| of.tiles(self.clock, level));
        let level = below.unwrap_or(0);
        (4 * self.index..(4 * self.index + 4).min(count)).map(move |index| At {
            level,
            index,
            ..self
        })
    }

    fn path(&self, kind: &str, of: &Shape) -> String {
        let At {
            run,
            clock,
            level,
            index,
            block,
        } = self;
        let clock = &of.clocks[*clock].0;
        match block {
            Some(block) => format!("run/{run}/{clock}/{kind}/{level}/{index}/{block}"),
            None => format!("run/{run}/{clock}/{kind}/{level}/{index}"),
        }
    }

    /// Returns the kinds of tiles that are there, each with whether it may say that there is too
    /// much to tell.
    fn kinds(&self) -> &'static [(&'static str, bool)] {
        match self.block {
            Some(_) => &[("shares", false), ("spans", true)],
            None => &[("messages", true), ("collectives", true)],
        }
    }
}

/// The levels of all runs from the coarsest down.
struct Walk<'a> {
    runs: &'a [Shape],
    /// What comes next, the coarsest first.
    next: VecDeque<At>,
}

impl<'a> Walk<'a> {
    fn of(runs: &'a [Shape]) -> Walk<'a> {
        let mut next = VecDeque::new();
        let most = runs.iter().map(|run| run.clocks.len()).max().unwrap_or(0);
        for clock in 0..most {
            for of in runs
                .iter()
                .filter(|of| clock < of.clocks.len() && !of.bins.is_empty())
            {
                let level = of.bins.len() - 1;
                let blocks = (0..of.blocks).map(Some).chain([None]);
                let tiles = of.tiles(clock, level);
                next.extend(blocks.flat_map(|block| {
                    (0..tiles).map(move |index| At {
                        run: of.run,
                        clock,
                        level,
                        index,
                        block,
                    })
                }));
            }
        }
        Walk { runs, next }
    }

    /// Keeps tiles until so much room is left, or none of a whole bunch fits any more.
    fn down(&mut self, held: &mut Held, room: i64) {
        // What there is no room for may come later, around a finding.
        let mut left = VecDeque::new();
        let mut has_room = true;
        while has_room && held.room > room && !self.next.is_empty() {
            let some: Vec<At> = self.next.drain(..self.next.len().min(AT_A_TIME)).collect();
            let tiles: Vec<Tiles> = (some.par_iter())
                .map(|at| held.tiles_of(*at, &self.runs[at.run]))
                .collect();
            has_room = false;
            for (at, tiles) in some.into_iter().zip(tiles) {
                let kept = held.keep_tiles(tiles, room);
                has_room |= kept.is_some();
                match kept {
                    Some(true) => {}
                    Some(false) => self.next.extend(at.parts(&self.runs[at.run])),
                    None => left.push_back(at),
                }
            }
        }
        left.extend(self.next.drain(..));
        self.next = left;
    }

    fn is_done(&self) -> bool {
        self.next.is_empty()
    }
}

/// The tiles of a place, packed.
struct Tiles {
    packed: Vec<(String, String)>,
    /// None below them is needed.
    is_last: bool,
}

/// What a report holds so far.
struct Held<'a> {
    site: &'a Site,
    /// By question: the answer, packed.
    answers: BTreeMap<String, String>,
    room: i64,
    tiles: usize,
}

impl Held<'_> {
    fn ask(&self, question: &str) -> Answer {
        let (path, query) = match question.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (question, None),
        };
        match Question::new(&format!("/api/{path}"), query) {
            Some(question) => answer(self.site, &question),
            None => Answer::none("question"),
        }
    }

    fn keep(&mut self, question: &str, body: &[u8]) {
        self.insert(question.to_owned(), file::packed(body));
    }

    fn insert(&mut self, question: String, packed: String) {
        self.room -= length(&question, &packed);
        self.answers.insert(question, packed);
    }

    fn keep_answer(&mut self, question: &str, by: &str) {
        let answer = self.ask(question);
        if answer.status == 200 {
            self.keep(by, &answer.body);
        }
    }

    /// Returns the weightiest findings of each kind, all together about so many.
    fn findings(&self, run: &str, most: usize) -> Value {
        let mut found = self.ask(&format!("{run}/findings?limit=0")).value();
        let kinds = found["kinds"].as_array().cloned().unwrap_or_default();
        let each = most / kinds.len().max(1);
        let mut list: Vec<Value> = Vec::new();
        for kind in kinds.iter().filter_map(|it| it["kind"].as_str()) {
            let of_kind = self
                .ask(&format!("{run}/findings?kind={kind}&limit={each}"))
                .value();
            list.extend(
                of_kind["findings"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .cloned(),
            );
        }
        list.sort_by_key(|it| it["id"].as_u64());
        found["findings"] = Value::Array(list);
        found
    }

    /// Keeps a run's findings, the times and calls of their places, and its numbers; says so if it
    /// is not all findings.
    fn keep_what_is_found(&mut self, of: &Shape) -> Option<String> {
        let run = format!("run/{}", of.run);
        let found = self.findings(&run, FINDINGS);
        self.keep(&format!("{run}/findings"), found.to_string().as_bytes());
        for name in ["clocks", "shifts"] {
            self.keep_answer(&format!("{run}/{name}"), &format!("{run}/{name}"));
        }
        let (all, described) = (places(&found), places(&self.findings(&run, DESCRIBED)));
        for (clock, _) in &of.clocks {
            let run = format!("{run}/{clock}");
            for whole in ["summary", "iterations"] {
                self.keep_answer(&format!("{run}/{whole}"), &format!("{run}/{whole}"));
            }
            let mut times = serde_json::Map::new();
            for some in all.chunks(AT_ONCE) {
                let names: Vec<String> = some
                    .iter()
                    .map(|(row, event)| format!("{row}:{event}"))
                    .collect();
                let told = self
                    .ask(&format!("{run}/times?events={}", names.join(",")))
                    .value();
                times.extend(
                    names
                        .into_iter()
                        .zip(told.as_array().into_iter().flatten().cloned()),
                );
            }
            self.keep(&format!("{run}/times"), json!(times).to_string().as_bytes());
            let calls: serde_json::Map<String, Value> = (described.iter())
                .map(|(row, event)| {
                    (
                        format!("{row}:{event}"),
                        self.ask(&format!("{run}/event/{row}/{event}")),
                    )
                })
                .filter(|(_, answer)| answer.status == 200)
                .map(|(name, answer)| (name, answer.value()))
                .collect();
            self.keep(
                &format!("{run}/events"),
                json!(calls).to_string().as_bytes(),
            );
        }
        let listed = found["findings"].as_array().map_or(0, Vec::len) as u64;
        let total = found["total"].as_u64().unwrap_or(0);
        (listed < total).then(|| {
            format!("Of {total} findings this report lists {listed}: the heaviest of each kind.")
        })
    }

    /// Returns the tiles of a place.
    fn tiles_of(&self, at: At, of: &Shape) -> Tiles {
        let mut tiles = Tiles {
            packed: Vec::new(),
            is_last: at.level == 0,
        };
        // The overview shows shares in steps of a pixel, whatever is known of single calls.
        let mut is_exact = at.block.is_none() || of.tiles(at.clock, at.level) >= OVERVIEW;
        for (kind, may_cut) in at.kinds() {
            let path = at.path(kind, of);
            let answer = self.ask(&path);
            if answer.status != 200 {
                continue;
            }
            let is_cut = *may_cut && is_cut(&answer.body);
            is_exact &= !is_cut;
            // Of too many calls it is enough to know that there are.
            if (!is_cut || *kind != "spans") && !self.answers.contains_key(&path) {
                tiles.packed.push((path, file::packed(&answer.body)));
            }
        }
        tiles.is_last |= is_exact;
        tiles
    }

    /// Keeps the tiles of a place if they leave so much room; returns whether none below them is
    /// needed, nothing if they are not kept.
    fn keep_tiles(&mut self, tiles: Tiles, room: i64) -> Option<bool> {
        let lengths = tiles
            .packed
            .iter()
            .map(|(path, packed)| length(path, packed));
        (self.room - lengths.sum::<i64>() >= room).then_some(())?;
        for (path, packed) in tiles.packed {
            self.tiles += 1;
            self.insert(path, packed);
        }
        Some(tiles.is_last)
    }

    /// Goes down to where the weightiest findings are, by the best clock.
    fn keep_around_findings(&mut self, of: &Shape) {
        let (Some((clock, _)), Some(top)) = (of.clocks.first(), of.bins.len().checked_sub(1))
        else {
            return;
        };
        let found = self.findings(&format!("run/{}", of.run), AROUND);
        for finding in found["findings"].as_array().into_iter().flatten() {
            for place in finding["places"].as_array().into_iter().flatten().take(4) {
                let (Some(row), Some(event)) = (place["row"].as_u64(), place["event"].as_u64())
                else {
                    continue;
                };
                let question = format!("run/{}/{clock}/times?events={row}:{event}", of.run);
                let Some(time) = self.ask(&question).value()[0][0].as_u64() else {
                    continue;
                };
                for block in [Some(row / ROWS as u64), None] {
                    if self.keep_down_to(of, top, time, block).is_none() {
                        return;
                    }
                }
            }
        }
    }

    /// Keeps the tiles of a place from the coarsest level down; nothing if there is no room.
    fn keep_down_to(
        &mut self,
        of: &Shape,
        top: usize,
        time: u64,
        block: Option<u64>,
    ) -> Option<()> {
        for level in (0..=top).rev() {
            let index = time / of.bins[level].saturating_mul(BINS as u64);
            let at = At {
                run: of.run,
                clock: 0,
                level,
                index,
                block,
            };
            if self.keep_tiles(self.tiles_of(at, of), 0)? {
                break;
            }
        }
        Some(())
    }
}

/// Returns how many bytes of the file an answer takes: both in quotes, a colon, a comma.
fn length(question: &str, packed: &str) -> i64 {
    (question.len() + packed.len() + 6) as i64
}

/// Returns whether a tile says that there is more than it tells.
fn is_cut(tile: &[u8]) -> bool {
    tile.get(12).is_some_and(|flags| flags & 1 == 1)
}

/// Returns the places of findings, as row and event.
fn places(found: &Value) -> Vec<(u64, u64)> {
    let list = found["findings"].as_array().into_iter().flatten();
    let places = list.flat_map(|it| it["places"].as_array().into_iter().flatten());
    let mut places: Vec<(u64, u64)> = places
        .filter_map(|it| Some((it["row"].as_u64()?, it["event"].as_u64()?)))
        .collect();
    places.sort_unstable();
    places.dedup();
    places
}
