//! The first part of a call's entry: what the program asked for, which a
//! process alone must ask for again.

use mpi_abi::{id, Abi};
use mpiscope_run::payload::{hash, Body, Cursor};

use super::args::{self, Frame};
use super::handles;
use super::requests::Requests;
use super::rules::Rule;
use crate::mpi::shape::completion::{ONE, SEVERAL};
use crate::order::call::OrderedCall;
use crate::order::count_call::integers;
use crate::order::hash::{described_by, INTEGERS};

/// What a call asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Its integers, and the thread's number of its communicator.
    integers: [i32; INTEGERS + 1],
    count: usize,
}

impl Head {
    /// Looks at a call.
    pub fn of(call: &mut OrderedCall) -> Self {
        let (found, count) = integers(call);
        let mut integers = [0; INTEGERS + 1];
        for (to, from) in integers.iter_mut().zip(found) {
            *to = from as i32;
        }
        Self { integers, count }
    }

    /// Writes it.
    pub fn save(&self, body: &mut Body) {
        body.number(self.count as u64);
        for &integer in self.integers.iter().take(self.count) {
            body.integer(integer);
        }
    }

    /// Reads it.
    pub fn load(cursor: &mut Cursor) -> Option<Self> {
        let mut head = Self {
            count: cursor.number()?.min(INTEGERS as u64 + 1) as usize,
            ..Self::default()
        };
        for integer in head.integers.iter_mut().take(head.count) {
            *integer = cursor.integer()?;
        }
        Some(head)
    }

    /// Names a call with these integers.
    pub fn described(&self, function: &str, abi: &Abi) -> String {
        let Some(function) = mpi_abi::FunctionId::find(function) else {
            return function.to_owned();
        };
        described_by(function, abi, |k| {
            self.integers.get(k).copied().unwrap_or(0)
        })
    }
}

/// Writes what the buffers of a collective operation depend on.
pub fn save_frame(frame: &Frame, body: &mut Body) {
    body.number(frame.rank << 1 | u64::from(frame.inter));
    body.number(frame.sources);
    body.number(frame.destinations);
}

/// Reads it.
pub fn load_frame(cursor: &mut Cursor) -> Option<Frame> {
    let rank = cursor.number()?;
    Some(Frame {
        rank: rank >> 1,
        inter: rank & 1 == 1,
        sources: cursor.number()?,
        destinations: cursor.number()?,
    })
}

/// Hashes the data that a call sends; 0 if it sends none.
pub fn sent(call: &OrderedCall, rule: &Rule, frame: &Frame, requests: &Requests) -> u32 {
    let mut state = 0;
    let mut add = |region: &super::places::Region| {
        if let Some(bytes) = region.read(call.mpi, None) {
            state = hash(state, &bytes);
        }
    };
    match call.function {
        id::MPI_START => {
            let sends = requests.sends(handles::number(call, ONE, 0));
            sends.iter().for_each(&mut add);
        }
        id::MPI_STARTALL => {
            for k in 0..call.len(SEVERAL.count) {
                let sends = requests.sends(handles::number(call, SEVERAL.handles, k));
                sends.iter().for_each(&mut add);
            }
        }
        // The data is that of the start.
        _ if rule.persistent => {}
        _ => args::sent(call, rule, frame).iter().for_each(&mut add),
    }
    state as u32
}
