//! The editor at the other end: what is said to it, by whatever thread, one message at a time.

use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::frame;
use super::message;

/// An editor. Who has gone is told nothing more.
#[derive(Clone)]
pub struct Client(Arc<Mutex<Line>>);

struct Line {
    /// Nothing before it has come, and after it has gone.
    out: Option<Box<dyn Write + Send>>,
    /// The last message's number.
    last: i64,
    /// Whether events may be sent: not before the response to `initialize`.
    open: bool,
    /// Those that wait for it.
    early: Vec<Value>,
    /// Whether standard output is the editor's, who shows standard error besides.
    has_output: bool,
}

impl Client {
    /// Begins with nobody there.
    pub fn new(has_output: bool) -> Client {
        Client(Arc::new(Mutex::new(Line {
            out: None,
            last: 0,
            open: false,
            early: Vec::new(),
            has_output,
        })))
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes where the editor reads.
    pub fn connect(&self, out: Box<dyn Write + Send>) {
        self.line().out = Some(out);
    }

    /// Answers a request.
    pub fn respond(&self, response: Value) {
        self.line().send(response);
    }

    /// Sends what was to wait for the response to `initialize`.
    pub fn open(&self) {
        let mut line = self.line();
        line.open = true;
        for event in std::mem::take(&mut line.early) {
            line.send(event);
        }
    }

    /// Says that something happened; returns whether somebody hears it, or will.
    pub fn event(&self, event: Value) -> bool {
        let mut line = self.line();
        if !line.open {
            line.early.push(event);
            return true;
        }
        line.send(event);
        line.out.is_some()
    }

    /// Leaves alone an editor that has been let go; one that started us still reads what we write.
    pub fn leave(&self) {
        let mut line = self.line();
        if !line.has_output {
            line.out = None;
        }
    }

    /// Shows a line of ours; returns whether it need not be shown elsewhere.
    pub fn show(&self, text: &str) -> bool {
        let mut line = self.line();
        if !line.open {
            return false;
        }
        line.send(message::output("console", text));
        line.has_output && line.out.is_some()
    }
}

impl Line {
    fn send(&mut self, mut message: Value) {
        let Some(out) = &mut self.out else {
            return;
        };
        self.last += 1;
        message["seq"] = self.last.into();
        let bytes = frame::encode(&message.to_string());
        let written = out.write_all(&bytes).and_then(|()| out.flush());
        if written.is_err() {
            self.out = None;
        }
    }
}
