//! Data in the program's memory, as its datatypes lay it out: taken out as
//! contiguous bytes, and put back.
//!
//! Types without holes are copied; all others go through MPI's own pack and
//! unpack, which know every way to make a type.

use std::borrow::Cow;

use mpi_abi::{id, FunctionId, Mpi};

use crate::base::raw_call::pmpi_c;

/// A number of elements of one datatype.
#[derive(Debug)]
pub struct Region {
    /// Where the first element begins.
    address: usize,
    count: usize,
    /// Bytes of data in an element.
    size: usize,
    layout: Layout,
}

#[derive(Debug)]
enum Layout {
    /// Nothing but data.
    Whole,
    /// With holes, or out of order.
    Loose {
        datatype: usize,
        extent: isize,
        /// The type is a duplicate of ours.
        owned: bool,
    },
}

/// MPI packs an `int` of bytes.
const MOST: usize = 1 << 30;

/// The same, where only success counts.
pub fn succeeds<const N: usize>(mpi: &Mpi, function: FunctionId, args: [usize; N]) -> bool {
    pmpi_c(function, args) == Some(mpi.abi.success)
}

impl Region {
    /// Describes data at `buffer`; nothing if there is none, or MPI does not know the type.
    pub fn new(mpi: &Mpi, buffer: usize, count: usize, datatype: usize) -> Option<Self> {
        if count == 0 || datatype == mpi.abi.datatype_null {
            return None;
        }
        // SAFETY: the program passes this datatype to MPI in the same call.
        let size = unsafe { mpi.type_size(datatype) }.ok()? as usize;
        let [_, extent] = bounds(mpi, id::MPI_TYPE_GET_EXTENT, datatype)?;
        let [lower, true_extent] = bounds(mpi, id::MPI_TYPE_GET_TRUE_EXTENT, datatype)?;
        if size == 0 {
            return None;
        }
        let packed = size as isize == true_extent && (extent == true_extent || count == 1);
        let (address, layout) = match packed {
            true => (buffer.wrapping_add_signed(lower), Layout::Whole),
            false => {
                let loose = Layout::Loose {
                    datatype,
                    extent,
                    owned: false,
                };
                (buffer, loose)
            }
        };
        Some(Self {
            address,
            count,
            size,
            layout,
        })
    }

    /// Makes it outlive the datatype, which the program may free while a
    /// request of it is active (MPI 4.1, §5.1.9).
    pub fn retained(mut self, mpi: &Mpi) -> Self {
        if let Layout::Loose {
            datatype, owned, ..
        } = &mut self.layout
        {
            let mut copy = 0usize;
            if succeeds(mpi, id::MPI_TYPE_DUP, [*datatype, &raw mut copy as usize]) {
                (*datatype, *owned) = (mpi.abi.normalise(copy), true);
            }
        }
        self
    }

    /// Lets go of what [`retained`](Self::retained) took.
    pub fn release(self) {
        if let Layout::Loose {
            mut datatype,
            owned: true,
            ..
        } = self.layout
        {
            // Nothing is lost but memory if this fails.
            let _ = pmpi_c(id::MPI_TYPE_FREE, [&raw mut datatype as usize]);
        }
    }

    /// Returns the bytes of its first elements that hold so many bytes, or of all.
    pub fn read(&self, mpi: &Mpi, limit: Option<u64>) -> Option<Cow<'_, [u8]>> {
        let elements = limit.map_or(self.count, |limit| {
            (limit as usize).div_ceil(self.size).min(self.count)
        });
        let length = elements.checked_mul(self.size)?;
        match self.layout {
            // SAFETY: the program gave this memory to MPI, which reads or has written all of it.
            Layout::Whole => Some(Cow::Borrowed(unsafe {
                std::slice::from_raw_parts(self.address as *const u8, length)
            })),
            Layout::Loose { .. } => {
                let mut bytes = vec![0; length];
                let packed = self.walk(elements, |datatype, address, count, at, length| {
                    let mut position = 0i32;
                    let args = [
                        address,
                        count,
                        datatype,
                        bytes.as_mut_ptr() as usize + at,
                        length,
                        &raw mut position as usize,
                        mpi.abi.comm_self,
                    ];
                    succeeds(mpi, id::MPI_PACK, args) && position as usize == length
                });
                packed.then_some(Cow::Owned(bytes))
            }
        }
    }

    /// Puts bytes into its first elements; false if they do not fit.
    pub fn write(&self, mpi: &Mpi, bytes: &[u8]) -> bool {
        let elements = bytes.len() / self.size;
        if elements > self.count || !bytes.len().is_multiple_of(self.size) {
            return false;
        }
        match self.layout {
            Layout::Whole => {
                // SAFETY: the program gave this memory to MPI to receive so many bytes.
                unsafe {
                    let to = self.address as *mut u8;
                    std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
                }
                true
            }
            Layout::Loose { .. } => self.walk(elements, |datatype, address, count, at, length| {
                let mut position = 0i32;
                let args = [
                    bytes.as_ptr() as usize + at,
                    length,
                    &raw mut position as usize,
                    address,
                    count,
                    datatype,
                    mpi.abi.comm_self,
                ];
                succeeds(mpi, id::MPI_UNPACK, args)
            }),
        }
    }

    /// Goes over elements in steps that MPI can pack: datatype, address, count,
    /// and where their bytes begin and how many they are.
    fn walk(
        &self,
        elements: usize,
        mut step: impl FnMut(usize, usize, usize, usize, usize) -> bool,
    ) -> bool {
        let Layout::Loose {
            datatype, extent, ..
        } = self.layout
        else {
            return false;
        };
        let most = (MOST / self.size).max(1);
        let mut first = 0;
        while first < elements {
            let count = most.min(elements - first);
            let address = self
                .address
                .wrapping_add_signed(extent.wrapping_mul(first as isize));
            if !step(
                datatype,
                address,
                count,
                first * self.size,
                count * self.size,
            ) {
                return false;
            }
            first += count;
        }
        true
    }
}

/// Asks for a lower bound and an extent.
fn bounds(mpi: &Mpi, function: FunctionId, datatype: usize) -> Option<[isize; 2]> {
    let mut found = [0isize; 2];
    let [lower, extent] = &mut found;
    let args = [
        datatype,
        &raw mut *lower as usize,
        &raw mut *extent as usize,
    ];
    succeeds(mpi, function, args).then_some(found)
}

/// Returns the distance between elements of a datatype.
pub fn extent(mpi: &Mpi, datatype: usize) -> isize {
    bounds(mpi, id::MPI_TYPE_GET_EXTENT, datatype).map_or(0, |[_, extent]| extent)
}
