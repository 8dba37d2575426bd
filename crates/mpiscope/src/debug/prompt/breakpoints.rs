//! Breakpoints, by numbers that are the same on all ranks.

use std::collections::BTreeMap;

use super::Prompt;
use crate::debug::breakpoint;
use crate::debug::debuggee::{Answer, State};
use crate::debug::mi::quoted;
use crate::debug::stop;

/// All breakpoints that were set.
#[derive(Default)]
pub struct Breakpoints {
    last: u32,
    set: BTreeMap<u32, Breakpoint>,
}

struct Breakpoint {
    /// As it was typed.
    text: String,
    /// The number that each rank's gdb knows it by.
    numbers: BTreeMap<u32, u32>,
}

impl Breakpoints {
    /// Returns what a rank's breakpoint is called.
    pub fn name(&self, rank: u32, number: u32) -> String {
        let is_it = |row: &(&u32, &Breakpoint)| row.1.numbers.get(&rank) == Some(&number);
        match self.set.iter().find(is_it) {
            Some((ours, _)) => format!("breakpoint {ours}"),
            None => "breakpoint".to_owned(),
        }
    }
}

impl Prompt {
    pub(super) fn set_breakpoint(&mut self, text: &str) {
        self.insert("-break-insert -f", text);
    }

    pub(super) fn set_once(&mut self, text: &str) {
        self.insert("-break-insert -f -t", text);
    }

    fn insert(&mut self, command: &str, text: &str) {
        let (location, condition) = match text.split_once(" if ") {
            Some((location, condition)) => (location.trim(), Some(condition.trim())),
            None => (text, None),
        };
        if location.is_empty() {
            return self.say("break LOCATION [if CONDITION] is expected");
        }
        let outermost = stop::is_mpi(location) && self.teach();
        let condition = breakpoint::condition(condition, outermost);
        self.add(text, &format!("{command}{condition} {}", quoted(location)));
    }

    /// Teaches all debuggers what an outermost MPI call is; returns whether they know now.
    fn teach(&mut self) -> bool {
        let focus = self.focus.clone();
        let mut taught = false;
        self.while_halted(&focus, |prompt| {
            let answers = prompt.ask(&breakpoint::lesson());
            let fails = |answer: Result<Answer, String>| answer.is_ok_and(|a| a.result.is_err());
            taught = !answers.into_iter().any(|(_, answer)| fails(answer));
        });
        taught
    }

    pub(super) fn watch(&mut self, text: &str) {
        if text.is_empty() {
            return self.say("watch EXPRESSION is expected");
        }
        // gdb would step through the dynamic loader, instruction by instruction.
        if !self
            .session
            .those(&self.focus, |state| *state == State::Loaded)
            .is_empty()
        {
            return self.say("start the program first: `tbreak main`, `run`, `watch`");
        }
        self.add(
            &format!("watch {text}"),
            &format!("-break-watch {}", quoted(text)),
        );
    }

    fn add(&mut self, text: &str, command: &str) {
        let focus = self.focus.clone();
        let mut answers = Vec::new();
        self.while_halted(&focus, |prompt| answers = prompt.ask(command));
        let mut added = Breakpoint {
            text: text.to_owned(),
            numbers: BTreeMap::new(),
        };
        let number = self.breakpoints.last + 1;
        let mut lines = Vec::new();
        for (rank, answer) in answers {
            lines.push((
                rank,
                match answer.and_then(breakpoint::inserted) {
                    Err(error) => error,
                    Ok(new) => {
                        added.numbers.insert(rank, new.number);
                        format!("breakpoint {number}{}", new.place)
                    }
                },
            ));
        }
        if !added.numbers.is_empty() {
            self.breakpoints.last = number;
            self.breakpoints.set.insert(number, added);
        }
        self.say_answers(lines);
    }

    pub(super) fn delete(&mut self, text: &str) {
        let chosen: Vec<u32> = match text.parse::<u32>() {
            _ if text.is_empty() => self.breakpoints.set.keys().copied().collect(),
            Ok(number) if self.breakpoints.set.contains_key(&number) => vec![number],
            _ => return self.say(format!("`{text}`: no such breakpoint")),
        };
        let focus = self.focus.clone();
        self.while_halted(&focus, |prompt| {
            for number in chosen {
                prompt.remove(number);
            }
        });
    }

    /// Removes a breakpoint from the ranks in focus.
    fn remove(&mut self, number: u32) {
        let Some(breakpoint) = self.breakpoints.set.get_mut(&number) else {
            return;
        };
        let ranks = self.session.those(&self.focus, |_| true);
        let mut questions = Vec::new();
        for rank in ranks.iter() {
            if let Some(theirs) = breakpoint.numbers.remove(&rank) {
                questions.push((rank, format!("-break-delete {theirs}")));
            }
        }
        if breakpoint.numbers.is_empty() {
            self.breakpoints.set.remove(&number);
        }
        self.session.ask(&questions);
    }

    /// Removes all breakpoints from all ranks, and lets signals pass.
    pub(super) fn clear_everywhere(&mut self) {
        let able = self.able(&self.session.all());
        self.session.clear(&able);
        self.breakpoints.set.clear();
    }

    pub(super) fn list_breakpoints(&mut self, _: &str) {
        if self.breakpoints.set.is_empty() {
            return self.say("no breakpoints");
        }
        let line = |(number, breakpoint): (&u32, &Breakpoint)| {
            let ranks = breakpoint.numbers.keys().copied().collect();
            let ranks: crate::debug::ranks::Ranks = ranks;
            format!("{number}  {}  on ranks {ranks}", breakpoint.text)
        };
        let lines: Vec<String> = self.breakpoints.set.iter().map(line).collect();
        self.say(lines.join("\n"));
    }
}
