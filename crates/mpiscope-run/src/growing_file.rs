//! A file that a thread of the program writes through memory: mapped as large as it may
//! become, reserved as far as it is used.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;

use crate::directory;
use crate::mapping::Mapping;
use crate::room::Room;
use crate::shared_memory::SHARED_MEMORY;
use crate::system::{largest_file, reserve, space, without_size_signal};

/// Where nothing is reserved, touching the memory may raise SIGBUS.
#[derive(Debug)]
pub(crate) struct GrowingFile {
    mapping: Mapping,
    path: PathBuf,
    /// What memory is taken from; none for the first thread.
    room: Option<&'static Room>,
}

impl GrowingFile {
    /// Makes a file of up to `size` bytes in `folder`, or if that has no room in the run
    /// directory, and maps it; what is needed at once is reserved, and where the system allows
    /// no file that ends behind the last of it, there is none.
    ///
    /// # Errors
    /// Whatever creating, reserving or mapping it gave.
    pub fn create(
        (folder, name): (&Path, &str),
        run: &Path,
        at_once: [Range<usize>; 2],
        size: usize,
        room: Option<&'static Room>,
    ) -> io::Result<Self> {
        let bytes = at_once.iter().map(Range::len).sum();
        if room.is_some_and(|room| !room.take(0, bytes)) {
            let what = "all that the threads of a process may hold in memory is taken";
            return Err(io::Error::new(io::ErrorKind::QuotaExceeded, what));
        }
        let made = directory::place(folder, run, name, |path| {
            match leaves_room(path.parent().unwrap_or(path), bytes) {
                true => map_new(path, &at_once, size),
                false => Err(io::ErrorKind::StorageFull.into()),
            }
        });
        if let (Err(_), Some(room)) = (&made, room) {
            room.give_back(bytes);
        }
        let (path, mapping) = made?;
        Ok(Self {
            mapping,
            path,
            room,
        })
    }

    /// Returns where it begins in memory.
    #[inline]
    pub fn base(&self) -> NonNull<u8> {
        self.mapping.base()
    }

    /// Returns how many bytes are mapped.
    pub fn bytes(&self) -> usize {
        self.mapping.bytes()
    }

    /// Returns where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns what memory is taken from; none for the first thread.
    pub fn room(&self) -> Option<&'static Room> {
        self.room
    }

    /// Reserves `more` bytes for a thread that holds `own` already, if that leaves enough to
    /// others: to threads of the process, and to the MPI.
    pub fn grow(&self, own: usize, at: usize, more: usize) -> bool {
        if self.room.is_some_and(|room| !room.take(own, more)) {
            return false;
        }
        let is_done = leaves_room(&self.path, more) && self.reserve(at, more);
        if let (false, Some(room)) = (is_done, self.room) {
            room.give_back(more);
        }
        is_done
    }

    /// Reserves bytes that are nobody's share. The file is opened anew each time: the program
    /// may need its descriptors, and has many threads perhaps.
    pub fn reserve(&self, at: usize, more: usize) -> bool {
        let file = File::options().read(true).write(true).open(&self.path);
        file.is_ok_and(|file| reserve(&file, at, more).is_ok())
    }

    /// Faults pages in ahead of use; kernels before 5.14 refuse, and the first store does it then.
    pub fn populate(&self, at: usize, bytes: usize) {
        let _ = self.mapping.populate(at, bytes);
    }
}

fn map_new(path: &Path, at_once: &[Range<usize>; 2], size: usize) -> io::Result<Mapping> {
    let (least, size) = (at_once[1].end, size.min(largest_file()));
    if size < least {
        let what = format!("files may have {size} bytes only (ulimit -f)");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    let made = at_once
        .iter()
        .try_for_each(|part| reserve(&file, part.start, part.len()))
        .and_then(|()| map_largest(&file, size, least));
    if made.is_err() {
        let _ = std::fs::remove_file(path);
    }
    made
}

/// Sets a new file's size and maps it: `size` bytes, or where the address space is
/// short (`ulimit -v`) the half or a quarter, but at least `least`.
fn map_largest(file: &File, size: usize, least: usize) -> io::Result<Mapping> {
    let mut size = size;
    loop {
        without_size_signal(|| file.set_len(size as u64))?;
        match Mapping::of_process(file, 0, size) {
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory && size / 2 >= least => {
                size /= 2;
            }
            made => return made,
        }
    }
}

/// Whether a quarter of the shared memory stays free: the MPI's own
/// shared-memory files lie beside ours, and raise SIGBUS when it is full. A
/// disk may be used up.
fn leaves_room(path: &Path, more: usize) -> bool {
    !path.starts_with(SHARED_MEMORY)
        || space(path).is_ok_and(|(free, total)| free.saturating_sub(more as u64) >= total / 4)
}
