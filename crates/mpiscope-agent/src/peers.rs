//! What the processes of a job tell each other beside the program's messages:
//! by shared memory within a host, by messages of ours and by windows between hosts.

pub mod clock_ring;
pub mod collective_stamps;
pub mod common_clock;
pub mod mpi_transport;
pub mod page;
pub mod published_time;
pub mod remote_clocks;
pub mod stamp_ring;
pub mod stamp_transport;
pub mod stamps;
pub mod virtual_time;
