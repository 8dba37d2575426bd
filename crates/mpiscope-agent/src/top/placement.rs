//! Tells whoever looks into the run directory which rank runs on which host.

use mpi_abi::{Code, OwnComm};
use mpiscope_run::placement;
use mpiscope_run::process::Identity;

use super::config::Config;

/// Bytes of a host's name (`HOST_NAME_MAX`, gethostname(2)).
const NAME: usize = 64;

/// Has rank 0 write down where all ranks are; what it is for goes without, too.
pub fn tell(own: OwnComm, identity: &Identity, config: &Config) -> Result<(), Code> {
    let mut mine = [0; NAME];
    for (byte, of_name) in mine.iter_mut().zip(identity.host.bytes()) {
        *byte = of_name;
    }
    let all = own.gather(0, &mine)?;
    if own.rank() == 0 {
        let names = all.chunks_exact(NAME).map(|name| {
            let end = name.iter().position(|byte| *byte == 0).unwrap_or(NAME);
            String::from_utf8_lossy(&name[..end]).into_owned()
        });
        let names: Vec<String> = names.collect();
        let _ = placement::write(&config.run, names.iter().map(String::as_str));
    }
    Ok(())
}
