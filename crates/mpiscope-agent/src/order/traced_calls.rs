//! The traced calls of a thread of the recorded run, and how far a replay has come.

use mpiscope_run::order::calls::{Called, Reader};

/// The traced calls of a thread, and how far it has come.
pub struct TraceComparison {
    calls: Reader<'static>,
    /// The traced call in the place of the one being made.
    current: Option<Called<'static>>,
    /// Polls that found nothing of which some are still to come, in any order: what is left of each.
    polls: Vec<(Called<'static>, u64)>,
    /// What was read ahead.
    ahead: Option<Called<'static>>,
    /// Communicators of the trace, and the thread's numbers of the same.
    comms: Vec<(u32, u32)>,
}

impl TraceComparison {
    /// Begins at the beginning.
    pub fn new(calls: Reader<'static>) -> Self {
        Self {
            calls,
            current: None,
            polls: Vec::new(),
            ahead: None,
            comms: Vec::new(),
        }
    }

    /// Returns where the call being made was when it was recorded.
    pub fn site(&self) -> &'static str {
        self.current.map_or("", |called| called.site)
    }

    /// Goes on to the next call, which is then the one being made: of polls that were made in turn
    /// that of this function, if any is left.
    pub fn advance(&mut self, function: &str) -> Option<Called<'static>> {
        self.current = Some(self.take(function)?);
        self.current
    }

    /// Returns the call that comes next, if the trace tells.
    pub fn following(&mut self) -> Option<Called<'static>> {
        self.take("")
    }

    fn take(&mut self, function: &str) -> Option<Called<'static>> {
        if self.polls.is_empty() {
            self.read_polls();
        }
        let of_function = |(called, _): &(Called, u64)| called.function == function;
        let at = self.polls.iter().position(of_function).unwrap_or(0);
        let Some((called, left)) = self.polls.get_mut(at) else {
            return self.ahead.take();
        };
        let called = *called;
        *left -= 1;
        if *left == 0 {
            self.polls.remove(at);
        }
        Some(called)
    }

    /// Reads polls that follow each other, and the call behind them.
    fn read_polls(&mut self) {
        let mut next = self.ahead.take().or_else(|| self.calls.next());
        while let Some((called, polls)) = next.and_then(|it| Some((it, it.polls?))) {
            if polls > 0 {
                self.polls.push((called, polls));
            }
            next = self.calls.next();
        }
        self.ahead = next;
    }

    /// Whether two numbers of communicators can stand for the same one.
    pub fn same_comm(&mut self, traced: u32, number: u32) -> bool {
        let known = self.comms.iter().find(|c| c.0 == traced || c.1 == number);
        match known {
            Some(&known) => known == (traced, number),
            None => {
                self.comms.push((traced, number));
                true
            }
        }
    }
}
