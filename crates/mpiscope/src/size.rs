//! Sizes in bytes as people write them: `64M`, `1.5G`.

/// Reads a size; `k`, `M`, `G` are powers of 1024, with or without `B` or `iB`.
pub fn parse(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let unit = unit
        .strip_suffix("ib")
        .or(unit.strip_suffix('b'))
        .unwrap_or(&unit);
    let power = match unit {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        _ => return Err(EXPECTED.to_owned()),
    };
    let number: f64 = digits.parse().map_err(|_| EXPECTED.to_owned())?;
    let bytes = number * f64::from(1 << power);
    // Also refuses what is not a number.
    if !(1.0..1e15).contains(&bytes) {
        return Err("a size from 1 byte to 1 PB is expected".to_owned());
    }
    Ok(bytes as u64)
}

const EXPECTED: &str = "a size such as 64M, 1G or 4096 is expected";

/// Writes a size as people read it.
pub fn show(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    let decimals = usize::from(value < 10.0 && unit > 0);
    format!("{value:.decimals$} {}", units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_and_without_unit() {
        let check = |text: &str, bytes: u64| assert_eq!(parse(text), Ok(bytes), "{text}");
        check("4096", 4096);
        check("64M", 64 << 20);
        check("1.5GiB", 3 << 29);
        check("2kb", 2048);
        for text in ["", "M", "64X", "-1", "0", "1e400", "nan", "inf", "é"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_shown_with_two_or_three_digits() {
        assert_eq!(show(512), "512 B");
        assert_eq!(show(1536), "1.5 KiB");
        assert_eq!(show(64 << 20), "64 MiB");
    }
}
