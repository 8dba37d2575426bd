//! What a source file says of itself: which procedure contains which loop,
//! and either of them which call and which communication statement.
//!
//! `mpiscope cc` writes one [`Structure`] per source file, as JSON, into a
//! section of the object file, so that it travels with the program. The number
//! of a statement is its place in [`Structure::statements`]: those that probes
//! name while the program runs.
//!
//! ```
//! use mpiscope_model::structure::{Kind, Structure};
//!
//! let text = r#"{"version": 1, "file": "a.c", "directory": "/home/me", "language": "C",
//!     "compiled": "00", "left_alone": [], "statements": [
//!     {"kind": "procedure", "line": 1, "end": 3, "parent": null, "name": "main", "probe": true},
//!     {"kind": "call", "line": 2, "end": 2, "parent": 0, "name": "work", "probe": true}]}"#;
//! let structure = Structure::parse(text)?;
//! assert_eq!(structure.statements[1].kind, Kind::Call);
//! assert_eq!(structure.procedure_of(1), Some(0));
//! # Ok::<(), mpiscope_model::structure::Error>(())
//! ```

use serde::{Deserialize, Serialize};

/// The version that this crate writes and reads.
pub const VERSION: u32 = 1;

/// The statements of one source file that statistics are kept of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Structure {
    /// [`VERSION`] when it was written.
    pub version: u32,
    /// The source file, as the compiler was given it.
    pub file: String,
    /// Where the compiler was called.
    pub directory: String,
    /// What the source is written in.
    pub language: Language,
    /// A hash of the source text, to tell one build from another.
    pub compiled: String,
    /// In the order of the text; a parent stands before what it contains.
    pub statements: Vec<Statement>,
    /// Procedures without probes, and why.
    pub left_alone: Vec<LeftAlone>,
}

/// What a source is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// C, by any of its standards.
    C,
    /// C++.
    #[serde(rename = "C++")]
    Cxx,
    /// Fortran, in free or fixed form.
    Fortran,
}

/// A statement of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// What it is.
    pub kind: Kind,
    /// Its first line; of a call, the line where the procedure is named.
    pub line: u32,
    /// Its last line.
    pub end: u32,
    /// The innermost loop or procedure around it.
    pub parent: Option<u32>,
    /// A procedure's own name, qualified; of a call, the procedure called as
    /// far as the text says; of a loop, its keyword.
    pub name: String,
    /// Whether a probe tells of it while the program runs. A call without a
    /// probe shares that of the nearest call before it that has one, if both
    /// stand in one statement.
    pub probe: bool,
}

/// The kinds of statements.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The definition of a function or subroutine.
    #[default]
    Procedure,
    /// A loop of any form.
    Loop,
    /// A call of a procedure that is not MPI's.
    Call,
    /// A call of MPI.
    Communication,
}

/// A procedure, or a part of a file, that got no probes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftAlone {
    /// The procedure's name as far as it could be read.
    pub name: String,
    /// Where it begins.
    pub line: u32,
    /// Why, in words.
    pub reason: String,
}

/// Why a text is no structure.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Not JSON, or not of this form.
    #[error("not the structure of a source file: {0}")]
    Form(String),
    /// Written by a later mpiscope.
    #[error("the structure of {file} has version {version}; this mpiscope reads up to {VERSION}")]
    Version {
        /// The source file.
        file: String,
        /// Its structure's version.
        version: u32,
    },
    /// A statement has a parent that does not stand before it.
    #[error("the structure of {file} is damaged: statement {statement} lies in statement {parent}, which is no loop nor procedure before it")]
    Parent {
        /// The source file.
        file: String,
        /// The number of the statement.
        statement: usize,
        /// The number of what should be its parent.
        parent: u32,
    },
}

impl Structure {
    /// Reads a structure and checks what its users rely on.
    ///
    /// # Errors
    /// If the text is not of the form, of a later version, or inconsistent.
    pub fn parse(json: &str) -> Result<Self, Error> {
        let structure: Self = serde_json::from_str(json).map_err(|e| Error::Form(e.to_string()))?;
        let file = || structure.file.clone();
        if structure.version > VERSION {
            let version = structure.version;
            return Err(Error::Version {
                file: file(),
                version,
            });
        }
        for (statement, found) in structure.statements.iter().enumerate() {
            let Some(parent) = found.parent else { continue };
            let before = structure.statements[..statement].get(parent as usize);
            if !before.is_some_and(|parent| parent.kind.contains()) {
                return Err(Error::Parent {
                    file: file(),
                    statement,
                    parent,
                });
            }
        }
        Ok(structure)
    }

    /// Returns the procedure that a statement lies in; of a procedure, the one around it.
    #[must_use]
    pub fn procedure_of(&self, statement: u32) -> Option<u32> {
        let mut parent = self.statements.get(statement as usize)?.parent?;
        while self.statements[parent as usize].kind != Kind::Procedure {
            parent = self.statements[parent as usize].parent?;
        }
        Some(parent)
    }
}

impl Kind {
    /// Returns whether other statements lie in such a statement.
    #[must_use]
    pub fn contains(self) -> bool {
        matches!(self, Self::Procedure | Self::Loop)
    }
}
