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

#[test]
fn a_partner_that_was_late_because_it_was_observed_was_not_waited_for() {
    let mut clock = clock();
    // We were ready at 100; the message was sent at 150, of which 40 were observation.
    clock.told.add(Some(stamp(150, 40)));
    assert_eq!(clock.end(stamp(100, 0), 160), Some((120, Some(10))));
}

#[test]
fn who_was_held_up_himself_would_have_waited() {
    let mut clock = clock();
    // Held up by 60, we came at 160 for a message of 150 that was there.
    clock.told.add(Some(stamp(150, 0)));
    assert_eq!(clock.end(stamp(160, 60), 165), Some((155, Some(50))));
}

#[test]
fn without_intrusion_virtual_time_is_time() {
    for (sent, ready, end) in [(10, 20, 25), (20, 10, 25), (20, 20, 20)] {
        let mut clock = clock();
        clock.told.add(Some(stamp(sent, 0)));
        let (virtual_end, _) = clock.end(stamp(ready, 0), end).unwrap();
        assert_eq!(virtual_end, end);
    }
}

#[test]
fn a_choice_that_was_held_up_took_no_time() {
    let mut clock = clock();
    clock.told.add(Some(stamp(150, 40)));
    clock.held(200);
    assert_eq!(clock.end(stamp(100, 0), 360), Some((120, Some(10))));
    // A poll that was held up, and has no partner.
    clock.begin();
    clock.held(200);
    assert_eq!(clock.end(stamp(400, 10), 610), Some((400, None)));
}

#[test]
fn a_partner_of_which_nothing_is_known_is_not_told_apart() {
    let mut clock = clock();
    clock.told.add(Some(stamp(150, 40)));
    clock.told.add(None);
    assert_eq!(clock.end(stamp(100, 0), 160), None);
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
    clock.told.add(Some(stamp(150, 40)));
    clock.completes(3);
    assert_eq!(clock.end(stamp(100, 0), 160), None);
}
