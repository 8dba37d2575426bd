//! One rank's debugger: what it was asked, what it answered, how its program fares.

use std::io::Write;
use std::os::unix::net::UnixStream;

use super::mi::{Fields, Record};
use super::stop::{self, Stop};

/// How a rank fares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// The program is loaded, not started.
    Loaded,
    /// It runs.
    Running,
    /// It stopped.
    Stopped(Stop),
    /// It ended.
    Exited(Result<u8, String>),
    /// Its debugger has gone.
    Gone,
}

/// What a debugger answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What it printed meanwhile.
    pub console: String,
    /// What it returned, or why not.
    pub result: Result<Fields, String>,
}

/// One rank's debugger.
#[derive(Debug)]
pub struct Debuggee {
    pipe: UnixStream,
    /// How its program fares.
    pub state: State,
    /// What it printed since the last answer.
    console: String,
    /// The command that waits for an answer, and the answer.
    asked: Option<u32>,
    answer: Option<Answer>,
}

impl Debuggee {
    /// Begins with a program that is loaded.
    pub fn new(pipe: UnixStream) -> Debuggee {
        Debuggee {
            pipe,
            state: State::Loaded,
            console: String::new(),
            asked: None,
            answer: None,
        }
    }

    /// Asks a question that bears a number.
    pub fn ask(&mut self, token: u32, command: &str) {
        let line = format!("{token}{command}\n");
        // A debugger that is gone is heard of from the one who listens to it.
        let written = self.state != State::Gone && self.pipe.write_all(line.as_bytes()).is_ok();
        if written {
            self.asked = Some(token);
            self.answer = None;
        }
    }

    /// Returns whether an answer is to come.
    pub fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// Returns the answer to the last question, once.
    pub fn take_answer(&mut self) -> Option<Answer> {
        self.answer.take()
    }

    /// Takes what gdb says; returns a stop of the program.
    pub fn hear(&mut self, record: Record) -> Option<Stop> {
        match record {
            Record::Console(text) => self.console.push_str(&text),
            Record::Result {
                token,
                class,
                fields,
            } => self.answer(token, &class, fields),
            Record::Exec { class, .. } if class == "running" => self.state = State::Running,
            Record::Exec { fields, .. } => {
                // What gdb told of the stop in words.
                self.console.clear();
                return Some(stop::stop(&fields));
            }
            Record::Other => {}
        }
        None
    }

    /// Takes what gdb returned for a command, unless it was asked something else meanwhile.
    fn answer(&mut self, token: Option<u32>, class: &str, fields: Fields) {
        let console = std::mem::take(&mut self.console);
        if class == "running" {
            self.state = State::Running;
        }
        if token != self.asked {
            return;
        }
        self.asked = None;
        let result = match class {
            "error" => Err(fields.text("msg").unwrap_or("no reason given").to_owned()),
            _ => Ok(fields),
        };
        self.answer = Some(Answer { console, result });
    }

    /// Notes that the debugger ended; returns whether nobody knew that it would.
    pub fn end(&mut self) -> bool {
        self.asked = None;
        let surprise = !matches!(self.state, State::Exited(_));
        if surprise {
            self.state = State::Gone;
        }
        surprise
    }
}
