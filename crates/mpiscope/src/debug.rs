//! Debugging a job of many ranks with gdb: `mpiscope replay --gdb`.
//!
//! The command puts `mpiscope exec --debug SOCKET` before every program; each
//! process then asks here what to be ([`link`], [`start`]). With `all` or a
//! set of ranks it becomes gdb on the program and speaks gdb's machine
//! interface ([`mi`]) to one prompt over all of them ([`session`], [`prompt`]);
//! with a single rank it becomes gdb in a window of tmux, or gdbserver
//! ([`window`]). An editor may take the prompt's place ([`dap`]).

mod array;
mod breakpoint;
mod choose;
pub mod dap;
mod debuggee;
mod end;
mod group;
mod link;
mod mi;
mod moment;
mod prompt;
pub mod ranks;
mod session;
mod start;
mod stop;
mod window;

use std::ffi::{OsStr, OsString};
use std::io::{stdin, BufRead, BufReader, IsTerminal};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{bail, Context, Result};
use rustix::process::{kill_process, kill_process_group, Pid, Signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::launch::program;
use crate::say;
use crate::signals;
use choose::Chooser;
use link::{Arrival, Hello, Order, Rendezvous};
use prompt::Prompt;
use session::{Event, Session};
use window::Window;

pub use choose::Recorded;
pub use moment::{event, EventNumber, Moment};
use start::DEBUG;
pub use start::{debugger, end_with_debugger, take_outputs};

/// Which ranks are to be debugged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RankSelection {
    /// All, at one prompt.
    All,
    /// Some, at one prompt.
    Some(Vec<u32>),
    /// One, by gdb itself.
    One(u32),
}

impl RankSelection {
    /// Returns a rank that a job of so many does not have, if one is asked for.
    pub fn beyond(&self, size: u32) -> Option<u32> {
        let ranks = match self {
            RankSelection::All => &[],
            RankSelection::Some(ranks) => ranks.as_slice(),
            RankSelection::One(rank) => std::slice::from_ref(rank),
        };
        ranks.iter().copied().find(|&rank| rank >= size)
    }
}

/// Reads the value of `--gdb`.
pub fn rank_selection(text: &str) -> Result<RankSelection, String> {
    if text == "all" {
        return Ok(RankSelection::All);
    }
    let expected =
        || format!("`{text}`: a rank, a set of ranks such as 0,2-3, or `all` is expected");
    let mut ranks = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.parse::<u32>().map_err(|_| expected());
        let (first, last) = (number(first)?, number(last)?);
        if first > last || last - first > 1 << 20 {
            return Err(expected());
        }
        ranks.extend(first..=last);
    }
    ranks.sort_unstable();
    ranks.dedup();
    Ok(match ranks[..] {
        [rank] => RankSelection::One(rank),
        _ => RankSelection::Some(ranks),
    })
}

/// Who is to debug what.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Nothing if nobody is debugged until somebody attaches.
    pub selection: Option<RankSelection>,
    /// How an editor comes that takes the prompt's place.
    pub editor: Option<dap::Channel>,
}

impl Request {
    /// Reads `--gdb` and `--dap`: an editor has all ranks, unless told, in one session.
    pub fn of(gdb: Option<&RankSelection>, editor: Option<dap::Channel>) -> Request {
        let selection = match (gdb, editor) {
            (None, Some(_)) => Some(RankSelection::All),
            (Some(RankSelection::One(rank)), Some(_)) => Some(RankSelection::Some(vec![*rank])),
            (gdb, _) => gdb.cloned(),
        };
        Request { selection, editor }
    }
}

/// Says who has killed a program that was debugged.
pub fn killer(editor: Option<dap::Channel>) -> &'static str {
    match editor {
        Some(_) => "by the editor",
        None => "at the prompt",
    }
}

/// What waits for a job to debug.
pub struct Debugger {
    selection: Option<RankSelection>,
    editor: Option<dap::Endpoint>,
    stop: Option<Moment>,
    recorded: Option<Recorded>,
    rendezvous: Rendezvous,
}

impl Debugger {
    /// Gets ready, before anything is started; nothing if nothing is wished for.
    pub fn prepare(request: Request, stop: Option<Moment>) -> Result<Option<Debugger>> {
        let Request { selection, editor } = request;
        let needed = match &selection {
            None if stop.is_none() => return Ok(None),
            None => None,
            Some(RankSelection::One(_)) if !window::has_tmux() => Some("gdbserver"),
            Some(_) => Some("gdb"),
        };
        let missing = needed.filter(|needed| program::find(OsStr::new(needed)).is_err());
        if let Some(missing) = missing {
            let option = if editor.is_some() { "--dap" } else { "--gdb" };
            bail!("{option} needs {missing}, which is not in PATH; see `mpiscope doctor`");
        }
        if let Some(stop) = &stop {
            say::aside(format!(
                "mpiscope: stops at call {} of rank {}, {}",
                stop.call, stop.rank, stop.what
            ));
        }
        let rendezvous = Rendezvous::open()?;
        let editor = editor.map(dap::Endpoint::open).transpose()?;
        if stop.is_some() {
            rendezvous.leave_script()?;
        }
        Ok(Some(Debugger {
            selection,
            editor,
            stop,
            recorded: None,
            rendezvous,
        }))
    }

    /// Lets what was recorded be departed from.
    pub fn with_choices(self, recorded: Recorded) -> Debugger {
        Debugger {
            recorded: Some(recorded),
            ..self
        }
    }

    /// Returns the words that `exec` needs to know.
    pub fn words(&self) -> [OsString; 2] {
        [DEBUG.into(), self.rendezvous.path().into()]
    }

    /// Returns what the agents need to know: see [`environment::STOP_AT`].
    pub fn stop_at(&self) -> Option<String> {
        let Moment {
            rank, thread, call, ..
        } = self.stop.as_ref()?;
        let socket = self.rendezvous.path();
        Some(format!("{rank}:{thread}:{call}:{}", socket.display()))
    }

    /// Runs a command whose ranks come here; returns how it ended.
    pub fn run(self, command: &mut Command) -> Result<ExitStatus> {
        let listener = self.rendezvous.listener.try_clone();
        let listener = listener.context("cannot listen")?;
        let one = match self.selection {
            None => None,
            Some(RankSelection::One(rank)) => Some(rank),
            Some(selection) => {
                let served = Selected {
                    selection,
                    stops: self.stop.is_some(),
                    editor: self.editor,
                    chooser: self.recorded.map(Chooser::new),
                };
                return serve_all(listener, served, &self.rendezvous, command);
            }
        };
        let script = self.rendezvous.script();
        let served = Served::default();
        let known = served.clone();
        // Lives as long as we do.
        thread::spawn(move || serve_one(&listener, one, &script, &known));
        signals::run_insisting(command.stdin(Stdio::null()), move || served.kill())
    }
}

/// The process that is debugged by itself, once it has come: gdb or gdbserver, whose program ends
/// with it. A launcher may wait for it although its own end was asked for.
#[derive(Clone, Default)]
struct Served(Arc<Mutex<Option<Pid>>>);

impl Served {
    fn note(&self, pid: u32) {
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = pid;
    }

    fn kill(&self) {
        let pid = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Its number may be another's by now.
        if let Some(pid) = pid.filter(|pid| is_debugger(*pid)) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

fn is_debugger(pid: Pid) -> bool {
    let name = std::fs::read_to_string(format!("/proc/{}/comm", pid.as_raw_nonzero()));
    name.is_ok_and(|name| name.starts_with("gdb"))
}

/// Ranks that are debugged at one prompt, or by an editor.
struct Selected {
    selection: RankSelection,
    /// Whether the job stops somewhere.
    stops: bool,
    editor: Option<dap::Endpoint>,
    /// Nothing where no record leads.
    chooser: Option<Chooser>,
}

/// Runs a command while its ranks are debugged at one prompt, or by an editor.
fn serve_all(
    listener: UnixListener,
    served: Selected,
    rendezvous: &Rendezvous,
    command: &mut Command,
) -> Result<ExitStatus> {
    let Selected {
        selection,
        stops,
        editor,
        chooser,
    } = served;
    let (sender, events) = mpsc::channel();
    let wanted = match &selection {
        RankSelection::Some(ranks) => Some(ranks.len()),
        _ => None,
    };
    watch_signals(sender.clone())?;
    let program = command.get_program().to_string_lossy().into_owned();
    // In a group of its own: Control-C at the prompt is for us alone.
    if editor.is_some() {
        dap::Outputs::pipe(command);
    }
    let job = command.stdin(Stdio::null()).process_group(0).spawn();
    let mut job = job.with_context(|| format!("cannot run {program}"))?;
    let outputs = dap::Outputs::of(&mut job);
    let group = Pid::from_child(&job);
    // These threads end with their sources, or with us.
    let (for_ranks, script) = (sender.clone(), rendezvous.script());
    thread::spawn(move || accept(&listener, &selection, &script, &for_ranks));
    let for_end = sender.clone();
    thread::spawn(move || wait(job, &for_end));
    let session = Session::new(events, stops);
    // Its ranks have ended; it fails if all have gone.
    let kill = || {
        let _ = kill_process_group(group, Signal::KILL);
    };
    if let Some(editor) = editor {
        return editor.serve((sender, session), chooser, wanted, outputs, kill);
    }
    thread::spawn(move || read_input(&sender));
    Prompt::new(session, chooser, stdin().is_terminal()).serve(wanted, kill)
}

fn wait(mut job: Child, events: &Sender<Event>) {
    // Nobody listens any more if this fails.
    let _ = events.send(Event::Ended(job.wait()));
}

fn watch_signals(events: Sender<Event>) -> Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).context("cannot watch signals")?;
    thread::spawn(move || {
        for signal in signals.forever() {
            let event = match signal {
                SIGINT => Event::Interrupted,
                _ => Event::Terminated,
            };
            if events.send(event).is_err() {
                return;
            }
        }
    });
    Ok(())
}

fn read_input(events: &Sender<Event>) {
    for line in stdin().lock().lines() {
        // What is no text is no command.
        if events
            .send(Event::Typed(Some(line.unwrap_or_default())))
            .is_err()
        {
            return;
        }
    }
    let _ = events.send(Event::Typed(None));
}

/// Meets the processes of a job.
fn accept(
    listener: &UnixListener,
    selection: &RankSelection,
    script: &Path,
    events: &Sender<Event>,
) {
    for stream in listener.incoming().flatten() {
        let hello = match link::hear(&stream) {
            Ok(Arrival::Hello(hello)) => hello,
            Ok(Arrival::Stands { rank, pid }) => {
                tell_standing(rank, pid, &[], script);
                continue;
            }
            Err(_) => continue,
        };
        let chosen = match selection {
            RankSelection::Some(ranks) => ranks.contains(&hello.rank),
            _ => true,
        };
        let order = if chosen { Order::Interface } else { Order::Run };
        if link::say(&stream, &order).is_ok() && chosen {
            let events = events.clone();
            thread::spawn(move || listen(hello, &stream, &events));
        }
    }
}

/// Passes on what a debugger says.
fn listen(hello: Hello, stream: &UnixStream, events: &Sender<Event>) -> Option<()> {
    let rank = hello.rank;
    events
        .send(Event::Joined(hello, stream.try_clone().ok()?))
        .ok()?;
    let mut lines = BufReader::new(stream);
    let mut line = Vec::new();
    while lines
        .read_until(b'\n', &mut line)
        .is_ok_and(|length| length > 0)
    {
        if let Some(record) = mi::parse(&String::from_utf8_lossy(&line)) {
            events.send(Event::Said(rank, record)).ok()?;
        }
        line.clear();
    }
    events.send(Event::Gone(rank)).ok()
}

/// Meets the processes of a job of which one is debugged by itself, or none yet.
fn serve_one(listener: &UnixListener, one: Option<u32>, script: &Path, served: &Served) {
    let mut others = Vec::new();
    for stream in listener.incoming().flatten() {
        match link::hear(&stream) {
            Ok(Arrival::Hello(hello)) if Some(hello.rank) == one => {
                served.note(hello.pid);
                serve(&hello, &stream, script);
            }
            Ok(Arrival::Hello(hello)) => {
                others.push((hello.rank, hello.pid));
                // Who has gone needs no answer.
                let _ = link::say(&stream, &Order::Run);
            }
            Ok(Arrival::Stands { rank, pid }) => tell_standing(rank, pid, &others, script),
            Err(_) => {}
        }
    }
}

fn serve(hello: &Hello, stream: &UnixStream, script: &Path) {
    if let Err(error) = Window::open(hello, stream, script) {
        let rank = hello.rank;
        let reason = say::chain(&error);
        say::aside(format!(
            "mpiscope: rank {rank} runs without debugger: {reason}"
        ));
        let _ = link::say(stream, &Order::Run);
    }
}

/// Says which process waits where it was to stop, and which others there are.
fn tell_standing(rank: u32, pid: u32, others: &[(u32, u32)], script: &Path) {
    let script = script.display();
    let mut lines = vec![format!(
        "mpiscope: rank {rank} stands before the call where it was to stop; on this host type\n    \
         gdb -p {pid} -x {script}\n\
         which shows that call. The other ranks go on until they need it:"
    )];
    let mut others = others.to_vec();
    others.sort_unstable();
    let others = others.iter().filter(|other| other.0 != rank);
    lines.extend(others.map(|(rank, pid)| format!("    gdb -p {pid}    rank {rank}")));
    say::aside(lines.join("\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_rank_has_gdb_to_itself() {
        assert_eq!(rank_selection("2"), Ok(RankSelection::One(2)));
        assert_eq!(rank_selection("all"), Ok(RankSelection::All));
        assert_eq!(
            rank_selection("0,2-3"),
            Ok(RankSelection::Some(vec![0, 2, 3]))
        );
        assert_eq!(rank_selection("1,1"), Ok(RankSelection::One(1)));
        for text in ["", "x", "3-1", "1,", "0-4294967295"] {
            assert!(rank_selection(text).is_err(), "{text}");
        }
    }
}
