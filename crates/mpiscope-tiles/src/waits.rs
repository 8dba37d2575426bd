//! When a location waited: the wait states of its calls, in eight bytes each.

use mpiscope_analysis::wait_states::WaitState;
use rustc_hash::FxHashMap;

/// How long each call of a location waited, from its begin on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waits {
    /// The events that began the calls, ascending.
    pub calls: Vec<u32>,
    /// Nanoseconds; `u32::MAX` for those that are longer than that, which are few.
    pub lasted: Vec<u32>,
    pub long: FxHashMap<u32, u64>,
}

impl Waits {
    pub fn new(states: &[WaitState]) -> Waits {
        let mut waits = Waits::default();
        for state in states {
            let lasted = state.duration().0.max(0) as u64;
            waits.calls.push(state.call.index);
            waits.lasted.push(u32::try_from(lasted).unwrap_or(u32::MAX));
            if lasted >= u64::from(u32::MAX) {
                waits.long.insert(state.call.index, lasted);
            }
        }
        waits
    }

    pub fn bytes(&self) -> usize {
        8 * self.calls.len() + 16 * self.long.len()
    }

    /// Returns how many calls that waited began before an event.
    pub fn before(&self, event: u32) -> usize {
        self.calls.partition_point(|call| *call < event)
    }

    /// Returns a call that waited, and how long it did.
    pub fn get(&self, number: usize) -> Option<(u32, u64)> {
        let call = *self.calls.get(number)?;
        let lasted = match self.lasted[number] {
            u32::MAX => self.long.get(&call).copied().unwrap_or_default(),
            lasted => u64::from(lasted),
        };
        Some((call, lasted))
    }
}
