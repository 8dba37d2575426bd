//! Runs a command to its end while signals pass on to it.
//!
//! Whoever ends a job must not end us before it: the buffers still have to be
//! read. A terminal sends its interrupt to the launcher and to us alike; then
//! there is nothing to pass on, and a second one would make Open MPI's `mpirun`
//! abort without cleaning up. What was sent to us alone is passed on.

use std::os::unix::process::{CommandExt as _, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::process::{getpgrp, kill_process, Pid, Signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::aside;
use mpiscope_run::system;

const PASSED_ON: [i32; 6] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2];

/// Those that a terminal sends to all its foreground processes.
const FROM_TERMINAL: [i32; 2] = [SIGINT, SIGQUIT];

/// Has a file that would exceed the limit on file sizes (`ulimit -f`) be an error of
/// its write, and not our end without a word. The programs that we become or start
/// get the signal as ever: a handler does not outlive exec.
pub fn survive_size_limit() {
    // Whoever ignores it is left alone: that would be inherited, and a handler is not.
    if !is_ignored(SIGXFSZ) {
        // Fails for no signal that may be caught.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    }
}

/// Returns whether this process was started with a signal ignored: proc(5), SigIgn.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0) >> (signal - 1) & 1 == 1
}

/// What goes away should a signal end this process.
#[derive(Debug, Default)]
struct Fleeting {
    /// What is half-written, or is needed only while this process runs.
    paths: Vec<PathBuf>,
    /// A thread looks after it.
    watched: bool,
}

static FLEETING: Mutex<Fleeting> = Mutex::new(Fleeting {
    paths: Vec::new(),
    watched: false,
});

/// Has what is half-written be removed, should a signal end this process.
pub fn remove_when_ended(path: &Path) -> Result<()> {
    make_fleeting(|| Ok(((), path.to_owned())))
}

/// Makes something at a path that is removed, should a signal end this process, even now.
pub fn make_fleeting<T>(make: impl FnOnce() -> Result<(T, PathBuf)>) -> Result<T> {
    // Held until the path is known: a signal that comes meanwhile waits.
    let mut fleeting = watched()?;
    let (made, path) = make()?;
    fleeting.paths.push(path);
    Ok(made)
}

/// Has something stay that is complete now.
pub fn keep(path: &Path) {
    fleeting().paths.retain(|it| it != path);
}

/// Does something that takes no time and must not be done by half: a signal that comes meanwhile
/// waits. Nothing within may make anything fleeting.
pub fn hold<T>(work: impl FnOnce() -> T) -> T {
    // Without a thread for signals they end us as ever.
    let _held = watched().ok();
    work()
}

/// Returns what is fleeting, with a thread that looks after it; not while a signal is ending this
/// process, which would leave behind what is made now.
fn watched() -> Result<MutexGuard<'static, Fleeting>> {
    let mut fleeting = loop {
        let_end();
        let fleeting = fleeting();
        if !ENDS.load(Ordering::SeqCst) {
            break fleeting;
        }
    };
    // One thread for all: who ends the process must have removed everything.
    if !fleeting.watched {
        watch()?;
        fleeting.watched = true;
    }
    Ok(fleeting)
}

fn watch() -> Result<()> {
    let mut signals = listen(&ASKS_TO_END)?;
    std::thread::spawn(move || {
        // While a command runs for us it is for that, see `run`.
        let ours = |_: &i32| COMMANDS.load(Ordering::SeqCst) == 0;
        signals.forever().filter(ours).for_each(end);
    });
    Ok(())
}

/// Listens to those of some signals that are not ignored: whoever ignores one, as `nohup` does, wants
/// to go on, and so do those that we start.
fn listen(signals: &[i32]) -> Result<Signals> {
    let heard = signals.iter().filter(|signal| !is_ignored(**signal));
    Signals::new(heard).context("cannot watch signals")
}

/// Commands that run for us, and that signals pass on to.
static COMMANDS: AtomicU32 = AtomicU32::new(0);

/// A signal is ending this process.
static ENDS: AtomicBool = AtomicBool::new(false);

/// Does not return where a signal is ending this process: what failed then failed for its sake.
pub fn let_end() {
    while ENDS.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// First word of the program that this process becomes to end.
const END: &str = "end-by-signal";

/// Ends this process as the signal asks.
fn end(signal: i32) {
    ENDS.store(true, Ordering::SeqCst);
    let fleeting = fleeting();
    // Who asks again, even now, does not make us do it by half.
    system::ignore(&ASKS_TO_END);
    // Other threads may still be writing there, and would make again what is gone: they do not
    // live on in what this process becomes.
    let _ = Command::new("/proc/self/exe")
        .args([END, &signal.to_string()])
        .args(&fleeting.paths)
        .exec();
    fleeting.paths.iter().for_each(|path| remove_surely(path));
    drop(fleeting);
    // Nothing more can be done if even the default action fails.
    let _ = emulate_default_handler(signal);
    ENDS.store(false, Ordering::SeqCst);
}

/// Removes what is named and ends by the signal, if that is all that this process was begun for.
pub fn end_of_process() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    words.next().filter(|word| word == END)?;
    let signal = words.next()?.to_str()?.parse().ok()?;
    words.for_each(|path| drop(aside::remove(Path::new(&path))));
    let _ = emulate_default_handler(signal);
    Some(ExitCode::FAILURE)
}

/// Has a signal that comes from here on find nothing to remove, and waits for one that came before:
/// what removes must not be cut off by this process's own end.
pub fn leave() {
    std::mem::forget(fleeting());
}

fn fleeting() -> MutexGuard<'static, Fleeting> {
    FLEETING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes more than once, for another thread may still be writing there.
fn remove_surely(path: &Path) {
    let is_there = |_: &u32| path.symlink_metadata().is_ok();
    for _ in (0..100).take_while(is_there) {
        let _ = aside::remove(path);
    }
}

/// A wish that this process end, which is what it waits for, and no failure.
pub struct Wish(Signals);

impl Wish {
    /// Has signals be wishes from here on.
    pub fn heard() -> Result<Wish> {
        let signals = listen(&ASKS_TO_END)?;
        // Nothing that is fleeting goes away by a signal any more: who waits ends in order.
        COMMANDS.fetch_add(1, Ordering::SeqCst);
        Ok(Wish(signals))
    }

    /// Waits for it.
    pub fn wait(mut self) {
        self.0.forever().next();
    }
}

/// Those that ask a job to end.
const ASKS_TO_END: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];

/// What a job gets to end that was asked to.
const GRACE: Duration = Duration::from_secs(5);

/// Runs the command; returns how it ended.
pub fn run(command: &mut Command) -> Result<ExitStatus> {
    run_with(command, |_, _| ())
}

/// Runs the command, parts of which may not end when the job is asked to: then `insist` is called
/// after a while, and if that does not help the command is killed.
pub fn run_insisting(
    command: &mut Command,
    insist: impl Fn() + Clone + Send + 'static,
) -> Result<ExitStatus> {
    run_with(command, move |signal, child| {
        if ASKS_TO_END.contains(&signal) {
            let (insist, child) = (insist.clone(), Arc::clone(child));
            std::thread::spawn(move || end_surely(&insist, &child));
        }
    })
}

fn end_surely(insist: &impl Fn(), child: &Mutex<Option<Pid>>) {
    let child = || *child.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::sleep(GRACE);
    if child().is_none() {
        return;
    }
    insist();
    std::thread::sleep(GRACE);
    if let Some(child) = child() {
        // Fails only if it has just ended, which was wanted.
        let _ = kill_process(child, Signal::KILL);
    }
}

fn run_with(
    command: &mut Command,
    then: impl Fn(i32, &Arc<Mutex<Option<Pid>>>) + Send + 'static,
) -> Result<ExitStatus> {
    let mut signals = listen(&PASSED_ON)?;
    let child: Arc<Mutex<Option<Pid>>> = Arc::default();
    let target = Arc::clone(&child);
    // Held until the process is known: a signal that comes meanwhile waits.
    let mut held = child.lock().unwrap_or_else(PoisonError::into_inner);
    // The thread lives as long as we do: after the command's end, signals are for us again.
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let child = *target.lock().unwrap_or_else(PoisonError::into_inner);
            pass_on(signal, child);
            then(signal, &target);
        }
    });
    let program = command.get_program().to_string_lossy().into_owned();
    let mut process = command
        .spawn()
        .with_context(|| format!("cannot run {program}"))?;
    *held = i32::try_from(process.id()).ok().and_then(Pid::from_raw);
    COMMANDS.fetch_add(1, Ordering::SeqCst);
    drop(held);
    let status = process.wait();
    COMMANDS.fetch_sub(1, Ordering::SeqCst);
    *child.lock().unwrap_or_else(PoisonError::into_inner) = None;
    status.with_context(|| format!("cannot wait for {program}"))
}

fn pass_on(signal: i32, child: Option<Pid>) {
    let Some(child) = child else {
        end(signal);
        return;
    };
    if FROM_TERMINAL.contains(&signal) && in_foreground() {
        return;
    }
    if let Some(signal) = Signal::from_named_raw(signal) {
        // Fails only if the child has just ended, which was wanted.
        let _ = kill_process(child, signal);
    }
}

/// Returns whether a terminal has us among its foreground processes.
fn in_foreground() -> bool {
    let Ok(terminal) = std::fs::File::open("/dev/tty") else {
        return false;
    };
    rustix::termios::tcgetpgrp(terminal).is_ok_and(|group| group == getpgrp())
}

/// Returns the exit code that a shell would report (POSIX.1-2017, XCU §2.8.2).
pub fn exit_code(status: ExitStatus) -> u8 {
    let code = match status.code() {
        Some(code) => code,
        None => 128 + status.signal().unwrap_or_default(),
    };
    u8::try_from(code).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commands_exit_code_is_a_shells() {
        let check = |script: &str, expected: u8| {
            let status = run(Command::new("sh").args(["-c", script])).unwrap();
            assert_eq!(exit_code(status), expected, "{script}");
        };
        check("exit 0", 0);
        check("exit 7", 7);
        check("kill -9 $$", 137);
    }
}
