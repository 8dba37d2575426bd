//! Several processes that a launcher of MPI programs started, each of which would do the whole work
//! of a command, and write the same files.

use anyhow::{bail, Result};
use mpiscope_run::launched;

use crate::cli::Command;

/// Returns an error if a command that is done once was started several times.
pub fn refuse(command: &Command) -> Result<()> {
    let Some(((name, starts), (variable, processes))) = command.once().zip(launched::together())
    else {
        return Ok(());
    };
    let remedy = match starts {
        true => format!(
            "put the launcher behind it, as in `mpiscope {name} … -- mpirun -n {processes} ./program`"
        ),
        false => "start it without the launcher; it uses all cores by itself".to_owned(),
    };
    bail!(
        "a launcher started {processes} processes ({variable}={processes}), and each of them would \
         do all that `mpiscope {name}` does, perhaps in the same files; {remedy}. If it is meant \
         so, as where one of them alone starts it: `env -u {variable} mpiscope {name} …`"
    )
}
