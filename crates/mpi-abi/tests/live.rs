//! The library found and called for real: this test program, which is not linked
//! with any MPI, starts itself again as an MPI program under every MPI installed.

mod installed;

use std::env;
use std::ffi::{c_void, CString};
use std::path::Path;
use std::process::Command;

use installed::{for_each_mpi, succeed, Installed};
use mpi_abi::{
    id, pmpi, pmpi_fortran, Family, Fortran, Library, LibraryVersion, Mpi, OwnComm, Parts,
};

/// How a child finds libmpi.
#[derive(Copy, Clone)]
enum Loaded {
    /// It is loaded before the program starts, as if the program were linked with it.
    Early,
    /// The program opens it RTLD_LOCAL, as Python does.
    Locally,
    /// The program opens a Fortran library that needs it.
    ByFortran,
}

/// Runs `child` below on some ranks.
fn run(mpi: Installed, loaded: Loaded, ranks: usize) {
    let dir = tempfile::tempdir().unwrap();
    let library = mpi.libraries("mpicc").remove(0);
    let (variable, value) = match loaded {
        Loaded::Early => ("LD_PRELOAD", library),
        Loaded::Locally => ("MPI_ABI_OPEN_LOCALLY", library),
        Loaded::ByFortran => {
            let options = ["-shared", "-fPIC"];
            (
                "MPI_ABI_OPEN_FORTRAN",
                mpi.compile("mpifort", VISIT, &options, dir.path()),
            )
        }
    };
    let mut command = Command::new("timeout");
    command.arg("60").arg(format!("mpirun.{}", mpi.name));
    if mpi.name == "openmpi" {
        command.arg("--oversubscribe");
    }
    command.args(["-n", &ranks.to_string(), "env"]);
    command.arg(format!("{variable}={}", value.display()));
    command.arg(env::current_exe().unwrap());
    command.args(["--exact", "child", "--ignored", "--nocapture"]);
    command
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command
        .env("MPI_ABI_NAME", mpi.name)
        .env("MPI_ABI_RANKS", ranks.to_string());
    succeed(&mut command);
}

#[test]
fn the_library_of_the_program_is_found_and_called() {
    for_each_mpi("mpicc", |mpi| run(mpi, Loaded::Early, 3));
}

#[test]
fn a_library_opened_locally_is_found_and_called() {
    for_each_mpi("mpicc", |mpi| run(mpi, Loaded::Locally, 1));
}

#[test]
fn fortran_addresses_and_handles_are_understood() {
    for_each_mpi("mpifort", |mpi| run(mpi, Loaded::ByFortran, 1));
}

#[test]
#[ignore = "started by the others, as an MPI program"]
fn child() {
    open("MPI_ABI_OPEN_LOCALLY", libc::RTLD_LOCAL);
    let fortran = open("MPI_ABI_OPEN_FORTRAN", libc::RTLD_GLOBAL);
    let mpi = Mpi::load().unwrap();
    check_identity(mpi);
    assert_eq!(mpi.initialized(), Ok(false));
    call(id::MPI_INIT, [0, 0]);
    assert_eq!(mpi.initialized(), Ok(true));
    // SAFETY: MPI is initialized; all ranks come here with valid handles.
    unsafe {
        check_questions(mpi);
        check_status(mpi);
        check_exchange(mpi);
        if let Some(library) = fortran {
            check_fortran(&mpi.fortran, mpi, library);
        }
    }
    call(id::MPI_FINALIZE, []);
    assert_eq!(mpi.finalized(), Ok(true));
}

/// Opens the library that a variable names, if it is set.
fn open(variable: &str, scope: i32) -> Option<*mut c_void> {
    let path = CString::new(env::var(variable).ok()?).unwrap();
    // SAFETY: the path ends with NUL; MPI libraries may be opened at any time.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | scope) };
    assert!(!handle.is_null(), "{path:?}");
    Some(handle)
}

/// Makes an MPI call as a wrapper does.
#[track_caller]
fn call<const N: usize>(id: mpi_abi::FunctionId, args: [usize; N]) {
    let a: [usize; 12] = std::array::from_fn(|i| args.get(i).copied().unwrap_or(0));
    type Twelve = unsafe extern "C" fn(
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
    ) -> i32;
    let entry = pmpi(id).unwrap();
    // SAFETY: every argument is of the INTEGER class, and those beyond the call's own are not read.
    let code = unsafe {
        let entry: Twelve = std::mem::transmute(entry);
        entry(
            a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11],
        )
    };
    assert_eq!(code, 0, "{}", id.function().name);
}

fn check_identity(mpi: &Mpi) {
    let expected = match env::var("MPI_ABI_NAME").unwrap().as_str() {
        "openmpi" => (Family::OpenMpi, "Open MPI"),
        _ => (Family::Mpich, "MPICH"),
    };
    let version = LibraryVersion::parse(mpi.library_version());
    assert_eq!((mpi.abi.family, version.name.as_str()), expected);
    assert!(version.version.contains('.'), "{version}");
    assert!(mpi.standard_version().unwrap() >= (3, 0));
    let found: &Path = Library::find().unwrap().path();
    assert!(
        found
            .file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with("libmpi"),
        "{found:?}"
    );
    assert!(
        pmpi(id::MPI_SESSION_ATTACH_BUFFER).is_none(),
        "new in MPI 4.1"
    );
}

unsafe fn check_questions(mpi: &Mpi) {
    let (world, ranks) = (mpi.abi.comm_world, env::var("MPI_ABI_RANKS").unwrap());
    // SAFETY: MPI is up, and these are its own handles.
    unsafe {
        assert_eq!(mpi.comm_size(world).unwrap().to_string(), ranks);
        assert!(mpi.comm_rank(world).unwrap() < mpi.comm_size(world).unwrap());
        assert_eq!(mpi.comm_size(mpi.abi.comm_self), Ok(1));
        assert_eq!(mpi.comm_test_inter(world), Ok(false));
        assert_eq!(mpi.comm_get_name(world).unwrap(), "MPI_COMM_WORLD");
        assert!(mpi.comm_get_attr(world, mpi.abi.tag_ub).unwrap().unwrap() >= 32767);
        mpi.comm_get_attr(world, mpi.abi.wtime_is_global).unwrap();
        assert_eq!(mpi.type_size(mpi.abi.double), Ok(8));
        assert_eq!(mpi.type_size(mpi.abi.int64), Ok(8));
        assert!(!mpi.processor_name().unwrap().is_empty());

        let (group, own) = (
            mpi.comm_group(world).unwrap(),
            mpi.comm_group(mpi.abi.comm_self).unwrap(),
        );
        let rank = mpi.comm_rank(world).unwrap();
        assert_eq!(mpi.group_size(own), Ok(1));
        assert_eq!(mpi.group_translate_ranks(own, &[0], group), Ok(vec![rank]));
        let not_me = (rank + 1) % 2;
        if mpi.group_size(group).unwrap() > 1 {
            let found = mpi.group_translate_ranks(group, &[not_me, rank], own);
            assert_eq!(found, Ok(vec![mpi.abi.undefined, 0]));
        }
        mpi.group_free(group).unwrap();
        mpi.group_free(own).unwrap();
    }
}

/// A message to itself, with a real status.
unsafe fn check_status(mpi: &Mpi) {
    let (sent, mut received) = ([1.0f64, 2.0, 3.0], [0.0f64; 5]);
    let mut status = [0u64; 8];
    let double = mpi.abi.double;
    let (send, recv) = (sent.as_ptr() as usize, received.as_mut_ptr() as usize);
    let status_at = status.as_mut_ptr() as usize;
    let any = (mpi.abi.any_source as usize, mpi.abi.any_tag as usize);
    let comm = mpi.abi.comm_self;
    call(
        id::MPI_SENDRECV,
        [
            send, 3, double, 0, 17, recv, 5, double, any.0, any.1, comm, status_at,
        ],
    );
    assert_eq!(received, [1.0, 2.0, 3.0, 0.0, 0.0]);
    let status = status.as_ptr().cast();
    // SAFETY: MPI filled the status.
    unsafe {
        assert_eq!((mpi.status_source(status), mpi.status_tag(status)), (0, 17));
        assert_eq!(mpi.status_bytes(status), Ok(24));
        assert_eq!(mpi.status_bytes_asked(status), Ok(24));
        assert_eq!(mpi.test_cancelled(status), Ok(false));
    }
    // Where the size lies is nobody's promise, so MPI writes many, and we read them.
    for bytes in [
        0usize,
        1,
        0x7fff_ffff,
        0x8000_0001,
        0xffff_ffff,
        5 << 30,
        1 << 46,
    ] {
        for cancelled in [0, 1] {
            call(
                id::MPI_STATUS_SET_ELEMENTS_X,
                [status_at, mpi.abi.byte, bytes],
            );
            call(id::MPI_STATUS_SET_CANCELLED, [status_at, cancelled]);
            // SAFETY: MPI filled the status.
            unsafe {
                assert_eq!(mpi.status_bytes(status), Ok(bytes as u64));
                assert_eq!(mpi.status_bytes_asked(status), Ok(bytes as u64));
            }
        }
    }
}

/// The tool's own communication, on a communicator of its own.
unsafe fn check_exchange(mpi: &Mpi) {
    // SAFETY: MPI is up, and all ranks make these calls.
    let comm = unsafe { OwnComm::duplicate_of(mpi, mpi.abi.comm_world).unwrap() };
    let (rank, size) = (comm.rank(), comm.size());
    let last = size - 1;
    assert!(comm.send(size + 5, 0, b"nobody").is_err());

    let (right, left) = ((rank + 1) % size, (rank + last) % size);
    let mut from = [0];
    comm.sendrecv(right, &[rank as u8], left, &mut from, 3)
        .unwrap();
    assert_eq!(from, [left as u8]);
    if rank == 0 && size > 1 {
        comm.send(last, 4, b"hello").unwrap();
    } else if rank == last && size > 1 {
        let mut word = [0; 5];
        comm.recv(0, 4, &mut word).unwrap();
        assert_eq!(&word, b"hello");
    }

    let mut word = if rank == last { *b"seed" } else { *b"...." };
    comm.bcast(last, &mut word).unwrap();
    assert_eq!(&word, b"seed");
    let ranks: Vec<u8> = (0..size as u8).collect();
    assert_eq!(comm.allgather(&[rank as u8]).unwrap(), ranks);
    let gathered = comm.gather(last, &[rank as u8]).unwrap();
    assert_eq!(gathered, if rank == last { ranks } else { vec![] });

    // Rank r gives r letters, and gets them back.
    let mine = vec![b'a' + rank as u8; rank as usize];
    let parts = comm.gatherv(last, &mine).unwrap();
    assert_eq!(parts.is_some(), rank == last);
    let told = parts.as_ref().map_or(size as usize, Parts::len);
    assert_eq!(told, size as usize);
    assert_eq!(comm.scatterv(last, parts.as_ref()), Ok(mine));
    let too_few = Parts::default();
    assert!(comm.scatterv(0, Some(&too_few)).is_err(), "at every rank");

    assert_eq!(comm.allreduce_min(10 + i64::from(rank)), Ok(10));
    assert_eq!(comm.allreduce_max(-i64::from(rank)), Ok(0));
    assert_eq!(comm.allreduce_sum(1 << 40), Ok(i64::from(size) << 40));
    assert_eq!(comm.all_true(true), Ok(true));
    assert_eq!(comm.all_true(rank != last), Ok(false));

    let alone = comm.split(rank, 0).unwrap().unwrap();
    assert_eq!(alone.size(), 1);
    assert!(comm.split(mpi.abi.undefined, 0).unwrap().is_none());
    comm.barrier().unwrap();
    alone.free().unwrap();
    comm.duplicate().unwrap().free().unwrap();
    comm.free().unwrap();
}

/// Shows its caller how Fortran passes MPI's constants.
const VISIT: &str = "
subroutine visit(callback)
    use mpi
    implicit none
    external :: callback
    logical :: flag
    integer :: ierror, buffer
    call MPI_Initialized(flag, ierror)
    call callback(MPI_IN_PLACE, MPI_BOTTOM, MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE, &
        buffer, MPI_COMM_WORLD, MPI_REQUEST_NULL, MPI_INTEGER, MPI_STATUS_SIZE, MPI_SOURCE)
end subroutine
";

static mut SEEN: [usize; 10] = [0; 10];

/// Keeps the first five addresses and the values behind the others.
#[rustfmt::skip]
unsafe extern "C" fn callback(
    a0: usize, a1: usize, a2: usize, a3: usize, a4: usize,
    v5: &i32, v6: &i32, v7: &i32, v8: &i32, v9: &i32,
) {
    let values = [*v5 as usize, *v6 as usize, *v7 as usize, *v8 as usize, *v9 as usize];
    // SAFETY: only this thread is here.
    unsafe {
        SEEN = [a0, a1, a2, a3, a4, values[0], values[1], values[2], values[3], values[4]];
    }
}

unsafe fn check_fortran(fortran: &Fortran, mpi: &Mpi, library: *mut c_void) {
    assert!(pmpi_fortran(id::MPI_SEND).is_some());
    assert!(pmpi_fortran(id::MPI_SEND_C).is_none());
    // SAFETY: `visit_` is the subroutine above, called once by this thread.
    let seen = unsafe {
        let visit = libc::dlsym(library, c"visit_".as_ptr());
        assert!(!visit.is_null());
        let visit: unsafe extern "C" fn(*const ()) = std::mem::transmute(visit);
        visit(callback as *const ());
        SEEN
    };
    let [in_place, bottom, status, statuses, buffer, values @ ..] = seen;
    let meaning = |address| {
        (
            fortran.is_in_place(address),
            fortran.is_bottom(address),
            fortran.ignores_status(address),
        )
    };
    assert_eq!(meaning(in_place), (true, false, false));
    assert_eq!(meaning(bottom), (false, true, false));
    assert_eq!(meaning(status), (false, false, true));
    assert_eq!(meaning(statuses), (false, false, true));
    assert_eq!(meaning(buffer), (false, false, false));
    assert_eq!(meaning(0), (false, false, false));
    let [world, request, integer, status_size, source] = values;
    // SAFETY: MPI is initialized, and these are handles.
    unsafe {
        assert_eq!(fortran.comm(world as i32), mpi.abi.comm_world);
        assert_eq!(fortran.request(request as i32), mpi.abi.request_null);
        assert_eq!(mpi.type_size(fortran.datatype(integer as i32)), Ok(4));
    }
    assert_eq!(4 * status_size, fortran.status_size());
    assert_eq!(4 * (source - 1), mpi.abi.status.source);
}
