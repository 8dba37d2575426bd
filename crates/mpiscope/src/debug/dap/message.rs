//! Messages of the Debug Adapter Protocol, as far as a replay has use for them.
//!
//! Pure: a body in, a [`Request`] out; outcomes and news in, bodies out. A rank is a thread of the
//! protocol.

use serde_json::{json, Value};

use crate::debug::stop::Reason;

/// What an editor asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Its number.
    pub seq: i64,
    /// What is to be done.
    pub command: String,
    /// With what; null if with nothing.
    pub arguments: Value,
}

impl Request {
    /// Reads a body; nothing if it is a message that asks for nothing.
    pub fn read(body: &str) -> Result<Option<Request>, String> {
        let mut message: Value =
            serde_json::from_str(body).map_err(|error| format!("no JSON: {error}"))?;
        if message["type"] != "request" {
            return match message["type"].as_str() {
                Some(_) => Ok(None),
                None => Err("a message without type".into()),
            };
        }
        let seq = message["seq"].as_i64().ok_or("a request without seq")?;
        let command = message["command"].as_str();
        let command = command.ok_or("a request without command")?.to_owned();
        let arguments = message["arguments"].take();
        Ok(Some(Request {
            seq,
            command,
            arguments,
        }))
    }

    /// Returns the message that says what became of it.
    pub fn response(&self, outcome: Result<Value, String>) -> Value {
        let mut response = json!({
            "type": "response",
            "request_seq": self.seq,
            "command": self.command,
            "success": outcome.is_ok(),
        });
        match outcome {
            Ok(Value::Null) => {}
            Ok(body) => response["body"] = body,
            Err(reason) => {
                response["body"] = json!({ "error": { "id": 1, "format": braces(&reason) } });
                response["message"] = reason.into();
            }
        }
        response
    }
}

/// Texts of errors are patterns, in which braces hold names of variables. Those that the
/// specification has no other way to write become brackets.
fn braces(text: &str) -> String {
    text.replace('{', "(").replace('}', ")")
}

/// Returns a message that says what happened.
pub fn event(name: &str, body: Value) -> Value {
    json!({ "type": "event", "event": name, "body": body })
}

/// Returns the event of something written: `stdout`, `stderr`, or by us, `console`.
pub fn output(category: &str, text: &str) -> Value {
    event("output", json!({ "category": category, "output": text }))
}

/// Returns a rank's number as a thread. Editors take 0 for none.
pub fn thread(rank: u32) -> i64 {
    i64::from(rank) + 1
}

/// Returns the rank of a thread.
pub fn rank(thread: i64) -> Option<u32> {
    u32::try_from(thread.checked_sub(1)?).ok()
}

/// What is known of a breakpoint that was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Met {
    /// Its number to the editor; nothing if we have set it for ourselves.
    pub id: Option<i64>,
    /// What the editor calls its kind.
    pub word: &'static str,
}

/// Returns the event of a rank that stopped; `quietly` if the editor should not turn to it.
pub fn stopped(rank: u32, reason: &Reason, met: Option<Met>, quietly: bool) -> Value {
    let (word, text) = match (reason, met) {
        (Reason::Breakpoint(_), Some(met)) => (met.word, None),
        // One that was set in the console, by gdb's own command.
        (Reason::Breakpoint(_), None) => ("breakpoint", None),
        (Reason::Watchpoint(values), _) => ("data breakpoint", Some(values.clone())),
        (Reason::Step, _) | (Reason::Finished(None), _) => ("step", None),
        (Reason::Finished(Some(value)), _) => ("step", Some(format!("returned {value}"))),
        (Reason::Halted, _) => ("pause", None),
        (Reason::Asked, _) => ("breakpoint", Some("the event of --stop-at".to_owned())),
        (Reason::Signal(name), _) => ("exception", Some(name.clone())),
        // gdb gives no reason where it has left a function of a library.
        (Reason::Other(reason), _) if reason.is_empty() => ("step", None),
        (Reason::Other(reason), _) => ("pause", Some(reason.clone())),
        (Reason::Exited(_), _) => ("pause", None),
    };
    let mut body = json!({
        "reason": word,
        "threadId": thread(rank),
        "allThreadsStopped": false,
        "preserveFocusHint": quietly,
    });
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        body["description"] = text.clone().into();
        body["text"] = text.into();
    }
    if let Some(id) = met.and_then(|met| met.id) {
        body["hitBreakpointIds"] = json!([id]);
    }
    event("stopped", body)
}

/// Takes from the front of some bytes what is text, and leaves a character whose end has not come.
pub fn text(bytes: &mut Vec<u8>) -> String {
    let whole = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    };
    let rest = bytes.split_off(whole);
    let text = String::from_utf8_lossy(bytes).into_owned();
    *bytes = rest;
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};

    fn check(body: &str, expected: Expect) {
        expected.assert_eq(&match Request::read(body) {
            Ok(Some(it)) => format!("{} {} {}", it.seq, it.command, it.arguments),
            Ok(None) => "nothing".into(),
            Err(error) => format!("error: {error}"),
        });
    }

    #[test]
    fn a_request_has_number_command_and_arguments() {
        check(
            r#"{"seq":4,"type":"request","command":"next","arguments":{"threadId":2}}"#,
            expect![[r#"4 next {"threadId":2}"#]],
        );
        check(
            r#"{"seq":5,"type":"request","command":"threads"}"#,
            expect!["5 threads null"],
        );
        check(r#"{"seq":6,"type":"response"}"#, expect!["nothing"]);
    }

    #[test]
    fn what_is_no_request_is_named() {
        check(
            "{",
            expect!["error: no JSON: EOF while parsing an object at line 1 column 1"],
        );
        check("[]", expect!["error: a message without type"]);
        check(
            r#"{"type":"request"}"#,
            expect!["error: a request without seq"],
        );
        check(
            r#"{"type":"request","seq":1}"#,
            expect!["error: a request without command"],
        );
    }

    #[test]
    fn a_response_says_what_became_of_its_request() {
        let request = Request {
            seq: 7,
            command: "pause".into(),
            arguments: Value::Null,
        };
        let done = request.response(Ok(Value::Null)).to_string();
        expect![[r#"{"command":"pause","request_seq":7,"success":true,"type":"response"}"#]]
            .assert_eq(&done);
        let failed = request.response(Err("no {x}".into())).to_string();
        expect![[r#"{"body":{"error":{"format":"no (x)","id":1}},"command":"pause","message":"no {x}","request_seq":7,"success":false,"type":"response"}"#]].assert_eq(&failed);
    }

    #[test]
    fn a_stop_has_a_reason_and_a_rank() {
        let met = Met {
            id: Some(3),
            word: "breakpoint",
        };
        let stop = stopped(2, &Reason::Breakpoint(1), Some(met), true)["body"].to_string();
        expect![[r#"{"allThreadsStopped":false,"hitBreakpointIds":[3],"preserveFocusHint":true,"reason":"breakpoint","threadId":3}"#]].assert_eq(&stop);
        let stop = stopped(0, &Reason::Signal("SIGSEGV".into()), None, false)["body"].to_string();
        expect![[r#"{"allThreadsStopped":false,"description":"SIGSEGV","preserveFocusHint":false,"reason":"exception","text":"SIGSEGV","threadId":1}"#]].assert_eq(&stop);
        let reason = |reason| stopped(0, &reason, None, false)["body"]["reason"].clone();
        assert_eq!(reason(Reason::Breakpoint(9)), "breakpoint");
        assert_eq!(reason(Reason::Finished(None)), "step");
        assert_eq!(reason(Reason::Other(String::new())), "step");
        assert_eq!(reason(Reason::Halted), "pause");
    }

    #[test]
    fn threads_are_ranks() {
        assert_eq!(rank(thread(0)), Some(0));
        assert_eq!(rank(thread(u32::MAX)), Some(u32::MAX));
        for none in [0, -5, i64::MIN, i64::MAX] {
            assert_eq!(rank(none), None);
        }
    }

    #[test]
    fn characters_are_not_cut() {
        let mut bytes = b"a \xe2\x82".to_vec();
        assert_eq!(text(&mut bytes), "a ");
        assert_eq!(text(&mut bytes), "");
        bytes.push(0xac);
        assert_eq!(text(&mut bytes), "€");
        bytes.extend(b"\xff b");
        assert_eq!(text(&mut bytes), "\u{fffd} b");
        assert!(bytes.is_empty());
    }
}
