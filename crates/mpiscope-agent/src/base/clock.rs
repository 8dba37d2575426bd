//! Reading the clock: two reads a call are nearly all that observation costs.

use std::sync::atomic::{AtomicBool, Ordering};

use mpiscope_run::ticks::{Source, Triple};

static USE_TSC: AtomicBool = AtomicBool::new(false);

/// Decides what the ticks are: the time-stamp counter where the kernel itself
/// trusts it (constant rate, does not stop, chosen as its clock source), else
/// `CLOCK_MONOTONIC`. `MPISCOPE_CLOCK=monotonic` forces the latter, and so does a
/// time namespace with a clock of its own, which the counter knows nothing of.
pub fn choose() -> Source {
    let forced = std::env::var("MPISCOPE_CLOCK").is_ok_and(|v| v == "monotonic");
    let own_clock = forced || namespace_offset() != 0;
    let source = if !own_clock && kernel_uses_tsc() == Some(true) {
        Source::Tsc
    } else {
        Source::Monotonic
    };
    USE_TSC.store(source == Source::Tsc, Ordering::Relaxed);
    source
}

/// Returns how many nanoseconds the time namespace of this process adds to the
/// kernel's `CLOCK_MONOTONIC` (time_namespaces(7)); 0 where there are none.
pub fn namespace_offset() -> i64 {
    let text = std::fs::read_to_string("/proc/self/timens_offsets").unwrap_or_default();
    monotonic_offset(&text).unwrap_or(0)
}

/// Reads the seconds and nanoseconds in the line of `CLOCK_MONOTONIC`.
fn monotonic_offset(text: &str) -> Option<i64> {
    let mut lines = text.lines().map(str::split_whitespace);
    // Kernels before 5.6.15 have the clock's number in place of its name.
    let mut line = lines.find(|line| matches!(line.clone().next(), Some("monotonic" | "1")))?;
    let seconds: i64 = line.nth(1)?.parse().ok()?;
    let nanoseconds: i64 = line.next()?.parse().ok()?;
    seconds.checked_mul(1_000_000_000)?.checked_add(nanoseconds)
}

/// Returns whether the kernel uses the time-stamp counter, if it says so: it
/// abandons one that it finds unstable.
pub fn kernel_uses_tsc() -> Option<bool> {
    const CURRENT: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    if !cfg!(target_arch = "x86_64") {
        return Some(false);
    }
    let chosen = std::fs::read_to_string(CURRENT).ok()?;
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let flags = info.lines().find(|l| l.starts_with("flags")).unwrap_or("");
    let has = |flag| flags.split_whitespace().any(|f| f == flag);
    Some(chosen.trim() == "tsc" && has("constant_tsc") && has("nonstop_tsc"))
}

/// Reads the clock.
#[inline]
pub fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    if USE_TSC.load(Ordering::Relaxed) {
        // SAFETY: rdtsc has no preconditions on x86-64.
        return unsafe { core::arch::x86_64::_rdtsc() };
    }
    nanoseconds(libc::CLOCK_MONOTONIC)
}

/// Reads ticks and the kernel's clocks together: of several tries the one
/// whose two tick readings lie closest, and their middle.
pub fn triple() -> Triple {
    let read = || {
        let before = ticks();
        let monotonic = nanoseconds(libc::CLOCK_MONOTONIC);
        let realtime = nanoseconds(libc::CLOCK_REALTIME);
        let after = ticks();
        let triple = Triple {
            ticks: before + (after.wrapping_sub(before)) / 2,
            monotonic,
            realtime,
        };
        (after.wrapping_sub(before), triple)
    };
    (0..8)
        .map(|_| read())
        .min_by_key(|(width, _)| *width)
        .map_or_else(Triple::default, |t| t.1)
}

fn nanoseconds(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is writable; the clocks exist on every Linux, so the call cannot fail.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_offset_of_a_time_namespace_is_read() {
        let by_name = "monotonic      100005  7\nboottime       3         0\n";
        assert_eq!(monotonic_offset(by_name), Some(100_005_000_000_007));
        assert_eq!(monotonic_offset("7 3 0\n1 -2 500\n"), Some(-1_999_999_500));
        for text in ["", "monotonic", "monotonic x 0", "boottime 3 0"] {
            assert_eq!(monotonic_offset(text), None, "{text}");
        }
    }
}
