//! Fortran: not read so far, compiled as it is.

use crate::outline::Outline;
use crate::{Options, Source, Untouched};

pub(crate) fn instrument(_: &Source, _: &Options) -> Result<(Vec<u8>, Outline), Untouched> {
    Err(Untouched("Fortran is not read yet".into()))
}
