//! Files as memory: the only unsafe code of the crate.
#![allow(unsafe_code)]

use crate::Error;
use std::fs::File;
use std::path::Path;

/// The bytes of a file.
#[derive(Debug, Default)]
pub(crate) struct FileBytes(Option<memmap2::Mmap>);

impl FileBytes {
    /// Maps a file; `None` if it does not exist.
    pub fn open(path: &Path) -> Result<Option<Self>, Error> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io(path, "open")(error)),
        };
        let metadata = file.metadata().map_err(Error::io(path, "stat"))?;
        if metadata.is_dir() {
            let error = std::io::Error::from(std::io::ErrorKind::IsADirectory);
            return Err(Error::io(path, "read")(error));
        }
        if metadata.len() == 0 {
            return Ok(Some(Self(None)));
        }
        // SAFETY: the map is only read, and only as plain bytes, of which every
        // value is valid. Archives are finished before they are read; who
        // rewrites one under a reader may see mixed bytes, which the decoder
        // bounds like any damage.
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(Error::io(path, "map"))?;
        Ok(Some(Self(Some(map))))
    }

    /// Says that the bytes before `offset` will hardly be read again, so that a
    /// long file passes through memory instead of filling it.
    pub fn passed(&self, offset: usize) {
        const STEP: usize = 4 << 20;
        let Some(map) = &self.0 else { return };
        let end = offset.min(map.len()) / STEP * STEP;
        let begin = end.saturating_sub(STEP);
        if begin < end {
            // SAFETY: the map is of a file, shared, and never written to: pages
            // dropped come back with the same bytes when they are touched. If the
            // kernel will not, they stay, which is no error.
            let _ = unsafe {
                map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, begin, end - begin)
            };
        }
    }

    /// Says that none of the bytes is needed for now.
    pub fn let_go(&self) {
        let Some(map) = &self.0 else { return };
        // SAFETY: as above.
        let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    }

    pub fn bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}
