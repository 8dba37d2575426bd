//! Which frames a jump leaves: `longjmp` out of a callback that MPI made.
//!
//! A jump says to which stack pointer it goes, in a form that glibc keeps to itself on x86-64:
//! turned, and mixed with a word of the thread's. Nothing is believed of it but what the stack
//! says, too: frame by frame it is gone back from the jump, and a call is left if its frame lies
//! between the jump and where that lands. So a program that goes from one stack of its own to
//! another (coroutines, a signal's stack) leaves no call; where frames have no tables to go by, or
//! on other processors, none is seen to be left.

use std::ffi::{c_int, c_void};

/// Where a jump lands: a stack pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landing(usize);

impl Landing {
    /// Reads a `jmp_buf`.
    ///
    /// # Safety
    /// `setjmp` has filled it, as who jumps there promises.
    #[cfg(all(target_arch = "x86_64", target_env = "gnu"))]
    pub unsafe fn of(buffer: *const usize) -> Option<Self> {
        /// Words in front of the stack pointer: rbx, rbp, r12 to r15.
        const STACK_POINTER: usize = 6;
        let guard: usize;
        // SAFETY: glibc's word behind the stack protector's (`tcbhead_t`).
        unsafe { std::arch::asm!("mov {}, fs:[0x30]", out(reg) guard, options(nostack, readonly)) };
        // SAFETY: the caller's promise; the buffer has eight such words.
        let mixed = unsafe { buffer.add(STACK_POINTER).read() };
        Some(Self(mixed.rotate_right(17) ^ guard))
    }

    /// Knows of no form.
    ///
    /// # Safety
    /// None is needed.
    #[cfg(not(all(target_arch = "x86_64", target_env = "gnu")))]
    pub unsafe fn of(_: *const usize) -> Option<Self> {
        None
    }

    /// Returns whether the frame at an address of the stack is left by a jump from here.
    pub fn leaves(self, place: usize) -> bool {
        let mut walk = Walk::new(place, self.0);
        let state = (&raw mut walk).cast();
        // SAFETY: `frame` takes such a state, which outlives the walk.
        unsafe { _Unwind_Backtrace(frame, state) };
        walk.is_left
    }
}

/// The way back through the frames of a thread.
struct Walk {
    place: usize,
    landing: usize,
    /// Where the frame before ended.
    before: usize,
    has_met: bool,
    is_left: bool,
}

impl Walk {
    fn new(place: usize, landing: usize) -> Self {
        Self {
            place,
            landing,
            before: usize::MAX,
            has_met: false,
            is_left: false,
        }
    }

    /// The next older frame has this stack pointer; returns whether there is more to be known.
    fn goes_on(&mut self, pointer: usize) -> bool {
        // Another stack begins where a younger frame lies above: nothing lies between the two.
        let frame = self.before..pointer;
        self.before = pointer;
        if frame.contains(&self.landing) {
            self.is_left = self.has_met && !frame.contains(&self.place);
            return false;
        }
        self.has_met |= frame.contains(&self.place);
        true
    }
}

const GO_ON: c_int = 0;
const END: c_int = 5;

extern "C-unwind" {
    fn _Unwind_Backtrace(
        each: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        state: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetCFA(frame: *mut c_void) -> usize;
}

extern "C" fn frame(frame: *mut c_void, state: *mut c_void) -> c_int {
    // SAFETY: `leaves` has passed it.
    let walk = unsafe { &mut *state.cast::<Walk>() };
    // SAFETY: the unwinder's frame, which it asks about.
    let pointer = unsafe { _Unwind_GetCFA(frame) };
    match walk.goes_on(pointer) {
        true => GO_ON,
        false => END,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stack pointers from the youngest frame on, a call's place and where a jump lands.
    fn is_left(frames: &[usize], place: usize, landing: usize) -> bool {
        let mut walk = Walk::new(place, landing);
        let _ = frames.iter().all(|&pointer| walk.goes_on(pointer));
        walk.is_left
    }

    #[test]
    fn a_jump_leaves_what_lies_between_it_and_where_it_lands() {
        let frames = [100, 140, 200, 300, 900];
        assert!(is_left(&frames, 210, 300));
        assert!(is_left(&frames, 210, 320));
        assert!(!is_left(&frames, 210, 150), "it lands within the call");
        assert!(
            !is_left(&frames, 210, 250),
            "it lands in the call's own frame"
        );
    }

    #[test]
    fn a_jump_to_another_stack_leaves_nothing() {
        assert!(!is_left(&[100, 140, 200], 150, 5000));
        assert!(
            !is_left(&[100, 140, 200], 5000, 150),
            "the call is on another stack"
        );
    }

    #[test]
    fn a_signal_on_a_stack_of_its_own_leaves_the_call_that_it_interrupted() {
        assert!(is_left(&[5000, 5100, 100, 140, 300], 110, 150));
        assert!(!is_left(&[5000, 5100, 100, 140, 300], 110, 120));
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", target_env = "gnu"))]
    fn this_glibc_keeps_the_stack_pointer_where_it_is_read() {
        extern "C" {
            fn _setjmp(buffer: *mut usize) -> c_int;
        }
        let mut buffer = [0usize; 25];
        let near = super::super::nesting::stack_pointer();
        // SAFETY: nobody jumps there.
        let landing = unsafe {
            _setjmp(buffer.as_mut_ptr());
            Landing::of(buffer.as_ptr())
        };
        let Landing(pointer) = landing.expect("the form is known");
        assert!(pointer.abs_diff(near) < 4096, "{pointer:x} of {near:x}");
    }
}
