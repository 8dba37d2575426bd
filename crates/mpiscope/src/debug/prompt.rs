//! One prompt over all ranks: reads a command, asks the ranks in focus, says
//! equal answers once.

mod breakpoints;
mod choose;
mod look;
mod running;

use std::io::Write;
use std::process::ExitStatus;

use anyhow::Result;

use super::choose::Chooser;
use super::debuggee::{Answer, State};
use super::end;
use super::group;
use super::ranks::Ranks;
use super::session::{Session, Waited, PATIENCE};
use super::stop::{self, Frame, Reason, Stop};
use crate::say;

use breakpoints::Breakpoints;

/// The prompt and what it knows.
pub struct Prompt {
    session: Session,
    /// Nothing where no record leads.
    chooser: Option<Chooser>,
    focus: Ranks,
    breakpoints: Breakpoints,
    /// Whether a person types.
    terminal: bool,
    /// Whether the prompt stands on the terminal's last line.
    prompted: bool,
    /// The last line, repeated by an empty one.
    last: String,
    done: bool,
}

/// A command: its names, how it is used, what it does.
struct Row {
    names: &'static [&'static str],
    usage: &'static str,
    help: &'static str,
    obey: fn(&mut Prompt, &str),
}

macro_rules! rows {
    ($($names:expr, $usage:literal, $help:literal, $obey:expr;)*) => {
        &[$(Row { names: &$names, usage: $usage, help: $help, obey: $obey },)*]
    };
}

const ROWS: &[Row] = rows! {
    ["focus"], "focus [RANKS]", "the ranks that commands are for, such as 0,2-3 or all", Prompt::set_focus;
    ["status", "st"], "status", "how every rank fares", Prompt::status;
    ["run", "r"], "run [&]", "start the program; as all that follows until `halt`, waits until the ranks in focus have stopped, with & it does not", Prompt::run_program;
    ["continue", "c"], "continue [&]", "go on", Prompt::proceed;
    ["step", "s"], "step [N] [&]", "to the next line, into functions; out of MPI, back into the program", Prompt::step;
    ["next", "n"], "next [N] [&]", "to the next line, over functions; out of MPI, back into the program", Prompt::next;
    ["finish"], "finish [&]", "until the function returns", Prompt::finish;
    ["wait"], "wait [any] [SECONDS]", "until the ranks in focus have stopped, or one of them has", Prompt::wait;
    ["halt"], "halt", "stop the ranks in focus; so does Control-C while waiting", Prompt::halt;
    ["break", "b"], "break LOCATION [if CONDITION]", "stop there: heat.c:42, a function, MPI_Recv", Prompt::set_breakpoint;
    ["tbreak"], "tbreak LOCATION [if CONDITION]", "the same, once", Prompt::set_once;
    ["watch"], "watch EXPRESSION", "stop when its value changes", Prompt::watch;
    ["delete", "d"], "delete [NUMBER]", "remove a breakpoint, or all", Prompt::delete;
    ["breakpoints", "info"], "breakpoints", "list them", Prompt::list_breakpoints;
    ["choose"], "choose [N]", "what a receive from anybody, before which a rank stands, may take; has it take the Nth of these", Prompt::choose;
    ["print", "p"], "print[/FORMAT] EXPRESSION", "a value on every rank; may assign, x = 5", Prompt::print;
    ["array"], "array NAME[LO..HI] [count EXPR] [from EXPR]", "an array of which every rank holds a part: equal blocks, or EXPR elements, the first at index EXPR", Prompt::array;
    ["bt", "where"], "bt [N]", "the stack", Prompt::backtrace;
    ["up"], "up [N]", "to the caller's frame", Prompt::up;
    ["down"], "down [N]", "back", Prompt::down;
    ["frame", "f"], "frame [N]", "a frame by its number in `bt`", Prompt::frame;
    ["list", "l"], "list [ARGUMENT]", "the source, as gdb does", Prompt::list;
    ["gdb"], "gdb COMMAND", "anything that gdb can do, on every rank in focus", Prompt::gdb;
    ["detach"], "detach", "remove all breakpoints and let the program run to its end", Prompt::detach;
    ["quit", "q"], "quit", "kill the program", Prompt::quit;
    ["help", "h"], "help", "this list", Prompt::help;
};

impl Prompt {
    /// Makes the prompt.
    pub fn new(mut session: Session, chooser: Option<Chooser>, terminal: bool) -> Prompt {
        if !terminal {
            session.end_when_interrupted();
        }
        Prompt {
            session,
            chooser,
            focus: Ranks::default(),
            breakpoints: Breakpoints::default(),
            terminal,
            prompted: false,
            last: String::new(),
            done: false,
        }
    }

    /// Serves until the job ends; returns how, or as if by SIGKILL if it was killed at the prompt. `wanted` debuggers are awaited, or one for each
    /// rank of the job; `kill` ends the launcher.
    pub fn serve(mut self, wanted: Option<usize>, kill: impl FnOnce()) -> Result<ExitStatus> {
        self.gather(wanted);
        while !self.done && !self.session.over() {
            self.tell_news();
            self.show_prompt();
            match self.session.next_line() {
                Some(Some(line)) => self.read(&line),
                Some(None) => self.quit(""),
                None => {}
            }
        }
        self.tell_news();
        end::end(&mut self.session, kill)
    }

    fn gather(&mut self, wanted: Option<usize>) {
        let waited = self.session.wait_for_all(wanted, PATIENCE);
        self.focus = self.session.all();
        if waited == Waited::Ended {
            return;
        }
        let here = &self.focus;
        let missing = match (
            waited,
            wanted.or(self.session.size().map(|size| size as usize)),
        ) {
            (Waited::Done, _) => String::new(),
            (_, Some(wanted)) => format!(", {} more did not come", wanted - here.len()),
            (_, None) => ", the launcher did not say how many there are".to_owned(),
        };
        self.say(format!(
            "ranks {here} are loaded under gdb{missing}; `run` starts them, `help` helps"
        ));
    }

    /// Reads a line and does what it says.
    fn read(&mut self, line: &str) {
        self.prompted = false;
        if !self.terminal {
            // Who reads the transcript of a script wants to see what was asked.
            self.say(format!("({}) {}", self.focus, line.trim_end()));
        }
        let line = match line.trim() {
            "" if self.terminal => self.last.clone(),
            line => line.to_owned(),
        };
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        let end = line
            .find(|c: char| c.is_whitespace() || c == '/')
            .unwrap_or(line.len());
        let (name, rest) = line.split_at(end);
        match ROWS.iter().find(|row| row.names.contains(&name)) {
            Some(row) => (row.obey)(self, rest.trim()),
            None => self.say(format!(
                "`{name}`: no such command; `help` lists them, `gdb COMMAND` asks gdb"
            )),
        }
        self.last = line;
    }

    fn show_prompt(&mut self) {
        if self.terminal && !self.prompted {
            let mut out = std::io::stdout();
            let _ = write!(out, "({}) ", self.focus).and_then(|()| out.flush());
            self.prompted = true;
        }
    }

    fn say(&mut self, text: impl std::fmt::Display) {
        let break_line = if std::mem::take(&mut self.prompted) {
            "\n"
        } else {
            ""
        };
        // If nobody reads there is nobody to tell.
        let _ = say::report(format!("{break_line}{text}"));
    }

    /// Says answers, equal ones once.
    fn say_answers(&mut self, answers: Vec<(u32, String)>) {
        if !answers.is_empty() {
            self.say(group::show(answers));
        }
    }

    /// Says which ranks have stopped or ended since this was last called, and where.
    fn tell_news(&mut self) {
        let news = self.session.take_news();
        if news.is_empty() {
            return;
        }
        let stacks = self.stacks(&news);
        self.select_own(&stacks);
        let lines = self.states(&news, &stacks);
        self.say_answers(lines);
        self.tell_offers(&stacks);
    }

    /// Selects the program's own frame where a rank stopped within a library.
    fn select_own(&mut self, stacks: &[(u32, Vec<Frame>)]) {
        let question = |(rank, stack): &(u32, Vec<Frame>)| {
            let own = stop::own(stack).filter(|own| *own > 0)?;
            Some((*rank, format!("-stack-select-frame {own}")))
        };
        let questions: Vec<_> = stacks.iter().filter_map(question).collect();
        self.session.ask(&questions);
    }

    /// Says of each rank how it fares.
    fn describe(&mut self, ranks: &Ranks) -> Vec<(u32, String)> {
        let stacks = self.stacks(ranks);
        self.states(ranks, &stacks)
    }

    fn stacks(&mut self, ranks: &Ranks) -> Vec<(u32, Vec<Frame>)> {
        let stopped = self
            .session
            .those(ranks, |state| matches!(state, State::Stopped(_)));
        self.session.stacks(&stopped)
    }

    fn states(&self, ranks: &Ranks, stacks: &[(u32, Vec<Frame>)]) -> Vec<(u32, String)> {
        let stack = |rank: u32| {
            let found = stacks.iter().find(|stack| stack.0 == rank);
            found.map_or(&[][..], |stack| &stack.1)
        };
        ranks
            .iter()
            .map(|rank| (rank, self.state(rank, stack(rank))))
            .collect()
    }

    fn state(&self, rank: u32, stack: &[Frame]) -> String {
        match self.session.state(rank) {
            State::Stopped(stop) => format!("{}{}", self.why(rank, stop), location(stack)),
            state => without_stack(state),
        }
    }

    fn why(&self, rank: u32, stop: &Stop) -> String {
        match &stop.reason {
            Reason::Breakpoint(number) => self.breakpoints.name(rank, *number) + ": ",
            Reason::Watchpoint(values) => format!("{values}: "),
            Reason::Signal(name) => format!("{name}: "),
            Reason::Finished(Some(value)) => format!("returned {value}: "),
            Reason::Halted => "halted: ".to_owned(),
            Reason::Asked => "the event of --stop-at: ".to_owned(),
            Reason::Other(reason) if !reason.is_empty() => format!("{reason}: "),
            _ => String::new(),
        }
    }

    /// Asks the ranks in focus that can answer; the others say why they cannot.
    fn ask(&mut self, question: &str) -> Vec<(u32, Result<Answer, String>)> {
        self.ask_each(
            self.focus
                .iter()
                .map(|rank| (rank, question.to_owned()))
                .collect(),
        )
    }

    /// Asks each rank its own question.
    fn ask_each(&mut self, questions: Vec<(u32, String)>) -> Vec<(u32, Result<Answer, String>)> {
        let able = self.able(&questions.iter().map(|question| question.0).collect());
        let (asked, others): (Vec<_>, Vec<_>) = questions
            .into_iter()
            .partition(|question| able.contains(question.0));
        let state = |(rank, _)| (rank, Err(without_stack(self.session.state(rank))));
        let mut answers: Vec<_> = others.into_iter().map(state).collect();
        let asked = self.session.ask(&asked);
        answers.extend(asked.into_iter().map(|(rank, answer)| (rank, Ok(answer))));
        answers.sort_by_key(|answer| answer.0);
        answers
    }

    /// Returns those of some ranks whose debugger has a program at rest.
    fn able(&self, ranks: &Ranks) -> Ranks {
        let able = |state: &State| matches!(state, State::Loaded | State::Stopped(_));
        self.session.those(ranks, able)
    }

    fn set_focus(&mut self, text: &str) {
        if !text.is_empty() {
            match Ranks::parse(text, &self.session.all()) {
                Ok(ranks) => self.focus = ranks,
                Err(error) => return self.say(error),
            }
        }
        self.say(format!("commands are for ranks {}", self.focus));
    }

    fn status(&mut self, _: &str) {
        let all = self.session.all();
        let lines = self.describe(&all);
        self.say_answers(lines);
    }

    fn quit(&mut self, _: &str) {
        self.done = true;
    }

    fn help(&mut self, _: &str) {
        let width = 34;
        let line = |row: &Row| format!("  {:width$} {}", row.usage, row.help);
        let lines: Vec<String> = ROWS.iter().map(line).collect();
        self.say(lines.join("\n"));
    }
}

fn without_stack(state: &State) -> String {
    match state {
        State::Loaded => "not started".to_owned(),
        State::Running => "running".to_owned(),
        State::Stopped(_) => "stopped".to_owned(),
        State::Exited(Ok(code)) => format!("exited with {code}"),
        State::Exited(Err(signal)) => format!("killed by {signal}"),
        State::Gone => "ended with the job".to_owned(),
    }
}

/// Says where a stack stands, with the line of source if it is at hand.
fn location(stack: &[Frame]) -> String {
    let place = stop::place(stack);
    let own = stop::own(stack).and_then(|own| stack.get(own));
    match own.and_then(source_line) {
        Some(line) => format!("{place}:  {line}"),
        None => place,
    }
}

fn source_line(frame: &Frame) -> Option<String> {
    let (_, number) = frame.source.as_ref()?;
    let text = std::fs::read_to_string(frame.path.as_ref()?).ok()?;
    let line = text.lines().nth(number.checked_sub(1)? as usize)?;
    Some(line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_commands_differ() {
        let mut names: Vec<&str> = ROWS.iter().flat_map(|row| row.names).copied().collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn usage_begins_with_the_name() {
        for row in ROWS {
            assert!(row.usage.starts_with(row.names[0]), "{}", row.usage);
        }
    }
}
