//! Where in the program a call was made: the wrapper's return address.
//!
//! Compiled code offers no sure way to its own return address, so an exported
//! function is three instructions that note it, in memory of the calling
//! thread, and then jump to the wrapper: registers, stack and unwinding stay
//! as the caller left them. The memory is part of the thread's static block
//! (initial-exec), which a preloaded library always gets; reaching it is one
//! load, not a call.

use std::arch::{asm, global_asm};

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

global_asm!(
    ".pushsection .tbss,\"awT\",@nobits",
    ".p2align 3",
    ".globl mpiscope_call_site",
    ".hidden mpiscope_call_site",
    ".type mpiscope_call_site, @object",
    ".size mpiscope_call_site, 8",
    "mpiscope_call_site:",
    ".zero 8",
    ".popsection",
);

/// Returns the return address of the wrapper that this thread entered last.
/// Asked before the real call is made, that is the wrapper asking.
#[inline(always)]
pub fn noted() -> usize {
    let site: usize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the variable is eight bytes of this thread's static block.
    unsafe {
        asm!(
            "mov {site}, [rip + mpiscope_call_site@GOTTPOFF]",
            "mov {site}, fs:[{site}]",
            site = out(reg) site,
            options(nostack, readonly, preserves_flags),
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        asm!(
            "mrs {base}, tpidr_el0",
            "adrp {site}, :gottprel:mpiscope_call_site",
            "ldr {site}, [{site}, :gottprel_lo12:mpiscope_call_site]",
            "ldr {site}, [{base}, {site}]",
            base = out(reg) _,
            site = out(reg) site,
            options(nostack, readonly, preserves_flags),
        );
    }
    site
}
