//! Where the agent lies, and its copy fitted to the program's MPI library.
//!
//! Copies are kept under a name made of build ids, so that all ranks of a run
//! share one and a rebuilt library gets another. Ranks make it at the same
//! time: each writes a file of its own and renames it.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};

use crate::launch::elf;
use crate::launch::environment;
use crate::launch::program::Library;
use crate::launch::trim::trim;

/// The file, as cargo names it.
pub const FILE: &str = "libmpiscope_agent.so";

/// Where in a run's directory its copies lie.
pub const FOLDER: &str = "agent";

/// Names the agent's file where it is not beside the command.
pub const VARIABLE: &str = "MPISCOPE_AGENT";

/// Where it lies, seen from this executable: beside it as cargo builds it, and as packages install
/// it. A link to the executable is followed first, as Linux names the file itself.
const PLACES: [&str; 3] = [".", "../lib/mpiscope", "../lib"];

/// Finds the agent: `MPISCOPE_AGENT`, else in [`PLACES`].
pub fn find() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os(VARIABLE).map(PathBuf::from) {
        ensure!(path.is_file(), "{VARIABLE}: {} is no file", path.display());
        check_build(&path)?;
        return Ok(path);
    }
    let own = std::env::current_exe().context("cannot find this executable")?;
    let folder = own.parent().unwrap_or(Path::new("/"));
    let mut places = PLACES.iter().map(|place| folder.join(place).join(FILE));
    let Some(path) = places.find(|path| path.is_file()) else {
        bail!(
            "{FILE} is neither beside {} nor in ../lib/mpiscope; `make install` brings both, \
             `cargo install` the command alone: then build it (`cargo build --release --package \
             mpiscope-agent`), and put it there or set {VARIABLE} to its path",
            own.display()
        );
    };
    check_build(&path)?;
    Ok(path)
}

/// Makes sure that an agent understands what this command tells it, and the other way round.
fn check_build(agent: &Path) -> Result<()> {
    let bytes = read(agent)?;
    let found = mark(&bytes).unwrap_or("an older version");
    let own = format!("{}/{}", mpiscope_run::VERSION, mpiscope_run::INTERFACE);
    ensure!(
        found == own,
        "{} is of another build of mpiscope ({found}; this command is {own}): build both \
         (`make build`), or set {VARIABLE} to the agent that belongs to it",
        agent.display()
    );
    Ok(())
}

/// Returns the version and interface that an agent's file states.
fn mark(bytes: &[u8]) -> Option<&str> {
    let mark = mpiscope_run::AGENT_MARK.as_bytes();
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|&byte| byte == mark[0]) {
        rest = &rest[at..];
        if let Some(text) = rest.strip_prefix(mark) {
            let text = &text[..text.len().min(24)];
            let end = text.iter().position(|&byte| byte == b']');
            let stated = end.and_then(|end| std::str::from_utf8(&text[..end]).ok());
            if stated.is_some() {
                return stated;
            }
        }
        rest = &rest[1..];
    }
    None
}

/// Returns a copy of the agent fitted to `library`, made in `folder` if it is not yet there.
///
/// Without a library (a program that may load one while it runs) all of the
/// agent's wrappers stay visible.
pub fn fitted(agent: &Path, library: Option<&Library>, folder: &Path) -> Result<PathBuf> {
    let copy = folder.join(format!("libmpiscope_agent-{}.so", key(agent, library)?));
    if copy.is_file() {
        return Ok(copy);
    }
    let bytes = read(agent)?;
    let bytes = match library {
        Some(library) => trim(&bytes, &library.names).with_context(|| {
            format!(
                "cannot fit {} to {}",
                agent.display(),
                library.path.display()
            )
        })?,
        None => bytes,
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let own = copy.with_extension(environment::unique());
    fs::write(&own, bytes).with_context(|| format!("cannot write {}", own.display()))?;
    fs::rename(&own, &copy).with_context(|| format!("cannot rename {}", own.display()))?;
    Ok(copy)
}

/// Names a copy after the build ids of the agent and of the libraries it is fitted to.
fn key(agent: &Path, library: Option<&Library>) -> Result<String> {
    let id = elf::exports(agent)?.build_id;
    let agent = match id.as_str() {
        "" => digest(read(agent)?),
        _ => id,
    };
    let library = match library {
        None => "any".to_owned(),
        // Names as well as ids: a library built without an id still tells itself apart.
        Some(library) => digest((&library.build_ids, &library.names)),
    };
    let short = &agent[..agent.len().min(16)];
    Ok(format!("{short}-{library}"))
}

fn read(agent: &Path) -> Result<Vec<u8>> {
    fs::read(agent).with_context(|| format!("cannot read {}", agent.display()))
}

fn digest(value: impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Returns where copies are kept: in the run, or this user's own folder for
/// temporary files if there is no run yet, or if the loader could not read
/// the run's path in `LD_PRELOAD`, where space and colon separate (ld.so(8)).
pub fn folder(run: Option<&Path>) -> Result<PathBuf> {
    let run = run.map(|run| run.join(FOLDER));
    match run.filter(|path| preloadable(path)) {
        Some(path) => Ok(path),
        None => private_folder(&std::env::temp_dir()),
    }
}

/// Returns whether `LD_PRELOAD` can hold this path.
pub fn preloadable(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    !bytes.iter().any(|byte| matches!(byte, b' ' | b':' | b'$'))
}

/// Creates a folder that nobody else can write to; what lies in it is going to be executed.
fn private_folder(parent: &Path) -> Result<PathBuf> {
    ensure!(
        preloadable(parent),
        "TMPDIR holds a space, colon or dollar sign: {}",
        parent.display()
    );
    let user = rustix::process::geteuid().as_raw();
    let path = parent.join(format!("mpiscope-{user}"));
    let made = fs::DirBuilder::new().mode(0o700).create(&path);
    if let Err(error) = made {
        let exists = error.kind() == std::io::ErrorKind::AlreadyExists;
        ensure!(exists, "cannot create {}: {error}", path.display());
    }
    let data = fs::symlink_metadata(&path)
        .with_context(|| format!("cannot look at {}", path.display()))?;
    let own = data.is_dir() && data.uid() == user && data.mode() & 0o022 == 0;
    ensure!(
        own,
        "{} belongs to another user; set TMPDIR",
        path.display()
    );
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::compile;

    #[test]
    fn many_ranks_make_one_copy_per_library() {
        let source = "int MPI_Send(){return 1;} int MPI_Isend_c(){return 2;}";
        let Some(agent) = compile("gcc", source, &["-shared", "-fPIC"]) else {
            return;
        };
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let library = Library {
                names: [name.to_owned()].into(),
                ..Library::default()
            };
            fitted(agent.path(), Some(&library), folder.path()).unwrap()
        };
        let copies = std::thread::scope(|scope| {
            let ranks: Vec<_> = (0..8).map(|_| scope.spawn(|| make("MPI_Send"))).collect();
            let copies: Vec<_> = ranks.into_iter().map(|rank| rank.join().unwrap()).collect();
            copies
        });
        assert!(copies.iter().all(|copy| *copy == copies[0]));
        assert!(!elf::exports(&copies[0])
            .unwrap()
            .names
            .contains("MPI_Isend_c"));
        assert_ne!(make("MPI_Isend_c"), copies[0]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_path_that_the_loader_would_split_is_not_used() {
        assert!(preloadable(Path::new("/a/heat.mpiscope")));
        assert!(!preloadable(Path::new("/a b/heat.mpiscope")));
        assert!(!preloadable(Path::new("/a:b")));
    }

    #[test]
    fn a_folder_of_strangers_is_refused() {
        let parent = tempfile::tempdir().unwrap();
        let path = private_folder(parent.path()).unwrap();
        assert_eq!(path, private_folder(parent.path()).unwrap());
        fs::remove_dir(&path).unwrap();
        std::os::unix::fs::symlink("/", &path).unwrap();
        assert!(private_folder(parent.path()).is_err());
    }
}
