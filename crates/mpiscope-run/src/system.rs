//! The system calls that buffers are made of: each checked, each with its trap.

use std::ffi::{c_void, CString};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::ptr::NonNull;

/// Reserves a range of a file, so that touching it cannot raise SIGBUS; beyond
/// the limit on file sizes it is an error and no signal.
pub(crate) fn reserve(file: &File, at: usize, bytes: usize) -> io::Result<()> {
    let (at, bytes) = (at as libc::off_t, bytes.max(1) as libc::off_t);
    without_size_signal(|| loop {
        // SAFETY: a plain system call on an open descriptor.
        match unsafe { libc::posix_fallocate(file.as_raw_fd(), at, bytes) } {
            0 => return Ok(()),
            libc::EINTR => {} // older kernels give up for any signal
            code => return Err(io::Error::from_raw_os_error(code)),
        }
    })
}

/// Sets a new file's size and maps it: `size` bytes, or where the address space is
/// short (`ulimit -v`) the half or a quarter, but at least `least`. Returns how many.
fn map_largest(file: &File, size: usize, least: usize) -> io::Result<(NonNull<u8>, usize)> {
    let mut size = size;
    loop {
        without_size_signal(|| file.set_len(size as u64))?;
        match map(file, size) {
            Ok(base) => return Ok((base, size)),
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory && size / 2 >= least => {
                size /= 2;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Makes a file of up to `size` bytes and maps it; the parts that are needed at once are
/// reserved, and without the end of the last of them it cannot be.
///
/// # Errors
/// When there is such a file, or no room for what is needed at once.
pub(crate) fn map_new(
    path: &Path,
    at_once: [Range<usize>; 2],
    size: usize,
) -> io::Result<(NonNull<u8>, usize)> {
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
        .into_iter()
        .try_for_each(|part| reserve(&file, part.start, part.len()))
        .and_then(|()| map_largest(&file, size, least));
    if made.is_err() {
        let _ = std::fs::remove_file(path);
    }
    made
}

/// The same as a number of bytes that can be mapped.
pub(crate) fn largest_file() -> usize {
    usize::try_from(file_size_limit()).map_or(usize::MAX, |limit| limit & !0xfff)
}

/// Returns how large a file may become before the kernel sends SIGXFSZ.
pub fn file_size_limit() -> u64 {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: `limit` is writable; on failure it stays infinite.
    unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) };
    limit.rlim_cur
}

/// Makes `to` a duplicate of `from`, a descriptor that this process was started
/// with for this purpose and that nobody else in it knows, and closes `from`.
pub fn move_descriptor(from: i32, to: i32) -> io::Result<()> {
    // SAFETY: plain system calls; what is no descriptor is an error, and nobody owns `from`.
    unsafe {
        if libc::dup2(from, to) < 0 || libc::close(from) < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Runs `work` with SIGXFSZ kept from this thread, so that a file that grows
/// beyond the limit is an error of ours and not the program's death.
pub fn without_size_signal<T>(work: impl FnOnce() -> T) -> T {
    // SAFETY: zeroed sets are valid storage, which the calls then fill; only this thread's mask
    // changes, and a signal that was raised meanwhile is taken away before the old mask returns,
    // unless the program had one waiting itself.
    unsafe {
        let mut only: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        let mut waiting: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut only);
        libc::sigaddset(&mut only, libc::SIGXFSZ);
        libc::pthread_sigmask(libc::SIG_BLOCK, &only, &mut before);
        libc::sigpending(&mut waiting);
        let result = work();
        if libc::sigismember(&waiting, libc::SIGXFSZ) == 1 {
            libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
            return result;
        }
        let at_once = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        while libc::sigtimedwait(&only, std::ptr::null_mut(), &at_once) == libc::SIGXFSZ {}
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        result
    }
}

/// Maps a new file, shared and not inherited by children.
pub fn map(file: &File, size: usize) -> io::Result<NonNull<u8>> {
    // SAFETY: a fresh mapping of a file of this size; nothing else is at the address the kernel picks.
    let address = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            size,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED,
            file.as_raw_fd(),
            0,
        )
    };
    if address == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // A forked child must not write into its parent's records.
    // SAFETY: the range was just mapped.
    let code = unsafe { libc::madvise(address, size, libc::MADV_DONTFORK) };
    if code != 0 {
        return Err(io::Error::last_os_error());
    }
    NonNull::new(address.cast()).ok_or_else(|| io::Error::other("mmap returned null"))
}

/// Maps a file that others may be writing, to read it.
pub(crate) fn map_to_read(file: &File, size: usize) -> io::Result<NonNull<u8>> {
    // SAFETY: a fresh mapping of a file of this size; nothing else is at the address the kernel picks.
    let address = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            size,
            libc::PROT_READ,
            libc::MAP_SHARED,
            file.as_raw_fd(),
            0,
        )
    };
    if address == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    NonNull::new(address.cast()).ok_or_else(|| io::Error::other("mmap returned null"))
}

/// Faults pages in ahead of use; kernels before 5.14 refuse, and the first store does it then.
///
/// # Safety
/// The range must lie in the mapping at `base`, and be reserved.
pub(crate) unsafe fn populate(base: NonNull<u8>, at: usize, bytes: usize) {
    // SAFETY: the range lies in the mapping and is reserved.
    unsafe {
        let address = base.as_ptr().add(at).cast::<c_void>();
        libc::madvise(address, bytes, libc::MADV_POPULATE_WRITE);
    }
}

/// Returns the free and the total bytes of the file system that holds `path`.
///
/// # Errors
/// When the system does not say.
pub fn space(path: &Path) -> io::Result<(u64, u64)> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: `statvfs` is plain data, filled by the call.
    let mut stat: libc::statvfs = unsafe { std::mem::zeroed() };
    // SAFETY: the path ends with NUL and `stat` is writable.
    match unsafe { libc::statvfs(path.as_ptr(), &mut stat) } {
        0 => Ok((stat.f_bavail * stat.f_frsize, stat.f_blocks * stat.f_frsize)),
        _ => Err(io::Error::last_os_error()),
    }
}
