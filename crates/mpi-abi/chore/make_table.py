#!/usr/bin/env python3
"""Writes src/table.rs from the machine-readable MPI standard.

    pip download --no-deps pympistandard && unzip pympistandard-*.whl
    python3 chore/make_table.py pympistandard/data/apis.json > src/table.rs

`apis.json` (PyPI: pympistandard, MIT licence) is what the MPI Forum's own
document build extracts from the standard: one entry per call, with the kind,
direction and array length of each argument. Calls that MPI 3 removed but that
libraries still export are the hand rows below.
"""

import json
import re
import sys

# The words of apis.json for an argument's kind, in ours. A kind that is not
# listed is an `int` if INT matches it, and otherwise `Other`.
KINDS = {
    "BUFFER": "Buffer",
    "C_BUFFER": "Other",
    "COMMUNICATOR": "Comm",
    "DATATYPE": "Datatype",
    "ERRHANDLER": "Errhandler",
    "FILE": "File",
    "FUNCTION": "Callback",
    "POLYFUNCTION": "Callback",
    "GROUP": "Group",
    "INFO": "Info",
    "KEYVAL": "Keyval",
    "LOGICAL": "Flag",
    "MESSAGE": "Message",
    "OPERATION": "Op",
    "RANK": "Rank",
    "RANK_NNI": "Rank",
    "REQUEST": "Request",
    "SESSION": "Session",
    "STATUS": "Status",
    "STRING": "String",
    "STRING_ARRAY": "String",
    "STRING_2DARRAY": "String",
    "TAG": "Tag",
    "WINDOW": "Win",
    "OFFSET": "Offset",
    # Counts of elements; the POLY kinds widen to MPI_Count in the `_c` forms.
    "XFER_NUM_ELEM": "LargeCount",
    "XFER_NUM_ELEM_NNI": "LargeCount",
    "NUM_BYTES": "LargeCount",
    "GENERIC_DTYPE_COUNT": "LargeCount",
    # Addresses and displacements as wide as a pointer.
    "ALLOC_MEM_NUM_BYTES": "Address",
    "DISPLACEMENT": "Address",
    "DISPLACEMENT_NNI": "Address",
    "DISPOFFSET_SMALL": "Address",
    "LOCATION_SMALL": "Address",
    "RMA_DISPLACEMENT_NNI": "Address",
    "WINDOW_SIZE": "Address",
    "WIN_ATTACH_SIZE": "Address",
}

# POLY kinds: (in the plain form, in the large-count form).
POLY_KINDS = {
    "POLYDISPLACEMENT": ("Int", "Address"),
    "POLYDISPLACEMENT_AINT_COUNT": ("Address", "LargeCount"),
    "POLYDISPLACEMENT_COUNT": ("Int", "LargeCount"),
    "POLYDISPOFFSET": ("Address", "LargeCount"),
    "POLYDTYPE_NUM_ELEM": ("Count", "LargeCount"),
    "POLYDTYPE_NUM_ELEM_NNI": ("Count", "LargeCount"),
    "POLYDTYPE_NUM_ELEM_PI": ("Count", "LargeCount"),
    "POLYDTYPE_PACK_SIZE": ("Address", "LargeCount"),
    "POLYDTYPE_STRIDE_BYTES": ("Address", "LargeCount"),
    "POLYFUNCTION": ("Callback", "Callback"),
    "POLYLOCATION": ("Address", "LargeCount"),
    "POLYNUM_BYTES": ("Count", "LargeCount"),
    "POLYNUM_BYTES_NNI": ("Count", "LargeCount"),
    "POLYNUM_PARAM_VALUES": ("Int", "LargeCount"),
    "POLYRMA_DISPLACEMENT": ("Int", "Address"),
    "POLYXFER_NUM_ELEM": ("Count", "LargeCount"),
    "POLYXFER_NUM_ELEM_NNI": ("Count", "LargeCount"),
}

INT = re.compile(
    r"ACCESS_MODE|ARGUMENT_COUNT|ARRAY_LENGTH(_NNI|_PI)?|ASSERT|COLOR|COMBINER|"
    r"COMM_COMPARISON|COMM_SIZE(_PI)?|COORDINATE|DEGREE|DIMENSION|DISTRIB_ENUM|"
    r"DTYPE_DISTRIBUTION|ERROR_CLASS|ERROR_CODE(_SHOW_INTENT)?|FILE_DESCRIPTOR|"
    r"GENERIC_DTYPE_INT|GROUP_COMPARISON|INDEX|INFO_VALUE_LENGTH|KEY|KEY_INDEX|"
    r"LOCK_TYPE|MATH|NUM_BYTES_SMALL|NUM_DIMS|ORDER|PARTITION|PROCESS_GRID_SIZE|"
    r"PROFILE_LEVEL|SPLIT_TYPE|STRING_LENGTH|THREAD_LEVEL|TOPOLOGY_TYPE|"
    r"TYPECLASS(_SIZE)?|UPDATE_MODE|VERSION|WEIGHT"
)

# Never wrapped: programs ask these whether a library has a feature, or they
# return no error code, or they only convert.
EXCLUDED = re.compile(
    r"MPI_(T_.*|Abi_.*|Get_version|Get_library_version|Wtime|Wtick|Aint_.*|"
    r"\w+_(c2f|f2c|c2f08|f082c|f2f08|f082f|toint|fromint)|Sizeof|F_sync_reg)"
)

# Exported by both libraries, removed from the standard by MPI 3.0, §16:
# (name, [(argument, kind, passing, direction)]).
V, R, A = "val", "ptr", "arr"
REMOVED = [
    ("MPI_Address", [("location", "Buffer", V, "In"), ("address", "Address", R, "Out")]),
    ("MPI_Errhandler_create", [("function", "Callback", V, "In"), ("errhandler", "Errhandler", R, "Out")]),
    ("MPI_Errhandler_get", [("comm", "Comm", V, "In"), ("errhandler", "Errhandler", R, "Out")]),
    ("MPI_Errhandler_set", [("comm", "Comm", V, "In"), ("errhandler", "Errhandler", V, "In")]),
    ("MPI_Type_extent", [("datatype", "Datatype", V, "In"), ("extent", "Address", R, "Out")]),
    ("MPI_Type_hindexed", [("count", "Count", V, "In"), ("array_of_blocklengths", "Count", A, "In"),
                           ("array_of_displacements", "Address", A, "In"),
                           ("oldtype", "Datatype", V, "In"), ("newtype", "Datatype", R, "Out")]),
    ("MPI_Type_hvector", [("count", "Count", V, "In"), ("blocklength", "Count", V, "In"), ("stride", "Address", V, "In"),
                          ("oldtype", "Datatype", V, "In"), ("newtype", "Datatype", R, "Out")]),
    ("MPI_Type_lb", [("datatype", "Datatype", V, "In"), ("displacement", "Address", R, "Out")]),
    ("MPI_Type_struct", [("count", "Count", V, "In"), ("array_of_blocklengths", "Count", A, "In"),
                         ("array_of_displacements", "Address", A, "In"),
                         ("array_of_types", "Datatype", A, "In"), ("newtype", "Datatype", R, "Out")]),
    ("MPI_Type_ub", [("datatype", "Datatype", V, "In"), ("displacement", "Address", R, "Out")]),
]

# OTF2's region roles; the first pattern that matches the name (lower case,
# without `MPI_`, `_c` and `_init`) decides.
ROLES = [
    ("Function", r".*(errhandler|keyval|_attr|_name)|reduce_local|test_cancelled|win_(c2f|f2c)"),
    ("Barrier", r"i?barrier"),
    ("CollOther", r"i?neighbor_.*|i?(ex)?scan"),
    ("CollAll2All", r"i?(allreduce|allgather|alltoall|reduce_scatter).*"),
    ("CollOne2All", r"i?(bcast|scatter).*"),
    ("CollAll2One", r"i?(reduce|gather).*"),
    ("FileIo", r"file_.*"),
    ("Rma", r"win_.*|r?(put|get|accumulate|get_accumulate)|fetch_and_op|compare_and_swap"),
    ("Point2Point", r"i?[bsr]?send|i?m?recv|i?sendrecv(_replace)?|i?m?probe|p(send|recv)|"
                    r"pready.*|parrived|start(all)?|(wait|test)(all|any|some)?|"
                    r"cancel|request_(free|get_status.*)"),
]


def role(name):
    word = re.sub(r"(_init)?(_c)?$", "", name.removeprefix("MPI_").lower())
    return next((role for role, pattern in ROLES if re.fullmatch(pattern, word)), "Function")


def kind(word, large):
    if word in POLY_KINDS:
        return POLY_KINDS[word][large]
    return KINDS.get(word) or ("Int" if INT.fullmatch(word) else "Other")


def passing(p):
    if p["kind"] in ("BUFFER", "STRING", "C_BUFFER3"):
        return V if p["kind"] == "BUFFER" else R
    if p["length"] is not None or p["kind"] in ("STRING_ARRAY", "STRING_2DARRAY"):
        return A
    if p["pointer"] is False:  # MPI_Info_create_env's argc, said to be written, is not
        return V
    if p["pointer"] or p["param_direction"] != "in" or p["kind"] in ("STATUS", "ATTRIBUTE_VAL", "EXTRA_STATE"):
        return R
    return V


def c_args(entry, large):
    return [
        (p["name"], kind(p["kind"], large), passing(p), {"in": "In", "out": "Out", "inout": "InOut"}[p["param_direction"]])
        for p in entry["parameters"]
        if "c_parameter" not in p["suppress"].split() and (large or not p["large_only"])
    ]


def fortran_count(entry, large=False):
    """Arguments of the Fortran forms, with one hidden length per CHARACTER argument."""
    arguments = [
        p for p in entry["parameters"]
        if "f90_parameter" not in p["suppress"].split() and (large or not p["large_only"]) and p["kind"] != "VARARGS"
    ]
    return len(arguments) + sum(p["kind"].startswith("STRING") and p["kind"] != "STRING_LENGTH" for p in arguments)


def fortran_names(name):
    """What a linker calls the mpif.h form, for the compilers that there are, and PMPI's."""
    name = name.lower()
    return [f"{name}_", f"{name}__", name, name.upper(), f"p{name}_"]


def f08_names(name, entry, large):
    """What a linker calls the mpi_f08 form: (buffers by reference, buffers by descriptor).

    The standard's names for the specific procedures (MPI 4.1, §19.1.5), and those of
    MPICH for large counts. Large counts and descriptors need not be looked into: their
    binding calls the C form.
    """
    name = name.lower()
    choice = any(p["kind"] == "BUFFER" for p in entry["parameters"])
    if large:
        ends = ["c_f08_", "f08_large_"] + ["c_f08ts_", "f08ts_large_"] * choice
        return [], [f"{name}_{end}" for end in ends]
    return [f"{name}_f08_"], [f"{name}_f08ts_"] * choice


def wanted(entry):
    attributes = entry["attributes"]
    return (
        attributes["c_expressible"]
        and not attributes["callback"]
        and not attributes["predefined_function"]
        and entry["return_kind"] in ("ERROR_CODE", "ERROR_CLASS")
        and not EXCLUDED.fullmatch(entry["name"])
    )


def rows(apis):
    """Yields (name, C arguments, number of Fortran arguments or None, mpi_f08's names, number of its arguments)."""
    none = ([], [])
    for entry in filter(wanted, apis.values()):
        name, attributes = entry["name"], entry["attributes"]
        in_mpif = attributes["f90_expressible"] and not attributes["not_with_mpif"]
        in_f08 = attributes["f08_expressible"]
        count = fortran_count(entry)
        yield name, c_args(entry, False), count if in_mpif else None, f08_names(name, entry, False) if in_f08 else none, count
        if any(p["kind"].startswith("POLY") for p in entry["parameters"]):
            names = f08_names(name, entry, True) if in_f08 else none
            yield name + "_c", c_args(entry, True), None, names, fortran_count(entry, True)
    for name, args in REMOVED:
        yield name, args, len(args) + 1, none, 0


HEAD = """\
//! Every MPI call as data: one row of [`FUNCTIONS`] each, sorted by name.
//!
//! Written by `chore/make_table.py` from PyPI's `pympistandard` 0.2.0 (MIT
//! licence); change that program, not this file.

use crate::function::{arr, ptr, val, Direction::*, Function, Kind::*, Role};
"""

MACRO_DOC = """\
/// Calls `callback!` once, with a row for every function of the table.
///
/// A row is `(index, C name, PMPI's, [C arguments], [Fortran names], [Fortran arguments],
/// [names in mpi_f08], [those of bindings that call C], [arguments in mpi_f08])`, the
/// lists empty where `mpif.h` or `mpi_f08` has no such call. Fortran arguments include
/// `ierror` and one hidden length by value for each CHARACTER argument.
///
/// ```
/// macro_rules! count {
///     ($(($index:literal, $c:ident, $p:ident, $args:tt, $f:tt, $b:tt, $f08:tt, $binding:tt, $d:tt))*) => {
///         const N: usize = [$($index),*].len();
///     };
/// }
/// mpi_abi::for_each_function!(count);
/// assert_eq!(N, mpi_abi::FUNCTIONS.len());
/// ```
#[macro_export]
macro_rules! for_each_function {
    ($($callback:tt)+) => {
        $($callback)+! {"""


def write(apis, out):
    table = sorted(rows(apis))
    assert len({name.upper() for name, *_ in table}) == len(table), "names must differ"
    out(HEAD)
    out("/// The functions that a tool may wrap, sorted by name; a [`FunctionId`](crate::FunctionId) is an index.")
    out("pub static FUNCTIONS: &[Function] = &[")
    for name, args, fortran, *_ in table:
        listed = ", ".join(f'{how}("{arg}", {what}' + (")" if how == V else f", {way})") for arg, what, how, way in args)
        out(f'    Function {{ name: "{name}", role: Role::{role(name)}, fortran: {str(fortran is not None).lower()}, args: &[{listed}] }},')
    out("];\n")
    out("/// A constant for every function: `id::MPI_SEND` is that of `MPI_Send`.")
    out('#[allow(missing_docs, reason = "one constant per function, named as it")]\npub mod id {\n    use crate::FunctionId;\n')
    for index, (name, *_) in enumerate(table):
        out(f"    pub const {name.upper()}: FunctionId = FunctionId({index});")
    out("}\n")
    out(MACRO_DOC)
    idents = lambda count: "[" + " ".join(f"a{i}" for i in range(count)) + "]"
    names = lambda names: "[" + " ".join(names) + "]"
    for index, (name, args, fortran, (f08, binding), f08_count) in enumerate(table):
        mpif = fortran_names(name) if fortran is not None else []
        f08_count = f08_count if f08 or binding else 0
        columns = [idents(len(args)), names(mpif), idents(fortran or 0), names(f08), names(binding), idents(f08_count)]
        out(f"            ({index}, {name}, P{name}, {', '.join(columns)})")
    out("        }\n    };\n}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1]) as file:
        write(json.load(file), print)
