//! Where in the program a call was made: the wrapper's return address.
//!
//! Compiled code offers no sure way to its own return address, so an exported
//! function is a few instructions that note it, in memory of the calling
//! thread, and then jump to the wrapper: registers, stack and unwinding stay
//! as the caller left them. The memory is part of the thread's static block
//! (initial-exec), which a preloaded library always gets; reaching it is one
//! load, not a call. The thread's state hangs there too, as every call asks for it.
//!
//! Where a binding's function calls C's (`mpi_send_f08ts_` of MPICH), the place is that of
//! the binding's caller: it stays in the block while the binding runs, and goes first.

use std::arch::{asm, global_asm};
use std::ffi::c_void;

/// How far behind an exported function the loader's question to it lies ([`fit`](crate::base::fit)).
pub const ASKED: usize = 48;

/// Makes the function to which the program's calls are bound: it notes the
/// return address and jumps to `$to`. [`ASKED`] bytes behind it lies what the
/// loader may call to be told the function's address.
#[cfg(target_arch = "x86_64")]
macro_rules! note_site_and_jump {
    ($to:path) => {
        // r10 and r11 belong to nobody at a function's entry (System V psABI §3.2.1).
        std::arch::naked_asm!(
            "2:",
            "mov r10, [rip + mpiscope_call_site@GOTTPOFF]",
            "mov r11, fs:[r10 + 32]",
            "test r11, r11",
            "cmovz r11, [rsp]",
            "mov fs:[r10], r11",
            "jmp {to}",
            ".org 2b + {distance}, 0xcc",
            "lea rdi, [rip + 2b]",
            "jmp {asked}",
            to = sym $to,
            distance = const $crate::base::site::ASKED,
            asked = sym $crate::base::fit::asked,
        )
    };
}

/// The same: x15 to x17 belong to nobody at a function's entry (AAPCS64 §6.1.1).
#[cfg(target_arch = "aarch64")]
macro_rules! note_site_and_jump {
    ($to:path) => {
        std::arch::naked_asm!(
            "2:",
            "mrs x16, tpidr_el0",
            "adrp x17, :gottprel:mpiscope_call_site",
            "ldr x17, [x17, :gottprel_lo12:mpiscope_call_site]",
            "add x16, x16, x17",
            "ldr x15, [x16, #32]",
            "cmp x15, #0",
            "csel x15, x30, x15, eq",
            "str x15, [x16]",
            "b {to}",
            ".org 2b + {distance}",
            "adr x0, 2b",
            "b {asked}",
            to = sym $to,
            distance = const $crate::base::site::ASKED,
            asked = sym $crate::base::fit::asked,
        )
    };
}

pub(crate) use note_site_and_jump;

/// Makes a function that goes on to `$to` with its own return address as one more argument, behind
/// one, two or four others. The place that an MPI function noted stays noted.
macro_rules! with_return_address {
    ($(#[$about:meta])* $name:ident($($arg:ty),*), one, $to:path) => {
        $crate::base::site::with_return_address!($(#[$about])* $name($($arg),*), "rsi", "x1", $to);
    };
    ($(#[$about:meta])* $name:ident($($arg:ty),*), two, $to:path) => {
        $crate::base::site::with_return_address!($(#[$about])* $name($($arg),*), "rdx", "x2", $to);
    };
    ($(#[$about:meta])* $name:ident($($arg:ty),*), four, $to:path) => {
        $crate::base::site::with_return_address!($(#[$about])* $name($($arg),*), "r8", "x4", $to);
    };
    ($(#[$about:meta])* $name:ident($($arg:ty),*), $rsi:literal, $x1:literal, $to:path) => {
        $(#[$about])*
        #[unsafe(naked)]
        unsafe extern "C-unwind" fn $name($(_: $arg),*) {
            #[cfg(target_arch = "x86_64")]
            std::arch::naked_asm!(concat!("mov ", $rsi, ", [rsp]"), "jmp {to}", to = sym $to);
            #[cfg(target_arch = "aarch64")]
            std::arch::naked_asm!(concat!("mov ", $x1, ", x30"), "b {to}", to = sym $to);
        }
    };
}

pub(crate) use with_return_address;

// The layout of `Block`, zero in every new thread.
global_asm!(
    ".pushsection .tbss,\"awT\",@nobits",
    ".p2align 4",
    ".globl mpiscope_call_site",
    ".hidden mpiscope_call_site",
    ".type mpiscope_call_site, @object",
    ".size mpiscope_call_site, 48",
    "mpiscope_call_site:",
    ".zero 48",
    ".popsection",
);

/// This thread's part of the static block.
#[repr(C)]
struct Block {
    /// Written by the exported functions.
    site: usize,
    /// Whatever `thread` keeps.
    state: *mut c_void,
    /// Whatever `order` keeps.
    order: *mut c_void,
    /// Whatever `monitor` keeps.
    statistics: *mut c_void,
    /// Who called the binding that runs; 0 if none does. Read by the exported functions.
    binding: usize,
    /// For which function of the table it stands.
    bound: u16,
    /// The thread's number in the trace, plus one; 0 if it has none.
    number: u32,
}

#[inline(always)]
fn block() -> *mut Block {
    let block: *mut Block;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: computes an address; the first word of a thread's block is its own address.
    unsafe {
        asm!(
            "mov {block}, [rip + mpiscope_call_site@GOTTPOFF]",
            "add {block}, fs:[0]",
            block = out(reg) block,
            options(nostack, readonly, pure),
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: computes an address.
    unsafe {
        asm!(
            "mrs {base}, tpidr_el0",
            "adrp {block}, :gottprel:mpiscope_call_site",
            "ldr {block}, [{block}, :gottprel_lo12:mpiscope_call_site]",
            "add {block}, {block}, {base}",
            base = out(reg) _,
            block = out(reg) block,
            options(nostack, readonly, pure),
        );
    }
    block
}

/// A word of this thread's block, or its new value.
macro_rules! word {
    ($field:ident) => {
        // SAFETY: the block is this thread's alone, and as old as the thread.
        unsafe { (*block()).$field }
    };
    ($field:ident = $value:expr) => {{
        let value = $value;
        // SAFETY: the block is this thread's alone, as old as the thread, and nobody holds a
        // reference into it.
        unsafe { (*block()).$field = value }
    }};
}

/// Returns the return address of the wrapper that this thread entered last.
/// Asked before the real call is made, that is the wrapper asking.
#[inline(always)]
pub fn noted() -> usize {
    // SAFETY: the block is this thread's alone, and as old as the thread. Volatile,
    // as code that the compiler does not see writes it.
    unsafe { (&raw const (*block()).site).read_volatile() }
}

/// Puts another place in that of the return address.
pub fn set_noted(site: usize) {
    // SAFETY: as above.
    unsafe { (&raw mut (*block()).site).write_volatile(site) }
}

/// While it lives, calls of this thread are made where the one running now was made.
pub struct Binding {
    outer: (usize, u16),
}

impl Binding {
    /// Begins, in the wrapper of a binding's function, before anything else is called.
    #[inline(always)]
    pub fn enter(function: u16) -> Self {
        let site = noted();
        Self {
            outer: bind((site, function)),
        }
    }
}

impl Drop for Binding {
    #[inline(always)]
    fn drop(&mut self) {
        bind(self.outer);
    }
}

/// Sets who called which binding; returns what was set.
#[inline(always)]
fn bind(to: (usize, u16)) -> (usize, u16) {
    let block = block();
    // SAFETY: the block is this thread's alone, and as old as the thread. Volatile, as code that
    // the compiler does not see reads it.
    unsafe {
        let binding = &raw mut (*block).binding;
        let before = (binding.read_volatile(), (*block).bound);
        binding.write_volatile(to.0);
        (*block).bound = to.1;
        before
    }
}

/// No binding runs any more: the program has left it.
pub fn leave_binding() {
    bind((0, 0));
}

/// Returns whether a call is made by the binding of another function.
#[inline]
pub fn is_of_binding(function: u16) -> bool {
    let (binding, bound) = (word!(binding), word!(bound));
    binding != 0 && bound != function
}

/// Returns what this thread keeps in its block, null at first.
#[inline(always)]
pub fn state() -> *mut c_void {
    word!(state)
}

/// Keeps a pointer in this thread's block.
pub fn set_state(state: *mut c_void) {
    word!(state = state);
}

/// Returns the number that this thread has in the trace, if it is traced.
pub fn number() -> Option<u32> {
    word!(number).checked_sub(1)
}

/// Sets that.
pub fn set_number(number: u32) {
    word!(number = number.wrapping_add(1));
}

/// Returns what this thread keeps for `order`, null at first.
#[inline(always)]
pub fn order() -> *mut c_void {
    word!(order)
}

/// Keeps a pointer for `order`.
pub fn set_order(order: *mut c_void) {
    word!(order = order);
}

/// Returns what this thread keeps for `monitor`, null at first.
#[inline(always)]
pub fn statistics() -> *mut c_void {
    word!(statistics)
}

/// Keeps a pointer for `monitor`.
pub fn set_statistics(statistics: *mut c_void) {
    word!(statistics = statistics);
}
