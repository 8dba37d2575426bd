//! A debug adapter: an editor in place of the prompt, `mpiscope replay --dap`.
//!
//! One session of the Debug Adapter Protocol is about all ranks, each a thread of it. [`frame`]
//! and [`message`] are the protocol, [`client`] is the editor, [`adapter`] does what it asks for
//! with the debuggers of the ranks.

mod adapter;
mod client;
mod frame;
mod handles;
mod message;

use std::io::{stderr, stdin, stdout, IsTerminal, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{bail, Context, Result};

use super::choose::Chooser;
use super::session::{Event, Session};
use crate::say;
use adapter::Adapter;
use client::Client;
use frame::Decoder;

/// How an editor reaches us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// It has started us, and holds our standard input and output.
    Standard,
    /// It connects to this port of 127.0.0.1; 0 is any that is free.
    Port(u16),
}

/// What `--dap` without a port stands for.
pub const STANDARD: &str = "-";

/// Reads the value of `--dap`.
pub fn channel(text: &str) -> Result<Channel, String> {
    match text.parse() {
        _ if text == STANDARD => Ok(Channel::Standard),
        Ok(port) => Ok(Channel::Port(port)),
        Err(_) => Err(format!(
            "`{text}`: a port is expected, or nothing where an editor starts the command"
        )),
    }
}

/// Where an editor is awaited.
pub struct Endpoint {
    /// Nothing if it is there already.
    listener: Option<TcpListener>,
    client: Client,
}

impl Endpoint {
    /// Gets ready, before anything is started.
    pub fn open(channel: Channel) -> Result<Endpoint> {
        let client = Client::new(channel == Channel::Standard);
        let Channel::Port(port) = channel else {
            if stdin().is_terminal() {
                bail!(
                    "--dap is for an editor, which starts this command and talks to it; \
                     `--dap PORT` waits for an editor to connect"
                );
            }
            return Ok(Endpoint {
                listener: None,
                client,
            });
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .with_context(|| format!("--dap: cannot listen at 127.0.0.1:{port}"))?;
        let address = listener.local_addr().context("--dap: no address")?;
        say::aside(format!("mpiscope: waits for an editor at {address}"));
        Ok(Endpoint {
            listener: Some(listener),
            client,
        })
    }

    /// Serves an editor until the job has ended, or it wants no more of it.
    ///
    /// The caller has started the job, with its outputs piped; `events` has all that happens to it.
    pub fn serve(
        self,
        events: (Sender<Event>, Session),
        chooser: Option<Chooser>,
        wanted: Option<usize>,
        job: Outputs,
        kill: impl FnOnce(),
    ) -> Result<ExitStatus> {
        let (sender, session) = events;
        let (client, reader) = (self.client.clone(), self.client.clone());
        say::tell_also(Box::new(move |text| client.show(text)));
        // Lives as long as we do.
        thread::spawn(move || {
            if let Err(error) = read(self.listener.as_ref(), &reader, &sender) {
                say::aside(format!("error: --dap: {}", say::chain(&error)));
            }
            let _ = sender.send(Event::Typed(None));
        });
        let written = job.pass_on(&self.client);
        let mut adapter = Adapter::new(session, chooser, self.client, wanted);
        let status = adapter.serve(kill)?;
        // Who else holds the outputs may do so for ever.
        let _ = written.recv_timeout(PATIENCE);
        adapter.tell_end(status);
        *PARTING.lock().unwrap_or_else(PoisonError::into_inner) = Some(adapter);
        Ok(status)
    }
}

/// How long is waited for the last words, theirs and ours.
const PATIENCE: Duration = Duration::from_secs(2);

/// An editor that is to hear how the replay went before it is let go.
static PARTING: Mutex<Option<Adapter>> = Mutex::new(None);

/// Tells an editor, if one is there, that nothing more comes; once all has been said.
pub fn part() {
    let adapter = PARTING
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    if let Some(adapter) = adapter {
        adapter.let_go(PATIENCE);
    }
}

/// Passes on what an editor says, to the end of it.
fn read(listener: Option<&TcpListener>, client: &Client, events: &Sender<Event>) -> Result<()> {
    let mut input: Box<dyn Read> = match listener {
        None => {
            client.connect(Box::new(stdout()));
            Box::new(stdin())
        }
        Some(listener) => {
            let (stream, _) = listener.accept().context("no editor can connect")?;
            let writer = stream.try_clone().context("cannot answer an editor")?;
            client.connect(Box::new(writer));
            Box::new(stream)
        }
    };
    let mut decoder = Decoder::default();
    let mut bytes = [0; 64 << 10];
    loop {
        let length = input.read(&mut bytes).context("the editor has gone")?;
        if length == 0 {
            return decoder.end().context("what the editor says is damaged");
        }
        decoder.push(&bytes[..length]);
        while let Some(body) = decoder.next().context("what the editor says is damaged")? {
            if events.send(Event::Typed(Some(body))).is_err() {
                return Ok(());
            }
        }
    }
}

/// What a job writes.
pub struct Outputs(Vec<(&'static str, Box<dyn Read + Send>)>);

impl Outputs {
    /// Has a command write where it can be read.
    pub fn pipe(command: &mut Command) {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
    }

    /// Takes what a job writes, which [`Outputs::pipe`] has piped.
    pub fn of(job: &mut Child) -> Outputs {
        let mut outputs: Vec<(&'static str, Box<dyn Read + Send>)> = Vec::new();
        if let Some(out) = job.stdout.take() {
            outputs.push(("stdout", Box::new(out)));
        }
        if let Some(errors) = job.stderr.take() {
            outputs.push(("stderr", Box::new(errors)));
        }
        Outputs(outputs)
    }

    /// Shows it to an editor; the receiver hangs up when all has been shown.
    fn pass_on(self, client: &Client) -> Receiver<()> {
        let (sender, written) = mpsc::channel();
        for (category, output) in self.0 {
            let (client, sender) = (client.clone(), sender.clone());
            thread::spawn(move || {
                pass_on(category, output, &client);
                drop(sender);
            });
        }
        written
    }
}

fn pass_on(category: &str, mut output: impl Read, client: &Client) {
    let mut bytes = [0; 16 << 10];
    let mut left = Vec::new();
    while let Ok(length @ 1..) = output.read(&mut bytes) {
        left.extend_from_slice(&bytes[..length]);
        show(category, &message::text(&mut left), client);
    }
    show(category, &String::from_utf8_lossy(&left), client);
}

/// Shows what was written to an editor, or where it would be without one that listens.
fn show(category: &str, text: &str, client: &Client) {
    if text.is_empty() || client.event(message::output(category, text)) {
        return;
    }
    // If nobody reads there is nobody to tell.
    let _ = match category {
        "stderr" => stderr().write_all(text.as_bytes()),
        _ => stdout().write_all(text.as_bytes()),
    };
    let _ = stdout().flush();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_comes_through_a_port_or_is_there() {
        assert_eq!(channel("-"), Ok(Channel::Standard));
        assert_eq!(channel("4711"), Ok(Channel::Port(4711)));
        for text in ["", "x", "65536", "-1"] {
            assert!(channel(text).is_err(), "{text}");
        }
    }
}
