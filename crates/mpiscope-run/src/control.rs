//! Recording of a running job, switched from outside: what is asked of its processes, and what
//! they say of it.
//!
//! ```text
//! control RUN off  -> a word in the header of each process's first buffer
//!                  -> its helper thread sees it within a second, does it, and answers
//! ```
//!
//! Buffers lie in the memory of their host, so processes of other hosts are asked there.

mod ranks;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::mem::offset_of;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::buffer::{Header, MAGIC};
use crate::process::Process;
use crate::record::LAYOUT_VERSION;
use crate::{directory, stored};

pub use ranks::RankChoice;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Wish {
    /// Do not record.
    Off = 1,
    /// Record.
    On = 2,
}

impl Wish {
    /// Returns what a word of the header asks for, if it is one that we know.
    pub fn of_word(word: u32) -> Option<Self> {
        match word & 0xff {
            1 => Some(Self::Off),
            2 => Some(Self::On),
            _ => None,
        }
    }

    /// Returns a word that asks for this, another than that of the last time.
    fn word(self, last: u32) -> u32 {
        (last | 0xff).wrapping_add(1) | self as u32
    }
}

/// In the answer to a word: it was understood, and not done, as the limit is reached.
pub const REFUSED: u32 = 0x80;

/// Why recording was switched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The program did (`MPI_Pcontrol`), after another had switched it off.
    #[default]
    Program,
    /// `mpiscope control` did.
    Control,
    /// A window of time began or ended.
    Window,
    /// As many bytes were recorded as may be.
    Limit,
    /// Other ranks were chosen.
    Ranks,
    /// Only the latest records were to be kept.
    Kept,
    /// An iteration was slow.
    Slow,
}

/// Recording was switched.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Switched {
    /// Whether it is on now.
    pub on: bool,
    /// Why.
    pub why: Why,
    /// When, in seconds since this process came out of `MPI_Init`.
    pub seconds: f64,
    /// How many records of what was before that were given up.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub given_up: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A time without recording, of all processes that had it for one reason.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Switchings {
    /// Why it was switched off.
    pub why: Why,
    /// How many processes.
    pub ranks: u32,
    /// When the first of them was, in seconds since it came out of `MPI_Init`.
    pub from: f64,
    /// When the last of them recorded again; nothing if one did not any more.
    pub until: Option<f64>,
    /// How many records of that time they gave up, together.
    #[serde(skip_serializing_if = "is_zero")]
    pub given_up: u64,
}

/// Adds up when processes did not record: the first time of each, the second time, and so on.
pub fn add_up(processes: &[&Process]) -> Vec<Switchings> {
    let mut all: BTreeMap<(usize, Why), Switchings> = BTreeMap::new();
    for process in processes {
        for (number, (off, on)) in times_off(&process.switched).enumerate() {
            let until = on.map(|on| on.seconds);
            let sum = all.entry((number, off.why)).or_insert(Switchings {
                why: off.why,
                ranks: 0,
                from: off.seconds,
                until,
                given_up: 0,
            });
            sum.ranks += 1;
            sum.given_up += on.map_or(0, |on| on.given_up);
            sum.from = sum.from.min(off.seconds);
            sum.until = sum.until.zip(until).map(|(a, b)| a.max(b));
        }
    }
    all.into_values().collect()
}

/// Returns each time off, with what ended it.
fn times_off(switched: &[Switched]) -> impl Iterator<Item = (Switched, Option<Switched>)> + '_ {
    let begins = switched.iter().enumerate().filter(|(_, it)| !it.on);
    begins.map(|(at, &off)| (off, switched.get(at + 1).copied().filter(|next| next.on)))
}

/// Says when nothing was recorded, each time in a sentence.
pub fn sentences(all: &[Switchings]) -> impl Iterator<Item = String> + '_ {
    const SHOWN: usize = 5;
    let more = all.len().saturating_sub(SHOWN);
    let more = (more > 0).then(|| format!("not complete: recording was off {more} times more"));
    all.iter().take(SHOWN).map(sentence).chain(more)
}

fn sentence(it: &Switchings) -> String {
    let why = match it.why {
        Why::Program => "MPI_Pcontrol",
        Why::Control => "mpiscope control",
        Why::Window => "--window",
        Why::Limit => "--limit was reached",
        Why::Ranks => "--ranks",
        Why::Slow => "--until-slow",
        Why::Kept => return given_up(it),
    };
    let (ranks, until) = (ranks(it), until(it));
    format!(
        "not complete: recording was off on {ranks} from {:.1} s after MPI_Init {until} ({why})",
        it.from
    )
}

fn given_up(it: &Switchings) -> String {
    let (ranks, until, records) = (ranks(it), until(it), it.given_up);
    format!(
        "not complete: as --keep asks for, {ranks} gave up what was recorded from MPI_Init {until}, {records} records"
    )
}

fn ranks(it: &Switchings) -> String {
    match it.ranks {
        1 => "1 rank".to_owned(),
        ranks => format!("{ranks} ranks"),
    }
}

fn until(it: &Switchings) -> String {
    match it.until {
        Some(until) => format!("to {until:.1} s"),
        None => "to the end".to_owned(),
    }
}

/// A process of this host that is being traced.
#[derive(Debug)]
pub struct Traced {
    /// World rank.
    pub rank: u32,
    /// Number of the process on this host.
    pub pid: u32,
    path: PathBuf,
    buffer: FirstBuffer,
    asked: u32,
}

/// Returns the processes of a run that live on this host, in the order of their ranks. Buffers
/// that are not finished, or of another version, are left alone.
pub fn processes(run: &Path, run_id: &str) -> Vec<Traced> {
    let buffers = first_buffers(run, run_id).into_iter();
    let mut all: Vec<Traced> = buffers.filter_map(|path| Traced::of(&path)).collect();
    all.sort_by_key(|process| process.rank);
    all
}

impl Traced {
    fn of(path: &Path) -> Option<Self> {
        let buffer = FirstBuffer::open(path)?;
        let process = Self {
            rank: buffer.word(RANK).ok()?,
            pid: buffer.word(PID).ok()?,
            asked: buffer.word(ASKED).ok()?,
            path: path.to_owned(),
            buffer,
        };
        process.lives().then_some(process)
    }

    /// Returns whether it still writes to its buffer.
    pub fn lives(&self) -> bool {
        maps(self.pid, &self.path)
    }

    /// Returns whether it did what it was asked, which it may have refused; nothing if it has not
    /// answered.
    pub fn answer(&self) -> Option<bool> {
        let answered = self.buffer.word(ANSWERED).ok()?;
        (answered & !REFUSED == self.asked).then_some(answered & REFUSED == 0)
    }
}

/// Asks processes, and waits for the answers of those that live as long as `patience`.
///
/// # Errors
/// When a buffer cannot be written to.
pub fn ask(processes: &mut [Traced], wish: Wish, patience: Duration) -> io::Result<()> {
    for process in &mut *processes {
        process.asked = wish.word(process.asked);
        process.buffer.ask(process.asked)?;
    }
    let end = Instant::now() + patience;
    let is_done = |process: &Traced| process.answer().is_some() || !process.lives();
    while !processes.iter().all(is_done) && Instant::now() < end {
        sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Returns the buffers of first threads: their names end so.
fn first_buffers(run: &Path, run_id: &str) -> Vec<PathBuf> {
    let places = directory::places(run, run_id);
    let all = places.iter().flat_map(|place| stored::list(place));
    all.filter(|path| path.to_string_lossy().ends_with("-0.buffer"))
        .collect()
}

/// Returns whether a process of this host has a file mapped.
fn maps(pid: u32, path: &Path) -> bool {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps"));
    maps.is_ok_and(|maps| maps.contains(&*path.to_string_lossy()))
}

const ASKED: usize = offset_of!(Header, asked);
const ANSWERED: usize = offset_of!(Header, answered);
const RANK: usize = offset_of!(Header, rank);
const PID: usize = offset_of!(Header, pid);

/// The buffer of a process's first thread, which the process may have mapped.
#[derive(Debug)]
struct FirstBuffer(File);

impl FirstBuffer {
    fn open(path: &Path) -> Option<Self> {
        let file = OpenOptions::new().read(true).write(true).open(path).ok()?;
        let mut magic = [0; 8];
        file.read_exact_at(&mut magic, offset_of!(Header, magic) as u64)
            .ok()?;
        let buffer = Self(file);
        let version = buffer.word(offset_of!(Header, version)).ok()?;
        (u64::from_ne_bytes(magic) == MAGIC && version == LAYOUT_VERSION).then_some(buffer)
    }

    fn word(&self, at: usize) -> io::Result<u32> {
        let mut word = [0; 4];
        self.0.read_exact_at(&mut word, at as u64)?;
        Ok(u32::from_ne_bytes(word))
    }

    fn ask(&self, word: u32) -> io::Result<()> {
        self.0.write_all_at(&word.to_ne_bytes(), ASKED as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(switched: &[(bool, Why, f64)]) -> Process {
        let switched = switched.iter().map(|&(on, why, seconds)| Switched {
            on,
            why,
            seconds,
            given_up: 0,
        });
        Process {
            switched: switched.collect(),
            ..Process::default()
        }
    }

    #[test]
    fn times_off_are_told_with_their_reasons() {
        use Why::{Control, Limit, Program, Window};
        let processes = [
            process(&[
                (false, Window, 0.0),
                (true, Window, 10.0),
                (false, Limit, 20.0),
            ]),
            process(&[(false, Window, 0.0), (true, Window, 10.5)]),
            process(&[(false, Control, 3.0), (true, Program, 4.0)]),
        ];
        let all = add_up(&processes.iter().collect::<Vec<_>>());
        assert_eq!(
            sentences(&all).collect::<Vec<_>>(),
            [
                "not complete: recording was off on 1 rank from 3.0 s after MPI_Init to 4.0 s (mpiscope control)",
                "not complete: recording was off on 2 ranks from 0.0 s after MPI_Init to 10.5 s (--window)",
                "not complete: recording was off on 1 rank from 20.0 s after MPI_Init to the end (--limit was reached)",
            ]
        );
    }

    #[test]
    fn who_does_not_record_again_ends_it_for_all() {
        let processes = [
            process(&[(false, Why::Control, 2.0)]),
            process(&[(false, Why::Control, 1.0), (true, Why::Control, 5.0)]),
        ];
        let all = add_up(&processes.iter().collect::<Vec<_>>());
        let expected = Switchings {
            why: Why::Control,
            ranks: 2,
            from: 1.0,
            until: None,
            given_up: 0,
        };
        assert_eq!(all, [expected]);
    }

    #[test]
    fn words_that_ask_for_the_same_differ() {
        let first = Wish::Off.word(0);
        let second = Wish::Off.word(first);
        assert_ne!(first, second);
        assert_eq!(Wish::of_word(first), Some(Wish::Off));
        assert_eq!(Wish::of_word(Wish::On.word(u32::MAX)), Some(Wish::On));
        assert_eq!(Wish::of_word(0), None);
    }
}
