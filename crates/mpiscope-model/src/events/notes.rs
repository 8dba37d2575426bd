//! What few events say beyond their particulars, beside the columns.

use super::Events;
use crate::definitions::CommId;

/// A remark on one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// A send is synchronous, though its region does not say so (a started
    /// MPI_Ssend_init).
    Synchronous,
    /// This member of an alltoallv or alltoallw sent something to everybody.
    Dense,
    /// The initiation starts a persistent collective operation, the so many-th
    /// that was initialized on its communicator.
    Persistent(u64),
    /// The process ended within this region: it was never left, and the time
    /// is that of the event before.
    CutShort,
    /// The call entered here stands for so many of its function from its place that found nothing,
    /// with nothing but such calls in between; it lasts as long as they did together.
    Polls(u64),
    /// The call left here created a communicator.
    Created(CommId),
    /// What awaits this number, anywhere in the trace, comes later.
    Signal(u64),
    /// What signals this number, anywhere in the trace, came before.
    Await(u64),
}

/// Remarks.
impl Events {
    /// Adds a note to event `index`.
    pub fn note(&mut self, index: usize, note: Note) {
        let at = self.notes.partition_point(|row| row.0 <= index as u32);
        self.notes.insert(at, (index as u32, note));
    }

    /// Returns all notes with the numbers of their events, ascending.
    pub fn notes(&self) -> &[(u32, Note)] {
        &self.notes
    }

    /// Returns the notes on event `index`.
    pub fn notes_of(&self, index: usize) -> impl Iterator<Item = Note> + '_ {
        let index = index as u32;
        let first = self.notes.partition_point(|row| row.0 < index);
        let own = self.notes[first..]
            .iter()
            .take_while(move |row| row.0 == index);
        own.map(|row| row.1)
    }

    /// Returns whether event `index` says that its region was never left.
    pub fn is_cut_short(&self, index: usize) -> bool {
        self.notes_of(index).any(|note| note == Note::CutShort)
    }

    /// Returns for how many calls that found nothing the one entered by event `index` stands;
    /// nothing if it is one call as any.
    pub fn polls(&self, index: usize) -> Option<u64> {
        self.notes_of(index).find_map(|note| match note {
            Note::Polls(polls) => Some(polls),
            _ => None,
        })
    }

    /// Notes the [`sequence`](Self::sequence) of event `index`.
    pub fn set_sequence(&mut self, index: usize, sequence: u64) {
        let at = self.sequences.partition_point(|row| row.0 < index as u32);
        match self.sequences.get_mut(at) {
            Some(row) if row.0 == index as u32 => row.1 = sequence,
            _ => self.sequences.insert(at, (index as u32, sequence)),
        }
    }

    /// Returns how many messages or collective operations went before event
    /// `index` on its channel, those not recorded among them, if that was
    /// noted: after a pause it cannot be counted. A channel of messages is a
    /// communicator, peer, tag and direction; one of collective operations a
    /// communicator; the acquisition of a window's lock counts acquisitions.
    pub fn sequence(&self, index: usize) -> Option<u64> {
        let number = |row: &(u32, u64)| row.0 as usize;
        let at = self.sequences.binary_search_by_key(&index, number).ok()?;
        Some(self.sequences[at].1)
    }

    /// Returns all events that have a [`sequence`](Self::sequence), with it.
    pub fn sequences(&self) -> &[(u32, u64)] {
        &self.sequences
    }
}
