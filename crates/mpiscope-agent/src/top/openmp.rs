//! How the runtimes of OpenMP tell of themselves: GCC's by the functions that compiled code calls,
//! LLVM's by callbacks.

mod gomp;
mod locks;
mod ompt;
mod tasks;
