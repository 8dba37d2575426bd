//! One rank under gdb itself: in a window of tmux, or through gdbserver.
//!
//! gdb must be a child of the launcher, as the program is its child: the
//! launcher's pipes to the process reach it by inheritance. So the window only
//! lends its terminal, and passes on what a terminal tells its foreground.

use std::ffi::OsStr;
use std::io::{stdin, IsTerminal};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{ensure, Context, Result};

use super::link::{self, Hello, Order, Port};
use crate::launch::program;
use crate::say;

/// Where one rank's debugger shows itself.
pub struct Window;

/// Runs in the window until the debugger ends: passes on Control-C and changes of size.
const LEND: &str = "trap 'kill -INT '$1 INT; trap 'kill -WINCH '$1 WINCH; \
                    while kill -0 $1 2>/dev/null; do sleep 1; done";

/// Returns whether a window of tmux can be opened.
pub fn has_tmux() -> bool {
    let inside = std::env::var_os("TMUX").is_some_and(|socket| !socket.is_empty());
    let found = |name: &str| program::find(OsStr::new(name)).is_ok();
    inside && stdin().is_terminal() && found("tmux") && found("gdb")
}

impl Window {
    /// Opens a window for a rank, or says what to type.
    pub fn open(hello: &Hello, stream: &UnixStream, script: &Path) -> Result<()> {
        match has_tmux() {
            true => in_tmux(hello, stream),
            false => by_server(hello, stream, script),
        }
    }
}

fn in_tmux(hello: &Hello, stream: &UnixStream) -> Result<()> {
    let name = format!("rank {}", hello.rank);
    let mut command = Command::new("tmux");
    command.args(["new-window", "-P", "-F", "#{pane_tty}", "-n", &name]);
    command.args(["sh", "-c", LEND, "sh", &hello.pid.to_string()]);
    let output = command
        .stdin(Stdio::null())
        .output()
        .context("cannot run tmux")?;
    let terminal = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    ensure!(
        output.status.success() && terminal.starts_with('/'),
        "tmux opens no window: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    link::say(stream, &Order::Terminal(PathBuf::from(terminal)))?;
    say::aside(format!(
        "mpiscope: rank {} is loaded under gdb in tmux's window `{name}`: type `run` there",
        hello.rank
    ));
    Ok(())
}

fn by_server(hello: &Hello, stream: &UnixStream, script: &Path) -> Result<()> {
    ensure!(
        program::find(OsStr::new("gdbserver")).is_ok(),
        "gdbserver is not in PATH"
    );
    link::say(stream, &Order::Server)?;
    let Port(port) = link::hear(stream)?;
    let at_call = match script.exists() {
        true => format!(" -x {}", script.display()),
        false => String::new(),
    };
    say::aside(format!(
        "mpiscope: rank {} waits for gdb; on this host type\n    gdb {} -ex 'target remote 127.0.0.1:{port}'{at_call}",
        hello.rank,
        hello.program.display()
    ));
    Ok(())
}
