//! Counters of the calling thread, by `perf_event_open(2)`: one group, read by one call of the system.

use std::fs::File;
use std::io::{Error, Read};
use std::os::fd::{AsRawFd, FromRawFd};

use mpiscope_run::counters::{Counter, MOST};

/// `struct perf_event_attr`, as far as its first version went.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    source: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_type: u32,
    config1: u64,
}

/// `PERF_FORMAT_TOTAL_TIME_ENABLED`, `_RUNNING` and `_GROUP`.
const FORMAT: u64 = 1 | 2 | 8;
/// Flag `disabled`: of the first of a group, for all of them.
const DISABLED: u64 = 1;
/// Flags `exclude_kernel` and `exclude_hv`.
const USER_MODE: u64 = 1 << 5 | 1 << 6;
/// `PERF_FLAG_FD_CLOEXEC`.
const CLOSE_ON_EXEC: libc::c_ulong = 8;
/// Words in front of the values: how many there are, and how long they were asked for and at work.
const HEAD: usize = 3;

/// Counters of one thread, which begin at 0 with [`start`](Group::start); the first leads the others.
#[derive(Default)]
pub struct Group {
    files: Vec<File>,
}

/// What a group has counted.
pub struct Values {
    words: [u64; HEAD + MOST],
}

impl Group {
    /// Adds a counter of the calling thread, in user mode only or in the kernel as well.
    pub fn add(&mut self, counter: Counter, user_mode: bool) -> Result<(), Error> {
        keeping_errno(|| self.open(counter, user_mode))
    }

    fn open(&mut self, counter: Counter, user_mode: bool) -> Result<(), Error> {
        let leader = self.files.first().map_or(-1, AsRawFd::as_raw_fd);
        let mode = if user_mode { USER_MODE } else { 0 };
        let attributes = Attributes {
            source: counter.source,
            size: size_of::<Attributes>() as u32,
            config: counter.config,
            read_format: FORMAT,
            flags: if leader < 0 { mode | DISABLED } else { mode },
            ..Attributes::default()
        };
        // SAFETY: the attributes are as long as they say, and the kernel only reads them.
        let opened = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                &raw const attributes,
                0,  // this thread,
                -1, // wherever it runs
                leader,
                CLOSE_ON_EXEC,
            )
        };
        if opened < 0 {
            return Err(Error::last_os_error());
        }
        // SAFETY: the kernel has just opened it for us.
        self.files.push(unsafe { File::from_raw_fd(opened as i32) });
        Ok(())
    }

    /// Has all of them count from now on. One that is added to a group at work may not count before
    /// the thread is scheduled next, which a busy thread on a free processor is not for long.
    pub fn start(&self) {
        /// `PERF_EVENT_IOC_ENABLE` and `PERF_IOC_FLAG_GROUP`.
        const ENABLE: (libc::c_ulong, libc::c_ulong) = (0x2400, 1);
        let Some(leader) = self.files.first() else {
            return;
        };
        // SAFETY: the kernel takes two numbers.
        keeping_errno(|| unsafe { libc::ioctl(leader.as_raw_fd(), ENABLE.0, ENABLE.1) });
    }

    /// Reads all; nothing if the system does not answer.
    pub fn read(&self) -> Option<Values> {
        let mut words = [0u64; HEAD + MOST];
        let mut bytes = [0u8; size_of::<[u64; HEAD + MOST]>()];
        let expected = (HEAD + self.files.len()) * size_of::<u64>();
        let mut leader = self.files.first()?;
        let got = keeping_errno(|| leader.read(&mut bytes)).ok()?;
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_ne_bytes(*bytes);
        }
        (got == expected).then_some(Values { words })
    }
}

/// The program's functions may be told between a call of the system and a look at `errno`.
fn keeping_errno<T>(work: impl FnOnce() -> T) -> T {
    // SAFETY: it is the calling thread's own.
    let before = unsafe { *libc::__errno_location() };
    let result = work();
    // SAFETY: the same.
    unsafe { *libc::__errno_location() = before };
    result
}

impl Values {
    /// Returns the values of the first counters.
    pub fn first(&self, count: usize) -> &[u64] {
        &self.words[HEAD..HEAD + count.min(MOST)]
    }

    /// Returns the thousandths of the time that the counters were at work, if not all of it.
    pub fn at_work(&self) -> Option<u64> {
        let [_, asked, worked] = self.words.first_chunk::<HEAD>()?;
        let share = u128::from(*worked) * 1000 / u128::from((*asked).max(1));
        (*asked > 0 && share < 999).then_some(share as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_s_own_time_is_counted() {
        let mut group = Group::default();
        let clock = Counter::named("task-clock").unwrap();
        let opened = group.add(clock, true);
        if let Err(error) = opened {
            return crate::missing::inapplicable(&format!("nothing can be counted here: {error}"));
        }
        group.start();
        let now = || group.read().unwrap().first(1)[0];
        let (first, mut last) = (now(), now());
        for _ in 0..1_000_000 {
            last = std::hint::black_box(now());
            if last > first {
                break;
            }
        }
        assert!(last > first);
        assert_eq!(group.read().unwrap().at_work(), None);
    }

    /// By the kernel's own account, whatever the machine does: the second counts as soon as the first.
    #[test]
    fn all_of_a_group_count_from_its_start_on() {
        let mut group = Group::default();
        for name in ["page-faults", "task-clock"] {
            if let Err(error) = group.add(Counter::named(name).unwrap(), true) {
                return crate::missing::inapplicable(&format!(
                    "nothing can be counted here: {error}"
                ));
            }
        }
        group.start();
        let mut number = 1.0f64;
        for _ in 0..1_000_000 {
            number = std::hint::black_box(number * 0.5 + 1.0);
        }
        let values = group.read().unwrap();
        let (asked, clock) = (values.words[1], values.first(2)[1]);
        assert!(2 * clock > asked, "{clock} of {asked} ns");
    }
}
