//! What an editor asks for, done with the debuggers of the ranks; what happens to them, told.

mod breakpoints;
mod look;
mod running;

use std::collections::BTreeSet;
use std::process::ExitStatus;
use std::time::Duration;

use anyhow::Result;
use serde_json::{json, Value};

use super::client::Client;
use super::handles::Handles;
use super::message::{self, event, output, thread, Met, Request};
use crate::debug::choose::Chooser;
use crate::debug::debuggee::State;
use crate::debug::end;
use crate::debug::mi::Fields;
use crate::debug::ranks::Ranks;
use crate::debug::session::{Session, Waited, PATIENCE};
use crate::debug::stop::Reason;
use crate::signals;

use breakpoints::Breakpoints;

/// The adapter and what it knows.
pub struct Adapter {
    session: Session,
    /// Nothing where no record leads.
    chooser: Option<Chooser>,
    client: Client,
    /// How many debuggers are awaited; one for each rank of the job if nothing is said.
    wanted: Option<usize>,
    breakpoints: Breakpoints,
    handles: Handles,
    /// Ranks of which the editor knows that they stand.
    standing: BTreeSet<u32>,
    /// What the editor calls the first line of a file.
    first_line: i64,
    /// Whether ranks stop where `main` begins, and those that have not come there.
    stop_on_entry: bool,
    entering: BTreeSet<u32>,
    /// What is to become of the program, if it is not to go on.
    leaving: Option<Leave>,
    /// Whether the editor has said its last word.
    gone: bool,
    /// Whether the program has ended.
    ended: bool,
}

/// What becomes of a program whose editor leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leave {
    Kill,
    LetRun,
}

type Outcome = Result<Value, String>;

/// A request: what it is called, what it does.
type Row = (&'static str, fn(&mut Adapter, &Value) -> Outcome);

const ROWS: &[Row] = &[
    ("initialize", Adapter::initialize),
    ("launch", Adapter::launch),
    ("attach", Adapter::launch),
    ("setBreakpoints", Adapter::set_breakpoints),
    ("setFunctionBreakpoints", Adapter::set_function_breakpoints),
    (
        "setExceptionBreakpoints",
        Adapter::set_exception_breakpoints,
    ),
    ("configurationDone", Adapter::start),
    ("threads", Adapter::threads),
    ("stackTrace", Adapter::stack_trace),
    ("scopes", Adapter::scopes),
    ("variables", Adapter::variables),
    ("evaluate", Adapter::evaluate),
    ("continue", Adapter::proceed),
    ("next", Adapter::next),
    ("stepIn", Adapter::step_in),
    ("stepOut", Adapter::step_out),
    ("pause", Adapter::pause),
    ("terminate", Adapter::terminate),
    ("disconnect", Adapter::disconnect),
];

/// Those that make sense when the program has ended.
const AFTERWARDS: [&str; 4] = ["initialize", "threads", "terminate", "disconnect"];

impl Adapter {
    /// Begins with an editor that may still have to come.
    pub fn new(
        mut session: Session,
        chooser: Option<Chooser>,
        client: Client,
        wanted: Option<usize>,
    ) -> Adapter {
        session.end_when_interrupted();
        Adapter {
            session,
            chooser,
            client,
            wanted,
            breakpoints: Breakpoints::default(),
            handles: Handles::default(),
            standing: BTreeSet::new(),
            first_line: 1,
            stop_on_entry: false,
            entering: BTreeSet::new(),
            leaving: None,
            gone: false,
            ended: false,
        }
    }

    /// Serves until the job ends; returns how, or as if by SIGKILL if it was killed.
    pub fn serve(&mut self, kill: impl FnOnce()) -> Result<ExitStatus> {
        while self.leaving.is_none() && !self.session.over() {
            self.tell_news();
            match self.session.next_line() {
                Some(Some(body)) => self.read(&body),
                Some(None) => {
                    self.leaving = Some(Leave::Kill);
                    self.gone = true;
                }
                None => {}
            }
        }
        self.tell_news();
        if self.leaving == Some(Leave::LetRun) {
            self.client.leave();
            let living = self.living();
            self.session.pause(&living);
            let able = |state: &State| matches!(state, State::Loaded | State::Stopped(_));
            let able = self.session.those(&living, able);
            self.session.clear(&able);
            end::let_run(&mut self.session);
        }
        end::end(&mut self.session, kill)
    }

    /// Tells how the job ended.
    pub fn tell_end(&mut self, status: ExitStatus) {
        self.ended = true;
        self.tell_news();
        let code = json!({ "exitCode": signals::exit_code(status) });
        self.client.event(event("exited", code));
    }

    /// Lets the editor go, and gives it some time to answer.
    pub fn let_go(mut self, patience: Duration) {
        self.client.event(event("terminated", json!({})));
        while !self.gone {
            match self.session.next_line_within(patience) {
                Some(Some(body)) => self.read(&body),
                Some(None) | None => return,
            }
        }
    }

    /// Reads a message and does what it says.
    fn read(&mut self, body: &str) {
        let request = match Request::read(body) {
            Ok(Some(request)) => request,
            Ok(None) => return,
            Err(error) => {
                let text = format!("error: the editor sent what is no request: {error}\n");
                self.client.event(output("important", &text));
                return;
            }
        };
        let outcome = self.obey(&request);
        self.tell_resumed();
        self.client.respond(request.response(outcome));
        if request.command == "initialize" {
            self.client.open();
        }
    }

    fn obey(&mut self, request: &Request) -> Outcome {
        let Request {
            command, arguments, ..
        } = request;
        let row = ROWS.iter().find(|row| row.0 == command);
        let (_, obey) = row.ok_or_else(|| format!("`{command}` is not served"))?;
        if self.ended && !AFTERWARDS.contains(&command.as_str()) {
            return Err("the program has ended".into());
        }
        obey(self, arguments)
    }

    fn initialize(&mut self, arguments: &Value) -> Outcome {
        self.first_line = i64::from(arguments["linesStartAt1"] != false);
        Ok(json!({
            "supportsConfigurationDoneRequest": true,
            "supportsFunctionBreakpoints": true,
            "supportsConditionalBreakpoints": true,
            "supportsEvaluateForHovers": true,
            "supportsSingleThreadExecutionRequests": true,
            "supportsTerminateRequest": true,
            "supportTerminateDebuggee": true,
        }))
    }

    /// The job is on its way; waits for its ranks.
    fn launch(&mut self, arguments: &Value) -> Outcome {
        self.stop_on_entry = ["stopOnEntry", "stopAtEntry"]
            .iter()
            .any(|name| arguments[name] == true);
        let waited = self.session.wait_for_all(self.wanted, PATIENCE);
        let all = self.session.all();
        if waited == Waited::Ended && all.is_empty() {
            return Err("the program ended before it could be debugged".into());
        }
        if waited == Waited::TooLong {
            let awaited = match self
                .wanted
                .or(self.session.size().map(|size| size as usize))
            {
                Some(wanted) => format!("{} more did not come", wanted.saturating_sub(all.len())),
                None => "the launcher did not say how many there are".to_owned(),
            };
            let text = format!("mpiscope: only ranks {all} are debugged: {awaited}\n");
            self.client.event(output("console", &text));
        }
        for rank in all.iter() {
            self.tell_thread(rank, "started");
        }
        self.client.event(event("initialized", json!({})));
        Ok(Value::Null)
    }

    fn set_exception_breakpoints(&mut self, _: &Value) -> Outcome {
        // There are none to choose from: signals always stop.
        Ok(json!({ "breakpoints": [] }))
    }

    fn threads(&mut self, _: &Value) -> Outcome {
        let all = self.session.all();
        let lives = |state: &State| !matches!(state, State::Exited(_) | State::Gone);
        let living = self.session.those(&all, lives);
        let named = |rank| json!({ "id": thread(rank), "name": format!("rank {rank}") });
        Ok(json!({ "threads": living.iter().map(named).collect::<Vec<_>>() }))
    }

    fn terminate(&mut self, _: &Value) -> Outcome {
        self.leaving = Some(Leave::Kill);
        Ok(Value::Null)
    }

    fn disconnect(&mut self, arguments: &Value) -> Outcome {
        self.gone = true;
        self.leaving = Some(match arguments["terminateDebuggee"] == false {
            true => Leave::LetRun,
            false => Leave::Kill,
        });
        Ok(Value::Null)
    }

    /// Tells which ranks have stopped or ended since this was last called.
    fn tell_news(&mut self) {
        for rank in self.session.take_news().iter() {
            match self.session.state(rank).clone() {
                State::Stopped(stop) => self.tell_stopped(rank, &stop.reason),
                State::Exited(end) => {
                    self.tell_exit(rank, &end);
                    self.tell_thread(rank, "exited");
                }
                State::Gone => self.tell_thread(rank, "exited"),
                State::Loaded | State::Running => {}
            }
        }
    }

    fn tell_stopped(&mut self, rank: u32, reason: &Reason) {
        let met = match reason {
            Reason::Breakpoint(number) => self.breakpoints.met(rank, *number),
            _ => None,
        };
        let entry = Met {
            id: None,
            word: "entry",
        };
        let met = met.or(self.entering.remove(&rank).then_some(entry));
        // The editor turns to whoever stopped first, and to what it asked for.
        let quietly = !self.standing.is_empty()
            && matches!(
                reason,
                Reason::Breakpoint(_) | Reason::Halted | Reason::Asked
            );
        self.standing.insert(rank);
        let stopped = message::stopped(rank, reason, met, quietly);
        self.client.event(stopped);
    }

    fn tell_exit(&self, rank: u32, end: &Result<u8, String>) {
        let text = match end {
            Ok(0) => return,
            Ok(code) => format!("mpiscope: rank {rank} exited with {code}\n"),
            Err(signal) => format!("mpiscope: rank {rank} was killed by {signal}\n"),
        };
        self.client.event(output("console", &text));
    }

    fn tell_thread(&mut self, rank: u32, reason: &str) {
        self.standing.remove(&rank);
        let body = json!({ "reason": reason, "threadId": thread(rank) });
        self.client.event(event("thread", body));
    }

    /// Tells which ranks run that the editor takes for standing.
    fn tell_resumed(&mut self) {
        let session = &self.session;
        let runs = |rank: &&u32| *session.state(**rank) == State::Running;
        let resumed: Vec<u32> = self.standing.iter().filter(runs).copied().collect();
        for rank in resumed {
            self.standing.remove(&rank);
            let body = json!({ "threadId": thread(rank), "allThreadsContinued": false });
            self.client.event(event("continued", body));
        }
    }

    /// Returns the rank that a request is about, if it stands.
    fn standing_rank(&self, arguments: &Value) -> Result<u32, String> {
        let id = arguments["threadId"].as_i64();
        let rank = id.and_then(message::rank).ok_or("threadId is missing")?;
        self.stands(rank).map(|()| rank)
    }

    fn stands(&self, rank: u32) -> Result<(), String> {
        let state = match self.session.state(rank) {
            State::Stopped(_) => return Ok(()),
            _ if !self.session.all().contains(rank) => "is not debugged",
            State::Loaded => "has not started",
            State::Running => "is running",
            State::Exited(_) | State::Gone => "has ended",
        };
        Err(format!("rank {rank} {state}"))
    }

    /// Asks one gdb.
    fn ask(&mut self, rank: u32, question: &str) -> Result<Fields, String> {
        let answers = self.session.ask(&[(rank, question.to_owned())]);
        let answer = answers.into_iter().next();
        answer.map_or_else(
            || Err(format!("the debugger of rank {rank} has gone")),
            |it| it.1.result,
        )
    }

    /// Returns the ranks whose state is one of a running or waiting program.
    fn living(&self) -> Ranks {
        let lives = |state: &State| !matches!(state, State::Exited(_) | State::Gone);
        self.session.those(&self.session.all(), lives)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_differ() {
        let names: BTreeSet<&str> = ROWS.iter().map(|row| row.0).collect();
        assert_eq!(names.len(), ROWS.len());
        assert!(AFTERWARDS.iter().all(|name| names.contains(name)));
    }
}
