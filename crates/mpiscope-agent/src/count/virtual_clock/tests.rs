//! Virtual time of calls, by what partners have told.

use std::path::Path;

use mpiscope_run::process::Members;

use super::*;

fn stamp(time: u64, intrusion: u64) -> Stamp {
    Stamp {
        time,
        intrusion,
        ..Stamp::default()
    }
}

fn clock() -> VirtualClock {
    let channels = Channels::new(Path::new("/nowhere"), 0, Members::new(&[0, 1]), false);
    VirtualClock::new(Box::leak(Box::new(Mutex::new(channels))))
}

/// Whether anything can be told of a call that was ready at 100, beside a partner that is known.
fn is_told_apart(clock: &mut VirtualClock) -> bool {
    clock.told.add(Some(stamp(150, 40)));
    clock.end(stamp(100, 0), 160).is_some()
}

#[test]
fn requests_that_were_freed_take_no_memory_for_ever() {
    let clock = clock();
    let mut channels = clock.channels();
    let sent = Open::Send(((0, 1, 0), 0));
    (0..channels::MOST as u32 + 10).for_each(|request| channels.open(request, sent));
    assert!(matches!(channels.close(7), Some(Open::Send(_))));
    assert!(channels.close(7).is_none());
    assert!(channels.close(channels::MOST as u32).is_none());
}

#[test]
fn a_collective_operation_of_which_nothing_was_noted_is_not_told_apart() {
    let mut clock = clock();
    assert!(is_told_apart(&mut clock));
    clock.begin();
    clock.completes(3);
    assert!(!is_told_apart(&mut clock));
}
