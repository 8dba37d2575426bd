//! A call as reports name it: `MPI_Recv at heat.c:42`.

use mpiscope_analysis::races;
use mpiscope_archive::model::{EventRef, LocationIndex, Trace};
use serde::{Deserialize, Serialize};

/// A place in the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourcePlace {
    /// What was called.
    pub call: Option<String>,
    /// Source file, if known.
    pub file: Option<String>,
    /// Line in it.
    pub line: Option<u32>,
    /// The function around the call.
    pub function: Option<String>,
    /// The executable or library.
    pub module: Option<String>,
    /// Where the call returns to, from the module's begin.
    pub offset: Option<u64>,
}

impl SourcePlace {
    /// Returns the call that an event belongs to.
    pub fn of(trace: &Trace, event: EventRef) -> SourcePlace {
        SourcePlace::new(trace, races::CallPlace::of(trace, event))
    }

    /// Names a place of the analysis.
    pub fn new(trace: &Trace, place: races::CallPlace) -> SourcePlace {
        let definitions = &trace.definitions;
        let site = place
            .site
            .and_then(|id| definitions.call_sites.get(id.index()));
        let region = place
            .region
            .and_then(|id| definitions.regions.get(id.index()));
        let said = |text: &String| (!text.is_empty()).then(|| text.clone());
        SourcePlace {
            call: region.and_then(|region| said(&region.name)),
            file: site.and_then(|site| site.file.clone()),
            line: site.and_then(|site| site.line),
            function: site.and_then(|site| site.function.clone()),
            module: site.and_then(|site| said(&site.module)),
            offset: site.map(|site| site.offset),
        }
    }

    /// Writes `MPI_Recv at heat.c:42`, or as much as is known.
    pub fn shown(&self) -> String {
        let call = self.call.as_deref().unwrap_or("a call");
        match self.source() {
            Some(source) => format!("{call} at {source}"),
            None => call.to_owned(),
        }
    }

    /// Writes `heat.c:42` or `heat+0x11d3`, without folders.
    pub fn source(&self) -> Option<String> {
        match (&self.file, self.line, &self.module, self.offset) {
            (Some(file), Some(line), ..) => Some(format!("{}:{line}", base(file))),
            (_, _, Some(module), Some(offset)) => Some(format!("{}+{offset:#x}", base(module))),
            _ => None,
        }
    }
}

/// Returns a path without folders.
pub fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Writes `MPI_Recv at heat.c:42 on rank 3`, of a call of a location.
pub fn named(trace: &Trace, location: LocationIndex, place: &SourcePlace) -> String {
    let rank = trace.locations[location.index()].rank.0;
    format!("{} on rank {rank}", place.shown())
}
