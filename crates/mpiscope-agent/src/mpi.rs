//! MPI as this process uses it: a call and its arguments, the process among
//! the others, the objects that calls name.

pub mod call;
pub mod collective;
pub mod comms;
pub mod files;
pub mod functions;
pub mod layers;
pub mod modules;
pub mod process;
pub mod shape;
pub mod types;
