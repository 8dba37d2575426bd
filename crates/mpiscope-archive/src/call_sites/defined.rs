//! The places that an archive's definitions tell of.

use std::collections::{HashMap, HashSet};

use mpiscope_model::CallSite;
use otf2::{Definition, Value};

use mpiscope_run::call_sites::{nameless, BUILD_ID, MODULE, OFFSET};

use super::site;

/// The places of an archive that mpiscope wrote, as its definitions tell.
#[derive(Default)]
pub(crate) struct Defined {
    /// Numbers of calling contexts and what they mean, in the order of definition.
    pub sites: Vec<(u32, CallSite)>,
    /// Numbers of the regions that stand for the functions around calls.
    pub functions: HashSet<u32>,
}

impl Defined {
    pub fn new(definitions: &[Definition], strings: &HashMap<u32, String>) -> Defined {
        let text = |id: &u32| strings.get(id).cloned().unwrap_or_default();
        let mut found = Found::default();
        for definition in definitions {
            found.note(definition, &text);
        }
        let mut defined = Defined::default();
        for (id, region, line) in found.contexts {
            let Some(mut site) = found.seen.remove(&id) else {
                continue; // another tool's
            };
            defined.functions.insert(region);
            let name = found.regions.get(&region).map(&text);
            site.function = name.filter(|name| *name != nameless(&self::site(&site)));
            if let Some((file, line)) = found.lines.get(&line) {
                site.file = Some(text(file));
                site.line = Some(*line).filter(|&line| line > 0);
            }
            defined.sites.push((id, site));
        }
        defined
    }
}

/// Definitions on the way to [`Defined`].
#[derive(Default)]
struct Found {
    /// Names of regions.
    regions: HashMap<u32, u32>,
    /// File and line.
    lines: HashMap<u32, (u32, u32)>,
    /// Calling contexts with region and line.
    contexts: Vec<(u32, u32, u32)>,
    seen: HashMap<u32, CallSite>,
}

impl Found {
    fn note(&mut self, definition: &Definition, text: &dyn Fn(&u32) -> String) {
        match definition {
            Definition::Region { id, name, .. } => {
                self.regions.insert(*id, *name);
            }
            Definition::SourceCodeLocation {
                id,
                file,
                line_number,
            } => {
                self.lines.insert(*id, (*file, *line_number));
            }
            Definition::CallingContext {
                id,
                region,
                source_code_location,
                ..
            } => self.contexts.push((*id, *region, *source_code_location)),
            Definition::CallingContextProperty {
                calling_context,
                name,
                value,
            } => {
                let name = text(name);
                let site = |found: &mut Found, set: &dyn Fn(&mut CallSite)| {
                    set(found.seen.entry(*calling_context).or_default());
                };
                match (name.as_str(), value) {
                    (MODULE, Value::String(id)) => site(self, &|site| site.module = text(id)),
                    (BUILD_ID, Value::String(id)) => site(self, &|site| site.build_id = text(id)),
                    (OFFSET, Value::Uint64(offset)) => site(self, &|site| site.offset = *offset),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}
