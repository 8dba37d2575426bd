//! The functions and types of the interpreter that this process runs, found by name.

use std::ffi::{c_char, c_int, c_long, c_void, CStr};

/// An object of the interpreter's.
pub type Pointer = *mut c_void;

macro_rules! api {
    ($($(#[$about:meta])* $field:ident: $($name:literal)|+ = $type:ty,)*) => {
        /// What is asked of the interpreter.
        pub struct Api {
            $($(#[$about])* pub $field: $type,)*
            /// Its version, as `0x030b02f0` is 3.11.2.
            pub version: u32,
        }

        impl Api {
            /// Looks for the interpreter in the scope of the program.
            #[allow(clippy::transmutes_expressible_as_ptr_casts)] // most are functions
            pub fn load() -> Option<Api> {
                Some(Api {
                    // SAFETY: of these names the interpreter has functions of these signatures,
                    // and types, in all its versions since 3.8 (its stable interface, but for
                    // `PyCode_Addr2Line` and the question for the holder of the lock).
                    $($field: unsafe { std::mem::transmute::<Pointer, $type>([$($name),+].into_iter().find_map(symbol)?) },)*
                    version: version()?,
                })
            }
        }
    };
}

api! {
    /// Whether it is up, and not ending.
    is_initialized: c"Py_IsInitialized" = unsafe extern "C" fn() -> c_int,
    /// The state of the calling thread, with or without the lock; null if there is none.
    this_state: c"PyGILState_GetThisThreadState" = unsafe extern "C" fn() -> Pointer,
    /// The state of the thread that holds the lock (up to 3.11), or that of the calling one if it
    /// does: in both cases the calling thread's if, and only if, that holds it.
    holder: c"_PyThreadState_UncheckedGet" | c"PyThreadState_GetUnchecked" = unsafe extern "C" fn() -> Pointer,
    /// Line of a byte of a code object: computed of its table, nothing is changed or allocated.
    line: c"PyCode_Addr2Line" = unsafe extern "C" fn(Pointer, c_int) -> c_int,
    /// Characters of a text: one field is read.
    length: c"PyUnicode_GetLength" = unsafe extern "C" fn(Pointer) -> isize,
    /// Copies a text; nothing is changed or allocated where there is room for it.
    copy: c"PyUnicode_AsUCS4" = unsafe extern "C" fn(Pointer, *mut u32, isize, c_int) -> *mut u32,
    code: c"PyCode_Type" = usize,
    text: c"PyUnicode_Type" = usize,
    bytes: c"PyBytes_Type" = usize,
    none: c"_Py_NoneStruct" = usize,
    // With the lock alone:
    frame: c"PyEval_GetFrame" = unsafe extern "C" fn() -> Pointer,
    error: c"PyErr_Occurred" = unsafe extern "C" fn() -> Pointer,
    clear_error: c"PyErr_Clear" = unsafe extern "C" fn(),
    attribute: c"PyObject_GetAttrString" = unsafe extern "C" fn(Pointer, *const c_char) -> Pointer,
    number: c"PyLong_AsLong" = unsafe extern "C" fn(Pointer) -> c_long,
    size_of_bytes: c"PyBytes_Size" = unsafe extern "C" fn(Pointer) -> isize,
    data_of_bytes: c"PyBytes_AsString" = unsafe extern "C" fn(Pointer) -> *const c_char,
    keep: c"Py_IncRef" = unsafe extern "C" fn(Pointer),
    release: c"Py_DecRef" = unsafe extern "C" fn(Pointer),
}

/// Returns the address of a symbol of the program's scope.
pub fn symbol(name: &CStr) -> Option<Pointer> {
    // SAFETY: a name that ends with NUL.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// Returns the interpreter's version: a constant of its, since 3.11; before, it begins its text.
fn version() -> Option<u32> {
    if let Some(constant) = symbol(c"Py_Version") {
        // SAFETY: an `unsigned long` since it is there (3.11).
        return Some(unsafe { constant.cast::<usize>().read() } as u32);
    }
    let function = symbol(c"Py_GetVersion")?;
    // SAFETY: its signature, in all versions.
    let function: unsafe extern "C" fn() -> *const c_char =
        unsafe { std::mem::transmute(function) };
    // SAFETY: it returns a constant text.
    let text = unsafe { CStr::from_ptr(function()) }.to_str().ok()?;
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    let mut next = || numbers.next()?.parse::<u8>().ok();
    Some(u32::from_be_bytes([next()?, next()?, next()?, 0]))
}
