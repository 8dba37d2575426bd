//! What a call of MPI is to whoever looks at it: a function, a language, arguments.

pub mod call;
