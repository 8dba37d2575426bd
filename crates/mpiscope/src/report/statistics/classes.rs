//! One of something for each class of messages, under the class's name.

use mpiscope_sync::Class;
use serde::{Deserialize, Serialize};

/// By how near sender and receiver are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Classes<T> {
    /// Threads of a process that read one clock.
    pub same_process: T,
    /// Processes that read one clock.
    pub same_clock: T,
    /// Different clocks of one host.
    pub same_host: T,
    /// Different hosts of one rack.
    pub same_rack: T,
    /// Hosts that share nothing but the machine, or are not known.
    pub far: T,
}

impl<T> From<[T; Class::ALL.len()]> for Classes<T> {
    fn from(all: [T; Class::ALL.len()]) -> Classes<T> {
        let [same_process, same_clock, same_host, same_rack, far] = all;
        Classes {
            same_process,
            same_clock,
            same_host,
            same_rack,
            far,
        }
    }
}

impl<T> Classes<T> {
    /// Returns that of a class.
    pub fn of(&self, class: Class) -> &T {
        match class {
            Class::SameProcess => &self.same_process,
            Class::SameClock => &self.same_clock,
            Class::SameHost => &self.same_host,
            Class::SameRack => &self.same_rack,
            Class::Far => &self.far,
        }
    }
}
