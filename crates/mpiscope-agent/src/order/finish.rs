//! MPI_Finalize: the choices go into the run; a replay says how it went.

use std::sync::atomic::Ordering;
use std::sync::PoisonError;

use mpiscope_run::order::collect::{remove, write_process};
use mpiscope_run::order::outcome::State;
use mpiscope_run::order::End;
use mpiscope_run::statistics::Choices;
use mpiscope_run::system::without_size_signal;
use mpiscope_run::{directory, shared_memory};

use super::around::around;
use super::call::OrderedCall;
use super::out::Out;
use super::settings::Mode;
use super::state::{self, Session, Shared};
use super::thread;
use super::{debugged, diverge, messages, outcome, trace_comparison, watch};
use crate::base::notice;
use crate::base::own::Own;
use crate::base::path::{switch, Layer};
use crate::mpi::call::{Call, Lang};
use crate::mpi::layers::Next;
use crate::peers::virtual_time::time;

/// Ends recording or leading; every rank for itself.
pub fn finish() {
    let Some(session) = state::get() else { return };
    if !super::on() || !session.finish() {
        return;
    }
    if let Some(around) = around() {
        (around.finish)(session);
    }
    if session.mode == Mode::Replay {
        compare_end(session);
    }
    if let Some(page) = session.page {
        page.end(session.rank as usize);
    }
    switch(Layer::Order, false);
    watch::stop();
    if session.mode == Mode::Enforce {
        keep_choices(session);
    } else if session.mode.leads() {
        if let Err(error) = outcome::write_outcome(session, State::Finished, Vec::new()) {
            notice::tell(&format!("how replay went is not known: {error}"));
        }
    }
    if session.writes {
        without_size_signal(|| write(session));
    }
}

/// Leaves word in the statistics of how choices were made, and tells the user what was left to MPI.
fn keep_choices(session: &Session) {
    let (made, left) = outcome::choices(session);
    let mut reasons: Vec<String> = Vec::new();
    for shared in session.threads() {
        // SAFETY: in MPI_Finalize no other thread calls MPI (MPI 4.1, §11.2.2), nor will it again.
        let thread = unsafe { shared.thread.get().as_ref() };
        let rule = thread.and_then(|thread| thread.rule.as_deref());
        let more = rule.map(|rule| rule.reasons.iter().map(|&r| r.to_owned()));
        reasons.extend(more.into_iter().flatten());
    }
    if left > 0 {
        notice::tell(&format!(
            "{left} choices of rank {} were left to MPI, and may not be those of the program without observation: {}",
            session.rank,
            reasons.join("; ")
        ));
    }
    let unrecorded = (session.unrecorded.lock()).unwrap_or_else(PoisonError::into_inner);
    time().keep(&Choices {
        made,
        left,
        reasons,
        uncovered: unrecorded.clone(),
    });
}

/// Whether the calling thread has come to the recorded end, and by the recorded way.
fn compare_end(session: &Session) {
    let Some(thread) = thread::current().map(Own::get) else {
        return;
    };
    let mut call = OrderedCall {
        call: Call {
            function: mpi_abi::id::MPI_FINALIZE,
            lang: Lang::C,
            mpi: session.mpi,
            args: &mut [],
        },
        next: Next::real(&|_| 0),
        thread,
    };
    if session.debugged {
        debugged::release(call.thread);
    }
    messages::end(call.thread);
    if let Some((expected, site)) = trace_comparison::at_end(&mut call) {
        return diverge::at_call(&mut call, expected, site);
    }
    let thread = &*call.thread;
    let Some(cursor) = &thread.cursor else { return };
    let (calls, hash) = (thread.hot.hash.calls(), thread.hot.hash.short());
    if let Some(serial) = session.serial.as_ref().filter(|it| it.is_active()) {
        return match serial.left() {
            0 => {}
            left => diverge::at_end(
                &mut call,
                format!("{left} more receives, waits or polls of its threads"),
            ),
        };
    }
    let expected = match cursor.order.end {
        Some(End { calls: then, .. }) if then != calls => {
            format!("MPI_Finalize after {then} calls, not after {calls}")
        }
        Some(End { hash: then, .. }) if then != hash => {
            "other calls since the last checkpoint (their hash differs)".to_owned()
        }
        None if cursor.has_more(thread.posts) => "more receives, waits or polls".to_owned(),
        _ => return,
    };
    diverge::at_end(&mut call, expected);
}

/// Every thread's last word, and the file.
fn write(session: &Session) {
    let buffers = session.buffers();
    let is_there = |shared: &&&Shared| !shared.ended.load(Ordering::Relaxed);
    for shared in session.threads().iter().filter(is_there) {
        // SAFETY: in MPI_Finalize no other thread calls MPI (MPI 4.1, §11.2.2), nor will it again.
        if let Some(thread) = unsafe { shared.thread.get().as_mut() } {
            messages::say_end(thread);
            thread.out.put(|_, writer| writer.finish());
        }
    }
    let ends = |out: &mut Out| {
        if let Some(writer) = &out.writer {
            writer.finish();
        }
    };
    if let Some(turns) = &session.turns {
        turns.with_out(ends);
    }
    if let Some(serial) = &session.serial {
        serial.with_out(ends);
    }
    match write_process(&session.run, &buffers) {
        Ok(_) => {
            remove(&session.run, &buffers);
            // Succeeds for the last rank of the host that has anything there.
            shared_memory::remove(&session.folder);
            let _ = std::fs::remove_dir(directory::buffers(&session.run));
        }
        Err(error) => notice::tell(&format!(
            "the order of a rank is kept in its buffers: {error}"
        )),
    }
}
