//! Memory that processes of a host share: a file that whoever comes first makes.

use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use mpiscope_run::mapping::Mapping;
use mpiscope_run::system::reserve;

/// Maps a file of so many bytes, all zero at first, page-aligned; for good.
pub fn map(path: &Path, bytes: usize) -> io::Result<*mut u8> {
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)?;
    file.set_len(bytes as u64)?;
    // A full file system would raise SIGBUS when the memory is first touched.
    reserve(&file, 0, bytes)?;
    Ok(Mapping::inherited(&file, bytes)?.for_good().base().as_ptr())
}

/// Maps a file as so many values.
///
/// # Safety
/// `T` is made of atomics alone, and every bit pattern is a value of it.
pub unsafe fn shared_slice<T>(path: &Path, count: usize) -> io::Result<&'static [T]> {
    let base = map(path, count * size_of::<T>())?;
    // SAFETY: page-aligned, never unmapped, so long, and of atomics.
    Ok(unsafe { std::slice::from_raw_parts(base.cast::<T>(), count) })
}

/// Maps a file as one value.
///
/// # Safety
/// `T` is made of atomics alone, and every bit pattern is a value of it.
pub unsafe fn shared<T>(path: &Path) -> io::Result<&'static T> {
    // SAFETY: it is made of atomics, of which any bit pattern is a value.
    let values = unsafe { shared_slice::<T>(path, 1)? };
    values
        .first()
        .ok_or_else(|| io::Error::other("nothing was mapped"))
}
