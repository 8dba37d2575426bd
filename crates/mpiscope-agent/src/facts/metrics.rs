//! What the program tells values of, by name.

use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use mpiscope_run::process::{Definition, Metric};

use crate::base::definitions;
use crate::base::notice;

/// More names than any person gives; a program that counts in its names is stopped here.
const MOST: usize = 1 << 12;
/// The number of the first counter, behind all names.
pub const FIRST_COUNTER: u32 = MOST as u32;
/// Characters of a name that are kept.
const LONGEST: usize = 256;

/// The numbers of all names, of doubles and of integers apart.
static NUMBERS: Mutex<Option<HashMap<(CString, bool), u32>>> = Mutex::new(None);
/// Values that had names beyond the most.
static TOO_MANY: AtomicU64 = AtomicU64::new(0);

/// The names that a thread gave last, each in a place that its text chooses: Fortran's and Python's
/// names have other addresses each time.
#[derive(Default)]
pub struct Latest([Option<(CString, bool, u32)>; 16]);

impl Latest {
    /// Returns the number of what has this name and such values; nothing if there are too many.
    pub fn number(&mut self, name: &CStr, real: bool) -> Option<u32> {
        let hash = |hash: usize, byte: &u8| hash.wrapping_mul(31).wrapping_add(usize::from(*byte));
        let hash = name.to_bytes().iter().fold(usize::from(real), hash);
        let place = &mut self.0[hash % 16];
        match place {
            Some((known, of, number)) if known.as_c_str() == name && *of == real => Some(*number),
            _ => {
                let number = number_of(name, real)?;
                *place = Some((name.to_owned(), real, number));
                Some(number)
            }
        }
    }
}

/// Returns the number of a name; defines it if it is new.
#[cold]
fn number_of(name: &CStr, real: bool) -> Option<u32> {
    let mut numbers = NUMBERS.lock().unwrap_or_else(PoisonError::into_inner);
    let numbers = numbers.get_or_insert_with(HashMap::new);
    let key = (name.to_owned(), real);
    if let Some(number) = numbers.get(&key) {
        return Some(*number);
    }
    if numbers.len() >= MOST {
        TOO_MANY.fetch_add(1, Ordering::Relaxed);
        return None;
    }
    let id = numbers.len() as u32;
    let name = name.to_string_lossy().chars().take(LONGEST).collect();
    definitions::tell(&Definition::Metric(Metric {
        id,
        name,
        real,
        counter: false,
    }));
    numbers.insert(key, id);
    Some(id)
}

/// Says what could not be told.
pub fn tell_lost() {
    let lost = TOO_MANY.load(Ordering::Relaxed);
    if lost > 0 {
        notice::tell(&format!(
            "{lost} times a value was told after {MOST} others had got names; these are not in the \
             trace: give the same name to what is alike"
        ));
    }
}
