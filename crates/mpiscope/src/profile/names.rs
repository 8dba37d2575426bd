//! What rows are called.

use mpiscope_analysis::breakdown::{Key, Used, What};
use mpiscope_analysis::races::CallPlace;
use mpiscope_archive::model::{CallSiteId, Trace};

use crate::call::{base, SourcePlace};

/// Names the rows of a trace.
pub struct Names<'a> {
    pub trace: &'a Trace,
    pub hosts: &'a [String],
}

impl Names<'_> {
    /// Names a row.
    pub fn row(&self, key: &Key) -> String {
        match key {
            Key::Region(what) => self.what(what),
            Key::Path(path) => self.path(path).join(" / "),
            Key::Line(what, site) => self.line(what, *site),
            Key::Location(number) => self.location(*number),
            Key::Rank(rank) => format!("rank {rank}"),
            Key::Host(host) => self.host(*host),
            Key::Communicator(used) => self.communicator(used),
        }
    }

    /// Names all of a path.
    pub fn path(&self, path: &[What]) -> Vec<String> {
        path.iter().map(|what| self.what(what)).collect()
    }

    /// Names what a location does.
    pub fn what(&self, what: &What) -> String {
        match what {
            What::Region(region) => {
                let region = self.trace.definitions.regions.get(region.index());
                let name = region.map(|it| it.name.as_str());
                let name = name.filter(|it| !it.is_empty());
                name.unwrap_or("a region without name").to_owned()
            }
            What::Operation => "a collective operation".to_owned(),
            What::Outside => "(outside of regions)".to_owned(),
            What::Idle => "(idle between two teams)".to_owned(),
            What::Unrecorded => "(not recorded)".to_owned(),
        }
    }

    fn line(&self, what: &What, site: Option<CallSiteId>) -> String {
        let What::Region(region) = *what else {
            return self.what(what);
        };
        if site.is_some() {
            let region = Some(region);
            return SourcePlace::new(self.trace, CallPlace { site, region }).shown();
        }
        let name = self.what(what);
        match self.trace.definitions.regions.get(region.index()) {
            Some(it) if it.begin_line > 0 && !it.source_file.is_empty() => {
                let file = base(&it.source_file);
                format!("{name} ({file}:{})", it.begin_line)
            }
            _ => name,
        }
    }

    fn location(&self, number: u32) -> String {
        let Some(location) = self.trace.locations.get(number as usize) else {
            return format!("location {number}");
        };
        match location.name.as_str() {
            "" => format!("rank {}, thread {}", location.rank.0, location.thread),
            // Most names say the rank.
            name if name.starts_with("Rank ") => name.to_owned(),
            name => format!("rank {}, {name}", location.rank.0),
        }
    }

    /// Names a host.
    pub fn host(&self, host: u32) -> String {
        let name = self.hosts.get(host as usize);
        name.map_or("unknown host", |it| it.as_str()).to_owned()
    }

    fn communicator(&self, used: &Used) -> String {
        match used {
            Used::One(comm) => {
                let comm_known = self.trace.definitions.communicators.get(comm.index());
                match comm_known {
                    Some(it) if !it.name.is_empty() => it.name.clone(),
                    _ => format!("communicator {}", comm.0),
                }
            }
            Used::Several => "(several communicators)".to_owned(),
            Used::Untold => "(calls that tell of none)".to_owned(),
            Used::NoCall => "(outside of MPI)".to_owned(),
        }
    }
}
