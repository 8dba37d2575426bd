//! A whole small archive drawn from bytes, sent all the way: archive, trace, matching, correction
//! and its check, the corrected archive, every analysis, the order of the run.

mod calls;
mod definitions;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use mpiscope_analysis::described::{origin, Describer};
use mpiscope_analysis::efficiency::IdealNetwork as _;
use mpiscope_analysis::evidence::Evidence;
use mpiscope_analysis::profile::Profile;
use mpiscope_analysis::races::Races;
use mpiscope_analysis::scaling::{scale, Kind, Run};
use mpiscope_analysis::verdict::Verdict;
use mpiscope_analysis::whatif::{Changes, Replay};
use mpiscope_analysis::{critical_path, errors, last_calls, merged, wait_states};
use mpiscope_archive::check::check;
use mpiscope_archive::corrected::write_corrected;
use mpiscope_archive::model::{Duration, LocationIndex, Matching, Trace};
use mpiscope_archive::trace::read_trace;
use mpiscope_archive::{calls as compared, choices, write};
use mpiscope_run::order::stream;
use mpiscope_sync::{Config, PresyncMode};
use otf2::write::Archive;
use otf2::{IdMap, LocalDefinition, MappingType};

use crate::draw::{parts, Draw};
use crate::place::{fresh, options};

/// In an input: behind it stand definitions as they stand in the file, to be added to the others.
const DEFINITIONS: &[u8] = b"MOREDEFS";
/// In an input: behind it stand events of the first location as they stand in the file.
const EVENTS: &[u8] = b"MOREEVTS";

/// The input draws an archive.
pub fn archive(input: &[u8]) {
    let folder = fresh("drawn");
    let anchor = lay(&folder, input);
    if let Err(error) = check(&anchor) {
        drop(error.to_string());
    }
    match read_trace(&anchor) {
        Ok(trace) => through(&anchor, &trace, input.first().copied().unwrap_or(0)),
        Err(error) => drop(error.to_string()),
    }
}

/// Writes the archive; returns its anchor.
fn lay(folder: &Path, input: &[u8]) -> PathBuf {
    let (input, more_events) = cut(input, EVENTS);
    let (input, more_definitions) = cut(input, DEFINITIONS);
    let mut draw = Draw(input);
    draw.byte(); // which corrections there will be
    let world = definitions::World::drawn(&mut draw);
    let archive = Archive::create(folder, "traces", options()).expect("an archive can be made");
    let mut drawn: BTreeMap<u64, calls::Calls> = BTreeMap::new();
    for location in &world.locations {
        drawn.insert(*location, calls::Calls::default());
        let local = local_definitions(&mut draw);
        archive
            .local_definitions(*location, &local)
            .expect("definitions can be written");
    }
    // Locations take turns, so that what an input ends with lies at the end of all.
    while !draw.is_empty() {
        let location = *draw.one(&world.locations);
        if let Some(calls) = drawn.get_mut(&location) {
            calls.step(&world, &mut draw);
        }
    }
    for (location, calls) in &drawn {
        let mut writer = archive.events(*location).expect("events can be written");
        for (time, attributes, event) in &calls.events {
            // What the format has no words for is left out.
            drop(writer.write(*time, attributes, event));
        }
        writer.finish().expect("events can be written");
    }
    let anchor = archive.finish(&world.definitions);
    let anchor = anchor.expect("definitions can be written");
    add(&folder.join("traces.def"), more_definitions);
    let first = world.locations.first().copied().unwrap_or(0);
    add(&folder.join(format!("traces/{first}.evt")), more_events);
    anchor
}

/// Cuts an input in two at a mark.
fn cut<'a>(input: &'a [u8], mark: &[u8]) -> (&'a [u8], &'a [u8]) {
    let parts = parts(input, mark);
    (parts[0], parts.get(1).copied().unwrap_or_default())
}

/// Adds records before the end of a file.
fn add(path: &Path, records: &[u8]) {
    if records.is_empty() {
        return;
    }
    let file = fs::OpenOptions::new().write(true).open(path);
    let file = file.expect("the file is there");
    let length = file.metadata().expect("the file is there").len();
    let bytes = [records, &[2, 1]].concat();
    file.write_all_at(&bytes, length - 2)
        .expect("a file can be written");
}

fn local_definitions(draw: &mut Draw) -> Vec<LocalDefinition> {
    let mut time = 0u64;
    let offsets = (0..draw.below(4)).map(|_| {
        time = time.saturating_add(draw.number());
        LocalDefinition::ClockOffset {
            time,
            offset: draw.number() as i64,
            standard_deviation: f64::from_bits(draw.number()),
        }
    });
    let mut all: Vec<LocalDefinition> = offsets.collect();
    if draw.once_in(16) {
        let ids = (0..draw.below(5)).map(|_| draw.number());
        all.push(LocalDefinition::MappingTable {
            id_map: IdMap::Dense(ids.collect()),
            mapping_type: MappingType(draw.below(16) as u8),
        });
    }
    all
}

/// Sends a trace through all that works on one.
fn through(anchor: &Path, trace: &Trace, chosen: u8) {
    let matching = trace.matching();
    analyse(trace, &matching);
    order_of(trace);
    correct(anchor, trace, &matching, chosen);
    let written = write::write_trace(trace, &fresh("written"), &[]);
    match written {
        Ok(written) => drop(read_trace(&written.anchor).expect("what was written is read")),
        Err(error) => drop(error.to_string()),
    }
}

fn analyse(trace: &Trace, matching: &Matching) {
    Races::find(trace, matching).list();
    Races::find_in_part(trace, matching).count();
    errors::look(trace, matching);
    let profile = Profile::of(trace, matching);
    profile.length();
    Verdict::of(trace, matching, &profile).words(trace);
    wait_states::wait_states(trace, matching);
    critical_path::critical_path(trace);
    last_calls::last_calls(trace);
    let run = Run::of(trace, matching);
    let mut larger = run.clone();
    larger.measures.ranks += 1;
    drop(scale(&[run, larger], Kind::Strong, None));
    replay(trace, matching);
    Evidence::of(trace, matching).lacks_receives();
    let all: Vec<LocationIndex> = (0..trace.locations.len() as u32)
        .map(LocationIndex)
        .collect();
    assert_eq!(merged::merged(trace, &all).count(), trace.event_count());
    for location in &trace.locations {
        let describer = Describer::new(trace, location, origin(trace));
        for index in 0..location.events.len() {
            describer.describe(index);
        }
    }
}

/// What a run would have taken if all was different that can be.
fn replay(trace: &Trace, matching: &Matching) {
    let replay = Replay::of(trace, matching);
    let measured = replay.measured();
    let _ = replay.ideal(measured.begin, measured.end);
    let mut changes = Changes::default();
    changes.scale(&replay, 1.5, |rank, _| rank % 2 == 1);
    changes.balance(&replay, |it| replay.is_computation(it));
    changes.no_wait(&replay, |it| !replay.is_computation(it));
    changes.latency = Some(Duration(1000));
    changes.bandwidth = Some(1e9);
    replay.run(&changes).length();
    if replay.left_out.circles == 0 {
        assert_eq!(replay.run(&Changes::default()), replay.measured());
    }
}

/// What a trace tells of the order of its run.
fn order_of(trace: &Trace) {
    compared::of_trace(trace);
    let record = choices::from_trace(trace);
    for thread in record.ranks.iter().flat_map(|rank| &rank.threads) {
        stream::decode(&stream::encode(thread)).expect("what was written is read");
    }
}

fn correct(anchor: &Path, trace: &Trace, matching: &Matching, chosen: u8) {
    let modes = [
        PresyncMode::default(),
        PresyncMode::Fit,
        PresyncMode::None,
        PresyncMode::Linear,
    ];
    let config = Config {
        presync: modes[usize::from(chosen % 4)],
        ..Config::default()
    };
    match mpiscope_sync::correct_matched(trace, matching, &config) {
        Ok(correction) => {
            mpiscope_sync::check(trace, &correction.corrected, &correction.latencies);
            let out = fresh("corrected");
            match write_corrected(anchor, &out, &correction.corrected, &[]) {
                Ok(written) => drop(read_trace(&written.anchor).expect("it was just written")),
                Err(error) => drop(error.to_string()),
            }
        }
        Err(error) => drop(error.to_string()),
    }
}
