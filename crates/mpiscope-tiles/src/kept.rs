//! What is known of a run beside its events, written down in parts, so that it is made once.
//!
//! Numbers are written as how far they are from the one before, in as few bytes as that takes. The
//! first part holds what concerns the run as a whole, each other one that of some locations, so
//! that parts are written, compressed and read side by side. Whoever keeps them knows that they
//! are whole, and what they were made of: here it is only seen to that nothing is read that was
//! not written.

mod run;

use mpiscope_model::Timestamp;

use crate::bins::{Done, PARTS};
use crate::collectives::Moments;
use crate::groups::Group;
use crate::messages::{Hull, Kept, Sum};
use crate::partners::OfLocation as Ends;
use crate::paths::{Chunks, PathSum};
use crate::state::{Frames, Node};
use crate::sums::{Sums, STRIDE};
use crate::traffic::{Amount, OfLocation as Traffic};
use crate::varint::{put, take, unzigzag, zigzag};
use crate::waits::Waits;

/// Bytes that are being written.
#[derive(Debug, Default)]
pub(crate) struct Out(pub Vec<u8>);

impl Out {
    fn number(&mut self, number: u64) {
        put(&mut self.0, number);
    }

    fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.0.extend(bytes);
    }

    /// Writes a column, each number by how far it is from the one before.
    fn column(&mut self, numbers: impl ExactSizeIterator<Item = u64>) {
        self.length(numbers.len());
        let mut last = 0u64;
        for number in numbers {
            self.number(zigzag(number.wrapping_sub(last) as i64));
            last = number;
        }
    }

    fn column32<'a>(&mut self, numbers: impl ExactSizeIterator<Item = &'a u32>) {
        // None is next to 0.
        self.column(numbers.map(|it| it.wrapping_add(1).into()));
    }
}

/// Bytes that are being read.
#[derive(Debug)]
pub(crate) struct In<'a>(pub &'a [u8]);

impl In<'_> {
    fn number(&mut self) -> Option<u64> {
        take(&mut self.0)
    }

    fn number32(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    /// Reads how many things follow, each of at least one byte.
    fn length(&mut self) -> Option<usize> {
        let length = usize::try_from(self.number()?).ok()?;
        (length <= self.0.len()).then_some(length)
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        let length = self.length()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes.to_vec())
    }

    fn column(&mut self) -> Option<Vec<u64>> {
        let length = self.length()?;
        let mut last = 0u64;
        let mut numbers = Vec::with_capacity(length);
        for _ in 0..length {
            last = last.wrapping_add(unzigzag(self.number()?) as u64);
            numbers.push(last);
        }
        Some(numbers)
    }

    fn column32(&mut self) -> Option<Vec<u32>> {
        let length = self.length()?;
        let mut last = 0u64;
        let mut numbers = Vec::with_capacity(length);
        for _ in 0..length {
            last = last.wrapping_add(unzigzag(self.number()?) as u64);
            numbers.push(u32::try_from(last).ok()?.wrapping_sub(1));
        }
        Some(numbers)
    }
}

/// What is written down and read again.
pub(crate) trait Keep: Sized {
    fn write(&self, out: &mut Out);
    fn read(from: &mut In) -> Option<Self>;
}

impl<T: Keep> Keep for Vec<T> {
    fn write(&self, out: &mut Out) {
        out.length(self.len());
        self.iter().for_each(|it| it.write(out));
    }

    fn read(from: &mut In) -> Option<Self> {
        let length = from.length()?;
        let read = (0..length).map(|_| T::read(from));
        let mut read: Vec<T> = read.collect::<Option<_>>()?;
        read.shrink_to_fit();
        Some(read)
    }
}

impl Keep for Done {
    fn write(&self, out: &mut Out) {
        self.0.iter().for_each(|it| out.number(*it));
    }

    fn read(from: &mut In) -> Option<Self> {
        let mut done = Done::default();
        for part in &mut done.0 {
            *part = from.number()?;
        }
        Some(done)
    }
}

impl Keep for Frames {
    fn write(&self, out: &mut Out) {
        out.column32(self.0.iter().map(|it| &it.enter));
        out.column32(self.0.iter().map(|it| &it.region));
        out.column32(self.0.iter().map(|it| &it.below));
    }

    fn read(from: &mut In) -> Option<Self> {
        let columns = (from.column32()?, from.column32()?, from.column32()?);
        let mut frames = Frames::default();
        for ((enter, region), below) in columns.0.into_iter().zip(columns.1).zip(columns.2) {
            let depth = frames.depth(below) as u32;
            frames.0.push(Node {
                enter,
                region,
                below,
                depth,
            });
        }
        Some(frames)
    }
}

impl Keep for Sums {
    fn write(&self, out: &mut Out) {
        self.frames.write(out);
        out.number(self.len.into());
        out.column(self.times.iter().map(|it| it.0 as u64));
        out.number(zigzag(self.end.0));
        out.column32(self.places.iter().map(|it| &it.0));
        out.column32(self.places.iter().map(|it| &it.1));
        out.bytes(&self.columns);
        let width = self.columns.len();
        for column in 0..width {
            let numbers = (0..self.places.len()).map(|place| self.sums[place * width + column]);
            out.column(numbers);
        }
        self.total.write(out);
        out.number(self.depth.into());
        out.column32(self.switches.iter().map(|it| &it.0));
        let off = self.switches.iter().map(|it| u8::from(it.1));
        out.bytes(&off.collect::<Vec<u8>>());
        out.column32(self.endless.iter());
    }

    fn read(from: &mut In) -> Option<Self> {
        let frames = Frames::read(from)?;
        let len = from.number32()?;
        let times: Vec<_> = from
            .column()?
            .into_iter()
            .map(|it| Timestamp(it as i64))
            .collect();
        let end = Timestamp(unzigzag(from.number()?));
        let (nodes, calls) = (from.column32()?, from.column32()?);
        let places: Vec<(u32, u32)> = nodes.into_iter().zip(calls).collect();
        let columns = from.bytes()?;
        let is_sound = places.len() == len.div_ceil(STRIDE) as usize
            && times.len() == places.len()
            && columns.iter().all(|it| usize::from(*it) < PARTS);
        is_sound.then_some(())?;
        let width = columns.len();
        let mut sums = vec![0; width * places.len()];
        for column in 0..width {
            let numbers = from.column()?;
            (numbers.len() == places.len()).then_some(())?;
            for (place, number) in numbers.into_iter().enumerate() {
                sums[place * width + column] = number;
            }
        }
        Some(Sums {
            total: Done::read(from)?,
            depth: from.number32()?,
            switches: {
                let (switches, off) = (from.column32()?, from.bytes()?);
                let off = off.into_iter().map(|it| it != 0);
                switches.into_iter().zip(off).collect()
            },
            endless: from.column32()?,
            frames,
            len,
            times,
            end,
            places,
            columns,
            sums,
        })
    }
}

impl Keep for Waits {
    fn write(&self, out: &mut Out) {
        out.column32(self.calls.iter());
        self.lasted.iter().for_each(|it| out.number((*it).into()));
        let mut long: Vec<_> = self.long.iter().collect();
        long.sort_unstable();
        out.length(long.len());
        for (call, lasted) in long {
            out.number((*call).into());
            out.number(*lasted);
        }
    }

    fn read(from: &mut In) -> Option<Self> {
        let calls = from.column32()?;
        let lasted = calls.iter().map(|_| from.number32());
        let mut lasted: Vec<u32> = lasted.collect::<Option<_>>()?;
        lasted.shrink_to_fit();
        let length = from.length()?;
        let long = (0..length).map(|_| Some((from.number32()?, from.number()?)));
        Some(Waits {
            long: long.collect::<Option<_>>()?,
            calls,
            lasted,
        })
    }
}

impl Keep for Chunks {
    fn write(&self, out: &mut Out) {
        out.column32(self.ends.iter());
        out.column32(self.sums.iter().map(|it| &it.0));
        for (_, sum) in &self.sums {
            out.number(sum.calls);
            out.number(sum.time);
            out.number(sum.waiting);
        }
    }

    fn read(from: &mut In) -> Option<Self> {
        let (ends, paths) = (from.column32()?, from.column32()?);
        let sum = |path| {
            let sum = PathSum {
                calls: from.number()?,
                time: from.number()?,
                waiting: from.number()?,
            };
            Some((path, sum))
        };
        let mut sums: Vec<_> = paths.into_iter().map(sum).collect::<Option<_>>()?;
        sums.shrink_to_fit();
        let is_sound = ends.is_sorted() && ends.iter().all(|it| *it as usize <= sums.len());
        is_sound.then_some(Chunks { ends, sums })
    }
}

impl Keep for Vec<(Hull, Hull)> {
    fn write(&self, out: &mut Out) {
        out.column(self.iter().map(|it| it.1.begin));
        out.column(self.iter().map(|it| it.1.end));
        // Most messages are short, and lie about the events.
        let before = |it: &(Hull, Hull)| it.1.begin.wrapping_sub(it.0.begin);
        let behind = |it: &(Hull, Hull)| it.0.end.wrapping_sub(it.1.end);
        out.column(self.iter().map(before));
        out.column(self.iter().map(behind));
    }

    fn read(from: &mut In) -> Option<Self> {
        let (begins, ends) = (from.column()?, from.column()?);
        let (before, behind) = (from.column()?, from.column()?);
        let own = begins.into_iter().zip(ends);
        let all = own.zip(before.into_iter().zip(behind));
        let hulls = all.map(|((begin, end), (before, behind))| {
            let whole = Hull {
                begin: begin.wrapping_sub(before),
                end: end.wrapping_add(behind),
            };
            (whole, Hull { begin, end })
        });
        Some(hulls.collect())
    }
}

impl Keep for Amount {
    fn write(&self, out: &mut Out) {
        out.number(self.count);
        out.number(self.bytes);
    }

    fn read(from: &mut In) -> Option<Self> {
        Some(Amount {
            count: from.number()?,
            bytes: from.number()?,
        })
    }
}

impl Keep for Traffic {
    fn write(&self, out: &mut Out) {
        out.column32(self.ends.iter().map(|it| &it.0));
        out.column32(self.ends.iter().map(|it| &it.1));
        out.length(self.pairs.len());
        for ((from, to), amount) in &self.pairs {
            out.number((*from).into());
            out.number((*to).into());
            amount.write(out);
        }
        out.length(self.sizes.len());
        for (class, amount) in &self.sizes {
            out.number((*class).into());
            amount.write(out);
        }
    }

    fn read(from: &mut In) -> Option<Self> {
        let ends: Vec<(u32, u32)> = from.column32()?.into_iter().zip(from.column32()?).collect();
        let length = from.length()?;
        let mut pairs = Vec::with_capacity(length);
        for _ in 0..length {
            let pair = (from.number32()?, from.number32()?);
            pairs.push((pair, Amount::read(from)?));
        }
        let length = from.length()?;
        let mut sizes = Vec::with_capacity(length);
        for _ in 0..length {
            sizes.push((from.number32()?, Amount::read(from)?));
        }
        let fits = |(a, b): &(u32, u32)| *a as usize <= pairs.len() && *b as usize <= sizes.len();
        let is_sound = ends.iter().all(fits) && ends.is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1);
        is_sound.then(|| Traffic::of(ends, pairs, sizes))
    }
}

impl Keep for Ends {
    fn write(&self, out: &mut Out) {
        out.column32(self.peers.iter());
        out.column32(self.ends.iter());
        out.bytes(&self.bytes);
    }

    fn read(from: &mut In) -> Option<Self> {
        Some(Ends {
            peers: from.column32()?,
            ends: from.column32()?,
            bytes: from.bytes()?,
        })
    }
}

impl Keep for Option<Group> {
    fn write(&self, out: &mut Out) {
        let Some(group) = self else {
            return out.number(0);
        };
        out.number(u64::from(group.shift) + 1);
        for part in 0..PARTS {
            out.column(group.until.iter().map(|it| it.0[part]));
        }
    }

    fn read(from: &mut In) -> Option<Self> {
        let Some(shift) = from.number32()?.checked_sub(1) else {
            return Some(None);
        };
        let mut until: Vec<Done> = Vec::new();
        for part in 0..PARTS {
            let column = from.column()?;
            if part == 0 {
                until = vec![Done::default(); column.len()];
            }
            (column.len() == until.len()).then_some(())?;
            for (done, number) in until.iter_mut().zip(column) {
                done.0[part] = number;
            }
        }
        (shift < 64 && !until.is_empty()).then_some(Some(Group { shift, until }))
    }
}

impl Keep for Moments {
    fn write(&self, out: &mut Out) {
        out.number(self.first_enter);
        out.number(self.last_enter);
        out.number(self.last_leave);
    }

    fn read(from: &mut In) -> Option<Self> {
        Some(Moments {
            first_enter: from.number()?,
            last_enter: from.number()?,
            last_leave: from.number()?,
        })
    }
}

impl Keep for u128 {
    fn write(&self, out: &mut Out) {
        out.number(*self as u64);
        out.number((*self >> 64) as u64);
    }

    fn read(from: &mut In) -> Option<Self> {
        let low = u128::from(from.number()?);
        Some(low | u128::from(from.number()?) << 64)
    }
}

impl Keep for Kept {
    fn write(&self, out: &mut Out) {
        out.number(self.is_cut.into());
        out.length(self.pairs.len());
        for ((from, to), sum) in &self.pairs {
            let numbers = [
                (*from).into(),
                (*to).into(),
                sum.count,
                sum.reversed,
                sum.bytes,
            ];
            numbers.into_iter().for_each(|it| out.number(it));
            sum.sent.write(out);
            sum.received.write(out);
        }
    }

    fn read(from: &mut In) -> Option<Self> {
        let is_cut = from.number()? != 0;
        let length = from.length()?;
        let mut pairs = Vec::with_capacity(length);
        for _ in 0..length {
            let pair = (from.number32()?, from.number32()?);
            let sum = Sum {
                count: from.number()?,
                reversed: from.number()?,
                bytes: from.number()?,
                sent: u128::read(from)?,
                received: u128::read(from)?,
            };
            pairs.push((pair, sum));
        }
        Some(Kept { pairs, is_cut })
    }
}
