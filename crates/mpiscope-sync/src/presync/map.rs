//! The map from one clock's own time to the master's: offsets at knots.
//!
//! Between two knots the offset is interpolated, and the first and last
//! segment go on beyond the ends. All locations of a clock share one map, so
//! their order among each other is kept.
//!
//! Times are integers; a double serves for the product of slope and distance
//! alone, rounded half to even and never fused with the addition, so that
//! every machine computes the same ticks.

use std::ops::Range;

use mpiscope_model::plain::{put_list, take_list, Plain};
use mpiscope_model::{plain, Duration, Timestamp};

use crate::report::Warning;
use crate::Error;

/// What is known of a clock at one of its times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Knot {
    /// When, read from the clock itself.
    pub time: Timestamp,
    /// What to add to get the master's time.
    pub offset: Duration,
    /// How far off the offset may be.
    pub half_width: Duration,
    /// The clock was set just before: nothing is interpolated from the knot
    /// before this one, whose segment goes on up to here.
    pub after_step: bool,
}

/// The map of one clock; without knots, times stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClockMap {
    knots: Vec<Knot>,
    pieces: Vec<Piece>,
    /// Pieces per tick, between where the first and the last begin.
    density: f64,
}

/// Pieces looked at from a guess on; where they are not nearly equally long, a search is faster.
const LOOKS: usize = 8;

/// From local time `from` on, the offset is `offset + slope · (time − knot)`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    from: i64,
    knot: i64,
    offset: i64,
    slope: f64,
}

plain! {
    Knot { time, offset, half_width, after_step }
    Piece { from, knot, offset, slope }
}

impl ClockMap {
    /// Builds a map through knots that ascend strictly in time. `clock` is its
    /// number in the trace, for messages. Between knots that imply more drift
    /// than `max_slope`, the nearer one's offset is used.
    pub(super) fn through(
        clock: usize,
        knots: Vec<Knot>,
        max_slope: f64,
        warnings: &mut Vec<Warning>,
    ) -> Result<ClockMap, Error> {
        let mut pieces = Vec::with_capacity(knots.len());
        for pair in knots.windows(2) {
            if pair[1].after_step {
                continue_to(&mut pieces, &pair[0]);
                continue;
            }
            let slope = slope(&pair[0], &pair[1]);
            let (from, to) = (pair[0].time, pair[1].time);
            if slope <= -1.0 {
                return Err(Error::ClockReversed { clock, from, to });
            }
            if slope.abs() <= max_slope {
                pieces.push(Piece {
                    slope,
                    ..constant(&pair[0])
                });
                continue;
            }
            warnings.push(Warning::DriftNotBelieved {
                clock,
                from,
                to,
                slope,
            });
            let middle = from.0 + ((i128::from(to.0) - i128::from(from.0)) / 2) as i64;
            pieces.push(constant(&pair[0]));
            pieces.push(Piece {
                from: middle,
                ..constant(&pair[1])
            });
        }
        if let Some(last) = knots.last() {
            if knots.len() == 1 || last.after_step {
                pieces.push(constant(last));
            }
        }
        let density = match &pieces[..] {
            [first, .., last] => {
                (pieces.len() - 1) as f64 / last.from.saturating_sub(first.from) as f64
            }
            _ => 0.0,
        };
        Ok(ClockMap {
            knots,
            pieces,
            density,
        })
    }

    /// Builds a map whose drifts are believed whatever they are; `None` if it
    /// would run backwards.
    pub(super) fn unchecked(knots: Vec<Knot>) -> Option<ClockMap> {
        ClockMap::through(0, knots, f64::INFINITY, &mut Vec::new()).ok()
    }

    pub(super) fn put(&self, bytes: &mut Vec<u8>) {
        put_list(&self.knots, bytes);
        put_list(&self.pieces, bytes);
        self.density.put(bytes);
    }

    pub(super) fn take(bytes: &mut &[u8]) -> Option<ClockMap> {
        Some(ClockMap {
            knots: take_list(bytes)?,
            pieces: take_list(bytes)?,
            density: Plain::take(bytes)?,
        })
    }

    /// Returns the knots, ascending in time.
    pub fn knots(&self) -> &[Knot] {
        &self.knots
    }

    /// Notes at each knot how far off it may be, by its time in the master's.
    /// What was measured there may be nearer.
    pub(super) fn note_half_widths(&mut self, of: impl Fn(Timestamp) -> Duration) {
        for knot in &mut self.knots {
            let found = of(knot.time + knot.offset);
            knot.half_width = match knot.half_width {
                Duration::ZERO => found,
                measured => measured.min(found),
            };
        }
    }

    /// Returns whether the clock was set just before a local time.
    pub(super) fn steps_at(&self, time: Timestamp) -> bool {
        let place = self.knots.binary_search_by_key(&time, |knot| knot.time);
        place.is_ok_and(|place| self.knots[place].after_step)
    }

    /// Returns whether times stay as they are.
    pub fn is_identity(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Maps one local time to the master's.
    pub fn map(&self, local: Timestamp) -> Timestamp {
        let piece = self.pieces.get(self.piece(local.0));
        piece.map_or(local, |piece| piece.map(local))
    }

    /// Returns the number of the piece of a time: the first goes on before it, the last
    /// behind it.
    fn piece(&self, local: i64) -> usize {
        let [first, .., last] = &self.pieces[..] else {
            return 0;
        };
        if local < first.from || local >= last.from {
            return if local < first.from {
                0
            } else {
                self.pieces.len() - 1
            };
        }
        let since = local.saturating_sub(first.from) as f64;
        let mut at = ((since * self.density) as usize).min(self.pieces.len() - 2);
        for _ in 0..LOOKS {
            match &self.pieces[at..at + 2] {
                [piece, _] if local < piece.from => at -= 1,
                [_, next] if local >= next.from => at += 1,
                _ => return at,
            }
        }
        let after = self.pieces.partition_point(|piece| piece.from <= local);
        after.saturating_sub(1)
    }

    /// Returns a local time that is mapped to `master`, to within a few ticks.
    pub fn inverse(&self, master: Timestamp) -> Timestamp {
        let mut local = master;
        for _ in 0..4 {
            local += master - self.map(local);
        }
        local
    }

    /// Maps a column of local times, which mostly ascend.
    pub(super) fn column(&self, locals: &[Timestamp]) -> Vec<Timestamp> {
        let mut near = Near::of(self);
        locals.iter().map(|local| near.map(*local)).collect()
    }
}

/// A map that is asked for times one after another that lie near each other: it keeps
/// the piece that it used last.
pub(super) struct Near<'a> {
    map: &'a ClockMap,
    piece: Piece,
    /// The times for which it is the piece.
    valid: Range<i64>,
}

impl<'a> Near<'a> {
    /// Begins with no piece.
    pub fn of(map: &'a ClockMap) -> Near<'a> {
        Near {
            map,
            piece: Piece::IDENTITY,
            valid: 0..0,
        }
    }

    /// Maps one local time to the master's.
    #[inline(always)]
    pub fn map(&mut self, local: Timestamp) -> Timestamp {
        if !self.valid.contains(&local.0) {
            self.find(local.0);
        }
        self.piece.map(local)
    }

    #[cold]
    #[inline(never)]
    fn find(&mut self, local: i64) {
        let pieces = &self.map.pieces;
        let at = self.map.piece(local);
        self.piece = *pieces.get(at).unwrap_or(&Piece::IDENTITY);
        let from = if at == 0 { i64::MIN } else { self.piece.from };
        let next = pieces.get(at + 1);
        self.valid = from..next.map_or(i64::MAX, |next| next.from);
    }
}

impl Piece {
    /// What a map without knots does.
    const IDENTITY: Piece = Piece {
        from: 0,
        knot: 0,
        offset: 0,
        slope: 0.0,
    };

    #[inline(always)]
    fn map(&self, local: Timestamp) -> Timestamp {
        let distance = local.0.saturating_sub(self.knot) as f64;
        let drift = round_half_even(self.slope * distance);
        Timestamp(local.0.saturating_add(self.offset.saturating_add(drift)))
    }
}

/// Before a step, the last slope goes on: no piece is needed if there is one.
fn continue_to(pieces: &mut Vec<Piece>, before: &Knot) {
    if pieces.is_empty() || before.after_step {
        pieces.push(constant(before));
    }
}

fn constant(knot: &Knot) -> Piece {
    Piece {
        from: knot.time.0,
        knot: knot.time.0,
        offset: knot.offset.0,
        slope: 0.0,
    }
}

fn slope(from: &Knot, to: &Knot) -> f64 {
    let distance = |a: i64, b: i64| (i128::from(b) - i128::from(a)) as f64;
    distance(from.offset.0, to.offset.0) / distance(from.time.0, to.time.0)
}

/// Rounds to the nearest integer, halves to the even one. Adding and
/// subtracting 1.5 · 2⁵² does it in two instructions where a double still has
/// a bit for the halves; `round_ties_even` is a call on baseline x86-64.
#[inline(always)]
pub(super) fn round_half_even(value: f64) -> i64 {
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    if value.abs() < 2_251_799_813_685_248.0 {
        ((value + SHIFT) - SHIFT) as i64
    } else {
        value.round_ties_even() as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(knots: &[(i64, i64, bool)]) -> ClockMap {
        let knot = |&(time, offset, after_step): &(i64, i64, bool)| Knot {
            time: Timestamp(time),
            offset: Duration(offset),
            half_width: Duration(1),
            after_step,
        };
        ClockMap::through(0, knots.iter().map(knot).collect(), 1e-2, &mut Vec::new()).unwrap()
    }

    #[test]
    fn halves_are_rounded_to_even() {
        let rounded = [0.5, 1.5, 2.5, -0.5, -1.5, 1e15 + 0.5, 4e18].map(round_half_even);
        assert_eq!(
            rounded,
            [
                0,
                2,
                2,
                0,
                -2,
                1_000_000_000_000_000,
                4_000_000_000_000_000_000
            ]
        );
    }

    #[test]
    fn a_column_is_mapped_as_its_times_are() {
        let map = map(&[
            (0, 0, false),
            (1000, 1, false),
            (2000, 0, true),
            (3000, 9, false),
        ]);
        let locals: Vec<Timestamp> = (-500..4000)
            .rev()
            .chain(-500..4000)
            .map(Timestamp)
            .collect();
        let single: Vec<Timestamp> = locals.iter().map(|local| map.map(*local)).collect();
        assert_eq!(map.column(&locals), single);
    }

    /// Pieces of very different lengths, in which a guess is far off.
    #[test]
    fn a_piece_is_found_wherever_it_lies() {
        let ends = (0..40).map(|k| (10 * k * k * k, k % 2, false));
        let far = (0..40).map(|k| (1_000_000 + k * 500, k % 2, false));
        let knots: Vec<(i64, i64, bool)> = ends.chain(far).collect();
        let knot = |&(time, offset, after_step): &(i64, i64, bool)| Knot {
            time: Timestamp(time),
            offset: Duration(offset),
            half_width: Duration(1),
            after_step,
        };
        let knots: Vec<Knot> = knots.iter().map(knot).collect();
        let map = ClockMap::unchecked(knots).unwrap();
        assert!(map.pieces.len() > 2 * LOOKS);
        for local in (-5..20_000).chain((20_000..1_030_000).step_by(37)) {
            let after = map.pieces.partition_point(|piece| piece.from <= local);
            let piece = &map.pieces[after.saturating_sub(1)];
            assert_eq!(&map.pieces[map.piece(local)], piece, "{local}");
        }
    }

    #[test]
    fn a_step_is_no_drift() {
        let map = map(&[
            (0, 0, false),
            (1000, 2, false),
            (2000, -996, true),
            (3000, -994, false),
        ]);
        let mapped = [500, 1999, 2000, 4000].map(|time| map.map(Timestamp(time)).0);
        assert_eq!(mapped, [501, 2003, 1004, 3008]);
    }

    #[test]
    fn the_inverse_leads_back() {
        let map = map(&[(0, 5_000_000, false), (1_000_000, 5_000_700, false)]);
        for time in [-77_777, 0, 123_456, 999_999_999] {
            let there = map.map(map.inverse(Timestamp(time)));
            assert!((there - Timestamp(time)).abs() <= Duration(1));
        }
    }
}
