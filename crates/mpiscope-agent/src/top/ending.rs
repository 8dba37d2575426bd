//! The last word of a process that never comes to MPI_Finalize.
//!
//! What a process does to itself it can still tell: MPI_Abort, `exit`, a
//! signal of its own doing (SIGSEGV, SIGABRT …). It writes one line into the
//! run (`mpiscope_run::endings`) and ends as it would have. Signals from
//! outside are left alone: a program may give their handlers a meaning, and
//! whoever sends them knows.
//!
//! Handlers of ours stand only where there was none, or one that reports a
//! crash and ends the process: MPI_Init's, and that of UCX, which MPI libraries
//! are linked with. It gets the signal after us. Any other handler may go on
//! (runtimes use faults for their own ends), and is left alone. In a handler
//! nothing is called but what signal-safety(7) lists.

use std::cell::UnsafeCell;
use std::ffi::{c_char, c_int, c_void, CString};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

use mpiscope_run::endings::{self, Cause};
use mpiscope_run::system::without_size_signal;

use crate::mpi::call::Lang;

/// Signals that a process brings on itself.
const OWN: [c_int; 6] = [
    libc::SIGSEGV,
    libc::SIGABRT,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGSYS,
];

/// What the system did with these signals.
type Dispositions = [MaybeUninit<libc::sigaction>; OWN.len()];

/// Written before the first handler of ours is installed, and only read from then on.
struct Previous(UnsafeCell<Dispositions>);
// SAFETY: see the type; one thread writes, before anybody reads.
unsafe impl Sync for Previous {}

static PREVIOUS: Previous = Previous(UnsafeCell::new([MaybeUninit::uninit(); OWN.len()]));

/// The process that may speak; 0 for none. A forked child is another.
static SPEAKER: AtomicI32 = AtomicI32::new(0);
static FOLDER: AtomicPtr<c_char> = AtomicPtr::new(null_mut());
static FILE: AtomicPtr<c_char> = AtomicPtr::new(null_mut());

extern "C" {
    /// Has glibc call a function at `exit`, with the code (on_exit(3)).
    fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
}

/// Which signals had no handler before MPI_Init that may let the program go on.
pub struct Unhandled([bool; OWN.len()]);

/// Looks at the handlers before MPI installs its own.
pub fn unhandled() -> Unhandled {
    Unhandled(OWN.map(|signal| {
        let handler = disposition(signal).map(|action| action.sa_sigaction);
        handler.is_some_and(|handler| handler == libc::SIG_DFL || is_of_ucx(handler))
    }))
}

/// Returns whether a function is one of UCX's library of services, whose
/// handler prints where the program was and has it die.
fn is_of_ucx(function: usize) -> bool {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: `info` is filled if the call succeeds; the name belongs to a loaded library.
    unsafe {
        if libc::dladdr(function as *const c_void, info.as_mut_ptr()) == 0 {
            return false;
        }
        let path = info.assume_init().dli_fname;
        let name = (!path.is_null()).then(|| std::ffi::CStr::from_ptr(path).to_bytes());
        let name = name.and_then(|path| path.rsplit(|byte| *byte == b'/').next());
        name.is_some_and(|name| name.starts_with(b"libucs."))
    }
}

fn disposition(signal: c_int) -> Option<libc::sigaction> {
    let mut action = MaybeUninit::uninit();
    // SAFETY: `action` is storage for the answer, which is there if the call succeeds.
    unsafe {
        (libc::sigaction(signal, null(), action.as_mut_ptr()) == 0).then(|| action.assume_init())
    }
}

/// From here on this rank leaves a word if it ends.
pub fn watch(run: &Path, rank: u32, unhandled: &Unhandled) {
    let text = |path: &Path| CString::new(path.as_os_str().as_bytes()).ok();
    let paths = (text(&endings::folder(run)), text(&endings::path(run, rank)));
    let (Some(folder), Some(file)) = paths else {
        return;
    };
    // Kept as long as the process: it may end at any time.
    FOLDER.store(folder.into_raw(), Ordering::Release);
    FILE.store(file.into_raw(), Ordering::Release);
    // SAFETY: the function lives as long as the process, as a preloaded library is never unloaded.
    unsafe { on_exit(exits, null_mut()) };
    SPEAKER.store(std::process::id() as i32, Ordering::Release);
    for (index, signal) in OWN.into_iter().enumerate() {
        if unhandled.0[index] {
            stand_before(index, signal);
        }
    }
}

/// Puts our handler before what is there now: nobody's, or MPI's.
fn stand_before(index: usize, signal: c_int) {
    let Some(previous) = disposition(signal) else {
        return;
    };
    // SAFETY: this signal has no handler of ours yet, so nobody reads its place; the array is
    // never referred to as a whole.
    unsafe { (*PREVIOUS.0.get())[index].write(previous) };
    // SAFETY: a zeroed action is valid, with an empty mask; the handler keeps to what is
    // allowed in one.
    unsafe {
        let mut ours: libc::sigaction = std::mem::zeroed();
        ours.sa_sigaction = raised as *const () as usize;
        ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigaction(signal, &ours, null_mut());
    }
}

/// The handler: a word, unless somebody else sent it, then everything as it was. A fault happens
/// again as soon as we return; a signal that was sent is sent again, and so is that of a system
/// call that a filter forbids, which is not made again (seccomp(2)).
extern "C" fn raised(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    // SAFETY: the system's information is valid while the handler runs.
    let info = unsafe { info.as_ref() };
    let was_sent = info.is_none_or(|info| info.si_code <= 0);
    // SAFETY: of a signal that was sent the sender is known; getpid may be called anywhere.
    let is_own = || info.is_some_and(|info| unsafe { info.si_pid() == libc::getpid() });
    if !was_sent || is_own() {
        speak(Cause::Signal(signal));
    }
    let Some(index) = OWN.iter().position(|own| *own == signal) else {
        return;
    };
    // SAFETY: our handler stands for this signal, so its former action was written before.
    unsafe {
        libc::sigaction(signal, (*PREVIOUS.0.get())[index].as_ptr(), null_mut());
        if was_sent || signal == libc::SIGSYS {
            libc::raise(signal);
        }
    }
}

extern "C" fn exits(code: c_int, _: *mut c_void) {
    speak(Cause::Exit(code));
}

/// The program calls MPI_Abort with these arguments.
pub fn aborts(lang: Lang, args: &[usize]) {
    let Some(&code) = args.get(1) else { return };
    let code = match lang {
        Lang::C => code as i32,
        // SAFETY: Fortran passes integers by reference, and the caller's is valid during the call.
        Lang::Fortran => match unsafe { (code as *const i32).as_ref() } {
            Some(code) => *code,
            None => return,
        },
    };
    speak(Cause::Abort(code));
}

/// The program came to MPI_Finalize: there is nothing to tell any more, and
/// what was said too early (by `exit`, whose handlers may finalize) is taken back.
pub fn finalized() {
    if SPEAKER.swap(0, Ordering::AcqRel) == 0 {
        return;
    }
    for (index, signal) in OWN.into_iter().enumerate() {
        let ours = disposition(signal)
            .is_some_and(|action| action.sa_sigaction == raised as *const () as usize);
        if ours {
            // SAFETY: our handler stands, so the former action was written before.
            unsafe { libc::sigaction(signal, (*PREVIOUS.0.get())[index].as_ptr(), null_mut()) };
        }
    }
    // SAFETY: both are paths that end with NUL and live as long as the process.
    unsafe {
        if libc::unlink(FILE.load(Ordering::Acquire)) == 0 {
            libc::rmdir(FOLDER.load(Ordering::Acquire));
        }
    }
}

/// Writes the line, if no other is there. Safe in a handler of signals.
fn speak(cause: Cause) {
    // SAFETY: plain system calls; both paths end with NUL and live as long as the process.
    unsafe {
        if SPEAKER.load(Ordering::Acquire) != libc::getpid() {
            return;
        }
        let errno = *libc::__errno_location();
        let mut line = TextLine::new();
        let now = now();
        line.text(cause.word()).number(cause.number().into());
        line.number(now).end();
        without_size_signal(|| {
            libc::mkdir(FOLDER.load(Ordering::Acquire), 0o777);
            let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC;
            let file = libc::open(FILE.load(Ordering::Acquire), flags, 0o666 as c_int);
            if file >= 0 {
                libc::write(file, line.bytes.as_ptr().cast(), line.length);
                libc::close(file);
            }
        });
        *libc::__errno_location() = errno;
    }
}

/// Nanoseconds since 1970.
fn now() -> i64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is writable.
    unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &mut time) };
    time.tv_sec.saturating_mul(1_000_000_000) + time.tv_nsec
}

/// A line of text that is put together without allocating.
struct TextLine {
    bytes: [u8; 64],
    length: usize,
}

impl TextLine {
    fn new() -> Self {
        Self {
            bytes: [0; 64],
            length: 0,
        }
    }

    fn text(&mut self, text: &str) -> &mut Self {
        text.bytes().for_each(|byte| self.push(byte));
        self
    }

    /// Writes a space and a number.
    fn number(&mut self, number: i64) -> &mut Self {
        self.push(b' ');
        if number < 0 {
            self.push(b'-');
        }
        let mut rest = number.unsigned_abs();
        let mut digits = [0; 20];
        let mut first = digits.len();
        loop {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        digits[first..].iter().for_each(|digit| self.push(*digit));
        self
    }

    fn end(&mut self) {
        self.push(b'\n');
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
            self.length += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_written_without_allocating() {
        let mut line = TextLine::new();
        line.text("abort")
            .number(-2_147_483_648)
            .number(i64::MAX)
            .end();
        let text = std::str::from_utf8(&line.bytes[..line.length]).unwrap();
        assert_eq!(text, "abort -2147483648 9223372036854775807\n");
        line.text("no more than there is room for it");
        assert_eq!(line.length, line.bytes.len());
    }
}
