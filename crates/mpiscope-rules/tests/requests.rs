//! The table of requests against a list of ids.
#![forbid(unsafe_code)]

use mpiscope_rules::requests::{Active, Entry, Kind, Requests};
use mpiscope_run::record::{Message, Wildcard};
use proptest::prelude::*;

const MESSAGE: Message = Message {
    peer: 0,
    comm: 0,
    tag: 0,
    bytes: 0,
    wildcard: Wildcard {
        source: false,
        tag: false,
    },
    signature: 0,
};
const RECV: Kind = Kind::Recv(MESSAGE);

fn persistent(active: bool) -> Kind {
    Kind::PersistentRecv(MESSAGE, Active(active))
}

fn entry(id: u32, kind: Kind) -> Entry {
    Entry {
        id,
        kind,
        comm: 0,
        wildcard: Wildcard::default(),
        cancelled: false,
    }
}

/// The table with and without places before its shards.
fn both() -> [Requests; 2] {
    [false, true].map(Requests::new)
}

#[test]
fn sends_that_share_a_handle_complete_one_by_one() {
    for requests in both() {
        for id in 1..=3 {
            requests.insert(7, entry(id, Kind::Send));
        }
        let taken = requests.take_id(7, 2).unwrap();
        assert_eq!(taken.id, 2);
        requests.put_back(7, taken);
        let mut ids: Vec<u32> = std::iter::from_fn(|| requests.take(7))
            .map(|e| e.id)
            .collect();
        ids.sort_unstable();
        assert_eq!(ids, [1, 2, 3]);
    }
}

#[test]
fn a_place_holds_what_it_was_given() {
    let requests = Requests::new(false);
    let posted = Message {
        peer: u32::MAX - 1,
        comm: 9,
        tag: 77,
        bytes: (1 << 40) + 3,
        wildcard: Wildcard {
            source: true,
            tag: false,
        },
        signature: 513,
    };
    let entry = Entry {
        comm: posted.comm,
        wildcard: posted.wildcard,
        ..entry(5, Kind::Recv(posted))
    };
    requests.insert(7, entry);
    assert!(requests.direct().unwrap().holds(7));
    let taken = requests.free(7).unwrap();
    assert_eq!((taken.id, taken.kind, taken.comm), (5, entry.kind, 9));
    assert!(!requests.direct().unwrap().holds(7));
}

/// What a program may do with the requests of a handle.
#[derive(Clone, Copy, Debug)]
enum Step {
    Insert(Kind),
    Take,
    TakeNoted,
    PutBack,
    Cancel,
    Free,
}

fn step() -> impl Strategy<Value = Step> {
    let kinds = vec![Kind::Send, Kind::Send, RECV, Kind::Opaque];
    prop_oneof![
        4 => prop::sample::select(kinds).prop_map(Step::Insert),
        2 => Just(Step::Take),
        1 => Just(Step::TakeNoted),
        1 => Just(Step::PutBack),
        1 => Just(Step::Cancel),
        1 => Just(Step::Free),
    ]
}

/// Does a step with the requests of a handle, which are these; returns the one that came out.
fn take(requests: &Requests, handle: usize, step: Step, there: &[u32]) -> Option<Entry> {
    match step {
        Step::Take => requests.take(handle),
        Step::TakeNoted => requests.take_id(handle, there.first().copied().unwrap_or(3)),
        Step::Free => requests.free(handle),
        Step::Insert(_) | Step::PutBack | Step::Cancel => None,
    }
}

proptest! {
    /// No request is lost and none comes twice, wherever it lies: against a list of ids.
    #[test]
    fn all_that_enters_comes_out(steps in prop::collection::vec((0..3usize, step()), 1..300)) {
        for requests in both() {
            let mut all = vec![(Vec::new(), None); 3];
            for (number, &(which, step)) in (1..).zip(&steps) {
                let handle = 7 + which;
                let (there, last): &mut (Vec<u32>, Option<Entry>) = &mut all[which];
                let before = there.len();
                let came = take(&requests, handle, step, there);
                match step {
                    Step::Insert(kind) => {
                        let id = if kind == Kind::Opaque { 0 } else { number };
                        requests.insert(handle, entry(id, kind));
                        there.push(id);
                    }
                    Step::PutBack => if let Some(entry) = last.take() {
                        requests.put_back(handle, entry);
                        there.push(entry.id);
                    },
                    Step::Cancel => {
                        let changed = requests.change(handle, |entry| entry.cancelled = true);
                        prop_assert_eq!(changed.is_some(), before > 0);
                    }
                    _ => prop_assert_eq!(came.is_some(), before > 0),
                }
                if let Some(entry) = came {
                    let at = there.iter().position(|&id| id == entry.id);
                    prop_assert!(at.is_some(), "{} of {:?}", entry.id, there);
                    there.swap_remove(at.unwrap_or(0));
                    *last = Some(entry);
                }
                prop_assert_eq!(requests.peek(handle).is_some(), !there.is_empty());
            }
        }
    }
}

#[test]
fn a_handle_given_anew_is_its_new_owners() {
    let requests = Requests::new(true);
    requests.insert(7, entry(1, RECV)); // complete, but its thread has not taken it yet
    requests.insert(7, entry(2, RECV)); // another thread's, who got the handle again
    assert_eq!(requests.take(7).map(|e| e.id), Some(2));
    assert_eq!(requests.take_id(7, 1).map(|e| e.id), Some(1));
    assert!(requests.take(7).is_none());
}

#[test]
fn a_persistent_request_stays_until_it_is_freed() {
    let requests = Requests::new(false);
    requests.insert(7, entry(1, persistent(false)));
    assert!(requests.take(7).is_none(), "not started");
    for id in 2..4 {
        requests.change(7, |e| *e = entry(id, persistent(true)));
        assert_eq!(requests.take(7).map(|e| e.id), Some(id));
        assert!(requests.take(7).is_none(), "complete");
    }
    requests.free(7);
    assert!(requests.change(7, |_| {}).is_none());
}
