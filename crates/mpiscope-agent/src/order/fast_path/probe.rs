//! Polls for a message, and what they share with tests in replay.

use mpiscope_rules::replay_cursor::Poll;
use mpiscope_run::order::{Found, Taken};

use super::super::envelope::Wild;
use super::super::thread::Thread;
use super::hot::{filled, Comm, FastPath};
use super::post::substituted;
use super::{ready, Within};

/// `MPI_Iprobe`.
#[inline(always)]
pub fn iprobe<const INDEX: u16, const N: usize>(
    args: &[usize; N],
    real: &impl Fn([usize; N]) -> usize,
) -> Option<usize> {
    let &[source, tag, comm, flag, status] = args.first_chunk()?;
    let thread = ready()?;
    let comm = thread.hot.comm(&thread.session.freed, comm)?;
    let wild = thread.hot.wild(source, tag);
    if thread.hot.fast_path == FastPath::Replay {
        return poll::<INDEX, N>(
            thread,
            args,
            comm.number,
            flag,
            |found| fits(found, wild, comm),
            |taken| match taken {
                Some(taken) => until(&substituted(args, [0, 1], taken), flag, real),
                None => until(args, flag, real),
            },
        );
    }
    let mut args = *args;
    let mut wanted = status;
    if wild.any() {
        wanted = filled(status, &mut thread.status);
        *args.get_mut(4)? = wanted;
    }
    let within = Within::<false>::begin::<INDEX, N>(thread, &args, comm.number, None);
    let result = real(args);
    probed(within.0.get(), result, flag, wanted, wild);
    within.close();
    Some(result)
}

/// Writes what a probe has found.
#[inline(never)]
fn probed(thread: &mut Thread, result: usize, flag: usize, status: usize, wild: Wild) {
    if result as i32 != 0 {
        return; // MPI_SUCCESS is 0
    }
    // SAFETY: the call has succeeded, so it has written its flag.
    if unsafe { (flag as *const i32).read_unaligned() } == 0 {
        return thread.miss();
    }
    let misses = std::mem::take(&mut thread.misses);
    let taken = match wild.any() {
        true => thread.hot.taken(status, wild),
        false => None,
    };
    thread.out.put(|encoder, writer| match taken {
        Some(taken) => encoder.success_message(writer, misses, taken),
        None => encoder.success(writer, misses),
    });
}

/// Returns whether what a recorded poll found is what this one can find, and if so
/// the message that stands for a wildcard.
#[inline(always)]
fn fits(found: &Found, wild: Wild, comm: Comm) -> Option<Option<Taken>> {
    match found {
        Found::Message(taken) => {
            let fits = wild.any() && taken.tag.is_some() == wild.tag && taken.source < comm.size;
            fits.then_some(Some(*taken))
        }
        Found::Nothing if !wild.any() => Some(None),
        _ => None,
    }
}

/// A poll in replay: says no without MPI being asked, or is made by `find`, which
/// returns when it says yes. `fits` looks at what was found when it was recorded.
#[inline(always)]
pub fn poll<const INDEX: u16, const N: usize>(
    thread: &mut Thread,
    args: &[usize; N],
    comm: u32,
    flag: usize,
    fits: impl FnOnce(&'static Found) -> Option<Option<Taken>>,
    find: impl FnOnce(Option<Taken>) -> usize,
) -> Option<usize> {
    let misses = thread.misses;
    let cursor = thread.cursor.as_mut()?;
    if flag == 0 {
        return None;
    }
    match cursor.next_poll(misses) {
        Poll::Miss => {
            let within = Within::<true>::begin::<INDEX, N>(thread, args, comm, None);
            thread.miss();
            // SAFETY: the standard makes this argument the address of an `int`.
            unsafe { (flag as *mut i32).write_unaligned(0) };
            within.close();
            Some(0)
        }
        Poll::Find(found) => {
            let taken = fits(found)?;
            cursor.outcomes += 1;
            let source = taken.map(|taken| taken.source);
            let within = Within::<true>::begin::<INDEX, N>(thread, args, comm, source);
            let result = find(taken);
            within.0.get().misses = 0;
            within.close();
            Some(result)
        }
        Poll::Other | Poll::Free => None,
    }
}

/// Repeats a call until its flag says yes, or it fails.
#[inline(always)]
pub fn until<const N: usize>(
    args: &[usize; N],
    flag: usize,
    real: &impl Fn([usize; N]) -> usize,
) -> usize {
    let mut tries = 0u32;
    loop {
        let result = real(*args);
        // SAFETY: the standard makes this argument the address of an `int`.
        if result as i32 != 0 || unsafe { (flag as *const i32).read_unaligned() } != 0 {
            return result;
        }
        tries = tries.wrapping_add(1);
        if tries.is_multiple_of(64) {
            std::thread::yield_now();
        }
    }
}
