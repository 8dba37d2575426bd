//! Finds the programs within a launcher's command line.
//!
//! `mpiscope trace -- mpirun -n 4 ./heat 512` must start
//! `mpirun -n 4 mpiscope exec -- ./heat 512`, since only the launched process
//! itself can tell which MPI library it will load and preload our agent for
//! that one. To place those words we have to know where the launcher's options
//! end: from a [table](options) per launcher. Pure: words in, positions out.

mod options;

use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::path::Path;

use mpi_abi::Family;

use options::{
    Row, FLUX, FLUX_SHORT, FLUX_SHORT_WITH_VALUE, HYDRA, OPEN_MPI, PROGRAM_FILES, SRUN, SRUN_SHORT,
    SRUN_SHORT_WITH_VALUE,
};

/// How a launcher reads its command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `mpirun` of Open MPI.
    OpenMpi,
    /// `mpiexec` of MPICH, Intel MPI, MVAPICH.
    Hydra,
    /// Slurm's `srun`.
    Srun,
    /// `flux run` and `flux submit`.
    Flux,
    /// An `mpirun` of unknown make: both tables are consulted.
    Either,
}

/// Launchers whose file name tells how they read their command line.
const NAMES: &[(&str, Style)] = &[
    ("mpirun.openmpi", Style::OpenMpi),
    ("mpiexec.openmpi", Style::OpenMpi),
    ("orterun", Style::OpenMpi),
    ("prterun", Style::OpenMpi),
    ("oshrun", Style::OpenMpi),
    ("mpirun.mpich", Style::Hydra),
    ("mpiexec.mpich", Style::Hydra),
    ("mpiexec.hydra", Style::Hydra),
    ("mpirun.mpich2", Style::Hydra),
    ("srun", Style::Srun),
    ("flux", Style::Flux),
    ("mpirun", Style::Either),
    ("mpiexec", Style::Either),
];

/// The commands of `flux` that start programs; others do something else.
const FLUX_COMMANDS: &[&str] = &["run", "submit"];

/// Programs that start the rest of their command line, such as a launcher.
const WRAPPERS: &[&str] = &[
    "env", "ionice", "nice", "nohup", "numactl", "setsid", "stdbuf", "taskset", "time", "timeout",
];

/// What launchers say when asked for their version.
const VERSION_WORDS: &[(&str, Style)] = &[
    ("HYDRA", Style::Hydra),
    ("Intel(R) MPI", Style::Hydra),
    ("Open MPI", Style::OpenMpi),
    ("OpenRTE", Style::OpenMpi),
    ("PRRTE", Style::OpenMpi),
];

impl Style {
    /// Returns the style that a launcher's file name stands for; nothing if it is no launcher.
    pub fn of_name(command: &OsStr) -> Option<Style> {
        let name = Path::new(command).file_name()?.to_str()?;
        NAMES.iter().find(|row| row.0 == name).map(|row| row.1)
    }

    /// Returns the style that a launcher's answer to `--version` shows.
    pub fn of_version(text: &str) -> Option<Style> {
        let found = VERSION_WORDS.iter().find(|row| text.contains(row.0));
        found.map(|row| row.1)
    }

    /// Returns the MPI library that this launcher starts; nothing if it starts any.
    pub fn family(self) -> Option<Family> {
        match self {
            Style::OpenMpi => Some(Family::OpenMpi),
            Style::Hydra => Some(Family::Mpich),
            Style::Srun | Style::Flux | Style::Either => None,
        }
    }

    /// Returns how many words the launcher itself takes.
    fn words(self) -> usize {
        match self {
            Style::Flux => 2,
            _ => 1,
        }
    }

    fn tables(self) -> &'static [&'static [Row]] {
        match self {
            Style::OpenMpi => &[OPEN_MPI],
            Style::Hydra => &[HYDRA],
            Style::Srun => &[SRUN],
            Style::Flux => &[FLUX],
            Style::Either => &[OPEN_MPI, HYDRA],
        }
    }
}

/// Returns the names under which launchers of one family are installed.
pub fn names_of(family: Family) -> impl Iterator<Item = &'static str> {
    let of_family = move |row: &&(&str, Style)| row.1.family() == Some(family);
    NAMES.iter().filter(of_family).map(|row| row.0)
}

/// Returns every name by which a launcher is known.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|row| row.0)
}

/// Returns the position of the launcher: the first word, or a later one after
/// `time`, `env` and the like. Nothing if the command starts the program itself.
pub fn position(words: &[OsString]) -> Option<usize> {
    let is_wrapper = |word: &OsString| {
        let name = Path::new(word).file_name().and_then(OsStr::to_str);
        name.is_some_and(|name| WRAPPERS.contains(&name))
    };
    let is_launcher = |at: &usize| is_launcher(&words[*at..]);
    if is_launcher(&0) {
        return Some(0);
    }
    if !is_wrapper(words.first()?) {
        return None;
    }
    (1..words.len()).find(is_launcher)
}

fn is_launcher(words: &[OsString]) -> bool {
    let style = words.first().and_then(|word| Style::of_name(word));
    let command = words.get(1).and_then(|word| word.to_str());
    match style {
        Some(Style::Flux) => command.is_some_and(|it| FLUX_COMMANDS.contains(&it)),
        style => style.is_some(),
    }
}

/// Where the programs stand in a command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    /// Each program with its arguments, as positions of words.
    pub programs: Vec<Range<usize>>,
    /// Options that no table knows; what follows them was guessed.
    pub unknown: Vec<String>,
    /// The launcher looks the programs up elsewhere, for example in `-wdir`.
    pub elsewhere: bool,
}

/// Options after which a program's name means something else than here.
const ELSEWHERE: &[&str] = &["D", "chdir", "path", "set-cwd-to-session-dir", "wd", "wdir"];

/// Why no program was found in a launcher's command line.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Hidden {
    /// The programs stand in a file.
    #[error("option {0} keeps the programs in a file")]
    InFile(String),
    /// Options only.
    #[error("the launcher's command line names no program")]
    Absent,
}

/// Finds the programs after the launcher at `words[launcher]`.
///
/// `is_program` says whether a word names something executable: consulted only
/// after an option that no table knows, to tell its value from the program.
pub fn layout(
    words: &[OsString],
    launcher: usize,
    style: Style,
    is_program: &dyn Fn(&OsStr) -> bool,
) -> Result<Layout, Hidden> {
    let mut found = Layout {
        programs: Vec::new(),
        unknown: Vec::new(),
        elsewhere: false,
    };
    let mut start = launcher + style.words();
    while start <= words.len() {
        // MPMD: each part between colons has options and a program of its own (MPI 4.1, §11.5).
        let part = words[start..].iter().position(|word| word == ":");
        let end = part.map_or(words.len(), |length| start + length);
        let mut reader = Reader {
            words: &words[..end],
            at: start,
            style,
            is_program,
            unknown: &mut found.unknown,
        };
        let program = reader.program()?;
        found.elsewhere |= words[start..program].iter().any(is_elsewhere);
        found.programs.push(program..end);
        start = end + 1;
    }
    Ok(found)
}

fn is_elsewhere(option: &OsString) -> bool {
    let text = option.to_str().unwrap_or_default();
    let name = text.trim_start_matches('-');
    let name = name.split_once('=').map_or(name, |pair| pair.0);
    text.starts_with('-') && ELSEWHERE.contains(&name)
}

/// What an option is followed by.
enum Takes {
    Words(usize),
    ProgramFile,
    Unknown,
}

struct Reader<'a> {
    words: &'a [OsString],
    at: usize,
    style: Style,
    is_program: &'a dyn Fn(&OsStr) -> bool,
    unknown: &'a mut Vec<String>,
}

impl Reader<'_> {
    /// Skips options and returns the position of the program.
    fn program(&mut self) -> Result<usize, Hidden> {
        while let Some(word) = self.words.get(self.at) {
            let text = word.to_str().unwrap_or_default();
            if text == "--" {
                self.at += 1;
                break;
            }
            if text.len() < 2 || !text.starts_with('-') {
                break;
            }
            self.at += 1 + match takes(self.style, text) {
                Takes::Words(count) => count,
                Takes::ProgramFile => return Err(Hidden::InFile(text.to_owned())),
                Takes::Unknown => self.guess(text),
            };
        }
        (self.at < self.words.len())
            .then_some(self.at)
            .ok_or(Hidden::Absent)
    }

    /// Guesses how many words belong to an unknown option: none if the next is
    /// an option or a program, else one.
    fn guess(&mut self, option: &str) -> usize {
        self.unknown.push(option.to_owned());
        match self.words.get(self.at + 1) {
            Some(next) if next.as_encoded_bytes().starts_with(b"-") => 0,
            Some(next) if (self.is_program)(next) => 0,
            Some(_) => 1,
            None => 0,
        }
    }
}

fn takes(style: Style, option: &str) -> Takes {
    let name = option.trim_start_matches('-');
    let (name, attached) = match name.split_once('=') {
        Some((name, _)) => (name, true),
        None => (name, false),
    };
    let short = option.len() - option.trim_start_matches('-').len() == 1;
    if short {
        match style {
            Style::Srun => return letters(name, attached, SRUN_SHORT_WITH_VALUE, SRUN_SHORT),
            Style::Flux => return letters(name, attached, FLUX_SHORT_WITH_VALUE, FLUX_SHORT),
            _ => {}
        }
    }
    if PROGRAM_FILES.contains(&name) {
        return Takes::ProgramFile;
    }
    let row = style.tables().iter().find_map(|table| row(table, name));
    match row {
        Some(_) if attached => Takes::Words(0),
        Some(count) => Takes::Words(count),
        None if attached => Takes::Words(0),
        None => Takes::Unknown,
    }
}

fn row(table: &[Row], name: &str) -> Option<usize> {
    table.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// `srun` and `flux run` join short options, and a value to the last of them: `-lN4`.
fn letters(letters: &str, attached: bool, with_value: &str, without: &str) -> Takes {
    for (at, letter) in letters.char_indices() {
        // Those of `srun` that may have a value have it attached: `-K0`.
        if "IK".contains(letter) && without.contains(letter) {
            return Takes::Words(0);
        }
        if with_value.contains(letter) {
            let last = at + letter.len_utf8() == letters.len();
            return Takes::Words(usize::from(last && !attached));
        }
        if !without.contains(letter) {
            return Takes::Unknown;
        }
    }
    Takes::Words(0)
}

/// Puts `prefix` before each program.
pub fn insert(words: &[OsString], programs: &[Range<usize>], prefix: &[OsString]) -> Vec<OsString> {
    let mut line = Vec::with_capacity(words.len() + programs.len() * prefix.len());
    for (at, word) in words.iter().enumerate() {
        if programs.iter().any(|program| program.start == at) {
            line.extend_from_slice(prefix);
        }
        line.push(word.clone());
    }
    line
}

#[cfg(test)]
mod tests;
