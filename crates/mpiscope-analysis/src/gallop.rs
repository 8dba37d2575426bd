//! Looking for what is near as a rule, in steps that become longer: what lies far off costs more, and
//! may not even be in memory.

/// Returns the first number from one on that is not before something, of those less than `len`;
/// found the faster the nearer it is.
#[inline]
pub(crate) fn gallop(from: usize, len: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let mut low = from.min(len);
    let mut step = 1;
    let mut high = loop {
        let probe = low + step - 1;
        if probe >= len || !is_before(probe) {
            break probe.min(len);
        }
        low = probe + 1;
        step *= 2;
    };
    while low < high {
        let middle = low + (high - low) / 2;
        match is_before(middle) {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_is_not_before_is_found_from_any_number() {
        let times = [1, 3, 3, 4, 7, 7, 7, 9, 12, 12, 20];
        for from in 0..=times.len() + 1 {
            for moment in 0..=21 {
                let is_before = |at: usize| times[at] <= moment;
                let expected = (from..times.len()).find(|at| !is_before(*at));
                let found = gallop(from, times.len(), is_before);
                assert_eq!(
                    found,
                    expected.unwrap_or(times.len()),
                    "{moment} from {from}"
                );
            }
        }
    }
}
