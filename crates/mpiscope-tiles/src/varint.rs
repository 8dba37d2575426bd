//! Small numbers in few bytes.

/// Appends a number, seven bits a byte, the lowest first.
pub fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number from the begin of some bytes; nothing if there is none.
#[inline]
pub fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Makes a number of one that may be negative, small if that is near 0.
#[inline]
pub fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

/// Returns the number that was made so.
#[inline]
pub fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 300, u64::MAX / 2, u64::MAX] {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            let mut rest = &bytes[..];
            assert_eq!(take(&mut rest), Some(number));
            assert!(rest.is_empty());
            assert_eq!(take(&mut &bytes[..bytes.len() - 1]), None);
        }
        for number in [0, 1, -1, 77, i64::MIN, i64::MAX] {
            assert_eq!(unzigzag(zigzag(number)), number);
        }
    }
}
