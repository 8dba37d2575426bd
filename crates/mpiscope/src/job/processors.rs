//! The processors that the processes of a job may run on.

use std::fs;
use std::ops::RangeInclusive;

use rustix::thread::{sched_setaffinity, CpuSet};

use crate::launch::environment;

/// Names those that this process may run on, with its host: proc(5).
pub fn own() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let allowed = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    format!(
        "{} {}",
        environment::host(),
        allowed.unwrap_or_default().trim()
    )
}

/// Has this thread, and those that it starts from now on, run on all those that processes of its
/// host [named](own): launchers bind each to some of them, and only this one has something to do.
/// Where that is not allowed, it stays as it is.
pub fn use_all(named: &[Vec<u8>]) {
    let set = of_host(named);
    if set.count() > 0 {
        let _ = sched_setaffinity(None, &set);
    }
}

/// Returns how many threads the processes of this host have, if each has so many: no more than
/// there are processors for.
pub fn threads_of_host(named: &[Vec<u8>], threads: usize) -> usize {
    let processes = on_host(named, &environment::host()).count();
    (processes * threads).min(of_host(named).count() as usize)
}

fn of_host(named: &[Vec<u8>]) -> CpuSet {
    let mut set = CpuSet::new();
    for range in on_host(named, &environment::host()).flat_map(ranges) {
        for number in range.filter(|number| *number < CpuSet::MAX_CPU) {
            set.set(number);
        }
    }
    set
}

/// Returns the lists of those that are on a host.
fn on_host<'n>(named: &'n [Vec<u8>], host: &'n str) -> impl Iterator<Item = &'n str> {
    named.iter().filter_map(move |it| {
        let (of, list) = std::str::from_utf8(it).ok()?.rsplit_once(' ')?;
        (of == host).then_some(list)
    })
}

/// Reads a list as `0-3,8`.
fn ranges(list: &str) -> impl Iterator<Item = RangeInclusive<usize>> + '_ {
    list.split(',').filter_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(first.trim().parse().ok()?..=last.trim().parse().ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::thread::sched_getaffinity;

    fn numbers(list: &str) -> Vec<usize> {
        ranges(list).flatten().collect()
    }

    #[test]
    fn lists_are_read() {
        assert_eq!(numbers("0-3,8"), [0, 1, 2, 3, 8]);
        assert_eq!(numbers("5"), [5]);
        assert!(numbers("").is_empty());
        assert_eq!(numbers("a-2,7"), [7]);
    }

    #[test]
    fn the_threads_of_a_host_have_a_processor_each() {
        let all = own();
        let (host, list) = all.rsplit_once(' ').unwrap();
        let named = |of: &str, list: &str| format!("{of} {list}").into_bytes();
        let processors = numbers(list).len();
        let named = [named(host, list), named(host, list), named("another", list)];
        assert_eq!(threads_of_host(&named[2..], 5), 0);
        assert_eq!(threads_of_host(&named, 1), processors.min(2));
        assert_eq!(threads_of_host(&named, 1 << 20), processors);
    }

    /// A thread of its own, as it stays bound.
    #[test]
    fn a_bound_thread_gets_what_others_of_its_host_have() {
        let all = own();
        let (host, list) = all.rsplit_once(' ').unwrap();
        let (host, processors) = (host.to_owned(), numbers(list));
        let found = std::thread::spawn(move || {
            let named = |of: &str, number: &usize| format!("{of} {number}").into_bytes();
            let count = || sched_getaffinity(None).unwrap().count() as usize;
            use_all(&[named(&host, &processors[0])]);
            let bound = count();
            use_all(&[named("another", &processors[processors.len() - 1])]);
            let still_bound = count();
            use_all(
                &processors
                    .iter()
                    .map(|it| named(&host, it))
                    .collect::<Vec<_>>(),
            );
            (bound, still_bound, count() == processors.len())
        });
        assert_eq!(found.join().unwrap(), (1, 1, true));
    }
}
