//! What a user sees of work that takes longer than two seconds: a bar with rate and time left on a
//! terminal, else a line every ten seconds.
//!
//! All of it goes to standard error, and the bar away when the work is done. `MPISCOPE_PROGRESS`
//! says after how many seconds, and how many there are between lines; `off` shows nothing.

use std::io::{stderr, IsTerminal};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mpiscope_archive::progress::Progress;

use crate::report::show;
use crate::{packed, say, size};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Of a trace.
    Events,
    /// Of files.
    Bytes,
    /// Of a computation, each of another length: they tell of no time.
    Stages,
}

/// When it is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pace {
    patience: Duration,
    between_lines: Duration,
}

/// How often a bar moves.
const FRAME: Duration = Duration::from_millis(100);

/// One at a time: work within work is part of it.
static SHOWN: Mutex<()> = Mutex::new(());

/// Does work of which nobody knows how much there is, and shows since when.
pub fn while_doing<T>(what: &str, work: impl FnOnce() -> T) -> T {
    during(what, Unit::Stages, &Progress::default(), work)
}

/// Does work, and shows how far it has come.
pub fn during<T>(what: &str, unit: Unit, progress: &Progress, work: impl FnOnce() -> T) -> T {
    if say::is_silent() {
        return work();
    }
    let setting = std::env::var("MPISCOPE_PROGRESS").ok();
    let (Some(pace), Ok(_shown)) = (pace(setting.as_deref()), SHOWN.try_lock()) else {
        return work();
    };
    let watch = Watch {
        what: packed::as_given(what.to_owned()),
        unit,
        progress,
        began: Instant::now(),
        pace,
    };
    let (working, done) = channel::<()>();
    thread::scope(|scope| {
        // Dropped at the end of the work, also where that panics.
        let _working = working;
        let bar = pace.patience.is_zero().then(|| watch.begin());
        // Where there are no more threads nobody is told.
        let _ = thread::Builder::new().spawn_scoped(scope, move || watch.until(&done, bar));
        work()
    })
}

/// Reads the setting; nothing if nothing is to be shown.
fn pace(setting: Option<&str>) -> Option<Pace> {
    let (patience, between_lines) = match setting {
        None => (2.0, 10.0),
        Some("off") => return None,
        Some(text) => match text.parse::<f64>() {
            Ok(seconds) if (0.0..1e6).contains(&seconds) => (seconds, seconds.max(0.1)),
            _ => (2.0, 10.0),
        },
    };
    Some(Pace {
        patience: Duration::from_secs_f64(patience),
        between_lines: Duration::from_secs_f64(between_lines),
    })
}

/// Work that is watched.
struct Watch<'a> {
    what: String,
    unit: Unit,
    progress: &'a Progress,
    began: Instant,
    pace: Pace,
}

impl Watch<'_> {
    /// Shows it until the work is done.
    fn until(&self, done: &Receiver<()>, shown: Option<ProgressBar>) {
        let wait = |time| done.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
        let bar = match shown {
            Some(bar) => bar,
            None if stderr().is_terminal() && wait(self.pace.patience) => self.begin(),
            // It is done, or a line is enough, in a while.
            None => ProgressBar::hidden(),
        };
        let (draws, frame) = match stderr().is_terminal() {
            true => (true, FRAME),
            false => (false, self.pace.between_lines),
        };
        while wait(frame) {
            match draws {
                true => self.draw(&bar),
                false => self.line(),
            }
        }
        // Who wants to see it from the begin wants to see its end.
        if self.pace.patience.is_zero() && !draws {
            self.line();
        }
        bar.finish_and_clear();
    }

    /// Shows it for the first time.
    fn begin(&self) -> ProgressBar {
        if !stderr().is_terminal() {
            self.line();
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr());
        self.draw(&bar);
        bar
    }

    fn draw(&self, bar: &ProgressBar) {
        // How much there is to do may become known on the way.
        let style = match self.progress.total() {
            0 => ProgressStyle::with_template("{wide_msg}"),
            _ => ProgressStyle::with_template("[{bar:24}] {wide_msg}"),
        };
        if let Ok(style) = style {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_length(self.progress.total().max(1));
        bar.set_position(self.progress.done());
        bar.set_message(self.sentence());
        bar.tick();
    }

    fn line(&self) {
        say::aside(format!("mpiscope: {}", self.sentence()));
    }

    fn sentence(&self) -> String {
        let (done, total) = (self.progress.done(), self.progress.total());
        let told = told(done, total, self.unit, self.began.elapsed());
        format!("{}: {told}", self.what)
    }
}

/// Says how far work has come, how fast, and how long it will take.
fn told(done: u64, total: u64, unit: Unit, taken: Duration) -> String {
    let seconds = taken.as_secs_f64();
    let so_far = format!("{seconds:.0} s so far");
    if total == 0 {
        return so_far;
    }
    let share = format!("{} %", done * 100 / total);
    let rate = done as f64 / seconds.max(1e-9);
    let rated = match unit {
        Unit::Stages => return format!("stage {done} of {total}, {so_far}"),
        _ if done == 0 => return share,
        Unit::Events => format!("{} events/s", show::count(rate as u64)),
        Unit::Bytes => format!("{}/s", size::show(rate as u64)),
    };
    let left = (total - done) as f64 / rate;
    format!("{share}, {rated}, {left:.0} s left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_tells_rate_and_time_left() {
        let check = |done, total, unit, expected: &str| {
            assert_eq!(told(done, total, unit, Duration::from_secs(4)), expected);
        };
        check(0, 100, Unit::Events, "0 %");
        let events = "25 %, 250,000 events/s, 12 s left";
        check(1_000_000, 4_000_000, Unit::Events, events);
        check(8 << 20, 8 << 20, Unit::Bytes, "100 %, 2.0 MiB/s, 0 s left");
        check(2, 6, Unit::Stages, "stage 2 of 6, 4 s so far");
        check(0, 0, Unit::Stages, "4 s so far");
    }

    #[test]
    fn it_is_shown_after_two_seconds_unless_said_otherwise() {
        let usual = pace(None).unwrap();
        assert_eq!(usual.patience, Duration::from_secs(2));
        assert_eq!(usual.between_lines, Duration::from_secs(10));
        assert_eq!(pace(Some("soon")), Some(usual));
        assert_eq!(pace(Some("off")), None);
        assert_eq!(pace(Some("0")).unwrap().patience, Duration::ZERO);
    }

    #[test]
    fn work_gives_its_result_and_may_contain_work() {
        let inner = || while_doing("inner", || 2);
        assert_eq!(while_doing("outer", || 1 + inner()), 3);
    }
}
