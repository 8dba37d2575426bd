//! Functions of its MPI that a program may call without our knowledge.
//!
//! The agent wraps what the standard has. A library has more (`MPIX_`), and may get
//! functions that the agent's table does not know yet. Which of them a program can call
//! its files tell: what they take from other libraries, by name.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use mpiscope_run::run_info::RunInfo;

use crate::launch::agent;
use crate::launch::elf::{self, Kind};

/// Returns the functions that the program in this file, or a library that it loads, can
/// call past the agent; none where that cannot be told.
pub fn of(program: &Path) -> Vec<String> {
    let agent = agent::find().and_then(|path| elf::exports(&path));
    let names = agent.and_then(|agent| past(program, &agent.names));
    names.unwrap_or_default().into_iter().collect()
}

/// Says what it means that a program can call them.
pub fn note(names: &[String]) -> Option<String> {
    let info = RunInfo {
        unobserved: names.to_vec(),
        ..RunInfo::default()
    };
    info.may_lack()
}

/// Leaves them in `run.json`, for every report of the run.
pub fn keep(run: &Path, names: &[String]) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    let mut info = RunInfo::read(run)?;
    info.unobserved = names.to_vec();
    Ok(info.write(run)?)
}

fn past(program: &Path, agent: &BTreeSet<String>) -> Result<BTreeSet<String>> {
    let Kind::Elf(elf) = elf::kind(program)? else {
        return Ok(BTreeSet::new());
    };
    let Some(loader) = elf.interpreter else {
        return Ok(BTreeSet::new());
    };
    let mut offered = BTreeSet::new();
    let mut taken = elf::imports(program)?;
    for path in elf::libraries(&loader, program)? {
        let exports = elf::exports(&path)?.names;
        let is_mpi = |name: &String| name.starts_with("PMPI_") || name.starts_with("pmpi_");
        match exports.iter().any(is_mpi) {
            true => offered.extend(exports),
            false => taken.extend(elf::imports(&path)?),
        }
    }
    let is_past = |name: &String| offered.contains(name) && !agent.contains(name) && tells(name);
    Ok(taken.into_iter().filter(is_past).collect())
}

/// Returns whether a call of this function says anything that a run should hold: it is
/// MPI's, and no question for time, version or features, nor a conversion or a constant.
fn tells(name: &str) -> bool {
    const QUIET: &[&str] = &[
        "t_",
        "abi_",
        "get_version",
        "get_library_version",
        "wtime",
        "wtick",
        "aint_",
        "sizeof",
        "f_sync_reg",
        "f_status",
        "f08_status",
        "fortran_",
        "query_",
        "gpu_query",
    ];
    const QUIET_ENDS: &[&str] = &[
        "c2f",
        "f2c",
        "c2f08",
        "f082c",
        "f2f08",
        "f082f",
        "toint",
        "fromint",
        "_fn",
        "_fn_null",
        "_fn_null_c",
    ];
    let name = name.to_ascii_lowercase();
    let name = name.strip_prefix('p').unwrap_or(&name);
    let stem = name
        .strip_prefix("mpi_")
        .or_else(|| name.strip_prefix("mpix_"));
    let stem = stem.map(|stem| stem.trim_end_matches('_'));
    stem.is_some_and(|stem| {
        let quiet = QUIET.iter().any(|start| stem.starts_with(start));
        !quiet && !QUIET_ENDS.iter().any(|end| stem.ends_with(end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::compile;

    #[test]
    fn functions_that_communicate_tell_something() {
        for name in [
            "MPIX_Allreduce_init",
            "PMPIX_Comm_agree",
            "mpix_bcast_init_f08_",
            "MPI_New",
        ] {
            assert!(tells(name), "{name}");
        }
        for name in [
            "MPI_Wtime",
            "mpi_wtime_",
            "MPI_T_init_thread",
            "MPI_Comm_c2f",
            "MPI_Get_version",
            "mpi_get_version_f08_",
            "MPIX_Query_cuda_support",
            "mpi_fortran_bottom_",
            "printf",
            "MPI_DUP_FN",
        ] {
            assert!(!tells(name), "{name}");
        }
    }

    #[test]
    fn what_a_program_takes_and_the_agent_lacks_is_named() {
        let source = "int PMPI_Init(void){return 0;} int MPI_Init(void){return 0;} \
                      int MPIX_Agree(void){return 0;} double MPI_Wtime(void){return 0;}";
        let Some(library) = compile("gcc", source, &["-shared", "-fPIC"]) else {
            return;
        };
        let program = "int MPI_Init(void); int MPIX_Agree(void); double MPI_Wtime(void);
            int main(void) { return MPI_Init() + MPIX_Agree() + (int)MPI_Wtime(); }";
        let file = library.path().display().to_string();
        let Some(program) = compile("gcc", program, &["-Wl,--no-as-needed", &file]) else {
            return;
        };
        let agent = BTreeSet::from(["MPI_Init".to_owned()]);
        let expected = BTreeSet::from(["MPIX_Agree".to_owned()]);
        assert_eq!(past(program.path(), &agent).unwrap(), expected);
        assert!(past(Path::new("/bin/sh"), &agent).unwrap().is_empty());
    }
}
