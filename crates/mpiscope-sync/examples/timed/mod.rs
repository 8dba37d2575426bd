//! How long something takes.

use std::time::{Duration, Instant};

use rustix::time::{clock_gettime, ClockId};

/// Time that something took: of the processors, and by the clock.
#[derive(Clone, Copy)]
pub struct Spent {
    pub processors: Duration,
    pub clock: Duration,
}

impl std::fmt::Display for Spent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [processors, clock] = [self.processors, self.clock].map(|it| it.as_secs_f64() * 1e3);
        write!(f, "{processors:9.3} ms, {clock:9.3} ms by the clock")
    }
}

/// Returns the least time of several runs, and what was found in the last.
pub fn least<T>(times: usize, mut run: impl FnMut() -> T) -> (Spent, T) {
    let mut once = || {
        let (processors, clock) = (processor_time(), Instant::now());
        let found = run();
        let spent = Spent {
            processors: processor_time() - processors,
            clock: clock.elapsed(),
        };
        (spent, found)
    };
    let (mut least, mut found) = once();
    for _ in 1..times {
        let next = once();
        least.processors = least.processors.min(next.0.processors);
        least.clock = least.clock.min(next.0.clock);
        found = next.1;
    }
    (least, found)
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
