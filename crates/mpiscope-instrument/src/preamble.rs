//! The text around the probes: what an instrumented file begins with, and the
//! C file that carries the unit of a Fortran source.

use std::hash::Hasher;

use mpiscope_model::hash::StableHasher;
use mpiscope_model::Structure;

use crate::Instrumented;

/// The interface between instrumented objects and whoever listens, and the probes' code.
pub const INTERFACE: &str = include_str!("preamble.c");

/// Returns what stands before the body of a C or C++ source: the unit, the
/// probes, and a line marker that gives the first line its number back.
#[must_use]
pub fn preamble(structure: &Structure) -> String {
    // Marked as a system header's, so that it causes no warnings.
    let file = literal(&structure.file, false);
    format!(
        "# 1 \"mpiscope-probes.h\" 3\n{}# 1 {file}\n",
        unit(structure)
    )
}

/// Returns the C source whose object is merged into that of a Fortran source.
#[must_use]
pub fn bridge(instrumented: &Instrumented) -> String {
    let mut text = unit(&instrumented.structure);
    for (name, body) in BRIDGES {
        // By the names that gfortran and flang give to external procedures,
        // with -fno-underscoring and without.
        for end in ["_", ""] {
            let symbol = format!("mpiscope{name}{}{end}", instrumented.key);
            text += &format!(
                "__attribute__((__visibility__(\"hidden\"))) void {symbol}(const __INT32_TYPE__ *n)\n\
                 {{\n  __UINT32_TYPE__ number = (__UINT32_TYPE__)*n;\n  {body}\n}}\n"
            );
        }
    }
    text
}

/// Letter and body of each probe; `n` points to an integer of Fortran's default
/// kind, signed as there, which link-time optimization compares.
const BRIDGES: [(&str, &str); 5] = [
    ("e", "(void)mpiscope_enter_(number);"),
    ("l", "mpiscope_leave_(&number);"),
    ("b", "(void)mpiscope_loop_enter_(number, 0);"),
    (
        "x",
        "struct mpiscope_loop_ left = {~(__UINT64_TYPE__)0, number};\n  mpiscope_loop_leave_(&left);",
    ),
    ("c", "mpiscope_at_(number);"),
];

/// Returns the interface with the file's own structure in it.
fn unit(structure: &Structure) -> String {
    let json = serde_json::to_string(structure).expect("a structure is JSON");
    format!(
        "#define MPISCOPE_STRUCTURE_ {}\n#define MPISCOPE_STATEMENTS_ {}\n{INTERFACE}\
         #undef MPISCOPE_STRUCTURE_\n#undef MPISCOPE_STATEMENTS_\n",
        literal(&json, true),
        structure.statements.len()
    )
}

/// Returns a C string literal. As JSON it is kept to ASCII, which survives
/// every `-fexec-charset`; question marks could be trigraphs.
fn literal(text: &str, json: bool) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            '?' if json => literal += "\\?",
            ' '..='~' => literal.push(c),
            _ if json => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    literal += &format!("\\\\u{unit:04x}");
                }
            }
            _ => literal.push(c),
        }
    }
    literal + "\""
}

/// Hashes texts, to tell builds from each other, not for safety.
pub(crate) fn hash(texts: &[&[u8]]) -> String {
    let mut hasher = StableHasher::default();
    for text in texts {
        hasher.write(text);
        hasher.write(&[0xff]);
    }
    format!("{:016x}", hasher.finish())
}
