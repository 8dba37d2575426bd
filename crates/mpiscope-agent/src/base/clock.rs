//! Reading the clock: two reads a call are nearly all that observation costs.

use std::sync::atomic::{AtomicBool, Ordering};

use mpiscope_run::ticks::{Source, Triple};

static USE_TSC: AtomicBool = AtomicBool::new(false);

/// Decides what the ticks are: the time-stamp counter where the kernel itself
/// trusts it (constant rate, does not stop, chosen as its clock source), else
/// `CLOCK_MONOTONIC`. `MPISCOPE_CLOCK=monotonic` forces the latter.
pub fn choose() -> Source {
    let forced = std::env::var("MPISCOPE_CLOCK").is_ok_and(|v| v == "monotonic");
    let source = if !forced && kernel_uses_tsc() == Some(true) {
        Source::Tsc
    } else {
        Source::Monotonic
    };
    USE_TSC.store(source == Source::Tsc, Ordering::Relaxed);
    source
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
