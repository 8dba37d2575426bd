//! Processes that do one thing together: what they need of each other, whoever
//! started them and whatever carries their bytes.

use crate::plain::{read, written, Plain};

/// One process's way to the others, of which each has a number.
///
/// All come to the same calls in the same order; no two threads of a process
/// come to one at the same time. Whoever implements it ends the process where
/// a call fails: there is nothing that could be done without the others.
pub trait Processes: Sync {
    /// Returns how many there are.
    fn count(&self) -> usize;

    /// Returns the number of this one.
    fn me(&self) -> usize;

    /// Sends bytes to each, and returns those that were sent to this one, both
    /// by number.
    fn all_to_all(&self, outgoing: Vec<Vec<u8>>) -> Vec<Vec<u8>>;

    /// Has all know what each has, by number.
    fn share(&self, mine: Vec<u8>) -> Vec<Vec<u8>> {
        self.all_to_all(vec![mine; self.count()])
    }

    /// Has the first know what each has, by number; the others get empty lists.
    fn gather(&self, mine: Vec<u8>) -> Vec<Vec<u8>> {
        let mut outgoing = vec![Vec::new(); self.count()];
        outgoing[0] = mine;
        self.all_to_all(outgoing)
    }

    /// Has all know what the first has. Those who wait for it leave their processors to others.
    fn tell(&self, of_first: Vec<u8>) -> Vec<u8> {
        let mut outgoing = vec![Vec::new(); self.count()];
        if self.me() == 0 {
            outgoing = vec![of_first; self.count()];
        }
        self.all_to_all(outgoing).swap_remove(0)
    }

    /// Does what one process does while all others of its host wait to be [told](Self::tell), on the
    /// processors of them all.
    fn on_host(&self, work: &mut (dyn FnMut() + Send)) {
        work();
    }

    /// Returns once all have come here.
    fn wait(&self) {
        self.share(Vec::new());
    }
}

impl dyn Processes + '_ {
    /// Sends records to each, and returns those that were sent to this one, both by number.
    pub fn exchange<T: Plain>(&self, mut outgoing: Vec<Vec<T>>) -> Vec<Vec<T>> {
        let own = std::mem::take(&mut outgoing[self.me()]);
        let mut incoming = read(self.all_to_all(written(&outgoing)));
        incoming[self.me()] = own;
        incoming
    }

    /// Has all know the texts of all, in the order of who has them.
    pub fn share_texts(&self, mine: &[String]) -> Vec<String> {
        let lengths = self.share_all(mine.iter().map(|it| it.len() as u64).collect());
        let texts = self.share(mine.concat().into_bytes());
        let of_one = |(lengths, text): (Vec<u64>, Vec<u8>)| -> Vec<String> {
            let mut left = &text[..];
            let text = |length: u64| {
                let (text, rest) = left.split_at(left.len().min(length as usize));
                left = rest;
                String::from_utf8_lossy(text).into_owned()
            };
            lengths.into_iter().map(text).collect()
        };
        lengths.into_iter().zip(texts).flat_map(of_one).collect()
    }

    /// Has all know the records of the first.
    pub fn tell_list<T: Plain>(&self, of_first: Vec<T>) -> Vec<T> {
        let bytes = written(&[of_first]).swap_remove(0);
        read(vec![self.tell(bytes)]).swap_remove(0)
    }

    /// Has all know the records of all, by number.
    pub fn share_all<T: Plain>(&self, mine: Vec<T>) -> Vec<Vec<T>> {
        let bytes = written(std::slice::from_ref(&mine))
            .pop()
            .unwrap_or_default();
        let mut outgoing = vec![bytes; self.count()];
        outgoing[self.me()] = Vec::new();
        let mut incoming = read(self.all_to_all(outgoing));
        incoming[self.me()] = mine;
        incoming
    }
}
