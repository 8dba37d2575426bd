//! Where the filter goes.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::cli::Refine;
use crate::packed;
use crate::proposed_filter::BEGIN;
use crate::view::report::beside;

/// Returns where the filter of a run goes: where it is told to, else beside the run.
pub fn of(arguments: &Refine, run: &Path) -> PathBuf {
    let place = || match arguments.apply {
        true => of_run(&packed::given(run)),
        // What is no proposal is nobody's to replace: another place is named.
        false => free(of_run(&packed::given(run))),
    };
    arguments.output.clone().unwrap_or_else(place)
}

/// Returns where the filter of a run goes unless one says so: `NAME.filter`, beside it.
pub fn of_run(run: &Path) -> PathBuf {
    let absolute = || fs::canonicalize(run).unwrap_or_else(|_| run.to_owned());
    match run.file_name() {
        Some(_) => beside(run, "filter"),
        // The folder that one is in has no name from there.
        None => beside(&absolute(), "filter"),
    }
}

fn free(place: PathBuf) -> PathBuf {
    match place.symlink_metadata().is_ok() && !is_earlier(&place) {
        true => place.with_extension("next.filter"),
        false => place,
    }
}

/// Returns whether a place holds an earlier proposal.
pub fn is_earlier(place: &Path) -> bool {
    begins(place, BEGIN)
}

/// Returns whether a place holds a file that begins so.
pub fn begins(place: &Path, expected: &str) -> bool {
    let mut begin = vec![0; expected.len()];
    let is_file = place.symlink_metadata().is_ok_and(|it| it.is_file());
    is_file
        && File::open(place).is_ok_and(|mut file| file.read_exact(&mut begin).is_ok())
        && begin == expected.as_bytes()
}

/// Says that nothing was to be written.
pub fn not_written(place: &Path) -> String {
    let what = "no filter is proposed, and none was written";
    match place.symlink_metadata().is_ok() {
        true => format!("{what}: {} is there from before", place.display()),
        false => what.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_lies_beside_its_run() {
        let check = |run: &str, expected: &str| {
            assert_eq!(of_run(Path::new(run)), Path::new(expected));
        };
        check("heat.mpiscope", "heat.filter");
        check("runs/heat.mpiscope/", "runs/heat.filter");
        check("my heat.mpiscope.tar.zst", "my heat.filter");
        check("a/traces.otf2", "a/traces.filter");
    }

    #[test]
    fn the_folder_that_one_is_in_has_its_name() {
        let here = std::env::current_dir().unwrap();
        let here = fs::canonicalize(here).unwrap();
        let name = here.file_name().unwrap().to_string_lossy().into_owned();
        let name = name.split(".mpiscope").next().unwrap().to_owned();
        let expected = here.with_file_name(format!("{name}.filter"));
        assert_eq!(of_run(Path::new(".")), expected);
    }

    #[test]
    fn what_is_no_proposal_keeps_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("heat.filter");
        assert_eq!(free(place.clone()), place);
        assert!(not_written(&place).ends_with("none was written"));
        fs::write(&place, format!("{BEGIN}from a test")).unwrap();
        assert!(is_earlier(&place));
        assert_eq!(free(place.clone()), place);
        fs::write(&place, "mine").unwrap();
        assert!(!is_earlier(&place));
        assert_eq!(free(place.clone()), folder.path().join("heat.next.filter"));
        assert!(not_written(&place).ends_with("heat.filter is there from before"));
    }
}
