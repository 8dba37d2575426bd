//! Functions and lines of call sites, from the debug information of the
//! program and its libraries.
//!
//! Read after the run, while the files are those that ran: a module whose
//! build id is another one now is left alone. What has no debug information
//! keeps module and offset.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use addr2line::Loader;
use anyhow::{Context, Result};
use mpiscope_archive::call_sites::{self, CallSite};
use mpiscope_run::call_sites::begin_of;
use mpiscope_run::run_info::RunInfo;

use crate::launch::elf;
use crate::signals;

mod declared;

/// Where distributions keep separate debug information.
const DEBUG: &str = "/usr/lib/debug";

/// Writes into the archive of a run from which functions and lines MPI was called.
pub fn resolve(run: &Path) -> Result<()> {
    let mut modules = Modules::default();
    let name = |site: &mut CallSite| drop(modules.name(site));
    call_sites::resolve_guarded(run, name, |write| signals::hold(write))
        .context("the lines from which MPI was called are not known")?;
    name_left_out(run, &mut modules)
}

/// Names the instrumented functions that are not in the trace, and the places that polled.
fn name_left_out(run: &Path, modules: &mut Modules) -> Result<()> {
    let mut info = RunInfo::read(run)?;
    let left_out = info.left_out.iter_mut().chain(&mut info.filtered);
    for function in left_out.filter(|one| !one.is_named) {
        let begin = begin_of(&function.place);
        let mut site = CallSite {
            module: begin.module,
            build_id: begin.build_id,
            offset: begin.offset,
            ..CallSite::default()
        };
        modules.name(&mut site);
        function.is_named = site.function.is_some();
        function.function = site.function.unwrap_or_else(|| function.function.clone());
    }
    for polled in info.polls.iter_mut().filter(|one| one.at.is_none()) {
        let Some(place) = &polled.place else { continue };
        let mut site = CallSite {
            module: place.module.clone(),
            build_id: place.build_id.clone(),
            offset: place.offset,
            ..CallSite::default()
        };
        modules.name(&mut site);
        site.file = site.file.map(|file| file_name(&file));
        polled.at = Some(site.to_string());
    }
    match info.left_out.is_empty() && info.filtered.is_empty() && info.polls.is_empty() {
        true => Ok(()),
        false => Ok(info.write(run)?),
    }
}

/// Names call sites that nobody has named yet: those of a run whose archive
/// its ranks wrote, without `mpiscope trace` after them. Returns whether any
/// has a name now.
pub fn name_all(sites: &mut [CallSite]) -> bool {
    let mut modules = Modules::default();
    let mut named = false;
    for site in sites.iter_mut().filter(|site| is_nameless(site)) {
        modules.name(site);
        named |= !is_nameless(site);
    }
    named
}

fn is_nameless(site: &CallSite) -> bool {
    site.function.is_none() && site.file.is_none()
}

/// Returns the files that [`name_all`] looks at.
pub fn files_of(sites: &[CallSite]) -> Vec<PathBuf> {
    let nameless = sites.iter().filter(|site| is_nameless(site));
    let modules: BTreeSet<_> = nameless
        .map(|site| (&site.module, &site.build_id))
        .filter(|(module, _)| !module.is_empty())
        .collect();
    let files = modules.into_iter().flat_map(|(module, build_id)| {
        let module = Path::new(module);
        let apart = separate(module, build_id);
        std::iter::once(module.to_owned()).chain(apart)
    });
    files.collect()
}

/// The modules looked at, by path and build id; nothing for those that tell nothing.
#[derive(Default)]
pub struct Modules(HashMap<(String, String), Option<Loader>>);

impl Modules {
    /// Names a call site as far as its module tells; returns the calls around one that
    /// the compiler copied into another function, the innermost first.
    pub fn name(&mut self, site: &mut CallSite) -> Vec<CallSite> {
        let key = (site.module.clone(), site.build_id.clone());
        let module = (self.0.entry(key)).or_insert_with_key(|(path, id)| open(path, id));
        module
            .as_ref()
            .map_or_else(Vec::new, |module| name(module, site))
    }
}

/// Opens a module's debug information, if the file is still the one that ran.
fn open(module: &str, build_id: &str) -> Option<Loader> {
    let path = Path::new(module);
    if module.is_empty() || elf::build_id(path).ok()? != build_id {
        return None;
    }
    let apart = separate(path, build_id);
    let apart = apart.into_iter().find(|file| same(file, build_id));
    Loader::new(apart.as_deref().unwrap_or(path)).ok()
}

/// Returns where a module's debug information may lie if it is not in the
/// module: named after the build id, and as the module itself says.
fn separate(module: &Path, build_id: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    if let (Some(first), Some(rest)) = (build_id.get(..2), build_id.get(2..)) {
        files.push(Path::new(DEBUG).join(format!(".build-id/{first}/{rest}.debug")));
    }
    let folder = module.parent().unwrap_or(Path::new("/"));
    if let Ok(Some(name)) = elf::debug_link(module) {
        let absolute = folder.strip_prefix("/").unwrap_or(folder);
        files.extend([
            folder.join(&name),
            folder.join(".debug").join(&name),
            Path::new(DEBUG).join(absolute).join(&name),
        ]);
    }
    files
}

fn same(file: &Path, build_id: &str) -> bool {
    file.is_file() && elf::build_id(file).is_ok_and(|id| id == build_id)
}

/// Looks up the instruction before the one that the call returns to: the call itself.
fn name(module: &Loader, site: &mut CallSite) -> Vec<CallSite> {
    let address = site.offset.saturating_sub(1);
    let mut frames = frames(module, address, site);
    if let Some(innermost) = frames.first_mut() {
        if let (Some(file), Some(line)) = (&innermost.file, innermost.line) {
            innermost.line = declared::line_of_call(module, address, file, line);
        }
    }
    // What the program asked for says more than where a package of Rust's does it.
    let own = frames.iter().position(|frame| !is_in_package(frame));
    let around = frames.split_off((own.unwrap_or(0) + 1).min(frames.len()));
    if let Some(frame) = frames.pop() {
        *site = frame;
    }
    if site.function.is_none() {
        let symbol = module.find_symbol(address);
        site.function = symbol.map(|name| {
            fortran(name)
                .unwrap_or_else(|| addr2line::demangle_auto(name.into(), None).into_owned())
        });
    }
    around
}

/// Returns the function at an address and those that the compiler copied it into, the innermost first.
fn frames(module: &Loader, address: u64, site: &CallSite) -> Vec<CallSite> {
    let mut all = Vec::new();
    if let Ok(mut frames) = module.find_frames(address) {
        while let Ok(Some(frame)) = frames.next() {
            let mut named = CallSite {
                module: site.module.clone(),
                build_id: site.build_id.clone(),
                offset: site.offset,
                ..CallSite::default()
            };
            take(&frame, &mut named);
            all.push(named);
        }
    }
    all
}

/// Returns whether a function is one of a package that Cargo has fetched, or of Rust's own.
fn is_in_package(site: &CallSite) -> bool {
    const FOLDERS: [&str; 3] = ["/registry/src/", "/git/checkouts/", "/rustc/"];
    let file = site.file.as_deref().unwrap_or_default();
    FOLDERS.iter().any(|folder| file.contains(folder))
}

/// Names a procedure of a Fortran module as gfortran mangles it: `__heat_MOD_exchange`.
fn fortran(symbol: &str) -> Option<String> {
    let (module, procedure) = symbol.strip_prefix("__")?.split_once("_MOD_")?;
    Some(format!("{module}::{procedure}"))
}

fn take<R: addr2line::gimli::Reader>(frame: &addr2line::Frame<R>, site: &mut CallSite) {
    let function = frame.function.as_ref().and_then(|f| f.demangle().ok());
    site.function = function.map(|name| fortran(&name).unwrap_or_else(|| name.into_owned()));
    if let Some(location) = &frame.location {
        site.file = location.file.map(str::to_owned);
        site.line = location.line.filter(|&line| line > 0);
    }
}

/// Returns the last part of a path; the path itself if it has none.
fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name();
    name.map_or_else(
        || path.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// Returns the source line of a place given as `MODULE+0xOFFSET`, or as `FILE:LINE`; the place
/// itself where debug information does not tell. The module is the file that ran just now.
pub fn line_of(place: &str) -> String {
    let line = || {
        let (module, offset) = place.rsplit_once("+0x")?;
        let address = u64::from_str_radix(offset, 16).ok()?.checked_sub(1)?;
        let loader = Loader::new(module).ok()?;
        let location = loader.find_location(address).ok()??;
        let file = file_name(location.file?);
        Some(format!("{file}:{}", location.line?))
    };
    let interpreted = || {
        let (file, line) = place.rsplit_once(':')?;
        line.parse::<u32>().ok()?;
        Some(format!("{}:{line}", file_name(file)))
    };
    line()
        .or_else(interpreted)
        .unwrap_or_else(|| place.to_owned())
}
