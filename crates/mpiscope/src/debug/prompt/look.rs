//! Commands that look at the program.

use std::ops::Range;

use super::Prompt;
use crate::debug::array::{self, ArrayRequest};
use crate::debug::debuggee::Answer;
use crate::debug::mi::quoted;
use crate::debug::stop;

impl Prompt {
    pub(super) fn print(&mut self, text: &str) {
        let answers = self.console(&format!(
            "print{}{text}",
            if text.starts_with('/') { "" } else { " " }
        ));
        self.say_answers(answers);
    }

    pub(super) fn list(&mut self, text: &str) {
        self.gdb(&format!("list {text}"));
    }

    pub(super) fn gdb(&mut self, text: &str) {
        let answers = self.console(text);
        self.say_answers(answers);
    }

    pub(super) fn up(&mut self, text: &str) {
        self.select(&format!("up {text}"));
    }

    pub(super) fn down(&mut self, text: &str) {
        self.select(&format!("down {text}"));
    }

    pub(super) fn frame(&mut self, text: &str) {
        self.select(&format!("frame {text}"));
    }

    /// Chooses a frame and says which it is.
    fn select(&mut self, command: &str) {
        let chosen = self.ask(&in_console(command.trim()));
        let frames = self.ask("-stack-info-frame");
        let answers = chosen
            .into_iter()
            .zip(frames)
            .map(|((rank, chosen), (_, frame))| {
                let text = chosen
                    .and_then(|answer| answer.result)
                    .and_then(|_| shown(frame?));
                (rank, text.unwrap_or_else(|error| error))
            });
        let answers = answers.collect();
        self.say_answers(answers);
    }

    pub(super) fn backtrace(&mut self, text: &str) {
        let depth = match text.parse::<u32>() {
            Ok(depth) => depth.saturating_sub(1),
            Err(_) if text.is_empty() => 99,
            Err(_) => return self.say(format!("`{text}`: a number of frames is expected")),
        };
        let answers = self.ask(&format!("-stack-list-frames 0 {depth}"));
        let stack = |answer: Result<Answer, String>| {
            let fields = answer?.result?;
            let frames: Vec<_> = fields
                .tuples("stack")
                .into_iter()
                .map(stop::frame)
                .collect();
            // What MPI does within a call differs from rank to rank, and is seldom the question.
            let inside = stop::mpi(&frames).unwrap_or(0);
            let lines = frames.iter().enumerate().skip(inside);
            let lines: Vec<_> = lines
                .map(|(at, frame)| format!("#{at} {}", frame.show()))
                .collect();
            Ok(lines.join("\n"))
        };
        let text = |answer| stack(answer).unwrap_or_else(|error: String| error);
        let answers = answers
            .into_iter()
            .map(|(rank, answer)| (rank, text(answer)))
            .collect();
        self.say_answers(answers);
    }

    pub(super) fn array(&mut self, text: &str) {
        let request = match array::parse(text) {
            Ok(request) => request,
            Err(error) => return self.say(error),
        };
        let held = match &request.count {
            None => Ok(request.blocks(self.focus.len())),
            Some(count) => self.counts(count).map(|counts| request.counted(counts)),
        };
        match held {
            Err(answers) => self.say_answers(answers),
            Ok(held) => self.show_parts(&request, &held),
        }
    }

    /// Asks each rank in focus for its number of elements; returns all answers if one is none.
    fn counts(&mut self, count: &str) -> Result<Vec<i64>, Vec<(u32, String)>> {
        let answers = self.console(&format!("print {count}"));
        let counts: Option<Vec<i64>> = answers.iter().map(|answer| answer.1.parse().ok()).collect();
        counts.ok_or(answers)
    }

    fn show_parts(&mut self, request: &ArrayRequest, held: &[Range<i64>]) {
        let options = "-elements unlimited -repeats unlimited";
        let parts: Vec<(u32, Range<i64>)> = self.focus.iter().zip(held.iter().cloned()).collect();
        let shown = parts
            .iter()
            .filter(|(_, held)| !request.shown(held).is_empty());
        let question = |(rank, held): &(u32, Range<i64>)| {
            let command = format!("print {options} -- {}", request.expression(held));
            (*rank, in_console(&command))
        };
        let answers = self.ask_each(shown.map(question).collect());
        let line = |(rank, answer): (u32, _)| {
            let held = parts.iter().find(|part| part.0 == rank);
            let shown = held.map_or(0..0, |(_, held)| request.shown(held));
            request.line(rank, &shown, &printed(answer))
        };
        let lines: Vec<String> = answers.into_iter().map(line).collect();
        self.say(lines.join("\n"));
    }

    /// Gives the ranks in focus a command of gdb's; returns what it printed.
    fn console(&mut self, command: &str) -> Vec<(u32, String)> {
        let answers = self.ask(&in_console(command));
        answers
            .into_iter()
            .map(|(rank, answer)| (rank, printed(answer)))
            .collect()
    }
}

fn printed(answer: Result<Answer, String>) -> String {
    match answer {
        Ok(Answer {
            console,
            result: Ok(_),
        }) => value(&console),
        Ok(Answer {
            result: Err(error), ..
        })
        | Err(error) => error,
    }
}

fn in_console(command: &str) -> String {
    format!("-interpreter-exec console {}", quoted(command))
}

fn shown(answer: Answer) -> Result<String, String> {
    let fields = answer.result?;
    let frame = fields.tuple("frame").ok_or("no frame")?;
    let level = frame.text("level").unwrap_or("0");
    Ok(format!("#{level} {}", stop::frame(frame).show()))
}

/// Takes the history's number off: `$3 = 5`.
fn value(printed: &str) -> String {
    let text = printed.trim_end();
    let number = text
        .strip_prefix('$')
        .and_then(|rest| rest.split_once(" = "));
    let value = number.filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
    value.map_or(text, |(_, value)| value).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lose_their_number_in_the_history() {
        assert_eq!(value("$12 = {x = 5}\n"), "{x = 5}");
        assert_eq!(value("$x = 5\n"), "$x = 5");
        assert_eq!(value("a = b\n"), "a = b");
    }
}
