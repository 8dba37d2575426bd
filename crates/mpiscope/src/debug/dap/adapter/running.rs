//! Requests that set ranks going, and stop them.
//!
//! To go on is for all ranks, as they wait for each other; a step is for one.

use serde_json::{json, Value};

use super::{Adapter, Outcome};
use crate::debug::dap::message::output;
use crate::debug::debuggee::State;
use crate::debug::ranks::Ranks;
use crate::debug::stop;

impl Adapter {
    /// Starts the program, now that the breakpoints are set.
    pub(super) fn start(&mut self, _: &Value) -> Outcome {
        let fresh = |state: &State| *state == State::Loaded;
        let fresh = self.session.those(&self.session.all(), fresh);
        let command = match self.stop_on_entry {
            true => "-exec-run --start",
            false => "-exec-run",
        };
        if self.stop_on_entry {
            self.entering = fresh.iter().collect();
        }
        self.resume(&fresh, command)?;
        Ok(Value::Null)
    }

    /// Lets all ranks go on that stand, or one of them.
    pub(super) fn proceed(&mut self, arguments: &Value) -> Outcome {
        let single = arguments["singleThread"] == true;
        // Who has just stopped, which the editor has not heard yet, keeps standing.
        let ranks = match single {
            true => Ranks::from_iter([self.standing_rank(arguments)?]),
            false => self.standing.iter().copied().collect(),
        };
        if ranks.is_empty() {
            return Err("no rank has stopped".into());
        }
        self.resume(&ranks, "-exec-continue")?;
        Ok(json!({ "allThreadsContinued": !single }))
    }

    pub(super) fn next(&mut self, arguments: &Value) -> Outcome {
        self.go_line(arguments, "-exec-next")
    }

    pub(super) fn step_in(&mut self, arguments: &Value) -> Outcome {
        self.go_line(arguments, "-exec-step")
    }

    /// Goes to the next line; out of a library, back into the program.
    fn go_line(&mut self, arguments: &Value, command: &str) -> Outcome {
        let rank = self.standing_rank(arguments)?;
        let command = match self.own_frame(rank).filter(|own| *own > 0) {
            Some(own) => {
                self.ask(rank, &format!("-stack-select-frame {}", own - 1))?;
                "-exec-finish"
            }
            None => command,
        };
        self.resume(&Ranks::from_iter([rank]), command)?;
        Ok(Value::Null)
    }

    /// Leaves the program's own function.
    pub(super) fn step_out(&mut self, arguments: &Value) -> Outcome {
        let rank = self.standing_rank(arguments)?;
        let own = self.own_frame(rank).unwrap_or(0);
        self.ask(rank, &format!("-stack-select-frame {own}"))?;
        self.resume(&Ranks::from_iter([rank]), "-exec-finish")?;
        Ok(Value::Null)
    }

    /// Stops all ranks that run.
    pub(super) fn pause(&mut self, _: &Value) -> Outcome {
        let all = self.session.all();
        self.session.halt(&all);
        Ok(Value::Null)
    }

    fn own_frame(&mut self, rank: u32) -> Option<usize> {
        let stacks = self.session.stacks(&Ranks::from_iter([rank]));
        stop::own(&stacks.first()?.1)
    }

    /// Sets ranks going; fails if none does, and tells of those that do not.
    fn resume(&mut self, ranks: &Ranks, command: &str) -> Result<(), String> {
        for rank in ranks.iter() {
            for object in self.handles.forget(rank) {
                // What cannot be deleted is not there.
                let _ = self.ask(rank, &format!("-var-delete {object}"));
            }
        }
        let complaints = self.session.resume(ranks, command);
        if let Some((_, first)) = complaints
            .first()
            .filter(|_| complaints.len() == ranks.len())
        {
            return Err(first.clone());
        }
        for (rank, complaint) in &complaints {
            let text = format!("mpiscope: rank {rank}: {complaint}\n");
            self.client.event(output("console", &text));
        }
        // The editor knows it from the response.
        for rank in ranks.iter() {
            self.standing.remove(&rank);
        }
        Ok(())
    }
}
