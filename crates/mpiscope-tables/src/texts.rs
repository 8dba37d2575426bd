//! Texts that columns refer to by number: each is there once, as categories must be.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::ArrowDictionaryKeyType;
use arrow_array::{ArrayRef, DictionaryArray, PrimitiveArray, StringArray};

/// Distinct texts, and which of them each numbered thing has.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    values: Vec<String>,
    codes: Vec<Option<i32>>,
    known: HashMap<String, i32>,
}

impl Texts {
    /// Takes the text of each thing, in the order of their numbers; it may have none.
    pub fn of<'t>(texts: impl Iterator<Item = Option<&'t str>>) -> Texts {
        let mut all = Texts::default();
        for text in texts {
            let code = text.map(|text| all.add(text));
            all.codes.push(code);
        }
        all
    }

    /// Returns the code of a text, which is added if it is new.
    pub fn add(&mut self, text: &str) -> i32 {
        if let Some(&code) = self.known.get(text) {
            return code;
        }
        let code = self.values.len() as i32;
        self.values.push(text.to_owned());
        self.known.insert(text.to_owned(), code);
        code
    }

    /// Returns the code of a thing's text.
    pub fn code(&self, number: usize) -> Option<i32> {
        *self.codes.get(number)?
    }

    /// Returns the code of a text.
    pub fn find(&self, text: &str) -> Option<i32> {
        self.known.get(text).copied()
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Makes a column of codes.
    pub fn column<C: ArrowDictionaryKeyType>(&self, codes: PrimitiveArray<C>) -> ArrayRef {
        let values = Arc::new(StringArray::from_iter_values(&self.values));
        Arc::new(DictionaryArray::new(codes, values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_of_one_name_share_a_category() {
        let texts = Texts::of([Some("solve"), None, Some("solve"), Some("main")].into_iter());
        let codes: Vec<_> = (0..5).map(|number| texts.code(number)).collect();
        assert_eq!(codes, [Some(0), None, Some(0), Some(1), None]);
        assert_eq!(texts.find("main"), Some(1));
    }
}
