//! What a thread is within, as its records tell.

use mpiscope_run::record::{Fact, ThreadFact};

/// What a thread is within.
#[derive(Debug, Clone)]
pub(super) struct Thread {
    /// What tells the begins of the regions that are open.
    pub open: Vec<Fact>,
    /// How many of these are not the program's own.
    others: usize,
    /// Teams that were forked or that the thread works in.
    teams: usize,
    /// Whether recording is on.
    is_on: bool,
}

impl Default for Thread {
    fn default() -> Self {
        Self {
            open: Vec::new(),
            others: 0,
            teams: 0,
            is_on: true,
        }
    }
}

impl Thread {
    /// Takes the next fact; the numbers of regions from `first_own` on are the program's own.
    #[inline]
    pub fn take(&mut self, fact: Fact, first_own: u32) {
        match fact {
            Fact::Enter { region, .. } => self.enter(fact, region >= first_own),
            Fact::EnterFunction { .. } => self.enter(fact, true),
            Fact::Leave { .. } | Fact::LeaveFunction { .. } => self.leave(fact, first_own),
            Fact::Switched { on } => self.is_on = on,
            Fact::Thread(ThreadFact::Fork(_) | ThreadFact::TeamBegin(_)) => self.teams += 1,
            Fact::Thread(ThreadFact::Join | ThreadFact::TeamEnd(_)) => {
                self.teams = self.teams.saturating_sub(1);
            }
            Fact::ThreadBegins { .. } => *self = Self::default(),
            _ => {}
        }
    }

    fn enter(&mut self, fact: Fact, is_own: bool) {
        self.open.push(fact);
        self.others += usize::from(!is_own);
    }

    /// Leaves a region; before it those within, whose leaves may have been lost.
    fn leave(&mut self, fact: Fact, first_own: u32) {
        let begins = |open: &Fact| match (*open, fact) {
            (Fact::Enter { region, .. }, Fact::Leave { region: left }) => region == left,
            (Fact::EnterFunction { address, .. }, Fact::LeaveFunction { address: left }) => {
                address == left
            }
            _ => false,
        };
        if let Some(at) = self.open.iter().rposition(begins) {
            self.open.truncate(at);
            let is_other =
                |open: &&Fact| matches!(open, Fact::Enter { region, .. } if *region < first_own);
            if self.others > 0 {
                self.others = self.open.iter().filter(is_other).count();
            }
        }
    }

    /// Returns whether it is outside of all that is not to be cut through.
    pub fn is_outside(&self) -> bool {
        self.others == 0 && self.teams == 0 && self.is_on
    }

    /// Returns whether it is in a team, or has forked one.
    pub fn is_in_team(&self) -> bool {
        self.teams > 0
    }
}

/// Returns whether a fact is the last of those that belong together, if the thread is outside then.
pub(super) fn may_end(fact: &Fact) -> bool {
    matches!(
        fact,
        Fact::Enter { .. }
            | Fact::Leave { .. }
            | Fact::EnterFunction { .. }
            | Fact::LeaveFunction { .. }
            | Fact::Sample { .. }
            | Fact::ThreadBegins { .. }
            | Fact::Thread(ThreadFact::TeamEnd(_) | ThreadFact::Join)
    )
}

/// Returns whether a thread has ended its work in a team.
pub(super) fn is_end_of_team(fact: &Fact) -> bool {
    matches!(fact, Fact::Thread(ThreadFact::TeamEnd(_)))
}
