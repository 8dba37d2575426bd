//! What an archive says of itself before an event of it is read: anchor and global definitions.
//!
//! They take the same time however long the trace is. What they claim of events may be wrong.

use std::path::Path;

use mpiscope_model::{Duration, Events, Trace};
use otf2::Definition;

use super::tables::Tables;
use super::writers::Writer;
use crate::source::{Clock, Source, CORRECTED, CREATOR};
use crate::Error;

/// An archive without its events.
#[derive(Debug, Default)]
pub struct Outline {
    /// Who wrote it, or of a corrected archive the measured one.
    pub creator: String,
    /// Who corrected it, if another than its creator.
    pub corrector: Option<String>,
    /// Whether it says that its times are corrected.
    pub corrected: bool,
    /// The version of OTF2 that it is written in.
    pub version: [u8; 3],
    /// A random number that tells archives apart.
    pub trace_id: u64,
    /// What it is about.
    pub description: String,
    /// Names such as `TOOL::SETTING` and their values, but for those that say the above.
    pub properties: Vec<(String, String)>,
    /// Its definitions, and its locations without events; of its clocks nothing.
    pub trace: Trace,
    /// How many events each location is said to have; nothing where that is not told.
    pub events: Vec<Option<u64>>,
    /// How long the trace is said to be.
    pub length: Option<Duration>,
}

impl Outline {
    /// Returns how many events all locations are said to have; nothing if that is not told of some.
    pub fn all_events(&self) -> Option<u64> {
        let mut events = self.events.iter();
        events.try_fold(0, |sum: u64, events| Some(sum.saturating_add((*events)?)))
    }
}

/// Reads what an archive, a run directory or an anchor, says before its events.
///
/// # Errors
/// As [`read_trace`](super::read_trace).
pub fn outline(path: &Path) -> Result<Outline, Error> {
    let source = Source::open(path)?;
    let anchor = source.archive.anchor();
    let creator = source.creator().to_owned();
    let locations = source.streams.iter();
    let locations = locations.map(|stream| stream.location(Events::default(), None));
    let own = |name: &str| [CORRECTED, CREATOR].contains(&name);
    let properties = anchor.properties.iter();
    Ok(Outline {
        corrector: (creator != anchor.creator).then(|| anchor.creator.clone()),
        corrected: source.corrected,
        version: anchor.version,
        trace_id: anchor.trace_id,
        description: anchor.description.clone(),
        properties: properties.filter(|it| !own(&it.0)).cloned().collect(),
        events: claimed(&source),
        length: length(&source.definitions, &source.clock),
        trace: Trace {
            resolution: source.clock.resolution,
            clocks: Vec::new(),
            locations: locations.collect(),
            definitions: Tables::new(&source.definitions, Writer::of(&creator)).definitions,
            parts: Vec::new(),
            places: Default::default(),
        },
        creator,
    })
}

/// Returns how many events locations are said to have. A writer that knows of none, and one that
/// says it does not know, tells nothing.
fn claimed(source: &Source) -> Vec<Option<u64>> {
    let told = source.events() > 0;
    let of_each = source.streams.iter().map(|stream| stream.events);
    of_each
        .map(|events| Some(events).filter(|events| told && *events < u64::MAX))
        .collect()
}

fn length(definitions: &[Definition], clock: &Clock) -> Option<Duration> {
    let ticks = definitions.iter().rev().find_map(|it| match it {
        Definition::ClockProperties { trace_length, .. } => Some(*trace_length),
        _ => None,
    })?;
    let known = ticks > 0 && ticks < u64::MAX;
    known.then(|| Duration(clock.nanoseconds(ticks.into())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::read_trace;
    use crate::write::write_trace;

    #[test]
    fn what_is_said_before_the_events_is_what_is_read_with_them() {
        let folder = tempfile::tempdir().unwrap();
        let picture =
            "accelerator 1.1:\n0: 1 enter(a) 3 leave(a)\n1: 7\n1.1: 2 enter(k) 9 leave(k)";
        let properties = [(CREATOR, "Tool 1.0"), ("TOOL::SETTING", "some")];
        let properties = properties.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let trace = Trace::parse(picture).unwrap();
        let anchor = write_trace(&trace, folder.path(), &properties).unwrap();
        let told = outline(&anchor.anchor).unwrap();
        let mut read = read_trace(&anchor.anchor).unwrap();
        let lengths = read.locations.iter().map(|it| it.events.len() as u64);
        assert_eq!(told.events, lengths.map(Some).collect::<Vec<_>>());
        assert_eq!(told.all_events(), Some(5));
        assert_eq!(told.creator, "Tool 1.0");
        assert_eq!(told.properties, properties[1..]);
        for location in &mut read.locations {
            location.events = Events::default();
        }
        assert_eq!(told.trace.locations, read.locations);
        assert_eq!(told.trace.definitions, read.definitions);
    }
}
