//! The system calls that files of buffers and the ends of processes need: each checked, each with
//! its trap.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Reserves a range of a file, so that touching it cannot raise SIGBUS; beyond
/// the limit on file sizes it is an error and no signal.
pub fn reserve(file: &File, at: usize, bytes: usize) -> io::Result<()> {
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

/// Gives back the space of a file's first bytes, which read as zeros then; its size stays.
///
/// # Errors
/// When the file system cannot do that.
pub fn free(file: &File, bytes: u64) -> io::Result<()> {
    let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
    let bytes = libc::off_t::try_from(bytes).map_err(|_| io::ErrorKind::InvalidInput)?;
    // SAFETY: a plain system call on an open descriptor.
    match unsafe { libc::fallocate(file.as_raw_fd(), mode, 0, bytes) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Has signals be ignored from here on, also by the program that this process becomes.
pub fn ignore(signals: &[i32]) {
    for &signal in signals {
        // SAFETY: no handler is set, and one that was there is not called again.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
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

/// Asks for as many open files as this process may have at most; returns how many it may then.
pub fn open_files() -> u64 {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is writable, and then read; what is refused stays as it was, which is asked
    // once more.
    unsafe {
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
        limit.rlim_cur = limit.rlim_max;
        libc::setrlimit(libc::RLIMIT_NOFILE, &limit);
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
    }
    limit.rlim_cur
}

/// The same as a number of bytes that can be mapped.
pub(crate) fn largest_file() -> usize {
    usize::try_from(file_size_limit()).map_or(usize::MAX, |limit| limit & !0xfff)
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
