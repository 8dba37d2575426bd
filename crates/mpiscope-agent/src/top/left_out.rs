//! What is left out of the trace, from the environment.

use mpi_abi::Group;
use mpiscope_run::filter;

use crate::base::variable;
use crate::facts::filter::Settings;

/// Reads `MPISCOPE_FILTER` (a filter file) and `MPISCOPE_ONLY_MPI` (groups of functions).
pub fn from_environment() -> Result<Settings, String> {
    let mut settings = Settings::default();
    if let Some(path) = variable::path("MPISCOPE_FILTER") {
        let text = std::fs::read_to_string(&path);
        let path = path.display();
        let text = text.map_err(|error| format!("MPISCOPE_FILTER={path}: {error}"))?;
        let read = filter::parse(&text);
        settings.filter = read.map_err(|error| format!("MPISCOPE_FILTER={path}: {error}"))?;
    }
    settings.only = variable::text("MPISCOPE_ONLY_MPI")
        .map(|text| names(&text))
        .transpose()?;
    Ok(settings)
}

fn names(text: &str) -> Result<Vec<String>, String> {
    let names = text.split(',').map(|name| match Group::named(name) {
        Some(_) => Ok(name.to_owned()),
        None => Err(format!(
            "MPISCOPE_ONLY_MPI={text}: `{name}` is no group of MPI's functions"
        )),
    });
    names.collect()
}
