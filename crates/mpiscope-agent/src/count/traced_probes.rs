//! Probes of `mpiscope cc` in a trace: procedures are regions, with the names that the source gives
//! them. Loops and announced calls are told to statistics alone.
//!
//! Objects register before MPI is up, and their names are defined when it is
//! ([`regions::define_all`]).

use std::path::Path;

use serde::Deserialize;

use super::probes::{Hooks, Unit};
use crate::base::site::with_return_address;
use crate::facts::regions;

/// What is read of an object's structure.
#[derive(Deserialize)]
struct Structure {
    file: String,
    directory: String,
    statements: Vec<Statement>,
}

#[derive(Deserialize)]
struct Statement {
    kind: String,
    name: String,
    probe: bool,
}

/// What instrumented objects call.
pub static HOOKS: Hooks = Hooks {
    enter: enter_from,
    leave,
    loop_enter: nothing,
    loop_leave: nothing_of_turns,
    at: nothing,
};

/// Takes an object's procedures; false if there are none that could be told.
pub fn take(unit: &mut Unit) -> bool {
    let Some(text) = unit.structure() else {
        return false;
    };
    let Ok(structure) = serde_json::from_slice::<Structure>(text) else {
        return false;
    };
    // As debug information would name it.
    let file = Path::new(&structure.directory).join(&structure.file);
    let file = file.to_string_lossy();
    let number = |statement: &Statement| match statement.kind.as_str() {
        "procedure" if statement.probe => regions::number_of_procedure(&statement.name, &file),
        _ => 0,
    };
    let mut numbers: Vec<u32> = structure.statements.iter().map(number).collect();
    numbers.resize(unit.statements() as usize, 0);
    let numbers = Box::leak(numbers.into_boxed_slice());
    // As long as the object lives; two objects never have one unit.
    unit.keep(numbers.as_mut_ptr().cast());
    true
}

/// Returns the number of a procedure's region; nothing for one without.
///
/// # Safety
/// `unit` is null or one that [`take`] has taken.
unsafe fn number(unit: *const Unit, id: u32) -> Option<u32> {
    // SAFETY: the caller's promise.
    let unit = unsafe { unit.as_ref() }?;
    let numbers: *const u32 = unit.kept().cast();
    if numbers.is_null() || id >= unit.statements() {
        return None;
    }
    // SAFETY: `take` has kept as many numbers as the unit has statements.
    let number = unsafe { *numbers.add(id as usize) };
    (number != 0).then_some(number)
}

with_return_address!(
    /// A procedure begins; where this returns to is a line of it.
    enter_from(*const Unit, u32), two, enter
);

unsafe extern "C-unwind" fn enter(unit: *const Unit, id: u32, site: usize) {
    // SAFETY: only units that were taken call these hooks.
    if let Some(number) = unsafe { number(unit, id) } {
        regions::enter_procedure(number, site);
    }
}

unsafe extern "C-unwind" fn leave(unit: *const Unit, id: u32) {
    // SAFETY: as above.
    if let Some(number) = unsafe { number(unit, id) } {
        regions::leave_procedure(number);
    }
}

unsafe extern "C-unwind" fn nothing(_: *const Unit, _: u32) {}

unsafe extern "C-unwind" fn nothing_of_turns(_: *const Unit, _: u32, _: u64) {}
