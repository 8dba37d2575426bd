//! When to record and how much, decided outside of the program: by `mpiscope control`, by a window
//! of time, by a limit of bytes, by a choice of ranks. The helper thread looks every second.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use mpiscope_run::control::{RankChoice, Why, Wish, REFUSED};
use mpiscope_run::record::Record;
use serde::{Deserialize, Serialize};

use super::config;
use crate::base::helper;
use crate::base::notice;
use crate::base::path::recording;
use crate::base::variable;
use crate::facts::session;
use crate::facts::switched::{self, off, want_on};
use crate::trace::buffers;

/// When to record, and how much.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Seconds since MPI_Init, from and until; without end if that is not given.
    pub window: Option<(f64, Option<f64>)>,
    /// Bytes of records in a process.
    pub bytes: Option<u64>,
    /// Which ranks record, if not all do.
    #[serde(default)]
    pub ranks: Option<RankChoice>,
}

impl Limits {
    /// Reads `MPISCOPE_WINDOW` (`FROM:UNTIL` or `FROM:`, seconds), `MPISCOPE_LIMIT` (bytes) and
    /// `MPISCOPE_RANKS` (`0-3,7`).
    pub fn from_environment() -> Result<Self, String> {
        let window = variable::text("MPISCOPE_WINDOW").map(|text| {
            window(&text).ok_or_else(|| {
                format!("MPISCOPE_WINDOW={text}: FROM:UNTIL is expected, in seconds")
            })
        });
        let bytes = variable::text("MPISCOPE_LIMIT").map(|text| {
            text.parse()
                .map_err(|_| format!("MPISCOPE_LIMIT={text}: a number of bytes is expected"))
        });
        let ranks = variable::text("MPISCOPE_RANKS").map(|text| {
            text.parse()
                .map_err(|error| format!("MPISCOPE_RANKS: {error}"))
        });
        Ok(Self {
            window: window.transpose()?,
            bytes: bytes.transpose()?,
            ranks: ranks.transpose()?,
        })
    }
}

fn window(text: &str) -> Option<(f64, Option<f64>)> {
    let seconds = |text: &str| text.parse().ok().filter(|it: &f64| *it >= 0.0);
    let (from, until) = text.split_once(':')?;
    let until = match until {
        "" => None,
        until => Some(seconds(until)?),
    };
    Some((seconds(from)?, until))
}

/// How many borders of the window have been passed.
static PASSED: AtomicU8 = AtomicU8::new(0);

/// The program comes out of MPI_Init, and recording has begun.
pub fn begin() {
    switched::begin();
    if !is_chosen() {
        off(Why::Ranks);
    } else if limits().window.is_some_and(|(from, _)| from > 0.0) {
        off(Why::Window);
    }
    // The helper, which has begun, hears of the window.
    helper::wake();
    tell_strangers();
}

/// Returns whether this rank is to record.
fn is_chosen() -> bool {
    let rank = session::get().map(|session| session.identity.rank);
    match (limits().ranks, rank) {
        (Some(ranks), Some(rank)) => ranks.contains(rank),
        _ => true,
    }
}

/// Says which ranks were chosen that there are not.
fn tell_strangers() {
    let Some(identity) = session::get().map(|session| &session.identity) else {
        return;
    };
    let strangers = limits()
        .ranks
        .and_then(|ranks| ranks.beyond(identity.world_size));
    if let (Some(ranks), 0) = (strangers, identity.rank) {
        let size = identity.world_size;
        notice::tell(&format!("--ranks {ranks}: there are {size} ranks"));
    }
}

/// What the helper thread does: obeys what is asked, and the limits.
pub fn look_around() {
    obey();
    mind_window();
    mind_size();
}

fn limits() -> Limits {
    config::get()
        .map(|config| config.limits.clone())
        .unwrap_or_default()
}

fn obey() {
    let Some(first) = buffers::first() else {
        return;
    };
    let header = first.header();
    let asked = header.asked.load(Ordering::Acquire);
    if asked == header.answered.load(Ordering::Relaxed) & !REFUSED {
        return;
    }
    let mut answer = asked;
    match Wish::of_word(asked) {
        Some(Wish::Off) => off(Why::Control),
        Some(Wish::On) if is_full() => answer |= REFUSED,
        Some(Wish::On) => want_on(Why::Control),
        None => {}
    }
    header.answered.store(answer, Ordering::Release);
}

fn mind_window() {
    let Some((from, until)) = limits().window.filter(|_| is_chosen()) else {
        return;
    };
    for (number, border) in [Some(from), until].into_iter().enumerate() {
        if PASSED.load(Ordering::Relaxed) as usize != number {
            continue;
        }
        let left = border.map(|border| border - switched::elapsed().as_secs_f64());
        match left {
            None => return,
            Some(left) if left > 0.0 => {
                return helper::come_again_in(Duration::from_secs_f64(left.min(1.0)));
            }
            Some(_) => {}
        }
        PASSED.store(number as u8 + 1, Ordering::Relaxed);
        match number {
            0 => want_on(Why::Window),
            _ => off(Why::Window),
        }
    }
}

fn mind_size() {
    if recording() && is_full() {
        off(Why::Limit);
    }
}

/// Returns whether as many bytes were recorded as may be.
fn is_full() -> bool {
    let Some(most) = limits().bytes else {
        return false;
    };
    let buffers = buffers::shared();
    let records = buffers
        .iter()
        .map(|it| it.header().committed.0.load(Ordering::Relaxed));
    records
        .sum::<u64>()
        .saturating_mul(size_of::<Record>() as u64)
        >= most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_a_begin_and_may_have_an_end() {
        assert_eq!(window("1.5:20"), Some((1.5, Some(20.0))));
        assert_eq!(window("3:"), Some((3.0, None)));
        assert_eq!(window("3"), None);
        assert_eq!(window("-1:2"), None);
        assert_eq!(window("a:2"), None);
    }
}
