//! Calls that the debug information puts at the head of their procedure.
//!
//! gfortran without optimization gives `call MPI_Init(ierror)`, and other calls that only
//! pass variables, the line of the `program`, `subroutine` or `use` statement. No call
//! stands there. Instructions before and after it have lines of their own, and if the source
//! shows one call between these, that is it; otherwise its line is not known.

use std::fs;
use std::path::Path;

use addr2line::Loader;

/// How many bytes of code around a call are looked at.
const AROUND: u64 = 96;

/// Returns the line of the call at `address`, which the debug information says is `line`
/// of `file`; nothing if it cannot be there, and nobody knows where it is.
pub fn line_of_call(module: &Loader, address: u64, file: &str, line: u32) -> Option<u32> {
    let known = |text: &String| is_fortran(file) && is_head(text, line);
    match fs::read_to_string(file).ok().filter(known) {
        Some(text) => {
            let (before, after) = neighbors(module, address, line)?;
            only_call(&text, before, after)
        }
        None => Some(line),
    }
}

fn is_fortran(file: &str) -> bool {
    let extension = Path::new(file).extension().unwrap_or_default();
    let extension = extension.to_string_lossy().to_ascii_lowercase();
    let known = ["f", "for", "ftn", "f77", "f90", "f95", "f03", "f08"];
    known.contains(&&*extension)
}

/// Returns whether a line begins a program or procedure, or names a module that it uses.
fn is_head(text: &str, line: u32) -> bool {
    let heads = ["program", "subroutine", "function", "procedure", "use"];
    let statement = text.lines().nth(line.saturating_sub(1) as usize);
    let statement = statement.unwrap_or_default().to_ascii_lowercase();
    let code = statement.split('!').next().unwrap_or_default();
    let words = || code.split(|c: char| !c.is_alphanumeric() && c != '_');
    let begins = words().any(|word| heads.contains(&word));
    begins && !words().any(|word| word == "call") && !code.contains(';')
}

/// Returns the lines of the procedure's code before and after an address that are another
/// than `line`; before its first, that itself.
fn neighbors(module: &Loader, address: u64, line: u32) -> Option<(u32, u32)> {
    let own = procedure(module, address);
    let lines = |from: u64, to: u64| -> Vec<u32> {
        let rows = module.find_location_range(from, to).into_iter().flatten();
        let rows = rows.filter(|(start, ..)| procedure(module, (*start).max(from)) == own);
        rows.filter_map(|(_, _, location)| location.line.filter(|&other| other != line))
            .collect()
    };
    let before = lines(address.saturating_sub(AROUND), address);
    let after = lines(address, address + AROUND);
    Some((before.last().copied().unwrap_or(line), *after.first()?))
}

/// Returns the name of the procedure that an address belongs to.
fn procedure(module: &Loader, address: u64) -> Option<String> {
    let frame = module.find_frames(address).ok()?.next().ok()??;
    Some(frame.function?.raw_name().ok()?.into_owned())
}

/// Returns the line between two others that holds a call, if it is one.
fn only_call(text: &str, before: u32, after: u32) -> Option<u32> {
    let is_call = |statement: &str| {
        let code = statement.split('!').next().unwrap_or_default();
        let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word.eq_ignore_ascii_case("call"))
    };
    let mut calls = (1..)
        .zip(text.lines())
        .filter(|(line, statement)| (before + 1..after).contains(line) && is_call(statement))
        .map(|(line, _)| line);
    let only = calls.next()?;
    calls.next().is_none().then_some(only)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "program heat ! a subroutine\n  use mpi\n  i = 1\n\n  call MPI_Init(e)\n\
                          ! call nobody\n  i = 2\n  call one(i)\n  call two(i)\n  i = 3\n";

    #[test]
    fn the_only_call_between_two_lines_is_found() {
        assert_eq!(only_call(SOURCE, 3, 7), Some(5));
        assert_eq!(only_call(SOURCE, 7, 10), None, "two");
        assert_eq!(only_call(SOURCE, 9, 10), None, "none");
        assert_eq!(only_call(SOURCE, 9, 4), None, "a loop");
    }

    #[test]
    fn no_call_stands_at_the_head_of_a_procedure() {
        let heads: Vec<u32> = (1..=10).filter(|&line| is_head(SOURCE, line)).collect();
        assert_eq!(heads, [1, 2]);
        for (text, expected) in [
            ("      SUBROUTINE A(B)", true),
            ("recursive function f(x) result(y)", true),
            ("call program_start()", false),
            ("if (first) call use(x)", false),
            ("! program", false),
            ("program a; call b; end", false),
        ] {
            assert_eq!(is_head(text, 1), expected, "{text}");
        }
        assert!(!is_head("", 7));
    }

    #[test]
    fn only_fortran_is_looked_into() {
        for (file, expected) in [("a.f90", true), ("A.F", true), ("a.c", false), ("f", false)] {
            assert_eq!(is_fortran(file), expected, "{file}");
        }
    }
}
