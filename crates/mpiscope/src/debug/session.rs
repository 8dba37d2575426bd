//! The debuggers of a job: asked all at once, waited for, kept account of.
//!
//! Everything that happens comes through one channel: what gdbs say, what is
//! typed, signals, the job's end. A command is written to all ranks it is for
//! before the first answer is awaited, so that a thousand ranks take as long
//! as the slowest.

use std::collections::{BTreeMap, VecDeque};
use std::os::unix::net::UnixStream;
use std::process::ExitStatus;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::debuggee::{Answer, Debuggee, State};
use super::link::Hello;
use super::mi::Record;
use super::ranks::Ranks;
use super::stop::{self, Frame, Reason, Stop};

/// What happens.
#[derive(Debug)]
pub enum Event {
    /// A process came, and became a debugger.
    Joined(Hello, UnixStream),
    /// A debugger said something.
    Said(u32, Record),
    /// A debugger ended.
    Gone(u32),
    /// A line was typed; nothing: there will be no more.
    Typed(Option<String>),
    /// Control-C was pressed.
    Interrupted,
    /// We are asked to end.
    Terminated,
    /// The job ended.
    Ended(std::io::Result<ExitStatus>),
}

/// Why waiting ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// What was waited for is there.
    Done,
    /// Somebody pressed Control-C.
    Interrupted,
    /// It took longer than it may.
    TooLong,
    /// The job ended.
    Ended,
}

/// All debuggers.
pub struct Session {
    events: Receiver<Event>,
    /// Whether a trap stops all.
    stops: bool,
    ranks: BTreeMap<u32, Debuggee>,
    typed: VecDeque<Option<String>>,
    interrupted: bool,
    /// Whether being interrupted at the prompt means to end, as nobody sits there.
    ends_interrupted: bool,
    terminated: bool,
    ended: Option<std::io::Result<ExitStatus>>,
    /// Ranks whose state changed since somebody asked.
    news: Vec<u32>,
    size: Option<u32>,
    tokens: u32,
}

/// How long the ranks may take to come before a session begins without them.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Frames of a stack that are looked at.
const DEEPEST: u32 = 99;

/// What is said to a debugger first.
const PREPARE: &[&str] = &[
    "-gdb-set mi-async on",
    "-gdb-set confirm off",
    "-gdb-set breakpoint pending on",
    "-gdb-set debuginfod enabled off",
    // Steps over the agent, where it was built with line numbers.
    "-interpreter-exec console \"skip -gfi */mpiscope-agent/*\"",
    "-interpreter-exec console \"skip -gfi */mpi-abi/*\"",
    // MPIs and programs use these among themselves.
    "-interpreter-exec console \"handle SIGUSR1 SIGUSR2 SIGPIPE SIGALRM SIGCHLD nostop noprint pass\"",
];

/// What is said to a debugger whose program has ended: the launcher waits for the debugger, and
/// wants the program's exit code of it. gdb reads expressions in the language of the program, and
/// this one is C's. Whatever becomes of it, the debugger ends.
const LEAVE: &[&str] = &[
    "-gdb-set language c",
    "-interpreter-exec console \"quit $_isvoid($_exitcode) ? 128 + $_exitsignal : $_exitcode\"",
    "-interpreter-exec console \"quit 1\"",
];

impl Session {
    /// Begins without anybody.
    ///
    /// If the job `stops` somewhere, everybody is halted there.
    pub fn new(events: Receiver<Event>, stops: bool) -> Session {
        Session {
            events,
            stops,
            ranks: BTreeMap::new(),
            typed: VecDeque::new(),
            interrupted: false,
            ends_interrupted: false,
            terminated: false,
            ended: None,
            news: Vec::new(),
            size: None,
            tokens: 0,
        }
    }

    /// Has an interrupt at the prompt end the job: no terminal sends it.
    pub fn end_when_interrupted(&mut self) {
        self.ends_interrupted = true;
    }

    /// Returns the ranks that have a debugger, or had one.
    pub fn all(&self) -> Ranks {
        self.ranks.keys().copied().collect()
    }

    /// Returns how many ranks the job has, if that is known.
    pub fn size(&self) -> Option<u32> {
        self.size
    }

    /// Returns how a rank fares.
    pub fn state(&self, rank: u32) -> &State {
        self.ranks
            .get(&rank)
            .map_or(&State::Gone, |debuggee| &debuggee.state)
    }

    /// Returns those of some ranks whose state is of a kind.
    pub fn those(&self, ranks: &Ranks, kind: impl Fn(&State) -> bool) -> Ranks {
        ranks
            .iter()
            .filter(|rank| kind(self.state(*rank)))
            .collect()
    }

    /// Returns the job's exit status, once it has ended.
    pub fn take_end(&mut self) -> Option<std::io::Result<ExitStatus>> {
        self.ended.take()
    }

    /// Returns whether the job has ended, or we are asked to.
    pub fn over(&self) -> bool {
        self.ended.is_some() || self.terminated
    }

    /// Returns those of some ranks that stopped because we halted them.
    pub fn halted(&self, ranks: &Ranks) -> Ranks {
        let by_us = |state: &State| {
            matches!(
                state,
                State::Stopped(Stop {
                    reason: Reason::Halted,
                    ..
                })
            )
        };
        self.those(ranks, by_us)
    }

    /// Keeps to itself that some ranks stopped.
    pub fn forget_news(&mut self, ranks: &Ranks) {
        self.news.retain(|rank| !ranks.contains(*rank));
    }

    /// Returns the ranks whose state changed since this was last asked.
    pub fn take_news(&mut self) -> Ranks {
        self.news.drain(..).collect()
    }

    /// Waits until something is typed, or for news, or the end.
    pub fn next_line(&mut self) -> Option<Option<String>> {
        let interesting = |s: &Session| !s.typed.is_empty() || !s.news.is_empty() || s.interrupted;
        self.wait(interesting, None);
        let interrupted = std::mem::take(&mut self.interrupted);
        let idle = self.typed.is_empty() && self.news.is_empty();
        self.terminated |= interrupted && idle && self.ends_interrupted;
        match self.news.is_empty() {
            true => self.typed.pop_front(),
            false => None,
        }
    }

    /// Returns what is typed within a time, whatever else happens.
    pub fn next_line_within(&mut self, limit: Duration) -> Option<Option<String>> {
        self.wait(|s| !s.typed.is_empty(), Some(limit));
        self.typed.pop_front()
    }

    /// Asks each rank its question; returns the answers of those that can answer.
    pub fn ask(&mut self, questions: &[(u32, String)]) -> Vec<(u32, Answer)> {
        for (rank, question) in questions {
            self.send(*rank, question);
        }
        let asked: Vec<u32> = questions.iter().map(|question| question.0).collect();
        let pending = |s: &Session| {
            let waits = |rank| s.ranks.get(rank).is_some_and(Debuggee::is_asked);
            !asked.iter().any(waits)
        };
        self.wait(pending, None);
        let take = |rank: &u32| Some((*rank, self.ranks.get_mut(rank)?.take_answer()?));
        asked.iter().filter_map(take).collect()
    }

    /// Asks all ranks of a set the same.
    pub fn ask_all(&mut self, ranks: &Ranks, question: &str) -> Vec<(u32, Answer)> {
        let questions: Vec<_> = ranks
            .iter()
            .map(|rank| (rank, question.to_owned()))
            .collect();
        self.ask(&questions)
    }

    /// Sets ranks going by a command; returns complaints.
    pub fn resume(&mut self, ranks: &Ranks, command: &str) -> Vec<(u32, String)> {
        let answers = self.ask_all(ranks, command);
        let complaint = |(rank, answer): (u32, Answer)| Some((rank, answer.result.err()?));
        answers.into_iter().filter_map(complaint).collect()
    }

    /// Stops what runs of some ranks.
    pub fn halt(&mut self, ranks: &Ranks) -> Waited {
        let running = self.those(ranks, |state| *state == State::Running);
        self.ask_all(&running, "-exec-interrupt --all");
        self.wait_while_running(&running, None)
    }

    /// Stops what runs of some ranks for a moment; returns which, for [`Session::unpause`].
    pub fn pause(&mut self, ranks: &Ranks) -> Ranks {
        let running = self.those(ranks, |state| *state == State::Running);
        self.halt(&running);
        running
    }

    /// Lets ranks run on that were stopped for a moment.
    pub fn unpause(&mut self, running: &Ranks) {
        // Who stopped for another reason meanwhile has something to tell.
        let halted = self.halted(running);
        self.forget_news(&halted);
        self.resume(&halted, "-exec-continue");
    }

    /// Removes all breakpoints from ranks at rest, and lets signals pass.
    pub fn clear(&mut self, ranks: &Ranks) {
        self.ask_all(ranks, "-break-delete");
        let pass = "-interpreter-exec console \"handle all nostop noprint pass\"";
        self.ask_all(ranks, pass);
    }

    /// Waits until none of some ranks runs.
    pub fn wait_while_running(&mut self, ranks: &Ranks, limit: Option<Duration>) -> Waited {
        let still = |s: &Session| s.those(ranks, |state| *state == State::Running).is_empty();
        self.wait(still, limit)
    }

    /// Waits until one of some ranks does not run.
    pub fn wait_for_any(&mut self, ranks: &Ranks, limit: Option<Duration>) -> Waited {
        let any = |s: &Session| !s.those(ranks, |state| *state != State::Running).is_empty();
        self.wait(any, limit)
    }

    /// Waits until so many ranks have come; of those there are if nothing is said.
    pub fn wait_for_all(&mut self, wanted: Option<usize>, limit: Duration) -> Waited {
        let here = |s: &Session| {
            let wanted = wanted.or(s.size.map(|size| size as usize));
            wanted.is_some_and(|wanted| s.ranks.len() >= wanted)
        };
        self.wait(here, Some(limit))
    }

    /// Returns the stack of each rank, innermost frame first.
    pub fn stacks(&mut self, ranks: &Ranks) -> Vec<(u32, Vec<Frame>)> {
        let answers = self.ask_all(ranks, &format!("-stack-list-frames 0 {DEEPEST}"));
        let frames = |answer: Answer| {
            let fields = answer.result.unwrap_or_default();
            fields
                .tuples("stack")
                .into_iter()
                .map(stop::frame)
                .collect()
        };
        answers
            .into_iter()
            .map(|(rank, answer)| (rank, frames(answer)))
            .collect()
    }

    /// Ends debuggers, and the programs with them, as if by SIGKILL.
    pub fn kill(&mut self, ranks: &Ranks) {
        for rank in ranks.iter() {
            self.send(rank, "-interpreter-exec console \"quit 137\"");
        }
    }

    /// Waits for the job's end; returns whether it came. Who asks us to end meanwhile asks for less
    /// patience.
    pub fn wait_for_end(&mut self, limit: Option<Duration>) -> bool {
        self.terminated = false;
        self.wait(|_| false, limit);
        self.ended.is_some()
    }

    fn wait(&mut self, done: impl Fn(&Session) -> bool, limit: Option<Duration>) -> Waited {
        let deadline = limit.map(|limit| Instant::now() + limit);
        loop {
            if done(self) {
                return Waited::Done;
            }
            if self.over() {
                return Waited::Ended;
            }
            if std::mem::take(&mut self.interrupted) {
                return Waited::Interrupted;
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let event = match left {
                None => self
                    .events
                    .recv()
                    .map_err(|_| RecvTimeoutError::Disconnected),
                Some(left) => self.events.recv_timeout(left),
            };
            match event {
                Ok(event) => self.take(event),
                Err(RecvTimeoutError::Timeout) => return Waited::TooLong,
                Err(RecvTimeoutError::Disconnected) => self.terminated = true,
            }
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Joined(hello, pipe) => self.join(hello, pipe),
            Event::Said(rank, record) => self.hear(rank, record),
            Event::Gone(rank) => self.lose(rank),
            Event::Typed(line) => self.typed.push_back(line),
            Event::Interrupted => self.interrupted = true,
            Event::Terminated => self.terminated = true,
            Event::Ended(status) => self.ended = Some(status),
        }
    }

    fn join(&mut self, hello: Hello, pipe: UnixStream) {
        self.size = self.size.max(hello.size);
        self.ranks.insert(hello.rank, Debuggee::new(pipe));
        for command in PREPARE {
            self.send(hello.rank, command);
        }
    }

    fn send(&mut self, rank: u32, command: &str) {
        self.tokens = self.tokens.wrapping_add(1);
        if let Some(debuggee) = self.ranks.get_mut(&rank) {
            debuggee.ask(self.tokens, command);
        }
    }

    fn hear(&mut self, rank: u32, record: Record) {
        let debuggee = self.ranks.get_mut(&rank);
        if let Some(stop) = debuggee.and_then(|debuggee| debuggee.hear(record)) {
            self.stopped(rank, stop);
        }
    }

    fn stopped(&mut self, rank: u32, mut stop: Stop) {
        let trap = stop.reason == Reason::Signal("SIGTRAP".to_owned());
        if self.stops && trap {
            stop.reason = Reason::Asked;
            self.stops = false;
            let others = self.those(&self.all(), |state| *state == State::Running);
            for other in others.iter().filter(|other| *other != rank) {
                self.send(other, "-exec-interrupt --all");
            }
        }
        let state = match stop.reason {
            Reason::Exited(ref end) => State::Exited(end.clone()),
            _ => State::Stopped(stop),
        };
        let exited = matches!(state, State::Exited(_));
        if let Some(debuggee) = self.ranks.get_mut(&rank) {
            debuggee.state = state;
        }
        self.news.push(rank);
        if exited {
            for command in LEAVE {
                self.send(rank, command);
            }
        }
    }

    fn lose(&mut self, rank: u32) {
        let Some(debuggee) = self.ranks.get_mut(&rank) else {
            return;
        };
        if debuggee.end() {
            self.news.push(rank);
        }
    }
}
