//! What a process got of the processors.
//!
//! Where there are more ranks than processors, or several are bound to one, a rank may be ready to
//! run and stand still: nothing in its trace tells that from work. The kernel does.

use otf2::Value;
use serde::{Deserialize, Serialize};

/// The location group property that says how long threads of a process were ready to run and had no
/// processor, in nanoseconds.
pub const RUN_DELAY: &str = "MPISCOPE::RUN_DELAY_NS";
/// The one that says how many processors it was allowed to run on.
pub const PROCESSORS: &str = "MPISCOPE::PROCESSORS";

/// What a process got of the processors from the end of `MPI_Init` until `MPI_Finalize`, as its
/// kernel says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scheduled {
    /// Nanoseconds that its threads were ready to run and had no processor, added up.
    pub delay: u64,
    /// How many processors it was allowed to run on.
    pub processors: u32,
}

impl Scheduled {
    /// Returns the properties of a location group that say it.
    pub fn properties(self) -> [(&'static str, Value); 2] {
        [
            (RUN_DELAY, Value::Uint64(self.delay)),
            (PROCESSORS, Value::Uint32(self.processors)),
        ]
    }

    /// Takes what one of the properties says; false if it is another one.
    pub fn take(&mut self, name: &str, value: &Value) -> bool {
        match (name, value) {
            (RUN_DELAY, Value::Uint64(delay)) => self.delay = *delay,
            (PROCESSORS, Value::Uint32(processors)) => self.processors = *processors,
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_properties_say_is_read_back() {
        let scheduled = Scheduled {
            delay: 1_500_000_000,
            processors: 2,
        };
        let mut read = Scheduled::default();
        for (name, value) in scheduled.properties() {
            assert!(read.take(name, &value));
        }
        assert_eq!(read, scheduled);
        assert!(!read.take("MPISCOPE::CLOCK_DOMAIN", &Value::Uint32(7)));
        assert!(!read.take(PROCESSORS, &Value::Uint64(7)));
        assert_eq!(read, scheduled);
    }
}
