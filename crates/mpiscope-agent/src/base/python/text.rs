//! The texts of a code object: as much of their memory as tells one place from another, and whole.
//!
//! A code object may be freed, and another, with other texts, made at its address. So a place is
//! not known by addresses but by what is there.

use super::api::{Api, Pointer};
use super::layout::Layout;

/// Bytes of a file's name, its last ones.
const OF_FILE: usize = 96;
/// Of a function's name.
const OF_NAME: usize = 48;
/// Of the table of lines, its first ones.
const OF_LINES: usize = 64;
/// Characters of a name that are kept.
const LONGEST: isize = 1 << 12;

/// The memory of three objects: where, and how much of it in all.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    pub parts: [&'a [u8]; 3],
    pub lengths: [usize; 3],
}

/// Returns what a code object says of itself; nothing if it is no usual one.
///
/// # Safety
/// The layout is the interpreter's, and the code object lives as long as `'a`.
#[inline(always)]
pub unsafe fn texts<'a>(layout: &Layout, api: &Api, code: usize) -> Option<Texts<'a>> {
    // SAFETY: fields of the code object, which refer to objects of its; those of texts and bytes
    // lie where the layout says, and hold as many bytes as their sizes tell. What is compared of a
    // text begins behind the fields that the plainest has: of others, whose characters are larger
    // and lie further behind, as many bytes are there.
    unsafe {
        let object = |field: usize| (code + field) as *const usize;
        let [file, name, lines] =
            [layout.file, layout.name, layout.lines].map(|it| object(it).read());
        let is = |object: usize, kind: usize| {
            object != 0 && ((object + layout.type_of) as *const usize).read() == kind
        };
        let compact = |text: usize| {
            layout
                .compact
                .is_none_or(|at| ((text + at) as *const u32).read() >> 5 & 1 == 1)
        };
        if !is(file, api.text) || !is(name, api.text) || !is(lines, api.bytes) {
            return None;
        }
        if !compact(file) || !compact(name) {
            return None;
        }
        let length = |object: usize, field: usize| ((object + field) as *const usize).read();
        let lengths = [
            length(file, layout.length),
            length(name, layout.length),
            length(lines, layout.bytes_size),
        ];
        let last = |text: usize, length: usize, most: usize| {
            let kept = length.min(most);
            let begin = text + layout.text + (length - kept);
            std::slice::from_raw_parts(begin as *const u8, kept)
        };
        Some(Texts {
            parts: [
                last(file, lengths[0], OF_FILE),
                last(name, lengths[1], OF_NAME),
                std::slice::from_raw_parts(
                    (lines + layout.bytes) as *const u8,
                    lengths[2].min(OF_LINES),
                ),
            ],
            lengths,
        })
    }
}

impl Texts<'_> {
    /// Returns a number that differs for most that are different.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        let [file, name, lines] = self.parts;
        let ends = [file.last_chunk(), name.last_chunk(), lines.first_chunk()];
        let words = ends.map(|end: Option<&[u8; 8]>| end.map_or(0, |end| u64::from_ne_bytes(*end)));
        let sizes = self.lengths.map(|length| length as u64);
        let all = words.into_iter().chain(sizes);
        all.fold(0, |hash: u64, word| {
            (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }
}

/// Returns a text of the interpreter's; what is no character is told by a sign that says so.
///
/// # Safety
/// It is a text, and lives.
pub unsafe fn whole(api: &Api, text: Pointer) -> Option<String> {
    // SAFETY: a text, of which a field is read.
    let length = unsafe { (api.length)(text) };
    if !(0..=LONGEST).contains(&length) {
        return None;
    }
    let mut characters = vec![0_u32; length as usize];
    // SAFETY: there is room for as many characters, and none is asked for behind them.
    let copied = unsafe { (api.copy)(text, characters.as_mut_ptr(), length, 0) };
    let character = |it: &u32| char::from_u32(*it).unwrap_or(char::REPLACEMENT_CHARACTER);
    (!copied.is_null()).then(|| characters.iter().map(character).collect())
}
