//! Parquet files in a build that writes none.

use std::path::Path;

use anyhow::{bail, Result};

use super::{Heading, Sink};

/// Says what is missing, and how to have it.
pub fn available() -> Result<()> {
    bail!(
        "this mpiscope was built without Parquet (`--no-default-features`): build it with \
         `--features parquet`, or take another format"
    )
}

/// Makes no file.
pub fn create(_: &Path, _: &[Heading], _: &[(String, String)]) -> Result<Box<dyn Sink>> {
    available()?;
    bail!("no Parquet")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        let error = available().unwrap_err().to_string();
        assert!(error.contains("--features parquet"), "{error}");
    }
}
