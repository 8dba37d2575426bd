//! Columns of numbers as bytes, as viewer/PROTOCOL.md lays them out: little-endian, behind a header
//! of 16 bytes.

/// No row, region, event or communicator.
pub const NONE: u32 = u32::MAX;

/// The layout that is written.
const FORMAT: u32 = 1;

/// What an encoded tile holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// Shares of classes.
    Shares = 1,
    /// Calls and waiting.
    Spans = 2,
    /// Messages.
    Messages = 3,
    /// Collective operations.
    Collectives = 4,
}

/// Bytes of a tile, as far as they are written.
#[derive(Clone, Debug)]
pub struct Encoder(Vec<u8>);

impl Encoder {
    /// Writes the header.
    pub fn new(kind: Kind, entries: usize, flags: u32) -> Encoder {
        let header = [FORMAT, kind as u32, entries as u32, flags];
        let mut encoder = Encoder(Vec::new());
        encoder.u32s(header);
        encoder
    }

    /// Writes a column of 16-bit numbers.
    pub fn u16s(&mut self, column: impl IntoIterator<Item = u16>) {
        let bytes = column.into_iter().flat_map(u16::to_le_bytes);
        self.0.extend(bytes);
    }

    /// Writes a column of 32-bit numbers.
    pub fn u32s(&mut self, column: impl IntoIterator<Item = u32>) {
        let bytes = column.into_iter().flat_map(u32::to_le_bytes);
        self.0.extend(bytes);
    }

    /// Writes a column of floating-point numbers.
    pub fn f64s(&mut self, column: impl IntoIterator<Item = f64>) {
        let bytes = column.into_iter().flat_map(f64::to_le_bytes);
        self.0.extend(bytes);
    }

    /// Returns the bytes.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}
