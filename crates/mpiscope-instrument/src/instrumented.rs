//! A source with probes, or why there are none.

use std::fmt;

use mpiscope_model::Structure;

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
