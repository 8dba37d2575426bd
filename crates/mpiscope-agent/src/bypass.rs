//! MPI that went past us, noticed when the process ends.
//!
//! A program can come by its MPI in ways that no preloaded library sees: by the
//! names of the profiling interface, a loader of its own, two libraries of which
//! one is opened by hand. Then no call reaches us, and silence would look like a
//! program without MPI.

use std::ffi::c_int;

use mpi_abi::objects;

use crate::fit::with_own;
use crate::{notice, observe};

#[used]
#[link_section = ".fini_array"]
static AT_END: extern "C" fn() = at_end;

/// Runs after the program, in every process that inherits us and ends by `exit`.
extern "C" fn at_end() {
    if !observe::idle() {
        return;
    }
    observe::guarded(|| {
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
    objects::find(|object| {
        if object.base() == own.base() {
            return None;
        }
        let is_true = |name| {
            let function = object.function(name)?;
            // SAFETY: MPI_Initialized and MPI_Finalized take the address of an int, and may
            // be called at any time (MPI 4.1, §11.4.1).
            let function: unsafe extern "C" fn(*mut c_int) -> c_int =
                unsafe { std::mem::transmute(function) };
            let mut flag = 0;
            // SAFETY: as above; `flag` is an int.
            let code = unsafe { function(&mut flag) };
            Some(code == 0 && flag != 0)
        };
        let in_use = is_true(c"PMPI_Initialized") == Some(true);
        in_use.then(|| object.path().to_string_lossy().into_owned())
    })
}
