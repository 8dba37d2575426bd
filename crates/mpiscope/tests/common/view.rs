//! A running `mpiscope view`, and how to ask it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use base64::prelude::{Engine, BASE64_STANDARD};
use miniz_oxide::inflate::decompress_to_vec_zlib;
use mpiscope_archive::model::Trace;
use mpiscope_archive::write::write_trace;
use rustix::process::Signal;
use serde_json::Value;

use super::process::{self, Done, Running};

/// Returns a command of mpiscope in some place.
pub fn command(place: &Path, line: &str) -> Command {
    let mut command = Command::new(super::mpiscope());
    command.current_dir(place).args(line.split(' '));
    command
}

/// Runs a command of mpiscope that succeeds.
#[track_caller]
pub fn done(place: &Path, line: &str) -> Done {
    let done = process::run(&mut command(place, line));
    done.check(0, &[]);
    done
}

/// Makes `mix.mpiscope`, a simulated run with wrong clocks, and corrects it.
pub fn simulated() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let made = "simulate mix -n 8 --hosts 4 --iterations 10 -o mix.mpiscope";
    done(place.path(), made);
    done(place.path(), "sync mix.mpiscope");
    place
}

/// Returns what a report answers to each question.
pub fn answers(report: &Path) -> BTreeMap<String, Vec<u8>> {
    let html = fs::read_to_string(report).unwrap();
    let begin = "<script type=\"application/json\" id=\"answers\">";
    let (_, behind) = html.split_once(begin).unwrap();
    let (json, _) = behind.split_once("</script>").unwrap();
    let packed: BTreeMap<String, String> = serde_json::from_str(json).unwrap();
    let opened = |packed: &String| {
        let bytes = BASE64_STANDARD.decode(packed).unwrap();
        decompress_to_vec_zlib(&bytes).unwrap()
    };
    packed
        .iter()
        .map(|(question, packed)| (question.clone(), opened(packed)))
        .collect()
}

/// The name of a region that would break a page which takes it for markup.
pub const MARKUP: &str = "</script><img src=x onerror=\"document.title='broken'\">&amp;${1}";

/// Writes an archive by itself, and returns the path of its anchor.
#[track_caller]
pub fn written(place: &Path, name: &str, trace: &Trace) -> PathBuf {
    let folder = place.join(name);
    write_trace(trace, &folder, &[]).unwrap();
    folder.join("traces.otf2")
}

/// Writes archives that are odd, and good: anchors, and how many rows with events of their own each
/// has.
pub fn odd(place: &Path) -> Vec<(PathBuf, usize)> {
    let pictures = [
        ("one-event", "0: 5", 1),
        ("silent", "0: 1 enter(work) 9 leave(work)\n1:", 2),
        (
            "long",
            "0: 0 enter(MPI_Send) 5 send>1 1000000000000000000 leave(MPI_Send)
             1: 0 enter(MPI_Recv) 999999999999999990 recv<0 1000000000000000000 leave(MPI_Recv)",
            2,
        ),
        ("markup", "0: 1 enter(work) 9 leave(work)", 1),
    ];
    let written = pictures.map(|(name, picture, rows)| {
        let mut trace = Trace::parse(picture).unwrap();
        if name == "markup" {
            let work = trace
                .definitions
                .regions
                .iter_mut()
                .find(|it| it.name == "work");
            work.unwrap().name = MARKUP.into();
        }
        (written(place, name, &trace), rows)
    });
    written.into()
}

/// A command that shows something at a port.
pub struct View {
    running: Running,
    port: u16,
    /// What it is asked with.
    pub token: String,
}

impl View {
    /// Starts the command and waits until it says where it is.
    #[track_caller]
    pub fn start(place: &Path, line: &str) -> View {
        View::of(process::start(&mut command(place, line)))
    }

    /// Does the same beside a program that runs.
    #[track_caller]
    pub fn start_beside(place: &Path, line: &str, program: &Running) -> View {
        View::of(process::start_beside(&mut command(place, line), program))
    }

    #[track_caller]
    fn of(running: Running) -> View {
        let begin = Instant::now();
        let told = loop {
            let told = running.so_far();
            if told.contains("Ctrl-C ends it.") {
                break told;
            }
            assert!(begin.elapsed() < Duration::from_secs(300), "{told}");
            std::thread::sleep(Duration::from_millis(20));
        };
        let (_, after) = told.split_once("http://127.0.0.1:").unwrap();
        let (port, rest) = after.split_once("/#token=").unwrap();
        View {
            running,
            port: port.parse().unwrap(),
            token: rest[..32].to_owned(),
        }
    }

    /// Returns the address that a browser opens.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.port, self.token)
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns status and body of an answer.
    pub fn get(&self, path: &str, token: &str) -> (u16, Vec<u8>) {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        ask(stream, path, token)
    }

    /// Returns an answer in JSON.
    #[track_caller]
    pub fn json(&self, path: &str) -> Value {
        let (status, body) = self.get(path, &self.token);
        let text = String::from_utf8_lossy(&body);
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_slice(&body).unwrap()
    }

    /// Ends it as Ctrl-C does.
    pub fn end(self) {
        self.running.signal(Signal::INT);
        self.running.wait().check(0, &[]);
    }
}

/// Asks once, and returns status and body.
pub fn ask(stream: impl Read + Write, path: &str, token: &str) -> (u16, Vec<u8>) {
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\n\r\n"
    );
    exchange(stream, &request)
}

/// Sends a request as it is, and returns status and body of the answer.
pub fn exchange(mut stream: impl Read + Write, request: &str) -> (u16, Vec<u8>) {
    // Who is refused early may not be read to the end.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let end = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer[end + 4..].to_vec())
}
