//! Replays debugged by an editor: the test is one, and speaks the Debug Adapter Protocol through
//! standard input and output, or through a port. It waits for what it expects, so that nothing
//! depends on speed.
#![forbid(unsafe_code)]

mod common;

use std::cell::{Cell, RefCell};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use common::process::{self, Running};
use common::{matrix, mpi, mpiscope, workspace, Case, Done, Trial};
use serde_json::{json, Value};

const PROGRAM: &str = "tests/mpi/edited.c";
const TESTS: [&str; 4] = ["port", "look", "leave", "damage"];

/// Much more than anything takes that is waited for here.
const LIMIT: Duration = Duration::from_secs(120);

/// A recorded run, to be replayed.
struct Recorded {
    trial: Trial,
    /// What the program printed: who came.
    printed: String,
}

impl Recorded {
    fn new(case: Case) -> Option<Recorded> {
        Recorded::ending(case, 0)
    }

    /// Records the program, which ends with a code; nothing without gdb.
    fn ending(case: Case, code: i32) -> Option<Recorded> {
        if !mpi::is_command("gdb") {
            common::missing("no gdb");
            return None;
        }
        let trial = Trial::new(case, PROGRAM)?;
        let trial = match code {
            0 => trial,
            _ => trial.arguments(&[code]),
        };
        let mut record = trial.command(mpiscope());
        record.args(["record", "-o", "run", "--"]);
        let done = process::run(record.args(trial.line(&[])));
        let printed = done.out.lines().find(|line| line.ends_with(" came"));
        let printed = printed.unwrap().to_owned();
        Some(Recorded { trial, printed })
    }

    fn command(&self, options: &[&str]) -> Command {
        let mut command = self.trial.command(mpiscope());
        command.args(["replay", "run"]).args(options).arg("--");
        command.args(self.trial.line(&[]));
        command
    }

    /// Starts a replay that an editor talks to through standard input and output.
    fn edited(&self, options: &[&str]) -> Editor {
        let options = [&["--dap"], options].concat();
        let (running, keyboard) = process::start_typing(&mut self.command(&options), "");
        let end = keyboard.try_clone().unwrap();
        Editor::new(running, Box::new(keyboard), Heard::Standard).keeping(end)
    }

    /// Starts a replay that an editor connects to.
    fn connected(&self) -> Editor {
        let running = process::start(&mut self.command(&["--dap", "0"]));
        let errors = running.wait_for_error("an editor at 127.0.0.1:");
        let line = errors.lines().find(|line| line.contains("an editor at"));
        let address = line.unwrap().rsplit(' ').next().unwrap();
        let stream = TcpStream::connect(address).unwrap();
        let reader = stream.try_clone().unwrap();
        reader
            .set_read_timeout(Some(Duration::from_millis(50)))
            .unwrap();
        Editor::new(running, Box::new(stream), Heard::Port(reader))
    }
}

/// Where an editor hears the adapter.
enum Heard {
    Standard,
    Port(TcpStream),
}

/// An editor: what it has said and heard.
struct Editor {
    running: Running,
    speech: RefCell<Box<dyn Write>>,
    /// Closed, the adapter's input has ended.
    end: Option<std::os::unix::net::UnixStream>,
    heard: Heard,
    bytes: RefCell<Vec<u8>>,
    /// Bytes that have been read as messages.
    read: Cell<usize>,
    messages: RefCell<Vec<Value>>,
    seq: Cell<i64>,
}

impl Editor {
    fn new(running: Running, speech: Box<dyn Write>, heard: Heard) -> Editor {
        Editor {
            running,
            speech: RefCell::new(speech),
            end: None,
            heard,
            bytes: RefCell::default(),
            read: Cell::new(0),
            messages: RefCell::default(),
            seq: Cell::new(0),
        }
    }

    fn keeping(mut self, end: std::os::unix::net::UnixStream) -> Editor {
        self.end = Some(end);
        self
    }

    fn write(&self, bytes: &[u8]) {
        self.speech.borrow_mut().write_all(bytes).unwrap();
    }

    fn say(&self, body: &Value) {
        let body = body.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// Sends a request; returns the response.
    #[track_caller]
    fn ask(&self, command: &str, arguments: Value) -> Value {
        let seq = self.seq.get() + 1;
        self.seq.set(seq);
        let kind = "request";
        self.say(&json!({ "seq": seq, "type": kind, "command": command, "arguments": arguments }));
        let ours = |message: &Value| message["request_seq"] == seq;
        self.wait(command, ours)
    }

    /// Sends a request that succeeds; returns the body of the response.
    #[track_caller]
    fn request(&self, command: &str, arguments: Value) -> Value {
        let mut response = self.ask(command, arguments);
        assert_eq!(response["success"], true, "{response}");
        response["body"].take()
    }

    /// Sends a request that fails; returns why.
    #[track_caller]
    fn refused(&self, command: &str, arguments: Value) -> String {
        let response = self.ask(command, arguments);
        assert_eq!(response["success"], false, "{response}");
        response["message"].as_str().unwrap().to_owned()
    }

    /// Waits for an event; returns its body.
    #[track_caller]
    fn event(&self, name: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let found = |message: &Value| message["event"] == name && is_it(&message["body"]);
        self.wait(name, found)["body"].take()
    }

    /// Waits until a rank stops, for a reason.
    #[track_caller]
    fn stop(&self, rank: u32, reason: &str) -> Value {
        let stop = self.event("stopped", |body| body["threadId"] == rank + 1);
        assert_eq!(stop["reason"], reason, "{stop}");
        stop
    }

    /// Waits for a message, and takes it out of those that were heard.
    #[track_caller]
    fn wait(&self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let begin = Instant::now();
        loop {
            let at = self.messages.borrow().iter().position(&is_it);
            if let Some(at) = at {
                return self.messages.borrow_mut().remove(at);
            }
            let heard = self.messages.borrow();
            assert!(begin.elapsed() < LIMIT, "no {what} in {heard:#?}");
            drop(heard);
            self.hear();
        }
    }

    /// Reads what has come.
    fn hear(&self) {
        let mut bytes = self.bytes.borrow_mut();
        match &self.heard {
            Heard::Standard => {
                std::thread::sleep(Duration::from_millis(10));
                *bytes = self.running.so_far().into_bytes();
            }
            Heard::Port(stream) => {
                let mut some = [0; 4096];
                let length = { stream }.read(&mut some).unwrap_or(0);
                bytes.extend_from_slice(&some[..length]);
            }
        }
        while let Some((message, length)) = message(&bytes[self.read.get()..]) {
            self.read.set(self.read.get() + length);
            self.messages.borrow_mut().push(message);
        }
    }

    /// Begins a session, up to where breakpoints are set.
    #[track_caller]
    fn begin(&self, launch: Value) {
        let capabilities = self.request("initialize", json!({ "adapterID": "test" }));
        assert_eq!(capabilities["supportsConfigurationDoneRequest"], true);
        self.request("launch", launch);
        self.event("initialized", |_| true);
    }

    /// Sets breakpoints at lines of the program.
    #[track_caller]
    fn break_at(&self, lines: &[u32]) -> Value {
        let path = workspace().join(PROGRAM);
        let lines: Vec<Value> = lines.iter().map(|line| json!({ "line": line })).collect();
        let arguments = json!({ "source": { "path": path }, "breakpoints": lines });
        self.request("setBreakpoints", arguments)["breakpoints"].take()
    }

    /// Returns the innermost frame of a rank.
    #[track_caller]
    fn frame(&self, rank: u32) -> Value {
        let stack = self.request("stackTrace", json!({ "threadId": rank + 1 }));
        stack["stackFrames"][0].clone()
    }

    #[track_caller]
    fn evaluate(&self, frame: &Value, expression: &str) -> Value {
        let arguments = json!({ "expression": expression, "frameId": frame["id"] });
        self.request("evaluate", arguments)["result"].take()
    }

    /// Returns value and number of a variable of a frame.
    #[track_caller]
    fn local(&self, frame: &Value, name: &str) -> (String, Value) {
        let scopes = self.request("scopes", json!({ "frameId": frame["id"] }));
        let of_scope = scopes["scopes"][0]["variablesReference"].clone();
        let variables = self.variables(&of_scope);
        let found = variables.iter().find(|one| one["name"] == name);
        let found = found.unwrap_or_else(|| panic!("no {name} in {variables:#?}"));
        let value = found["value"].as_str().unwrap().to_owned();
        (value, found["variablesReference"].clone())
    }

    #[track_caller]
    fn variables(&self, reference: &Value) -> Vec<Value> {
        let found = self.request("variables", json!({ "variablesReference": reference }));
        found["variables"].as_array().unwrap().clone()
    }

    /// Waits for the program's end; returns its code and what it printed.
    #[track_caller]
    fn exit(&self) -> (i64, String) {
        let code = self.event("exited", |_| true)["exitCode"].as_i64().unwrap();
        self.event("terminated", |_| true);
        (code, self.output("stdout"))
    }

    /// Returns what was written so far.
    fn output(&self, category: &str) -> String {
        let messages = self.messages.borrow();
        let of = |message: &&Value| message["body"]["category"] == category;
        let text = |message: &Value| message["body"]["output"].as_str().unwrap().to_owned();
        messages.iter().filter(of).map(text).collect()
    }

    /// Lets the adapter end; returns how it did.
    #[track_caller]
    fn leave(self) -> Done {
        self.request("disconnect", json!({}));
        self.running.wait()
    }
}

/// Reads a message at the front of some bytes; returns its length, too.
fn message(bytes: &[u8]) -> Option<(Value, usize)> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (header, rest) = text.split_once("\r\n\r\n")?;
    let length: usize = header
        .strip_prefix("Content-Length: ")
        .unwrap()
        .parse()
        .unwrap();
    let body = rest.get(..length)?;
    let message = serde_json::from_str(body).unwrap();
    Some((message, header.len() + 4 + length))
}

/// Returns some fields of a message.
fn fields(message: &Value, names: [&str; 2]) -> Value {
    json!(names.map(|name| &message[name]))
}

fn sampled(test: &str) -> Vec<Case> {
    matrix::cases(&TESTS, test, &[2])
}

#[test]
fn ranks_are_threads_that_stop_step_and_are_looked_at() {
    for case in matrix::all(&[2]) {
        let Some(recorded) = Recorded::new(case) else {
            return;
        };
        let editor = recorded.edited(&[]);
        editor.begin(json!({}));
        let set = editor.break_at(&[29, 99999]);
        assert_eq!(fields(&set[0], ["verified", "line"]), json!([true, 29]));
        assert_eq!(set[1]["verified"], false, "{set}");
        editor.request("configurationDone", json!({}));
        for rank in 0..2 {
            let stop = editor.stop(rank, "breakpoint");
            assert_eq!(stop["hitBreakpointIds"][0], set[0]["id"], "{stop}");
        }
        let threads = editor.request("threads", json!({}));
        let expected = json!([{ "id": 1, "name": "rank 0" }, { "id": 2, "name": "rank 1" }]);
        assert_eq!(threads["threads"], expected);
        for rank in 0..2 {
            let frame = editor.frame(rank);
            assert_eq!(fields(&frame, ["name", "line"]), json!(["main", 29]));
            assert_eq!(
                editor.local(&frame, "number").0,
                ["42", "142"][rank as usize]
            );
        }

        // A step is for one rank; the other stands.
        editor.request("next", json!({ "threadId": 1 }));
        editor.stop(0, "step");
        assert_eq!(editor.evaluate(&editor.frame(0), "number"), "43");
        assert_eq!(editor.evaluate(&editor.frame(1), "number"), "142");

        // To go on is for all; rank 1 is shown where it calls MPI, and a step leads back.
        let functions = json!([{ "name": "receive" }, { "name": "MPI_Send", "condition": "1" }]);
        editor.request(
            "setFunctionBreakpoints",
            json!({ "breakpoints": functions }),
        );
        editor.request("continue", json!({ "threadId": 1 }));
        editor.stop(0, "function breakpoint");
        editor.stop(1, "function breakpoint");
        assert_eq!(editor.frame(0)["name"], "receive");
        let stack = editor.request("stackTrace", json!({ "threadId": 2 }));
        let [call, caller] = [0, 1].map(|at| &stack["stackFrames"][at]);
        assert_eq!(call["name"], "MPI_Send", "{stack}");
        assert_eq!(fields(caller, ["name", "line"]), json!(["main", 33]));
        editor.request("next", json!({ "threadId": 2 }));
        editor.stop(1, "step");
        assert_eq!(editor.frame(1)["name"], "main");

        // Breakpoints are set in a rank that runs, too.
        editor.request("continue", json!({ "threadId": 2, "singleThread": true }));
        editor.break_at(&[17]);
        editor.request("continue", json!({ "threadId": 1, "singleThread": true }));
        editor.stop(0, "breakpoint");
        let frame = editor.frame(0);
        assert_eq!(fields(&frame, ["name", "line"]), json!(["receive", 17]));
        assert_eq!(editor.evaluate(&frame, "from"), "1");
        editor.request("stepOut", json!({ "threadId": 1 }));
        editor.stop(0, "step");
        assert_eq!(editor.frame(0)["name"], "main");
        editor.request("continue", json!({ "threadId": 1 }));
        let (code, printed) = editor.exit();
        assert_eq!((code, printed.trim()), (0, recorded.printed.as_str()));
        // How it went is told before the end.
        let told = editor.output("console");
        assert!(told.contains("replayed as recorded"), "{told}");
        editor.leave().check(0, &[]);
    }
}

#[test]
fn an_editor_connects_to_a_port_and_the_programs_exit_code_is_told() {
    for case in sampled("port") {
        let Some(recorded) = Recorded::ending(case, 3) else {
            return;
        };
        let editor = recorded.connected();
        editor.begin(json!({ "stopAtEntry": true }));
        editor.request("configurationDone", json!({}));
        for rank in 0..2 {
            editor.stop(rank, "entry");
            assert_eq!(editor.frame(rank)["name"], "main");
        }
        editor.request("continue", json!({ "threadId": 1 }));
        let (code, printed) = editor.exit();
        assert_eq!((code, printed.trim()), (3, recorded.printed.as_str()));
        editor.leave().check(3, &["replayed as recorded"]);
    }
}

#[test]
fn what_can_be_unfolded_is_and_what_is_wrong_is_said() {
    for case in sampled("look") {
        let Some(recorded) = Recorded::new(case) else {
            return;
        };
        // Only rank 1 is debugged.
        let editor = recorded.edited(&["--gdb", "1"]);
        editor.begin(json!({}));
        let early = editor.refused("stackTrace", json!({ "threadId": 2 }));
        assert_eq!(early, "rank 1 has not started");
        editor.break_at(&[29]);
        editor.request("configurationDone", json!({}));
        editor.stop(1, "breakpoint");
        let frame = editor.frame(1);
        assert_eq!(editor.evaluate(&frame, "number = 7"), "7");
        assert_eq!(editor.local(&frame, "number").0, "7");
        // A structure, and a pointer to it.
        let (shown, cell) = editor.local(&frame, "cell");
        assert_eq!(shown, "{owner = 1, side = {0, 1.5}}");
        let (_, here) = editor.local(&frame, "here");
        for parts in [cell, here].map(|reference| editor.variables(&reference)) {
            assert_eq!(fields(&parts[0], ["name", "value"]), json!(["owner", "1"]));
            let side = editor.variables(&parts[1]["variablesReference"]);
            assert_eq!(fields(&side[1], ["name", "value"]), json!(["1", "1.5"]));
        }
        let console =
            json!({ "expression": "gdb print 6 * 7", "context": "repl", "frameId": frame["id"] });
        let console = editor.request("evaluate", console);
        assert!(
            console["result"].as_str().unwrap().ends_with("= 42"),
            "{console}"
        );

        let refused = |command: &str, arguments: Value, why: &str| {
            let told = editor.refused(command, arguments);
            assert!(told.contains(why), "{told}");
        };
        let wrong = json!({ "expression": "no_such", "frameId": frame["id"] });
        refused("evaluate", wrong, "No symbol");
        refused("evaluate", json!({}), "expression is missing");
        refused(
            "stackTrace",
            json!({ "threadId": 1 }),
            "rank 0 is not debugged",
        );
        refused("next", json!({ "threadId": -1 }), "threadId is missing");
        refused(
            "variables",
            json!({ "variablesReference": 4711 }),
            "an earlier stop",
        );
        refused("setBreakpoints", json!({}), "by their path");
        refused("restartFrame", json!({}), "`restartFrame` is not served");
        editor.break_at(&[]);
        editor.request("next", json!({ "threadId": 2 }));
        editor.stop(1, "step");
        refused(
            "scopes",
            json!({ "frameId": frame["id"] }),
            "an earlier stop",
        );
        editor.request("continue", json!({ "threadId": 2 }));
        assert_eq!(editor.exit().0, 0);
        editor.leave().check(0, &[]);
    }
}

#[test]
fn an_editor_that_leaves_ends_the_program_or_lets_it_run() {
    for case in sampled("leave") {
        let Some(recorded) = Recorded::new(case) else {
            return;
        };
        let stopped = || {
            let editor = recorded.edited(&[]);
            editor.begin(json!({}));
            editor.break_at(&[29]);
            editor.request("configurationDone", json!({}));
            editor.stop(0, "breakpoint");
            editor
        };
        let done = stopped().leave();
        assert_eq!(done.code, 137, "{done:#?}");
        assert!(done.out.contains("killed by the editor"), "{done:#?}");

        let editor = stopped();
        editor.request("disconnect", json!({ "terminateDebuggee": false }));
        let done = editor.running.wait();
        assert_eq!(done.code, 0, "{done:#?}");
        assert!(done.out.contains(&recorded.printed), "{done:#?}");

        // One that ends the program hears of it, and leaves then.
        let editor = stopped();
        editor.request("terminate", json!({}));
        assert_eq!(editor.exit().0, 137);
        editor.leave().check(137, &[]);

        // One that crashes says nothing.
        let editor = stopped();
        let Editor {
            running,
            speech,
            end,
            ..
        } = editor;
        drop((speech, end));
        running.wait().check(137, &[]);
    }
}

#[test]
fn damage_is_said_and_ends_the_program() {
    for case in sampled("damage") {
        let Some(recorded) = Recorded::new(case) else {
            return;
        };
        let editor = recorded.edited(&[]);
        editor.begin(json!({}));
        // What is no request has no answer, but hurts nobody.
        editor.write(b"Content-Length: 1\r\n\r\n{");
        let told = editor.event("output", |body| body["category"] == "important");
        assert!(
            told["output"].as_str().unwrap().contains("no JSON"),
            "{told}"
        );
        editor.request("threads", json!({}));
        editor.write(b"GET / HTTP/1.1\r\n\r\n");
        let damage = "what the editor says is damaged: `GET / HTTP/1.1`";
        let is_it = |body: &Value| {
            body["output"]
                .as_str()
                .is_some_and(|it| it.contains(damage))
        };
        editor.event("output", is_it);
        editor.running.wait().check(137, &[]);

        let mut taken = recorded.command(&["--dap", "x"]);
        process::run(&mut taken).check(2, &["a port is expected"]);
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        let mut taken = recorded.command(&["--dap", &port]);
        process::run(&mut taken).check(2, &["cannot listen at 127.0.0.1:"]);
    }
}
