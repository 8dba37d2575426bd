//! Where the server listens, and what is said about how to reach it.

use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, io};

use anyhow::{bail, ensure, Context, Result};
use mpiscope_serve::Place;
use tempfile::TempPath;

use crate::cli::View;
use crate::report::show;
use crate::{say, signals};

/// The port at the near end of a tunnel to a socket, which has none.
const NEAR: u16 = 8080;

/// A port or socket that is listened at.
pub enum Listening {
    /// A port of this machine.
    Port(TcpListener, u16),
    /// A socket, and what removes it.
    Socket(UnixListener, TempPath),
}

impl Listening {
    /// Begins to listen where the user wants it.
    pub fn at(arguments: &View) -> Result<Listening> {
        match &arguments.socket {
            Some(path) => at_socket(path),
            None => at_port(arguments.port.unwrap_or(0)),
        }
    }

    /// Returns the address for a browser at the near end of whatever leads here. What follows `#`
    /// no browser sends.
    pub fn address(&self, token: &str) -> String {
        format!("http://127.0.0.1:{}/#token={token}", self.near())
    }

    fn near(&self) -> u16 {
        match self {
            Listening::Port(_, port) => *port,
            Listening::Socket(..) => NEAR,
        }
    }

    /// Says how to reach it.
    pub fn text(&self, token: &str) -> String {
        let address = self.address(token);
        let host = host();
        let user = std::env::var("USER").map_or(String::new(), |user| format!("{user}@"));
        let near = self.near();
        let far = match self {
            Listening::Port(_, port) => format!("127.0.0.1:{port}"),
            Listening::Socket(_, path) => show::word(path),
        };
        let here = match self {
            Listening::Port(..) => format!("On this machine:    {address}\n"),
            Listening::Socket(_, path) => format!("Listening at {}\n", show::word(path)),
        };
        format!(
            "{here}From your machine:  ssh -N -L {near}:{far} {user}{host}\n\
             Over a login node:  ssh -N -L {near}:{far} -J {user}LOGIN {user}{host}\n\
             {:18}  and then open {address}\n\
             Ctrl-C ends it.",
            ""
        )
    }

    /// Returns what the server listens at, and what removes it at the end.
    pub fn into_place(self) -> (Place, Option<TempPath>) {
        match self {
            Listening::Port(listener, _) => (Place::Port(listener), None),
            Listening::Socket(listener, path) => (Place::Socket(listener), Some(path)),
        }
    }
}

fn at_port(port: u16) -> Result<Listening> {
    let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Ok(listener) => listener,
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            bail!("port {port} is taken: name another, or none to get any that is free")
        }
        Err(error) => {
            return Err(error).with_context(|| format!("cannot listen at port {port}"));
        }
    };
    let port = listener.local_addr()?.port();
    Ok(Listening::Port(listener, port))
}

/// A socket's address has room for so many bytes of a path.
const LONGEST: usize = 107;

/// Nobody else may open the socket at any time, so it is made in a folder that nobody else may
/// enter, and moved to its place.
fn at_socket(path: &Path) -> Result<Listening> {
    let shown = path.display();
    let full =
        std::path::absolute(path).with_context(|| format!("cannot make the socket {shown}"))?;
    let length = full.as_os_str().len();
    ensure!(
        length <= LONGEST,
        "the path of a socket may have {LONGEST} bytes, and {} has {length}: name a shorter one",
        full.display()
    );
    refuse_used(path)?;
    let context = || format!("cannot make the socket {shown}");
    let parent = path.parent().filter(|it| !it.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    let folder = tempfile::Builder::new()
        .prefix(".mpiscope-")
        .tempdir_in(parent)
        .with_context(context)?;
    let made = folder.path().join("view");
    let listener = bind(folder.path(), &made).with_context(context)?;
    fs::set_permissions(&made, fs::Permissions::from_mode(0o600)).with_context(context)?;
    fs::rename(&made, path).with_context(context)?;
    signals::remove_when_ended(&full)?;
    let path = TempPath::try_from_path(full).with_context(context)?;
    Ok(Listening::Socket(listener, path))
}

/// Makes a socket in a folder whose path may be longer than a socket's: by way of the open folder.
fn bind(folder: &Path, made: &Path) -> io::Result<UnixListener> {
    if made.as_os_str().len() <= LONGEST {
        return UnixListener::bind(made);
    }
    let open = fs::File::open(folder)?;
    let name = made.file_name().unwrap_or_default();
    UnixListener::bind(Path::new(&format!("/proc/self/fd/{}", open.as_raw_fd())).join(name))
}

/// Refuses a path where something is, but for a socket that nobody listens at any more: that is
/// left of who could not remove it, and is replaced.
fn refuse_used(path: &Path) -> Result<()> {
    let shown = path.display();
    let Ok(found) = path.symlink_metadata() else {
        return Ok(());
    };
    ensure!(
        found.file_type().is_socket(),
        "{shown} is there already: name another path"
    );
    match UnixStream::connect(path) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Ok(()),
        Err(error) => Err(error).with_context(|| format!("{shown} is there already")),
        Ok(_) => bail!("somebody listens at {shown} already: name another path"),
    }
}

/// Returns the name of this machine.
fn host() -> String {
    let name = rustix::system::uname();
    name.nodename().to_string_lossy().into_owned()
}

/// Has the desktop open an address; where there is none, the address has been printed.
pub fn open(address: &str) {
    let opened = Command::new("xdg-open")
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = opened {
        say::aside(format!(
            "mpiscope: no browser was opened (xdg-open: {error})"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(path: &Path) -> String {
        match at_socket(path) {
            Ok(_) => String::new(),
            Err(error) => say::chain(&error),
        }
    }

    #[test]
    fn a_dead_socket_is_replaced_and_one_in_use_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sock");
        let listener = UnixListener::bind(&path).unwrap();
        assert!(refusal(&path).contains("somebody listens"));
        drop(listener);
        let Ok(Listening::Socket(listener, _removed)) = at_socket(&path) else {
            panic!("a dead socket is in the way");
        };
        assert!(UnixStream::connect(&path).is_ok());
        drop(listener);
        let file = folder.path().join("thesis");
        fs::write(&file, "").unwrap();
        assert!(refusal(&file).contains("is there already"));
        assert!(file.exists());
    }

    #[test]
    fn a_path_that_is_too_long_for_a_socket_is_said_to_be() {
        let folder = tempfile::tempdir().unwrap();
        let length = folder.path().as_os_str().len();
        let fits = folder.path().join("s".repeat(LONGEST - length - 1));
        let Ok(Listening::Socket(_listener, _removed)) = at_socket(&fits) else {
            panic!("107 bytes are not too long");
        };
        assert!(UnixStream::connect(&fits).is_ok());
        let long = folder.path().join("s".repeat(LONGEST - length));
        let said = refusal(&long);
        assert!(
            said.contains("107 bytes") && said.contains("has 108"),
            "{said}"
        );
        // The folder in which it is made has a longer path than the socket.
        let deep = folder.path().join("d".repeat(LONGEST - length - 4));
        fs::create_dir(&deep).unwrap();
        let Ok(Listening::Socket(_listener, _removed)) = at_socket(&deep.join("s")) else {
            panic!("106 bytes are not too long");
        };
    }
}
