//! In which call each location ended.

use mpiscope_model::{EventKind, EventRef, Events, LocationIndex, RegionId, Trace};

use super::{plain_name, region_name};
use crate::processes::Processes;

/// How a location ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Outside MPI, or nobody knows where.
    Somewhere,
    /// In this call, which never returned.
    Within(EventRef),
    /// It came to MPI_Finalize.
    Finalized,
    /// It never called MPI.
    Elsewhere,
}

/// The ends of all locations.
pub(crate) struct Calls {
    pub ends: Vec<End>,
    /// By process.
    finalized: Vec<bool>,
}

impl Calls {
    pub fn new(trace: &Trace, processes: &Processes) -> Calls {
        let is_mpi: Vec<bool> = (trace.definitions.regions.iter())
            .map(|region| region.name.to_lowercase().starts_with("mpi_"))
            .collect();
        let locations = 0..trace.locations.len() as u32;
        let ends: Vec<End> = locations
            .map(|location| end(trace, LocationIndex(location), &is_mpi))
            .collect();
        let finalized = |locations: &Vec<LocationIndex>| {
            let mut ends = locations.iter().map(|location| ends[location.index()]);
            ends.any(|end| end == End::Finalized)
        };
        Calls {
            finalized: processes.locations.iter().map(finalized).collect(),
            ends,
        }
    }

    /// Returns whether any location ended within a call.
    pub fn is_any_open(&self) -> bool {
        self.open().next().is_some()
    }

    /// Returns the calls within which locations ended.
    pub fn open(&self) -> impl Iterator<Item = EventRef> + '_ {
        self.ends.iter().filter_map(|end| match end {
            End::Within(enter) => Some(*enter),
            _ => None,
        })
    }

    /// Returns whether all processes that called MPI came to MPI_Finalize.
    pub fn is_all_over(&self, processes: &Processes) -> bool {
        let calls = |process: u32| {
            let mut locations = processes.locations[process as usize].iter();
            locations.any(|it| self.ends[it.index()] != End::Elsewhere)
        };
        let mut all = 0..processes.locations.len() as u32;
        all.all(|process| !calls(process) || self.is_over(process))
    }

    /// Returns whether a process came to MPI_Finalize.
    pub fn is_over(&self, process: u32) -> bool {
        self.finalized[process as usize]
    }
}

fn end(trace: &Trace, location: LocationIndex, is_mpi: &[bool]) -> End {
    let events = &trace.locations[location.index()].events;
    if trace.locations[location.index()].truncated.is_some() {
        // What came after its last event that could be read?
        return End::Somewhere;
    }
    let mut left = 0;
    let mut within = None;
    let mut seen = false;
    for index in (0..committed(events)).rev() {
        let region = RegionId(events.args()[index]).index();
        let mpi = is_mpi.get(region) == Some(&true);
        match events.kinds()[index] {
            EventKind::Leave => left += 1,
            EventKind::Enter => {
                let enter = EventRef::new(location, index);
                if mpi && is(region_name(trace, enter), "finalize") {
                    return End::Finalized;
                }
                if mpi && left == 0 {
                    within = Some(enter);
                }
                seen |= mpi;
                // The last call tells, and what is open around it.
                if seen && within.is_none() {
                    return End::Somewhere;
                }
                left = (left - 1i64).max(0);
            }
            _ => {}
        }
        if within.is_some() {
            break;
        }
    }
    match (within, seen) {
        (Some(enter), _) => End::Within(enter),
        (None, true) => End::Somewhere,
        (None, false) => End::Elsewhere,
    }
}

/// Returns how many events were there when the location ended. Who makes an
/// archive of what a killed process left closes what was open, at the time of
/// its last event, and says so; of other archives, a call that had come to
/// nothing else by then never returned.
fn committed(events: &Events) -> usize {
    use EventKind::{Enter, Leave, MpiCollectiveBegin, MpiSend};
    let cut_short = (0..events.len())
        .rev()
        .take_while(|&index| events.is_cut_short(index));
    let cut_short = cut_short.count();
    if cut_short > 0 {
        return events.len() - cut_short;
    }
    let (kinds, times) = (events.kinds(), events.times());
    let mut len = events.len();
    while len > 1 && kinds[len - 1] == Leave && times[len - 1] == times[len - 2] {
        len -= 1;
    }
    match kinds[..len].last() {
        Some(Enter | MpiSend | MpiCollectiveBegin) => len,
        _ => events.len(),
    }
}

/// Returns whether a region is the MPI function of this name, in C or Fortran,
/// without `MPI_` and in lower case.
pub(super) fn is(region: &str, name: &str) -> bool {
    plain_name(region) == name
}
