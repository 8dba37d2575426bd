//! Text put into a source: insertions only, none with a line break, so that
//! every line keeps its number.

/// Insertions into one text, by byte offset.
#[derive(Default)]
pub(crate) struct Edits {
    inserted: Vec<Insertion>,
}

struct Insertion {
    offset: usize,
    text: String,
}

/// A place among the insertions, to be filled later.
#[derive(Clone, Copy)]
pub(crate) struct Slot(usize);

impl Edits {
    /// Inserts before the byte at `offset`, after what was inserted there so far.
    pub fn insert(&mut self, offset: usize, text: impl Into<String>) {
        let slot = self.reserve(offset);
        self.fill(slot, text);
    }

    /// Keeps a place for what is known only when the text after it was read.
    pub fn reserve(&mut self, offset: usize) -> Slot {
        let text = String::new();
        self.inserted.push(Insertion { offset, text });
        Slot(self.inserted.len() - 1)
    }

    /// Fills a reserved place.
    pub fn fill(&mut self, slot: Slot, text: impl Into<String>) {
        let text = text.into();
        debug_assert!(!text.contains('\n'), "{text:?} would change line numbers");
        self.inserted[slot.0].text = text;
    }

    /// Returns the source with everything inserted.
    pub fn apply(mut self, source: &[u8]) -> Vec<u8> {
        self.inserted.sort_by_key(|insertion| insertion.offset);
        let added: usize = self.inserted.iter().map(|i| i.text.len()).sum();
        let mut result = Vec::with_capacity(source.len() + added);
        let mut done = 0;
        for Insertion { offset, text } in self.inserted {
            let offset = offset.min(source.len());
            result.extend_from_slice(&source[done..offset]);
            result.extend_from_slice(text.as_bytes());
            done = offset;
        }
        result.extend_from_slice(&source[done..]);
        result
    }
}
