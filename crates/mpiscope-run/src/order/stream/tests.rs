use super::*;
use crate::order::{
    next_mark, Cancel, Checkpoint, End, Found, Outcome, ThreadOrder, MESSAGES_PER_MARK,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn taken() -> impl Strategy<Value = Taken> {
    let source = prop_oneof![3 => 0u32..4, 1 => 100u32..200, 1 => 0..u32::MAX];
    let tag = option::of(prop_oneof![0u32..3, 0..u32::MAX]);
    (source, tag).prop_map(|(source, tag)| Taken { source, tag })
}

fn indices() -> impl Strategy<Value = Option<Vec<u32>>> {
    option::of(vec(0u32..300, 0..4))
}

fn index() -> impl Strategy<Value = Option<u32>> {
    option::of(0..u32::MAX - 1)
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let found = prop_oneof![
        Just(Found::Nothing),
        index().prop_map(Found::Index),
        indices().prop_map(Found::Indices),
        taken().prop_map(Found::Message),
    ];
    let misses = prop_oneof![0u64..10, any::<u64>()];
    prop_oneof![
        index().prop_map(Outcome::Index),
        indices().prop_map(Outcome::Indices),
        (misses, found).prop_map(|(misses, found)| Outcome::Success { misses, found }),
    ]
}

fn thread() -> impl Strategy<Value = ThreadOrder> {
    let receives = vec(option::weighted(0.9, taken()), 0..200);
    let checkpoints = vec((any::<u32>(), 0u64..200, 0u64..20), 0..4);
    let marks = vec(any::<u16>(), 0..40);
    let end = option::of((any::<u64>(), any::<u32>()));
    let cancels = proptest::collection::btree_map(any::<u64>(), any::<bool>(), 0..4);
    (
        receives,
        vec(outcome(), 0..20),
        checkpoints,
        marks,
        end,
        cancels,
    )
        .prop_map(
            |(mut receives, outcomes, checkpoints, marks, end, cancels)| {
                while receives.last() == Some(&None) {
                    receives.pop();
                }
                ThreadOrder {
                    number: 0,
                    lineage: 0,
                    checkpoints: marks_in(&receives, outcomes.len() as u64, checkpoints),
                    marks,
                    receives,
                    outcomes,
                    cancels: cancels
                        .into_iter()
                        .map(|(receive, succeeded)| Cancel { receive, succeeded })
                        .collect(),
                    cut: end
                        .filter(|end| end.1 % 2 == 0)
                        .map(|(calls, hash)| End { calls, hash }),
                    end: end.map(|(calls, hash)| End { calls, hash }),
                }
            },
        )
}

/// Checkpoints follow the choices, and stand behind one that is known.
fn marks_in(
    receives: &[Option<Taken>],
    outcomes: u64,
    mut marks: Vec<(u32, u64, u64)>,
) -> Vec<Checkpoint> {
    marks.sort_by_key(|mark| mark.1);
    let mut least = 0;
    let mark = |(hash, at, other): (u32, u64, u64)| {
        let mut at = at.min(receives.len() as u64) as usize;
        while at > 0 && receives[at - 1].is_none() {
            at -= 1;
        }
        least = other.min(outcomes).max(least);
        Checkpoint {
            hash,
            receives: at as u64,
            outcomes: least,
        }
    };
    marks.into_iter().map(mark).collect()
}

proptest! {
    #[test]
    fn what_is_written_is_read(thread in thread()) {
        let bytes = encode(&thread);
        prop_assert_eq!(decode(&bytes), Ok((thread, vec![])));
    }

    #[test]
    fn a_stream_cut_short_is_read_or_said_to_be_short(thread in thread(), at in any::<prop::sample::Index>()) {
        let bytes = encode(&thread);
        let short = &bytes[..at.index(bytes.len() + 1)];
        if let Ok((part, _)) = decode(short) {
            let common = part.receives.iter().zip(&thread.receives);
            prop_assert!(common.into_iter().all(|(a, b)| a.is_none() || a == b));
            prop_assert!(thread.outcomes.starts_with(&part.outcomes));
        }
    }

    #[test]
    fn bytes_of_chance_do_not_panic(bytes in vec(any::<u8>(), 0..200)) {
        let _ = decode(&bytes);
    }

    #[test]
    fn receives_known_out_of_order_come_back_in_the_order_of_posting(
        order in Just((0u64..40).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let (mut bytes, mut encoder) = (Vec::new(), Encoder::default());
        for &ordinal in &order {
            let taken = Taken { source: ordinal as u32 % 3, tag: None };
            encoder.receive(&mut bytes, ordinal, taken);
        }
        let sources: Vec<u32> = decode(&bytes).unwrap().0.receives.iter().map(|r| r.unwrap().source).collect();
        prop_assert_eq!(sources, (0..40).map(|k| k % 3).collect::<Vec<_>>());
    }
}

fn receives(taken: impl Iterator<Item = Taken>) -> Vec<u8> {
    let (mut bytes, mut encoder) = (Vec::new(), Encoder::default());
    for (ordinal, taken) in (0..).zip(taken) {
        encoder.receive(&mut bytes, ordinal, taken);
    }
    bytes
}

#[test]
fn a_receive_costs_a_byte_at_most_and_repeated_ones_a_sixty_fourth() {
    let from = |source| Taken { source, tag: None };
    assert_eq!(receives((0..1000).map(|k| from(k % 100))).len(), 1000);
    assert_eq!(receives((0..64_001).map(|_| from(7))).len(), 1 + 1000);
    let tagged = |k: u32| Taken {
        source: k % 2,
        tag: Some(5),
    };
    assert_eq!(receives((0..1000).map(tagged)).len(), 998 + 6);
}

#[test]
fn marks_come_after_each_of_the_first_messages_and_later_never_far_apart() {
    let (mut at, mut count) = (0, 0);
    while at < 1_000_000 {
        let next = next_mark(at);
        let distance = next - at;
        assert!(next <= 128 && distance == 1 || distance * 64 <= next);
        assert!(distance <= MESSAGES_PER_MARK);
        (at, count) = (next, count + 1);
    }
    assert!(count < 1_000_000 / MESSAGES_PER_MARK + 600, "{count}");
}
