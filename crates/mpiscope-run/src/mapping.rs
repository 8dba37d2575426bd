//! Memory that is a file: the one place that maps, and unmaps.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

/// A part of a file as memory, shared with whoever maps it, too; unmapped when dropped.
#[derive(Debug)]
pub struct Mapping {
    base: NonNull<u8>,
    bytes: usize,
}

// SAFETY: a mapping is valid in any thread; who touches what of it is said where that is done.
unsafe impl Send for Mapping {}
// SAFETY: the methods ask the system, and touch no byte.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps a part of a file, which begins at a page, to read and write; processes forked
    /// later do not have it, so that they cannot write into their parent's records.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn of_process(file: &File, at: usize, bytes: usize) -> io::Result<Self> {
        let mapping = Self::new(file, at, bytes, libc::PROT_READ | libc::PROT_WRITE)?;
        mapping.advise(0, bytes, libc::MADV_DONTFORK)?;
        Ok(mapping)
    }

    /// Maps the first bytes of a file to read and write; forked processes have them, too.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn inherited(file: &File, bytes: usize) -> io::Result<Self> {
        Self::new(file, 0, bytes, libc::PROT_READ | libc::PROT_WRITE)
    }

    /// Maps the first bytes of a file, which others may be writing, to read them.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn to_read(file: &File, bytes: usize) -> io::Result<Self> {
        Self::new(file, 0, bytes, libc::PROT_READ)
    }

    fn new(file: &File, at: usize, bytes: usize, access: i32) -> io::Result<Self> {
        let any = std::ptr::null_mut();
        let (shared, descriptor) = (libc::MAP_SHARED, file.as_raw_fd());
        // SAFETY: a new mapping, at an address that the kernel picks.
        let base = unsafe { libc::mmap(any, bytes, access, shared, descriptor, at as libc::off_t) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let null = || io::Error::other("mmap returned null");
        let base = NonNull::new(base.cast()).ok_or_else(null)?;
        Ok(Self { base, bytes })
    }

    /// Returns where it begins, which is a page.
    pub fn base(&self) -> NonNull<u8> {
        self.base
    }

    /// Returns how many bytes it has.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns all of it as words, which whoever maps the file shares; bytes at its end that are
    /// no whole word are left out. Nobody stores to what was mapped to be read.
    pub fn words(&self) -> &[AtomicU64] {
        // SAFETY: they begin at a page and are mapped as long as this lives; any bytes are a word.
        unsafe { std::slice::from_raw_parts(self.base.cast().as_ptr(), self.bytes / 8) }
    }

    /// Keeps it mapped as long as the process.
    pub fn for_good(self) -> &'static Self {
        Box::leak(Box::new(self))
    }

    /// Faults pages in ahead of their use, which takes memory where the file has a hole.
    ///
    /// # Errors
    /// Whatever the system says; before Linux 5.14 it does not know how.
    pub fn populate(&self, at: usize, bytes: usize) -> io::Result<()> {
        self.advise(at, bytes, libc::MADV_POPULATE_WRITE)
    }

    fn advise(&self, at: usize, bytes: usize, advice: i32) -> io::Result<()> {
        let is_within = at.checked_add(bytes).is_some_and(|end| end <= self.bytes);
        if !is_within {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        // SAFETY: the range lies in the mapping, and these pieces of advice change no byte of it.
        let code = unsafe { libc::madvise(self.base.as_ptr().add(at).cast(), bytes, advice) };
        match code {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: this is the whole mapping, and who holds addresses in it holds the mapping.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn what_is_written_is_in_the_file_and_beyond_its_end_is_an_error() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(8192).unwrap();
        let own = Mapping::of_process(&file, 4096, 4096).unwrap();
        let all = Mapping::to_read(&file, 8192).unwrap();
        own.populate(0, 4096).unwrap();
        own.words()[0].store(7, Ordering::Relaxed);
        assert_eq!(all.words()[4096 / 8].load(Ordering::Relaxed), 7);
        assert_eq!(all.words().len(), 8192 / 8);
        assert!(own.populate(4096, 4096).is_err());
        assert!(Mapping::to_read(&file, 0).is_err());
    }
}
