//! Virtual time of calls, by what partners have told.

use std::path::Path;

use mpiscope_run::process::{Communicator, Members};

use super::*;

fn stamp(time: u64, intrusion: u64) -> Stamp {
    Stamp {
        time,
        intrusion,
        ..Stamp::default()
    }
}

fn clock() -> VirtualClock {
    let channels = Channels::new(
        Path::new("/nowhere"),
        0,
        Members::new(&[0, 1]),
        Remote::Nothing,
    );
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
    let sent = Open::Send((0, 0));
    (0..channels::MOST as u32 + 10).for_each(|request| channels.open(request, sent));
    assert!(matches!(channels.close(7), Some(Open::Send(_))));
    assert!(channels.close(7).is_none());
    assert!(channels.close(channels::MOST as u32).is_none());
}

/// What two processes of one host know.
fn two(folder: &Path) -> [Channels; 2] {
    let world = Communicator {
        id: 0,
        parent: None,
        name: String::new(),
        identity: 7,
        members: Members::new(&[0, 1]),
        remote: None,
        mark: 0,
        side: None,
        guessed: false,
    };
    [0, 1].map(|rank| {
        let mut channels = Channels::new(folder, rank, Members::new(&[0, 1]), Remote::Nothing);
        channels.define(&world);
        channels
    })
}

#[test]
fn what_comes_before_its_channel_is_known_is_found_however_it_is_asked_for() {
    let folder = Path::new("/dev/shm").join(format!("mpiscope-early-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let [mut one, mut other] = two(&folder);
    let mut told = CallObservations::default();
    let another = other.at((0, 0, 1000)).unwrap();
    // Three messages and three posts of each of 300 tags: three times round the ring.
    for tag in 0..300u32 {
        let at = one.at((0, 1, tag)).unwrap();
        for number in 0..3 {
            let time = 1000 * u64::from(tag) + number;
            let stamp = Stamp {
                number,
                ..stamp(time, 1)
            };
            one.tell(at, What::Message, stamp);
            one.tell(at, What::Post, stamp);
        }
        if tag % 50 == 0 {
            assert_eq!(other.ask(another, What::Message, 0, &mut told), None);
        }
    }
    for tag in (0..300u32).rev() {
        let at = other.at((0, 0, tag)).unwrap();
        for (what, number) in [(What::Message, 1), (What::Post, 2), (What::Message, 2)] {
            let found = other.ask(at, what, number, &mut told).unwrap();
            assert_eq!(found.time, 1000 * u64::from(tag) + number);
        }
        assert_eq!(other.ask(at, What::Message, 2, &mut told), None);
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_sample_has_one_in_sixteen_and_no_period() {
    let all = |step: u64| {
        (0..160_000u64)
            .filter(move |n| Remote::Sample.has(0x1234_5678_9abc, n * step))
            .count()
    };
    for step in [1, 2, 3, 16, 64, 100] {
        assert!(
            (8_000..12_000).contains(&all(step)),
            "{step}: {}",
            all(step)
        );
    }
    assert!(Remote::All.has(1, 5) && !Remote::Nothing.has(1, 0));
}

#[test]
fn a_collective_operation_of_which_nothing_was_noted_is_not_told_apart() {
    let mut clock = clock();
    assert!(is_told_apart(&mut clock));
    clock.begin();
    clock.completes(3);
    assert!(!is_told_apart(&mut clock));
}
