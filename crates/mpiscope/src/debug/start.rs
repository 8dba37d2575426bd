//! In the launched process: becomes a debugger on the program, when told so.
//!
//! The program is started by the debugger through `mpiscope exec` once more
//! (gdb manual, "exec-wrapper"), which prepares it as if there were no
//! debugger: the agent is preloaded into the program alone. Its output goes
//! where the launcher wants it; its standard input is empty, as the terminal
//! belongs to the prompt.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use mpiscope_run::system::move_descriptor;
use rustix::io::{dup, fcntl_setfd, FdFlags};
use rustix::process::{set_parent_process_death_signal, Signal};

use super::link::{self, Arrival, Hello, Order, Port};
use crate::cli::Exec;
use crate::say;

/// Asks the prompt what this process is to be; nothing if it is to be the program.
pub fn debugger(arguments: &Exec, program: &Path) -> Option<Command> {
    let socket = arguments.debug.as_deref()?;
    let hello = Hello::of_this_process(program);
    let rank = hello.rank;
    ask(socket, hello, &arguments.command).unwrap_or_else(|error| {
        let reason = say::chain(&error);
        say::aside(format!(
            "mpiscope: rank {rank} on {} runs without debugger, which serves its own host only: \
             {reason}",
            crate::launch::environment::host()
        ));
        None
    })
}

fn ask(socket: &Path, hello: Hello, words: &[OsString]) -> Result<Option<Command>> {
    let stream = UnixStream::connect(socket)
        .with_context(|| format!("cannot connect to {}", socket.display()))?;
    let program = hello.program.clone();
    link::say(&stream, &Arrival::Hello(hello))?;
    Ok(match link::hear(&stream)? {
        Order::Run => None,
        Order::Interface => {
            let mut gdb = gdb(&program, words, &["-nx", "-q", "--interpreter=mi3"])?;
            let input = stream.try_clone().context("cannot hand the socket on")?;
            gdb.stdin(OwnedFd::from(input))
                .stdout(OwnedFd::from(stream));
            Some(gdb)
        }
        Order::Terminal(path) => {
            let script = link::script_beside(socket);
            let script = script
                .exists()
                .then(|| format!("source {}", script.display()));
            let mut options = vec!["-q", "-iex", END_WITH_PROGRAM];
            options.extend(script.iter().flat_map(|source| ["-iex", source]));
            let mut gdb = gdb(&program, words, &options)?;
            let terminal = link::open_terminal(&path)?;
            gdb.stdin(terminal.try_clone()?)
                .stdout(terminal.try_clone()?)
                .stderr(terminal);
            Some(gdb)
        }
        Order::Server => {
            let port = free_port()?;
            link::say(&stream, &Port(port))?;
            Some(gdbserver(&program, words, port)?)
        }
    })
}

/// Lets gdb end when the program does, with its exit code, as the launcher waits for gdb.
const END_WITH_PROGRAM: &str = "python gdb.events.exited.connect(lambda end: \
    gdb.post_event(lambda: gdb.execute('quit %d' % getattr(end, 'exit_code', 1))))";

/// Returns gdb on a program that will write where we would.
fn gdb(program: &Path, words: &[OsString], options: &[&str]) -> Result<Command> {
    let out = inherited(rustix::stdio::stdout())?;
    let errors = inherited(rustix::stdio::stderr())?;
    let mut wrapper = OsString::from("set exec-wrapper ");
    let outputs = [OUTPUTS, &out.to_string(), &errors.to_string(), DEBUGGED];
    wrapper.push(ourselves(&outputs));
    let mut gdb = Command::new("gdb");
    gdb.args(options).arg("-iex").arg(wrapper);
    // gdb starts programs by this shell, and tells them about its own terminal.
    gdb.env("SHELL", "/bin/sh");
    for name in ["SHELL", "LINES", "COLUMNS"] {
        gdb.arg("-iex").arg(restored(name, std::env::var_os(name)));
    }
    gdb.arg("--args").arg(program).args(&words[1..]);
    Ok(gdb)
}

/// Turns to the outputs that a debugger's starter laid by for the program.
///
/// Done here, as a shell can name no descriptor above 9, and launchers keep more open than that.
pub fn take_outputs(arguments: &Exec) -> Result<()> {
    let Some([out, errors]) = arguments.outputs.as_deref() else {
        return Ok(());
    };
    let nothing = File::open("/dev/null").context("cannot open /dev/null")?;
    rustix::stdio::dup2_stdin(nothing).context("cannot empty standard input")?;
    for (from, to) in [(*out, 1), (*errors, 2)] {
        move_descriptor(from, to).with_context(|| format!("{OUTPUTS} {from}"))?;
    }
    Ok(())
}

/// As long as the program is being prepared, it ends when its debugger does: later the debugger's
/// own end sees to that, and a program that was let go goes on.
pub fn end_with_debugger(arguments: &Exec, ends: bool) {
    if arguments.debugged {
        // Where the system refuses, nothing is lost but this.
        let _ = set_parent_process_death_signal(ends.then_some(Signal::KILL));
    }
}

/// Returns the command of gdb's that gives the program a variable as it was.
fn restored(name: &str, value: Option<OsString>) -> OsString {
    let Some(value) = value else {
        return format!("unset environment {name}").into();
    };
    let mut line = OsString::from(format!("set environment {name} = "));
    line.push(value);
    line
}

/// Duplicates a descriptor for the program, through the debugger; returns its number.
fn inherited(descriptor: impl AsFd) -> Result<i32> {
    let copy = dup(descriptor).context("cannot duplicate an output")?;
    fcntl_setfd(&copy, FdFlags::empty()).context("cannot hand an output on")?;
    let number = copy.as_raw_fd();
    // Closed when this process becomes the debugger's program, or ends.
    std::mem::forget(copy);
    Ok(number)
}

fn gdbserver(program: &Path, words: &[OsString], port: u16) -> Result<Command> {
    let mut server = Command::new("gdbserver");
    // In one word: gdbserver takes a word `--` for the end of its wrapper.
    server
        .arg("--once")
        .arg("--wrapper")
        .arg(ourselves(&[DEBUGGED]))
        .arg("--");
    server
        .arg(format!("127.0.0.1:{port}"))
        .arg(program)
        .args(&words[1..]);
    server.stdin(Stdio::null());
    Ok(server)
}

/// Returns a port of 127.0.0.1 that is free now: gdbserver would choose one
/// itself, but tells only who reads its standard error.
fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port")?;
    Ok(listener.local_addr()?.port())
}

/// Returns the words of a shell that call us as we were called, but for the debugger.
fn ourselves(options: &[&str]) -> OsString {
    let own = std::env::current_exe().unwrap_or_else(|_| "mpiscope".into());
    let words = std::env::args_os().skip(1);
    without_debug(own.into_os_string(), words, options)
}

fn without_debug(
    own: OsString,
    words: impl Iterator<Item = OsString>,
    options: &[&str],
) -> OsString {
    let mut line = quoted(&own);
    let mut words = words.take_while(|word| word != "--");
    while let Some(word) = words.next() {
        if word == DEBUG {
            words.next();
            continue;
        }
        line.push(" ");
        line.push(quoted(&word));
    }
    for option in options {
        line.push(" ");
        line.push(option);
    }
    line.push(" --");
    line
}

/// The option of `exec` that names the socket.
pub const DEBUG: &str = "--debug";

/// The option of `exec` that says that a debugger starts the program.
const DEBUGGED: &str = "--debugged";

/// The option of `exec` that names where the program writes.
const OUTPUTS: &str = "--outputs";

/// Puts a word between quotes, for a shell.
fn quoted(word: &OsStr) -> OsString {
    let mut bytes = vec![b'\''];
    for &byte in word.as_bytes() {
        match byte {
            b'\'' => bytes.extend(br"'\''"),
            _ => bytes.push(byte),
        }
    }
    bytes.push(b'\'');
    OsString::from_vec(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wrapper_is_ourselves_without_debugger() {
        let words = [
            "exec", "--run", "/it's", "--debug", "/s", "--", "./heat", "--",
        ];
        let line = without_debug(
            "/bin/m".into(),
            words.iter().map(OsString::from),
            &[OUTPUTS, "3", "4"],
        );
        assert_eq!(line, r"'/bin/m' 'exec' '--run' '/it'\''s' --outputs 3 4 --");
    }

    #[test]
    fn variables_are_given_back() {
        assert_eq!(restored("LINES", None), "unset environment LINES");
        let line = restored("SHELL", Some("/bin/fish".into()));
        assert_eq!(line, "set environment SHELL = /bin/fish");
    }
}
