//! Where in the program a call was made: the wrapper's return address.
//!
//! Compiled code offers no sure way to its own return address, so an exported
//! function is three instructions that note it, in memory of the calling
//! thread, and then jump to the wrapper: registers, stack and unwinding stay
//! as the caller left them. The memory is part of the thread's static block
//! (initial-exec), which a preloaded library always gets; reaching it is one
//! load, not a call. The thread's state hangs there too, as every call asks for it.

use std::arch::{asm, global_asm};
use std::ffi::c_void;

/// Makes the function to which the program's calls are bound: it notes the
/// return address and jumps to `$to`.
#[cfg(target_arch = "x86_64")]
#[macro_export]
macro_rules! note_site_and_jump {
    ($to:path) => {
        // r10 and r11 belong to nobody at a function's entry (System V psABI §3.2.1).
        std::arch::naked_asm!(
            "mov r10, [rip + mpiscope_call_site@GOTTPOFF]",
            "mov r11, [rsp]",
            "mov fs:[r10], r11",
            "jmp {to}",
            to = sym $to,
        )
    };
}

/// The same: x16 and x17 belong to nobody at a function's entry (AAPCS64 §6.1.1).
#[cfg(target_arch = "aarch64")]
#[macro_export]
macro_rules! note_site_and_jump {
    ($to:path) => {
        std::arch::naked_asm!(
            "mrs x16, tpidr_el0",
            "adrp x17, :gottprel:mpiscope_call_site",
            "ldr x17, [x17, :gottprel_lo12:mpiscope_call_site]",
            "str x30, [x16, x17]",
            "b {to}",
            to = sym $to,
        )
    };
}

// The layout of `Block`, zero in every new thread.
global_asm!(
    ".pushsection .tbss,\"awT\",@nobits",
    ".p2align 4",
    ".globl mpiscope_call_site",
    ".hidden mpiscope_call_site",
    ".type mpiscope_call_site, @object",
    ".size mpiscope_call_site, 32",
    "mpiscope_call_site:",
    ".zero 32",
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

/// Returns the return address of the wrapper that this thread entered last.
/// Asked before the real call is made, that is the wrapper asking.
#[inline(always)]
pub fn noted() -> usize {
    // SAFETY: the block is this thread's alone, and as old as the thread. Volatile,
    // as code that the compiler does not see writes it.
    unsafe { (&raw const (*block()).site).read_volatile() }
}

/// Returns what this thread keeps in its block, null at first.
#[inline(always)]
pub fn state() -> *mut c_void {
    // SAFETY: as above; nobody else touches this word.
    unsafe { (*block()).state }
}

/// Keeps a pointer in this thread's block.
pub fn set_state(state: *mut c_void) {
    // SAFETY: as above.
    unsafe { (*block()).state = state };
}

/// Returns what this thread keeps for `order`, null at first.
#[inline(always)]
pub fn order() -> *mut c_void {
    // SAFETY: as above.
    unsafe { (*block()).order }
}

/// Keeps a pointer for `order`.
pub fn set_order(order: *mut c_void) {
    // SAFETY: as above.
    unsafe { (*block()).order = order };
}

/// Returns what this thread keeps for `monitor`, null at first.
#[inline(always)]
pub fn statistics() -> *mut c_void {
    // SAFETY: as above.
    unsafe { (*block()).statistics }
}

/// Keeps a pointer for `monitor`.
pub fn set_statistics(statistics: *mut c_void) {
    // SAFETY: as above.
    unsafe { (*block()).statistics = statistics };
}
