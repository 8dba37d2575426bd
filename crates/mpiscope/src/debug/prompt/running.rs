//! Commands that set ranks going, and stop them.

use std::time::Duration;

use super::Prompt;
use crate::debug::debuggee::State;
use crate::debug::end;
use crate::debug::ranks::Ranks;
use crate::debug::session::Waited;
use crate::debug::stop::{self, Frame};

/// How long ranks may take to stop after the first one did.
const STRAGGLERS: Duration = Duration::from_secs(10);

impl Prompt {
    pub(super) fn run_program(&mut self, text: &str) {
        let fresh = self
            .session
            .those(&self.focus, |state| *state == State::Loaded);
        if fresh.is_empty() {
            return self.say("the ranks in focus were started before; a job cannot be run twice");
        }
        self.go(&fresh, "-exec-run", text);
    }

    pub(super) fn proceed(&mut self, text: &str) {
        self.go_on("-exec-continue", text);
    }

    pub(super) fn step(&mut self, text: &str) {
        self.go_line("-exec-step", text);
    }

    pub(super) fn next(&mut self, text: &str) {
        self.go_line("-exec-next", text);
    }

    /// Goes to the next line; out of a library, back into the program.
    fn go_line(&mut self, command: &str, text: &str) {
        let focus = self.focus.clone();
        let outside = |(rank, stack): (u32, Vec<Frame>)| {
            let own = stop::own(&stack).filter(|own| *own > 0)?;
            Some((rank, format!("-stack-select-frame {}", own - 1)))
        };
        let stacks = self.stacks(&focus).into_iter();
        let questions: Vec<(u32, String)> = stacks.filter_map(outside).collect();
        if questions.is_empty() {
            return self.go_on(command, text);
        }
        let outside: Ranks = questions.iter().map(|question| question.0).collect();
        let within = focus
            .iter()
            .filter(|rank| !outside.contains(*rank))
            .collect();
        let within = self
            .session
            .those(&within, |state| matches!(state, State::Stopped(_)));
        self.session.ask(&questions);
        self.go(
            &within,
            command,
            &format!("{} &", text.trim_end_matches('&')),
        );
        self.go(
            &outside,
            "-exec-finish",
            if text.ends_with('&') { "&" } else { "" },
        );
    }

    pub(super) fn finish(&mut self, text: &str) {
        self.go_on("-exec-finish", text);
    }

    /// Removes what could stop the program, and lets it run to its end.
    pub(super) fn detach(&mut self, _: &str) {
        let all = self.session.all();
        self.while_halted(&all, |prompt| prompt.clear_everywhere());
        end::let_run(&mut self.session);
        self.done = true;
    }

    fn go_on(&mut self, command: &str, text: &str) {
        let stopped = self
            .session
            .those(&self.focus, |state| matches!(state, State::Stopped(_)));
        if stopped.is_empty() {
            let focus = self.focus.clone();
            let lines = self.describe(&focus);
            return self.say_answers(lines);
        }
        self.go(&stopped, command, text);
    }

    /// Sets ranks going; `text` may hold a number of times, and & for not waiting.
    fn go(&mut self, ranks: &Ranks, command: &str, text: &str) {
        let (times, background) = match text.strip_suffix('&') {
            Some(times) => (times.trim(), true),
            None => (text, false),
        };
        let complaints = self
            .session
            .resume(ranks, format!("{command} {times}").trim_end());
        self.say_answers(complaints);
        if !background {
            self.wait_for_stragglers();
        }
    }

    /// Waits for the ranks in focus; once one has stopped, not for ever: the others may
    /// be waiting for it.
    fn wait_for_stragglers(&mut self) {
        let focus = self.focus.clone();
        let first = match self.session.wait_for_any(&focus, None) {
            Waited::Done => self.session.wait_while_running(&focus, Some(STRAGGLERS)),
            other => other,
        };
        self.tell_waited(first);
    }

    pub(super) fn wait(&mut self, text: &str) {
        let mut any = false;
        let mut limit = None;
        for word in text.split_whitespace() {
            match word.parse() {
                _ if word == "any" => any = true,
                Ok(seconds) => limit = Duration::try_from_secs_f64(seconds).ok(),
                Err(_) => return self.say(format!("`{word}`: wait [any] [SECONDS] is expected")),
            }
        }
        let focus = self.focus.clone();
        let waited = match any {
            true => self.session.wait_for_any(&focus, limit),
            false => self.session.wait_while_running(&focus, limit),
        };
        self.tell_waited(waited);
    }

    fn tell_waited(&mut self, waited: Waited) {
        match waited {
            Waited::Interrupted => self.halt(""),
            Waited::TooLong => {
                let running = self
                    .session
                    .those(&self.focus, |state| *state == State::Running);
                self.say(format!(
                    "still running: {running} (`wait` waits, `halt` stops them)"
                ));
            }
            Waited::Done | Waited::Ended => {}
        }
    }

    pub(super) fn halt(&mut self, _: &str) {
        let focus = self.focus.clone();
        if self.session.halt(&focus) == Waited::Interrupted {
            let running = self.session.those(&focus, |state| *state == State::Running);
            self.say(format!("ranks {running} do not stop"));
        }
    }

    /// Does something for which ranks must stand still, and lets those run on that ran.
    pub(super) fn while_halted(&mut self, ranks: &Ranks, act: impl FnOnce(&mut Prompt)) {
        let running = self.session.pause(ranks);
        act(self);
        self.session.unpause(&running);
    }
}
