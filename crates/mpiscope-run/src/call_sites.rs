//! Where in the program calls were made: from return addresses to the
//! archive's calling contexts.
//!
//! An address means something in its process alone. The archive knows a place
//! by module, build id and offset, which are the same in all processes. Each
//! place is a CallingContext: its region is the function around the call, its
//! SourceCodeLocation the line, and its properties are what the agent saw. An
//! enter refers to it by the attribute `MPISCOPE::CALL_SITE`.
//!
//! Functions and lines are not known here: who can read debug information
//! writes them into the archive after the run, as [`Site`]s.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use serde::{Deserialize, Serialize};

use otf2::{Definition, Paradigm, RegionFlag, RegionRole, Value, UNDEFINED};

use crate::list::List;
use crate::process::{Interpreted, Module, Process};

/// Property of a calling context: the executable or library.
pub const MODULE: &str = "MPISCOPE::MODULE";
/// Property of a calling context: the module's build id.
pub const BUILD_ID: &str = "MPISCOPE::BUILD_ID";
/// Property of a calling context: where the call returns to, from the module's begin.
pub const OFFSET: &str = "MPISCOPE::OFFSET";

/// What a return address means: the same in all processes that loaded the module.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CodePlace {
    /// The executable or library, as the process knew it; empty for code made at run time.
    pub module: String,
    /// Where the call returns to, from the module's begin.
    pub offset: u64,
    /// Build id of the module in hexadecimal digits; may be empty.
    pub build_id: String,
    /// What an interpreter knows of it: the module is a source file then, and the offset tells its
    /// places apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interpreted: Option<Interpreted>,
}

/// A place as the archive defines it, with as much as is known of its source.
#[derive(Debug, Clone, Copy, Default)]
pub struct Site<'a> {
    /// See [`CodePlace::module`].
    pub module: &'a str,
    /// See [`CodePlace::build_id`].
    pub build_id: &'a str,
    /// See [`CodePlace::offset`].
    pub offset: u64,
    /// The function around the call.
    pub function: Option<&'a str>,
    /// Its source file.
    pub file: Option<&'a str>,
    /// Its line in the source file.
    pub line: Option<u32>,
}

impl<'a> From<&'a CodePlace> for Site<'a> {
    fn from(place: &'a CodePlace) -> Self {
        let interpreted = place.interpreted.as_ref();
        Site {
            module: &place.module,
            build_id: &place.build_id,
            offset: place.offset,
            function: interpreted.map(|it| it.function.as_str()),
            file: interpreted.map(|_| place.module.as_str()),
            line: interpreted.map(|it| it.line),
        }
    }
}

/// A process's addresses with the numbers of their places.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Where its calls return to.
    pub sites: Vec<(u64, u32)>,
    /// Where samples found it.
    pub samples: Vec<(u64, u32)>,
}

/// Returns all places from which any process called or where samples found it, and each process's
/// addresses.
pub(crate) fn unify(processes: &[&Process]) -> (Vec<CodePlace>, Vec<Places>) {
    let places: Vec<Vec<CodePlace>> = (processes.iter())
        .map(|process| {
            let sites = process.sites.iter();
            let called = sites.map(|&site| place(&process.modules, site));
            let functions = process.functions.iter();
            let begins = functions.map(|&address| begin_of(&place(&process.modules, address)));
            called.chain(begins).chain(sampled(process)).collect()
        })
        .collect();
    let all: BTreeSet<&CodePlace> = places.iter().flatten().collect();
    let number: HashMap<&CodePlace, u32> = all.iter().copied().zip(0..).collect();
    let maps = (processes.iter().zip(&places))
        .map(|(process, places)| {
            let numbered = |addresses: &[u64], places: &[CodePlace]| {
                let numbers = places.iter().map(|place| number[place]);
                addresses.iter().copied().zip(numbers).collect()
            };
            let of_samples = process.sites.len() + process.functions.len();
            Places {
                sites: numbered(&process.sites, places),
                samples: numbered(&process.samples, &places[of_samples..]),
            }
        })
        .collect();
    (all.into_iter().cloned().collect(), maps)
}

/// Returns where samples found a process: the instruction that was next is not behind a call.
fn sampled(process: &Process) -> impl Iterator<Item = CodePlace> + '_ {
    let addresses = process.samples.iter();
    addresses.map(|&address| begin_of(&place(&process.modules, address)))
}

/// Returns the place that stands for the function which begins there: calling contexts are
/// looked up by the instruction before theirs, where the call is.
pub fn begin_of(function: &CodePlace) -> CodePlace {
    CodePlace {
        offset: function.offset.wrapping_add(1),
        ..function.clone()
    }
}

/// Returns what an address means; code made at run time has no module.
pub fn place(modules: &[Module], address: u64) -> CodePlace {
    let holds = |module: &&Module| (module.start..module.end).contains(&address);
    let module = modules.iter().find(holds);
    CodePlace {
        module: module.map_or_else(String::new, |module| module.path.clone()),
        build_id: module.map_or_else(String::new, |module| module.build_id.clone()),
        offset: address.wrapping_sub(module.map_or(0, |module| module.bias)),
        interpreted: module.and_then(|module| module.interpreted.clone()),
    }
}

/// Finds the numbers of addresses: calls of a loop come from few places.
pub(crate) struct AddressNumbers {
    numbers: HashMap<u64, u32>,
    latest: (u64, Option<u32>),
}

impl AddressNumbers {
    pub fn new(numbers: &[(u64, u32)]) -> AddressNumbers {
        AddressNumbers {
            numbers: numbers.iter().copied().collect(),
            latest: (0, None),
        }
    }

    #[inline]
    pub fn number(&mut self, address: u64) -> Option<u32> {
        if self.latest.0 != address {
            self.latest = (address, self.numbers.get(&address).copied());
        }
        self.latest.1
    }
}

/// The canonical name of a region that is an instrumented function: where it begins, by which its
/// name is found.
pub fn canonical(module: &str, offset: u64) -> String {
    format!("{module}+{offset:#x}")
}

/// Defines all places, numbered as in `sites`. Their functions become regions
/// from number `regions` on.
pub fn define<'a>(list: &mut List, sites: impl Iterator<Item = Site<'a>>, regions: u32) {
    let sites: Vec<Site> = sites.collect();
    let mut functions: HashMap<String, u32> = HashMap::new();
    let mut lines: HashMap<(&str, u32), u32> = HashMap::new();
    for site in &sites {
        let next = regions + functions.len() as u32;
        functions.entry(function(site)).or_insert_with_key(|name| {
            region(list, next, name);
            next
        });
        if let Some(file) = site.file {
            let next = lines.len() as u32;
            let line_number = site.line.unwrap_or(0);
            lines.entry((file, line_number)).or_insert_with(|| {
                let file = list.string(file);
                list.definitions.push(Definition::SourceCodeLocation {
                    id: next,
                    file,
                    line_number,
                });
                next
            });
        }
    }
    for (id, site) in (0..).zip(&sites) {
        let line = site.file.map(|file| lines[&(file, site.line.unwrap_or(0))]);
        list.definitions.push(Definition::CallingContext {
            id,
            region: functions[&function(site)],
            source_code_location: line.unwrap_or(UNDEFINED),
            parent: UNDEFINED,
        });
        properties(list, id, site);
    }
}

/// The name of the function around a call; of one not known its place.
fn function(site: &Site) -> String {
    site.function.map_or_else(|| nameless(site), str::to_owned)
}

/// The name that stands for a function whose name is not known.
pub fn nameless(site: &Site) -> String {
    let file = Path::new(site.module).file_name().unwrap_or_default();
    format!("{}+{:#x}", file.to_string_lossy(), site.offset)
}

fn region(list: &mut List, id: u32, name: &str) {
    let (name, none) = (list.string(name), list.string(""));
    list.definitions.push(Definition::Region {
        id,
        name,
        description: none,
        source_file: none,
        begin_line_number: 0,
        end_line_number: 0,
        canonical_name: name,
        region_role: RegionRole::FUNCTION,
        paradigm: Paradigm::USER,
        region_flags: RegionFlag::NONE,
    });
}

fn properties(list: &mut List, calling_context: u32, site: &Site) {
    let (module, build_id) = (list.string(site.module), list.string(site.build_id));
    for (name, value) in [
        (MODULE, Value::String(module)),
        (BUILD_ID, Value::String(build_id)),
        (OFFSET, Value::Uint64(site.offset)),
    ] {
        let name = list.string(name);
        list.definitions.push(Definition::CallingContextProperty {
            calling_context,
            name,
            value,
        });
    }
}
