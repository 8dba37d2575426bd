//! What the program was told of its messages: of each that a blocking receive
//! or probe gave, source, tag and size go into a hash beside that of the calls.
//!
//! A replay whose calls are the same may still have got other messages. The
//! hash is written at marks, after each of the first messages and less often
//! later, and compared there.

use mpiscope_run::order::outcome::{OtherData, What};
use mpiscope_run::order::{next_mark, End};

use super::call::OrderedCall;
use super::thread::Thread;
use crate::base::code_place::code_place;

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
    let cursor = thread.cursor.as_mut().filter(|_| !together);
    let expected = cursor.and_then(|cursor| cursor.mark());
    if expected.is_some_and(|expected| expected != hash) {
        differ(thread, since);
    }
}

/// One of the latest messages is another than recorded; the hash stays another.
fn differ(thread: &mut Thread, since: u64) {
    if let Some(cursor) = &mut thread.cursor {
        cursor.compare_no_messages();
    }
    let latest = thread.messages.last(thread.hot.hash.messages(), since);
    let (calls, sites): (Vec<u64>, Vec<usize>) = latest.unzip();
    let mut sites: Vec<String> = sites.into_iter().map(code_place).collect();
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

/// Writes the last entry of a thread's stream.
pub fn say_end(thread: &mut Thread) {
    end(thread);
    let end = End {
        calls: thread.hot.hash.calls(),
        hash: thread.hot.hash.short(),
    };
    thread.out.put(|encoder, writer| encoder.end(writer, end));
}
