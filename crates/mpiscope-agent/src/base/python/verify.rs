//! The interpreter, and whether its memory is as it is taken to be.
//!
//! While a thread holds the interpreter's lock it may ask: all its frames are compared with what
//! the interpreter says of them, by memory that the kernel reads (a wrong address is an error
//! then, not the program's end). mpi4py holds the lock in the MPI_Init that its import makes.

use std::ffi::{c_int, CStr};
use std::sync::atomic::{AtomicU8, Ordering};

use super::api::{Api, Pointer};
use super::frames::{self, Asked, Frame, Known, Memory};
use super::layout::{self, Layout};
use super::places::{self, Place};
use super::{text, Unknown};

/// Nothing was compared yet.
const UNTRIED: u8 = 0;
/// Somebody compares.
const AT_IT: u8 = 1;
/// It was otherwise.
const WRONG: u8 = 2;
/// One frame was as it was taken to be.
const ONE: u8 = 3;
/// Several were, so that callers are found.
const SEVERAL: u8 = 4;

/// The interpreter of this process.
pub struct Interpreter {
    api: Api,
    layout: Option<Layout>,
    compared: AtomicU8,
}

impl Interpreter {
    /// Takes the layout of its version.
    pub fn new(api: Api) -> Self {
        let layout = layout::of(&api);
        Self {
            api,
            layout,
            compared: AtomicU8::new(UNTRIED),
        }
    }

    /// Returns its version as people write it.
    pub fn version(&self) -> String {
        let [major, minor, micro, _] = self.api.version.to_be_bytes();
        format!("Python {major}.{minor}.{micro}")
    }

    /// Returns the place at which the calling thread is; nothing if it runs no Python, or the
    /// interpreter is ending.
    #[inline(always)]
    pub fn place(&self) -> Result<Option<usize>, Unknown> {
        // SAFETY: functions that read a word each, and may be called by any thread at any time.
        let state = unsafe {
            match (self.api.is_initialized)() {
                0 => return Ok(None),
                _ => (self.api.this_state)() as usize,
            }
        };
        let layout = self.layout.as_ref().ok_or(Unknown::Layout)?;
        if state == 0 {
            return Ok(None);
        }
        let mut compared = self.compared.load(Ordering::Acquire);
        if compared < ONE {
            compared = self.try_to_compare(layout, state);
        }
        if compared < ONE {
            return Err(Unknown::Layout);
        }
        // SAFETY: the layout was compared with this interpreter, and the frames are this thread's.
        let memory = unsafe { Known::new() };
        let code = self.api.code;
        let frame = frames::innermost(layout, code, &memory, state).ok_or(Unknown::Frame)?;
        let place = self.known(layout, frame)?;
        if !place.foreign {
            return Ok(Some(place.site));
        }
        if compared < SEVERAL && self.try_to_compare(layout, state) < SEVERAL {
            return Ok(Some(place.site));
        }
        self.of_program(layout, frame, place).map(Some)
    }

    /// Returns the place of the innermost frame of the program's own; of the innermost at all if
    /// there is none.
    #[cold]
    fn of_program(&self, layout: &Layout, first: Frame, at: &Place) -> Result<usize, Unknown> {
        // SAFETY: as above.
        let memory = unsafe { Known::new() };
        let code = self.api.code;
        let callers = std::iter::successors(Some(first), |frame| {
            frames::caller(layout, code, &memory, *frame)
        });
        for frame in callers.skip(1).take(frames::DEPTH) {
            let place = self.known(layout, frame)?;
            if !place.foreign {
                return Ok(place.site);
            }
        }
        Ok(at.site)
    }

    #[inline(always)]
    fn known(&self, layout: &Layout, frame: Frame) -> Result<&'static Place, Unknown> {
        // SAFETY: the frame is this thread's, which is here, and holds its code object.
        unsafe { places::of(layout, &self.api, frame) }
    }

    /// Compares, if this thread holds the lock and nobody is at it; returns what is known then.
    #[cold]
    fn try_to_compare(&self, layout: &Layout, state: usize) -> u8 {
        let known = self.compared.load(Ordering::Acquire);
        // SAFETY: reads a word.
        let holds = unsafe { (self.api.holder)() } as usize == state;
        let is_to_be = matches!(known, UNTRIED | ONE) && holds;
        let begun = is_to_be
            && (self.compared)
                .compare_exchange(known, AT_IT, Ordering::AcqRel, Ordering::Acquire)
                .is_ok();
        if !begun {
            return known;
        }
        let found = self.compare(layout, state).unwrap_or(WRONG);
        // What could not be asked now is asked later.
        let found = if found == UNTRIED { known } else { found };
        self.compared.store(found, Ordering::Release);
        found
    }

    /// Compares all frames of this thread; nothing if one is otherwise.
    fn compare(&self, layout: &Layout, state: usize) -> Option<u8> {
        let code = self.api.code;
        // SAFETY: this thread holds the lock.
        let said = unsafe { Said::innermost(&self.api) };
        let Some(mut said) = said else {
            return Some(UNTRIED);
        };
        let mut frame = frames::innermost(layout, code, &Asked, state)?;
        let mut depth = 0;
        loop {
            said.agrees(layout, frame).then_some(())?;
            depth += 1;
            let outer = frames::caller(layout, code, &Asked, frame);
            match (said.caller(), outer) {
                (Some(next), Some(outer)) => (said, frame) = (next, outer),
                (None, None) => break,
                _ => return None,
            }
            if depth == frames::DEPTH {
                break;
            }
        }
        Some(if depth > 1 { SEVERAL } else { ONE })
    }
}

/// What the interpreter says of a frame. Whoever has one holds the lock.
struct Said<'a> {
    api: &'a Api,
    frame: Object<'a>,
}

/// An object that is held.
struct Object<'a>(Pointer, &'a Api);

impl Drop for Object<'_> {
    fn drop(&mut self) {
        // SAFETY: it was held, and this thread has the lock.
        unsafe { (self.1.release)(self.0) };
    }
}

impl<'a> Object<'a> {
    fn attribute(&self, name: &CStr) -> Option<Object<'a>> {
        let api = self.1;
        // SAFETY: an object that lives, under the lock.
        let found = unsafe { (api.attribute)(self.0, name.as_ptr()) };
        if found.is_null() {
            // SAFETY: the error is that of this question: there was none before.
            unsafe { (api.clear_error)() };
            return None;
        }
        Some(Object(found, api))
    }

    fn number(&self, name: &CStr) -> Option<c_int> {
        let number = self.attribute(name)?;
        // SAFETY: an object that lives, under the lock.
        let value = unsafe { (number.1.number)(number.0) };
        // SAFETY: no number is an error, which is that of this question.
        unsafe {
            if !(number.1.error)().is_null() {
                (number.1.clear_error)();
                return None;
            }
        }
        i32::try_from(value).ok()
    }

    fn is(&self, name: &CStr, address: usize) -> bool {
        self.attribute(name)
            .is_some_and(|it| it.0 as usize == address)
    }
}

impl<'a> Said<'a> {
    /// Returns the innermost frame; nothing if there is none, or an error is being told.
    ///
    /// # Safety
    /// This thread holds the lock.
    unsafe fn innermost(api: &'a Api) -> Option<Self> {
        // SAFETY: as promised; the frame is lent, and held from here on.
        unsafe {
            let frame = match (api.error)().is_null() {
                true => (api.frame)(),
                false => return None,
            };
            if frame.is_null() {
                return None;
            }
            (api.keep)(frame);
            let frame = Object(frame, api);
            Some(Said { api, frame })
        }
    }

    fn caller(&self) -> Option<Said<'a>> {
        let frame = self.frame.attribute(c"f_back")?;
        let api = self.api;
        (frame.0 as usize != api.none).then_some(Said { api, frame })
    }

    /// Returns whether a frame is this one, with all that is read of it.
    fn agrees(&self, layout: &Layout, frame: Frame) -> bool {
        let Some(code) = self.frame.attribute(c"f_code") else {
            return false;
        };
        // The frame's code is that of which the interpreter says so, and lives: now its fields
        // may be read, if they are where they are taken to be.
        code.0 as usize == frame.code
            && self.frame.number(c"f_lasti") == Some(frame.offset)
            && self.fields_agree(layout, &code) == Some(true)
            && self.texts_agree(layout, &code) == Some(true)
            && self.frame.number(c"f_lineno") == Some(self.line(&code, frame.offset))
    }

    fn fields_agree(&self, layout: &Layout, code: &Object) -> Option<bool> {
        let word = |field: usize| Asked.word(code.0 as usize + field);
        let old = self.api.version >> 16 < 0x030a;
        let name = if self.api.version >> 16 < 0x030b {
            c"co_name"
        } else {
            c"co_qualname"
        };
        let lines = if old { c"co_lnotab" } else { c"co_linetable" };
        Some(
            code.is(c"co_filename", word(layout.file)?)
                && code.is(name, word(layout.name)?)
                && code.is(lines, word(layout.lines)?)
                && code.number(c"co_firstlineno") == Some(word(layout.first_line)? as i32),
        )
    }

    fn texts_agree(&self, layout: &Layout, code: &Object) -> Option<bool> {
        let word = |address: usize| Asked.word(address);
        let at = |field: usize| word(code.0 as usize + field);
        let lines = at(layout.lines)?;
        // SAFETY: the bytes that the code object holds, under the lock.
        let (size, data) = unsafe {
            (
                (self.api.size_of_bytes)(lines as Pointer),
                (self.api.data_of_bytes)(lines as Pointer) as usize,
            )
        };
        let agree = |text: usize| {
            let found = text::characters(layout, &Asked, text)?;
            // SAFETY: a text that the code object holds.
            let said = unsafe { text::whole(self.api, text as Pointer) }?;
            // Of others than ASCII those that fill a word are enough.
            let begins = word(found.begin)?.to_ne_bytes();
            let most = found.count.min(8 / found.width);
            let first = said.chars().take(most).zip(begins.chunks(found.width));
            let mut same = first.map(|(character, bytes)| {
                let bytes = bytes.iter().rev();
                let code = bytes.fold(0, |code, byte| code << 8 | u32::from(*byte));
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER) == character
            });
            Some(found.count == said.chars().count() && same.all(|same| same))
        };
        Some(
            agree(at(layout.file)?)?
                && agree(at(layout.name)?)?
                && word(lines + layout.bytes_size)? == size as usize
                && lines + layout.bytes == data,
        )
    }

    fn line(&self, code: &Object, offset: c_int) -> c_int {
        // SAFETY: a code object.
        unsafe { (self.api.line)(code.0, offset) }
    }
}

/// Returns file, function and line of a place; nothing if they are not usual ones.
///
/// # Safety
/// The layout is the interpreter's, and the code object lives.
pub unsafe fn told(layout: &Layout, api: &Api, frame: Frame) -> Option<(String, String, u32)> {
    // SAFETY: as promised. The functions read, and change and allocate nothing.
    unsafe {
        let object = |field: usize| ((frame.code + field) as *const Pointer).read();
        let line = (api.line)(frame.code as Pointer, frame.offset);
        Some((
            text::whole(api, object(layout.file))?,
            text::whole(api, object(layout.name))?,
            u32::try_from(line).ok().filter(|&line| line > 0)?,
        ))
    }
}
