//! Which way a call takes, decided before it is made: one relaxed load.
//!
//! What the process is doing ([`State`]) and which layers are at work
//! ([`Layer`]) change a few times in a run; the way of a call ([`Path`])
//! follows from both, and is found out when one of them changes.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// What the agent is doing in this process.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    /// MPI is not initialised yet: calls pass through.
    Idle,
    /// Within the outermost MPI_Init.
    Starting,
    /// Calls are recorded.
    Recording,
    /// Calls are counted, not recorded (MPI_Pcontrol).
    Paused,
    /// The agent is in trouble: nothing is recorded or counted any more, but
    /// the process takes part in what all ranks do together.
    Failed,
    /// Not any more: finalized or forked.
    Off,
}

/// What may be done with calls, each by a layer of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Layer {
    /// Events are traced.
    Trace = 1,
    /// Statistics are kept.
    Count = 2,
    /// The order is recorded or led.
    Order = 4,
}

/// The way of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Path {
    /// It passes through.
    Off,
    /// First it is seen whether Python makes it, and where; then it goes [`beneath`].
    Python,
    /// It is traced, and nothing else.
    Trace,
    /// It is counted, and nothing else.
    Count,
    /// Its order is recorded or led, and nothing else.
    Order,
    /// It is traced, and its order recorded or led.
    TraceOrder,
    /// Several layers see it, or recording is paused.
    Stack,
}

static STATE: AtomicU8 = AtomicU8::new(State::Idle as u8);
/// The layers at work, one bit each.
static LAYERS: AtomicU8 = AtomicU8::new(0);
/// The way that calls take, or would take if it were not looked where Python makes them.
static BENEATH: AtomicU8 = AtomicU8::new(Path::Off as u8);
/// Whether modules of Python's call MPI.
static PYTHON: AtomicBool = AtomicBool::new(false);
static PATH: AtomicU8 = AtomicU8::new(Path::Off as u8);
/// Whether no call takes a shorter way than the stack, so that both can be compared.
static STACK_ONLY: AtomicBool = AtomicBool::new(false);

/// Returns the way that calls take now.
#[inline(always)]
pub fn now() -> Path {
    of(PATH.load(Ordering::Relaxed))
}

/// Returns the way that calls take which Python makes, once it is known where.
pub fn beneath() -> Path {
    of(BENEATH.load(Ordering::Relaxed))
}

#[inline(always)]
fn of(number: u8) -> Path {
    // The numbers are those of the variants, so this is no more than a comparison.
    match number {
        1 => Path::Python,
        2 => Path::Trace,
        3 => Path::Count,
        4 => Path::Order,
        5 => Path::TraceOrder,
        6 => Path::Stack,
        _ => Path::Off,
    }
}

/// Has it looked where Python makes calls from now on.
pub fn by_python() {
    PYTHON.store(true, Ordering::Release);
    settle();
}

/// Returns whether it is looked where Python makes calls.
pub fn is_by_python() -> bool {
    PYTHON.load(Ordering::Relaxed)
}

/// A layer begins to work, or ends.
pub fn switch(layer: Layer, on: bool) {
    match on {
        true => LAYERS.fetch_or(layer as u8, Ordering::AcqRel),
        false => LAYERS.fetch_and(!(layer as u8), Ordering::AcqRel),
    };
    settle();
}

/// Has all calls go through the stack of layers from now on.
pub fn leave_short_ways() {
    STACK_ONLY.store(true, Ordering::Release);
    settle();
}

/// Returns whether a layer is at work.
#[inline]
pub fn is_at_work(layer: Layer) -> bool {
    LAYERS.load(Ordering::Relaxed) & layer as u8 != 0
}

/// Sets the state.
pub fn set_state(state: State) {
    STATE.store(state as u8, Ordering::Release);
    settle();
}

/// Makes the step from one state to another; of several threads one succeeds.
pub fn advance(from: State, to: State) -> bool {
    let done = STATE
        .compare_exchange(from as u8, to as u8, Ordering::AcqRel, Ordering::Acquire)
        .is_ok();
    settle();
    done
}

/// Returns whether the process is in a state.
#[inline]
pub fn is(state: State) -> bool {
    STATE.load(Ordering::Relaxed) == state as u8
}

/// Returns whether no call has reached us that initialises MPI.
pub fn idle() -> bool {
    is(State::Idle)
}

/// Returns whether calls are recorded.
#[inline]
pub fn recording() -> bool {
    is(State::Recording)
}

/// Returns whether calls are counted, but not recorded.
#[inline]
pub fn paused() -> bool {
    is(State::Paused)
}

/// Returns whether calls are recorded or counted.
pub fn observing() -> bool {
    recording() || paused()
}

/// Finds out which way calls take, after anything has changed.
fn settle() {
    let layers = LAYERS.load(Ordering::Acquire);
    let path = match follows(STATE.load(Ordering::Acquire), layers) {
        Path::Off => Path::Off,
        _ if STACK_ONLY.load(Ordering::Acquire) => Path::Stack,
        path => path,
    };
    BENEATH.store(path as u8, Ordering::Release);
    let path = match path {
        Path::Off => Path::Off,
        _ if PYTHON.load(Ordering::Acquire) => Path::Python,
        path => path,
    };
    PATH.store(path as u8, Ordering::Release);
}

fn follows(state: u8, layers: u8) -> Path {
    const TRACE: u8 = Layer::Trace as u8;
    const COUNT: u8 = Layer::Count as u8;
    const ORDER: u8 = Layer::Order as u8;
    const TRACE_ORDER: u8 = TRACE | ORDER;
    const RECORDING: u8 = State::Recording as u8;
    const PAUSED: u8 = State::Paused as u8;
    const FAILED: u8 = State::Failed as u8;
    let is_ordered = layers & ORDER != 0;
    match (state, layers) {
        (RECORDING, TRACE) => Path::Trace,
        (RECORDING, COUNT) => Path::Count,
        (RECORDING, TRACE_ORDER) => Path::TraceOrder,
        // A process in trouble still does what all ranks do together.
        (RECORDING | PAUSED | FAILED, _) => Path::Stack,
        _ if is_ordered => Path::Order,
        _ => Path::Off,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(state: State, layers: &[Layer]) -> Path {
        let bits = layers.iter().fold(0, |bits, layer| bits | *layer as u8);
        follows(state as u8, bits)
    }

    #[test]
    fn a_layer_that_is_alone_has_a_path_of_its_own() {
        assert_eq!(path(State::Recording, &[Layer::Trace]), Path::Trace);
        assert_eq!(path(State::Recording, &[Layer::Count]), Path::Count);
        let traced = [Layer::Trace, Layer::Order];
        assert_eq!(path(State::Recording, &traced), Path::TraceOrder);
        assert_eq!(path(State::Off, &[Layer::Order]), Path::Order);
        assert_eq!(path(State::Starting, &[Layer::Order]), Path::Order);
    }

    #[test]
    fn a_path_is_kept_as_its_number() {
        for path in [
            Path::Off,
            Path::Python,
            Path::Trace,
            Path::Count,
            Path::Order,
            Path::TraceOrder,
            Path::Stack,
        ] {
            PATH.store(path as u8, Ordering::Relaxed);
            assert_eq!(now(), path);
        }
    }

    #[test]
    fn several_layers_are_a_stack() {
        let counted = [Layer::Trace, Layer::Count];
        assert_eq!(path(State::Recording, &counted), Path::Stack);
        assert_eq!(path(State::Paused, &[Layer::Trace]), Path::Stack);
        assert_eq!(path(State::Failed, &[]), Path::Stack);
    }

    #[test]
    fn what_nobody_looks_at_passes_through() {
        for state in [State::Idle, State::Starting, State::Off] {
            assert_eq!(path(state, &[]), Path::Off);
            assert_eq!(path(state, &[Layer::Trace]), Path::Off);
        }
    }
}
