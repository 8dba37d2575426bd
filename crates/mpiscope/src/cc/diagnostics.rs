//! What a compiler says: the lines of the source that it refuses.

/// Returns the lines of `file` with errors, and the first words about each.
pub fn errors(said: &str, file: &str) -> Vec<(u32, String)> {
    let mut found: Vec<(u32, String)> = Vec::new();
    // gfortran names the place first and says what is wrong some lines later.
    let mut place = None;
    // The last error anywhere: what is wrong in a macro of a header may be what it was given.
    let mut last: Option<&str> = None;
    for line in said.lines() {
        let at = line.strip_prefix(file).and_then(location);
        last = line
            .split_once(": error: ")
            .map(|(_, error)| error)
            .or(last);
        if let Some((number, rest)) = at {
            place = Some(number);
            if let Some((_, error)) = rest.split_once("error: ") {
                found.push((number, error.to_owned()));
            } else if rest.contains("in expansion of macro") {
                found.extend(last.map(|error| (number, error.to_owned())));
            }
        } else if let (Some(number), Some(error)) = (place, error_of_fortran(line)) {
            found.push((number, error.to_owned()));
        }
    }
    found.sort();
    found.dedup_by_key(|(line, _)| *line);
    found
}

/// Reads `:LINE:` and returns what is after it.
fn location(rest: &str) -> Option<(u32, &str)> {
    let (number, rest) = rest.strip_prefix(':')?.split_once(':')?;
    Some((number.parse().ok()?, rest))
}

fn error_of_fortran(line: &str) -> Option<&str> {
    ["Error: ", "Fatal Error: "]
        .iter()
        .find_map(|start| line.strip_prefix(start))
}

/// Returns the first error in what a compiler said, wherever it is.
pub fn first(said: &str) -> &str {
    let error = said.lines().find(|line| line.contains("rror: "));
    error.or(said.lines().next()).unwrap_or("it said nothing")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_both_compilers_are_found_by_line() {
        let c = "src/a.c: In function 'f':\nsrc/a.c:12:3: error: expected ';'\n   12 | x\nb.h:3:1: error: no\n";
        assert_eq!(errors(c, "src/a.c"), [(12, "expected ';'".to_owned())]);
        let header = "b.h:3:1: error: no 'do'\nsrc/a.c:7:3: note: in expansion of macro 'M'\n";
        assert_eq!(errors(header, "src/a.c"), [(7, "no 'do'".to_owned())]);
        let fortran =
            "a.f90:4:13:\n\n    4 |  integer\n      |  1\nError: Unexpected statement at (1)\n";
        assert_eq!(
            errors(fortran, "a.f90"),
            [(4, "Unexpected statement at (1)".to_owned())]
        );
    }
}
