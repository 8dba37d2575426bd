//! What a launcher of MPI programs tells the processes that it starts.

/// Who started processes together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launcher {
    /// Open MPI's.
    OpenMpi,
    /// MPICH's and its kin's, or another that speaks as these do.
    Pmi,
    /// Slurm, which starts programs of any MPI.
    Slurm,
    /// Slurm or Flux, which start programs of any MPI, speaking as MPICH's do.
    AnyPmi,
}

/// Variables by which launchers say how many processes they started together, and which of them
/// this is, of all and of those on its host. `SLURM_NTASKS` is that of a whole job, also where one process runs.
/// Flux sets those of PMI, too, as far as it is not told otherwise (flux-environment(7)).
const SIZES: [([&str; 3], Launcher); 4] = [
    (
        [
            "OMPI_COMM_WORLD_SIZE",
            "OMPI_COMM_WORLD_RANK",
            "OMPI_COMM_WORLD_LOCAL_RANK",
        ],
        Launcher::OpenMpi,
    ),
    (
        ["FLUX_JOB_SIZE", "FLUX_TASK_RANK", "FLUX_TASK_LOCAL_ID"],
        Launcher::AnyPmi,
    ),
    (["PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID"], Launcher::Pmi),
    (
        ["SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_LOCALID"],
        Launcher::Slurm,
    ),
];

/// Processes that a launcher started together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Started {
    /// Who did.
    pub launcher: Launcher,
    /// The variable that says how many there are.
    pub variable: &'static str,
    /// How many there are, more than one.
    pub processes: u32,
    /// Which of them this is, from 0; 0 if nobody says.
    pub rank: u32,
    /// The same among those on this host.
    pub rank_on_host: u32,
}

/// Returns what was started together with this process, if it is more than this one.
pub fn together() -> Option<Started> {
    several(|name| std::env::var(name).ok())
}

fn several(text: impl Fn(&str) -> Option<String>) -> Option<Started> {
    let number = |name: &str| text(name)?.trim().parse::<u32>().ok();
    SIZES
        .into_iter()
        .find_map(|([variable, rank, rank_on_host], launcher)| {
            let processes = number(variable)?;
            let in_slurm = text("SLURM_PROCID").is_some();
            (processes > 1).then(|| Started {
                launcher: match launcher {
                    Launcher::Pmi if in_slurm => Launcher::AnyPmi,
                    launcher => launcher,
                },
                variable,
                processes,
                rank: number(rank).unwrap_or(0),
                rank_on_host: number(rank_on_host).unwrap_or(0),
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_says_several_is_told() {
        let check = |pairs: &[(&str, &str)], expected| {
            let variable = |name: &str| {
                let mut values = pairs.iter().filter(|pair| pair.0 == name);
                values.next().map(|pair| pair.1.to_owned())
            };
            let found = several(variable).map(|it| (it.variable, it.processes, it.rank));
            assert_eq!(found, expected);
        };
        check(&[], None);
        check(&[("PMI_SIZE", "1"), ("SLURM_NTASKS", "8")], None);
        check(&[("PMI_SIZE", "many")], None);
        let both = [("OMPI_COMM_WORLD_SIZE", "1"), ("PMI_SIZE", "4")];
        check(&both, Some(("PMI_SIZE", 4, 0)));
        let pmi2 = [("PMI_SIZE", "4"), ("SLURM_PROCID", "1")];
        let found = several(|name| Some(pmi2.iter().find(|it| it.0 == name)?.1.to_owned()));
        assert_eq!(found.unwrap().launcher, Launcher::AnyPmi);
        let flux = [
            ("PMI_SIZE", "4"),
            ("FLUX_JOB_SIZE", "4"),
            ("FLUX_TASK_RANK", "2"),
            ("FLUX_TASK_LOCAL_ID", "1"),
        ];
        let found = several(|name| Some(flux.iter().find(|it| it.0 == name)?.1.to_owned()));
        let found = found.unwrap();
        assert_eq!(found.launcher, Launcher::AnyPmi);
        assert_eq!((found.rank, found.rank_on_host), (2, 1));
        let slurm = [("SLURM_STEP_NUM_TASKS", "3"), ("SLURM_PROCID", "2")];
        check(&slurm, Some(("SLURM_STEP_NUM_TASKS", 3, 2)));
    }
}
