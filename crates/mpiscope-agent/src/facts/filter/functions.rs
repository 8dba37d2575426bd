//! Where the functions begin that a filter leaves out: the symbols of what is
//! loaded and was instrumented, which calls `__cyg_profile_func_enter`.

use std::ffi::{c_char, c_int, CStr, CString};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use mpiscope_run::filter::{Filter, Names};

use crate::base::symbols;
use crate::mpi::modules;

/// What a compiler has an instrumented function call.
const HOOK: &str = "__cyg_profile_func_enter";

/// What was found in an object, by its path and where it lies.
type Seen = Vec<((PathBuf, u64), Vec<u64>)>;

static SEEN: Mutex<Seen> = Mutex::new(Vec::new());

/// Returns the addresses of the functions that are left out, in no order.
pub fn left_out(filter: &Filter) -> Vec<u64> {
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let loaded = modules::loaded();
    seen.retain(|(object, _)| loaded.contains(object));
    for object in loaded {
        if !seen.iter().any(|(it, _)| *it == object) {
            let functions = of_object(filter, &object);
            seen.push((object, functions));
        }
    }
    seen.iter()
        .flat_map(|(_, functions)| functions)
        .copied()
        .collect()
}

/// An object that cannot be read, or tells no names, leaves nothing out.
fn of_object(filter: &Filter, (path, bias): &(PathBuf, u64)) -> Vec<u64> {
    let Ok(Some(functions)) = symbols::functions_calling(path, HOOK) else {
        return Vec::new();
    };
    let demangle = demangler();
    let is_left_out = |name: &str| {
        let demangled = demangle.and_then(|demangle| demangled(demangle, name));
        filter.leaves_out(Names {
            plain: &names(name, demangled.as_deref()),
            mangled: Some(name),
            file: None,
        })
    };
    let functions = functions.into_iter();
    let functions = functions.filter(|(name, _)| is_left_out(name));
    functions
        .map(|(_, value)| bias.wrapping_add(value))
        .collect()
}

/// Returns what people call a symbol: without mangling, in full, without arguments, and without
/// what it returns; else as it is.
fn names<'a>(symbol: &'a str, demangled: Option<&'a str>) -> [&'a str; 3] {
    let full = demangled.unwrap_or(symbol);
    let short = without_arguments(full);
    [full, short, without_result(short)]
}

/// Cuts what a function returns, which names of templates begin with.
fn without_result(name: &str) -> &str {
    let mut open = 0;
    let mut begin = 0;
    for (at, letter) in name.char_indices() {
        match letter {
            '<' | '(' => open += 1,
            '>' | ')' => open -= 1,
            ' ' if open == 0 => begin = at + 1,
            _ => {}
        }
    }
    match name.contains("operator") {
        true => name, // brackets and spaces may be its own
        false => &name[begin..],
    }
}

/// Cuts what a function takes off: from the bracket that closes last to the one that it closes.
fn without_arguments(name: &str) -> &str {
    let Some(end) = name.rfind(')') else {
        return name;
    };
    let mut open = 0;
    for (at, letter) in name[..=end].char_indices().rev() {
        match letter {
            ')' => open += 1,
            '(' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return match at {
                0 => name,
                _ => name[..at].trim_end(),
            };
        }
    }
    name
}

/// `__cxa_demangle` (Itanium C++ ABI).
type Demangle =
    unsafe extern "C" fn(*const c_char, *mut c_char, *mut usize, *mut c_int) -> *mut c_char;

/// Returns the demangler of the program's C++ library, which a program in C++ has loaded.
fn demangler() -> Option<Demangle> {
    // SAFETY: a lookup by name, from nowhere near the loader's own work.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__cxa_demangle".as_ptr()) };
    // SAFETY: the one function of that name has this type.
    (!found.is_null()).then(|| unsafe { std::mem::transmute::<*mut libc::c_void, Demangle>(found) })
}

fn demangled(demangle: Demangle, symbol: &str) -> Option<String> {
    if !symbol.starts_with("_Z") {
        return None;
    }
    let symbol = CString::new(symbol).ok()?;
    let mut status = 0;
    // SAFETY: the name ends with NUL; without a buffer the function allocates one, which is ours to free.
    let text = unsafe {
        demangle(
            symbol.as_ptr(),
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            &raw mut status,
        )
    };
    if text.is_null() {
        return None;
    }
    // SAFETY: what it returns ends with NUL.
    let name = unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned();
    // SAFETY: allocated by malloc, as the ABI says.
    unsafe { libc::free(text.cast()) };
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_cut_off() {
        for (name, short) in [
            ("foo(int)", "foo"),
            ("ns::foo(void (*)(int))", "ns::foo"),
            ("ns::C::operator()(int) const", "ns::C::operator()"),
            ("plain", "plain"),
            ("f[abi:x](a)", "f[abi:x]"),
            (")", ")"),
        ] {
            assert_eq!(without_arguments(name), short, "{name}");
        }
    }

    #[test]
    fn a_template_is_named_without_what_it_returns() {
        let names = names("_Z", Some("std::vector<int> ns::f<a b>(int)"));
        assert_eq!(names[1..], ["std::vector<int> ns::f<a b>", "ns::f<a b>"]);
        assert_eq!(without_result("C::operator bool"), "C::operator bool");
        assert_eq!(without_result("f"), "f");
    }
}
