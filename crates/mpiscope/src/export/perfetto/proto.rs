//! Protocol buffers, as far as they are written here: numbers as varints, fixed 64 bits, and
//! bytes with their length (<https://protobuf.dev/programming-guides/encoding>).

/// A message on its way: fields, each with its number, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message(Vec<u8>);

/// How the value of a field is written.
#[derive(Debug, Clone, Copy)]
enum Wire {
    Varint = 0,
    Fixed64 = 1,
    Bytes = 2,
}

impl Message {
    /// Returns an empty message.
    pub fn new() -> Message {
        Message::default()
    }

    /// Adds a number: of the types int32, int64, uint32, uint64, bool and of enumerations.
    pub fn number(mut self, field: u32, value: u64) -> Message {
        self.key(field, Wire::Varint);
        self.varint(value);
        self
    }

    /// Adds a number, if there is one.
    pub fn maybe(self, field: u32, value: Option<u64>) -> Message {
        match value {
            Some(value) => self.number(field, value),
            None => self,
        }
    }

    /// Adds a number of the type fixed64.
    pub fn fixed64(mut self, field: u32, value: u64) -> Message {
        self.key(field, Wire::Fixed64);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// Adds a text.
    pub fn text(self, field: u32, value: &str) -> Message {
        self.bytes(field, value.as_bytes())
    }

    /// Adds a message.
    pub fn message(self, field: u32, value: &Message) -> Message {
        self.bytes(field, &value.0)
    }

    fn bytes(mut self, field: u32, value: &[u8]) -> Message {
        self.key(field, Wire::Bytes);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    fn key(&mut self, field: u32, wire: Wire) {
        self.varint(u64::from(field) << 3 | wire as u64);
    }

    /// Seven bits a byte, the lowest first; the eighth says that more follow.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Returns whether it has no fields.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns it as it is written.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_the_documentation_shows() {
        let inner = Message::new().number(1, 150);
        assert_eq!(inner.as_bytes(), [0x08, 0x96, 0x01]);
        let text = Message::new().text(2, "testing");
        assert_eq!(text.as_bytes(), b"\x12\x07testing");
        let outer = Message::new().message(3, &inner).maybe(4, None);
        assert_eq!(outer.as_bytes(), [0x1a, 0x03, 0x08, 0x96, 0x01]);
        assert!(Message::new().is_empty() && !outer.is_empty());
    }

    #[test]
    fn large_numbers_take_as_many_bytes_as_they_need() {
        let message = Message::new().number(47, u64::MAX).fixed64(47, 1);
        let expected = [
            &[0xf8, 0x02][..],
            &[0xff; 9],
            &[0x01, 0xf9, 0x02, 1, 0, 0, 0, 0, 0, 0, 0],
        ];
        assert_eq!(message.as_bytes(), expected.concat());
    }
}
