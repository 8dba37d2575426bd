//! `--to parquet` and `--to csv`: a folder of tables, each a file, whose columns are the same in
//! both formats. Ranks are world ranks, times nanoseconds since the first event.

mod collectives;
mod definitions;
mod events;
mod messages;
mod metrics;
mod order;
mod wait_states;

use std::path::Path;

use anyhow::{Context, Result};
use mpiscope_archive::model::{CallSiteId, EventRef, Location, RegionId};

pub use order::Order;
use order::{all, Ordered};

use super::source::{Source, Written};
use crate::packed;
use crate::report::show;
use crate::table::{self, headings, Cell, Column, Heading, Sink, Table};
use crate::traced;
use mpiscope_analysis::described::{self as words, Describer};

/// How tables become files.
pub struct Format {
    ending: &'static str,
    create: Create,
}

/// Makes a file of columns, which says some words of itself where it can.
type Create = fn(&Path, &[Heading], &[(String, String)]) -> Result<Box<dyn Sink>>;

/// Parquet files.
pub const PARQUET: Format = Format {
    ending: "parquet",
    create: table::parquet::create,
};

/// Comma-separated values, which say nothing of themselves.
pub const CSV: Format = Format {
    ending: "csv",
    create: |file, headings, _| table::csv::create(file, headings),
};

/// A table, what a row of it is, and who writes it.
type Writer = (
    &'static str,
    &'static str,
    fn(&Rows, &Folder) -> Result<u64>,
);

const TABLES: [Writer; 9] = [
    ("events", "event", events::write),
    ("messages", "message", messages::write),
    ("collectives", "collective call", collectives::write),
    ("wait_states", "wait state", wait_states::write),
    ("metrics", "metric value", metrics::write),
    ("regions", "region", definitions::regions),
    ("locations", "location", definitions::locations),
    ("communicators", "communicator", definitions::communicators),
    ("call_sites", "call site", definitions::call_sites),
];

/// Writes all tables into a folder, which is made.
pub fn write(source: &Source, format: &Format, order: Order, folder: &Path) -> Result<Written> {
    std::fs::create_dir(folder)?;
    let about = about(source, order);
    let rows = Rows::new(source, order);
    let mut what = Vec::new();
    for (name, row, write) in TABLES {
        let file = folder.join(format!("{name}.{}", format.ending));
        let folder = Folder {
            file: &file,
            format,
            about: &about,
        };
        let count = write(&rows, &folder).with_context(|| format!("{name}.{}", format.ending))?;
        what.push(show::counted(count, row));
    }
    Ok(Written {
        what,
        notes: Vec::new(),
    })
}

/// Returns whether a file has the name of a table.
pub fn is_ours(file: &Path) -> bool {
    let has = |part: Option<&std::ffi::OsStr>, name: &str| part.is_some_and(|it| it == name);
    let ending = [PARQUET.ending, CSV.ending]
        .iter()
        .any(|ending| has(file.extension(), ending));
    ending && TABLES.iter().any(|(name, ..)| has(file.file_stem(), name))
}

/// What a Parquet file says of itself.
fn about(source: &Source, order: Order) -> Vec<(String, String)> {
    let input = source.input;
    let program = input.run.as_ref().map(|run| run.program.clone());
    let about = [
        ("mpiscope.version", mpiscope_run::VERSION.to_owned()),
        (
            "mpiscope.archive",
            packed::given(&input.anchor).display().to_string(),
        ),
        ("mpiscope.program", program.unwrap_or_default()),
        ("mpiscope.clock", traced::clock(input).to_owned()),
        ("mpiscope.origin_ns", source.origin.0.to_string()),
        ("mpiscope.order", order.name().to_owned()),
        ("mpiscope.damage", traced::damage(input).join("\n")),
    ];
    about.map(|(key, value)| (key.to_owned(), value)).into()
}

/// Where a table goes.
struct Folder<'a> {
    file: &'a Path,
    format: &'a Format,
    about: &'a [(String, String)],
}

impl Folder<'_> {
    /// Begins the table.
    fn table<R>(&self, columns: Vec<Column<R>>) -> Result<Table<R>> {
        let sink = (self.format.create)(self.file, &headings(&columns), self.about)?;
        Ok(Table::new(columns, sink))
    }

    /// Writes a table whose rows are known.
    fn write<R>(&self, columns: Vec<Column<R>>, rows: impl Iterator<Item = R>) -> Result<u64> {
        let mut table = self.table(columns)?;
        for row in rows {
            table.add(&row)?;
        }
        table.finish()
    }
}

/// What rows are made of.
struct Rows<'a> {
    source: &'a Source<'a>,
    order: Order,
    /// Call sites as text.
    sites: Vec<String>,
    /// By location.
    describers: Vec<Describer<'a>>,
}

impl<'a> Rows<'a> {
    fn new(source: &'a Source<'a>, order: Order) -> Rows<'a> {
        let sites = source.trace.definitions.call_sites.iter();
        let locations = source.trace.locations.iter();
        let describer = |it| Describer::new(source.trace, it, source.origin);
        Rows {
            source,
            order,
            sites: sites.map(ToString::to_string).collect(),
            describers: locations.map(describer).collect(),
        }
    }

    /// Puts rows in order by the time of an event of theirs.
    fn by_event<R: 'a>(
        &self,
        rows: impl Iterator<Item = R> + 'a,
        event: impl Fn(&R) -> EventRef,
    ) -> Ordered<'a, R> {
        let trace = self.source.trace;
        let at = |row: &R| (trace.time(event(row)), event(row));
        self.order.rows(trace, rows, at)
    }

    fn site(&self, site: Option<CallSiteId>) -> Cell<'_> {
        let text = site.and_then(|site| self.sites.get(site.index()));
        Cell::text(text.map(String::as_str))
    }

    fn region(&self, region: Option<RegionId>) -> Cell<'_> {
        let name = region.and_then(|region| words::region_name(self.source.trace, region));
        Cell::text(name)
    }

    fn location(&self, event: EventRef) -> &'a Location {
        &self.source.trace.locations[event.location.index()]
    }

    fn ns(&self, event: EventRef) -> Cell<'a> {
        Cell::number(self.source.ns(self.source.trace.time(event)))
    }

    /// Returns the region that an event belongs to, and from where that was called.
    fn call(&self, event: EventRef) -> (Option<RegionId>, Option<CallSiteId>) {
        let events = &self.location(event).events;
        let enclosing = self.describers[event.location.index()].enclosing();
        let Some(enter) = enclosing.enter(event.index as usize) else {
            return (None, None);
        };
        let region = match events.event(enter) {
            mpiscope_archive::model::Event::Enter(region) => Some(region),
            _ => None,
        };
        (region, events.call_site(enter))
    }

    fn region_of(&self, event: EventRef) -> Cell<'_> {
        self.region(self.call(event).0)
    }

    fn site_of(&self, event: EventRef) -> Cell<'_> {
        self.site(self.call(event).1)
    }
}
