//! The calls that events belong to: the innermost region around each.

use crate::definitions::RegionId;
use crate::events::{EventKind, Events};
use crate::trace::Trace;

/// The innermost region around an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub region: RegionId,
    /// Number of the event that entered it.
    pub enter: u32,
    /// Number of the event that left it, if it was left: not where the
    /// process ended within.
    pub leave: Option<u32>,
}

/// Returns the call around each event of `wanted`, which ascend; an enter or a
/// leave belongs to its own. Leaves without enters, and enters without leaves,
/// occur where recording was off.
pub(super) fn around(events: &Events, wanted: &[u32]) -> Vec<Option<Call>> {
    // Mostly a call is a few events long, and its ends are found from within.
    let mut steps = 64 * wanted.len();
    let near = wanted
        .iter()
        .map(|&index| nearby(events, index, &mut steps));
    let near: Option<Vec<Call>> = near.collect();
    match near {
        Some(calls) => calls.into_iter().map(Some).collect(),
        None => in_one_pass(events, wanted),
    }
}

/// Looks for the call around an event to both sides of it, as long as regions
/// are nested as they should be and `steps` last.
fn nearby(events: &Events, index: u32, steps: &mut usize) -> Option<Call> {
    let (kinds, args) = (events.kinds(), events.args());
    let mut inner: Vec<u32> = Vec::new();
    let mut enter = index as usize;
    if kinds[enter] != EventKind::Enter {
        loop {
            enter = enter.checked_sub(1)?;
            *steps = steps.checked_sub(1)?;
            match kinds[enter] {
                EventKind::Leave => inner.push(args[enter]),
                EventKind::Enter if inner.is_empty() => break,
                EventKind::Enter if inner.pop() != Some(args[enter]) => return None,
                _ => {}
            }
        }
    }
    let mut leave = index as usize;
    if kinds[leave] != EventKind::Leave {
        loop {
            leave += 1;
            *steps = steps.checked_sub(1)?;
            match kinds.get(leave)? {
                EventKind::Enter => inner.push(args[leave]),
                EventKind::Leave if inner.is_empty() => break,
                EventKind::Leave if inner.pop() != Some(args[leave]) => return None,
                _ => {}
            }
        }
    }
    (args[enter] == args[leave]).then_some(Call {
        region: RegionId(args[enter]),
        enter: enter as u32,
        leave: Some(leave as u32).filter(|_| !events.is_cut_short(leave)),
    })
}

/// A region entered and not yet left.
struct Open {
    call: Call,
    /// Rows of the answer that wait for its leave.
    rows: Vec<usize>,
}

/// The same for events that are far from the ends of their calls, and for
/// regions that are not nested.
fn in_one_pass(events: &Events, wanted: &[u32]) -> Vec<Option<Call>> {
    let mut found = vec![None; wanted.len()];
    let mut open: Vec<Open> = Vec::new();
    let mut row = 0;
    for (index, &kind) in events.kinds().iter().enumerate() {
        let index = index as u32;
        let region = RegionId(events.args()[index as usize]);
        if kind == EventKind::Enter {
            let call = Call {
                region,
                enter: index,
                leave: None,
            };
            open.push(Open {
                call,
                rows: Vec::new(),
            });
        }
        while wanted.get(row) == Some(&index) {
            if let Some(innermost) = open.last_mut() {
                innermost.rows.push(row);
            }
            row += 1;
        }
        if kind == EventKind::Leave && open.iter().any(|open| open.call.region == region) {
            while let Some(left) = open.pop() {
                let own = left.call.region == region;
                for row in left.rows {
                    let was_left = own && !events.is_cut_short(index as usize);
                    let leave = was_left.then_some(index);
                    found[row] = Some(Call { leave, ..left.call });
                }
                if own {
                    break;
                }
            }
        }
    }
    for left in open {
        for row in left.rows {
            found[row] = Some(left.call);
        }
    }
    found
}

/// Regions of a trace by what they are called or do.
pub(in crate::matching) struct Chosen(Vec<bool>);

impl Chosen {
    /// Chooses MPI's functions of these names, with the variants for large counts.
    pub fn named(trace: &Trace, names: &[&str]) -> Chosen {
        Chosen::by(trace, |region| {
            let name = region.name.as_str();
            names.contains(&name.strip_suffix("_c").unwrap_or(name))
        })
    }

    pub fn by(trace: &Trace, wanted: impl Fn(&crate::definitions::Region) -> bool) -> Chosen {
        Chosen(trace.definitions.regions.iter().map(wanted).collect())
    }

    pub fn any(&self) -> bool {
        self.0.contains(&true)
    }

    pub fn has(&self, region: RegionId) -> bool {
        self.0.get(region.index()).copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;
    use proptest::prelude::*;

    fn check(picture: &str, wanted: &[u32], expected: &[Option<(u32, Option<u32>)>]) {
        let trace = Trace::parse(picture).unwrap();
        let found = around(&trace.locations[0].events, wanted);
        let found: Vec<_> = (found.iter())
            .map(|call| call.map(|call| (call.enter, call.leave)))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_innermost_region_is_the_call() {
        let picture = "0: 1 2 enter(f) 3 4 enter(g) 5 6 leave(g) 7 8 leave(f) 9";
        let inner = Some((3, Some(5)));
        let outer = Some((1, Some(7)));
        check(
            picture,
            &[0, 1, 2, 3, 4, 5, 6, 8],
            &[None, outer, outer, inner, inner, inner, outer, None],
        );
    }

    proptest! {
        #[test]
        fn looking_nearby_finds_the_same(
            steps in prop::collection::vec((0..3u8, 0..3u32), 0..20),
        ) {
            let mut events = Events::default();
            for (kind, region) in steps {
                match kind {
                    0 => events.push_enter(Timestamp(0), RegionId(region)),
                    1 => events.push_leave(Timestamp(0), RegionId(region)),
                    _ => events.push_other(Timestamp(0), 0),
                }
            }
            let all: Vec<u32> = (0..events.len() as u32).collect();
            for (index, far) in in_one_pass(&events, &all).into_iter().enumerate() {
                let near = nearby(&events, index as u32, &mut 1000);
                prop_assert!(near.is_none() || near == far, "{near:?}, but {far:?}");
            }
        }
    }

    #[test]
    fn leaves_without_enter_and_enters_without_leave_disturb_nobody() {
        let picture = "0: 1 leave(g) 2 enter(f) 3 enter(h) 4 5 leave(g) 6 leave(f) 7 enter(f) 8";
        check(
            picture,
            &[3, 4, 7],
            &[Some((2, None)), Some((2, None)), Some((6, None))],
        );
    }
}
