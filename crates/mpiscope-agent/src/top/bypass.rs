//! MPI that went past us, noticed when the process ends.
//!
//! A program can come by its MPI in ways that no preloaded library sees: by the
//! names of the profiling interface, a loader of its own, two libraries of which
//! one is opened by hand. Then no call reaches us, and silence would look like a
//! program without MPI.

use std::ffi::c_int;

use mpi_abi::objects;

use crate::base::fit::with_own;
use crate::base::{guard, notice, path};

#[used]
#[link_section = ".fini_array"]
static AT_END: extern "C" fn() = at_end;

/// Runs after the program, in every process that inherits us and ends by `exit`.
extern "C" fn at_end() {
    if !path::idle() {
        return;
    }
    guard::guarded(|| {
        if let Some(name) = with_own(library_in_use).flatten() {
            notice::tell(&format!(
                "a process used MPI by calls that went past mpiscope, and nothing of it is \
                 observed: it opened {name} itself, and took its functions under their PMPI \
                 names, by other means than dlsym, or with a second MPI library beside it. \
                 Programs that are linked with MPI, or ask dlsym for MPI_ names, are observed"
            ));
        }
    });
}

/// Returns the name of a loaded MPI library that has been initialized.
fn library_in_use(own: &objects::Object) -> Option<String> {
    // They are asked afterwards: the loader's lock is held while it lists its objects.
    let mut all = Vec::new();
    objects::find(|object| {
        let function = object.function(c"PMPI_Initialized");
        if let Some(function) = function.filter(|_| object.base() != own.base()) {
            all.push((function, object.path().to_string_lossy().into_owned()));
        }
        None::<()>
    });
    let mut all = all.into_iter();
    all.find_map(|(function, name)| is_true(function).then_some(name))
}

/// Asks MPI_Initialized, which may be called at any time (MPI 4.1, §11.4.1).
fn is_true(function: usize) -> bool {
    // SAFETY: the address is that of an MPI library's PMPI_Initialized, which takes that of an int.
    let function: unsafe extern "C" fn(*mut c_int) -> c_int =
        unsafe { std::mem::transmute(function) };
    let mut flag = 0;
    // SAFETY: `flag` is an int.
    let code = unsafe { function(&mut flag) };
    code == 0 && flag != 0
}
