//! MPI without linking it: the calls as data, the binary interfaces as values,
//! the symbols found at run time.
//!
//! A library built with this crate loads into any process, with Open MPI, an
//! MPICH or no MPI at all. Three things make that possible:
//!
//! * [`FUNCTIONS`] and [`for_each_function!`] describe every call, so that
//!   wrappers are generated. Every C argument of MPI is of the INTEGER class
//!   (System V psABI §3.2.3), and so a wrapper `extern "C" fn(usize, …) -> usize`
//!   passes the int handles of MPICH and the pointers of Open MPI unchanged.
//! * [`Abi`] says what the numbers mean: constants, handles, the status layout.
//! * [`pmpi`], [`pmpi_fortran`] and [`pmpi_named`] find the implementation behind a wrapper, and
//!   [`Mpi`] holds the calls that a tool makes itself.

mod abi;
mod abi_values;
mod datatype;
mod exchange;
mod files;
mod fortran;
mod function;
mod group;
mod library;
mod mpi;
pub mod objects;
mod session;
mod start;
#[rustfmt::skip]
mod table;
mod topology;
mod version;

pub use abi::{Abi, Family, StatusLayout, ThreadLevels};
pub use datatype::Made;
pub use exchange::{OwnComm, Parts};
pub use files::{FileModes, SeekFrom};
pub use fortran::Fortran;
pub use function::{Arg, Direction, Function, FunctionId, Kind, Passing, Role};
pub use group::{Group, GROUPS};
pub use library::{pmpi, pmpi_fortran, pmpi_named, Library};
pub use mpi::{Code, Error, Mpi};
pub use table::{id, FUNCTIONS};
pub use topology::Axis;
pub use version::LibraryVersion;
