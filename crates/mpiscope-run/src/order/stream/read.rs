//! The reading end of a stream: what is cut short or cannot be is an error,
//! never a panic.

use super::{
    place, Memory, CANCELLED, CHECKPOINT, CUT, END, FOREIGN, INDEX, INDICES, KNOWN, LARGE_SOURCE,
    MANY_MISSES, MARK, NOBODY, NOT_CANCELLED, OFFSET, REPEAT, SUCCESS, TAGGED,
};
use crate::order::{Cancel, Checkpoint, End, Found, Outcome, Taken, ThreadOrder};

/// The receives that a record may skip: far more than any program has outstanding.
const WIDEST_GAP: u64 = 1 << 18;

/// A receive that another thread than its own saw complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign {
    /// The thread that posted it.
    pub thread: u32,
    /// Its number among that thread's wildcard receives.
    pub ordinal: u64,
    /// What it took.
    pub taken: Taken,
}

/// Reads a stream; receives of other threads are beside it.
///
/// # Errors
/// When an entry is cut short or unknown: where, and what is wrong.
pub fn decode(bytes: &[u8]) -> Result<(ThreadOrder, Vec<Foreign>), String> {
    let mut reader = Reader {
        bytes,
        at: 0,
        memory: Memory::default(),
        thread: ThreadOrder::default(),
        foreign: Vec::new(),
    };
    while reader.at < bytes.len() {
        let at = reader.at;
        reader
            .entry()
            .map_err(|what| format!("entry at byte {at} of {}: {what}", bytes.len()))?;
    }
    reader.thread.cancels.sort_unstable();
    Ok((reader.thread, reader.foreign))
}

/// Notes what a receive took in its place among the others of its thread.
///
/// # Errors
/// When the place cannot be.
pub fn place_receive(
    thread: &mut ThreadOrder,
    ordinal: u64,
    taken: Taken,
) -> Result<(), &'static str> {
    let receives = &mut thread.receives;
    if ordinal >= receives.len() as u64 + WIDEST_GAP {
        return Err("it leads to a receive that cannot be");
    }
    let at = ordinal as usize;
    if at >= receives.len() {
        receives.resize(at + 1, None);
    }
    receives[at] = Some(taken);
    Ok(())
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    memory: Memory,
    thread: ThreadOrder,
    foreign: Vec<Foreign>,
}

type Step<T> = Result<T, &'static str>;

impl Reader<'_> {
    fn entry(&mut self) -> Step<()> {
        let first = self.byte()?;
        match first {
            0..REPEAT => {
                let taken = self.untagged(first)?;
                self.receive(taken)?;
            }
            REPEAT..KNOWN => {
                for _ in 0..=first - REPEAT {
                    self.receive(self.memory.last)?;
                }
            }
            KNOWN..=TAGGED => {
                let taken = self.tagged(first)?;
                self.receive(taken)?;
            }
            OFFSET => self.offset()?,
            FOREIGN => {
                let foreign = Foreign {
                    thread: self.small()?,
                    ordinal: self.number()?,
                    taken: self.message()?,
                };
                self.foreign.push(foreign);
            }
            INDEX => {
                let index = self.index()?;
                self.thread.outcomes.push(Outcome::Index(index));
            }
            INDICES => {
                let indices = self.indices()?;
                self.thread.outcomes.push(Outcome::Indices(indices));
            }
            CHECKPOINT => self.checkpoint()?,
            MARK => {
                let mark = [self.byte()?, self.byte()?];
                self.thread.marks.push(u16::from_le_bytes(mark));
            }
            CANCELLED | NOT_CANCELLED => {
                let cancel = Cancel {
                    receive: self.number()?,
                    succeeded: first == CANCELLED,
                };
                self.thread.cancels.push(cancel);
            }
            END => {
                let (calls, hash) = (self.number()?, self.hash()?);
                self.thread.end = Some(End { calls, hash });
            }
            CUT => {
                let (calls, hash) = (self.number()?, self.hash()?);
                self.thread.cut = Some(End { calls, hash });
            }
            SUCCESS.. => self.success(first)?,
            _ => return Err("it is of no known kind"),
        }
        Ok(())
    }

    fn byte(&mut self) -> Step<u8> {
        let byte = *self.bytes.get(self.at).ok_or("it is cut short")?;
        self.at += 1;
        Ok(byte)
    }

    fn number(&mut self) -> Step<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err("a number has more than ten bytes")
    }

    fn small(&mut self) -> Step<u32> {
        let value = self.number()?;
        u32::try_from(value).map_err(|_| "a number exceeds 32 bits")
    }

    fn hash(&mut self) -> Step<u32> {
        let mut bytes = [0; 4];
        for byte in &mut bytes {
            *byte = self.byte()?;
        }
        Ok(u32::from_le_bytes(bytes))
    }

    fn untagged(&mut self, first: u8) -> Step<Taken> {
        let source = match first {
            LARGE_SOURCE => self.small()?,
            source => u32::from(source),
        };
        Ok(Taken { source, tag: None })
    }

    fn tagged(&mut self, first: u8) -> Step<Taken> {
        if first < TAGGED {
            let taken = self.memory.dictionary[usize::from(first - KNOWN)];
            return match taken {
                NOBODY => Err("it refers to a message that did not come before"),
                taken => Ok(taken),
            };
        }
        let (source, tag) = (self.small()?, self.small()?);
        let taken = Taken {
            source,
            tag: Some(tag),
        };
        self.memory.dictionary[place(source, tag)] = taken;
        Ok(taken)
    }

    fn receive(&mut self, taken: Taken) -> Step<()> {
        if taken == NOBODY {
            return Err("it repeats a receive, but none came before");
        }
        place_receive(&mut self.thread, self.memory.next, taken)?;
        self.memory.last = taken;
        // Cannot overflow: the receive has a place in memory.
        self.memory.next += 1;
        Ok(())
    }

    fn offset(&mut self) -> Step<()> {
        let coded = self.number()?;
        let delta = (coded >> 1) as i64 ^ -((coded & 1) as i64);
        let next = self.memory.next.checked_add_signed(delta);
        self.memory.next = next.ok_or("it leads to a receive that cannot be")?;
        Ok(())
    }

    fn index(&mut self) -> Step<Option<u32>> {
        Ok(self.small()?.checked_sub(1))
    }

    fn indices(&mut self) -> Step<Option<Vec<u32>>> {
        let Some(count) = self.small()?.checked_sub(1) else {
            return Ok(None);
        };
        let mut indices = Vec::new();
        for _ in 0..count {
            indices.push(self.small()?);
        }
        Ok(Some(indices))
    }

    fn checkpoint(&mut self) -> Step<()> {
        let mark = Checkpoint {
            hash: self.hash()?,
            receives: self.thread.receives.len() as u64,
            outcomes: self.thread.outcomes.len() as u64,
        };
        self.thread.checkpoints.push(mark);
        Ok(())
    }

    fn message(&mut self) -> Step<Taken> {
        match self.byte()? {
            first @ 0..REPEAT => self.untagged(first),
            first @ KNOWN..=TAGGED => self.tagged(first),
            _ => Err("what a probe or another thread's receive found is no message"),
        }
    }

    fn success(&mut self, first: u8) -> Step<()> {
        let misses = match first & MANY_MISSES {
            MANY_MISSES => self.number()?,
            misses => u64::from(misses),
        };
        let found = match first >> 3 & 3 {
            0 => Found::Nothing,
            1 => Found::Index(self.index()?),
            2 => Found::Indices(self.indices()?),
            _ => Found::Message(self.message()?),
        };
        self.thread
            .outcomes
            .push(Outcome::Success { misses, found });
        Ok(())
    }
}
