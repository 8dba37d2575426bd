//! Critical sections and locks of both runtimes.
//!
//! What LLVM's runtime tells of them by OMPT comes after the lock was given back, when another thread
//! may have it. So its functions have ours in front of them, as GCC's have.

use crate::base::site;
use crate::facts::openmp::{self, Construct};

use super::gomp::is_gcc;
use crate::top::real::{offered, real};

/// Functions that return when the calling thread has a lock, of which an argument tells where it is.
macro_rules! acquire {
    ($($name:ident($($a:ident),*), $lock:expr, $construct:ident $(, $if:expr)?;)*) => {$(
        offered!($name($($a),*) {
            let is_told = $($if &&)? openmp::enter(Construct::$construct, site::noted());
            let result = real!($name($($a),*));
            if is_told {
                openmp::acquired($lock, Some(Construct::$construct));
            }
            result
        });
    )*};
}

/// Functions that give it back.
macro_rules! release {
    ($($name:ident($($a:ident),*), $lock:expr $(, $if:expr)?;)*) => {$(
        offered!($name($($a),*) {
            if true $(&& $if)? {
                openmp::releases($lock);
            }
            real!($name($($a),*))
        });
    )*};
}

/// Functions that may have acquired a lock.
macro_rules! test {
    ($($name:ident;)*) => {$(
        offered!($name(lock) {
            let result = real!($name(lock));
            if result as u32 != 0 {
                openmp::acquired(lock, None);
            }
            result
        });
    )*};
}

/// Where the lock of critical sections without a name is said to lie.
static UNNAMED: u64 = 0;

fn unnamed() -> usize {
    &raw const UNNAMED as usize
}

acquire! {
    GOMP_critical_start(), unnamed(), Critical, is_gcc();
    GOMP_critical_name_start(name), name, Critical, is_gcc();
    __kmpc_critical(place, thread, name), name, Critical;
    __kmpc_critical_with_hint(place, thread, name, hint), name, Critical;
    omp_set_lock(lock), lock, SetLock;
    omp_set_lock_(lock), lock, SetLock;
}

release! {
    GOMP_critical_end(), unnamed(), is_gcc();
    GOMP_critical_name_end(name), name, is_gcc();
    __kmpc_end_critical(place, thread, name), name;
    omp_unset_lock(lock), lock;
    omp_unset_lock_(lock), lock;
}

test! {
    omp_test_lock;
    omp_test_lock_;
}
