//! All events that a file still holds: behind damage, reading goes on with the next chunk.

use otf2::read::{EventFile, Events, Record};

/// A place where a file could not be read on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hurt {
    /// The chunk, from 0.
    pub chunk: usize,
    /// The byte in the file.
    pub offset: u64,
    /// Whether the file just ends there.
    pub cut: bool,
    /// What the reader says.
    pub what: String,
}

/// What is read with times: events and snapshots.
pub(crate) trait Timed: Sized {
    /// Reads all of a file.
    fn read<'a>(
        file: &'a EventFile<Self>,
        visit: &mut dyn FnMut(&Events<'a, Self>, Record<'a, Self>),
    ) -> Vec<Hurt>;
}

macro_rules! timed {
    ($($E:ty),*) => {$(
        impl Timed for $E {
            fn read<'a>(
                file: &'a EventFile<$E>,
                visit: &mut dyn FnMut(&Events<'a, $E>, Record<'a, $E>),
            ) -> Vec<Hurt> {
                let mut hurts = Vec::new();
                let mut chunk = 0;
                while chunk == 0 || chunk < file.chunks() {
                    let mut events = file.from_chunk(chunk);
                    let mut damage = None;
                    while let Some(record) = events.next() {
                        match record {
                            Ok(record) => visit(&events, record),
                            Err(error) => damage = Some(error.to_string()),
                        }
                    }
                    let cut = events.truncation().map(ToString::to_string);
                    chunk = events.chunk() + 1;
                    let (what, cut) = match (damage, cut) {
                        (Some(damage), _) => (damage, false),
                        (None, Some(cut)) => (cut, true),
                        (None, None) => break,
                    };
                    hurts.push(Hurt { chunk: chunk - 1, offset: events.offset(), cut, what });
                    if cut {
                        break;
                    }
                }
                hurts
            }
        }
    )*};
}
timed!(otf2::Event, otf2::Snapshot);
