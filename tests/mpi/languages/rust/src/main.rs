//! Rust with rsmpi: see README.md. What rsmpi has no words for (persistent requests,
//! `MPI_IN_PLACE`, `MPI_STATUSES_IGNORE`) is called as it is in C.

use std::ffi::c_void;
use std::ptr::null_mut;

use mpi::collective::SystemOperation;
use mpi::point_to_point;
use mpi::request::{multiple_scope, scope};
use mpi::topology::{Color, SimpleCommunicator};
use mpi::traits::*;

/// The world, and this process in it.
struct Pair {
    world: SimpleCommunicator,
    me: i32,
    other: i32,
}

impl Pair {
    fn blocking(&self) -> i32 {
        let other = self.world.process_at_rank(self.other);
        let mut values = [0; 5];
        if self.me == 0 {
            other.send_with_tag(&[11, 22, 33], 7);
            let (got, _) = other.receive_with_tag::<i32>(8);
            return got;
        }
        let status = self.world.any_process().receive_into(&mut values[..]);
        let got = status.count(i32::equivalent_datatype());
        other.send_with_tag(&got, 8);
        let sum: i32 = values.iter().sum();
        sum + 10 * got + 100 * status.tag() + 1000 * status.source_rank()
    }

    fn request_array(&self) -> i32 {
        let other = self.world.process_at_rank(self.other);
        let (mut two, mut one) = ([0; 2], [0; 1]);
        let (out, last) = ([self.me + 1, self.me + 2], [self.me + 3]);
        let mut done = Vec::new();
        let told = multiple_scope(4, |scope, requests| {
            requests.add(other.immediate_receive_into(scope, &mut two[..]));
            requests.add(other.immediate_receive_into_with_tag(scope, &mut one[..], 21));
            requests.add(other.immediate_send_with_tag(scope, &out[..], 20));
            requests.add(other.immediate_send_with_tag(scope, &last[..], 21));
            requests.wait_all(&mut done);
            let of = |index| done.iter().find(|(at, ..)| *at == index).unwrap().1;
            100 * of(0).tag() + 10 * (of(0).source_rank() + of(1).source_rank())
        });
        two.iter().chain(&one).sum::<i32>() + told
    }

    fn single_waits(&self) -> i32 {
        let other = self.world.process_at_rank(self.other);
        let (out, mut value) = (5 + self.me, 0);
        scope(|scope| {
            let any = self.world.any_process();
            let receive = any.immediate_receive_into_with_tag(scope, &mut value, 30);
            let send = other.immediate_send_with_tag(scope, &out, 30);
            receive.wait_without_status();
            send.wait_without_status();
        });
        value
    }

    fn persistent(&self) -> i32 {
        let (mut out, mut value, mut sum) = (0, 0, 0);
        let world = self.world.as_raw();
        let int = i32::equivalent_datatype().as_raw();
        let (to, from): (*mut i32, *mut i32) = (&mut out, &mut value);
        // SAFETY: both buffers outlive their requests, and are touched between Waitall and
        // Startall alone.
        unsafe {
            let mut requests = [mpi::ffi::RSMPI_REQUEST_NULL; 2];
            let [receive, send] = &mut requests;
            mpi::ffi::MPI_Recv_init(from.cast(), 1, int, self.other, 40, world, receive);
            mpi::ffi::MPI_Send_init(to.cast(), 1, int, self.other, 40, world, send);
            for k in 1..=3 {
                to.write(100 * k + self.me);
                mpi::ffi::MPI_Startall(2, requests.as_mut_ptr());
                mpi::ffi::MPI_Waitall(2, requests.as_mut_ptr(), ignored());
                sum += k * from.read();
            }
            for request in &mut requests {
                mpi::ffi::MPI_Request_free(request);
            }
        }
        sum
    }

    fn collective(&self) -> i32 {
        let mut sums = [self.me + 1, 10 * (self.me + 1)];
        let mut told = if self.me == 1 { 77 } else { 0 };
        let int = i32::equivalent_datatype().as_raw();
        // SAFETY: two numbers are read and written.
        unsafe {
            mpi::ffi::MPI_Allreduce(
                in_place(),
                sums.as_mut_ptr().cast(),
                2,
                int,
                SystemOperation::sum().as_raw(),
                self.world.as_raw(),
            );
        }
        self.world.process_at_rank(1).broadcast_into(&mut told);
        sums[0] + sums[1] + told
    }

    fn turned_round(&self) -> i32 {
        let color = Color::with_value(0);
        let turned = self.world.split_by_color_with_key(color, self.other).unwrap();
        let rank = turned.rank();
        let other = turned.process_at_rank(1 - rank);
        let out = 9 * (self.me + 1);
        let (value, _): (i32, _) =
            point_to_point::send_receive_with_tags(&out, &other, 60, &other, 60);
        value + 50 * rank
    }

    /// Returns what was received, and whom from.
    fn race(&self, late: i32) -> (i32, String) {
        let end = mpi::time() + 0.03;
        while self.me == late && mpi::time() < end {}
        let out: [i32; 4] = [0, 1, 2, 3].map(|k| 10 * self.me + k);
        let first = self.world.process_at_rank(0);
        if self.me == 1 {
            for value in &out {
                first.send_with_tag(value, 50);
            }
            return (0, String::new());
        }
        let (mut sum, mut order) = (0, String::new());
        multiple_scope(4, |scope, requests| {
            for value in &out {
                requests.add(first.immediate_send_with_tag(scope, value, 50));
            }
            for _ in 0..8 {
                let any = self.world.any_process();
                let (value, status) = any.receive_with_tag::<i32>(50);
                order += &status.source_rank().to_string();
                sum += value;
            }
            requests.wait_all(&mut Vec::new());
        });
        (sum, order)
    }
}

/// MPI_STATUSES_IGNORE.
fn ignored() -> *mut mpi::ffi::MPI_Status {
    // SAFETY: a constant.
    unsafe { mpi::ffi::RSMPI_STATUSES_IGNORE }
}

/// MPI_IN_PLACE, for which rsmpi has no name: Open MPI and the MPICH family differ.
fn in_place() -> *mut c_void {
    let is_open_mpi = mpi::environment::library_version().unwrap().starts_with("Open MPI");
    null_mut::<c_void>().wrapping_byte_offset(if is_open_mpi { 1 } else { -1 })
}

fn main() {
    let late = std::env::var("LATE").map_or(0, |word| word.parse().unwrap());
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let me = world.rank();
    let pair = Pair { world, me, other: 1 - me };
    let parts = [
        pair.blocking(),
        pair.request_array(),
        pair.single_waits(),
        pair.persistent(),
        pair.collective(),
        pair.turned_round(),
    ];
    let (raced, order) = pair.race(late);
    let result = parts.iter().sum::<i32>() + raced;
    pair.world.barrier();
    let first = pair.world.process_at_rank(0);
    if me == 0 {
        let mut sum = 0;
        first.reduce_into_root(&result, &mut sum, SystemOperation::sum());
        println!("result {sum}\norder {order}");
    } else {
        first.reduce_into(&result, SystemOperation::sum());
    }
}
