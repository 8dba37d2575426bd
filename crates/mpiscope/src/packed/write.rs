//! Writes a packed run: a tar stream (POSIX.1-2001, pax), compressed piece by piece.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};
use mpiscope_archive::progress::Progress;
use rayon::prelude::*;
use tar::{EntryType, Header};
use zstd::zstd_safe::CParameter;

use super::index::{Frame, Index, Member, FORMAT, PIECE, WITHOUT_LINKS};

/// What decided: from 6 to 9 a twentieth is gained, from there to 19 a tenth for 20 times the time.
const LEVEL: i32 = 9;

/// How far back what is alike is looked for, as a power of two in bytes: some ranks' events.
const WINDOW_LOG: u32 = 24;

/// What is packed.
#[derive(Debug)]
pub struct Source {
    /// The folder that it lies in.
    pub folder: PathBuf,
    /// The name of that folder in the file.
    pub root: String,
    /// Files and folders below it, folders behind what is in them: whoever unpacks then sets their
    /// times last.
    pub paths: Vec<PathBuf>,
}

impl Source {
    /// Returns about how many bytes there are to pack.
    pub fn bytes(&self) -> u64 {
        let data = |path: &PathBuf| self.folder.join(path).symlink_metadata().ok();
        let files = self.paths.iter().filter_map(data).filter(|it| it.is_file());
        let mut known = HashSet::new();
        let files = files.filter(|data| known.insert(file_number(data)));
        files
            .map(|data| data.len().next_multiple_of(512) + 1536)
            .sum()
    }
}

/// What two names of one file have in common.
fn file_number(data: &Metadata) -> (u64, u64) {
    (data.dev(), data.ino())
}

/// Packs files into one; returns what it holds.
pub fn write(source: &Source, place: &Path, progress: &Progress) -> Result<Index> {
    let out =
        File::create_new(place).with_context(|| format!("cannot write {}", place.display()))?;
    let mut tar = tar::Builder::new(Pieces::new(BufWriter::new(out), progress));
    let mut members = Vec::new();
    let mut names = HashMap::new();
    let root = PathBuf::new();
    for path in source.paths.iter().chain([&root]) {
        let full = source.folder.join(path);
        let member = append(&mut tar, source, path, &full, &mut names)
            .with_context(|| format!("cannot pack {}", full.display()))?;
        members.push(member);
    }
    let (frames, mut out) = tar.into_inner()?.finish()?;
    let links = members.iter().any(|member| member.link.is_some());
    let index = Index {
        format: if links { FORMAT } else { WITHOUT_LINKS },
        mpiscope: mpiscope_run::VERSION.to_owned(),
        root: source.root.clone(),
        members,
        frames,
    };
    index.write(&mut out)?;
    out.into_inner()
        .map_err(io::IntoInnerError::into_error)?
        .sync_all()?;
    Ok(index)
}

/// Appends a file or a folder to the stream; of a file that has another name in it, only that
/// name.
fn append<W: Write>(
    tar: &mut tar::Builder<Pieces<'_, W>>,
    source: &Source,
    path: &Path,
    full: &Path,
    names: &mut HashMap<(u64, u64), String>,
) -> Result<Member> {
    let name = path.to_str().context("its name is no UTF-8")?;
    let data = fs::symlink_metadata(full)?;
    ensure!(
        !data.is_symlink(),
        "it is a symbolic link, which leads nowhere on another machine; put what it leads to in \
         its place"
    );
    ensure!(
        data.is_dir() || data.is_file(),
        "it is neither file nor folder"
    );
    let link = match data.is_file() && data.nlink() > 1 {
        true => names.get(&file_number(&data)).cloned(),
        false => None,
    };
    let size = match data.is_dir() || link.is_some() {
        true => 0,
        false => data.len(),
    };
    let mut header = Header::new_ustar();
    header.set_entry_type(match (data.is_dir(), &link) {
        (true, _) => EntryType::Directory,
        (_, Some(_)) => EntryType::Link,
        _ => EntryType::Regular,
    });
    header.set_mode(data.mode() & 0o777);
    header.set_size(size);
    header.set_mtime(u64::try_from(data.mtime()).unwrap_or(0));
    // What an ustar header has no room for: parts of a second.
    if data.mtime() >= 0 {
        let mtime = format!("{}.{:09}", data.mtime(), data.mtime_nsec());
        tar.append_pax_extensions([("mtime", mtime.as_bytes())])?;
    }
    let within = Path::new(&source.root).join(path);
    match &link {
        _ if data.is_dir() => tar.append_data(&mut header, within, io::empty())?,
        Some(other) => {
            let other = Path::new(&source.root).join(other);
            tar.append_link(&mut header, within, other)?;
        }
        None => {
            names.insert(file_number(&data), name.to_owned());
            let content = Exactly {
                file: File::open(full)?,
                left: size,
            };
            tar.append_data(&mut header, within, content)?;
        }
    }
    Ok(Member {
        path: name.to_owned(),
        folder: data.is_dir(),
        at: tar.get_ref().length - size.next_multiple_of(512),
        size,
        mode: data.mode() & 0o777,
        mtime: (data.mtime(), data.mtime_nsec() as u32),
        link,
    })
}

/// The content of a file, as long as its header says: one that grows is cut.
struct Exactly {
    file: File,
    left: u64,
}

impl io::Read for Exactly {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let read = self.file.read(&mut buffer[..most])?;
        if read == 0 && most > 0 {
            return Err(io::Error::other("it became shorter while it was read"));
        }
        self.left -= read as u64;
        Ok(read)
    }
}

/// The stream, cut into pieces of one length; as many as there are threads are compressed at once.
struct Pieces<'a, W> {
    out: W,
    progress: &'a Progress,
    /// Bytes of the stream so far.
    length: u64,
    current: Vec<u8>,
    full: Vec<Vec<u8>>,
    frames: Vec<Frame>,
}

impl<'a, W: Write> Pieces<'a, W> {
    fn new(out: W, progress: &'a Progress) -> Self {
        Pieces {
            out,
            progress,
            length: 0,
            current: Vec::new(),
            full: Vec::new(),
            frames: Vec::new(),
        }
    }

    fn compress(&mut self) -> io::Result<()> {
        let pieces = std::mem::take(&mut self.full);
        let frames: Vec<_> = pieces.par_iter().map(|piece| compress(piece)).collect();
        for (piece, frame) in pieces.iter().zip(frames) {
            let frame = frame?;
            self.out.write_all(&frame)?;
            self.progress.advance(piece.len() as u64);
            self.frames.push(Frame {
                bytes: frame.len() as u64,
                holds: piece.len() as u64,
            });
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<(Vec<Frame>, W)> {
        self.full.push(std::mem::take(&mut self.current));
        self.compress()?;
        Ok((self.frames, self.out))
    }
}

impl<W: Write> Write for Pieces<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(PIECE - self.current.len());
        self.current.extend_from_slice(&bytes[..taken]);
        self.length += taken as u64;
        if self.current.len() == PIECE {
            self.full.push(std::mem::take(&mut self.current));
        }
        if self.full.len() >= rayon::current_num_threads() {
            self.compress()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn compress(piece: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    compressor.set_parameter(CParameter::WindowLog(WINDOW_LOG))?;
    compressor.compress(piece)
}
