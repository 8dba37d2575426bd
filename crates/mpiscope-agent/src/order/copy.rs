//! A copy of what a call sends, for calls that receive into the same buffer.

use mpi_abi::{id, pmpi, FunctionId};

use super::call::OrderedCall;

/// Memory like that of so many elements of a datatype, gaps included.
pub struct Copied {
    bytes: Vec<u8>,
    /// Where the first byte lies, seen from the buffer's begin.
    first: isize,
}

impl Copied {
    /// Copies the data with their buffer, count and datatype at these arguments;
    /// nothing if MPI does not say where they lie.
    pub fn of(call: &OrderedCall, buffer: usize, count: usize, datatype: usize) -> Option<Self> {
        let handle = call.datatype(datatype);
        let count = call.len(count);
        let (_, extent) = bounds(call, id::MPI_TYPE_GET_EXTENT, handle)?;
        let (first, true_extent) = bounds(call, id::MPI_TYPE_GET_TRUE_EXTENT, handle)?;
        // With a negative extent, elements lie before the first.
        let more = extent.checked_mul(count.saturating_sub(1) as isize)?;
        let (first, length) = (first + more.min(0), true_extent + more.abs());
        let length = if count == 0 {
            0
        } else {
            usize::try_from(length).ok()?
        };
        let mut bytes: Vec<u8> = Vec::new();
        bytes.try_reserve_exact(length).ok()?;
        let begin = (call.raw(buffer) as *const u8).wrapping_offset(first);
        // SAFETY: these are the bytes from the first to the last that the call may send (MPI 4.1,
        // §5.1.8), between which only gaps lie; room for them was reserved. Bytes in gaps are not looked at.
        unsafe {
            std::ptr::copy_nonoverlapping(begin, bytes.as_mut_ptr(), length);
            bytes.set_len(length);
        }
        Some(Self { bytes, first })
    }

    /// Returns what to pass as the buffer.
    pub fn buffer(&self) -> usize {
        self.bytes.as_ptr().wrapping_offset(-self.first) as usize
    }
}

/// Asks for the lower bound and the extent of a datatype.
fn bounds(call: &OrderedCall, function: FunctionId, datatype: usize) -> Option<(isize, isize)> {
    type Ask = unsafe extern "C-unwind" fn(usize, *mut isize, *mut isize) -> i32;
    let (mut lower, mut extent) = (0isize, 0isize);
    let found = pmpi(function)?;
    // SAFETY: C's function of this name, given the datatype that the program passes in the same
    // call, and two addresses of MPI_Aint.
    let code = unsafe {
        let ask: Ask = std::mem::transmute(found);
        ask(datatype, &mut lower, &mut extent)
    };
    (code == call.mpi.abi.success).then_some((lower, extent))
}
