//! Definitions of an archive as they are gathered, with the strings that they name.

use std::collections::HashMap;

use otf2::Definition;

/// Definitions as they are added, and the strings they need.
#[derive(Default)]
pub struct List {
    strings: Vec<String>,
    string_of: HashMap<String, u32>,
    /// What uses the strings.
    pub definitions: Vec<Definition>,
}

impl List {
    /// Returns the number of a string. No string of OTF2 holds NUL.
    pub fn string(&mut self, text: &str) -> u32 {
        let text = text.replace('\0', " ");
        let strings = &mut self.strings;
        *self.string_of.entry(text).or_insert_with_key(|text| {
            strings.push(text.clone());
            strings.len() as u32 - 1
        })
    }

    /// Returns all definitions: the clock, the strings, and what uses them.
    pub fn finish(self, clock: impl IntoIterator<Item = Definition>) -> Vec<Definition> {
        let strings = (0..).zip(self.strings);
        let strings = strings.map(|(id, string)| Definition::String { id, string });
        (clock.into_iter())
            .chain(strings)
            .chain(self.definitions)
            .collect()
    }
}
