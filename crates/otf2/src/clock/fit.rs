//! Finds clock offsets that give a location's corrected times to the last bit.
//!
//! Offsets are vertices of a polyline over time, with integer coordinates; between two of
//! them a reader rounds the line. An event demands that the line passes its time less
//! than half a tick from the offset it must get. From a vertex all lines that satisfy the next events
//! lie in a cone (as in the swing filter: Elmeleegy et al., VLDB 2009). When an event closes
//! the cone, the piece ends at the last point with integer coordinates in it, and the next
//! begins there. Who corrected times by lines between knots of their own gives these: from one to
//! the next no cone is needed, and where events were moved otherwise, the line is soon met again
//! where it passes an integer.
//! Nothing is believed: each piece is checked as libotf2 computes.

use std::ops::Range;

/// Why no clock offsets give these times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inexact {
    /// Measured times decrease: libotf2 does not go back to earlier offsets.
    Decreasing,
    /// Two events at one measured time were moved apart.
    Apart,
    /// Events lie so far apart, or moved so differently, that floating point is too coarse.
    Far,
    /// There would be more offsets than were allowed.
    Many,
}

/// Longest piece, in ticks: what floating point holds exactly.
const FARTHEST: u64 = 1 << 52;
/// Largest difference of offsets in a piece: half a tick must count.
const STEEPEST: i64 = 1 << 50;
/// Half a tick, less what the cone's arithmetic can be wrong by where pieces are flat.
const HALF: f64 = 0.5 - 1.0 / (1 << 20) as f64;
/// How often an event is looked at, in the mean, before it is given up.
const PATIENCE: usize = 16;

/// Returns at most `most` clock offsets that give `count` events their corrected times, in
/// libotf2's arithmetic: event `i` was measured at `at(i).0`, and `at(i).1` must be added. Where
/// nothing is added to any time there are none. `knots`, which ascend in time, are offsets that
/// are likely to be among them; there may be none.
///
/// ```
/// use otf2::clock::{fit, ClockCorrection};
///
/// // A clock that loses a tick in a thousand, and a jump by 70.
/// let moved = |i: usize| (500 * i as u64, i as i64 / 2 + if i > 600 { 70 } else { 0 });
/// let offsets = fit(1000, moved, &[], 100)?;
/// let correction = ClockCorrection::between(&offsets);
/// assert!((0..1000).map(moved).all(|(time, by)| correction.apply(time) == time + by as u64));
/// # Ok::<(), otf2::clock::Inexact>(())
/// ```
///
/// # Errors
/// When there are none, or too many.
pub fn fit(
    count: usize,
    at: impl Fn(usize) -> (u64, i64),
    knots: &[(u64, i64)],
    most: usize,
) -> Result<Vec<(u64, i64)>, Inexact> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let fit = Fit {
        at,
        count,
        knots,
        passed: 0,
        most,
        patience: count.saturating_mul(PATIENCE),
        vertex: (0, 0),
        vertices: Vec::new(),
    };
    let vertices = fit.run()?;
    let moved = vertices.iter().any(|vertex| vertex.1 != 0);
    Ok(if moved { vertices } else { Vec::new() })
}

struct Fit<'a, F> {
    at: F,
    count: usize,
    knots: &'a [(u64, i64)],
    /// How many of them are not behind the vertex.
    passed: usize,
    most: usize,
    /// Looks at events that are left.
    patience: usize,
    /// Where the current piece begins.
    vertex: (u64, i64),
    vertices: Vec<(u64, i64)>,
}

/// How far lines from a vertex go.
struct Cone {
    /// The flattest and the steepest line, in ticks of offset by tick of time.
    slopes: (f64, f64),
    /// The first event that no line reaches, or the number of events.
    end: usize,
    /// The last event before that which a line meets in its very offset.
    met: usize,
}

impl<F: Fn(usize) -> (u64, i64)> Fit<'_, F> {
    fn run(mut self) -> Result<Vec<(u64, i64)>, Inexact> {
        let first = (self.at)(0);
        let before = self.knots.partition_point(|knot| knot.0 < first.0);
        let start = before.checked_sub(1).map(|last| self.knots[last]);
        let start = start.filter(|&knot| between(knot, first).is_some());
        self.put(start.unwrap_or(first))?;
        let mut next = self.behind(0)?;
        while next < self.count {
            next = self.piece(next)?;
        }
        if self.vertices.len() == 1 {
            let (time, offset) = self.vertex;
            let later = time.checked_add(1).ok_or(Inexact::Far)?;
            self.put((later, offset))?;
        }
        Ok(self.vertices)
    }

    fn put(&mut self, vertex: (u64, i64)) -> Result<(), Inexact> {
        if self.vertices.len() == self.most {
            return Err(Inexact::Many);
        }
        self.vertex = vertex;
        self.vertices.push(vertex);
        Ok(())
    }

    /// Returns the first event from `next` on that is later than the vertex.
    fn behind(&self, mut next: usize) -> Result<usize, Inexact> {
        while next < self.count && (self.at)(next).0 <= self.vertex.0 {
            if next > 0 {
                self.check_order(next)?;
            }
            next += 1;
        }
        Ok(next)
    }

    /// Looks at an event and the one before it.
    #[inline]
    fn check_order(&self, event: usize) -> Result<(), Inexact> {
        let (before, here) = ((self.at)(event - 1), (self.at)(event));
        match before.0.cmp(&here.0) {
            std::cmp::Ordering::Greater => Err(Inexact::Decreasing),
            std::cmp::Ordering::Equal if before.1 != here.1 => Err(Inexact::Apart),
            _ => Ok(()),
        }
    }

    /// Appends the vertex that ends the piece from the current one, which `first` is the first
    /// event behind; returns the first event behind the new one.
    fn piece(&mut self, first: usize) -> Result<usize, Inexact> {
        let knot = self.next_knot();
        if let Some(knot) = knot {
            if let Some(next) = self.reached(knot, first)? {
                self.put(knot)?;
                return self.behind(next);
            }
        }
        let cone = self.cone(first, knot)?;
        let candidates = [
            self.rejoined(&cone),
            (cone.end == self.count)
                .then(|| self.beyond(&cone))
                .flatten(),
            self.crossing(&cone, first),
            Some((self.at)(cone.met)),
        ];
        for vertex in candidates.into_iter().flatten() {
            if let Some(Ok(next)) = self.covered(vertex, first..cone.end) {
                self.put(vertex)?;
                return self.behind(next);
            }
        }
        // A line to the very next event has no others to satisfy.
        let vertex = (self.at)(first);
        let Some(Ok(next)) = self.covered(vertex, first..first + 1) else {
            return Err(Inexact::Far);
        };
        self.put(vertex)?;
        self.behind(next)
    }

    /// Returns the first knot behind the vertex.
    fn next_knot(&mut self) -> Option<(u64, i64)> {
        let rest = &self.knots[self.passed..];
        self.passed += rest.partition_point(|knot| knot.0 <= self.vertex.0);
        let next = self.knots.get(self.passed).copied();
        next.filter(|knot| knot.0 > self.vertex.0)
    }

    /// Returns where, before the event that closed the cone, the line between two knots last
    /// passed an integer, to within a tick: from there on it is as good as from its knot.
    fn rejoined(&self, cone: &Cone) -> Option<(u64, i64)> {
        let begin = *self.knots.get(self.passed.checked_sub(1)?)?;
        let end = *self.knots.get(self.passed)?;
        let length = end
            .0
            .checked_sub(begin.0)
            .filter(|it| (1..FARTHEST).contains(it))?;
        let gained = end.1.checked_sub(begin.1)?;
        let slope = gained as f64 / length as f64;
        let limit = match cone.end < self.count {
            true => (self.at)(cone.end).0.checked_sub(1)?.min(end.0),
            false => end.0,
        };
        let most = limit.checked_sub(begin.0)? as f64;
        let level = (slope * most).trunc();
        let elapsed = match level == 0.0 {
            true if gained == 0 => most,
            true => return None,
            false => (level / slope).round_ties_even().min(most),
        };
        let time = begin.0.checked_add(elapsed as u64)?;
        let point = (time, begin.1.checked_add(level as i64)?);
        (time > self.vertex.0).then_some(point)
    }

    /// Returns the first event behind a knot, if a line there gives all before it their offsets.
    fn reached(&mut self, knot: (u64, i64), first: usize) -> Result<Option<usize>, Inexact> {
        if (self.at)(first).0 > knot.0 {
            let on = between(knot, (self.at)(first)).and(self.since_vertex(knot));
            return Ok(on.map(|_| first));
        }
        match self.covered(knot, first..self.count) {
            Some(Ok(next)) => {
                (first.max(1)..next).try_for_each(|event| self.check_order(event))?;
                Ok(Some(next))
            }
            Some(Err(missed)) => {
                self.look_at(missed - first)?;
                Ok(None)
            }
            None => Ok(None),
        }
    }

    /// Counts looks at events.
    fn look_at(&mut self, events: usize) -> Result<(), Inexact> {
        self.patience = self.patience.checked_sub(events).ok_or(Inexact::Many)?;
        Ok(())
    }

    /// Narrows the cone until an event closes it, or one lies behind the next knot.
    fn cone(&mut self, first: usize, knot: Option<(u64, i64)>) -> Result<Cone, Inexact> {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut met = first;
        let mut event = first;
        while event < self.count {
            if event > 0 {
                self.check_order(event)?;
            }
            if event > first && knot.is_some_and(|knot| (self.at)(event).0 > knot.0) {
                break;
            }
            let Some((elapsed, gained)) = self.since_vertex((self.at)(event)) else {
                break;
            };
            let (least, most) = (low * elapsed, high * elapsed);
            let (below, above) = (gained - HALF, gained + HALF);
            if least > above || most < below {
                break;
            }
            if least <= gained && gained <= most {
                met = event;
            }
            if below > least {
                low = below / elapsed;
            }
            if above < most {
                high = above / elapsed;
            }
            event += 1;
        }
        if event == first {
            return Err(Inexact::Far);
        }
        self.look_at(event - first + 1)?;
        Ok(Cone {
            slopes: (low, high),
            end: event,
            met,
        })
    }

    /// Returns how far a point is from the vertex.
    #[inline]
    fn since_vertex(&self, point: (u64, i64)) -> Option<(f64, f64)> {
        between(self.vertex, point)
    }

    /// Returns the latest point with integer coordinates in the cone that lies before the event
    /// that closed it.
    fn crossing(&self, cone: &Cone, first: usize) -> Option<(u64, i64)> {
        let begin = (self.at)(first).0;
        let end = match cone.end < self.count {
            true => (self.at)(cone.end).0 - 1,
            false => (self.at)(cone.end - 1).0,
        };
        let (low, high) = cone.slopes;
        let slope = low + (high - low) / 2.0;
        let length = (end - self.vertex.0).min(FARTHEST) as i64 as f64;
        let last = slope * length;
        let here = last.round_ties_even();
        if low * length <= here && here <= high * length {
            return self.point(length, here).filter(|point| point.0 >= begin);
        }
        // The line passes integers every 1 / slope; the last few may lie between ticks.
        (0..4).find_map(|back: i32| {
            let level = last.trunc() - f64::from(back) * slope.signum();
            let elapsed = (level / slope).round_ties_even();
            let lies = 0.0 < elapsed && elapsed <= length;
            let lies = lies && low * elapsed <= level && level <= high * elapsed;
            let point = lies.then(|| self.point(elapsed, level)).flatten();
            point.filter(|point| point.0 >= begin)
        })
    }

    /// Returns the next such point behind all events.
    fn beyond(&self, cone: &Cone) -> Option<(u64, i64)> {
        let (low, high) = cone.slopes;
        let slope = low + (high - low) / 2.0;
        let length = ((self.at)(self.count - 1).0 - self.vertex.0) as i64 as f64;
        let level = (slope.abs() * length).ceil() * slope.signum();
        let elapsed = (level / slope).round_ties_even();
        let lies = length <= elapsed && elapsed < FARTHEST as f64;
        let lies = lies && low * elapsed <= level && level <= high * elapsed;
        lies.then(|| self.point(elapsed, level)).flatten()
    }

    fn point(&self, elapsed: f64, gained: f64) -> Option<(u64, i64)> {
        let time = self.vertex.0.checked_add(elapsed as u64)?;
        Some((time, self.vertex.1.checked_add(gained as i64)?))
    }

    /// Returns the first of `events` behind a new vertex, if all before it get their offsets,
    /// else the first that does not; nothing if the line is none, or none goes on from its end: a
    /// steep one may end far from all offsets.
    fn covered(&self, vertex: (u64, i64), events: Range<usize>) -> Option<Result<usize, usize>> {
        let (length, gained) = self.since_vertex(vertex)?;
        if length == 0.0 {
            return None;
        }
        let slope = gained / length;
        let mut next = events.start;
        while next < events.end {
            let event = (self.at)(next);
            if event.0 > vertex.0 {
                break;
            }
            let (elapsed, due) = self.since_vertex(event)?;
            // Then it is rounded to what is due.
            if (slope * elapsed - due).abs() >= 0.5 {
                return Some(Err(next));
            }
            next += 1;
        }
        let goes_on = next == self.count || between(vertex, (self.at)(next)).is_some();
        (next > events.start && goes_on).then_some(Ok(next))
    }
}

/// Returns how far the second point is from the first, in time and offset; nothing if that is too
/// far to be exact.
#[inline]
fn between(from: (u64, i64), to: (u64, i64)) -> Option<(f64, f64)> {
    let elapsed = to.0.checked_sub(from.0)?;
    let gained = to.1.checked_sub(from.1)?;
    let exact = elapsed < FARTHEST && -STEEPEST < gained && gained < STEEPEST;
    exact.then_some((elapsed as i64 as f64, gained as f64))
}

#[cfg(test)]
mod tests;
