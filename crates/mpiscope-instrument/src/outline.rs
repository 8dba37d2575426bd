//! The statements found so far, and the loop or procedure that we are in.

use mpiscope_model::structure::{Kind, LeftAlone, Statement};

/// Grows in the order of the text.
#[derive(Default)]
pub(crate) struct Outline {
    pub statements: Vec<Statement>,
    pub left_alone: Vec<LeftAlone>,
    open: Vec<u32>,
}

impl Outline {
    /// Begins a procedure or loop, in which what follows lies until [`close`](Self::close).
    pub fn open(&mut self, kind: Kind, name: &str, lines: (u32, u32)) -> u32 {
        let number = self.add(kind, name, lines);
        self.open.push(number);
        number
    }

    /// Ends what was opened last.
    pub fn close(&mut self) {
        self.open.pop();
    }

    /// Adds a statement, without a probe so far.
    pub fn add(&mut self, kind: Kind, name: &str, (line, end): (u32, u32)) -> u32 {
        let number = self.next();
        self.statements.push(Statement {
            kind,
            line,
            end,
            parent: self.open.last().copied(),
            name: name.to_owned(),
            probe: false,
        });
        number
    }

    /// Returns the number of the statement that is added next.
    pub fn next(&self) -> u32 {
        self.statements.len() as u32
    }

    /// Notes that the text tells of this statement.
    pub fn probed(&mut self, number: u32) {
        self.statements[number as usize].probe = true;
    }

    /// Returns whether there are calls among the statements from `first` on.
    pub fn calls_since(&self, first: u32) -> bool {
        let since = &self.statements[first as usize..];
        since.iter().any(|statement| !statement.kind.contains())
    }

    /// Names a procedure that gets no probes.
    pub fn leave_alone(&mut self, name: &str, line: u32, reason: impl Into<String>) {
        self.left_alone.push(LeftAlone {
            name: name.to_owned(),
            line,
            reason: reason.into(),
        });
    }
}
