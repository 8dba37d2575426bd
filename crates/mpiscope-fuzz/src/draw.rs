//! Choices drawn from an input's bytes: an input that has come to its end chooses zeros, so that
//! every input means something and those that libFuzzer alters in one place mean nearly the same.

/// The bytes that are left.
#[derive(Debug, Clone)]
pub struct Draw<'a>(pub &'a [u8]);

impl<'a> Draw<'a> {
    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Draws a byte.
    pub fn byte(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or(0)
    }

    /// Draws a number below another one, which is at most 256.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end.max(1)
    }

    /// Draws one of several.
    pub fn one<'b, T>(&mut self, of: &'b [T]) -> &'b T {
        &of[self.below(of.len())]
    }

    /// Draws yes once in so many times.
    pub fn once_in(&mut self, times: u8) -> bool {
        self.byte() % times == times - 1
    }

    /// Draws a number, small ones most often, the extremes too.
    pub fn number(&mut self) -> u64 {
        match self.byte() {
            small @ 0..=199 => u64::from(small),
            medium @ 200..=229 => u64::from(medium) << 8 | u64::from(self.byte()),
            230 => u64::MAX,
            231 => u64::MAX - 1,
            232 => u64::MAX / 2,
            233 => u64::MAX / 2 + 1,
            234 => u32::MAX.into(),
            235 => u64::from(u32::MAX) - 1,
            236 => 1 << 31,
            237 => 1 << 32,
            _ => {
                let mut eight = [0; 8];
                let taken = self.take(8);
                eight[..taken.len()].copy_from_slice(taken);
                u64::from_le_bytes(eight)
            }
        }
    }

    /// Draws a number of 32 bits.
    pub fn number32(&mut self) -> u32 {
        self.number() as u32
    }

    /// Draws an id of one of `known` things, seldom another.
    pub fn id(&mut self, known: u32) -> u32 {
        match self.byte() {
            250.. => self.number32(),
            byte => u32::from(byte) % known.max(1),
        }
    }

    /// Takes so many bytes, or what is left.
    pub fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, left) = self.0.split_at(count.min(self.0.len()));
        self.0 = left;
        taken
    }
}

/// Cuts an input at each `mark`; there is one part at least.
pub fn parts<'a>(input: &'a [u8], mark: &[u8]) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    let mut rest = input;
    while let Some(at) = rest.windows(mark.len()).position(|window| window == mark) {
        parts.push(&rest[..at]);
        rest = &rest[at + mark.len()..];
    }
    parts.push(rest);
    parts
}
