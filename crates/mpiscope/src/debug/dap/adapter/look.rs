//! Requests that look at a rank that stands.

use std::path::Path;

use serde_json::{json, Value};

use super::{Adapter, Outcome};
use crate::debug::choose::NO_RECORD;
use crate::debug::dap::handles::Handle;
use crate::debug::mi::{quoted, Fields};
use crate::debug::ranks::Ranks;
use crate::debug::stop::{self, Frame};

/// Parts of a variable that are shown at most: what an editor lists in a moment.
const MOST_PARTS: usize = 1000;

/// How deep C++ groups the parts of a class: by access, below base classes.
const DEEPEST_GROUP: u32 = 4;

impl Adapter {
    /// Lists the frames from the MPI call on, if the program is in one: what MPI does within is
    /// seldom the question.
    pub(super) fn stack_trace(&mut self, arguments: &Value) -> Outcome {
        let rank = self.standing_rank(arguments)?;
        let stacks = self.session.stacks(&Ranks::from_iter([rank]));
        let frames = stacks.into_iter().next().map_or(Vec::new(), |it| it.1);
        let inside = stop::mpi(&frames).unwrap_or(0);
        let number = |name: &str| arguments[name].as_u64().map(|it| it as usize);
        let first = number("startFrame").unwrap_or(0);
        let levels = number("levels").filter(|levels| *levels > 0);
        let all = frames.iter().enumerate().skip(inside);
        let shown = all.skip(first).take(levels.unwrap_or(usize::MAX));
        let told: Vec<Value> = shown
            .map(|(level, frame)| self.frame(rank, level as u32, frame))
            .collect();
        Ok(json!({ "stackFrames": told, "totalFrames": frames.len() - inside }))
    }

    fn frame(&mut self, rank: u32, level: u32, frame: &Frame) -> Value {
        let name = frame.mpi_name().unwrap_or(&frame.function);
        let mut told = json!({
            "id": self.handles.add(rank, Handle::Frame(level)),
            "name": name,
            "line": 0,
            "column": 0,
        });
        match (&frame.source, &frame.path) {
            // The agent's own source is nobody's question.
            (Some((file, line)), path) if frame.mpi_name().is_none() => {
                told["line"] = (i64::from(*line) - 1 + self.first_line).into();
                told["source"] = json!({
                    "name": stop::base(file),
                    "path": path.as_ref().unwrap_or(file),
                });
            }
            _ => told["presentationHint"] = "subtle".into(),
        }
        if let Some(library) = frame.library.as_ref().filter(|_| told["source"].is_null()) {
            let library = Path::new(library).file_name().unwrap_or_default();
            told["name"] = match frame.mpi_name() {
                Some(name) => name.into(),
                None => format!("{name} in {}", library.to_string_lossy()).into(),
            };
        }
        told
    }

    pub(super) fn scopes(&mut self, arguments: &Value) -> Outcome {
        let id = arguments["frameId"].as_i64().ok_or("frameId is missing")?;
        // The number of a frame is that of its variables.
        self.resolve(id)?;
        Ok(json!({ "scopes": [{
            "name": "Locals",
            "presentationHint": "locals",
            "variablesReference": id,
            "expensive": false,
        }] }))
    }

    /// Lists the variables of a frame, or the parts of one.
    pub(super) fn variables(&mut self, arguments: &Value) -> Outcome {
        let id = arguments["variablesReference"].as_i64();
        let (rank, handle) = self.resolve(id.ok_or("variablesReference is missing")?)?;
        let variables = match handle {
            Handle::Frame(level) => self.locals(rank, level),
            Handle::Expression(level, expression) => self.unfold(rank, level, &expression),
            Handle::Object(name) => self.parts(rank, &name, DEEPEST_GROUP),
        };
        Ok(json!({ "variables": variables? }))
    }

    /// Finds what a number stands for, whose rank must stand.
    fn resolve(&self, id: i64) -> Result<(u32, Handle), String> {
        let found = self.handles.get(id);
        let (rank, handle) = found.ok_or("this was about an earlier stop")?;
        self.stands(rank).map(|()| (rank, handle))
    }

    fn select(&mut self, rank: u32, level: u32) -> Result<(), String> {
        self.ask(rank, &format!("-stack-select-frame {level}"))
            .map(drop)
    }

    fn locals(&mut self, rank: u32, level: u32) -> Result<Vec<Value>, String> {
        self.select(rank, level)?;
        // The first tells types, the second values of arrays and structures too, in one order.
        let types = self.ask(rank, "-stack-list-variables --simple-values")?;
        let values = self.ask(rank, "-stack-list-variables --all-values")?;
        let (types, values) = (types.tuples("variables"), values.tuples("variables"));
        let both = types.into_iter().zip(values);
        Ok(both
            .map(|(typed, valued)| {
                let text = |name| typed.text(name).unwrap_or_default();
                let value = valued.text("value").unwrap_or("?");
                // gdb calls no array or structure simple.
                let parts = typed.text("value").is_none() || is_address(value, text("type"));
                let reference = match parts {
                    true => self.expression(rank, level, text("name")),
                    false => 0,
                };
                json!({
                    "name": text("name"),
                    "value": value,
                    "type": text("type"),
                    "evaluateName": text("name"),
                    "variablesReference": reference,
                })
            })
            .collect())
    }

    fn expression(&mut self, rank: u32, level: u32, text: &str) -> i64 {
        self.handles
            .add(rank, Handle::Expression(level, text.to_owned()))
    }

    fn unfold(&mut self, rank: u32, level: u32, expression: &str) -> Result<Vec<Value>, String> {
        self.select(rank, level)?;
        let object = self.ask(rank, &format!("-var-create - * {}", quoted(expression)))?;
        let name = object.text("name").ok_or("gdb told no name")?;
        self.handles.keep(rank, name);
        self.parts(rank, name, DEEPEST_GROUP)
    }

    /// Lists the parts of a variable object.
    fn parts(&mut self, rank: u32, object: &str, depth: u32) -> Result<Vec<Value>, String> {
        let question = format!("-var-list-children --all-values {object} 0 {MOST_PARTS}");
        let answer = self.ask(rank, &question)?;
        let mut parts = Vec::new();
        for part in answer.tuples("children") {
            match part.text("type") {
                // `public` and its like have parts, but are none.
                None if depth > 0 => {
                    let name = part.text("name").unwrap_or_default();
                    parts.extend(self.parts(rank, name, depth - 1)?);
                }
                _ => parts.push(self.part(rank, part)),
            }
        }
        if answer.text("has_more") == Some("1") {
            let value = format!("more than {MOST_PARTS} parts: not shown");
            parts.push(json!({ "name": "…", "value": value, "variablesReference": 0 }));
        }
        Ok(parts)
    }

    fn part(&mut self, rank: u32, part: &Fields) -> Value {
        let text = |name| part.text(name).unwrap_or_default();
        let reference = match text("numchild") {
            "0" | "" => 0,
            _ => self
                .handles
                .add(rank, Handle::Object(text("name").to_owned())),
        };
        json!({
            "name": text("exp"),
            "value": text("value"),
            "type": text("type"),
            "variablesReference": reference,
        })
    }

    /// Evaluates an expression, which may assign; `gdb COMMAND` in the console is gdb's.
    pub(super) fn evaluate(&mut self, arguments: &Value) -> Outcome {
        let text = arguments["expression"].as_str();
        let text = text.ok_or("expression is missing")?.trim();
        let (rank, level) = match arguments["frameId"].as_i64() {
            Some(id) => match self.resolve(id)? {
                (rank, Handle::Frame(level)) => (rank, Some(level)),
                _ => return Err("frameId names no frame".into()),
            },
            None => (self.first_standing()?, None),
        };
        if let Some(level) = level {
            self.select(rank, level)?;
        }
        let (command, rest) = text.split_once(' ').unwrap_or((text, ""));
        if arguments["context"] == "repl" {
            match command {
                "gdb" => return self.console(rank, rest.trim()),
                "choose" => return self.choose(rank, rest.trim()),
                _ => {}
            }
        }
        let answer = self.ask(rank, &format!("-data-evaluate-expression {}", quoted(text)))?;
        let value = answer.text("value").unwrap_or_default();
        let reference = match level.filter(|_| value.starts_with('{') || is_address(value, "")) {
            Some(level) => self.expression(rank, level, text),
            None => 0,
        };
        Ok(json!({ "result": value, "variablesReference": reference }))
    }

    /// Lists what a receive from anybody may take, or has it take that.
    fn choose(&mut self, rank: u32, text: &str) -> Outcome {
        let chooser = self.chooser.as_mut().ok_or(NO_RECORD)?;
        let said = chooser.obey(&mut self.session, &Ranks::from_iter([rank]), text);
        let said: Vec<String> = said.into_iter().map(|it| it.1).collect();
        Ok(json!({ "result": said.join("\n"), "variablesReference": 0 }))
    }

    fn console(&mut self, rank: u32, command: &str) -> Outcome {
        let question = format!("-interpreter-exec console {}", quoted(command));
        let answers = self.session.ask(&[(rank, question)]);
        let answer = answers.into_iter().next().ok_or("the debugger has gone")?.1;
        answer.result?;
        Ok(json!({ "result": answer.console.trim_end(), "variablesReference": 0 }))
    }

    fn first_standing(&self) -> Result<u32, String> {
        let first = self.standing.first().copied();
        first.ok_or_else(|| "no rank has stopped".to_owned())
    }
}

/// Returns whether a value is an address behind which there is something to show.
fn is_address(value: &str, of_type: &str) -> bool {
    let nowhere = value == "0x0" || of_type.starts_with("void *") || value.contains(['<', '"']);
    value.starts_with("0x") && !nowhere
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn only_what_leads_somewhere_can_be_unfolded() {
        assert!(is_address("0x7ffe1234", "struct grid *"));
        assert!(!is_address("0x0", "struct grid *"));
        assert!(!is_address("0x7ffe1234", "void *"));
        assert!(!is_address("0x55550000 <main>", "int (*)(void)"));
        assert!(!is_address("0x55550000 \"text\"", "char *"));
        assert!(!is_address("12", "int"));
    }
}
