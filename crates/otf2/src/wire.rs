//! Bytes as OTF2 puts them down: fixed-width and *compressed* integers,
//! strings ending in NUL, in either byte order.
//!
//! A compressed integer is one length byte n and the n significant bytes;
//! n = 0 is the value 0 and n = 255 the value "undefined" (all bits set).
//! A [`Cursor`] reads and never leaves its bounds, an [`Out`] fills a buffer.

/// The order of the bytes of a number, as a chunk header tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ByteOrder {
    /// Least significant byte first.
    #[default]
    Little,
    /// Most significant byte first.
    Big,
}

impl ByteOrder {
    pub(crate) const fn tag(self) -> u8 {
        match self {
            Self::Little => 0x42,
            Self::Big => 0x23,
        }
    }

    pub(crate) const fn from_tag(tag: u8) -> Option<Self> {
        match tag {
            0x42 => Some(Self::Little),
            0x23 => Some(Self::Big),
            _ => None,
        }
    }
}

/// Why bytes could not be understood; one byte wide, so that a `Result` of a
/// number stays in registers. The readers add file, offset and event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The bytes end before the value does.
    Short,
    /// The record's own length ends before its fields do.
    Overrun,
    Length32,
    Length64,
    NoNul,
    ChunkHeader,
    ByteOrder,
    Record,
    NoTime,
    MapMode,
}

impl Fault {
    /// What the reader was looking for.
    pub fn expected(self) -> &'static str {
        match self {
            Self::Short => "more bytes in this chunk",
            Self::Overrun => "a record as long as its fields",
            Self::Length32 => "a compressed integer of at most 4 bytes",
            Self::Length64 => "a compressed integer of at most 8 bytes",
            Self::NoNul => "a string ending in NUL",
            Self::ChunkHeader => "a chunk header (byte 3)",
            Self::ByteOrder => "a byte order mark (0x42 or 0x23)",
            Self::Record => "a record",
            Self::NoTime => "a timestamp before the first event of the chunk",
            Self::MapMode => "an id map, dense (0) or sparse (1)",
        }
    }

    /// The same fault inside a record whose frame was whole.
    #[inline]
    pub fn inside_record(self) -> Self {
        match self {
            Self::Short => Self::Overrun,
            other => other,
        }
    }
}

/// Reads forward through `bytes[..end]`.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    /// Reaches beyond `end` where it can, so that a compressed integer is one
    /// load of eight bytes and a mask.
    bytes: &'a [u8],
    at: usize,
    end: usize,
    order: ByteOrder,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8], order: ByteOrder) -> Self {
        let end = bytes.len();
        Self {
            bytes,
            at: 0,
            end,
            order,
        }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn remaining(&self) -> usize {
        self.end - self.at
    }

    #[inline]
    pub fn order(&self) -> ByteOrder {
        self.order
    }

    /// The next bytes, if there are as many as a window holds.
    #[inline(always)]
    pub fn window(&self) -> Option<Window<'a>> {
        let bytes = self.bytes[..self.end].get(self.at..)?;
        bytes.first_chunk().map(Window)
    }

    /// Goes on by `n` bytes that a window showed.
    #[inline(always)]
    pub fn skip(&mut self, n: usize) {
        self.at += n;
    }

    /// The bytes from here up to another place in the same chunk.
    #[inline]
    pub fn until(&self, end: &Self) -> &'a [u8] {
        &self.bytes[self.at..end.at]
    }

    /// Returns a cursor at an earlier place of the same chunk.
    pub fn back_to(&self, at: usize) -> Self {
        Self {
            at: at.min(self.at),
            ..*self
        }
    }

    /// Goes to a place of the same chunk; returns whether that lies ahead.
    pub fn go_to(&mut self, at: usize) -> bool {
        let lies_ahead = (self.at..=self.end).contains(&at);
        if lies_ahead {
            self.at = at;
        }
        lies_ahead
    }

    /// Goes behind a compressed integer.
    #[inline]
    pub fn skip_integer(&mut self) -> Result<(), Fault> {
        match self.u8()? {
            0xff => Ok(()),
            n if n <= 8 => self.take(n.into()).map(drop),
            _ => Err(Fault::Length64),
        }
    }

    #[inline]
    pub fn u8(&mut self) -> Result<u8, Fault> {
        if self.at >= self.end {
            return Err(Fault::Short);
        }
        let byte = self.bytes[self.at];
        self.at += 1;
        Ok(byte)
    }

    #[inline]
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], Fault> {
        if n > self.remaining() {
            return Err(Fault::Short);
        }
        let taken = &self.bytes[self.at..self.at + n];
        self.at += n;
        Ok(taken)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let mut image = [0; N];
        image.copy_from_slice(self.take(N)?);
        if self.order == ByteOrder::Big {
            image.reverse();
        }
        Ok(image)
    }

    pub fn u16(&mut self) -> Result<u16, Fault> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Result<u32, Fault> {
        self.array().map(u32::from_le_bytes)
    }

    #[inline]
    pub fn u64(&mut self) -> Result<u64, Fault> {
        self.array().map(u64::from_le_bytes)
    }

    #[inline]
    pub fn c32(&mut self) -> Result<u32, Fault> {
        // UNDEFINED comes back as 64 set bits, whose low half is UNDEFINED too.
        self.compressed(4, Fault::Length32).map(|bits| bits as u32)
    }

    #[inline]
    pub fn c64(&mut self) -> Result<u64, Fault> {
        self.compressed(8, Fault::Length64)
    }

    #[inline]
    fn compressed(&mut self, most: usize, fault: Fault) -> Result<u64, Fault> {
        let n = usize::from(self.u8()?);
        if n > most {
            return if n == 0xff { Ok(u64::MAX) } else { Err(fault) };
        }
        if n > self.remaining() {
            return Err(Fault::Short);
        }
        let image = match self.bytes.get(self.at..self.at + 8) {
            Some(window) => window.try_into().unwrap_or_default(),
            None => {
                let mut image = [0; 8];
                image[..n].copy_from_slice(&self.bytes[self.at..self.at + n]);
                image
            }
        };
        self.at += n;
        let unused = 64 - 8 * n as u32;
        Ok(match self.order {
            ByteOrder::Little => {
                u64::from_le_bytes(image) & u64::MAX.checked_shr(unused).unwrap_or(0)
            }
            ByteOrder::Big => u64::from_be_bytes(image).checked_shr(unused).unwrap_or(0),
        })
    }

    /// Reads a string and its NUL; what is not UTF-8 becomes U+FFFD.
    pub fn string(&mut self) -> Result<String, Fault> {
        let rest = &self.bytes[self.at..self.end];
        let length = rest
            .iter()
            .position(|&byte| byte == 0)
            .ok_or(Fault::NoNul)?;
        self.at += length + 1;
        Ok(String::from_utf8_lossy(&rest[..length]).into_owned())
    }

    /// Reads a record's length (short or long form) and returns a cursor over
    /// its payload; this cursor moves behind it.
    #[inline]
    pub fn payload(&mut self) -> Result<Self, Fault> {
        let length = match self.u8()? {
            0xff => self.u64()?,
            short => u64::from(short),
        };
        if length > self.remaining() as u64 {
            return Err(Fault::Short);
        }
        let end = self.at + length as usize;
        let payload = Self { end, ..*self };
        self.at = end;
        Ok(payload)
    }
}

/// A piece of a chunk that is long enough for any event of a frequent kind, so that its fields
/// are found without asking at each whether the chunk ends; little-endian.
#[derive(Debug, Clone, Copy)]
pub struct Window<'a>(&'a [u8; Window::LENGTH]);

/// What is left of eight bytes of which `n` count.
const MASKS: [u64; 9] = {
    let mut masks = [0; 9];
    let mut n = 1;
    while n < 9 {
        masks[n] = u64::MAX >> (64 - 8 * n);
        n += 1;
    }
    masks
};

impl Window<'_> {
    /// Id, length, four integers of nine bytes and one more, and the eight bytes that the last
    /// is loaded with: 55.
    pub const LENGTH: usize = 64;

    #[inline(always)]
    pub fn byte(&self, at: usize) -> u8 {
        self.0[at]
    }

    #[inline(always)]
    pub fn get(&self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    /// The number in the eight bytes from `at` on.
    #[inline(always)]
    pub fn u64(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.0[at..at + 8].try_into().unwrap_or_default())
    }

    /// Reads a compressed integer of at most `most` bytes and goes behind it; nothing, if it is
    /// none or might reach beyond the window.
    #[inline(always)]
    pub fn compressed(&self, at: &mut usize, most: usize) -> Option<u64> {
        let n = usize::from(self.get(*at)?);
        let image = self.0.get(*at + 1..*at + 9)?;
        if n > most {
            *at += 1;
            return (n == 0xff).then_some(u64::MAX);
        }
        *at += 1 + n;
        let image = u64::from_le_bytes(image.try_into().unwrap_or_default());
        Some(image & MASKS[n])
    }
}

/// A buffer that is filled from the front.
///
/// It keeps [`Out::SLACK`] bytes behind its capacity, so that a compressed
/// integer is one store of eight bytes; what lies behind `at` is garbage.
/// Callers ask for room first, in whole records.
#[derive(Debug)]
pub struct Out {
    bytes: Vec<u8>,
    at: usize,
    order: ByteOrder,
}

impl Out {
    const SLACK: usize = 16;

    pub fn new(capacity: usize, order: ByteOrder) -> Self {
        Self {
            bytes: vec![0; capacity + Self::SLACK],
            at: 0,
            order,
        }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn order(&self) -> ByteOrder {
        self.order
    }

    pub fn filled(&self) -> &[u8] {
        &self.bytes[..self.at]
    }

    pub fn clear(&mut self) {
        self.at = 0;
    }

    /// Fills with zeros up to `end`.
    pub fn zero_to(&mut self, end: usize) {
        self.bytes[self.at..end].fill(0);
        self.at = end;
    }

    #[inline]
    pub fn u8(&mut self, byte: u8) {
        self.bytes[self.at] = byte;
        self.at += 1;
    }

    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    #[inline]
    fn array<const N: usize>(&mut self, mut image: [u8; N]) {
        if self.order == ByteOrder::Big {
            image.reverse();
        }
        self.bytes(&image);
    }

    pub fn u16(&mut self, value: u16) {
        self.array(value.to_le_bytes());
    }

    pub fn u32(&mut self, value: u32) {
        self.array(value.to_le_bytes());
    }

    #[inline]
    pub fn u64(&mut self, value: u64) {
        self.array(value.to_le_bytes());
    }

    /// Replaces the eight bytes at `place`.
    pub fn patch_u64(&mut self, place: usize, value: u64) {
        let end = std::mem::replace(&mut self.at, place);
        self.u64(value);
        self.at = end;
    }

    #[inline]
    pub fn c32(&mut self, value: u32) {
        match value {
            u32::MAX => self.u8(0xff),
            value => self.minimal(u64::from(value)),
        }
    }

    #[inline]
    pub fn c64(&mut self, value: u64) {
        match value {
            u64::MAX => self.u8(0xff),
            value => self.minimal(value),
        }
    }

    /// A compressed integer without the short form of "undefined", as signed
    /// values are written: -1 takes all its bytes.
    #[inline]
    pub fn minimal(&mut self, value: u64) {
        let n = significant_bytes(value);
        let image = match self.order {
            ByteOrder::Little => value.to_le_bytes(),
            ByteOrder::Big => value
                .checked_shl(64 - 8 * n as u32)
                .unwrap_or(0)
                .to_be_bytes(),
        };
        let window = &mut self.bytes[self.at..self.at + 9];
        window[0] = n as u8;
        window[1..].copy_from_slice(&image);
        self.at += 1 + n;
    }

    pub fn string(&mut self, text: &str) {
        self.bytes(text.as_bytes());
        self.u8(0);
    }

    /// Has a piece of the buffer filled, for which the caller has made sure that there is room.
    #[inline(always)]
    pub fn fill(&mut self, fill: impl FnOnce(&mut Room<'_>)) {
        let rest = &mut self.bytes[self.at..];
        let Some(bytes) = rest.first_chunk_mut() else {
            panic!("no room for {} bytes in {}", Room::LENGTH, rest.len());
        };
        let mut room = Room { bytes, at: 0 };
        fill(&mut room);
        self.at += room.at;
    }

    /// Leaves room for a record's length: the long form as soon as the payload
    /// may need it. Returns where the payload begins.
    #[inline]
    pub fn open_payload(&mut self, bound: usize) -> usize {
        if bound >= 0xff {
            self.u8(0xff);
            self.u64(0);
        } else {
            self.u8(0);
        }
        self.at
    }

    /// Puts the length of the payload that began at `start` before it.
    #[inline]
    pub fn close_payload(&mut self, start: usize, bound: usize) {
        let length = self.at - start;
        if bound >= 0xff {
            self.patch_u64(start - 8, length as u64);
        } else {
            self.bytes[start - 1] = length as u8;
        }
    }
}

/// A piece of a buffer that is long enough for any event of a frequent kind; little-endian.
#[derive(Debug)]
pub struct Room<'a> {
    bytes: &'a mut [u8; Room::LENGTH],
    at: usize,
}

impl Room<'_> {
    /// As a [`Window`] has.
    pub const LENGTH: usize = Window::LENGTH;

    #[inline(always)]
    pub fn u8(&mut self, byte: u8) {
        self.bytes[self.at] = byte;
        self.at += 1;
    }

    #[inline(always)]
    pub fn u64(&mut self, value: u64) {
        self.bytes[self.at..self.at + 8].copy_from_slice(&value.to_le_bytes());
        self.at += 8;
    }

    #[inline(always)]
    pub fn c32(&mut self, value: u32) {
        match value {
            u32::MAX => self.u8(0xff),
            value => self.minimal(value.into()),
        }
    }

    #[inline(always)]
    pub fn c64(&mut self, value: u64) {
        match value {
            u64::MAX => self.u8(0xff),
            value => self.minimal(value),
        }
    }

    #[inline(always)]
    fn minimal(&mut self, value: u64) {
        let n = significant_bytes(value);
        self.bytes[self.at] = n as u8;
        self.bytes[self.at + 1..self.at + 9].copy_from_slice(&value.to_le_bytes());
        self.at += 1 + n;
    }

    /// Writes a record of the long form: id, length, fields.
    #[inline(always)]
    pub fn framed(&mut self, id: u8, fields: impl FnOnce(&mut Self)) {
        self.u8(id);
        let length = self.at;
        self.u8(0);
        fields(self);
        self.bytes[length] = (self.at - length - 1) as u8;
    }
}

/// Bytes of the length field of a payload of at most `bound` bytes.
#[inline]
pub(crate) fn length_size(bound: usize) -> usize {
    if bound >= 0xff {
        9
    } else {
        1
    }
}

#[inline]
pub(crate) fn significant_bytes(value: u64) -> usize {
    (71 - value.leading_zeros() as usize) / 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(order: ByteOrder, put: impl FnOnce(&mut Out)) -> Vec<u8> {
        let mut out = Out::new(64, order);
        put(&mut out);
        out.filled().to_vec()
    }

    fn check_c64(value: u64, little: &[u8], big: &[u8]) {
        for (order, bytes) in [(ByteOrder::Little, little), (ByteOrder::Big, big)] {
            assert_eq!(written(order, |out| out.c64(value)), bytes);
            assert_eq!(Cursor::new(bytes, order).c64(), Ok(value));
        }
    }

    #[test]
    fn compressed_integers_take_their_significant_bytes() {
        check_c64(0, &[0], &[0]);
        check_c64(1, &[1, 1], &[1, 1]);
        check_c64(255, &[1, 255], &[1, 255]);
        check_c64(0x01f310, &[3, 0x10, 0xf3, 1], &[3, 1, 0xf3, 0x10]);
        check_c64(
            u64::MAX - 1,
            &[8, 254, 255, 255, 255, 255, 255, 255, 255],
            &[8, 255, 255, 255, 255, 255, 255, 255, 254],
        );
        check_c64(u64::MAX, &[255], &[255]);
    }

    #[test]
    fn undefined_of_32_bits_is_one_byte() {
        assert_eq!(written(ByteOrder::Little, |out| out.c32(u32::MAX)), [255]);
        assert_eq!(Cursor::new(&[255], ByteOrder::Little).c32(), Ok(u32::MAX));
    }

    #[test]
    fn minus_one_is_written_in_full_and_read_in_both_forms() {
        let full = written(ByteOrder::Little, |out| out.minimal(-1i64 as u64));
        assert_eq!(full, [8, 255, 255, 255, 255, 255, 255, 255, 255]);
        for bytes in [&full[..], &[255]] {
            let read = Cursor::new(bytes, ByteOrder::Little).c64().unwrap() as i64;
            assert_eq!(read, -1);
        }
    }

    #[test]
    fn integers_longer_than_needed_are_read() {
        let mut cursor = Cursor::new(&[3, 7, 0, 0], ByteOrder::Little);
        assert_eq!(cursor.c32(), Ok(7));
    }

    #[test]
    fn impossible_length_bytes_are_refused() {
        let bytes = [5, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        assert_eq!(
            Cursor::new(&bytes, ByteOrder::Little).c32(),
            Err(Fault::Length32)
        );
        let bytes = [9, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        assert_eq!(
            Cursor::new(&bytes, ByteOrder::Little).c64(),
            Err(Fault::Length64)
        );
    }

    #[test]
    fn a_payload_cannot_leave_its_chunk() {
        assert!(Cursor::new(&[3, 1, 2], ByteOrder::Little)
            .payload()
            .is_err());
        let long = [255, 255, 255, 255, 255, 255, 255, 255, 255, 1];
        assert!(Cursor::new(&long, ByteOrder::Little).payload().is_err());
    }

    #[test]
    fn strings_need_their_nul() {
        assert_eq!(
            Cursor::new(b"abc", ByteOrder::Little).string(),
            Err(Fault::NoNul)
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(value: u64, shift in 0u32..64, big: bool) {
            let value = value >> shift;
            let order = if big { ByteOrder::Big } else { ByteOrder::Little };
            let bytes = written(order, |out| { out.c64(value); out.u64(value); out.c32(value as u32) });
            let mut cursor = Cursor::new(&bytes, order);
            prop_assert_eq!(cursor.c64(), Ok(value));
            prop_assert_eq!(cursor.u64(), Ok(value));
            prop_assert_eq!(cursor.c32(), Ok(value as u32));
            prop_assert_eq!(cursor.remaining(), 0);
        }

        #[test]
        fn no_bytes_make_the_cursor_panic(bytes: Vec<u8>, big: bool) {
            let order = if big { ByteOrder::Big } else { ByteOrder::Little };
            let mut cursor = Cursor::new(&bytes, order);
            while cursor.c64().is_ok() && cursor.c32().is_ok() && cursor.payload().is_ok() {}
            let _ = Cursor::new(&bytes, order).string();
        }
    }
}
