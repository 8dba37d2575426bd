//! Samples, from OTF2's records to the model's.

use mpiscope_model::Sample;
use otf2::{Base, Definition, InterruptGeneratorMode};

use super::names::Names;
use super::notes::Said;

/// Returns a look at a thread, if the archive says where in the program it was as we do.
pub(super) fn sample(context: u32, said: Option<&Said>, names: &Names) -> Option<Sample> {
    Some(Sample {
        site: names.call_site(context)?,
        periods: said.and_then(|said| said.periods).unwrap_or(1).max(1),
    })
}

/// Returns how many nanoseconds a sample stands for, if there is one timer and no other source.
pub(super) fn period(definitions: &[Definition]) -> Option<u64> {
    let mut all = definitions
        .iter()
        .filter_map(|definition| match *definition {
            Definition::InterruptGenerator {
                interrupt_generator_mode,
                base,
                exponent,
                period,
                ..
            } => Some((interrupt_generator_mode, base, exponent, period)),
            _ => None,
        });
    let (mode, base, exponent, period) = all.next()?;
    let is_alone = all.next().is_none();
    if mode != InterruptGeneratorMode::TIME || !is_alone {
        return None;
    }
    let exponent = i32::try_from(exponent).ok()?;
    let base: f64 = if base == Base::BINARY { 2.0 } else { 10.0 };
    let nanoseconds = period as f64 * base.powi(exponent) * 1e9;
    (0.5..1e18)
        .contains(&nanoseconds)
        .then(|| nanoseconds.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_is_told_in_any_unit() {
        let timer = |base, exponent, period| Definition::InterruptGenerator {
            id: 0,
            name: 0,
            interrupt_generator_mode: InterruptGeneratorMode::TIME,
            base,
            exponent,
            period,
        };
        assert_eq!(period(&[timer(Base::DECIMAL, -9, 1_000)]), Some(1_000));
        assert_eq!(period(&[timer(Base::DECIMAL, -3, 10)]), Some(10_000_000));
        assert_eq!(period(&[timer(Base::BINARY, -1, 1)]), Some(500_000_000));
        assert_eq!(period(&[timer(Base::DECIMAL, i64::MIN, 1)]), None);
        assert_eq!(period(&[timer(Base::DECIMAL, i64::MAX, 1)]), None);
        let two = [timer(Base::DECIMAL, -9, 1), timer(Base::DECIMAL, -9, 1)];
        assert_eq!((period(&two), period(&[])), (None, None));
    }
}
