//! What a launcher of MPI programs tells the processes that it starts.

/// Variables by which launchers say how many processes they started together: of Open MPI, of
/// MPICH and its kin, of Slurm. `SLURM_NTASKS` is that of a whole job, also where one process runs.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];

/// Returns how many processes were started together with this one, if it is more than one, and the
/// variable that says so.
pub fn together() -> Option<(&'static str, u32)> {
    several(|name| std::env::var(name).ok())
}

fn several(variable: impl Fn(&str) -> Option<String>) -> Option<(&'static str, u32)> {
    SIZES.into_iter().find_map(|name| {
        let size: u32 = variable(name)?.trim().parse().ok()?;
        (size > 1).then_some((name, size))
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
            assert_eq!(several(variable), expected);
        };
        check(&[], None);
        check(&[("PMI_SIZE", "1"), ("SLURM_NTASKS", "8")], None);
        check(&[("PMI_SIZE", "many")], None);
        let both = [("OMPI_COMM_WORLD_SIZE", "1"), ("PMI_SIZE", "4")];
        check(&both, Some(("PMI_SIZE", 4)));
    }
}
