//! What the process gets of the processors, as the kernel counts it.

use std::fs::{self, DirEntry};
use std::sync::OnceLock;
use std::thread;

use mpiscope_run::scheduled::Scheduled;

use super::helper;

/// The delay when MPI_Init ended.
static AT_START: OnceLock<Option<u64>> = OnceLock::new();

/// MPI_Init ends: what was before does not count.
pub fn begin() {
    AT_START.get_or_init(delay);
}

/// Returns what the process got since then; nothing where the kernel does not say.
pub fn since_begin() -> Option<Scheduled> {
    let before = (*AT_START.get()?)?;
    Some(Scheduled {
        delay: delay()?.saturating_sub(before),
        processors: thread::available_parallelism().ok()?.get() as u32,
    })
}

/// Returns how long the threads of the process were ready to run and had no processor; our own helper
/// is in nobody's way.
fn delay() -> Option<u64> {
    let threads = fs::read_dir("/proc/self/task").ok()?;
    let mut ran = 0;
    let mut waited: u64 = 0;
    let helper = helper::id().map(|id| id.to_string());
    let is_helper =
        |thread: &DirEntry| helper.as_ref().is_some_and(|id| thread.file_name() == **id);
    for thread in threads.flatten().filter(|thread| !is_helper(thread)) {
        // One that has ended meanwhile.
        let Ok(text) = fs::read_to_string(thread.path().join("schedstat")) else {
            continue;
        };
        let [on_processor, ready] = times(&text)?;
        ran |= on_processor;
        waited = waited.saturating_add(ready);
    }
    // A kernel that does not count says 0 to all.
    (ran > 0).then_some(waited)
}

/// Reads how long a thread ran, and was ready and did not, in nanoseconds (proc(5), schedstat).
fn times(text: &str) -> Option<[u64; 2]> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse);
    Some([numbers.next()?.ok()?, numbers.next()?.ok()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_times_are_read() {
        assert_eq!(
            times("677940162 339913592 1686\n"),
            Some([677940162, 339913592])
        );
        assert_eq!(times("677940162\n"), None);
        assert_eq!(times("a b c"), None);
    }
}
