//! Reads a packed run: every frame by itself, on all cores, into the files that it holds parts of.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs::{self, File, FileTimes, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use mpiscope_archive::progress::Progress;
use mpiscope_run::system;
use rayon::prelude::*;

use super::index::{Frame, Index, Member};
use super::{salvage, ENDING};
use crate::input::Damaged;
use crate::progress::{self, Unit};
use crate::size;

/// A packed run that was opened.
#[derive(Debug)]
pub struct Packed {
    path: PathBuf,
    file: File,
    /// Nothing if the file was cut, or is of another origin.
    index: Option<Index>,
}

/// What came out of a packed run.
#[derive(Debug, Default)]
pub struct Restored {
    /// How many files.
    pub files: usize,
    /// How long they are together.
    pub bytes: u64,
    /// What did not come out, in sentences.
    pub damage: Vec<String>,
}

impl Packed {
    /// Opens a packed run, and looks at what it says it holds.
    pub fn open(path: &Path) -> Result<Packed> {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        let index = Index::read(&file);
        if let Some(index) = &index {
            let refused = |error| Damaged(format!("{}: {error}", path.display()));
            index.check().map_err(refused)?;
        }
        Ok(Packed {
            path: path.to_owned(),
            file,
            index,
        })
    }

    /// Returns the name of the folder that was packed.
    pub fn root(&self) -> String {
        if let Some(index) = &self.index {
            return index.root.clone();
        }
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.strip_suffix(ENDING).unwrap_or("");
        if stem.is_empty() { "unpacked" } else { stem }.to_owned()
    }

    /// Unpacks all that is whole into a new folder.
    pub fn restore(&self, folder: &Path) -> Result<Restored> {
        fs::create_dir(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let progress = Progress::default();
        let what = format!("unpacking {}", self.path.display());
        progress::during(&what, Unit::Bytes, &progress, || match &self.index {
            Some(index) => self.restore_all(index, folder, &progress),
            None => salvage::restore(&self.path, folder),
        })
    }

    fn restore_all(&self, index: &Index, folder: &Path, progress: &Progress) -> Result<Restored> {
        progress.expect(index.frames.iter().map(|frame| frame.holds).sum());
        has_room(folder, index.bytes())?;
        for member in &index.members {
            prepare(member, folder).with_context(|| cannot_write(folder, member))?;
        }
        let lost = self
            .frames(index)
            .into_par_iter()
            .map(|(at, begin, frame)| {
                let lost = self.put_frame(index, folder, at, begin, frame)?;
                progress.advance(frame.holds);
                Ok(lost)
            });
        let lost: Vec<&[Member]> = lost.collect::<Result<_>>()?;
        let lost = lost.into_iter().flatten().filter(|member| member.size > 0);
        let mut lost: BTreeSet<&str> = lost.map(|member| &member.path[..]).collect();
        for path in &lost {
            fs::remove_file(folder.join(path))?;
        }
        for member in &index.members {
            let Some(other) = &member.link else { continue };
            if lost.contains(&other[..]) {
                lost.insert(&member.path);
                continue;
            }
            link(&folder.join(other), &folder.join(&member.path))
                .with_context(|| cannot_write(folder, member))?;
        }
        let whole = |member: &&Member| !lost.contains(&member.path[..]);
        let mut all: Vec<&Member> = index.members.iter().filter(whole).collect();
        // What is in a folder is complete before the folder's own time is set.
        all.sort_by_key(|member| Reverse((!member.folder, member.path.len())));
        for member in all {
            let path = folder.join(&member.path);
            dress(&path, member).with_context(|| cannot_write(folder, member))?;
        }
        let restored: Vec<&Member> = index.files().filter(whole).collect();
        Ok(Restored {
            files: restored.len(),
            bytes: restored.iter().map(|member| member.size).sum(),
            damage: self.damage(&lost),
        })
    }

    /// Writes what a frame holds; returns the members in it if it is damaged.
    fn put_frame<'a>(
        &self,
        index: &'a Index,
        folder: &Path,
        at: u64,
        begin: u64,
        frame: Frame,
    ) -> Result<&'a [Member]> {
        let members = members_in(index, begin, begin + frame.holds);
        let Some(content) = self.content(at, frame) else {
            return Ok(members);
        };
        for member in members {
            put(member, folder, begin, &content).with_context(|| cannot_write(folder, member))?;
        }
        Ok(&[])
    }

    /// Lists the frames with their places in the file and in the stream.
    fn frames(&self, index: &Index) -> Vec<(u64, u64, Frame)> {
        let (mut at, mut begin) = (0u64, 0u64);
        let place = |frame: &Frame| {
            let place = (at, begin, *frame);
            at = at.saturating_add(frame.bytes);
            begin += frame.holds;
            place
        };
        index.frames.iter().map(place).collect()
    }

    /// Returns what a frame holds; nothing if it is damaged.
    fn content(&self, at: u64, frame: Frame) -> Option<Vec<u8>> {
        let all = self.file.metadata().ok()?.len();
        if at.checked_add(frame.bytes)? > all {
            return None;
        }
        let mut bytes = vec![0; usize::try_from(frame.bytes).ok()?];
        self.file.read_exact_at(&mut bytes, at).ok()?;
        let holds = usize::try_from(frame.holds).ok()?;
        let content = zstd::bulk::decompress(&bytes, holds).ok()?;
        (content.len() == holds).then_some(content)
    }

    fn damage(&self, lost: &BTreeSet<&str>) -> Vec<String> {
        const NAMED: usize = 5;
        if lost.is_empty() {
            return Vec::new();
        }
        let named: Vec<&str> = lost.iter().take(NAMED).copied().collect();
        let named = named.join(", ");
        let more = match lost.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let path = self.path.display();
        vec![format!("{path} is damaged in {named}{more}")]
    }
}

/// Returns an error if there is no room for so many bytes.
pub fn has_room(folder: &Path, bytes: u64) -> Result<()> {
    let (free, _) = system::space(folder)
        .with_context(|| format!("cannot ask how much room {} has", folder.display()))?;
    if bytes <= free {
        return Ok(());
    }
    let what = format!(
        "it holds {}, and there is room for {} in {}",
        size::show(bytes),
        size::show(free),
        folder.parent().unwrap_or(folder).display()
    );
    Err(io::Error::new(io::ErrorKind::StorageFull, what).into())
}

fn cannot_write(folder: &Path, member: &Member) -> String {
    format!("cannot write {}", folder.join(&member.path).display())
}

/// Makes a folder, or an empty file; what is another file's name gets it when that is there.
fn prepare(member: &Member, folder: &Path) -> io::Result<()> {
    let path = Path::new(&member.path);
    if member.folder {
        return make_folders(folder, path);
    }
    make_folders(folder, path.parent().unwrap_or(Path::new("")))?;
    match member.link {
        None => File::create_new(folder.join(path)).map(drop),
        Some(_) => Ok(()),
    }
}

/// Gives a file another name; where there are no such names, a copy has it.
pub fn link(file: &Path, other: &Path) -> io::Result<()> {
    fs::hard_link(file, other).or_else(|_| fs::copy(file, other).map(drop))
}

/// Makes folders below one that is there. Should that have been removed meanwhile, as a signal
/// ends this process, it is not made again.
pub fn make_folders(folder: &Path, below: &Path) -> io::Result<()> {
    let mut path = folder.to_owned();
    for name in below {
        path.push(name);
        match fs::create_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made?,
        }
    }
    Ok(())
}

/// Returns the members that have bytes in this part of the stream.
fn members_in(index: &Index, begin: u64, end: u64) -> &[Member] {
    let members = &index.members;
    let first = members.partition_point(|member| member.at + member.size <= begin);
    let last = members.partition_point(|member| member.at < end);
    &members[first..last.max(first)]
}

/// Writes the part of a file that a piece of the stream holds.
fn put(member: &Member, folder: &Path, begin: u64, content: &[u8]) -> io::Result<()> {
    let end = begin + content.len() as u64;
    let from = member.at.max(begin);
    let to = (member.at + member.size).min(end);
    if from >= to {
        return Ok(());
    }
    let part = &content[(from - begin) as usize..(to - begin) as usize];
    let file = OpenOptions::new()
        .write(true)
        .open(folder.join(&member.path))?;
    file.write_all_at(part, from - member.at)
}

/// Gives a file or a folder its mode and its time.
pub fn dress(path: &Path, member: &Member) -> io::Result<()> {
    let file = File::open(path)?;
    file.set_times(FileTimes::new().set_modified(time(member.mtime)))?;
    // Its owner can always read what was unpacked, and remove it.
    let least = if member.folder { 0o700 } else { 0o600 };
    file.set_permissions(Permissions::from_mode(member.mode & 0o777 | least))
}

fn time((seconds, nanoseconds): (i64, u32)) -> SystemTime {
    let whole = Duration::from_secs(seconds.unsigned_abs());
    let second = match seconds < 0 {
        true => SystemTime::UNIX_EPOCH.checked_sub(whole),
        false => SystemTime::UNIX_EPOCH.checked_add(whole),
    };
    let part = Duration::from_nanos(nanoseconds.into());
    let time = second.and_then(|second| second.checked_add(part));
    time.unwrap_or(SystemTime::UNIX_EPOCH)
}
