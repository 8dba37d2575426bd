//! The program's `pthread_join`.

use crate::base::{lineage, site};
use crate::facts::pthreads;

use crate::top::real::{offered, real};

offered!(pthread_join(thread, result) {
    let is_told = pthreads::join_begins(site::noted());
    // Before it ends, as the next that is made may be called the same.
    let number = lineage::take_number(thread);
    let code = real!(pthread_join(thread, result));
    if is_told {
        pthreads::joined(number.filter(|_| code == 0));
    }
    code
});
