//! Where the watchers of memory run, and how soon they get their turn.

/// Returns the processors that this process may run on.
pub(super) fn processors() -> Vec<usize> {
    // SAFETY: a zeroed set is an empty one, which the call fills; it is as large as is said.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set);
        let all = 0..libc::CPU_SETSIZE as usize;
        all.filter(|&number| libc::CPU_ISSET(number, &set))
            .collect()
    }
}

/// Has this thread run on one processor only, if the system lets it.
pub(super) fn stay_on(processor: usize) {
    // SAFETY: a zeroed set is an empty one; numbers come from such a set. It is as large as is said.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(processor, &mut set);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set);
    }
}

/// Asks for short turns on the processor, which come soon (Linux 6.12); other
/// systems let a thread that sleeps much go first anyhow.
pub(super) fn take_short_turns() {
    // SAFETY: zeroed attributes are valid, those of an ordinary thread; the kernel reads as many
    // bytes as `size` says.
    unsafe {
        let mut attributes: libc::sched_attr = std::mem::zeroed();
        attributes.size = size_of::<libc::sched_attr>() as u32;
        attributes.sched_nice = libc::getpriority(libc::PRIO_PROCESS, 0);
        attributes.sched_runtime = 100_000;
        libc::syscall(libc::SYS_sched_setattr, 0, &attributes, 0);
    }
}
