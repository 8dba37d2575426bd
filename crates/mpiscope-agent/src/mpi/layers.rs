//! The layers that a call goes through, outermost first: composed in MPI_Init, then frozen.
//!
//! A layer is a function around the rest: it may look at the call's arguments, makes the call by
//! [`Next::go`], or not at all, and may look at the results. Frequent functions have shorter ways
//! (`top/observe`), which do the same.

use std::sync::OnceLock;

use super::call::Call;

/// Goes around a call; returns what that returned.
pub type Around = fn(&mut Call, Next) -> usize;

/// The real function: makes the call with these arguments.
pub type Real<'a> = &'a dyn Fn(&mut [usize]) -> usize;

/// What a layer goes around: the layers within it, and the real function.
#[derive(Clone, Copy)]
pub struct Next<'a> {
    layers: &'static [Around],
    real: Real<'a>,
}

static LAYERS: OnceLock<Vec<Around>> = OnceLock::new();

/// Has calls go through these layers from now on.
pub fn freeze(layers: Vec<Around>) {
    let _ = LAYERS.set(layers);
}

impl<'a> Next<'a> {
    /// All layers, then the real function.
    pub fn all(real: Real<'a>) -> Self {
        let layers = LAYERS.get().map_or(&[][..], Vec::as_slice);
        Self { layers, real }
    }

    /// Nothing but the real function.
    pub fn real(real: Real<'a>) -> Self {
        Self { layers: &[], real }
    }

    /// Makes the call.
    pub fn go(self, call: &mut Call) -> usize {
        match self.layers.split_first() {
            Some((layer, layers)) => layer(call, Self { layers, ..self }),
            None => (self.real)(call.args),
        }
    }
}

#[cfg(test)]
mod example;
#[cfg(test)]
mod tests;
