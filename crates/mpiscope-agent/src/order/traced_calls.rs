//! The traced calls of a thread of the recorded run, and how far a replay has come.

use mpiscope_run::order::calls::{Called, Reader};

/// The traced calls of a thread, and how far it has come.
pub struct TraceComparison {
    calls: Reader<'static>,
    /// The traced call in the place of the one being made.
    current: Option<Called<'static>>,
    /// Communicators of the trace, and the thread's numbers of the same.
    comms: Vec<(u32, u32)>,
}

impl TraceComparison {
    /// Begins at the beginning.
    pub fn new(calls: Reader<'static>) -> Self {
        Self {
            calls,
            current: None,
            comms: Vec::new(),
        }
    }

    /// Returns where the call being made was when it was recorded.
    pub fn site(&self) -> &'static str {
        self.current.map_or("", |called| called.site)
    }

    /// Goes on to the next call, which is then the one being made.
    pub fn advance(&mut self) -> Option<Called<'static>> {
        self.current = Some(self.calls.next()?);
        self.current
    }

    /// Returns the call that comes next, if the trace tells.
    pub fn following(&mut self) -> Option<Called<'static>> {
        self.calls.next()
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
