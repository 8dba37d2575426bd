//! A stream of choices on its way to memory.

use std::sync::atomic::{AtomicBool, Ordering};

use mpiscope_run::order::buffer::Writer;
use mpiscope_run::order::stream::Encoder;
use mpiscope_run::order::Taken;

/// Whether what wildcard receives took is written by others than the rows.
static LEAVES_RECEIVES: AtomicBool = AtomicBool::new(false);

/// Leaves it to others to write what wildcard receives took.
pub fn leave_receives() {
    LEAVES_RECEIVES.store(true, Ordering::Relaxed);
}

/// Returns whether that is left to others.
#[inline]
pub fn leaves_receives() -> bool {
    LEAVES_RECEIVES.load(Ordering::Relaxed)
}

/// A stream of choices on its way to memory.
pub struct Out {
    /// None if nothing is to be written.
    pub writer: Option<Writer>,
    /// What the stream's reader will know.
    pub encoder: Encoder,
}

impl Out {
    /// Writes a choice, if choices are written.
    #[inline]
    pub fn put(&mut self, put: impl FnOnce(&mut Encoder, &mut Writer)) {
        if let Some(writer) = &mut self.writer {
            put(&mut self.encoder, writer);
        }
    }

    /// Writes what a wildcard receive took, unless that is left to those who look for races.
    #[inline]
    pub fn received(&mut self, ordinal: u64, taken: Taken) {
        if !leaves_receives() {
            self.put(|encoder, writer| encoder.receive(writer, ordinal, taken));
        }
    }
}
