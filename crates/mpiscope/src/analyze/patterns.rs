//! What else is known of wait states and operations beside how long is waited: another order of
//! messages, late ends of epochs, completion.

use mpiscope_analysis::profile::Profile;
use mpiscope_analysis::wait_states::{self, wrong_order};
use serde::{Deserialize, Serialize};

use super::facts::Facts;
use super::text::time;
use crate::report::show::counted;

/// Patterns within wait states, and beside them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patterns {
    /// Late senders while a message that was sent before is there, and received later.
    pub late_sender_wrong_order: WrongOrder,
    /// Late receivers while the receive of a message is there that is sent next.
    pub late_receiver_wrong_order: WrongOrder,
    /// What early waits take as origins complete their epochs later than they could.
    pub late_complete: Times,
    /// How long ranks stay in barriers after the first has left: no waiting.
    pub barrier_completion: Times,
    /// The same of operations whose data all need from all.
    pub n_x_n_completion: Times,
}

/// Wait states while the other side of another message is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongOrder {
    /// How many in which that is the rank that was waited for.
    pub same_rank_times: u64,
    /// How long they are.
    pub same_rank_ns: i64,
    /// How many in which it is another rank.
    pub other_rank_times: u64,
    /// How long they are.
    pub other_rank_ns: i64,
    /// What of all that would be saved at most, had the other message come first.
    pub saved_ns: i64,
}

/// How often, and how long together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// How often.
    pub times: u64,
    /// How long.
    pub time_ns: i64,
}

impl From<wait_states::Times> for Times {
    fn from(of: wait_states::Times) -> Times {
        Times {
            times: of.times,
            time_ns: of.time.0,
        }
    }
}

impl Patterns {
    /// Takes them from a profile.
    pub fn of(profile: &Profile) -> Patterns {
        let mut found = Patterns {
            late_complete: profile.late_complete.into(),
            barrier_completion: profile.completion.barrier.into(),
            n_x_n_completion: profile.completion.n_x_n.into(),
            ..Patterns::default()
        };
        for it in &profile.wrong_order {
            match it.is_of_receive() {
                true => found.late_sender_wrong_order.add(it),
                false => found.late_receiver_wrong_order.add(it),
            }
        }
        found
    }
}

impl WrongOrder {
    fn add(&mut self, it: &wrong_order::WrongOrder) {
        let (times, ns) = match it.same_rank {
            true => (&mut self.same_rank_times, &mut self.same_rank_ns),
            false => (&mut self.other_rank_times, &mut self.other_rank_ns),
        };
        *times += 1;
        *ns = ns.saturating_add(it.wait.duration().0);
        self.saved_ns = self.saved_ns.saturating_add(it.saved.0);
    }

    /// Says it; nothing if there is none.
    fn text(&self) -> Option<String> {
        let parts = [
            (self.same_rank_times, self.same_rank_ns, "the same rank"),
            (self.other_rank_times, self.other_rank_ns, "another rank"),
        ];
        let parts = parts.into_iter().filter(|it| it.0 > 0);
        let parts: Vec<String> = parts
            .map(|(times, ns, whose)| {
                format!("{} in {} of {whose}", time(ns), counted(times, "wait"))
            })
            .collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

impl Times {
    fn text(&self, what: &str) -> Option<String> {
        (self.times > 0).then(|| format!("{} in {}", time(self.time_ns), counted(self.times, what)))
    }
}

/// Writes what there is below the table of wait states.
pub fn text(facts: &Facts) -> String {
    let lines = lines(facts).into_iter();
    lines.map(|line| format!("\n  {line}")).collect()
}

/// Says what there is, a line each.
pub fn lines(facts: &Facts) -> Vec<String> {
    let Some(all) = &facts.patterns else {
        return Vec::new();
    };
    let completion = [
        all.barrier_completion.text("barrier"),
        all.n_x_n_completion.text("n x n operation"),
    ];
    let completion: Vec<String> = completion.into_iter().flatten().collect();
    let lines = [
        (
            "of late senders while a message that was sent before was there (wrong order)",
            all.late_sender_wrong_order.text(),
        ),
        (
            "of late receivers while the receive of a message that was sent next was there (wrong order)",
            all.late_receiver_wrong_order.text(),
        ),
        (
            "of early waits after the last operation of whoever completed late (late complete)",
            all.late_complete.text("wait"),
        ),
        (
            "no waiting, but in MPI after the first had left (completion)",
            (!completion.is_empty()).then(|| completion.join(", ")),
        ),
    ];
    let told = lines
        .into_iter()
        .filter_map(|(what, told)| Some(format!("{what}: {}", told?)));
    told.collect()
}
