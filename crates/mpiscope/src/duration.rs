//! Durations as people write them: `500ns`, `1.2us`, `10s`.

/// Reads a duration in seconds, or with a unit.
pub fn seconds(text: &str) -> Result<f64, String> {
    const UNITS: [(&str, f64); 5] = [
        ("ns", 1e-9),
        ("us", 1e-6),
        ("µs", 1e-6),
        ("ms", 1e-3),
        ("s", 1.0),
    ];
    let unit = UNITS.iter().find(|unit| text.ends_with(unit.0));
    let (digits, factor) = unit.map_or((text, 1.0), |unit| {
        (&text[..text.len() - unit.0.len()], unit.1)
    });
    let value = digits
        .trim()
        .parse::<f64>()
        .ok()
        .map(|value| value * factor);
    value
        .filter(|value| (0.0..1e6).contains(value))
        .ok_or_else(|| "a duration such as 500ns, 1.2us or 0 is expected".to_owned())
}

/// Reads a duration that must have a unit, unless it is 0: of a network's latency of `25` nobody means
/// 25 s.
pub fn with_unit(text: &str) -> Result<f64, String> {
    let value = seconds(text)?;
    // All units end so.
    match value == 0.0 || text.ends_with('s') {
        true => Ok(value),
        false => Err(format!(
            "a duration with its unit such as {text}us is expected (ns, us, ms or s)"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(seconds("0"), Ok(0.0));
        assert_eq!(seconds("2ms"), Ok(0.002));
        assert_eq!(seconds("3 s"), Ok(3.0));
        for text in ["", "s", "-1", "1h", "nan"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn short_durations_need_a_unit() {
        assert_eq!(with_unit("0"), Ok(0.0));
        assert_eq!(with_unit("0.0"), Ok(0.0));
        assert_eq!(with_unit("2ms"), Ok(0.002));
        assert_eq!(with_unit("25 s"), Ok(25.0));
        for text in ["25", "1.5", "1e3", "-1us", "us"] {
            let error = with_unit(text).unwrap_err();
            assert!(error.contains("is expected"), "{text}: {error}");
        }
    }
}
