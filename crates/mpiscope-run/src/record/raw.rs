//! A fact as words, before they become a record: what facts of one group, as those of files, know of
//! how records lie.

/// A fact as words.
pub(super) struct Words {
    /// Which fact of its group it is.
    pub kind: u8,
    /// 24 bits of detail.
    pub detail: u32,
    /// The word beside them.
    pub word: u32,
    /// The other words.
    pub a: u64,
    /// See `a`.
    pub b: u64,
}

impl From<(u8, u32, u32, u64, u64)> for Words {
    #[inline(always)]
    fn from((kind, detail, word, a, b): (u8, u32, u32, u64, u64)) -> Self {
        Self {
            kind,
            detail,
            word,
            a,
            b,
        }
    }
}
