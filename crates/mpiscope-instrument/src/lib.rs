//! Probes put into source text: procedures, loops and calls of C, C++ and
//! Fortran programs, every line keeping its number.
//!
//! A pure function of the text ([`instrument`]): the source goes in, the
//! instrumented text and the [`Structure`] come out. What is not understood is
//! left as it is, and named. Compiling is another crate's work.
//!
//! ```
//! use mpiscope_instrument::{instrument, Dialect, Options, Source};
//!
//! let source = Source {
//!     text: b"void relax(void)\n{\n  for (;;) step();\n}\n",
//!     file: "solver.c",
//!     directory: "/home/me",
//!     dialect: Dialect::C,
//! };
//! let found = instrument(&source, &Options::default())?;
//! assert_eq!(found.structure.statements.len(), 3);
//! assert!(String::from_utf8(found.body)?.contains("for (;;) MPISCOPE_AT_(2), step();"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod c;
mod edits;
mod fortran;
mod library;
mod options;
mod outline;
mod preamble;
mod tree;

use std::fmt;

use mpiscope_model::structure::{Language, VERSION};
use mpiscope_model::Structure;

pub use options::{matches, Loops, Options};
pub use preamble::{bridge, preamble, INTERFACE};

/// A source file as the compiler would read it.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// What is in it.
    pub text: &'a [u8],
    /// Its name, as the compiler was given it.
    pub file: &'a str,
    /// The directory of the compilation.
    pub directory: &'a str,
    /// How it is to be read.
    pub dialect: Dialect,
}

/// How a source is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// C.
    C,
    /// C++.
    Cxx,
    /// Fortran in free form.
    Free,
    /// Fortran in fixed form, of which only so many columns count.
    Fixed {
        /// 72 by the standard; `usize::MAX` if the compiler was told to read all.
        columns: usize,
    },
}

impl Dialect {
    /// Returns the language, whatever the form.
    #[must_use]
    pub fn language(self) -> Language {
        match self {
            Self::C => Language::C,
            Self::Cxx => Language::Cxx,
            Self::Free | Self::Fixed { .. } => Language::Fortran,
        }
    }
}

/// Returns what a structure keeps of the source text, to tell later whether it is the same.
#[must_use]
pub fn fingerprint(text: &[u8]) -> String {
    preamble::hash(&[text])
}

/// A source with probes.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// The source text with probes; it has as many lines as the source.
    pub body: Vec<u8>,
    /// Its statements, and what was left alone.
    pub structure: Structure,
    /// By this name Fortran calls its probes; two objects never share one.
    pub key: String,
}

impl Instrumented {
    /// Returns whether there is any probe in the text.
    #[must_use]
    pub fn has_probes(&self) -> bool {
        self.structure.statements.iter().any(|s| s.probe)
    }
}

/// Why a whole file was left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untouched(pub String);

impl fmt::Display for Untouched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Untouched {}

/// Deeper trees are left alone: the walk over them is recursive.
const DEEPEST: usize = 2_000;

/// Stack for that walk; only what is used costs memory.
const STACK: usize = 256 << 20;

/// Puts probes into a source.
///
/// # Errors
/// If nothing in the file can get probes: its form is unknown or too deep.
pub fn instrument(source: &Source, options: &Options) -> Result<Instrumented, Untouched> {
    let object = options.object.as_bytes();
    let key = preamble::hash(&[source.text, source.file.as_bytes(), object]);
    let walk = || {
        let (body, outline) = match source.dialect {
            Dialect::C | Dialect::Cxx => c::instrument(source, options)?,
            Dialect::Free | Dialect::Fixed { .. } => fortran::instrument(source, options, &key)?,
        };
        Ok((body, outline))
    };
    let thread = std::thread::Builder::new().stack_size(STACK);
    let outcome = std::thread::scope(|scope| {
        let handle = thread.spawn_scoped(scope, walk);
        handle.map(|handle| handle.join())
    });
    let (body, outline) = match outcome {
        Ok(Ok(found)) => found?,
        Ok(Err(_)) => return Err(Untouched("reading it failed within mpiscope".into())),
        Err(error) => return Err(Untouched(format!("no thread to read it: {error}"))),
    };
    let structure = Structure {
        version: VERSION,
        file: source.file.to_owned(),
        directory: source.directory.to_owned(),
        language: source.dialect.language(),
        compiled: fingerprint(source.text),
        statements: outline.statements,
        left_alone: outline.left_alone,
    };
    Ok(Instrumented {
        body,
        structure,
        key,
    })
}
