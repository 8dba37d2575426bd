//! What a datatype is made of (MPI 4.1, §5.1.13).

use std::ffi::c_int;

use crate::mpi::{check, Code, Mpi};

/// More numbers than a description is asked for that lists as many.
const LONGEST: c_int = 1 << 20;

/// How a datatype was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// It is predefined, and this is its name; empty for those made by MPI_Type_create_f90_*.
    Predefined(String),
    /// Of copies of one other, whose handle this is, to be given to [`Mpi::release`].
    Of(usize),
    /// Of blocks: how many of which other.
    Blocks(Vec<(u64, usize)>),
    /// In a way that is not described here.
    Other,
}

impl Mpi {
    /// Returns how a datatype was made. The handles in the answer are the caller's.
    ///
    /// # Safety
    /// MPI is up, and `datatype` is a datatype.
    pub unsafe fn made(&self, datatype: usize) -> Result<Made, Code> {
        // SAFETY: MPI is up, and this is a datatype.
        unsafe {
            if self.has_large_counts(datatype)? {
                return Ok(Made::Other);
            }
            let [integers, addresses, datatypes] = self.envelope(datatype)?;
            match datatypes {
                0 => Ok(Made::Predefined(self.type_name(datatype)?)),
                _ if integers > LONGEST || addresses > LONGEST || datatypes > LONGEST => {
                    Ok(Made::Other)
                }
                _ => self.contents(datatype, [integers, addresses, datatypes]),
            }
        }
    }

    /// Frees a handle that [`made`](Self::made) returned, unless it is predefined.
    ///
    /// # Safety
    /// MPI is up, and the handle was returned so and not released before.
    pub unsafe fn release(&self, mut datatype: usize) -> Result<(), Code> {
        // SAFETY: the handle is one of ours: a datatype made of others was given to us (MPI 4.1, §5.1.13).
        unsafe {
            if !self.has_large_counts(datatype)? && self.envelope(datatype)?[2] == 0 {
                return Ok(());
            }
            check((self.calls.type_free)(&mut datatype))
        }
    }

    /// Asks for numbers of integers, addresses and datatypes.
    unsafe fn envelope(&self, datatype: usize) -> Result<[c_int; 3], Code> {
        let mut numbers = [0; 3];
        let mut combiner = 0;
        let [integers, addresses, datatypes] = &mut numbers;
        // SAFETY: the caller vouches for the handle; four integers are written.
        check(unsafe {
            (self.calls.type_get_envelope)(datatype, integers, addresses, datatypes, &mut combiner)
        })?;
        Ok(numbers)
    }

    /// Of a type made with large counts nothing may be asked in the old way.
    unsafe fn has_large_counts(&self, datatype: usize) -> Result<bool, Code> {
        let Some(envelope) = self.envelope_c else {
            return Ok(false);
        };
        let (mut numbers, mut combiner) = ([0; 4], 0);
        let [integers, addresses, large, datatypes] = &mut numbers;
        // SAFETY: the caller vouches for the handle; five integers are written.
        check(unsafe {
            envelope(
                datatype,
                integers,
                addresses,
                large,
                datatypes,
                &mut combiner,
            )
        })?;
        Ok(numbers[2] > 0)
    }

    unsafe fn contents(&self, datatype: usize, numbers: [c_int; 3]) -> Result<Made, Code> {
        let [integers, addresses, datatypes] = numbers;
        let mut lengths = vec![0; integers as usize];
        let mut places = vec![0isize; addresses as usize];
        let mut others = vec![0u64; datatypes as usize]; // as large as any handle
                                                         // SAFETY: the arrays are as long as the envelope said.
        check(unsafe {
            (self.calls.type_get_contents)(
                datatype,
                integers,
                addresses,
                datatypes,
                lengths.as_mut_ptr(),
                places.as_mut_ptr(),
                others.as_mut_ptr().cast(),
            )
        })?;
        // SAFETY: as many handles were written, in one array.
        let other = |k| unsafe { self.abi.handle_at(others.as_ptr().cast(), k) };
        if let [_] = others[..] {
            return Ok(Made::Of(other(0)));
        }
        // A struct: their number, then the length of each block.
        let blocks: Vec<(u64, usize)> = (0..others.len())
            .map(|k| {
                let length = lengths.get(k + 1).copied().unwrap_or(0);
                (u64::try_from(length).unwrap_or(0), other(k))
            })
            .collect();
        if lengths.len() == others.len() + 1 {
            return Ok(Made::Blocks(blocks));
        }
        for (_, handle) in blocks {
            // SAFETY: the handle was returned just now.
            unsafe { self.release(handle)? };
        }
        Ok(Made::Other)
    }

    unsafe fn type_name(&self, datatype: usize) -> Result<String, Code> {
        let mut name = [0u8; 512]; // twice MPI_MAX_OBJECT_NAME of any
        let mut length = 0;
        // SAFETY: the caller vouches for the handle; the name fits.
        check(unsafe {
            (self.calls.type_get_name)(datatype, name.as_mut_ptr().cast(), &mut length)
        })?;
        let length = usize::try_from(length).unwrap_or(0).min(name.len());
        Ok(String::from_utf8_lossy(&name[..length]).into_owned())
    }
}
