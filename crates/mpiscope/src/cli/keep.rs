//! How much of a trace is kept: `trace --keep`.

use mpiscope_run::kept::Keep;

use crate::duration::seconds;
use crate::size;

/// Reads a size or a time.
pub(super) fn keep(text: &str) -> Result<Keep, String> {
    const EXPECTED: &str =
        "a size is expected, such as 64M (64k at least), or a time, such as 30s (100ms at least)";
    let kept = match text.ends_with('s') {
        true => seconds(text).map(Keep::Seconds),
        false => size::parse(text).map(Keep::Bytes),
    };
    let is_enough = |keep: &Keep| match keep {
        Keep::Bytes(bytes) => *bytes >= 64 << 10,
        Keep::Seconds(seconds) => *seconds >= 0.1,
    };
    kept.ok()
        .filter(is_enough)
        .ok_or_else(|| EXPECTED.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_kept() {
        assert_eq!(keep("64M"), Ok(Keep::Bytes(64 << 20)));
        assert_eq!(keep("30s"), Ok(Keep::Seconds(30.0)));
        assert_eq!(keep("500ms"), Ok(Keep::Seconds(0.5)));
        for text in ["0", "0s", "5x", "1k", "1ms", "-5s", "", "s"] {
            assert!(keep(text).is_err(), "{text}");
        }
    }
}
