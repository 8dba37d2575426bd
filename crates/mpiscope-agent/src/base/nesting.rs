//! Whether a thread is in a call, and where on its stack that stands.
//!
//! A program may leave a call that has not returned: its error handler throws, or jumps
//! (`longjmp`). By the place on the stack it is known which call a jump leaves
//! ([`jump`](super::jump)).

/// What a thread is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nesting(usize);

impl Nesting {
    /// In nothing: the next call is observed.
    pub const NOT: Self = Self(0);
    /// In work of ours, which calls nothing of the program's.
    pub const WORK: Self = Self(1);

    /// In a call, which stands at this address of the thread's stack.
    #[inline(always)]
    pub fn at(address: usize) -> Self {
        Self(address)
    }

    /// Returns whether what comes is within something.
    #[inline(always)]
    pub fn is_nested(self) -> bool {
        self != Self::NOT
    }

    /// Returns where the call stands, if it is in one.
    pub fn place(self) -> Option<usize> {
        (self.0 > Self::WORK.0).then_some(self.0)
    }
}

/// Returns where the stack ends of the function in which this is compiled.
#[inline(always)]
pub fn stack_pointer() -> usize {
    let pointer: usize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: copies a register.
    unsafe {
        std::arch::asm!("mov {}, rsp", out(reg) pointer, options(nomem, nostack, preserves_flags));
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: copies a register.
    unsafe {
        std::arch::asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags));
    }
    pointer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_has_a_place_and_work_has_none() {
        assert!(!Nesting::NOT.is_nested());
        assert!(Nesting::WORK.is_nested() && Nesting::WORK.place().is_none());
        assert_eq!(Nesting::at(4096).place(), Some(4096));
    }
}
