//! Where the interpreter keeps what a thread runs: a row per version.
//!
//! The offsets are those of CPython's headers, for 64 bits, up to 3.12; later versions carry them
//! in themselves, for debuggers (`_Py_DebugOffsets`). None is believed before it is compared with
//! what the interpreter says ([`verify`](super::verify)).

use super::api::{symbol, Api};

/// Where the fields lie that are read, in bytes.
#[derive(Clone, Copy)]
pub struct Layout {
    /// In a thread's state: its frame, or what points there.
    pub frame: usize,
    /// In what points to the frame.
    pub indirect: Option<usize>,
    /// In a frame: the frame of the caller.
    pub previous: usize,
    /// In a frame: its code object; its two lowest bits may be marks (3.14).
    pub code: usize,
    /// In a frame: who owns it, if frames may belong to the interpreter itself.
    pub owner: Option<usize>,
    /// In a frame: where it is in the code.
    pub instruction: Instruction,
    /// In an object: its type.
    pub type_of: usize,
    /// In a code object: name of the file.
    pub file: usize,
    /// In a code object: name of the function, in full where it is kept.
    pub name: usize,
    /// In a code object: the first line.
    pub first_line: usize,
    /// In a code object: the table of lines.
    pub lines: usize,
    /// In bytes: their number.
    pub bytes_size: usize,
    /// In bytes: the first.
    pub bytes: usize,
    /// In a text: characters.
    pub length: usize,
    /// In a text: 32 bits that tell what it consists of, from this bit on: three for the bytes of
    /// a character, one if they lie in the text itself, one if they are all ASCII.
    pub bits: (usize, u32),
    /// In a text that is ASCII: the characters.
    pub ascii: usize,
    /// In one that is not.
    pub wide: usize,
}

/// How a frame tells where it is.
#[derive(Clone, Copy)]
pub enum Instruction {
    /// A number at this offset, that many bytes each.
    Number(usize, usize),
    /// A pointer at this offset, into the code that begins at that offset of the code object.
    Pointer(usize, usize),
}

/// A frame of the interpreter's own (3.12 and later).
pub const INTERPRETERS: u8 = 3;

const OBJECT: Layout = Layout {
    frame: 24,
    indirect: None,
    previous: 24,
    code: 32,
    owner: None,
    instruction: Instruction::Number(104, 1),
    type_of: 8,
    file: 104,
    name: 112,
    first_line: 40,
    lines: 120,
    bytes_size: 16,
    bytes: 32,
    length: 16,
    bits: (32, 2),
    ascii: 48,
    wide: 72,
};

const PYTHON_3_11: Layout = Layout {
    frame: 56,
    indirect: Some(8),
    previous: 48,
    code: 32,
    instruction: Instruction::Pointer(56, 184),
    file: 112,
    name: 128,
    first_line: 72,
    lines: 136,
    ..OBJECT
};

const PYTHON_3_12: Layout = Layout {
    indirect: Some(0),
    previous: 8,
    code: 0,
    owner: Some(70),
    instruction: Instruction::Pointer(56, 192),
    first_line: 68,
    ascii: 40,
    wide: 56,
    ..PYTHON_3_11
};

/// Returns the layout of a version; nothing of one that is not known.
pub fn of(api: &Api) -> Option<Layout> {
    match (api.version >> 24, api.version >> 16 & 0xff) {
        (3, 8 | 9) => Some(OBJECT),
        (3, 10) => Some(Layout {
            instruction: Instruction::Number(96, 2),
            ..OBJECT
        }),
        (3, 11) => Some(PYTHON_3_11),
        (3, 12) => Some(PYTHON_3_12),
        (3, 13) => told(api.version, [0; 4], 2),
        (3, 14) => told(api.version, [3, 2, 1, 4], 16),
        _ => None,
    }
}

/// Words of `_Py_DebugOffsets` that are read.
const WORDS: usize = 96;
/// More bytes than lie before any field.
const FAR: usize = 1 << 14;

/// Returns the layout that 3.13 tells of itself. Later versions have so many fields `more` behind
/// the interpreter's, the frame's and the code's, and before the dictionary's.
fn told(version: u32, more: [usize; 4], first_bit: u32) -> Option<Layout> {
    let runtime = symbol(c"_PyRuntime")?.cast::<usize>();
    // SAFETY: the interpreter's state is larger than these words by far, in all versions, and
    // these are written when it is compiled.
    let words: [usize; WORDS] = std::array::from_fn(|k| unsafe { runtime.add(k).read() });
    let cookie = usize::from_ne_bytes(*b"xdebugpy");
    if words[0] != cookie || words[1] as u32 != version {
        return None;
    }
    let state = 19 + more[0];
    let frame = state + 9;
    let code = frame + 6 + more[1];
    let object = code + 10 + more[2];
    let bytes = object + 20 + more[3];
    let text = bytes + 3;
    let at = |section: usize, field: usize| Some(words[section + field]).filter(|&at| at < FAR);
    Some(Layout {
        frame: at(state, 4)?,
        indirect: None,
        previous: at(frame, 1)?,
        code: at(frame, 2)?,
        owner: Some(at(frame, 5)?),
        instruction: Instruction::Pointer(at(frame, 3)?, at(code, 9)?),
        type_of: at(object, 1)?,
        file: at(code, 1)?,
        name: at(code, 3)?,
        first_line: at(code, 5)?,
        lines: at(code, 4)?,
        bytes_size: at(bytes, 1)?,
        bytes: at(bytes, 2)?,
        length: at(text, 2)?,
        bits: (at(text, 1)?, first_bit),
        ascii: at(text, 3)?,
        wide: at(text, 3)? + 16,
    })
}
