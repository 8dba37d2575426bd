//! What other parts told, read in the order in which they told it.

/// One list from each part.
pub(crate) struct Told<T>(Vec<std::vec::IntoIter<T>>);

impl<T> Told<T> {
    pub fn new(told: Vec<Vec<T>>) -> Told<T> {
        Told(told.into_iter().map(Vec::into_iter).collect())
    }

    /// Returns the next that a part told, if it told as much.
    pub fn next_of(&mut self, part: usize) -> Option<T> {
        self.0.get_mut(part)?.next()
    }
}
