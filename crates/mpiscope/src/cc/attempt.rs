//! One source after the other: with probes if that compiles, else without.

use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use mpiscope_archive::model::structure::Language;
use mpiscope_instrument::{instrument, preamble, Dialect, Instrumented, Loops, Options, Source};

use super::words::{CommandLine, Role};
use super::{dependencies, diagnostics, fortran, responses};
use crate::cli::{CallsWith, Cc, LoopsWith};
use crate::say;

/// So often a source is tried, each time without the procedures that did not compile.
const TRIES: usize = 4;

/// MPI calls are known by their return addresses: where the command line says
/// nothing of debug information, line tables tell what statements these are.
const LINES: &str = "-g1";

/// What all compilations of one command line share.
pub struct Attempt<'a> {
    pub arguments: &'a Cc,
    pub line: &'a CommandLine,
    /// Where copies and objects between lie.
    pub folder: &'a Path,
    structures: Vec<String>,
    names: Cell<usize>,
}

/// A source file on the command line, and the object that it becomes.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    pub source: &'a OsStr,
    pub dialect: Dialect,
    /// Where its object goes if not where the command line says.
    pub object: Option<&'a Path>,
}

/// What the compiler did not take.
#[derive(Default)]
struct Refused {
    unannounced: Vec<u32>,
    procedures: Vec<(u32, String)>,
}

impl Refused {
    /// At first announcements are suspected: a macro may have been no expression.
    fn add(&mut self, round: usize, lines: Vec<(u32, String)>) {
        for (line, error) in lines {
            if round == 1 {
                self.unannounced.push(line);
            } else {
                let reason = format!("does not compile with probes: {error}");
                self.procedures.push((line, reason));
            }
        }
    }
}

/// How a compilation with probes ended.
struct Ended {
    success: bool,
    said: String,
}

impl<'a> Attempt<'a> {
    /// Prepares; compiles nothing so far.
    pub fn new(arguments: &'a Cc, line: &'a CommandLine, folder: &'a Path) -> Self {
        Self {
            arguments,
            line,
            folder,
            structures: Vec::new(),
            names: Cell::new(0),
        }
    }

    /// Makes an object of every source, as `-c` asks; returns the exit code.
    pub fn objects(&mut self) -> Result<u8> {
        let mut code = 0;
        for (source, dialect) in self.line.sources() {
            let object = None;
            let one = self.compile(Unit {
                source,
                dialect,
                object,
            })?;
            code = if one == 0 { code } else { one };
        }
        self.write_structures()?;
        Ok(code)
    }

    /// Prints the sources with probes.
    pub fn show(&mut self) -> Result<u8> {
        for (source, dialect) in self.line.sources() {
            let unit = Unit {
                source,
                dialect,
                object: None,
            };
            let found = self.instrumented(unit, &Refused::default());
            let text = match found {
                Ok(found) => found.body,
                Err(reason) => {
                    say::aside(format!("mpiscope: {}: {reason}", source.to_string_lossy()));
                    fs::read(source).unwrap_or_default()
                }
            };
            say::report(String::from_utf8_lossy(&text).trim_end_matches('\n'))?;
        }
        Ok(0)
    }

    /// Writes what `--structure` asked for.
    pub fn write_structures(&self) -> Result<()> {
        let Some(file) = &self.arguments.structure else {
            return Ok(());
        };
        let text: String = self
            .structures
            .iter()
            .map(|line| format!("{line}\n"))
            .collect();
        fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
    }

    /// Compiles one source; returns the compiler's exit code.
    pub fn compile(&mut self, unit: Unit) -> Result<u8> {
        let found = match self.instrumented(unit, &Refused::default()) {
            Ok(found) if !found.structure.statements.is_empty() => found,
            Ok(found) => {
                self.name_left_alone(unit, &found);
                return self.plain(unit);
            }
            Err(reason) => {
                self.explain(unit, &reason);
                return self.plain(unit);
            }
        };
        let ended = self.with_probes(unit, &found);
        if ended.success {
            let code = self.speak(unit, &ended)?;
            if code == 0 {
                self.done(unit, &found);
            }
            return Ok(code);
        }
        // Most likely the user's own error: the user hears of it at once.
        let code = self.plain(unit)?;
        match code {
            0 => self.again(unit, ended),
            _ => Ok(code),
        }
    }

    /// The source compiles, but not with probes: leaves out what the compiler refuses.
    fn again(&mut self, unit: Unit, mut ended: Ended) -> Result<u8> {
        let file = unit.source.to_string_lossy();
        let said = diagnostics::first(&ended.said).to_owned();
        let mut refused = Refused::default();
        for round in 1..TRIES {
            let lines = diagnostics::errors(&ended.said, &file);
            if lines.is_empty() {
                break;
            }
            refused.add(round, lines);
            let Ok(found) = self.instrumented(unit, &refused) else {
                break;
            };
            ended = self.with_probes(unit, &found);
            if ended.success {
                self.done(unit, &found);
                return Ok(0);
            }
        }
        say::aside(format!(
            "mpiscope: {file}: compiled without probes; with them: {said}"
        ));
        self.plain(unit)
    }

    /// Returns the source with probes, or why there are none.
    fn instrumented(&self, unit: Unit, refused: &Refused) -> Result<Instrumented, String> {
        let file = unit.source.to_str().ok_or("its name is no text")?;
        let text = fs::read(unit.source).map_err(|error| format!("cannot be read: {error}"))?;
        let directory = std::env::current_dir().map_err(|error| error.to_string())?;
        let directory = directory.to_string_lossy();
        let mut options = self.options(file)?;
        options.unannounced.clone_from(&refused.unannounced);
        options.refused.clone_from(&refused.procedures);
        options.object = format!("{directory}/{}", self.object(unit).display());
        let dialect = unit.dialect;
        let source = Source {
            text: &text,
            file,
            directory: &directory,
            dialect,
        };
        instrument(&source, &options).map_err(|untouched| untouched.to_string())
    }

    /// A pattern that fits the source's name speaks of the whole file.
    fn options(&self, file: &str) -> Result<Options, String> {
        let name = Path::new(file)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let fits = |pattern: &String| {
            [file, &name]
                .iter()
                .any(|name| mpiscope_instrument::matches(pattern, name))
        };
        if self.arguments.exclude.iter().any(fits) {
            return Err("excluded".into());
        }
        let mut only = self.arguments.only.clone();
        if only.iter().any(fits) {
            only.clear();
        }
        Ok(Options {
            loops: match self.arguments.loops {
                LoopsWith::None => Loops::None,
                LoopsWith::Calls => Loops::Calls,
                LoopsWith::All => Loops::All,
            },
            calls: self.arguments.calls == CallsWith::All,
            exclude: self.arguments.exclude.clone(),
            only,
            ..Options::default()
        })
    }

    /// Compiles the copy with probes to where the object belongs.
    fn with_probes(&self, unit: Unit, found: &Instrumented) -> Ended {
        let failed = |error: String| Ended {
            success: false,
            said: error,
        };
        let copy = match self.copy(unit, found) {
            Ok(copy) => copy,
            Err(error) => return failed(format!("cannot write a copy: {error}")),
        };
        let words = self.words_of_copy(unit, &copy, found);
        let output = self
            .command(&words)
            .and_then(|mut c| c.stdin(Stdio::null()).output());
        let output = match output {
            Ok(output) => output,
            Err(error) => return failed(error.to_string()),
        };
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        if !output.status.success() {
            return failed(said);
        }
        let object = self.object(unit);
        let restored = dependencies::restore(self.line, &object, &copy, Path::new(unit.source));
        let merged = match found.structure.language {
            Language::Fortran => fortran::merge(self, found, &object),
            _ => Ok(()),
        };
        match restored.map_err(|error| error.to_string()).and(merged) {
            Ok(()) => Ended {
                success: true,
                said,
            },
            Err(error) => failed(error),
        }
    }

    /// Writes the copy, under the source's own name in a folder of its own.
    fn copy(&self, unit: Unit, found: &Instrumented) -> std::io::Result<PathBuf> {
        let folder = self.unused();
        fs::create_dir(&folder)?;
        let name = Path::new(unit.source).file_name().unwrap_or(unit.source);
        let head = match found.structure.language {
            Language::Fortran => fortran::head(&found.structure.file),
            _ => preamble(&found.structure),
        };
        let text = [head.as_bytes(), &found.body].concat();
        if let Some(keep) = &self.arguments.keep {
            fs::create_dir_all(keep)?;
            fs::write(keep.join(name), &text)?;
        }
        let copy = folder.join(name);
        fs::write(&copy, text)?;
        Ok(copy)
    }

    /// Returns a name in the folder that nobody has used.
    pub fn unused(&self) -> PathBuf {
        let number = self.names.get();
        self.names.set(number + 1);
        self.folder.join(number.to_string())
    }

    fn words_of_copy(&self, unit: Unit, copy: &Path, found: &Instrumented) -> Vec<OsString> {
        let folder = Path::new(unit.source)
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let (front, back): (&[&str], &[&str]) = match found.structure.language {
            // Where the compiler looks for what the source includes.
            Language::Fortran => (
                &["-I"],
                &["-ffree-line-length-none", "-ffixed-line-length-none"],
            ),
            _ => (&["-iquote"], &["-Wno-error", "-Wno-pedantic"]),
        };
        let mut words: Vec<OsString> = front.iter().map(OsString::from).collect();
        words.push(folder.into());
        words.extend(self.words(unit, copy, unit.object, false));
        // Debug information names the source, too.
        let mut map = OsString::from("-ffile-prefix-map=");
        map.push(copy);
        map.push("=");
        map.push(unit.source);
        words.push(map);
        if !self.line.names_debug_information() {
            words.push(LINES.into());
        }
        words.extend(back.iter().map(OsString::from));
        words
    }

    /// Returns the words of a compilation of one source to one object.
    fn words(&self, unit: Unit, input: &Path, object: Option<&Path>, quiet: bool) -> Vec<OsString> {
        let program = unit.object.is_some();
        let mut words = Vec::new();
        for word in &self.line.words {
            let kept = match word.role {
                Role::Source(_) => word.text == unit.source,
                Role::Linked => !program,
                Role::Output => object.is_none(),
                Role::Dependencies => !quiet,
                Role::Option => true,
            };
            if kept {
                let source = matches!(word.role, Role::Source(_));
                words.push(if source {
                    input.into()
                } else {
                    word.text.clone()
                });
            }
        }
        if program {
            words.push("-c".into());
        }
        if let Some(object) = object {
            words.extend(["-o".into(), object.into()]);
        }
        words
    }

    /// Returns where a unit's object goes.
    fn object(&self, unit: Unit) -> PathBuf {
        let named = unit
            .object
            .map(Path::to_owned)
            .or_else(|| self.line.output());
        named.unwrap_or_else(|| {
            let name = Path::new(unit.source).file_name().unwrap_or(unit.source);
            Path::new(name).with_extension("o")
        })
    }

    /// Compiles a source as it is; the compiler speaks for itself.
    fn plain(&self, unit: Unit) -> Result<u8> {
        let words = self.words(unit, Path::new(unit.source), unit.object, false);
        self.execute(&words)
    }

    /// If the compiler had something to say, it says it of the plain source,
    /// and its exit code about that counts: `-Werror` may have been asked for.
    fn speak(&self, unit: Unit, ended: &Ended) -> Result<u8> {
        if ended.said.is_empty() {
            return Ok(0);
        }
        let words = self.words(unit, Path::new(unit.source), Some(&self.unused()), true);
        let code = self.execute(&words)?;
        if code != 0 {
            let _ = fs::remove_file(self.object(unit));
        }
        Ok(code)
    }

    /// Runs the compiler; returns its exit code.
    pub fn execute(&self, words: &[OsString]) -> Result<u8> {
        let compiler = || self.line.compiler[0].to_string_lossy().into_owned();
        let mut command = self.command(words)?;
        let status = command
            .status()
            .with_context(|| format!("cannot execute {}", compiler()))?;
        Ok(status.code().map_or(1, |code| code as u8))
    }

    /// Returns the compiler's command with these words, in a response file if they came from one.
    pub fn command(&self, words: &[OsString]) -> std::io::Result<Command> {
        let mut command = Command::new(&self.line.compiler[0]);
        command.args(&self.line.compiler[1..]);
        if !self.line.long {
            command.args(words);
            return Ok(command);
        }
        let file = self.unused();
        responses::write(&file, words)?;
        let mut word = OsString::from("@");
        word.push(file);
        command.arg(word);
        Ok(command)
    }

    /// Keeps the structure, and names what was left alone.
    fn done(&mut self, unit: Unit, found: &Instrumented) {
        self.name_left_alone(unit, found);
        let json = serde_json::to_string(&found.structure);
        self.structures.extend(json);
    }

    fn name_left_alone(&self, unit: Unit, found: &Instrumented) {
        for left in &found.structure.left_alone {
            let place = format!(
                "line {}: {} is left alone: it {}",
                left.line, left.name, left.reason
            );
            self.explain(unit, &place);
        }
    }

    fn explain(&self, unit: Unit, what: &str) {
        if self.arguments.verbose {
            say::aside(format!(
                "mpiscope: {}: {what}",
                unit.source.to_string_lossy()
            ));
        }
    }
}
