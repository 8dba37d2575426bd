//! The program's `pthread_join`.

use std::ffi::c_int;

use crate::base::lineage;
use crate::base::site::with_return_address;
use crate::facts::pthreads;

use super::real::real;

with_return_address!(
    #[no_mangle]
    pthread_join(usize, usize),
    two,
    join
);

unsafe extern "C-unwind" fn join(thread: usize, result: usize, site: usize) -> c_int {
    let is_told = pthreads::join_begins(site);
    // Before it ends, as the next that is made may be called the same.
    let number = lineage::take_number(thread);
    let code = real!(pthread_join(thread, result)) as c_int;
    if is_told {
        pthreads::joined(number.filter(|_| code == 0));
    }
    code
}
