//! The files of an archive that hold no events. What is read whole is written, and read again as
//! the same.

use std::fmt::Debug;
use std::path::Path;

use otf2::read::{Archive, List};
use otf2::{ClockCorrection, Error, LocalDefinition};

use crate::place::{empty_archive, fresh, options, put, put_chunks, CHUNK};

/// The input is an anchor.
pub fn anchor(input: &[u8]) {
    let path = fresh("anchor").join("traces.otf2");
    put(&path, input);
    match Archive::open(&path) {
        Ok(archive) => {
            let again = path.with_file_name("again");
            if std::fs::create_dir(&again).is_ok()
                && otf2::write::anchor(&again, "traces", archive.anchor()).is_ok()
            {
                let written = Archive::open(again.join("traces.otf2"));
                let written = written.expect("what was written is read");
                assert_eq!(written.anchor(), archive.anchor());
            }
        }
        Err(error) => drop(error.to_string()),
    }
}

/// The input is a file of global definitions.
pub fn definitions(input: &[u8]) {
    let (folder, anchor) = empty_archive();
    put_chunks(&folder.join("traces.def"), input);
    let archive = Archive::open(anchor).expect("the anchor is sound");
    let list = archive.definitions().expect("the file is there");
    let locations = archive.locations().expect("the file is there");
    assert!(locations.len() <= list.len());
    let write =
        |to: &Path, all: &[_]| otf2::write::global_definitions(to, "traces", all, CHUNK as u64);
    same_again(list, write, Archive::definitions);
}

/// The input is a file of local definitions.
pub fn local_definitions(input: &[u8]) {
    let (folder, anchor) = empty_archive();
    put_chunks(&folder.join("traces/0.def"), input);
    let archive = Archive::open(anchor).expect("the anchor is sound");
    let list = archive.local_definitions(0).expect("the file can be read");
    let correction = ClockCorrection::new(&list);
    for time in [0, 1, 1000, u64::MAX / 2, u64::MAX] {
        correction.apply(time);
    }
    for definition in &list {
        if let LocalDefinition::MappingTable { id_map, .. } = definition {
            for id in [0, 1, 7, u64::MAX] {
                id_map.get(id);
            }
        }
    }
    let write = |to: &Path, all: &[_]| otf2::write::local_definitions(to, "traces", 0, all);
    same_again(list, write, |archive| archive.local_definitions(0));
}

/// The input is a file of markers.
pub fn markers(input: &[u8]) {
    let (folder, anchor) = empty_archive();
    put_chunks(&folder.join("traces.marker"), input);
    let archive = Archive::open(anchor).expect("the anchor is sound");
    let list = archive.markers().expect("the file can be read");
    let write = |to: &Path, all: &[_]| otf2::write::markers(to, "traces", all, CHUNK as u64);
    same_again(list, write, Archive::markers);
}

/// The input is a thumbnail.
pub fn thumbnails(input: &[u8]) {
    let (folder, anchor) = empty_archive();
    put(&folder.join("traces.0.thumb"), input);
    let archive = Archive::open(anchor).expect("the anchor is sound");
    let list = archive.thumbnail(0).expect("the file can be read");
    let write = |to: &Path, all: &[_]| otf2::write::thumbnail(to, "traces", 0, all);
    same_again(list, write, |archive| archive.thumbnail(0));
}

/// Writes what was read and reads it again, unless the writer refuses it.
fn same_again<T: Debug>(
    list: List<T>,
    write: impl FnOnce(&Path, &[T]) -> Result<(), Error>,
    read: impl FnOnce(&Archive) -> Result<List<T>, Error>,
) {
    list.damage().map(ToString::to_string);
    let folder = fresh("again");
    let archive = otf2::write::Archive::create(&folder, "traces", options());
    let anchor = archive.and_then(|archive| archive.finish(&[]));
    let anchor = anchor.expect("an archive can be made");
    if write(&folder, &list).is_err() {
        return;
    }
    let archive = Archive::open(anchor).expect("the anchor is sound");
    let again = read(&archive).expect("the file is there");
    assert!(again.damage().is_none(), "{:?}", again.damage());
    // By text: no number equals NaN.
    assert_eq!(format!("{:?}", &again[..]), format!("{:?}", &list[..]));
}
