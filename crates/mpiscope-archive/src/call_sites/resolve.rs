//! Functions and lines, written into an archive after the run.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use mpiscope_model::CallSite;
use otf2::read::Archive;
use otf2::Definition;

use mpiscope_run::call_sites::{canonical, define};

use super::{site, Defined};
use crate::ranks::strings;
use crate::source::anchor_of;
use crate::Error;
use mpiscope_run::archive::{counted, write_anchor};
use mpiscope_run::definitions::own_region;
use mpiscope_run::drain::NAME;
use mpiscope_run::list::List;

/// Writes functions and lines into the definitions of an archive: `name` sets
/// what it finds out about a place. Returns how many places there are, and of
/// how many the line is known afterwards.
///
/// # Errors
/// When the archive cannot be read, or its definitions cannot be written.
pub fn resolve(path: &Path, name: impl FnMut(&mut CallSite)) -> Result<(usize, usize), Error> {
    resolve_guarded(path, name, |write| write())
}

/// Does the same; `guard` calls what it is given, so that nothing hinders it meanwhile: two files
/// are replaced that belong together.
///
/// # Errors
/// As [`resolve`].
pub fn resolve_guarded(
    path: &Path,
    mut name: impl FnMut(&mut CallSite),
    guard: impl FnOnce(&mut dyn FnMut()),
) -> Result<(usize, usize), Error> {
    let anchor = anchor_of(path)?;
    let archive = Archive::open(&anchor)?;
    let definitions = archive.definitions()?.complete()?;
    let strings = strings(&definitions);
    let defined = Defined::new(&definitions, &strings);
    let (ids, mut sites): (Vec<u32>, Vec<CallSite>) = defined.sites.into_iter().unzip();
    let before = sites.clone();
    sites.iter_mut().for_each(&mut name);
    let known = sites.iter().filter(|site| site.line.is_some()).count();
    let dense = ids.iter().copied().eq(0..ids.len() as u32);
    if sites != before && dense {
        let definitions = renewed(definitions, &defined.functions, &sites);
        let mut replaced = Ok(());
        guard(&mut || replaced = replace(&archive, &anchor, &definitions));
        replaced?;
    }
    Ok((sites.len(), known))
}

/// Returns the definitions with these places in place of theirs.
fn renewed(
    definitions: Vec<Definition>,
    functions: &HashSet<u32>,
    sites: &[CallSite],
) -> Vec<Definition> {
    let mut list = List::default();
    let (mut clock, mut regions) = (None, 0);
    let mut instrumented = Instrumented::new(sites);
    for definition in definitions {
        match definition {
            Definition::ClockProperties { .. } => clock = Some(definition),
            Definition::String { string, .. } => {
                let id = list.string(&string);
                instrumented.note(id, &string);
            }
            Definition::SourceCodeLocation { .. }
            | Definition::CallingContext { .. }
            | Definition::CallingContextProperty { .. } => {}
            Definition::Region { id, .. } if functions.contains(&id) => {}
            Definition::Region { id, .. } => {
                regions = regions.max(id.saturating_add(1));
                let region = instrumented.named(definition, &mut list);
                list.definitions.push(region);
            }
            other => list.definitions.push(other),
        }
    }
    define(&mut list, sites.iter().map(site), regions);
    list.finish(clock)
}

/// Instrumented functions, which are regions without a name until the place where they begin has
/// one.
struct Instrumented<'a> {
    /// What is known of them, by their canonical names.
    places: HashMap<String, &'a CallSite>,
    /// The same by the numbers of these names.
    by_name: HashMap<u32, &'a CallSite>,
}

impl<'a> Instrumented<'a> {
    fn new(sites: &'a [CallSite]) -> Self {
        let begins = |site: &'a CallSite| {
            let begin = site.offset.wrapping_sub(1); // as `begin_of` has it
            (canonical(&site.module, begin), site)
        };
        Self {
            places: sites.iter().map(begins).collect(),
            by_name: HashMap::new(),
        }
    }

    fn note(&mut self, id: u32, string: &str) {
        if let Some(site) = self.places.get(string) {
            self.by_name.insert(id, site);
        }
    }

    /// Returns a region with its function's name, file and line, if it is one of these.
    fn named(&self, mut region: Definition, list: &mut List) -> Definition {
        if let Definition::Region {
            name,
            source_file,
            begin_line_number,
            canonical_name,
            ..
        } = &mut region
        {
            let site = self.by_name.get(canonical_name);
            if let Some((site, function)) = site.and_then(|it| Some((it, it.function.as_ref()?))) {
                *name = list.string(&own_region(function));
                *source_file = site
                    .file
                    .as_ref()
                    .map_or(*source_file, |file| list.string(file));
                *begin_line_number = site.line.unwrap_or(*begin_line_number);
            }
        }
        region
    }
}

/// Puts definitions in the place of an archive's, each file in one step.
fn replace(archive: &Archive, anchor: &Path, definitions: &[Definition]) -> Result<(), Error> {
    let directory = anchor.parent().unwrap_or(Path::new(""));
    let aside = directory.join(format!(".definitions.{}", std::process::id()));
    fs::create_dir_all(&aside).map_err(|e| Error::io(&aside, e))?;
    let old = archive.anchor();
    let file = Path::new(NAME).with_extension("def");
    let moved = otf2::write::global_definitions(&aside, NAME, definitions, old.definition_chunk)
        .map_err(Error::from)
        .and_then(|_| {
            let to = directory.join(&file);
            fs::rename(aside.join(&file), &to).map_err(|e| Error::io(&to, e))
        });
    let _ = fs::remove_dir_all(&aside);
    moved?;
    let mut anchor = old.clone();
    anchor.definitions = counted(definitions).definitions;
    write_anchor(directory, &anchor)?;
    Ok(())
}
