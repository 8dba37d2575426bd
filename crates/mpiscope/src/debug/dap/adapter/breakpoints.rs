//! Breakpoints, by numbers that are the same on all ranks.

use std::collections::BTreeMap;

use serde_json::{json, Value};

use super::{Adapter, Outcome};
use crate::debug::breakpoint::{self, Inserted};
use crate::debug::dap::message::Met;
use crate::debug::debuggee::State;
use crate::debug::mi::quoted;
use crate::debug::ranks::Ranks;
use crate::debug::stop;

/// All breakpoints that are set.
#[derive(Default)]
pub struct Breakpoints {
    last: i64,
    /// Those of a file, by its path, and those of functions.
    set: BTreeMap<Option<String>, Vec<Breakpoint>>,
}

struct Breakpoint {
    id: i64,
    /// The number that each rank's gdb knows it by.
    numbers: BTreeMap<u32, u32>,
}

impl Breakpoints {
    /// Returns which one a rank has met, by the number that its gdb knows.
    pub fn met(&self, rank: u32, number: u32) -> Option<Met> {
        self.set.iter().find_map(|(path, all)| {
            let is_it = |one: &&Breakpoint| one.numbers.get(&rank) == Some(&number);
            let found = all.iter().find(is_it)?;
            Some(Met {
                id: Some(found.id),
                word: match path {
                    Some(_) => "breakpoint",
                    None => "function breakpoint",
                },
            })
        })
    }
}

impl Adapter {
    /// Sets the breakpoints of a file, in place of those that it has.
    pub(super) fn set_breakpoints(&mut self, arguments: &Value) -> Outcome {
        let path = arguments["source"]["path"].as_str();
        let path = path.ok_or("breakpoints are set in files only, by their path")?;
        let before = 1 - self.first_line;
        let command = |wanted: &Value, _| {
            let line = wanted["line"].as_i64().ok_or("line is missing")?;
            let condition = breakpoint::condition(condition(wanted), false);
            Ok(format!(
                "-break-insert -f{condition} --source {} --line {}",
                quoted(path),
                line.saturating_add(before)
            ))
        };
        Ok(self.replace(Some(path), &arguments["breakpoints"], false, command))
    }

    /// Sets the breakpoints of functions, in place of those that there are.
    pub(super) fn set_function_breakpoints(&mut self, arguments: &Value) -> Outcome {
        let wanted = &arguments["breakpoints"];
        let is_mpi = |one: &Value| one["name"].as_str().is_some_and(stop::is_mpi);
        let teaches = wanted.as_array().is_some_and(|all| all.iter().any(is_mpi));
        let command = |wanted: &Value, taught| {
            let name = wanted["name"].as_str().ok_or("name is missing")?;
            let outermost = taught && stop::is_mpi(name);
            let condition = breakpoint::condition(condition(wanted), outermost);
            Ok(format!("-break-insert -f{condition} {}", quoted(name)))
        };
        Ok(self.replace(None, wanted, teaches, command))
    }

    /// Replaces the breakpoints of a file, or of functions, on all ranks; ranks that run are
    /// stopped for a moment.
    fn replace(
        &mut self,
        path: Option<&str>,
        wanted: &Value,
        teaches: bool,
        command: impl Fn(&Value, bool) -> Result<String, String>,
    ) -> Value {
        let living = self.living();
        let running = self.session.pause(&living);
        let at_rest = |state: &State| matches!(state, State::Loaded | State::Stopped(_));
        let ranks = self.session.those(&living, at_rest);
        let key = path.map(str::to_owned);
        let old = self.breakpoints.set.remove(&key).unwrap_or_default();
        self.remove(&old, &ranks);
        let taught = teaches && {
            let answers = self.session.ask_all(&ranks, &breakpoint::lesson());
            answers.iter().all(|(_, answer)| answer.result.is_ok())
        };
        let mut set = Vec::new();
        let mut told = Vec::new();
        for wanted in wanted.as_array().into_iter().flatten() {
            self.breakpoints.last += 1;
            let id = self.breakpoints.last;
            let (numbers, one) = match command(wanted, taught) {
                Ok(command) => self.insert(id, &ranks, &command),
                Err(error) => (BTreeMap::new(), failed(id, &error)),
            };
            set.push(Breakpoint { id, numbers });
            told.push(one);
        }
        self.breakpoints.set.insert(key, set);
        self.session.unpause(&running);
        json!({ "breakpoints": told })
    }

    fn remove(&mut self, old: &[Breakpoint], ranks: &Ranks) {
        for one in old {
            let numbers = one.numbers.iter().filter(|row| ranks.contains(*row.0));
            let question =
                |(rank, number): (&u32, &u32)| (*rank, format!("-break-delete {number}"));
            let questions: Vec<_> = numbers.map(question).collect();
            self.session.ask(&questions);
        }
    }

    /// Sets a breakpoint on some ranks; returns the numbers that gdbs know it by, and what the
    /// editor is told.
    fn insert(&mut self, id: i64, ranks: &Ranks, command: &str) -> (BTreeMap<u32, u32>, Value) {
        let mut numbers = BTreeMap::new();
        let mut told = failed(id, "no rank is there to stop at it");
        // A program that knows the place outweighs others that do not.
        let mut found = false;
        for (rank, answer) in self.session.ask_all(ranks, command) {
            match breakpoint::inserted(answer) {
                Ok(new) => {
                    numbers.insert(rank, new.number);
                    if !found {
                        told = self.verified(id, &new);
                        found = !new.pending;
                    }
                }
                Err(error) if numbers.is_empty() => told = failed(id, &error),
                Err(_) => {}
            }
        }
        (numbers, told)
    }

    fn verified(&self, id: i64, new: &Inserted) -> Value {
        let mut told = json!({ "id": id, "verified": !new.pending });
        if let Some(line) = new.line {
            told["line"] = (i64::from(line) - 1 + self.first_line).into();
        }
        if new.pending {
            told["message"] = "not known in the program; looked for in libraries as they are \
                               loaded (is it compiled with -g?)"
                .into();
        }
        told
    }
}

/// Returns what the editor is told of a breakpoint that cannot be set.
fn failed(id: i64, why: &str) -> Value {
    json!({ "id": id, "verified": false, "message": why })
}

fn condition(wanted: &Value) -> Option<&str> {
    wanted["condition"]
        .as_str()
        .map(str::trim)
        .filter(|text| !text.is_empty())
}
