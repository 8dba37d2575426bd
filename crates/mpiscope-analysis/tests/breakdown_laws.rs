//! Breakdowns against the definitions, walked nanosecond by nanosecond: what is open at each, and
//! whether that was asked for.

use std::collections::BTreeMap;

use mpiscope_analysis::breakdown::{Breakdown, By, Key, Only, Selection, What};
use mpiscope_analysis::is_mpi;
use mpiscope_model::{RegionId, Timestamp, Trace};
use proptest::prelude::*;

const NAMES: [&str; 4] = ["f", "g", "MPI_Wait", "MPI_Init"];

#[derive(Clone, Copy, Debug)]
enum Act {
    Enter(usize),
    Leave(usize),
    On,
    Off,
    Nothing,
}

type Acts = Vec<(i64, Act)>;

fn acts() -> impl Strategy<Value = Acts> {
    let act = prop_oneof![
        6 => (0..NAMES.len()).prop_map(Act::Enter),
        6 => (0..NAMES.len()).prop_map(Act::Leave),
        1 => Just(Act::On),
        1 => Just(Act::Off),
        1 => Just(Act::Nothing),
    ];
    let acts = prop::collection::vec((0..6i64, act), 1..14);
    acts.prop_map(|acts| {
        let mut now = 0;
        let at = |(after, act)| {
            now += after;
            (now, act)
        };
        acts.into_iter().map(at).collect()
    })
}

/// What is asked for.
#[derive(Clone, Debug)]
struct Asked {
    windows: Vec<Option<(i64, i64)>>,
    /// The number of a name.
    within: Option<usize>,
    /// Of each name, then outside.
    only: Option<[bool; 5]>,
}

fn asked(ranks: usize) -> impl Strategy<Value = Asked> {
    let window = prop::option::weighted(
        0.9,
        prop_oneof![
            Just((-100, 1000)),
            (0..40i64, 0..40i64).prop_map(|(begin, length)| (begin, begin + length)),
        ],
    );
    let windows = prop::collection::vec(window, ranks);
    let within = prop::option::weighted(0.3, 0..NAMES.len());
    let only = prop::option::weighted(0.5, any::<[bool; 5]>());
    (windows, within, only).prop_map(|(windows, within, only)| Asked {
        windows,
        within,
        only,
    })
}

fn cases() -> impl Strategy<Value = (Vec<Acts>, Asked)> {
    (1..4usize).prop_flat_map(|ranks| (prop::collection::vec(acts(), ranks), asked(ranks)))
}

fn picture(ranks: &[Acts]) -> String {
    let line = |(rank, acts): (usize, &Acts)| {
        let shown = acts.iter().map(|(time, act)| match act {
            Act::Enter(name) => format!(" {time} enter({})", NAMES[*name]),
            Act::Leave(name) => format!(" {time} leave({})", NAMES[*name]),
            Act::On => format!(" {time} on"),
            Act::Off => format!(" {time} off"),
            Act::Nothing => format!(" {time}"),
        });
        format!("{rank}:{}", shown.collect::<String>())
    };
    let lines: Vec<String> = ranks.iter().enumerate().map(line).collect();
    lines.join("\n")
}

/// What is open after some acts, and whether recording is off.
fn open(acts: &[(i64, Act)]) -> (Vec<usize>, bool) {
    let (mut open, mut is_off) = (Vec::new(), false);
    for (_, act) in acts {
        match act {
            Act::Enter(name) => open.push(*name),
            Act::Leave(name) => {
                if let Some(at) = open.iter().rposition(|it| it == name) {
                    open.truncate(at);
                }
            }
            Act::On => is_off = false,
            Act::Off => is_off = true,
            Act::Nothing => {}
        }
    }
    (open, is_off)
}

impl Asked {
    /// Returns whether time at the end of a path was asked for.
    fn has(&self, path: &[usize], is_off: bool) -> bool {
        let within = self.within.is_none_or(|name| path.contains(&name));
        let call = path.iter().find(|name| NAMES[**name].starts_with("MPI_"));
        let group = call.or(path.last()).copied().unwrap_or(4);
        within && self.only.is_none_or(|only| !is_off && only[group])
    }

    fn selection(&self, trace: &Trace) -> Selection {
        let number = |name: &str| NAMES.iter().position(|it| *it == name);
        let regions = &trace.definitions.regions;
        let window = |it: &Option<(i64, i64)>| it.map(|(a, b)| Timestamp(a)..Timestamp(b));
        Selection {
            windows: self.windows.iter().map(window).collect(),
            within: self.within.map(|name| {
                let found = regions.iter().position(|it| it.name == NAMES[name]);
                found.map(|it| RegionId(it as u32)).into_iter().collect()
            }),
            only: self.only.map(|only| Only {
                regions: regions
                    .iter()
                    .map(|it| number(&it.name).is_some_and(|it| only[it]))
                    .collect(),
                outside: only[4],
                ..Only::default()
            }),
        }
    }
}

/// Visits, inclusive and exclusive time.
type Sums = BTreeMap<String, (u64, i64, i64)>;

/// Names all nodes of a path: its regions, and what is done at its end.
fn nodes(path: &[usize], is_off: bool) -> Vec<(Vec<usize>, bool)> {
    let inner = (1..=path.len()).map(|end| (path[..end].to_vec(), false));
    let last = is_off.then(|| (path.to_vec(), true));
    inner.chain(last).collect()
}

fn region(path: &[usize], is_off: bool) -> String {
    match (path.last(), is_off) {
        (_, true) => "unrecorded".to_owned(),
        (Some(name), _) => NAMES[*name].to_owned(),
        (None, _) => "outside".to_owned(),
    }
}

fn whole(path: &[usize], is_off: bool) -> String {
    let mut names: Vec<&str> = path.iter().map(|name| NAMES[*name]).collect();
    names.extend(is_off.then_some("unrecorded"));
    match names.is_empty() {
        true => "outside".to_owned(),
        false => names.join("/"),
    }
}

/// Walks all time and all visits.
fn walk(ranks: &[Acts], asked: &Asked, name: fn(&[usize], bool) -> String) -> Sums {
    let mut sums = Sums::new();
    for (acts, window) in ranks.iter().zip(&asked.windows) {
        let Some((from, to)) = *window else { continue };
        for now in acts[0].0.max(from)..acts[acts.len() - 1].0.min(to) {
            let past = acts.iter().filter(|(time, _)| *time <= now);
            let (path, is_off) = open(&past.copied().collect::<Vec<_>>());
            if !asked.has(&path, is_off) {
                continue;
            }
            sums.entry(name(&path, is_off)).or_default().2 += 1;
            let selected = nodes(&path, is_off).into_iter();
            let selected = selected.filter(|(path, is_off)| asked.has(path, *is_off));
            let mut names: Vec<String> = selected.map(|(path, off)| name(&path, off)).collect();
            if path.is_empty() && !is_off {
                names.push(name(&path, is_off));
            }
            names.sort();
            names.dedup();
            for name in names {
                sums.entry(name).or_default().1 += 1;
            }
        }
        for (index, (time, act)) in acts.iter().enumerate() {
            let (path, _) = open(&acts[..=index]);
            let is_new = matches!(act, Act::Enter(_)) && (from..to).contains(time);
            if is_new && asked.has(&path, false) {
                sums.entry(name(&path, false)).or_default().0 += 1;
            }
        }
    }
    sums
}

fn told(trace: &Trace, all: &Breakdown, by: &By) -> Sums {
    let name = |what: &What| match what {
        What::Region(region) => trace.definitions.regions[region.index()].name.clone(),
        other => format!("{other:?}").to_lowercase(),
    };
    let rows = all.table(trace, by).into_iter().map(|row| {
        let key = match &row.key {
            Key::Region(what) => name(what),
            Key::Path(path) => path.iter().map(name).collect::<Vec<_>>().join("/"),
            other => format!("{other:?}"),
        };
        (
            key,
            (row.sum.visits, row.sum.inclusive.0, row.sum.exclusive.0),
        )
    });
    rows.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn tables_are_what_is_open_at_each_nanosecond((ranks, asked) in cases()) {
        let trace = Trace::parse(&picture(&ranks)).unwrap();
        prop_assert!(trace.definitions.regions.iter().all(|it| is_mpi(it) == it.name.starts_with("MPI_")));
        let all = Breakdown::of(&trace, &trace.matching(), &asked.selection(&trace));
        prop_assert_eq!(told(&trace, &all, &By::Region), walk(&ranks, &asked, region));
        prop_assert_eq!(told(&trace, &all, &By::CallPath), walk(&ranks, &asked, whole));
    }

    #[test]
    fn all_tables_add_up_to_the_selected_time((ranks, asked) in cases()) {
        let trace = Trace::parse(&picture(&ranks)).unwrap();
        let all = Breakdown::of(&trace, &trace.matching(), &asked.selection(&trace));
        let hosts = (0..ranks.len() as u32).map(|rank| rank / 2).collect();
        for by in [By::Region, By::CallPath, By::Line, By::Location, By::Rank, By::Host(hosts), By::Communicator] {
            let table = all.table(&trace, &by);
            let sum: i64 = table.iter().map(|row| row.sum.exclusive.0).sum();
            prop_assert_eq!(sum, all.selected.0, "{:?}", by);
        }
        if asked.within.is_none() && asked.only.is_none() {
            prop_assert_eq!(all.selected, all.time);
        }
    }
}
