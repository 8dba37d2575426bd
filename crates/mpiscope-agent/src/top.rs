//! Where the layers come together: what the program binds to, which way its
//! calls go, how a run begins and ends.

mod bypass;
mod config;
mod control;
mod domains;
mod ending;
mod exports;
mod finalize;
mod jumps;
mod left_out;
mod observe;
mod openmp;
mod placement;
mod pthreads;
mod real;
mod sessions;
mod spawn;
mod start;
mod switch;
mod threads;
mod until_slow;
mod user;
