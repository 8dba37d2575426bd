//! What is left of a packed run that was cut, or of a tar archive of any origin: it is read from
//! its begin, as far as it goes.

use std::cmp::Reverse;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tar::{Entry, EntryType};

use super::index::{leads_down, Member};
use super::read::{self, dress, has_room, make_folders, Restored};
use crate::input::Damaged;
use crate::say;

/// Unpacks the files that are whole.
pub fn restore(packed: &Path, folder: &Path) -> Result<Restored> {
    let file = File::open(packed)?;
    let stream = zstd::stream::read::Decoder::new(file)?;
    let mut tar = tar::Archive::new(stream);
    let mut restored = Restored::default();
    let mut last = None;
    let mut folders = Vec::new();
    for entry in tar.entries()? {
        let result = entry
            .context("what follows cannot be read")
            .and_then(|entry| put(entry, folder, &mut folders, &mut last));
        match result {
            Ok(Some(bytes)) => {
                restored.files += 1;
                restored.bytes += bytes;
            }
            Ok(None) => {}
            Err(error) if error.is::<Damaged>() => return Err(refused(packed, &error)),
            // Where there is room all of it can be had.
            Err(error) if is_full(&error) => return Err(error),
            Err(error) => {
                restored.damage.push(cut(packed, last.as_deref(), &error));
                break;
            }
        }
    }
    // What is in a folder is complete before the folder's own time is set.
    folders.sort_by_key(|(path, _)| Reverse(path.components().count()));
    for (path, member) in &folders {
        dress(path, member)?;
    }
    if restored.damage.is_empty() {
        restored.damage.push(format!(
            "{} has no index at its end: it was cut, or not made by `mpiscope pack`",
            packed.display()
        ));
    }
    Ok(restored)
}

fn refused(packed: &Path, error: &anyhow::Error) -> anyhow::Error {
    Damaged(format!("{}: {error}", packed.display())).into()
}

fn cut(packed: &Path, last: Option<&Path>, error: &anyhow::Error) -> String {
    let packed = packed.display();
    let error = say::chain(error);
    match last {
        Some(last) => format!(
            "{packed} is cut or damaged behind {}: {error}",
            last.display()
        ),
        None => format!("{packed} is cut or damaged, or no packed run: {error}"),
    }
}

/// Returns whether it is the disk that lacks something, and not the file.
fn is_full(error: &anyhow::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    let mut errors = error.chain().filter_map(|it| it.downcast_ref());
    errors.any(|it: &io::Error| matches!(it.kind(), StorageFull | QuotaExceeded | FileTooLarge))
}

/// Writes one file or folder; returns the bytes of a file.
fn put(
    mut entry: Entry<impl Read>,
    folder: &Path,
    folders: &mut Vec<(PathBuf, Member)>,
    last: &mut Option<PathBuf>,
) -> Result<Option<u64>> {
    let full = entry.path()?.into_owned();
    let kind = entry.header().entry_type();
    if kind == EntryType::XGlobalHeader {
        return Ok(None);
    }
    let link = match kind {
        EntryType::Link => entry.link_name()?.map(|name| name.into_owned()),
        _ => None,
    };
    let known = matches!(
        kind,
        EntryType::Regular | EntryType::Directory | EntryType::Link
    );
    let harmless = known && leads_down(&full) && link.as_deref().is_none_or(leads_down);
    if !harmless {
        let what = format!(
            "it holds {}, which is no file or folder within the run: nothing of it is unpacked",
            full.display()
        );
        return Err(Damaged(what).into());
    }
    let path: PathBuf = full.components().skip(1).collect();
    let place = folder.join(&path);
    let member = Member {
        folder: kind == EntryType::Directory,
        size: entry.size(),
        mode: entry.header().mode()? & 0o777,
        mtime: mtime(&mut entry)?,
        ..Member::default()
    };
    if member.folder {
        make_folders(folder, &path)?;
        folders.push((place, member));
        return Ok(None);
    }
    if let Some(other) = link {
        let other: PathBuf = other.components().skip(1).collect();
        make_folders(folder, path.parent().unwrap_or(Path::new("")))?;
        read::link(&folder.join(other), &place).with_context(|| path.display().to_string())?;
        *last = Some(path);
        return Ok(Some(0));
    }
    has_room(folder, member.size).with_context(|| path.display().to_string())?;
    make_folders(folder, path.parent().unwrap_or(Path::new("")))?;
    if let Err(error) = copy(&mut entry, &place, member.size) {
        let _ = fs::remove_file(&place);
        return Err(error).with_context(|| path.display().to_string());
    }
    dress(&place, &member)?;
    *last = Some(path);
    Ok(Some(member.size))
}

fn copy(entry: &mut Entry<impl Read>, place: &Path, size: u64) -> io::Result<()> {
    let mut out = File::create_new(place)?;
    match io::copy(entry, &mut out)? == size {
        true => Ok(()),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Returns when a file changed: the extension knows parts of a second, the header does not.
fn mtime(entry: &mut Entry<impl Read>) -> Result<(i64, u32)> {
    let whole = i64::try_from(entry.header().mtime()?).unwrap_or(0);
    let Some(extensions) = entry.pax_extensions()? else {
        return Ok((whole, 0));
    };
    let mut extensions = extensions.flatten();
    let exact = extensions.find(|it| it.key_bytes() == b"mtime");
    let exact = exact.and_then(|it| parse(it.value().ok()?));
    Ok(exact.unwrap_or((whole, 0)))
}

fn parse(text: &str) -> Option<(i64, u32)> {
    let (seconds, part) = text.split_once('.').unwrap_or((text, ""));
    let nine = format!("{part:0<9}");
    Some((seconds.parse().ok()?, nine.get(..9)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_second_are_kept() {
        assert_eq!(parse("12.000000345"), Some((12, 345)));
        assert_eq!(parse("12.5"), Some((12, 500_000_000)));
        assert_eq!(parse("12"), Some((12, 0)));
        assert_eq!(parse("x.5"), None);
    }
}
