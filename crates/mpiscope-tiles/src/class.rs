//! What a location can be doing, as far as colours tell: nine classes of states.
//!
//! Which class a function of MPI is in follows from its role in mpi-abi's table of all of them, as
//! does the role that the agent writes into an archive; so there is one list of functions.

use mpi_abi::{FunctionId, Role};
use mpiscope_analysis::is_mpi;
use mpiscope_model::{Paradigm, Region, RegionRole, Trace};

/// A class of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// The program's own work.
    Computation,
    /// Messages between two ranks, and waiting for them.
    PointToPoint,
    /// Collective operations.
    Collective,
    /// One-sided communication.
    OneSided,
    /// File input and output.
    Io,
    /// All other functions of MPI.
    Management,
    /// OpenMP and threads.
    Parallel,
    /// Recording was off, or what was recorded is lost.
    Unrecorded,
    /// Before the first event and after the last.
    Nothing,
}

/// How many there are.
pub const CLASSES: usize = Class::ALL.len();

impl Class {
    /// All of them, in the order of their numbers.
    pub const ALL: [Class; 9] = [
        Class::Computation,
        Class::PointToPoint,
        Class::Collective,
        Class::OneSided,
        Class::Io,
        Class::Management,
        Class::Parallel,
        Class::Unrecorded,
        Class::Nothing,
    ];

    /// Returns its number.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns its name for programs.
    pub fn name(self) -> &'static str {
        self.texts().0
    }

    /// Returns what it is called.
    pub fn label(self) -> &'static str {
        self.texts().1
    }

    fn texts(self) -> (&'static str, &'static str) {
        match self {
            Class::Computation => ("computation", "Computation"),
            Class::PointToPoint => ("point_to_point", "Point-to-point communication"),
            Class::Collective => ("collective", "Collective operations"),
            Class::OneSided => ("one_sided", "One-sided communication"),
            Class::Io => ("io", "File input and output"),
            Class::Management => ("management", "Other MPI functions"),
            Class::Parallel => ("parallel", "OpenMP and threads"),
            Class::Unrecorded => ("unrecorded", "Not recorded"),
            Class::Nothing => ("nothing", "Before the begin or after the end"),
        }
    }

    /// Returns the class of a region.
    pub fn of(region: &Region) -> Class {
        if !is_mpi(region) {
            return match (region.paradigm, region.role) {
                (_, RegionRole::Other(FILE_IO | FILE_IO_METADATA)) => Class::Io,
                (Paradigm::OpenMp | Paradigm::Pthread, _) => Class::Parallel,
                _ => Class::Computation,
            };
        }
        match FunctionId::find(&region.name) {
            Some(function) => of_role(function.function().role),
            None => of_otf2(region.role),
        }
    }
}

/// OTF2's numbers of roles that a trace keeps as numbers.
const FILE_IO: u8 = 27;
const RMA: u8 = 29;
const FILE_IO_METADATA: u8 = 38;

fn of_role(role: Role) -> Class {
    match role {
        Role::Point2Point => Class::PointToPoint,
        Role::CollOne2All
        | Role::CollAll2One
        | Role::CollAll2All
        | Role::CollOther
        | Role::Barrier => Class::Collective,
        Role::Rma => Class::OneSided,
        Role::FileIo => Class::Io,
        Role::Function => Class::Management,
    }
}

/// Returns the class of a function of MPI that our table does not have, as its archive sees it.
fn of_otf2(role: RegionRole) -> Class {
    match role {
        RegionRole::PointToPoint => Class::PointToPoint,
        RegionRole::OneToAll
        | RegionRole::AllToOne
        | RegionRole::AllToAll
        | RegionRole::OtherCollective
        | RegionRole::Barrier => Class::Collective,
        RegionRole::Other(RMA) => Class::OneSided,
        RegionRole::Other(FILE_IO | FILE_IO_METADATA) => Class::Io,
        _ => Class::Management,
    }
}

/// The class of each region of a trace, and which of them are functions of MPI.
#[derive(Clone, Debug, Default)]
pub struct Regions(Vec<(Class, bool)>);

impl Regions {
    /// Looks at all regions of a trace.
    pub fn of(trace: &Trace) -> Regions {
        let regions = trace.definitions.regions.iter();
        Regions(regions.map(|it| (Class::of(it), is_mpi(it))).collect())
    }

    /// Returns the class of a region; of what is none of the trace's it is computation.
    pub fn class(&self, region: u32) -> Class {
        let known = self.0.get(region as usize);
        known.map_or(Class::Computation, |(class, _)| *class)
    }

    /// Returns whether a region is a function of MPI.
    pub fn is_mpi(&self, region: u32) -> bool {
        self.0.get(region as usize).is_some_and(|(_, mpi)| *mpi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_mpi_are_in_the_class_of_their_role() {
        let class = |name: &str| {
            Class::of(&Region {
                name: name.into(),
                ..Region::default()
            })
        };
        assert_eq!(class("MPI_Waitall"), Class::PointToPoint);
        assert_eq!(class("MPI_Allreduce"), Class::Collective);
        assert_eq!(class("MPI_Win_fence"), Class::OneSided);
        assert_eq!(class("MPI_File_write_all"), Class::Io);
        assert_eq!(class("MPI_Comm_dup"), Class::Management);
        assert_eq!(class("MPI_Of_tomorrow"), Class::Management);
        assert_eq!(class("solve"), Class::Computation);
    }

    #[test]
    fn other_regions_are_in_the_class_of_their_paradigm_and_role() {
        let class = |paradigm, role| {
            Class::of(&Region {
                paradigm,
                role,
                ..Region::default()
            })
        };
        let file = RegionRole::Other(FILE_IO);
        assert_eq!(
            class(Paradigm::OpenMp, RegionRole::Unknown),
            Class::Parallel
        );
        assert_eq!(class(Paradigm::Other(9), file), Class::Io);
        assert_eq!(
            class(Paradigm::Mpi, RegionRole::AllToAll),
            Class::Collective
        );
    }
}
