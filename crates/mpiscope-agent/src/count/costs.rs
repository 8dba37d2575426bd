//! What observation costs: every kind of probe, executed some hundred times at
//! the start, on entries that nobody sees.

use std::hint::black_box;
use std::ptr::from_mut;

use mpi_abi::id;
use mpiscope_run::statistics::{Costs, Key, Side};

use super::fast_path::{self, Hot};
use super::thread::{current, Statistics};
use super::virtual_clock::measure_stamps;
use crate::base::clock::ticks;
use crate::base::own::Own;
use crate::base::site;
use crate::facts::around::{around, begin};
use crate::facts::sinks::Sinks;
use crate::facts::thread::Thread;
use crate::mpi::call::Lang;

/// Of so many batches the median counts; the machine may be busy.
const BATCHES: usize = 15;
const BATCH: u64 = 64;
/// Measures; the thread is in no call.
pub fn measure(thread: &mut Thread) -> Costs {
    let mut scratch = Statistics::private();
    scratch.know(1);
    let fast = current().is_some_and(|own| own.get().hot.is_some());
    scratch.hot = fast.then(|| Hot::new(thread.session));
    if current().is_some_and(|own| own.get().virtual_clock.is_some()) {
        measure_stamps(|work| batches(work));
    }
    let (call, call_within) = calls(thread, &mut scratch);
    let region = batches(|| scratch.pass(Some(0)));
    // No function begins at 1.
    let function = batches(|| scratch.pass_function(1));
    let at = batches(|| scratch.pass(None));
    let clock = batches(|| {
        black_box(ticks());
    });
    Costs {
        call,
        call_within,
        region,
        // Between its two readings lie one reading and what follows the first.
        region_within: clock.min(region),
        function,
        function_within: clock.min(function),
        at,
    }
}

/// A send of nothing that is never made.
fn calls(thread: &mut Thread, scratch: &mut Statistics) -> (u64, u64) {
    let function = id::MPI_SEND;
    let abi = thread.session.mpi.abi;
    let mut args = [0, 0, abi.byte, 0, 0, abi.comm_world];
    let own = current();
    site::set_statistics(from_mut(scratch).cast());
    let sinks = std::mem::replace(&mut thread.sinks, Sinks::new(None, Some(from_mut(scratch))));
    let mut total = Vec::new();
    let mut within = Vec::new();
    for _ in 0..BATCHES {
        let before = time_within(scratch, function.0);
        let began = ticks();
        for _ in 0..BATCH {
            if fast_path::call(function, &args, |_| black_box(0)).is_none() {
                let current = begin(function, Lang::C, &mut args, site::noted());
                around(current, function, Lang::C, &mut args, |_| black_box(0));
            }
        }
        total.push(ticks().wrapping_sub(began) / BATCH);
        within.push((time_within(scratch, function.0) - before) / BATCH);
    }
    thread.sinks = sinks;
    let own = own.map_or(std::ptr::null_mut(), Own::pointer);
    site::set_statistics(own.cast());
    (median(total), median(within))
}

fn time_within(scratch: &mut Statistics, region: u16) -> u64 {
    let key = Key::call(region, Side::Sent, site::noted() as u64, 0, 0);
    let row = scratch.store.entry(key).and_then(|entry| entry.read());
    row.map_or(0, |row| row.time)
}

fn batches(mut work: impl FnMut()) -> u64 {
    let batch = || {
        let began = ticks();
        for _ in 0..BATCH {
            work();
        }
        ticks().wrapping_sub(began) / BATCH
    };
    median(std::iter::repeat_with(batch).take(BATCHES).collect())
}

fn median(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}
