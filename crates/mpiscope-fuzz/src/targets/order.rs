//! What a replay reads: streams of choices, the files they lie in, calls and payload.

use mpiscope_run::order::file::Streams;
use mpiscope_run::order::{self, in_flight, stream, Origin, Record};
use mpiscope_run::payload;

use crate::draw::{parts, Draw};
use crate::place::{fresh, put};

/// Five bytes may skip 2^18 receives of twelve bytes: of the choices of a run whose races were
/// looked for while it ran, only every 2^17th receive need be there. A table that grows is twice as
/// large for a moment, and what is read is written and read again.
pub const PER_BYTE: usize = 3 << 20;

/// So much of an input is read, as long as that is.
const MOST: usize = 128;

fn short(input: &[u8]) -> &[u8] {
    &input[..input.len().min(MOST)]
}

/// The input is a stream of choices: what it says is said again in the same words.
pub fn stream(input: &[u8]) {
    match stream::decode(short(input)) {
        Ok((thread, _)) => {
            let again = stream::encode(&thread);
            let (again, foreign) = stream::decode(&again).expect("what was written is read");
            assert!(foreign.is_empty());
            assert_eq!(again, thread);
        }
        Err(error) => drop(error),
    }
}

/// The input is the file of one rank's choices.
pub fn file(input: &[u8]) {
    let run = fresh("run");
    put(&run.join("order/0.order"), input);
    read(&run);
}

/// In an input: here the next thread's stream begins.
const NEXT_THREAD: &[u8] = b"THRD";

/// The input are streams of threads, the last one their turns, not compressed.
pub fn streams(input: &[u8]) {
    let run = fresh("run");
    let mut all: Vec<Vec<u8>> = (parts(short(input), NEXT_THREAD).into_iter())
        .map(<[u8]>::to_vec)
        .collect();
    let turns = match all.len() {
        1 => Vec::new(),
        _ => all.pop().unwrap_or_default(),
    };
    let streams = Streams {
        threads: (0..).zip(all).map(|(at, it)| (at, at.into(), it)).collect(),
        turns,
        ..Streams::default()
    };
    order::file::write_streams(&run, &Origin::default(), &streams).expect("it can be written");
    read(&run);
}

/// Reads the order record of a run; what was read is written and read again as the same.
fn read(run: &std::path::Path) {
    match order::read(run) {
        Ok(record) => {
            record.missing();
            order::write(run, &record).expect("what was read can be written");
            let again: Record = order::read(run).expect("what was written is read");
            assert_eq!(again, record);
        }
        Err(error) => drop(error.to_string()),
    }
}

/// The input is one of the smaller files beside a record, by its first byte.
pub fn beside(input: &[u8]) {
    let run = fresh("run");
    let mut draw = Draw(input);
    let kind = draw.below(5);
    match kind {
        0 => {
            put(&run.join("calls/0.calls"), draw.0);
            if let Ok(Some(calls)) = order::calls::read(&run, 0) {
                for thread in 0..calls.threads().min(9) as u32 {
                    if let Some(reader) = calls.of(thread) {
                        assert!(reader.count() <= input.len());
                    }
                }
            }
        }
        1 => {
            put(&run.join("order/0.races"), draw.0);
            order::online::read(&run).map(drop).unwrap_or_default();
        }
        2 => {
            put(&run.join("outcomes/0.json"), draw.0);
            order::outcome::read_ranks(&run);
        }
        3 => {
            in_flight::took(draw.0);
        }
        _ => {
            let buffer = run.join("0.order");
            put(&buffer, draw.0);
            drop(order::buffer::read(&buffer, &run));
            order::buffer::reached(&buffer);
        }
    }
}

/// The input is a rank's payload record.
pub fn payload(input: &[u8]) {
    let run = fresh("run");
    put(&payload::path(&run, 0), input);
    let Ok((_, mut kept)) = payload::open(&run, 0) else {
        return;
    };
    // A byte may say that the last call was made 255 times more.
    for _ in 0..256 * (input.len() + 1) {
        match kept.next_call() {
            Ok(Some(_)) => {}
            _ => return,
        }
    }
}
