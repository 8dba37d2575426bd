//! Only the latest records of a process are kept: which are given up, and what is told in their
//! place.
//!
//! What is given up is read once more, of all threads in the order of time, as if recording had
//! been off: messages are counted, requests that are active are remembered, regions that are open
//! are entered again. In place of a thread's records stand
//!
//! ```text
//! MPI_Init | off | on, what was counted | (off | on) | regions that are open
//! ```
//!
//! the first and the third in the records of the thread that initialised MPI. What was counted
//! comes before all that is kept of any thread, as whoever numbers messages goes by time; where
//! another thread keeps older records, as it is in a call that takes long, recording is said to be
//! on just for that moment.
//!
//! Records of a thread are given up to the end of a call: what a call tells belongs together, and
//! whether MPI rejected it is told last. Nor is a team of threads cut through.

mod thread;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::io;

use mpiscope_run::kept::{Kept, Part, Source};
use mpiscope_run::record::{Channel, Fact, FileFact, Message, Record, Side, UNSEEN};

use crate::unrecorded::Unrecorded;
use thread::Thread;

/// The end of a thread's work in a team is taken back, if it is the latest record and the thread
/// goes on with a task; this far from the end of a buffer it is left alone.
const MAY_BE_TAKEN_BACK: u64 = 64;

/// How often a time is moved before a team's begin, until no team is cut through.
const TRIES: usize = 8;

/// Requests that are remembered; what ends in a call that a filter leaves out is not told of. Of
/// more, the oldest are taken for ended.
const MOST_REQUESTS: usize = 1 << 16;

/// What was given up of a process, and what is told of that.
pub struct Keeper {
    /// The numbers of regions from this one on are the program's own.
    first_own: u32,
    /// The number of the region in which receives are told that are active.
    region: u32,
    buffers: Vec<Buffer>,
    counted: Unrecorded,
    /// Sends that are active, which count when they end.
    sends: BTreeMap<u32, Message>,
    /// Operations that are not messages, and have requests that are active.
    active: BTreeSet<u32>,
    /// Receives that may have completed with messages that nobody can tell.
    unknown: Vec<Fact>,
    /// All that was given up was before.
    until: u64,
}

/// What was given up of a buffer.
#[derive(Default)]
struct Buffer {
    first: u64,
    thread: Thread,
    /// Who goes on behind a thread that has ended.
    next: Option<(u32, u32)>,
    /// MPI_Init, in the first thread's.
    init: Vec<Record>,
    /// The messages of the call that is being read.
    since_enter: Vec<Fact>,
    /// The collective operation that ends next was counted where it was initiated.
    completes: bool,
}

/// Where a buffer is to be cut.
struct Cut {
    first: u64,
    /// When the team began that would be cut through.
    team_since: Option<u64>,
}

impl Keeper {
    /// Gives up nothing yet; regions from `first_own` on are the program's own, and receives that
    /// are active are told in `region`.
    pub fn new(first_own: u32, region: u32) -> Self {
        let mut counted = Unrecorded::default();
        counted.begin();
        Self {
            first_own,
            region,
            buffers: Vec::new(),
            counted,
            sends: BTreeMap::new(),
            active: BTreeSet::new(),
            unknown: Vec::new(),
            until: 0,
        }
    }

    /// Returns how many records are kept of these buffers, the first thread's first.
    pub fn kept<S: Source>(&self, sources: &[S]) -> u64 {
        let kept = |(at, source): (usize, &S)| source.committed().saturating_sub(self.first(at));
        sources.iter().enumerate().map(kept).sum()
    }

    /// Returns when the oldest record that is kept was made; nothing if there is none.
    ///
    /// # Errors
    /// When a buffer cannot be read.
    pub fn oldest<S: Source>(&self, sources: &mut [S]) -> io::Result<Option<u64>> {
        let mut oldest = None;
        for (at, source) in sources.iter_mut().enumerate() {
            let time = time_of(source, self.first(at))?;
            oldest = [oldest, time].into_iter().flatten().min();
        }
        Ok(oldest)
    }

    /// Returns when the latest record was made; nothing if there is none.
    ///
    /// # Errors
    /// When a buffer cannot be read.
    pub fn latest<S: Source>(&self, sources: &mut [S]) -> io::Result<Option<u64>> {
        let mut latest = None;
        for source in sources.iter_mut() {
            let last = source.committed().saturating_sub(1);
            latest = latest.max(time_of(source, last)?);
        }
        Ok(latest)
    }

    /// Returns the time up to which about so many records are the oldest.
    ///
    /// # Errors
    /// When a buffer cannot be read.
    pub fn time_of_oldest<S: Source>(&self, sources: &mut [S], records: u64) -> io::Result<u64> {
        let Some(mut from) = self.oldest(sources)? else {
            return Ok(0);
        };
        let mut until = self.latest(sources)?.unwrap_or(from).max(from);
        while from < until {
            let middle = from + (until - from) / 2;
            let mut before = 0;
            for (at, source) in sources.iter_mut().enumerate() {
                before += older(source, self.first(at), middle)?;
            }
            match before >= records {
                true => until = middle,
                false => from = middle + 1,
            }
        }
        Ok(from)
    }

    /// Gives up all records up to a time, as far as the calls and teams that they are of have
    /// ended; returns whether that is any.
    ///
    /// # Errors
    /// When a buffer cannot be read; nothing may be given up then any more.
    pub fn give_up<S: Source>(&mut self, sources: &mut [S], until: u64) -> io::Result<bool> {
        self.buffers.resize_with(sources.len(), Buffer::default);
        let Some((until, ends)) = self.cuts(sources, until)? else {
            return Ok(false);
        };
        self.until = self.until.max(until);
        self.read(sources, &ends)?;
        for (buffer, end) in self.buffers.iter_mut().zip(ends) {
            buffer.first = end;
        }
        Ok(true)
    }

    fn first(&self, at: usize) -> u64 {
        self.buffers.get(at).map_or(0, |buffer| buffer.first)
    }

    /// Returns where the buffers are cut, and up to which time; nothing if nothing is given up.
    fn cuts<S: Source>(
        &self,
        sources: &mut [S],
        mut until: u64,
    ) -> io::Result<Option<(u64, Vec<u64>)>> {
        for _ in 0..TRIES {
            let mut cuts = Vec::new();
            for (buffer, source) in self.buffers.iter().zip(&mut *sources) {
                cuts.push(self.cut(buffer, source, until, cuts.is_empty())?);
            }
            let since = cuts.iter().filter_map(|cut| cut.team_since).min();
            if let Some(since) = since.filter(|&since| since <= until) {
                until = since.saturating_sub(1);
                continue;
            }
            let ends: Vec<u64> = cuts.iter().map(|cut| cut.first).collect();
            let is_any = (self.buffers.iter().zip(&ends)).any(|(it, end)| *end > it.first);
            // What was counted is told behind MPI_Init.
            let is_told = ends.first().is_some_and(|&end| end > 0);
            return Ok((is_any && is_told).then_some((until, ends)));
        }
        Ok(None)
    }

    /// Finds the last record before which a buffer may be cut.
    fn cut<S: Source>(
        &self,
        buffer: &Buffer,
        source: &mut S,
        until: u64,
        is_first: bool,
    ) -> io::Result<Cut> {
        let committed = source.committed();
        let mut thread = buffer.thread.clone();
        let mut reader = Reader::new(source, buffer.first, committed);
        let (mut first, mut at) = (buffer.first, buffer.first);
        let mut kept_since = None;
        let mut is_begun = !is_first || buffer.first > 0;
        let mut team_ended = false;
        while let Some(record) = reader.next()?.filter(|record| record.time <= until) {
            kept_since.get_or_insert(record.time);
            at += 1;
            let Some(fact) = record.fact() else { continue };
            thread.take(fact, self.first_own);
            is_begun |= matches!(fact, Fact::Leave { .. });
            team_ended |= thread::is_end_of_team(&fact) && at + MAY_BE_TAKEN_BACK > committed;
            let is_border = is_begun && !team_ended && thread::may_end(&fact);
            if is_border && thread.is_outside() {
                (first, kept_since) = (at, None);
            }
        }
        let team_since = kept_since.filter(|_| thread.is_in_team());
        Ok(Cut { first, team_since })
    }

    /// Reads what is given up, in the order of time.
    fn read<S: Source>(&mut self, sources: &mut [S], ends: &[u64]) -> io::Result<()> {
        let mut readers: Vec<Reader<S>> = (self.buffers.iter().zip(sources).zip(ends))
            .map(|((buffer, source), &end)| Reader::new(source, buffer.first, end))
            .collect();
        let mut turns = BinaryHeap::new();
        for (at, reader) in readers.iter_mut().enumerate() {
            let next = reader.next()?;
            turns.extend(next.map(|record| Reverse((record.time, at, record.raw()))));
        }
        while let Some(Reverse((_, at, raw))) = turns.pop() {
            self.take(at, Record::from_raw(raw));
            let next = readers[at].next()?;
            turns.extend(next.map(|record| Reverse((record.time, at, record.raw()))));
        }
        Ok(())
    }

    /// Takes a record for given up.
    fn take(&mut self, at: usize, record: Record) {
        let buffer = &mut self.buffers[at];
        if at == 0 && !buffer.init.last().is_some_and(is_leave) {
            buffer.init.push(record);
        }
        let Some(fact) = record.fact() else { return };
        buffer.thread.take(fact, self.first_own);
        match fact {
            Fact::Enter { .. } => buffer.since_enter.clear(),
            Fact::ThreadBegins { thread, tid } => buffer.next = Some((thread, tid)),
            Fact::Failed { rejected: true, .. } => {
                for fact in std::mem::take(&mut buffer.since_enter) {
                    self.take_back(fact);
                }
            }
            Fact::Send(_) | Fact::Isend(..) | Fact::IrecvRequest { .. } => {
                buffer.since_enter.push(fact);
            }
            Fact::CollectiveCompletes { .. } => buffer.completes = true,
            Fact::CollectiveEnd(_) if std::mem::take(&mut buffer.completes) => return,
            _ => {}
        }
        if self.is_of_send(fact) {
            return;
        }
        self.note_request(fact);
        match self.counted.note(fact) {
            // Whatever it was posted by: it was received.
            Some(Fact::UnseenIrecv(message, _)) => self.count(Side::Received, &message),
            Some(fact @ Fact::UnknownReceive(..)) => self.note_unknown(fact),
            _ => {}
        }
    }

    fn count(&mut self, side: Side, message: &Message) {
        let _ = (self.counted).note(Fact::Skipped(Channel::of(side, message), 1));
    }

    /// Takes back what MPI has rejected.
    fn take_back(&mut self, fact: Fact) {
        match fact {
            Fact::Isend(_, request) => drop(self.sends.remove(&request)),
            _ => self.counted.take_back(fact),
        }
    }

    /// Takes what begins and ends sends that are active; returns whether a fact does.
    fn is_of_send(&mut self, fact: Fact) -> bool {
        let ended = match fact {
            Fact::Isend(message, request) | Fact::UnseenIsend(message, request) => {
                self.sends.insert(request, message);
                let is_too_many = self.sends.len() > MOST_REQUESTS;
                is_too_many.then(|| self.sends.pop_first()).flatten()
            }
            Fact::IsendComplete { request } => self.sends.remove_entry(&request),
            Fact::RequestCancelled { request } | Fact::UnseenCancelled { request } => {
                return self.sends.remove(&request).is_some();
            }
            _ => return false,
        };
        if let Some((_, message)) = ended {
            self.count(Side::Sent, &message);
        }
        true
    }

    /// Notes which operations are active that are no messages.
    fn note_request(&mut self, fact: Fact) {
        match fact {
            Fact::CollectiveRequest { request, .. } => self.active.insert(request),
            Fact::RemoteAccess(access, id) if access.has_request => self.active.insert(id),
            Fact::File(FileFact::Access(access, id)) if access.is_nonblocking => {
                self.active.insert(id)
            }
            Fact::CollectiveCompletes { request }
            | Fact::RemoteAccessComplete { request }
            | Fact::RequestCancelled { request } => self.active.remove(&request),
            Fact::File(FileFact::Complete(it)) => self.active.remove(&it.id),
            Fact::File(FileFact::Cancelled(_, id)) => self.active.remove(&id),
            _ => false,
        };
        if self.active.len() > MOST_REQUESTS {
            self.active.pop_first();
        }
    }

    /// Notes a receive of which nobody can tell what it received; one for each pattern is enough.
    fn note_unknown(&mut self, fact: Fact) {
        let pattern = |fact: &Fact| match fact {
            Fact::UnknownReceive(m, _) => Some((m.comm, m.peer, m.tag, m.wildcard.bits())),
            _ => None,
        };
        if !self.unknown.iter().any(|it| pattern(it) == pattern(&fact)) {
            self.unknown.push(fact);
        }
    }

    /// Returns what is told, with the names of the buffers, and up to when records were given up.
    ///
    /// # Errors
    /// When a buffer cannot be read.
    pub fn tell<S: Source>(
        &self,
        sources: &mut [S],
        name: impl Fn(&S) -> String,
    ) -> io::Result<(Kept, u64)> {
        let mut begins = Vec::new();
        for (buffer, source) in self.buffers.iter().zip(&mut *sources) {
            let first = time_of(source, buffer.first)?;
            begins.push(first.map_or(self.until, |first| first.min(self.until)));
        }
        let oldest = begins.iter().copied().min().unwrap_or(0);
        let before_all = oldest.saturating_sub(1);
        let mut kept = Kept {
            unseen: (self.counted.receiving())
                .chain(self.sends.keys().copied())
                .chain(self.active.iter().copied())
                .collect(),
            ..Kept::default()
        };
        kept.unseen.sort_unstable();
        kept.unseen.dedup();
        for (at, (buffer, source)) in self.buffers.iter().zip(&*sources).enumerate() {
            if buffer.first == 0 {
                continue;
            }
            let told = match at {
                0 => self.told_first(buffer, before_all, begins[at]),
                _ => told(buffer, before_all.saturating_sub(1), begins[at]),
            };
            kept.buffers.push(Part {
                name: name(source),
                first: buffer.first,
                thread: buffer.next,
                told: told.iter().map(Record::raw).collect(),
            });
        }
        Ok((kept, self.until))
    }

    /// The same of the first thread, whose records tell what was counted.
    fn told_first(&self, buffer: &Buffer, before_all: u64, begins: u64) -> Vec<Record> {
        let mut all = buffer.init.clone();
        let init = all.last().map_or(0, |record| record.time);
        let before_all = before_all.max(init);
        all.push(Record::new(init, Fact::Switched { on: false }));
        all.push(Record::new(before_all, Fact::Switched { on: true }));
        let unknown = self.unknown.iter().copied();
        let sends = (self.sends.iter()).map(|(&id, &message)| Fact::UnseenIsend(message, id));
        let counted = sends.chain(self.counted.clone().into_facts());
        let unseen = counted.map(|fact| fact.with_ids(|id| id | UNSEEN));
        let mut facts: Vec<Fact> = unknown.chain(unseen).collect();
        if facts.iter().any(is_event) {
            let region = self.region;
            facts.insert(0, Fact::Enter { region, site: 0 });
            facts.push(Fact::Leave { region });
        }
        all.extend(facts.into_iter().map(|it| Record::new(before_all, it)));
        match begins > before_all + 1 {
            true => all.extend(told(buffer, before_all, begins)),
            false => all.extend(entered(buffer, begins)),
        }
        all
    }
}

/// Recording was off, and is on since a time.
fn told(buffer: &Buffer, off: u64, on: u64) -> Vec<Record> {
    let switched = [(off, false), (on, true)];
    let mut all = switched
        .map(|(time, on)| Record::new(time, Fact::Switched { on }))
        .to_vec();
    all.extend(entered(buffer, on));
    all
}

/// The regions that are open are entered.
fn entered(buffer: &Buffer, time: u64) -> impl Iterator<Item = Record> + '_ {
    let open = buffer.thread.open.iter();
    open.map(move |&fact| Record::new(time, fact))
}

/// Returns whether what was counted is an event, too.
fn is_event(fact: &Fact) -> bool {
    matches!(fact, Fact::IrecvRequest { .. } | Fact::Probe(..))
}

fn is_leave(record: &Record) -> bool {
    matches!(record.fact(), Some(Fact::Leave { .. }))
}

/// Returns the time of a record; nothing if there is none.
fn time_of<S: Source>(source: &mut S, at: u64) -> io::Result<Option<u64>> {
    let committed = source.committed();
    Ok(Reader::new(source, at, committed.min(at + 1))
        .next()?
        .map(|record| record.time))
}

/// Returns how many records from `first` on are not later than a time.
fn older<S: Source>(source: &mut S, first: u64, time: u64) -> io::Result<u64> {
    let (mut from, mut to) = (first, source.committed());
    while from < to {
        let middle = from + (to - from) / 2;
        match time_of(source, middle)? {
            Some(at) if at <= time => from = middle + 1,
            _ => to = middle,
        }
    }
    Ok(from.saturating_sub(first))
}

/// The records of a buffer, one by one.
struct Reader<'a, S> {
    source: &'a mut S,
    at: u64,
    end: u64,
    block: Vec<Record>,
    given: usize,
}

impl<'a, S: Source> Reader<'a, S> {
    fn new(source: &'a mut S, at: u64, end: u64) -> Self {
        Self {
            source,
            at,
            end,
            block: Vec::new(),
            given: 0,
        }
    }

    fn next(&mut self) -> io::Result<Option<Record>> {
        if self.given == self.block.len() {
            self.block.clear();
            self.given = 0;
            let most = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
            if most > 0 {
                self.source.read(self.at, most, &mut self.block)?;
            }
            self.at += self.block.len() as u64;
        }
        let next = self.block.get(self.given).copied();
        self.given += 1;
        Ok(next)
    }
}
