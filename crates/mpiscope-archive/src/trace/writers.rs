//! What writers mean by the names of regions.
//!
//! Nearly all say `MPI_Send` and that it is of MPI, or at least the former. TAU says `MPI_Send()`,
//! and that every region is of MPI which has these letters in its name: `compile_tables`, too
//! (`TracerOTF2.cpp` of TAU 2).

use mpiscope_model::{Paradigm, Region};

/// Who wrote an archive, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    Tau,
    Any,
}

impl Writer {
    /// Returns the writer that the anchor names.
    pub fn of(creator: &str) -> Writer {
        match creator {
            "TAU" => Writer::Tau,
            _ => Writer::Any,
        }
    }

    /// Returns a region as it is meant.
    pub fn read(self, mut region: Region) -> Region {
        let function = region.name.strip_suffix("()");
        if let Some(function) = function.filter(|name| name.starts_with("MPI_")) {
            region.name = function.to_owned();
        }
        let is_mpi = region.name.starts_with("MPI_");
        if self == Writer::Tau && region.paradigm == Paradigm::Mpi && !is_mpi {
            region.paradigm = Paradigm::User;
        }
        region
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(creator: &str, name: &str) -> (String, Paradigm) {
        let region = Region {
            name: name.to_owned(),
            paradigm: Paradigm::Mpi,
            ..Region::default()
        };
        let region = Writer::of(creator).read(region);
        (region.name, region.paradigm)
    }

    #[test]
    fn functions_of_mpi_have_one_name_in_all_archives() {
        for creator in ["TAU", "Score-P 8.4", ""] {
            for name in ["MPI_Send", "MPI_Send()"] {
                assert_eq!(read(creator, name), ("MPI_Send".into(), Paradigm::Mpi));
            }
        }
    }

    #[test]
    fn letters_in_a_name_make_no_function_of_mpi() {
        let name = "compile_tables";
        assert_eq!(read("TAU", name).1, Paradigm::User);
        assert_eq!(read("Score-P 8.4", name).1, Paradigm::Mpi);
    }
}
