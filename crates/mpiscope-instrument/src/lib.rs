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
mod instrumented;
mod library;
mod options;
mod outline;
mod preamble;
mod source;
mod tree;

use mpiscope_model::structure::VERSION;
use mpiscope_model::Structure;

pub use instrumented::{Instrumented, Untouched};
pub use options::{matches, Loops, Options};
pub use preamble::{bridge, preamble, INTERFACE};
pub use source::{Dialect, Source};

/// Returns what a structure keeps of the source text, to tell later whether it is the same.
#[must_use]
pub fn fingerprint(text: &[u8]) -> String {
    preamble::hash(&[text])
}

/// Stack for the walk over the tree; only what is used costs memory.
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
