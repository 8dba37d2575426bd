//! What a layer keeps for the calling thread.

use std::ptr::NonNull;

/// The state that a layer keeps for the calling thread; it hangs in the thread's block
/// ([`site`](super::site)), and there is none before the thread's first call.
///
/// Whoever has one is its thread: it is made from what hangs there, and handed on by a thread
/// that ends, if at all. So the state lives, as only its thread's end frees it. One function at a time works on it: the layer
/// takes a reference when a call enters it, lets it rest while the real call runs, and takes
/// another when that has returned. What MPI or a callback calls meanwhile has taken its own,
/// and has ended by then.
pub struct Own<T>(NonNull<T>);

impl<T> Clone for Own<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Own<T> {}

impl<T> Own<T> {
    /// Makes one of what hangs in the thread's block, perhaps nothing.
    ///
    /// # Safety
    /// It is null, or such a state of the calling thread.
    #[inline(always)]
    pub unsafe fn hanging(state: *mut T) -> Option<Self> {
        NonNull::new(state).map(Self)
    }

    /// Makes one of a new state, which is to hang in the calling thread's block.
    pub fn new(state: T) -> Self {
        Self::of_box(Box::new(state))
    }

    /// Makes one of a new state that has its place already.
    pub fn of_box(state: Box<T>) -> Self {
        Self(NonNull::from(Box::leak(state)))
    }

    /// Makes one of the calling thread's state that a call is at work on, to come back to it
    /// when the real call has returned.
    #[inline(always)]
    pub fn of(state: &mut T) -> Self {
        Self(NonNull::from(state))
    }

    /// Returns the state.
    #[inline(always)]
    pub fn get<'a>(self) -> &'a mut T {
        // SAFETY: the type says why it lives, and why nobody else works on it.
        unsafe { &mut *self.0.as_ptr() }
    }

    /// Returns where it lies.
    #[inline(always)]
    pub fn pointer(self) -> *mut T {
        self.0.as_ptr()
    }
}
