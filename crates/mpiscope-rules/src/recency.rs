//! Who was touched how long ago: a list in which whoever is touched goes to the front.

/// No neighbour.
const END: u32 = u32::MAX;

/// The numbers `0..n`, latest first.
#[derive(Debug, Default)]
pub struct Recency {
    first: u32,
    last: u32,
    /// Towards the front.
    newer: Vec<u32>,
    /// Towards the back.
    older: Vec<u32>,
}

impl Recency {
    /// Begins with all of `0..n`.
    pub fn new(n: usize) -> Self {
        let n = n as u32;
        Self {
            first: if n == 0 { END } else { 0 },
            last: n.wrapping_sub(1),
            newer: (0..n).map(|k| k.wrapping_sub(1)).collect(),
            older: (1..=n).map(|k| if k == n { END } else { k }).collect(),
        }
    }

    /// Brings a number to the front.
    #[inline]
    pub fn touch(&mut self, k: usize) {
        if self.first == k as u32 || k >= self.newer.len() {
            return;
        }
        let (newer, older) = (self.newer[k], self.older[k]);
        self.older[newer as usize] = older;
        match older {
            END => self.last = newer,
            older => self.newer[older as usize] = newer,
        }
        self.newer[self.first as usize] = k as u32;
        self.newer[k] = END;
        self.older[k] = self.first;
        self.first = k as u32;
    }

    /// Returns all, latest first.
    #[inline]
    pub fn latest(&self) -> impl Iterator<Item = usize> + '_ {
        steps(self.first, &self.older)
    }

    /// Returns all, the one touched longest ago first.
    #[inline]
    pub fn oldest(&self) -> impl Iterator<Item = usize> + '_ {
        steps(self.last, &self.newer)
    }
}

fn steps(from: u32, next: &[u32]) -> impl Iterator<Item = usize> + '_ {
    let known = |k: u32| (k != END).then_some(k as usize);
    std::iter::successors(known(from), move |&k| known(next[k]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_touched_comes_first() {
        let mut list = Recency::new(4);
        for k in [2, 0, 3, 0, 9] {
            list.touch(k);
        }
        assert_eq!(list.latest().collect::<Vec<_>>(), [0, 3, 2, 1]);
        assert_eq!(list.oldest().collect::<Vec<_>>(), [1, 2, 3, 0]);
        assert_eq!(Recency::new(0).latest().count(), 0);
        assert_eq!(Recency::new(1).oldest().collect::<Vec<_>>(), [0]);
    }
}
