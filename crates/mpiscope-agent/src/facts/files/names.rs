//! Names of files, as other processes and readers of the archive understand them.

use std::path::Path;

use mpiscope_run::process::Definition;

use super::table::Files;
use crate::base::definitions;

/// What ROMIO and OMPIO take for the name of a file system, where it stands before a file's.
const FILE_SYSTEMS: [&str; 13] = [
    "ufs:", "nfs:", "xfs:", "panfs:", "pvfs:", "pvfs2:", "gpfs:", "lustre:", "daos:", "ime:",
    "quobyte:", "testfs:", "bgl:",
];

impl Files {
    /// Returns the number of a file's name, defined now unless it was.
    pub(super) fn name(&self, said: &str) -> u32 {
        let name = absolute(said);
        let (id, is_new) = self.with(|known| {
            let next = known.names.len() as u32;
            match known.names.get(&name) {
                Some(&id) => (id, false),
                None => {
                    known.names.insert(name.clone(), next);
                    (next, true)
                }
            }
        });
        if is_new {
            definitions::tell(&Definition::FileName { id, name });
        }
        id
    }
}

/// Returns a name that does not depend on the directory that the process is in.
fn absolute(said: &str) -> String {
    let system = FILE_SYSTEMS.iter().find(|it| said.starts_with(**it));
    let path = system.map_or(said, |system| &said[system.len()..]);
    match std::path::absolute(Path::new(path)) {
        Ok(absolute) => absolute.to_string_lossy().into_owned(),
        Err(_) => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_absolute() {
        let here = std::env::current_dir().unwrap();
        let within = |name: &str| here.join(name).to_string_lossy().into_owned();
        assert_eq!(absolute("/tmp/data"), "/tmp/data");
        assert_eq!(absolute("ufs:/tmp/data"), "/tmp/data");
        assert_eq!(absolute("./data"), within("data"));
        assert_eq!(absolute("nfs:some/data"), within("some/data"));
        assert_eq!(absolute("a:b"), within("a:b"));
        assert_eq!(absolute(""), "");
    }
}
