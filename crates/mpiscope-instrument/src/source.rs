//! A source as it comes.

use mpiscope_model::structure::Language;

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
