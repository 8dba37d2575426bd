//! `MPI_COMM_SPAWN` of Fortran, whose strings have no end but a length that follows the arguments.

use std::ffi::CString;

use mpi_abi::Mpi;

use super::{is_found, is_root, Prefix};

/// A program and its words, as Fortran passes them: words of one length each, filled up with
/// blanks, the last one blank.
struct Words {
    program: Vec<u8>,
    words: Vec<u8>,
    length: usize,
}

/// `MPI_COMM_SPAWN(command, argv, maxprocs, info, root, comm, intercomm, errcodes, ierror)`, and the
/// lengths of the command and of each word.
pub fn spawn<const N: usize>(
    args: &[usize; N],
    prefix: &Prefix,
    pass: impl FnOnce([usize; N]) -> usize,
) -> usize {
    let mut with_prefix = *args;
    // SAFETY: the arguments are those of the call, and its caller's until it returns.
    let words = unsafe { words(args, prefix) };
    if let Some(words) = &words {
        with_prefix[0] = words.program.as_ptr() as usize;
        with_prefix[1] = words.words.as_ptr() as usize;
        with_prefix[9] = words.program.len();
        with_prefix[10] = words.length;
    }
    pass(with_prefix)
}

/// # Safety
/// The arguments are those of the call.
unsafe fn words<const N: usize>(args: &[usize; N], prefix: &Prefix) -> Option<Words> {
    let &[command, argv, _, info, root, comm, _, _, _, length, each] = args.as_slice() else {
        return None;
    };
    let mpi = Mpi::load().ok()?;
    // SAFETY: these are the addresses of INTEGERs, and MPI is up.
    let (root, comm, info) = unsafe {
        let integer = |at: usize| (at as *const i32).read_unaligned();
        let comm = mpi.fortran.comm(integer(comm));
        (integer(root), comm, mpi.fortran.info(integer(info)))
    };
    // SAFETY: the program passes the communicator to MPI.
    if !unsafe { is_root(root as u32 as usize, comm) } {
        return None;
    }
    // SAFETY: at the root the command is so long, and the words end with one that is blank.
    let (command, own) = unsafe { (text(command, length), all(argv, each)) };
    let command = CString::new(command).ok()?;
    if !is_found(mpi, &command, mpi.abi.normalise(info)) {
        return None;
    }
    let mut words: Vec<&[u8]> = prefix.options.iter().map(|it| it.as_bytes()).collect();
    words.push(command.as_bytes());
    words.extend(own.iter().map(Vec::as_slice));
    // Fortran takes blanks at the end of a word for none.
    if words
        .iter()
        .any(|word| word.is_empty() || word.ends_with(b" "))
    {
        return None;
    }
    let length = words.iter().map(|word| word.len()).max()?;
    let blank: &[u8] = b"";
    let filled = words.iter().copied().chain([blank]);
    Some(Words {
        program: prefix.program.as_bytes().to_vec(),
        words: filled.flat_map(|word| filled_up(word, length)).collect(),
        length,
    })
}

fn filled_up(word: &[u8], length: usize) -> impl Iterator<Item = u8> + '_ {
    word.iter()
        .copied()
        .chain(std::iter::repeat(b' '))
        .take(length)
}

/// Returns a string without the blanks at its end.
///
/// # Safety
/// So many characters lie there.
unsafe fn text(at: usize, length: usize) -> Vec<u8> {
    // SAFETY: the caller vouches for it.
    let mut all = unsafe { std::slice::from_raw_parts(at as *const u8, length) };
    while let [before @ .., b' '] = all {
        all = before;
    }
    all.to_vec()
}

/// Returns the words of an array that ends with a blank one. That of `MPI_ARGV_NULL` has none.
///
/// # Safety
/// It is such an array, of words of this length.
unsafe fn all(argv: usize, each: usize) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    if argv == 0 || each == 0 {
        return words;
    }
    loop {
        // SAFETY: the array has not ended yet.
        let word = unsafe { text(argv + words.len() * each, each) };
        if word.iter().all(|&byte| byte == 0) {
            return words;
        }
        words.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_with_a_blank_one() {
        let array = b"one  two\t three     rest ";
        let at = array.as_ptr() as usize;
        // SAFETY: the array has a blank word.
        let words = unsafe { all(at, 5) };
        assert_eq!(words, [&b"one"[..], b"two\t", b"three"]);
        let null = [0u8; 4];
        for (at, each) in [(null.as_ptr() as usize, 1), (at, 0), (0, 8)] {
            // SAFETY: these have no words.
            assert!(unsafe { all(at, each) }.is_empty());
        }
        assert_eq!(filled_up(b"ab", 4).collect::<Vec<_>>(), b"ab  ");
    }
}
