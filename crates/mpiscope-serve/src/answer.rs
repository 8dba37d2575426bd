//! Which question has which answer.

use serde::Serialize;
use serde_json::json;

use mpiscope_tiles::{Clocked, Tile};

use crate::question::Question;
use crate::shifts::{Change, Refused};
use crate::site::{Shown, Site};
use crate::{clocks, details, findings, iterations, live, meta, summary};

/// An answer, before it travels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Status of HTTP.
    pub status: u16,
    /// Its bytes.
    pub body: Vec<u8>,
    /// The bytes are JSON, else a tile.
    pub is_json: bool,
    /// It will be the same as long as the server runs.
    pub is_lasting: bool,
}

impl Answer {
    /// Returns an answer in JSON.
    pub fn json(value: &impl Serialize) -> Answer {
        match serde_json::to_vec(value) {
            Ok(body) => Answer {
                status: 200,
                body,
                is_json: true,
                is_lasting: false,
            },
            Err(error) => Answer::error(500, error),
        }
    }

    /// Returns a tile.
    pub fn tile(body: Vec<u8>) -> Answer {
        Answer {
            status: 200,
            body,
            is_json: false,
            is_lasting: true,
        }
    }

    /// Says what is wrong.
    pub fn error(status: u16, what: impl std::fmt::Display) -> Answer {
        Answer {
            status,
            body: json!({ "error": what.to_string() })
                .to_string()
                .into_bytes(),
            is_json: true,
            is_lasting: false,
        }
    }

    /// Returns what the answer says, if it is in JSON.
    pub fn value(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Says that there is no such thing.
    pub fn none(what: &str) -> Answer {
        Answer::error(404, format!("there is no such {what}"))
    }
}

/// A question about a run by one of its clocks.
pub(crate) struct Asked<'a> {
    pub shown: &'a Shown,
    pub clock: Clocked<'a>,
    pub question: &'a Question,
    /// What stands in the address behind the name of the question.
    pub rest: &'a [String],
}

/// What a question is asked by, or what is wrong with it.
pub(crate) type Told = Result<Answer, Answer>;

/// Questions about a run by one of its clocks: name, parts of the address behind it, answer.
type Row = (&'static str, usize, fn(&Asked) -> Told);
const BY_CLOCK: &[Row] = &[
    ("shares", 3, shares),
    ("spans", 3, spans),
    ("messages", 2, messages),
    ("collectives", 2, collectives),
    ("members", 1, summary::members),
    ("summary", 0, summary::summary),
    ("event", 2, details::event),
    ("at", 0, details::at),
    ("times", 0, details::times),
    ("search", 0, details::search),
    ("iterations", 0, iterations::answer),
];

/// Answers a question.
pub fn answer(site: &Site, question: &Question) -> Answer {
    told(site, question).unwrap_or_else(|error| error)
}

fn told(site: &Site, question: &Question) -> Told {
    let path: Vec<&str> = question.path.iter().map(String::as_str).collect();
    of_this_edition(site, question)?;
    match path[..] {
        ["meta"] => {
            site.runs.iter().try_for_each(still_there)?;
            Ok(Answer::json(&meta::meta(site)))
        }
        ["live"] => live::look(site, question),
        ["live", "statistics"] => live::written(site),
        ["run", _, ..] => {
            let shown = run_of(site, question)?;
            of_run(shown, question, &question.path[2..])
        }
        _ => Err(Answer::none("question")),
    }
}

/// Changes the shifts of a run; the answer is that of `shifts` then.
pub(crate) fn change(site: &Site, question: &Question, change: Change) -> Answer {
    let asked = of_this_edition(site, question).and_then(|()| run_of(site, question));
    let changed = asked.and_then(|shown| {
        let changed = shown.shifts.change(&shown.run, change);
        changed.map(|()| shown).map_err(|refused| match refused {
            Refused::Form(what) => Answer::error(400, what),
            Refused::Unkept(why) => Answer::error(409, why),
        })
    });
    match changed {
        Ok(shown) => Answer::json(&shown.shifts.value(&shown.run)),
        Err(error) => error,
    }
}

/// Returns the run that a question is about.
fn run_of<'a>(site: &'a Site, question: &Question) -> Result<&'a Shown, Answer> {
    let number = question.path.get(1).and_then(|it| it.parse::<usize>().ok());
    let shown = number.and_then(|it| site.runs.get(it));
    let shown = shown.ok_or_else(|| Answer::none("run"))?;
    still_there(shown)?;
    Ok(shown)
}

/// Refuses a page that was loaded before the runs were read again.
fn of_this_edition(site: &Site, question: &Question) -> Result<(), Answer> {
    let edition = question.number("edition");
    let edition = edition.map_err(|what| Answer::error(400, what))?;
    match edition.is_none_or(|it: u32| it == site.edition) {
        true => Ok(()),
        false => Err(Answer::error(
            410,
            "The run was changed, and has been read again since this page was loaded",
        )),
    }
}

fn still_there(shown: &Shown) -> Result<(), Answer> {
    match shown.is_there() {
        true => Ok(()),
        false => {
            let name = &shown.about.name;
            Err(Answer::error(410, format!("{name} was changed or removed")))
        }
    }
}

fn of_run(shown: &Shown, question: &Question, rest: &[String]) -> Told {
    if let [name] = rest {
        return match name.as_str() {
            "findings" => findings::answer(shown, question),
            "clocks" => Ok(clocks::answer(shown)),
            "shifts" => Ok(Answer::json(&shown.shifts.value(&shown.run))),
            _ => Err(Answer::none("question")),
        };
    }
    let [clock, name, rest @ ..] = rest else {
        return Err(Answer::none("question"));
    };
    let clock = shown
        .run
        .clock(clock)
        .ok_or_else(|| Answer::none("clock"))?;
    let row = BY_CLOCK
        .iter()
        .find(|row| row.0 == name && row.1 == rest.len());
    let (_, _, answer) = row.ok_or_else(|| Answer::none("question"))?;
    answer(&Asked {
        shown,
        clock,
        question,
        rest,
    })
}

impl Asked<'_> {
    /// Returns a number that stands in the address.
    pub fn part<T: std::str::FromStr>(&self, at: usize) -> Result<T, Answer> {
        let text = &self.rest[at];
        let wrong = |_| Answer::error(400, format!("{text}: a number is expected"));
        text.parse().map_err(wrong)
    }

    /// Returns the tile that the address begins with.
    fn tile(&self) -> Result<Tile, Answer> {
        let tile = self.clock.tile(self.part(0)?, self.part(1)?);
        tile.ok_or_else(|| Answer::none("tile"))
    }
}

fn shares(asked: &Asked) -> Told {
    let tile = asked.clock.shares(asked.tile()?, asked.part(2)?);
    tile.map(Answer::tile)
        .ok_or_else(|| Answer::none("block of rows"))
}

fn spans(asked: &Asked) -> Told {
    let finding = |location, event| asked.shown.found.of_wait(location, event);
    let tile = asked
        .clock
        .spans_tile(asked.tile()?, asked.part(2)?, finding);
    tile.map(Answer::tile)
        .ok_or_else(|| Answer::none("block of rows"))
}

fn messages(asked: &Asked) -> Told {
    Ok(Answer::tile(asked.clock.messages_tile(asked.tile()?)))
}

fn collectives(asked: &Asked) -> Told {
    Ok(Answer::tile(asked.clock.collectives_tile(asked.tile()?)))
}
