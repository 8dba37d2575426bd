//! The texts of a code object: as much of their memory as tells one place from another, and whole.
//!
//! A code object may be freed, and another, with other texts, made at its address. So a place is
//! not known by addresses but by what is there.

use super::api::{Api, Pointer};
use super::frames::{Known, Memory};
use super::layout::Layout;

/// Bytes of a file's name, its last ones.
const OF_FILE: usize = 96;
/// Of a function's name.
const OF_NAME: usize = 48;
/// Of the table of lines, its first ones.
const OF_LINES: usize = 64;
/// Characters of a name that are kept.
const LONGEST: isize = 1 << 12;

/// The memory of three objects: as much as is compared, and how large each is.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    pub parts: [&'a [u8]; 3],
    pub lengths: [usize; 3],
}

/// Where the characters of a text lie, how many there are, and of how many bytes.
pub struct Characters {
    pub begin: usize,
    pub count: usize,
    pub width: usize,
}

/// Returns that, if the text holds its characters itself, as all do that a compiler made.
#[inline(always)]
pub fn characters(layout: &Layout, memory: &impl Memory, text: usize) -> Option<Characters> {
    let (field, first) = layout.bits;
    let bits = memory.word(text + field)? as u32 >> first;
    let (width, is_compact, is_ascii) = (bits & 7, bits >> 3 & 1, bits >> 4 & 1);
    if is_compact == 0 || !matches!(width, 1 | 2 | 4) {
        return None;
    }
    Some(Characters {
        begin: text
            + if is_ascii == 1 {
                layout.ascii
            } else {
                layout.wide
            },
        count: memory.word(text + layout.length)?,
        width: width as usize,
    })
}

/// Returns what a code object says of itself; nothing if it is no usual one.
///
/// # Safety
/// The layout is the interpreter's, and the code object lives as long as `'a`.
#[inline(always)]
pub unsafe fn texts<'a>(layout: &Layout, api: &Api, code: usize) -> Option<Texts<'a>> {
    // SAFETY: as promised.
    let memory = unsafe { Known::new() };
    let object = |field: usize, kind: usize| {
        let object = memory.word(code + field)?;
        let is_it = object != 0 && memory.word(object + layout.type_of)? == kind;
        is_it.then_some(object)
    };
    let file = object(layout.file, api.text)?;
    let name = object(layout.name, api.text)?;
    let lines = object(layout.lines, api.bytes)?;
    let size = memory.word(lines + layout.bytes_size)?;
    let last = |text: usize, most: usize| {
        let Characters {
            begin,
            count,
            width,
        } = characters(layout, &memory, text)?;
        let bytes = count * width;
        let kept = bytes.min(most);
        // SAFETY: the last of as many bytes as the text has, which lives and never changes.
        let part = unsafe { std::slice::from_raw_parts((begin + bytes - kept) as *const u8, kept) };
        Some((part, bytes))
    };
    let ((file, of_file), (name, of_name)) = (last(file, OF_FILE)?, last(name, OF_NAME)?);
    // SAFETY: the first of as many bytes as there are, which live and never change.
    let lines = unsafe {
        std::slice::from_raw_parts((lines + layout.bytes) as *const u8, size.min(OF_LINES))
    };
    Some(Texts {
        parts: [file, name, lines],
        lengths: [of_file, of_name, size],
    })
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
