//! The anchor: the one small file that names an archive and tells how its
//! other files are cut.

use crate::chunk::{check_size, CHUNK_HEADER, END_OF_BUFFER, END_OF_CHUNK, END_OF_FILE};
use crate::enums::{Compression, FileSubstrate};
use crate::wire::{ByteOrder, Cursor, Fault, Out};
use crate::Error;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;

const MAGIC: &str = "OTF2";
const FORMAT: u8 = 3;
const TRACE_FORMAT: u8 = 2;

/// What the anchor says about the archive.
///
/// Later formats append fields: begin with [`Anchor::default`] and change what is other.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Anchor {
    /// The version of the library that wrote the archive.
    pub version: [u8; 3],
    /// Bytes of a chunk of events.
    pub event_chunk: u64,
    /// Bytes of a chunk of definitions or markers.
    pub definition_chunk: u64,
    /// How the files are stored.
    pub substrate: FileSubstrate,
    /// How the files are compressed.
    pub compression: Compression,
    /// The number of locations; not to be relied on when reading.
    pub locations: u64,
    /// The number of global definitions; not to be relied on when reading.
    pub definitions: u64,
    /// The machine's name.
    pub machine: String,
    /// The program that wrote the archive.
    pub creator: String,
    /// What the archive is about.
    pub description: String,
    /// Names such as `TOOL::SETTING` and their values.
    pub properties: Vec<(String, String)>,
    /// A random number that tells archives apart.
    pub trace_id: u64,
    /// The number of snapshots.
    pub snapshots: u32,
    /// The number of thumbnails.
    pub thumbnails: u32,
}

impl Default for Anchor {
    /// An empty archive with chunks of 256 KiB and 4 MiB and a random trace id.
    fn default() -> Self {
        Self {
            // The release whose byte layout the writer follows.
            version: [3, 0, 2],
            event_chunk: crate::write::EVENT_CHUNK,
            definition_chunk: crate::write::DEFINITION_CHUNK,
            substrate: FileSubstrate::POSIX,
            compression: Compression::NONE,
            locations: 0,
            definitions: 0,
            machine: String::new(),
            creator: String::new(),
            description: String::new(),
            properties: Vec::new(),
            trace_id: random_id(),
            snapshots: 0,
            thumbnails: 0,
        }
    }
}

/// The standard library's hash keys are random in each process.
fn random_id() -> u64 {
    let mut hasher = std::hash::RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    hasher.finish() | 1
}

impl Anchor {
    pub(crate) fn encode(&self, path: &Path) -> Result<Vec<u8>, Error> {
        self.encode_in(ByteOrder::Little, path)
    }

    pub(crate) fn encode_in(&self, order: ByteOrder, path: &Path) -> Result<Vec<u8>, Error> {
        self.check(path)?;
        let texts = self.texts().map(|text| text.len() + 1).sum::<usize>();
        let mut out = Out::new(texts + 128, order);
        out.u8(CHUNK_HEADER);
        out.u8(out.order().tag());
        out.string(MAGIC);
        out.u8(FORMAT);
        out.u8(TRACE_FORMAT);
        out.bytes(&self.version);
        out.u64(self.event_chunk);
        out.u64(self.definition_chunk);
        out.u8(self.substrate.0);
        out.u8(self.compression.0);
        out.u64(self.locations);
        out.u64(self.definitions);
        out.string(&self.machine);
        out.string(&self.creator);
        out.string(&self.description);
        out.u32(self.properties.len() as u32);
        for (name, value) in &self.properties {
            out.string(name);
            out.string(value);
        }
        out.u64(self.trace_id);
        out.u32(self.snapshots);
        out.u32(self.thumbnails);
        out.bytes(&[END_OF_FILE, END_OF_BUFFER, END_OF_CHUNK]);
        Ok(out.filled().to_vec())
    }

    fn texts(&self) -> impl Iterator<Item = &String> {
        let pairs = self.properties.iter().flat_map(|pair| [&pair.0, &pair.1]);
        [&self.machine, &self.creator, &self.description]
            .into_iter()
            .chain(pairs)
    }

    fn check(&self, path: &Path) -> Result<(), Error> {
        check_size(path, self.event_chunk)?;
        check_size(path, self.definition_chunk)?;
        for (name, value) in &self.properties {
            if !is_property_name(name) {
                return Err(Error::PropertyName { name: name.clone() });
            }
            if value.is_empty() {
                return Err(Error::PropertyValue { name: name.clone() });
            }
        }
        match self.texts().find(|text| text.contains('\0')) {
            Some(text) => Err(Error::AnchorString {
                path: path.to_owned(),
                text: text.clone(),
            }),
            None => Ok(()),
        }
    }

    pub(crate) fn decode(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        let not_an_archive = |offset: usize, expected| Error::NotAnArchive {
            path: path.to_owned(),
            offset,
            expected,
        };
        if bytes.first() != Some(&CHUNK_HEADER) {
            return Err(not_an_archive(0, "an OTF2 anchor (byte 3)"));
        }
        let order = bytes.get(1).and_then(|tag| ByteOrder::from_tag(*tag));
        let order = order.ok_or_else(|| not_an_archive(1, Fault::ByteOrder.expected()))?;
        if bytes.get(2..7) != Some(b"OTF2\0") {
            return Err(not_an_archive(2, "the letters OTF2"));
        }
        let mut cursor = Cursor::new(bytes, order);
        let anchor = cursor.take(7).and_then(|_| Self::fields(&mut cursor));
        let anchor = anchor.map_err(|fault| not_an_archive(cursor.at(), fault.expected()))?;
        anchor.readable(path)?;
        Ok(anchor)
    }

    fn fields(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        let format = cursor.u8()?;
        // All releases up to 3.2 wrote trace format 2; a reader that met
        // another would not know its records, but the anchor says enough.
        let _trace_format = cursor.u8()?;
        let mut anchor = Self {
            version: [cursor.u8()?, cursor.u8()?, cursor.u8()?],
            event_chunk: cursor.u64()?,
            definition_chunk: cursor.u64()?,
            substrate: FileSubstrate(cursor.u8()?),
            compression: Compression(cursor.u8()?),
            locations: cursor.u64()?,
            definitions: cursor.u64()?,
            machine: cursor.string()?,
            creator: cursor.string()?,
            description: cursor.string()?,
            properties: Vec::new(),
            trace_id: 0,
            snapshots: 0,
            thumbnails: 0,
        };
        if format >= 2 {
            for _ in 0..cursor.u32()? {
                anchor.properties.push((cursor.string()?, cursor.string()?));
            }
            anchor.trace_id = cursor.u64()?;
        }
        if format >= 3 {
            anchor.snapshots = cursor.u32()?;
            anchor.thumbnails = cursor.u32()?;
        }
        Ok(anchor)
    }

    fn readable(&self, path: &Path) -> Result<(), Error> {
        let unsupported = |what: String| Error::Unsupported {
            path: path.to_owned(),
            what,
        };
        match self.substrate {
            FileSubstrate::POSIX => {}
            FileSubstrate::SION => return Err(unsupported("a SIONlib container".into())),
            other => return Err(unsupported(format!("file substrate {other}"))),
        }
        match self.compression {
            Compression::NONE => {}
            Compression(2) => return Err(unsupported("zlib compression (OTF2 before 3.0)".into())),
            other => return Err(unsupported(format!("compression {other}"))),
        }
        check_size(path, self.event_chunk)?;
        check_size(path, self.definition_chunk)?;
        Ok(())
    }
}

/// libotf2 checks these names when it opens an archive, and refuses it
/// altogether if one does not please.
fn is_property_name(name: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_'))
    };
    name.split("::").count() >= 2 && name.split("::").all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An anchor that libotf2 3.0.2 wrote, but for the trace id.
    const EXAMPLE: &[u8] = b"\x03\x42OTF2\0\x03\x02\x03\x00\x02\
        \0\0\x10\0\0\0\0\0\0\0\x40\0\0\0\0\0\x01\x01\x04\0\0\0\0\0\0\0\x83\0\0\0\0\0\0\0\
        \0wbench\0\0\0\0\0\0\xff\x11\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\x01\0";

    fn example() -> Anchor {
        Anchor {
            event_chunk: 1 << 20,
            definition_chunk: 4 << 20,
            locations: 4,
            definitions: 131,
            creator: "wbench".into(),
            trace_id: 0x11ff,
            ..Anchor::default()
        }
    }

    #[test]
    fn the_example_is_read_and_written() {
        let path = Path::new("example.otf2");
        assert_eq!(EXAMPLE.len(), 78);
        assert_eq!(Anchor::decode(EXAMPLE, path).unwrap(), example());
        assert_eq!(example().encode(path).unwrap(), EXAMPLE);
    }

    #[test]
    fn an_anchor_cut_anywhere_is_refused() {
        for end in 0..EXAMPLE.len() - 3 {
            let error = Anchor::decode(&EXAMPLE[..end], Path::new("x")).unwrap_err();
            assert!(
                matches!(error, Error::NotAnArchive { .. }),
                "{end}: {error}"
            );
        }
    }

    #[test]
    fn sion_and_zlib_are_refused_by_name() {
        for (place, value, word) in [(28, 2, "SIONlib"), (29, 2, "zlib")] {
            let mut bytes = EXAMPLE.to_vec();
            bytes[place] = value;
            let error = Anchor::decode(&bytes, Path::new("x")).unwrap_err();
            assert!(error.to_string().contains(word), "{error}");
        }
    }

    #[test]
    fn property_names_have_two_parts_at_least() {
        for good in ["A::B", "MPISCOPE::CLOCK_2::X"] {
            assert!(is_property_name(good), "{good}");
        }
        for bad in ["", "A", "A::", "::A", "A::b", "A:B", "A::B-C", "A:::B"] {
            assert!(!is_property_name(bad), "{bad}");
        }
    }
}
