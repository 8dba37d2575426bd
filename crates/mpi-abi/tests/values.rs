//! The values of the three interfaces, against what programs compiled with each
//! `mpi.h` print: those kept in `tests/values`, and one made here for every MPI installed.

mod installed;

use std::ffi::CStr;
use std::fs;
use std::path::Path;

use installed::for_each_header;
use mpi_abi::{Abi, Family, LibraryVersion};
use serde_json::Value;

/// What a field of `Abi` is compared with: where a program's output has it.
type Field = (&'static str, &'static str, fn(&Abi) -> i64);

/// A row per field that all files know.
const FIELDS: &[Field] = &[
    ("sizes", "MPI_Comm", |a| a.handle_size as i64),
    ("sizes", "MPI_Request", |a| a.handle_size as i64),
    ("sizes", "MPI_Datatype", |a| a.handle_size as i64),
    ("sizes", "MPI_Status", |a| a.status.size as i64),
    ("status_offsets", "MPI_SOURCE", |a| a.status.source as i64),
    ("status_offsets", "MPI_TAG", |a| a.status.tag as i64),
    ("status_offsets", "MPI_ERROR", |a| a.status.error as i64),
    ("integers", "MPI_ANY_SOURCE", |a| a.any_source.into()),
    ("integers", "MPI_ANY_TAG", |a| a.any_tag.into()),
    ("integers", "MPI_PROC_NULL", |a| a.proc_null.into()),
    ("integers", "MPI_ROOT", |a| a.root.into()),
    ("integers", "MPI_UNDEFINED", |a| a.undefined.into()),
    ("integers", "MPI_SUCCESS", |a| a.success.into()),
    ("integers", "MPI_ERR_IN_STATUS", |a| a.err_in_status.into()),
    ("integers", "MPI_ERR_PENDING", |a| a.err_pending.into()),
    ("integers", "MPI_ERR_TRUNCATE", |a| a.err_truncate.into()),
    ("integers", "MPI_IDENT", |a| a.ident.into()),
    ("integers", "MPI_CONGRUENT", |a| a.congruent.into()),
    ("integers", "MPI_COMM_TYPE_SHARED", |a| {
        a.comm_type_shared.into()
    }),
    ("integers", "MPI_LOCK_SHARED", |a| a.lock_shared.into()),
    ("integers", "MPI_MODE_NOPRECEDE", |a| {
        a.mode_noprecede.into()
    }),
    ("integers", "MPI_KEYVAL_INVALID", |a| {
        a.keyval_invalid.into()
    }),
    ("integers", "MPI_TAG_UB", |a| a.tag_ub.into()),
    ("integers", "MPI_THREAD_SINGLE", |a| a.thread.single.into()),
    ("integers", "MPI_THREAD_FUNNELED", |a| {
        a.thread.funneled.into()
    }),
    ("integers", "MPI_THREAD_SERIALIZED", |a| {
        a.thread.serialized.into()
    }),
    ("integers", "MPI_THREAD_MULTIPLE", |a| {
        a.thread.multiple.into()
    }),
    ("integers", "MPI_MAX_OBJECT_NAME", |a| {
        a.max_object_name as i64
    }),
    ("integers", "MPI_MAX_PROCESSOR_NAME", |a| {
        a.max_processor_name as i64
    }),
    ("sentinels", "MPI_BOTTOM", |a| a.bottom as i64),
    ("sentinels", "MPI_IN_PLACE", |a| a.in_place as i64),
    ("sentinels", "MPI_STATUS_IGNORE", |a| a.status_ignore as i64),
    ("sentinels", "MPI_STATUSES_IGNORE", |a| {
        a.statuses_ignore as i64
    }),
    ("handles", "MPI_COMM_WORLD", |a| a.comm_world as i64),
    ("handles", "MPI_COMM_SELF", |a| a.comm_self as i64),
    ("handles", "MPI_COMM_NULL", |a| a.comm_null as i64),
    ("handles", "MPI_GROUP_NULL", |a| a.group_null as i64),
    ("handles", "MPI_GROUP_EMPTY", |a| a.group_empty as i64),
    ("handles", "MPI_REQUEST_NULL", |a| a.request_null as i64),
    ("handles", "MPI_MESSAGE_NULL", |a| a.message_null as i64),
    ("handles", "MPI_MESSAGE_NO_PROC", |a| {
        a.message_no_proc as i64
    }),
    ("handles", "MPI_DATATYPE_NULL", |a| a.datatype_null as i64),
    ("handles", "MPI_OP_NULL", |a| a.op_null as i64),
    ("handles", "MPI_WIN_NULL", |a| a.win_null as i64),
    ("handles", "MPI_FILE_NULL", |a| a.file_null as i64),
    ("handles", "MPI_INFO_NULL", |a| a.info_null as i64),
    ("handles", "MPI_ERRORS_ARE_FATAL", |a| {
        a.errors_are_fatal as i64
    }),
    ("handles", "MPI_ERRORS_RETURN", |a| a.errors_return as i64),
    ("handles", "MPI_BYTE", |a| a.byte as i64),
    ("handles", "MPI_CHAR", |a| a.char as i64),
    ("handles", "MPI_INT", |a| a.int as i64),
    ("handles", "MPI_INT64_T", |a| a.int64 as i64),
    ("handles", "MPI_UINT64_T", |a| a.uint64 as i64),
    ("handles", "MPI_DOUBLE", |a| a.double as i64),
    ("handles", "MPI_MAX", |a| a.max as i64),
    ("handles", "MPI_MIN", |a| a.min as i64),
    ("handles", "MPI_SUM", |a| a.sum as i64),
    ("handles", "MPI_LAND", |a| a.land as i64),
];

/// A row per constant of files.
const FILES: &[Field] = &[
    ("integers", "MPI_MODE_CREATE", |a| {
        a.file_modes().create.into()
    }),
    ("integers", "MPI_MODE_RDONLY", |a| {
        a.file_modes().rdonly.into()
    }),
    ("integers", "MPI_MODE_WRONLY", |a| {
        a.file_modes().wronly.into()
    }),
    ("integers", "MPI_MODE_RDWR", |a| a.file_modes().rdwr.into()),
    ("integers", "MPI_MODE_DELETE_ON_CLOSE", |a| {
        a.file_modes().delete_on_close.into()
    }),
    ("integers", "MPI_MODE_UNIQUE_OPEN", |a| {
        a.file_modes().unique_open.into()
    }),
    ("integers", "MPI_MODE_EXCL", |a| a.file_modes().excl.into()),
    ("integers", "MPI_MODE_APPEND", |a| {
        a.file_modes().append.into()
    }),
    ("integers", "MPI_MODE_SEQUENTIAL", |a| {
        a.file_modes().sequential.into()
    }),
    ("integers", "MPI_SEEK_SET", |a| a.seek.set.into()),
    ("integers", "MPI_SEEK_CUR", |a| a.seek.cur.into()),
    ("integers", "MPI_SEEK_END", |a| a.seek.end.into()),
];

/// A number that stands for an object's address, made from its name.
fn pretend_address(name: &str) -> i64 {
    name.bytes().fold(7, |hash: i64, b| {
        hash.wrapping_mul(31).wrapping_add(b.into()) & 0xffff_ffff_ffff
    })
}

fn abi_of(family: Family) -> Abi {
    let pretend = |name: &CStr| Some(pretend_address(name.to_str().unwrap()) as usize);
    match family {
        Family::OpenMpi => Abi::open_mpi(pretend).unwrap(),
        Family::Mpich => Abi::mpich(),
        Family::StandardAbi => Abi::standard(),
    }
}

/// Reads a value of a file: a number, or the name of an object.
fn expected(value: &Value) -> i64 {
    match value.get("symbol") {
        Some(symbol) => pretend_address(symbol.as_str().unwrap()),
        None => value
            .as_i64()
            .unwrap_or_else(|| panic!("{value} is no number")),
    }
}

#[test]
fn the_values_are_those_of_six_libraries() {
    let files = [
        ("openmpi-4.1", Family::OpenMpi, "Open MPI 4.1.4"),
        ("openmpi-5.0", Family::OpenMpi, "Open MPI 5.0.11"),
        ("mpich-4.0", Family::Mpich, "MPICH "),
        ("mpich-5.0", Family::Mpich, "MPICH 5.0.2"),
        ("intel-mpi-2021", Family::Mpich, "Intel MPI 2021.18.1"),
        ("standard-abi-mpich-5.0", Family::StandardAbi, "MPICH 5.0.2"),
    ];
    for (file, family, version) in files {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/values/{file}.json"));
        let values: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let abi = abi_of(family);
        for (section, name, ours) in FIELDS {
            assert_eq!(
                ours(&abi),
                expected(&values[section][name]),
                "{file}: {name}"
            );
        }
        let library = LibraryVersion::parse(values["library"].as_str().unwrap());
        assert_eq!(library.to_string(), version, "{file}");
    }
}

/// Returns a C expression for a row, of an integer type.
fn expression(section: &str, name: &str) -> String {
    match section {
        "sizes" => format!("sizeof({name})"),
        "status_offsets" => format!("offsetof(MPI_Status, {name})"),
        "integers" => format!("(int){name}"),
        _ => format!("(intptr_t){name}"),
    }
}

/// An object of Open MPI's is printed by name, from the symbol that the compiler used.
const PRINT_HANDLE: &str = "
static void handle(const char *name, intptr_t value) {
    Dl_info info;
    if (sizeof(MPI_Comm) == 8 && value && dladdr((void *)value, &info) && info.dli_sname)
        printf(\"%s %s\\n\", name, info.dli_sname);
    else
        printf(\"%s %lld\\n\", name, (long long)value);
}
";

#[test]
fn the_values_are_those_of_each_mpi_h_installed() {
    for_each_header(|header| {
        let mut source = "#define _GNU_SOURCE\n#include <mpi.h>\n#include <dlfcn.h>\n\
            #include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n"
            .to_owned();
        source += PRINT_HANDLE;
        source += "int main(void) {\n";
        let extra: Field = ("integers", "MPI_WTIME_IS_GLOBAL", |a| {
            a.wtime_is_global.into()
        });
        let fields: Vec<_> = FIELDS.iter().chain([&extra]).chain(FILES).collect();
        for (section, name, _) in &fields {
            let value = expression(section, name);
            source += &match *section {
                "handles" => format!("handle(\"{name}\", {value});\n"),
                _ => format!("printf(\"%s %lld\\n\", \"{name}\", (long long){value});\n"),
            };
        }
        let printed = header.run(&(source + "}\n"));
        let says = match header.environment {
            "intel" => "Intel(R) MPI Library",
            _ => "",
        };
        let abi = abi_of(header.family).as_in(says);
        assert_eq!(printed.lines().count(), fields.len());
        for (line, (_, name, ours)) in printed.lines().zip(&fields) {
            let value = line.strip_prefix(name).unwrap().trim();
            let expected = value.parse().unwrap_or_else(|_| pretend_address(value));
            assert_eq!(ours(&abi), expected, "{header:?}: {line}");
        }
    });
}

#[test]
fn handles_of_four_bytes_are_read_and_compared_as_such() {
    let array = [0x2c00_0000u32, 0x9800_0001];
    // SAFETY: the array has two handles of four bytes.
    let second = unsafe { Abi::mpich().handle_at(array.as_ptr().cast(), 1) };
    assert_eq!(second, 0x9800_0001);
    // As sign extension, or what was left in the register, would have it.
    assert_eq!(Abi::mpich().normalise(0xffff_ffff_9800_0001), second);
    assert_eq!(Abi::standard().normalise(usize::MAX), usize::MAX);
}

#[test]
fn handles_of_eight_bytes_are_read_and_written() {
    let mut array = [1usize, 2, 3];
    let abi = Abi::standard();
    // SAFETY: the array has three handles of eight bytes.
    let third = unsafe {
        abi.set_handle_at(array.as_mut_ptr().cast(), 2, usize::MAX);
        abi.handle_at(array.as_ptr().cast(), 2)
    };
    assert_eq!((array, third), ([1, 2, usize::MAX], usize::MAX));
}
