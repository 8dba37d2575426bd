//! The call that a thread is in, kept where it survives the process.
//!
//! A receive that fails under `MPI_ERRORS_ARE_FATAL` never returns: MPI fills
//! its status and ends the program. So while a call that may take a message is
//! recorded, MPI writes its status, flag and indices here, in the thread's
//! buffer; whoever collects what the dead left finds what the last call took.

use std::mem::{offset_of, size_of};

use super::stream::Foreign;
use super::{Found, Outcome, Taken};

/// Most requests of one call that are kept.
pub const MOST: usize = 256;
/// Bytes for a status of any MPI.
pub const STATUS: usize = 32;
/// A field that MPI has not written: no rank, no tag, no index.
pub const UNFILLED: i32 = i32::MIN;
/// [`InFlight::misses`] of a call that is no poll.
pub const NO_POLL: u64 = u64::MAX;

/// What a call tells by its status, or statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// There is no call, or none that takes a message.
    Nothing = 0,
    /// Each entry has the status of its number.
    Each = 1,
    /// One of the entries, told by the first index, has the first status.
    Any = 2,
    /// Of so many entries as were chosen, told by their indices, the statuses come first.
    Some = 3,
}

/// A wildcard receive that the call may complete.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct Entry {
    /// The how manyth of its thread.
    pub ordinal: u64,
    /// Thread that posted it.
    pub thread: u32,
    /// 0: no wildcard receive; [`BY_SOURCE`], with [`BY_TAG`] where its tag is open, too.
    pub wild: u32,
}

/// See [`Entry::wild`].
pub const BY_SOURCE: u32 = 1;
/// See [`Entry::wild`].
pub const BY_TAG: u32 = 2;

/// The call; written by its thread alone.
#[derive(Debug)]
#[repr(C)]
pub struct InFlight {
    /// A [`Kind`].
    pub kind: u32,
    /// Entries.
    pub count: u32,
    /// Polls that said no before this one, or [`NO_POLL`].
    pub misses: u64,
    /// What a poll says.
    pub flag: i32,
    /// How many were chosen.
    pub chosen: i32,
    /// The first index: 1 in Fortran.
    pub first: u32,
    /// Bytes of a status.
    pub status_size: u32,
    /// Where the source stands in it.
    pub source: u32,
    /// Where the tag does.
    pub tag: u32,
    /// Which of the requests were chosen.
    pub indices: [i32; MOST],
    /// The receives that are open.
    pub entries: [Entry; MOST],
    /// Statuses, one behind the other.
    pub statuses: [[u8; STATUS]; MOST],
}

/// What a call had taken when its process died.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Took {
    /// What receives took.
    pub receives: Vec<Foreign>,
    /// What a wait or poll returned.
    pub outcome: Option<Outcome>,
}

/// Returns what the call had taken; `bytes` are those of an [`InFlight`].
pub fn took(bytes: &[u8]) -> Took {
    Image(bytes).took().unwrap_or_default()
}

/// The bytes of an [`InFlight`], which may be anything.
struct Image<'a>(&'a [u8]);

impl Image<'_> {
    fn word(&self, at: usize) -> Option<u32> {
        let bytes = self.0.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }

    fn long(&self, at: usize) -> Option<u64> {
        Some(u64::from(self.word(at)?) | u64::from(self.word(at + 4)?) << 32)
    }

    fn took(&self) -> Option<Took> {
        let kind = self.word(offset_of!(InFlight, kind))?;
        let count = (self.word(offset_of!(InFlight, count))? as usize).min(MOST);
        let misses = self.long(offset_of!(InFlight, misses))?;
        let said_yes = self.word(offset_of!(InFlight, flag))? != 0;
        let poll = (misses != NO_POLL).then_some(misses);
        let success = |misses, found| Outcome::Success { misses, found };
        Some(match kind {
            1 => Took {
                receives: (0..count).filter_map(|k| self.receive(k, k)).collect(),
                outcome: poll
                    .filter(|_| said_yes)
                    .map(|misses| success(misses, Found::Nothing)),
            },
            2 => {
                let index = self.index(0)?;
                Took {
                    receives: self.receive(index as usize, 0).into_iter().collect(),
                    outcome: Some(match poll {
                        Some(misses) => success(misses, Found::Index(Some(index))),
                        None => Outcome::Index(Some(index)),
                    }),
                }
            }
            3 => {
                let chosen = self.word(offset_of!(InFlight, chosen))? as i32;
                let chosen = usize::try_from(chosen).ok().filter(|&n| n > 0)?;
                let indices: Option<Vec<u32>> =
                    (0..chosen.min(MOST)).map(|n| self.index(n)).collect();
                let indices = indices?;
                let each = indices.iter().enumerate();
                Took {
                    receives: each
                        .filter_map(|(n, &k)| self.receive(k as usize, n))
                        .collect(),
                    outcome: Some(match poll {
                        Some(misses) => success(misses, Found::Indices(Some(indices))),
                        None => Outcome::Indices(Some(indices)),
                    }),
                }
            }
            _ => return None,
        })
    }

    fn index(&self, n: usize) -> Option<u32> {
        let index = self.word(offset_of!(InFlight, indices) + 4 * n)? as i32;
        let first = self.word(offset_of!(InFlight, first))?;
        u32::try_from(index).ok()?.checked_sub(first)
    }

    /// Returns what a receive took, by a status that MPI has filled.
    fn receive(&self, entry: usize, status: usize) -> Option<Foreign> {
        if entry >= MOST {
            return None;
        }
        let at = offset_of!(InFlight, entries) + entry * size_of::<Entry>();
        let wild = self.word(at + offset_of!(Entry, wild))?;
        let size = self.word(offset_of!(InFlight, status_size))? as usize;
        let status = offset_of!(InFlight, statuses) + status * size;
        let field = |offset: u32| Some(self.word(status + offset as usize)? as i32);
        let source = field(self.word(offset_of!(InFlight, source))?)?;
        let tag = field(self.word(offset_of!(InFlight, tag))?)?;
        let source = u32::try_from(source)
            .ok()
            .filter(|_| wild & BY_SOURCE != 0)?;
        let tag = match wild & BY_TAG {
            0 => None,
            _ => Some(u32::try_from(tag).ok()?),
        };
        Some(Foreign {
            thread: self.word(at + offset_of!(Entry, thread))?,
            ordinal: self.long(at + offset_of!(Entry, ordinal))?,
            taken: Taken { source, tag },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread in a call on two receives; Open MPI's layout of a status.
    struct Picture(Vec<u8>);

    impl Picture {
        fn new(kind: Kind, misses: u64) -> Self {
            let mut picture = Self(vec![0; size_of::<InFlight>()]);
            picture.put(offset_of!(InFlight, kind), kind as u32);
            picture.put(offset_of!(InFlight, count), 2);
            picture.put(offset_of!(InFlight, misses), misses as u32);
            picture.put(offset_of!(InFlight, misses) + 4, (misses >> 32) as u32);
            picture.put(offset_of!(InFlight, status_size), 24);
            picture.put(offset_of!(InFlight, tag), 4);
            for k in 0..2 {
                let at = offset_of!(InFlight, entries) + k * size_of::<Entry>();
                picture.put(at + offset_of!(Entry, ordinal), 7 + k as u32);
                picture.put(at + offset_of!(Entry, wild), BY_SOURCE | BY_TAG);
                picture.put(offset_of!(InFlight, indices) + 4 * k, UNFILLED as u32);
                picture.status(k, UNFILLED, UNFILLED);
            }
            picture
        }

        fn put(&mut self, at: usize, word: u32) {
            self.0[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }

        fn status(&mut self, k: usize, source: i32, tag: i32) {
            let at = offset_of!(InFlight, statuses) + 24 * k;
            self.put(at, source as u32);
            self.put(at + 4, tag as u32);
        }
    }

    fn receive(ordinal: u64, source: u32, tag: u32) -> Foreign {
        let tag = Some(tag);
        Foreign {
            thread: 0,
            ordinal,
            taken: Taken { source, tag },
        }
    }

    #[test]
    fn what_mpi_had_not_filled_was_not_taken() {
        assert_eq!(took(&Picture::new(Kind::Each, NO_POLL).0), Took::default());
        assert_eq!(took(&Picture::new(Kind::Any, 3).0), Took::default());
        assert_eq!(took(&Picture::new(Kind::Some, 3).0), Took::default());
    }

    #[test]
    fn each_receive_of_a_wait_for_all_took_what_its_status_says() {
        let mut picture = Picture::new(Kind::Each, NO_POLL);
        picture.status(1, 5, 9);
        let expected = Took {
            receives: vec![receive(8, 5, 9)],
            outcome: None,
        };
        assert_eq!(took(&picture.0), expected);
    }

    #[test]
    fn the_first_status_is_that_of_the_request_that_was_chosen() {
        let mut picture = Picture::new(Kind::Any, 3);
        picture.put(offset_of!(InFlight, indices), 1);
        picture.status(0, 5, 9);
        let found = Found::Index(Some(1));
        let expected = Took {
            receives: vec![receive(8, 5, 9)],
            outcome: Some(Outcome::Success { misses: 3, found }),
        };
        assert_eq!(took(&picture.0), expected);
        // From Fortran it is another one.
        picture.put(offset_of!(InFlight, first), 1);
        assert_eq!(took(&picture.0).receives, [receive(7, 5, 9)]);
    }

    #[test]
    fn some_that_were_chosen_have_their_statuses_in_the_order_of_the_indices() {
        let mut picture = Picture::new(Kind::Some, NO_POLL);
        picture.put(offset_of!(InFlight, chosen), 2);
        for (n, k) in [1u32, 0].into_iter().enumerate() {
            picture.put(offset_of!(InFlight, indices) + 4 * n, k);
            picture.status(n, 10 + k as i32, 0);
        }
        let expected = Took {
            receives: vec![receive(8, 11, 0), receive(7, 10, 0)],
            outcome: Some(Outcome::Indices(Some(vec![1, 0]))),
        };
        assert_eq!(took(&picture.0), expected);
    }

    /// Whatever a page holds that a dying process left.
    #[test]
    fn any_bytes_are_read_without_a_panic() {
        for fill in [0x00, 0x01, 0x02, 0x03, 0x7f, 0xff] {
            let mut bytes = vec![fill; size_of::<InFlight>()];
            for kind in 0..5 {
                bytes[0..4].copy_from_slice(&[kind, 0, 0, 0]);
                let _ = took(&bytes);
                let _ = took(&bytes[..100]);
            }
        }
    }
}
