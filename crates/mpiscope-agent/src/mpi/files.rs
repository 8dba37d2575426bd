//! What a call does to the data of a file, read off its name (MPI 4.1, §14.4): names are made of
//! what is done, from where, by whom, and when it is over.

use mpi_abi::{FunctionId, FUNCTIONS};
use mpiscope_run::record::FileOperation;

/// What one function does to the data of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Which way data go.
    pub operation: FileOperation,
    /// When it is over.
    pub form: Form,
    /// All processes that opened the file take part.
    pub is_collective: bool,
}

/// When data are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Within the call.
    Blocking,
    /// From the call to the completion of the request that it returns.
    Nonblocking,
    /// From the call to another that ends it.
    Begin,
    /// Until this call, from the one that began it.
    End,
}

/// Names are read when we are compiled.
const ACCESSES: &[Option<Access>; FUNCTIONS.len()] = &{
    let mut all = [None; FUNCTIONS.len()];
    let mut index = 0;
    while index < all.len() {
        all[index] = Access::read(FUNCTIONS[index].name);
        index += 1;
    }
    all
};

/// Returns what a function does to the data of a file.
pub const fn access(function: FunctionId) -> Option<Access> {
    ACCESSES[function.0 as usize]
}

impl Access {
    const fn read(name: &str) -> Option<Access> {
        let [b'M', b'P', b'I', b'_', b'F', b'i', b'l', b'e', b'_', name @ ..] = name.as_bytes()
        else {
            return None;
        };
        let name = match name {
            [name @ .., b'_', b'c'] => name,
            _ => name,
        };
        let (name, form) = match name {
            [b'i', name @ ..] => (name, Form::Nonblocking),
            [name @ .., b'_', b'b', b'e', b'g', b'i', b'n'] => (name, Form::Begin),
            [name @ .., b'_', b'e', b'n', b'd'] => (name, Form::End),
            _ => (name, Form::Blocking),
        };
        let (from, operation) = match name {
            [b'r', b'e', b'a', b'd', from @ ..] => (from, FileOperation::Read),
            [b'w', b'r', b'i', b't', b'e', from @ ..] => (from, FileOperation::Write),
            _ => return None,
        };
        let is_collective = matches!(
            from,
            [.., b'_', b'a', b'l', b'l'] | [b'_', b'o', b'r', b'd', b'e', b'r', b'e', b'd']
        );
        Some(Access {
            operation,
            form,
            is_collective,
        })
    }
}

#[cfg(test)]
mod tests {
    use mpi_abi::id;

    use super::*;

    #[test]
    fn names_say_what_is_done() {
        use FileOperation::{Read, Write};
        let of = |function| access(function).map(|it| (it.operation, it.form, it.is_collective));
        let cases = [
            (id::MPI_FILE_READ, (Read, Form::Blocking, false)),
            (id::MPI_FILE_WRITE_SHARED_C, (Write, Form::Blocking, false)),
            (id::MPI_FILE_WRITE_AT_ALL, (Write, Form::Blocking, true)),
            (id::MPI_FILE_READ_ORDERED, (Read, Form::Blocking, true)),
            (id::MPI_FILE_IREAD_AT, (Read, Form::Nonblocking, false)),
            (id::MPI_FILE_IWRITE_ALL_C, (Write, Form::Nonblocking, true)),
            (id::MPI_FILE_READ_ORDERED_BEGIN_C, (Read, Form::Begin, true)),
            (id::MPI_FILE_WRITE_ALL_END, (Write, Form::End, true)),
        ];
        for (function, expected) in cases {
            assert_eq!(of(function), Some(expected), "{}", function.function().name);
        }
        for other in [id::MPI_FILE_SYNC, id::MPI_FILE_PREALLOCATE, id::MPI_SEND] {
            assert_eq!(of(other), None);
        }
    }

    /// Both ways; from three places, all together or not; and where counts can be large, twice.
    #[test]
    fn every_function_is_found() {
        let found = |form| {
            let all = ACCESSES.iter().flatten();
            all.filter(|it| it.form == form).count()
        };
        let forms = [Form::Blocking, Form::Nonblocking, Form::Begin, Form::End];
        assert_eq!(forms.map(found), [2 * 6 * 2, 2 * 5 * 2, 2 * 3 * 2, 2 * 3]);
    }
}
