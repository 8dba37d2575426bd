//! `--parquet DIR` in a build that writes no Parquet files.

use std::path::Path;

use anyhow::{bail, Result};

use super::Loaded;

/// Says what is missing, and how to have it.
pub fn write(_folder: &Path, _run: &Path, _loaded: &Loaded) -> Result<()> {
    bail!(
        "this mpiscope was built without Parquet (`--no-default-features`): build it with \
         `--features parquet`, or take `mpiscope stats --json`"
    )
}
