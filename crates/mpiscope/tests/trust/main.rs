//! What users lost, each in a test named after it: programs that broke, data
//! that was missing without a word, figures that looked sure and were wrong.

#[path = "../common/mod.rs"]
mod common;

mod accelerators;
mod calls_past_us;
mod cannot_tell;
mod certain_errors;
mod clock_bounds;
mod communicator_identity;
mod contradicted_clocks;
mod debugger_ends;
mod file_size_limit;
mod finalize_cut_short;
mod green_is_not_absent;
mod hung_runs;
mod leftovers;
mod limited_sends;
mod limits_of_the_shell;
mod more_than_all;
mod mpi4py;
mod mpi_f08;
mod named_archive;
mod other_program;
mod places;
mod readme;
mod replay_fidelity;
mod short_lived_threads;
mod small_shared_memory;
mod walls_of_text;
mod who_died;
mod win_test_polls;
