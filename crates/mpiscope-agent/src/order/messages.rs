//! What the program was told of its messages: of each that a blocking receive
//! or probe gave, source, tag and size go into a hash beside that of the calls.
//!
//! A replay whose calls are the same may still have got other messages. The
//! hash is written at marks, after each of the first messages and less often
//! later, and compared there.

use mpiscope_run::order::outcome::{OtherData, What};
use mpiscope_run::order::{next_mark, MESSAGES_PER_MARK};

use super::call::OrderedCall;
use super::nondeterminism;
use super::thread::Thread;

/// The latest messages of a thread that is led: in which call each came, and where that was made.
#[derive(Debug)]
pub struct Latest([(u64, usize); MESSAGES_PER_MARK as usize]);

impl Default for Latest {
    fn default() -> Self {
        Self([(0, 0); MESSAGES_PER_MARK as usize])
    }
}

impl Latest {
    #[inline(always)]
    fn put(&mut self, messages: u64, call: u64, site: usize) {
        self.0[(messages % MESSAGES_PER_MARK) as usize] = (call, site);
    }

    /// Returns the last so many, oldest first.
    fn last(&self, messages: u64, count: u64) -> impl Iterator<Item = (u64, usize)> + '_ {
        let first = messages + 1 - count.clamp(1, MESSAGES_PER_MARK);
        (first..=messages).map(|message| self.0[(message % MESSAGES_PER_MARK) as usize])
    }
}

/// Notes a message, as the status of a call that has succeeded tells of it.
#[inline(always)]
pub fn told(thread: &mut Thread, status: usize) {
    thread.hot.told(status);
    let messages = thread.hot.hash.messages();
    if thread.hot.watched {
        let calls = thread.hot.hash.calls();
        let site = thread.shared.place.site();
        thread.messages.put(messages, calls, site);
    }
    if messages == thread.hot.next_mark {
        mark(thread);
    }
}

/// The same for a call that goes the long way.
pub fn told_in(call: &mut OrderedCall, result: usize, status: usize) {
    if call.ok(result) {
        told(call.thread, call.status(status, 0) as usize);
    }
}

/// Writes the hash so far, and compares it with the record's.
#[cold]
#[inline(never)]
pub fn mark(thread: &mut Thread) {
    let (messages, hash) = (thread.hot.hash.messages(), thread.hot.hash.told_so_far());
    let since = messages - std::mem::replace(&mut thread.last_mark, messages);
    thread.hot.next_mark = next_mark(messages);
    thread.out.put(|encoder, writer| encoder.mark(writer, hash));
    let together = thread.session.is_serial();
    let guide = thread.guide.as_mut().filter(|_| !together);
    let expected = guide.and_then(|guide| guide.mark());
    if expected.is_some_and(|expected| expected != hash) {
        differ(thread, since);
    }
}

/// One of the latest messages is another than recorded; the hash stays another.
fn differ(thread: &mut Thread, since: u64) {
    if let Some(guide) = &mut thread.guide {
        guide.compare_no_messages();
    }
    let latest = thread.messages.last(thread.hot.hash.messages(), since);
    let (calls, sites): (Vec<u64>, Vec<usize>) = latest.unzip();
    let mut sites: Vec<String> = sites.into_iter().map(nondeterminism::place).collect();
    sites.sort_unstable();
    sites.dedup();
    thread.session.report.note_other_data(OtherData {
        thread: thread.number,
        call: thread.hot.hash.calls(),
        from: calls.first().copied().unwrap_or_default(),
        what: What::Status,
        sites,
    });
}

/// The last mark, for messages that came after the one before.
pub fn end(thread: &mut Thread) {
    if thread.hot.hash.messages() > thread.last_mark {
        mark(thread);
    }
}
