//! In which language a file is written, as the compilers' drivers see it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use mpiscope_instrument::Dialect;

/// How a driver takes the files that it is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Driver {
    /// It takes C for C++.
    pub cxx: bool,
    /// `-ffree-form` (true) or `-ffixed-form` (false).
    pub free: Option<bool>,
    /// Columns that count in fixed form.
    pub columns: Option<usize>,
}

/// By the standard (Fortran 2018, 6.3.3.1).
const COLUMNS: usize = 72;

const EXTENSIONS: [(&str, Dialect); 24] = [
    ("c", Dialect::C),
    ("cc", Dialect::Cxx),
    ("cp", Dialect::Cxx),
    ("cxx", Dialect::Cxx),
    ("cpp", Dialect::Cxx),
    ("CPP", Dialect::Cxx),
    ("c++", Dialect::Cxx),
    ("C", Dialect::Cxx),
    ("f90", Dialect::Free),
    ("F90", Dialect::Free),
    ("f95", Dialect::Free),
    ("F95", Dialect::Free),
    ("f03", Dialect::Free),
    ("F03", Dialect::Free),
    ("f08", Dialect::Free),
    ("F08", Dialect::Free),
    ("f", FIXED),
    ("for", FIXED),
    ("ftn", FIXED),
    ("F", FIXED),
    ("FOR", FIXED),
    ("FTN", FIXED),
    ("fpp", FIXED),
    ("FPP", FIXED),
];

const FIXED: Dialect = Dialect::Fixed { columns: COLUMNS };

impl Driver {
    /// Returns what is told by the name of a compiler.
    pub fn named(compiler: &OsStr) -> Self {
        let name = Path::new(compiler).file_name().unwrap_or(compiler);
        let name = String::from_utf8_lossy(name.as_bytes()).into_owned();
        let cxx = ["++", "cxx", "mpiCC"]
            .iter()
            .any(|part| name.contains(part));
        Self {
            cxx,
            ..Self::default()
        }
    }

    /// Takes notice of an option.
    pub fn read(&mut self, option: &str) {
        match option {
            "-ffree-form" => self.free = Some(true),
            "-ffixed-form" => self.free = Some(false),
            "-ffixed-line-length-none" | "-ffixed-line-length-0" => self.columns = Some(usize::MAX),
            _ => {
                let length = option.strip_prefix("-ffixed-line-length-");
                self.columns = length.and_then(|n| n.parse().ok()).or(self.columns);
            }
        }
    }

    /// Returns the dialect of a source file; `None` if it is none that we read.
    pub fn dialect(self, file: &OsStr) -> Option<Dialect> {
        let extension = Path::new(file).extension()?.to_str()?;
        let known = EXTENSIONS.iter().find(|(known, _)| *known == extension);
        Some(match (known?.1, self.free) {
            (Dialect::C, _) if self.cxx => Dialect::Cxx,
            (Dialect::Free | Dialect::Fixed { .. }, Some(true)) => Dialect::Free,
            (Dialect::Fixed { .. }, None)
            | (Dialect::Free | Dialect::Fixed { .. }, Some(false)) => Dialect::Fixed {
                columns: self.columns.unwrap_or(COLUMNS),
            },
            (dialect, _) => dialect,
        })
    }
}
