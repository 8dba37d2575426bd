//! Where in the program calls were made, as a trace knows it: from the calling contexts of an
//! archive, and back with the functions and lines that debug information tells.

mod defined;
mod resolve;

pub(crate) use defined::Defined;
pub use mpiscope_model::CallSite;
pub use resolve::{resolve, resolve_guarded};

use mpiscope_run::call_sites::Site;
use mpiscope_run::process::Module;

/// Returns what an address means; code made at run time has no module.
pub fn place(modules: &[Module], address: u64) -> CallSite {
    let place = mpiscope_run::call_sites::place(modules, address);
    let Site {
        function,
        file,
        line,
        ..
    } = Site::from(&place);
    CallSite {
        function: function.map(str::to_owned),
        file: file.map(str::to_owned),
        line,
        module: place.module.clone(),
        build_id: place.build_id.clone(),
        offset: place.offset,
    }
}

/// Returns what the archive defines of a place.
pub(crate) fn site(site: &CallSite) -> Site<'_> {
    Site {
        module: &site.module,
        build_id: &site.build_id,
        offset: site.offset,
        function: site.function.as_deref(),
        file: site.file.as_deref(),
        line: site.line,
    }
}
