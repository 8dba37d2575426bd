//! The index at the end of a packed run: what the tar stream holds, and which frame holds what.
//!
//! ```text
//! frame … frame │ skippable frame: JSON compressed │ its length (8 bytes) │ "mpiscope"
//! ```
//!
//! It is believed only as far as it makes sense: no file lies outside of the run, none overlaps
//! another, all of them are within the stream, and no frame is longer than memory allows.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Component, Path};

use anyhow::{ensure, Result};
use serde::{Deserialize, Serialize};

/// Raised when what is written changes its form or meaning.
pub const FORMAT: u32 = 2;

/// The form in which every file has one name.
pub const WITHOUT_LINKS: u32 = 1;

/// Bytes of the stream in a frame.
pub const PIECE: usize = 24 << 20;

/// Bytes that a frame may hold, whoever wrote it.
const MOST_PER_FRAME: u64 = 64 << 20;

/// Bytes of JSON that an index may have: some million files.
const MOST_OF_INDEX: u64 = 256 << 20;

/// First word of one of the frames that zstd skips (RFC 8878, §3.1.2).
const SKIPPABLE: u32 = 0x184D_2A5D;

/// The last bytes of a packed run.
const END: [u8; 8] = *b"mpiscope";

/// The content of the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Index {
    pub format: u32,
    /// The mpiscope that wrote it.
    pub mpiscope: String,
    /// The folder that all members lie in.
    pub root: String,
    /// In the order of the stream.
    pub members: Vec<Member>,
    /// One after the other, from the file's first byte.
    pub frames: Vec<Frame>,
}

/// A file or a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Below the root; the root's own is empty.
    pub path: String,
    pub folder: bool,
    /// Where its bytes begin in the stream.
    pub at: u64,
    pub size: u64,
    pub mode: u32,
    /// When it changed: seconds, and nanoseconds.
    pub mtime: (i64, u32),
    /// The file before it that this is another name of: it has no bytes itself. Measured events
    /// are part of both archives of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// A part of the stream that is compressed by itself.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Frame {
    /// Bytes in the file.
    pub bytes: u64,
    /// Bytes of the stream.
    pub holds: u64,
}

/// Returns whether a path leads nowhere but down from where it is put.
pub fn leads_down(path: &Path) -> bool {
    let mut parts = path.components();
    !path.as_os_str().is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
}

impl Index {
    /// Writes it behind the frames.
    pub fn write(&self, out: &mut impl Write) -> Result<()> {
        let mut payload = zstd::bulk::Compressor::new(9)?.compress(&serde_json::to_vec(self)?)?;
        let length = payload.len() as u64;
        payload.extend(length.to_le_bytes());
        payload.extend(END);
        let size = u32::try_from(payload.len())?;
        out.write_all(&SKIPPABLE.to_le_bytes())?;
        out.write_all(&size.to_le_bytes())?;
        Ok(out.write_all(&payload)?)
    }

    /// Reads it from a file's end; nothing if there is none that can be read.
    pub fn read(file: &File) -> Option<Index> {
        let all = file.metadata().ok()?.len();
        let mut end = [0; 16];
        file.read_exact_at(&mut end, all.checked_sub(16)?).ok()?;
        let (length, mark) = end.split_at(8);
        if mark != END {
            return None;
        }
        let length = u64::from_le_bytes(length.try_into().ok()?);
        let at = all.checked_sub(length.checked_add(16)?)?;
        let mut payload = vec![0; usize::try_from(length).ok()?];
        file.read_exact_at(&mut payload, at).ok()?;
        let json = zstd::stream::read::Decoder::new(&payload[..]).ok()?;
        let mut text = Vec::new();
        json.take(MOST_OF_INDEX).read_to_end(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Returns an error unless it can be unpacked without harm.
    pub fn check(&self) -> Result<()> {
        ensure!(
            (WITHOUT_LINKS..=FORMAT).contains(&self.format),
            "it has format {}, and this mpiscope knows {FORMAT}: unpack it with mpiscope {} or \
             later, or by `tar -xf`",
            self.format,
            self.mpiscope
        );
        let root = Path::new(&self.root);
        ensure!(
            leads_down(root) && root.components().count() == 1,
            "it names {:?} as its folder, which is none",
            self.root
        );
        let frames = self.frames.iter();
        ensure!(
            frames.clone().all(|frame| frame.holds <= MOST_PER_FRAME),
            "a frame of it would take more than {MOST_PER_FRAME} bytes of memory"
        );
        let stream = frames.fold(0u64, |sum, frame| sum.saturating_add(frame.holds));
        let mut known = HashSet::new();
        let mut whole = HashSet::new();
        let mut free = 0;
        for member in &self.members {
            let path = &member.path;
            let own = path.is_empty() && member.folder;
            ensure!(
                own || leads_down(Path::new(path)),
                "it holds {path:?}, which would lie outside of the run"
            );
            ensure!(known.insert(path), "it holds {path} twice");
            match &member.link {
                None if member.folder => {}
                None => {
                    whole.insert(path);
                }
                Some(link) => ensure!(
                    whole.contains(link) && !member.folder && member.size == 0,
                    "it says that {path} is {link}, and holds no such file before it"
                ),
            }
            let end = member.at.checked_add(member.size);
            let fits = free <= member.at && end.is_some_and(|end| end <= stream);
            ensure!(fits, "{path} lies where another file is, or nothing");
            free = member.at + member.size;
        }
        Ok(())
    }

    /// Returns how many bytes the files have.
    pub fn bytes(&self) -> u64 {
        // Cannot overflow: none overlaps another.
        self.members.iter().map(|member| member.size).sum()
    }

    /// Returns the files.
    pub fn files(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| !member.folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, at: u64, size: u64) -> Member {
        Member {
            path: path.to_owned(),
            at,
            size,
            ..Member::default()
        }
    }

    fn index(members: Vec<Member>) -> Index {
        Index {
            format: WITHOUT_LINKS,
            mpiscope: "0.1.0".to_owned(),
            root: "heat.mpiscope".to_owned(),
            members,
            frames: vec![Frame {
                bytes: 10,
                holds: 4096,
            }],
        }
    }

    #[track_caller]
    fn check(index: &Index, words: &str) {
        let error = index.check().unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }

    #[test]
    fn only_what_leads_down_is_unpacked() {
        for path in ["run.json", "traces/0.evt", "a/b/c"] {
            assert!(leads_down(Path::new(path)), "{path}");
        }
        for path in ["", "/etc/passwd", "../x", "a/../../x", "./a", ".."] {
            assert!(!leads_down(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let sound = index(vec![file("a", 512, 100), file("b/c", 1536, 2560)]);
        sound.check().unwrap();
        for path in ["../a", "/a", "", "a/../../b"] {
            check(&index(vec![file(path, 0, 1)]), "outside of the run");
        }
        check(&index(vec![file("a", 0, 1), file("a", 1, 1)]), "twice");
        let overlapping = vec![file("a", 0, 100), file("b", 99, 1)];
        check(&index(overlapping), "where another file is");
        check(&index(vec![file("a", 4000, 97)]), "or nothing");
        check(&index(vec![file("a", u64::MAX, 2)]), "or nothing");
        for root in ["", "..", "a/b", "/"] {
            let other = Index {
                root: root.to_owned(),
                ..sound.clone()
            };
            check(&other, "as its folder");
        }
        let newer = Index {
            format: 3,
            ..sound.clone()
        };
        check(&newer, "format 3");
        let link = |path: &str, to: &str| Member {
            link: Some(to.to_owned()),
            ..file(path, 100, 0)
        };
        let linked = |other: Member| index(vec![file("a", 0, 100), other]);
        linked(link("b", "a")).check().unwrap();
        for other in ["b", "c", "../a"] {
            check(&linked(link("b", other)), "no such file before");
        }
        let long = Member {
            size: 1,
            ..link("b", "a")
        };
        check(&linked(long), "no such file before");
        let huge = Index {
            frames: vec![Frame {
                bytes: 100,
                holds: 1 << 40,
            }],
            ..sound
        };
        check(&huge, "memory");
    }

    #[test]
    fn it_is_found_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("packed");
        let mut bytes = b"frames".to_vec();
        let written = index(vec![file("a", 0, 1)]);
        written.write(&mut bytes).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        let read = Index::read(&File::open(&path).unwrap()).unwrap();
        assert_eq!(read.members, written.members);
        for length in 0..bytes.len() {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert!(Index::read(&File::open(&path).unwrap()).is_none());
        }
    }
}
