//! The places in Python that calls came from, each with a number of its own.
//!
//! A place is found without a lock: a table of pointers, each set once. Code that is made again
//! and again, by `exec` say, is one place as long as it reads the same; a program that makes ever
//! new code is stopped at some number of places, and its further ones are told without Python.

use std::collections::HashMap;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

use mpiscope_hash::stable;
use mpiscope_run::process::{Definition, Interpreted, Module};

use super::api::Api;
use super::frames::Frame;
use super::layout::Layout;
use super::text::{texts, Texts};
use super::{is_foreign, verify, Unknown};
use crate::base::definitions;

/// Most places that there may be.
pub const MOST: usize = 1 << 12;
/// Where the first place lies: no program's address, on any processor.
const BEGIN: usize = 0x7079_0000_0000_0000;
/// From one place to the next.
const STRIDE: usize = 4;

/// A place as it was first seen.
pub struct Place {
    /// What stands for its address.
    pub site: usize,
    /// Whether it is no part of the program.
    pub foreign: bool,
    offset: i32,
    first_line: i32,
    lengths: [usize; 3],
    parts: [Box<[u8]>; 3],
}

/// Twice as many as there are places, so that most lie where they are looked for.
static TABLE: [AtomicPtr<Place>; 2 * MOST] =
    [const { AtomicPtr::new(std::ptr::null_mut()) }; 2 * MOST];

/// Those that have a number, as modules of one address each.
#[derive(Default)]
struct Defined {
    modules: Vec<Module>,
    numbers: HashMap<(String, Interpreted, u64), usize>,
    /// Entries of the table.
    entries: usize,
}

static DEFINED: Mutex<Option<Defined>> = Mutex::new(None);

/// Returns all addresses that stand for places: the first, and how many bytes.
pub const fn range() -> (usize, usize) {
    (BEGIN, MOST * STRIDE)
}

/// Returns the place at which a frame is.
///
/// # Safety
/// The layout is the interpreter's, and the frame's code object lives.
#[inline(always)]
pub unsafe fn of(layout: &Layout, api: &Api, frame: Frame) -> Result<&'static Place, Unknown> {
    // SAFETY: as promised; the texts live as long as their code object, which is longer than here.
    let texts = unsafe { texts(layout, api, frame.code) }.ok_or(Unknown::Frame)?;
    // SAFETY: a field of the code object.
    let first_line = unsafe { ((frame.code + layout.first_line) as *const i32).read() };
    let seen = Seen {
        frame,
        first_line,
        texts,
    };
    match seen.find(TABLE.len()) {
        Ok(place) => Ok(place),
        // SAFETY: as promised.
        Err(_) => unsafe { seen.add(layout, api) },
    }
}

/// A place as it is now.
struct Seen<'a> {
    frame: Frame,
    first_line: i32,
    texts: Texts<'a>,
}

impl Seen<'_> {
    #[inline(always)]
    fn is(&self, place: &Place) -> bool {
        place.offset == self.frame.offset
            && place.first_line == self.first_line
            && place.lengths == self.texts.lengths
            && (place.parts.iter().zip(self.texts.parts)).all(|(one, other)| **one == *other)
    }

    /// Returns the place, or where it is to be put.
    #[inline(always)]
    fn find(&self, most: usize) -> Result<&'static Place, usize> {
        let number = self.frame.offset as u64 | (self.first_line as u64) << 32;
        let hash = (self.texts.hash() ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut at = (hash >> 32) as usize % TABLE.len();
        for _ in 0..most {
            let place = TABLE[at].load(Ordering::Acquire);
            // SAFETY: null, or a place that was published whole and is never freed.
            match unsafe { place.as_ref() } {
                None => return Err(at),
                Some(place) if self.is(place) => return Ok(place),
                Some(_) => at = (at + 1) % TABLE.len(),
            }
        }
        Err(at)
    }

    /// Gives the place a number.
    ///
    /// # Safety
    /// As [`of`].
    #[cold]
    unsafe fn add(&self, layout: &Layout, api: &Api) -> Result<&'static Place, Unknown> {
        let mut defined = DEFINED.lock().unwrap_or_else(PoisonError::into_inner);
        let defined = defined.get_or_insert_default();
        let at = match self.find(TABLE.len()) {
            Ok(place) => return Ok(place), // by another thread, meanwhile
            Err(_) if defined.entries == MOST => return Err(Unknown::TooMany),
            Err(at) => at,
        };
        // SAFETY: as promised.
        let told = unsafe { verify::told(layout, api, self.frame) };
        let (file, function, line) = told.ok_or(Unknown::Frame)?;
        let foreign = is_foreign(&file);
        let offset = u64::from(line) << 32
            | stable(&(&function, self.first_line, self.frame.offset)) & 0xffff_ffff;
        let place = Place {
            site: defined.number(file, Interpreted { function, line }, offset),
            foreign,
            offset: self.frame.offset,
            first_line: self.first_line,
            lengths: self.texts.lengths,
            parts: self.texts.parts.map(Box::from),
        };
        let place = Box::leak(Box::new(place));
        defined.entries += 1;
        TABLE[at].store(place, Ordering::Release);
        Ok(place)
    }
}

impl Defined {
    /// Returns the address that stands for a place, which is defined by now.
    fn number(&mut self, file: String, interpreted: Interpreted, offset: u64) -> usize {
        let key = (file, interpreted, offset);
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let site = BEGIN + STRIDE * self.modules.len();
        let (path, interpreted, _) = key.clone();
        let module = Module {
            start: site as u64,
            end: site as u64 + 1,
            bias: (site as u64).wrapping_sub(offset),
            path,
            build_id: String::new(),
            interpreted: Some(interpreted),
        };
        definitions::tell(&Definition::Module(module.clone()));
        self.modules.push(module);
        self.numbers.insert(key, site);
        site
    }
}

/// Defines the places seen before anybody listened.
pub fn define_all() {
    let defined = DEFINED.lock().unwrap_or_else(PoisonError::into_inner);
    for module in defined.iter().flat_map(|defined| &defined.modules) {
        definitions::tell(&Definition::Module(module.clone()));
    }
}

/// Returns file and line of what stands for an address, if it is a place in Python.
pub fn described(site: usize) -> Option<String> {
    let number = site.checked_sub(BEGIN)? / STRIDE;
    let defined = DEFINED.lock().unwrap_or_else(PoisonError::into_inner);
    let module = defined.as_ref()?.modules.get(number)?;
    let line = module.interpreted.as_ref()?.line;
    Some(format!("{}:{line}", module.path))
}
