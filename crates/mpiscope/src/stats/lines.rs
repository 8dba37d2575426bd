//! What addresses and statement numbers mean in the source. Asked for again
//! and again by a live display, so everything is looked up once.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use mpiscope_archive::model::statistics::Statement;
use mpiscope_archive::model::structure::Structure;
use mpiscope_archive::model::CallSite;
use mpiscope_archive::unify::Structures;
use mpiscope_instrument::fingerprint;
use mpiscope_run::statistics::{self as records, Process};

use crate::launch::elf;
use crate::symbols::Modules;

/// What is known of modules and sources so far.
#[derive(Default)]
pub struct Lines {
    modules: Modules,
    named: HashMap<(String, String, u64), (CallSite, Vec<CallSite>)>,
    structures: Structures,
    /// What is to be said of sources that were changed since.
    changed: Vec<String>,
    /// What is to be said of a module, by path and build id.
    builds: HashMap<(String, String), Option<String>>,
}

impl Lines {
    /// Names a call site as far as its module tells; returns the calls around one that
    /// the compiler copied into another function.
    pub fn name(&mut self, site: &mut CallSite) -> Vec<CallSite> {
        let key = (site.module.clone(), site.build_id.clone(), site.offset);
        let (named, around) = self.named.entry(key).or_insert_with(|| {
            let mut named = site.clone();
            let around = self.modules.name(&mut named);
            (named, around)
        });
        site.clone_from(named);
        around.clone()
    }

    /// Reads the structures that processes name by their hashes; says which are not to be had.
    pub fn learn(&mut self, run: &Path, processes: &[Process]) -> Vec<String> {
        let hashes = processes.iter().flat_map(|process| &process.units);
        let hashes: BTreeSet<&String> = hashes.map(|(_, hash)| hash).collect();
        let mut notes = Vec::new();
        for hash in hashes {
            if self.structures.contains_key(hash) {
                continue;
            }
            let path = records::structures(run).join(format!("{hash}.json"));
            let text = fs::read_to_string(&path).map_err(|error| error.to_string());
            let read = text.and_then(|text| Structure::parse(&text).map_err(|e| e.to_string()));
            match read {
                Ok(structure) => {
                    self.changed.extend(changed(&structure));
                    let statements = Statement::of(&structure);
                    self.structures.insert(hash.clone(), statements);
                }
                Err(error) => notes.push(format!(
                    "{}: {error}: the statements of one source file have no names",
                    path.display()
                )),
            }
        }
        notes.extend(self.changed.iter().cloned());
        notes
    }

    /// Returns the structures read so far; they are put back by [`Lines::keep`].
    pub fn take_structures(&mut self) -> Structures {
        std::mem::take(&mut self.structures)
    }

    /// Puts the structures back.
    pub fn keep(&mut self, structures: Structures) {
        self.structures = structures;
    }

    /// Says which modules are not those that ran any more: their lines would be wrong ones.
    pub fn other_builds(&mut self, processes: &[Process]) -> Vec<String> {
        let modules = processes.iter().flat_map(|process| &process.modules);
        let compiled = modules.filter(|module| module.interpreted.is_none());
        let modules: BTreeSet<(&String, &String)> =
            compiled.map(|m| (&m.path, &m.build_id)).collect();
        let named = modules.into_iter().filter(|(path, _)| !path.is_empty());
        let said = named.filter_map(|(path, id)| {
            let key = (path.clone(), id.clone());
            let note = self
                .builds
                .entry(key)
                .or_insert_with(|| other_build(path, id));
            note.clone()
        });
        said.collect()
    }
}

/// Lines of a structure are those of the source when it was compiled.
fn changed(structure: &Structure) -> Option<String> {
    let path = Path::new(&structure.directory).join(&structure.file);
    let text = fs::read(&path).ok()?;
    (fingerprint(&text) != structure.compiled).then(|| {
        format!(
            "{} was changed since it was compiled: lines are those that it had then",
            path.display()
        )
    })
}

fn other_build(path: &str, ran: &str) -> Option<String> {
    let or_none = |id: &str| {
        if id.is_empty() {
            "none".into()
        } else {
            id.to_owned()
        }
    };
    match elf::build_id(Path::new(path)) {
        Err(_) => Some(format!(
            "{path} is not there any more: its lines are not known"
        )),
        Ok(id) if id != ran => Some(format!(
            "{path} is another build than the one that ran (build id {}, then {}): its lines are \
             not told, they would be wrong",
            or_none(&id),
            or_none(ran)
        )),
        Ok(_) => None,
    }
}
