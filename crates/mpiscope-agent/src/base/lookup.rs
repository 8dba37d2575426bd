//! Functions of MPI that a program looks up by name: our `dlsym` before the loader's.
//!
//! Julia, Python's ctypes and plug-ins open libmpi themselves and take its
//! functions from that handle, past any preloaded library. They are given ours.
//! And in the global scope, where the loader finds us, `dlsym` has to fail for
//! what the process has no MPI for, with the words of the loader.
//!
//! What the loader makes of a name may depend on who asks (RTLD_NEXT), so the
//! call is never made for the caller: our function decides where to go on, and jumps.

use std::cell::Cell;
use std::ffi::{c_char, c_void, CStr};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use mpi_abi::objects::{self, Object};

use crate::base::fit::{self, elsewhere, is_mpi_name, with_own};

type Dlsym = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;

/// Where `dlsym` goes on, and with which second argument: two registers.
#[repr(C)]
struct Next {
    function: usize,
    name: *const c_char,
}

/// The loader's function of this name, for the whole process.
#[unsafe(naked)]
#[no_mangle]
unsafe extern "C" fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void {
    #[cfg(target_arch = "x86_64")]
    std::arch::naked_asm!(
        "mov rdx, [rsp]",
        "push rdi",
        "sub rsp, 16",
        "call {choose}",
        "add rsp, 16",
        "pop rdi",
        "mov rsi, rdx",
        "jmp rax",
        choose = sym choose,
    );
    #[cfg(target_arch = "aarch64")]
    std::arch::naked_asm!(
        "mov x2, x30",
        "stp x0, x30, [sp, #-16]!",
        "bl {choose}",
        "mov x16, x0",
        "ldp x0, x30, [sp], #16",
        "br x16",
        choose = sym choose,
    );
}

/// Decides what becomes of a question: it goes to the loader, in whose place we answer if
/// the answer is a function of MPI's that we observe. The `caller` is where it was called from.
extern "C" fn choose(handle: *mut c_void, name: *const c_char, caller: usize) -> Next {
    let asked = Next {
        function: real(),
        name,
    };
    if name.is_null() {
        return asked;
    }
    // SAFETY: the caller's name, which ends with NUL.
    let text = unsafe { CStr::from_ptr(name) };
    if !is_mpi_name(text) {
        return asked;
    }
    // SAFETY: the address is that of the loader's dlsym.
    let real: Dlsym = unsafe { std::mem::transmute(asked.function) };
    let other = with_own(|own| match is_global(handle) {
        true if has_scope_of_its_own(own, handle, text, caller) => None,
        true => absent(own, real, handle, text),
        false => observed(own, real, handle, text),
    });
    other.flatten().unwrap_or(asked)
}

/// Returns whether a handle stands for the scope of the program.
fn is_global(handle: *mut c_void) -> bool {
    handle == libc::RTLD_DEFAULT || handle == libc::RTLD_NEXT || handle == program()
}

/// Returns the handle of the program itself.
fn program() -> *mut c_void {
    // SAFETY: loads nothing, and the program is never unloaded.
    unsafe { libc::dlopen(ptr::null(), libc::RTLD_LAZY) }
}

/// Returns whether a name may be in a scope that the caller has besides the global one: a
/// library that was opened RTLD_LOCAL, together with its libmpi.
fn has_scope_of_its_own(own: &Object, handle: *mut c_void, name: &CStr, caller: usize) -> bool {
    let by_program = || objects::find(|first| Some(first.holds(caller))) == Some(true);
    handle != program() && !by_program() && elsewhere(own, name).is_some()
}

/// In the global scope: a name that nobody there has but us becomes one that nobody has at all,
/// of which the loader says the same.
fn absent(own: &Object, real: Dlsym, handle: *mut c_void, name: &CStr) -> Option<Next> {
    own.function(name)?;
    // SAFETY: asks for a name behind us.
    let behind = unsafe { real(libc::RTLD_NEXT, name.as_ptr()) };
    let by_program = || {
        handle != libc::RTLD_NEXT
            && objects::find(|first| Some(first.function(name).is_some())) == Some(true)
    };
    if !behind.is_null() || by_program() {
        return None;
    }
    thread_local!(static UNKNOWN: Cell<Spelt> = const { Cell::new(Spelt([0; 96])) });
    // A thread that ends has no such memory any more, and gets null without the words.
    let unknown = UNKNOWN.try_with(|unknown| {
        unknown.set(Spelt::of(&[name.to_bytes(), b" "]));
        unknown.as_ptr().cast_const().cast()
    });
    unknown.ok().map(|name| Next {
        function: real as usize,
        name,
    })
}

/// By a handle: a function that libmpi has with its twin of the profiling interface is ours.
fn observed(own: &Object, real: Dlsym, handle: *mut c_void, name: &CStr) -> Option<Next> {
    // SAFETY: the caller's own question.
    let found = unsafe { real(handle, name.as_ptr()) } as usize;
    let first = if name.to_bytes()[0] == b'M' {
        b"P"
    } else {
        b"p"
    };
    let twin = Spelt::of(&[first, name.to_bytes()]);
    let is_real = objects::find(|object| {
        object
            .holds(found)
            .then(|| object.base() != own.base() && object.function(twin.text()).is_some())
    });
    // With several libraries there is no telling to which of them a wrapper would pass the call.
    if is_real != Some(true) || libraries(own) != 1 {
        return None;
    }
    Some(Next {
        function: identity as *const () as usize,
        name: fit::entry(own, name)? as *const c_char,
    })
}

/// A name put together without allocating.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Spelt([u8; 96]);

impl Spelt {
    fn of(parts: &[&[u8]]) -> Spelt {
        let mut bytes = [0; 96];
        let text = parts.iter().flat_map(|part| part.iter());
        for (to, from) in bytes[..95].iter_mut().zip(text) {
            *to = *from;
        }
        Spelt(bytes)
    }

    fn text(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.0).unwrap_or_default()
    }
}

/// Returns how many MPI libraries are loaded.
fn libraries(own: &Object) -> usize {
    let mut count = 0;
    objects::find(|object| {
        let other = object.base() != own.base();
        count += usize::from(other && object.function(c"PMPI_Init").is_some());
        None::<()>
    });
    count
}

extern "C" fn identity(_: *mut c_void, answer: *const c_char) -> *const c_char {
    answer
}

/// Returns the address of the loader's function.
fn real() -> usize {
    static REAL: AtomicUsize = AtomicUsize::new(0);
    let known = REAL.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    let found = with_own(|own| elsewhere(own, c"dlsym")).flatten();
    let found = found.unwrap_or(nothing as *const () as usize);
    REAL.store(found, Ordering::Relaxed);
    found
}

/// In a process without a loader's function: no name is known.
extern "C" fn nothing(_: *mut c_void, _: *const c_char) -> *mut c_void {
    ptr::null_mut()
}
