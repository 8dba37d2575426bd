//! Times as sentences have them.

use mpiscope_model::Duration;

/// Writes a time to three digits.
pub(crate) fn rounded(ns: u64) -> Duration {
    let unit = 10u64.pow(ns.checked_ilog10().unwrap_or(0).saturating_sub(2));
    let rounded = (ns / unit + u64::from(ns % unit >= unit.div_ceil(2) && unit > 1)) * unit;
    Duration(i64::try_from(rounded).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        let shown = |ns| rounded(ns).to_string();
        assert_eq!(shown(0), "0 ns");
        assert_eq!(shown(999), "999 ns");
        assert_eq!(shown(1_234_567), "1.23 ms");
        assert_eq!(shown(1_235_000), "1.24 ms");
        assert_eq!(shown(u64::MAX), "9223372036.854775807 s");
    }
}
