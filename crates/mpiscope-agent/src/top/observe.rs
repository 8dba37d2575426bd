//! Which way a call goes: by the layers that are at work.

use mpi_abi::{id, FunctionId, Mpi, FUNCTIONS};

use super::{ending, finalize, sessions, spawn, start, switch};
use crate::base::guard::guarded;
use crate::base::lineage::uncounted;
use crate::base::path::{self, advance, observing, set_state, Path, State};
use crate::base::{python, site};
use crate::count::fast_path;
use crate::facts::around::{around, begin, end, left};
use crate::facts::outermost::{Open, Outermost};
use crate::facts::{thread, within};
use crate::mpi::call::{Call, Lang};
use crate::mpi::functions::is_send;
use crate::mpi::layers::{Next, Real};
use crate::order;
use crate::trace::fast_path::Make;
use crate::trace::{self, midrun};

/// What a call gives back that has lost its arguments, which none does: no implementation's
/// `MPI_SUCCESS`.
const NO_CALL: usize = 16;

/// Returns whether this thread is in a call that is observed: what it calls there is
/// MPI's own affair.
#[inline]
pub fn within() -> bool {
    thread::within() || order::within()
}

/// Passes a call through and records it.
#[inline(always)]
pub fn observe<const INDEX: u16, const N: usize>(
    lang: Lang,
    args: [usize; N],
    real: impl Fn([usize; N]) -> usize,
) -> usize {
    let function = FunctionId(INDEX);
    if const { is_of_types(FunctionId(INDEX)) } && site::is_of_binding(INDEX) {
        return real(args);
    }
    if function == id::MPI_INIT || function == id::MPI_INIT_THREAD {
        return initialise(function, lang, args, real);
    }
    if function == id::MPI_FINALIZE {
        if path::is_by_python() {
            python::turn();
        }
        guarded(finalize::enter);
        guarded(order::finish);
        guarded(python::finish);
        guarded(|| finalize::run(finalize::At::Finalize));
        set_state(State::Off);
        let result = real(args);
        guarded(ending::finalized);
        return result;
    }
    if function == id::MPI_ABORT {
        guarded(|| ending::aborts(lang, &args));
    }
    if function == id::MPI_PCONTROL {
        if path::is_by_python() {
            python::turn();
        }
        return switch::pcontrol(function, lang, args, real);
    }
    if const { is_of_sessions(FunctionId(INDEX)) } {
        let pass = |args| pass::<INDEX, N>(lang, args, &real);
        return sessions::observe(function, lang, args, &real, pass);
    }
    if const { is_spawn(FunctionId(INDEX)) } {
        let pass = |args| pass::<INDEX, N>(lang, args, &real);
        return spawn::observe(function, lang, args, pass);
    }
    pass::<INDEX, N>(lang, args, real)
}

/// The way of a call that neither begins nor ends anything.
#[inline(always)]
fn pass<const INDEX: u16, const N: usize>(
    lang: Lang,
    args: [usize; N],
    real: impl Fn([usize; N]) -> usize,
) -> usize {
    let mut way = path::now();
    // One comparison for both, as calls are made that ask for neither.
    if way as u8 <= Path::Python as u8 {
        if way == Path::Off {
            return real(args);
        }
        python::turn();
        way = path::beneath();
    }
    if const { is_frequent(FunctionId(INDEX)) } && lang == Lang::C {
        return frequent::<INDEX, N>(way, args, real);
    }
    let mut args = args;
    layered(
        FunctionId(INDEX),
        lang,
        &mut args,
        &|args| match args.first_chunk() {
            Some(args) => real(*args),
            None => NO_CALL,
        },
    )
}

/// Tells which functions programs call often: from C these have a copy of the way of their own,
/// in which all is known that the function decides.
const fn is_frequent(function: FunctionId) -> bool {
    let among = matches!(
        function,
        id::MPI_RECV
            | id::MPI_IRECV
            | id::MPI_SENDRECV
            | id::MPI_IPROBE
            | id::MPI_WAIT
            | id::MPI_TEST
            | id::MPI_WAITALL
            | id::MPI_WAITANY
            | id::MPI_BARRIER
            | id::MPI_BCAST
            | id::MPI_REDUCE
            | id::MPI_ALLREDUCE
            | id::MPI_COMM_RANK
            | id::MPI_COMM_SIZE
    );
    among || is_send(function)
}

/// A frequent function, from C.
#[inline(always)]
fn frequent<const INDEX: u16, const N: usize>(
    way: Path,
    args: [usize; N],
    real: impl Fn([usize; N]) -> usize,
) -> usize {
    let (function, lang) = (FunctionId(INDEX), Lang::C);
    match way {
        Path::Count if fast_path::is_fast(function, lang) => {
            if let Some(result) = fast_path::call(function, &args, &real) {
                return result;
            }
        }
        Path::Order => {
            if let Some(result) = order::short::<INDEX, N>(lang, &args, &real) {
                return result;
            }
        }
        Path::Trace => {
            if let Some(result) = trace::fast_path::call::<INDEX, N>(&args, Plainly(&real)) {
                return met::<INDEX, N>(args, result);
            }
        }
        Path::TraceOrder => {
            let in_order = InOrder::<INDEX, _>(&real);
            if let Some(result) = trace::fast_path::call::<INDEX, N>(&args, in_order) {
                return met::<INDEX, N>(args, result);
            }
        }
        _ => {}
    }
    if order::on() {
        return ordered::<INDEX, N>(args, real);
    }
    let mut args = args;
    let thread = begin(function, lang, &mut args, site::noted());
    let result = around(thread, function, lang, &mut args, real);
    if midrun::may_meet(function) {
        midrun::offer(thread, function, lang, &mut args, result);
    }
    result
}

/// Measures clocks if a call was a good moment.
#[inline(always)]
fn met<const INDEX: u16, const N: usize>(mut args: [usize; N], result: usize) -> usize {
    if const { midrun::may_meet(FunctionId(INDEX)) } {
        midrun::offer(
            thread::current(),
            FunctionId(INDEX),
            Lang::C,
            &mut args,
            result,
        );
    }
    result
}

/// Tells whether a function begins or ends a session.
const fn is_of_sessions(function: FunctionId) -> bool {
    matches!(function, id::MPI_SESSION_INIT | id::MPI_SESSION_FINALIZE)
}

/// Tells whether a function starts processes.
const fn is_spawn(function: FunctionId) -> bool {
    matches!(function, id::MPI_COMM_SPAWN | id::MPI_COMM_SPAWN_MULTIPLE)
}

/// Tells whether a function makes, frees or asks about datatypes: of MPI's functions these
/// alone are called by a binding on its own account, for memory with holes (MPICH).
const fn is_of_types(function: FunctionId) -> bool {
    matches!(
        FUNCTIONS[function.0 as usize].name.as_bytes(),
        [b'M', b'P', b'I', b'_', b'T', b'y', b'p', b'e', b'_', ..]
    )
}

/// Makes a traced call, and nothing else.
struct Plainly<'a, R>(&'a R);

impl<const N: usize, R: Fn([usize; N]) -> usize> Make<N> for Plainly<'_, R> {
    #[inline(always)]
    fn make(self, args: [usize; N]) -> usize {
        (self.0)(args)
    }
}

/// Makes a traced call with its order recorded or led.
struct InOrder<'a, const INDEX: u16, R>(&'a R);

impl<const INDEX: u16, const N: usize, R> Make<N> for InOrder<'_, INDEX, R>
where
    R: Fn([usize; N]) -> usize,
{
    #[inline(always)]
    fn make(self, args: [usize; N]) -> usize {
        match order::short::<INDEX, N>(Lang::C, &args, self.0) {
            Some(result) => result,
            None => at_length::<INDEX, N>(args, self.0),
        }
    }
}

/// Makes a call with its order recorded or led that the order cannot take the shortest way with.
#[inline(never)]
fn at_length<const INDEX: u16, const N: usize>(
    mut args: [usize; N],
    real: &impl Fn([usize; N]) -> usize,
) -> usize {
    unhurried(
        FunctionId(INDEX),
        &mut args,
        &|args| match args.first_chunk() {
            Some(args) => real(*args),
            None => NO_CALL,
        },
    )
}

/// A frequent function while the order of calls is recorded or led, too.
#[inline(never)]
fn ordered<const INDEX: u16, const N: usize>(
    mut args: [usize; N],
    real: impl Fn([usize; N]) -> usize,
) -> usize {
    let (function, lang) = (FunctionId(INDEX), Lang::C);
    let long = |args: &mut [usize]| match args.first_chunk() {
        Some(args) => real(*args),
        None => NO_CALL,
    };
    let thread = match observing() {
        true => begin(function, lang, &mut args, site::noted()),
        false => None,
    };
    let Some(thread) = thread else {
        return within::passes(function, lang, &mut args, |args| {
            unhurried(function, args, &long)
        });
    };
    let open = Open::new(function, lang, &mut args, left);
    let outermost = Outermost::of(thread, &open);
    let result = match order::short::<INDEX, N>(lang, &args, &real) {
        Some(result) => result,
        None => unhurried(function, &mut args, &long),
    };
    leave(outermost, function, lang, &mut args, result)
}

/// A frequent function that the order cannot take the shortest way with.
fn unhurried(function: FunctionId, args: &mut [usize], real: Real) -> usize {
    seen(function, Lang::C, args, real, |call| {
        order::layer(call, Next::real(real))
    })
}

/// Any function, through all layers.
#[inline(never)]
fn layered(function: FunctionId, lang: Lang, args: &mut [usize], real: Real) -> usize {
    seen(function, lang, args, real, |call| Next::all(real).go(call))
}

/// Makes a call as layers see it.
#[inline(always)]
fn seen(
    function: FunctionId,
    lang: Lang,
    args: &mut [usize],
    real: Real,
    make: impl FnOnce(&mut Call) -> usize,
) -> usize {
    let Ok(mpi) = Mpi::load() else {
        return real(args);
    };
    make(&mut Call {
        function,
        lang,
        mpi,
        args,
    })
}

/// Ends a call that was entered, and measures clocks if it is a good moment.
#[inline(always)]
fn leave(
    outermost: Outermost,
    function: FunctionId,
    lang: Lang,
    args: &mut [usize],
    result: usize,
) -> usize {
    let thread = outermost.thread();
    end(function, lang, args, result, thread);
    outermost.close();
    if midrun::may_meet(function) {
        midrun::offer(Some(thread), function, lang, args, result);
    }
    result
}

/// MPI_Init of a process that had a session before: a call as others, but that all ranks make it.
fn initialise_later<const N: usize>(
    function: FunctionId,
    lang: Lang,
    mut args: [usize; N],
    real: impl Fn([usize; N]) -> usize,
) -> usize {
    layered(
        function,
        lang,
        &mut args,
        &|args| match args.first_chunk() {
            Some(args) => {
                let result = real(*args);
                if sessions::succeeded(function, lang, &mut args.clone(), result) {
                    guarded(sessions::tell_others);
                }
                result
            }
            None => NO_CALL,
        },
    )
}

fn initialise<const N: usize>(
    function: FunctionId,
    lang: Lang,
    args: [usize; N],
    real: impl Fn([usize; N]) -> usize,
) -> usize {
    if !advance(State::Idle, State::Starting) {
        if sessions::has_begun() {
            return initialise_later(function, lang, args, real);
        }
        return real(args); // the binding's own call within, or an erroneous second one
    }
    let before = start::before();
    let result = uncounted(|| real(args));
    // Whether MPI is up now is for `start` to ask: the result may lie in Fortran's `ierror`.
    guarded(|| start::after(function, before));
    if !observing() {
        set_state(State::Off);
    }
    result
}
