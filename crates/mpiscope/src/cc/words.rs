//! A compiler's command line, word by word: what each is to us.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::Result;
use mpiscope_instrument::Dialect;

use super::language::Driver;
use super::responses;

/// A word of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub text: OsString,
    pub role: Role,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A source file that may get probes.
    Source(Dialect),
    /// Another file, or an option for the linker: nothing to a compilation.
    Linked,
    /// `-o` and the name after it.
    Output,
    /// What makes the compiler write dependencies, and the word after it.
    Dependencies,
    /// Everything else.
    Option,
}

/// A command line, understood.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// The compiler, with a launcher such as ccache in front.
    pub compiler: Vec<OsString>,
    /// Its arguments, response files taken apart.
    pub words: Vec<Word>,
    /// Some of these came from response files: the line may be too long for the system.
    pub long: bool,
}

/// What is to be done with a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// The compiler gets it as it is, for this reason.
    HandOn(&'static str),
    /// An object for every source (`-c`).
    Objects,
    /// Objects for the sources, and the rest with them.
    Program,
}

impl CommandLine {
    /// Reads a command line; response files that cannot be read stay words.
    pub fn parse(command: &[OsString]) -> Result<Self> {
        let launched = is_launcher(&command[0]) && command.len() > 1;
        let (compiler, rest) = command.split_at(1 + usize::from(launched));
        let (rest, long) = responses::expand(rest);
        let mut driver = Driver::named(&compiler[compiler.len() - 1]);
        for word in &rest {
            driver.read(&word.to_string_lossy());
        }
        let compiler = compiler.to_vec();
        let words = roles(&rest, driver);
        Ok(Self {
            compiler,
            words,
            long,
        })
    }

    /// Decides by what the words say.
    pub fn plan(&self) -> Plan {
        let has = |list: &[&str]| self.options().any(|word| list.contains(&&*word));
        let starts = |list: &[&str]| {
            self.options()
                .any(|word| list.iter().any(|start| word.starts_with(start)))
        };
        let objects = has(&["-c"]);
        if !self
            .words
            .iter()
            .any(|word| matches!(word.role, Role::Source(_)))
        {
            return Plan::HandOn("it compiles no source that gets probes");
        }
        if has(&OTHER_WORK) || starts(&["-print-", "--print-", "-dump", "-show", "-save-temps"]) {
            return Plan::HandOn("it asks for something else than an object or a program");
        }
        if starts(&["-x"]) || has(&["-"]) {
            return Plan::HandOn("its language or its source is not told by a file's name");
        }
        let kinds = self
            .words
            .iter()
            .filter(|word| matches!(word.role, Role::Source(_)));
        if self
            .sources()
            .any(|(file, _)| is_probe_of_the_build(Path::new(file)))
        {
            return Plan::HandOn("a build system asks what the compiler can do");
        }
        match objects {
            true if kinds.count() > 1 && self.output().is_some() => {
                Plan::HandOn("several sources and one object")
            }
            true => Plan::Objects,
            false if has(&BESIDE) || self.words.iter().any(|w| w.role == Role::Dependencies) => {
                Plan::HandOn("files beside the program are named after the objects between")
            }
            false => Plan::Program,
        }
    }

    /// Whether the user decides about debug information (`-g`, `-g0`, `-ggdb3`, `-gdwarf-5`, …).
    pub fn names_debug_information(&self) -> bool {
        self.options().any(|word| word.starts_with("-g"))
    }

    fn options(&self) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
        let options = self.words.iter().filter(|word| word.role == Role::Option);
        options.map(|word| word.text.to_string_lossy())
    }

    /// Returns the sources that may get probes.
    pub fn sources(&self) -> impl Iterator<Item = (&OsStr, Dialect)> {
        self.words.iter().filter_map(|word| match word.role {
            Role::Source(dialect) => Some((&*word.text, dialect)),
            _ => None,
        })
    }

    /// Returns the options that the objects of one program must agree in.
    pub fn machine(&self) -> Vec<OsString> {
        let same = |option: &str| {
            option.starts_with("-m") || option.starts_with("-flto") || option == "-fno-lto"
        };
        let words = self.words.iter().filter(|word| word.role == Role::Option);
        let words = words.filter(|word| same(&word.text.to_string_lossy()));
        words.map(|word| word.text.clone()).collect()
    }

    /// Returns the output that the line names.
    pub fn output(&self) -> Option<PathBuf> {
        let mut outputs = self.words.iter().filter(|word| word.role == Role::Output);
        let last = outputs.next_back()?.text.to_string_lossy().into_owned();
        Some(last.strip_prefix("-o").unwrap_or(&last).into())
    }
}

/// Gives every word its role.
fn roles(rest: &[OsString], driver: Driver) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = rest.iter();
    while let Some(text) = rest.next() {
        let option = text.to_string_lossy().into_owned();
        let role = role(&option, text, driver);
        words.push(Word {
            text: text.clone(),
            role,
        });
        if takes_next(&option) {
            words.extend(rest.next().map(|text| Word {
                text: text.clone(),
                role,
            }));
        }
    }
    words
}

fn role(option: &str, text: &OsStr, driver: Driver) -> Role {
    if option == "-" || !option.starts_with('-') {
        return match driver.dialect(text) {
            _ if option == "-" => Role::Option,
            Some(dialect) => Role::Source(dialect),
            None => Role::Linked,
        };
    }
    let dependencies = option.starts_with("-M") && option != "-M" && option != "-MM";
    if dependencies || option.starts_with("-Wp,-M") {
        return Role::Dependencies;
    }
    let linked = [
        "-l",
        "-L",
        "-Wl,",
        "-Xlinker",
        "-z",
        "-T",
        "-u",
        "-shared",
        "-static",
        "-rdynamic",
        "-pie",
        "-no-pie",
        "-nostd",
        "-nodefaultlibs",
        "-fuse-ld",
        "-s",
    ];
    let exact = [
        "-z",
        "-T",
        "-u",
        "-s",
        "-shared",
        "-rdynamic",
        "-pie",
        "-no-pie",
        "-nodefaultlibs",
        "-Xlinker",
        "-static",
    ];
    match option {
        _ if option.starts_with("-o") && !option.starts_with("-objc") => Role::Output,
        _ if exact.contains(&option) => Role::Linked,
        _ if linked
            .iter()
            .any(|start| !exact.contains(start) && option.starts_with(start)) =>
        {
            Role::Linked
        }
        _ if option.starts_with("-static-") => Role::Linked,
        _ => Role::Option,
    }
}

/// Options whose argument is the next word.
fn takes_next(option: &str) -> bool {
    const THESE: [&str; 39] = [
        "-o",
        "-I",
        "-L",
        "-l",
        "-D",
        "-U",
        "-include",
        "-imacros",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-iprefix",
        "-iwithprefix",
        "-iwithprefixbefore",
        "-isysroot",
        "-imultilib",
        "-MF",
        "-MT",
        "-MQ",
        "-MJ",
        "-Xlinker",
        "-Xassembler",
        "-Xpreprocessor",
        "-Xclang",
        "-x",
        "-T",
        "-u",
        "-z",
        "-e",
        "-A",
        "-J",
        "-B",
        "-arch",
        "-target",
        "-aux-info",
        "-dumpbase",
        "-dumpdir",
        "--param",
        "-wrapper",
    ];
    THESE.contains(&option)
}

/// Work that is no compilation to an object or a program.
const OTHER_WORK: [&str; 11] = [
    "-E",
    "-M",
    "-MM",
    "-S",
    "-fsyntax-only",
    "-###",
    "--version",
    "--help",
    "-compile-info",
    "-link-info",
    "-emit-llvm",
];

/// Options that write files named after the objects.
const BESIDE: [&str; 5] = [
    "--coverage",
    "-fprofile-arcs",
    "-ftest-coverage",
    "-gsplit-dwarf",
    "-fstack-usage",
];

fn is_launcher(word: &OsStr) -> bool {
    let name = Path::new(word).file_name().unwrap_or(word);
    ["ccache", "sccache", "distcc", "icecc"]
        .iter()
        .any(|launcher| name == *launcher)
}

/// Sources by which configure, CMake and Meson try the compiler.
fn is_probe_of_the_build(file: &Path) -> bool {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let beside = |name: &str| file.components().any(|part| part.as_os_str() == name);
    stem == "conftest"
        || stem.starts_with("CMake")
        || beside("CMakeFiles")
        || beside("CMakeTmp")
        || stem.starts_with("sanitycheck")
}
