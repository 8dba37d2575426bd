//! The table against itself, against what libraries export, and against each `mpi.h`.

mod installed;

use std::collections::BTreeSet;
use std::fmt::Write;

use installed::{exported_functions, for_each_mpi, Installed};
use mpi_abi::{id, Direction, Function, FunctionId, Kind, Passing, Role, FUNCTIONS};

#[test]
fn functions_are_found_by_name() {
    for (index, function) in FUNCTIONS.iter().enumerate() {
        assert_eq!(
            FunctionId::find(function.name),
            Some(FunctionId(index as u16))
        );
    }
    assert_eq!(FunctionId::find("MPI_Wtime"), None);
    assert_eq!(id::MPI_SEND.function().name, "MPI_Send");
    assert_eq!(id::MPI_WIN_WAIT.function().name, "MPI_Win_wait");
}

#[test]
fn large_counts_are_found_by_the_others() {
    for (index, function) in FUNCTIONS.iter().enumerate() {
        let large = FunctionId::find(&format!("{}_c", function.name));
        assert_eq!(
            FunctionId(index as u16).large_count(),
            large,
            "{}",
            function.name
        );
    }
    assert_eq!(id::MPI_GET.large_count(), Some(id::MPI_GET_C));
}

#[test]
fn a_number_out_of_range_is_no_panic() {
    FunctionId(u16::MAX).function();
}

/// (name, C parameters, Fortran names, Fortran parameters, names in mpi_f08, parameters
/// there), as the macro gives them.
type Row = (
    &'static str,
    usize,
    &'static [&'static str],
    usize,
    &'static [&'static str],
    usize,
);

macro_rules! count {
    ($((
        $index:literal, $c:ident, $p:ident, [$($a:ident)*],
        [$($f:ident)*], [$($b:ident)*],
        [$($f08:ident)*], [$($binding:ident)*], [$($d:ident)*]
    ))*) => {
        const ROWS: &[Row] = &[$((
            stringify!($c),
            <[&str]>::len(&[$(stringify!($a)),*]),
            &[$(stringify!($f)),*],
            <[&str]>::len(&[$(stringify!($b)),*]),
            &[$(stringify!($f08),)* $(stringify!($binding)),*],
            <[&str]>::len(&[$(stringify!($d)),*]),
        )),*];
    };
}
mpi_abi::for_each_function!(count);

#[test]
fn the_macro_and_the_table_agree() {
    assert_eq!(ROWS.len(), FUNCTIONS.len());
    for (row, function) in ROWS.iter().zip(FUNCTIONS) {
        assert_eq!((row.0, row.1), (function.name, function.args.len()));
        assert_eq!(!row.2.is_empty(), function.fortran, "{}", row.0);
    }
}

/// Draws one row: role, C arguments, number of Fortran arguments.
fn draw(name: &str) -> String {
    let function = FunctionId::find(name).unwrap().function();
    let row = ROWS.iter().find(|row| row.0 == name).unwrap();
    let mut text = format!("{:?}:", function.role);
    for arg in function.args {
        let sign = match (arg.passing, arg.direction) {
            (Passing::Array, _) => "[]",
            (Passing::Reference, Direction::In) => "&",
            (Passing::Reference, _) => "&mut",
            (Passing::Value, _) => "",
        };
        write!(text, " {}={sign}{:?}", arg.name, arg.kind).unwrap();
    }
    format!("{text} / {}", row.3)
}

#[test]
fn rows_say_what_the_standard_says() {
    let cases = [
        ("MPI_Recv", "Point2Point: buf=Buffer count=Count datatype=Datatype source=Rank tag=Tag comm=Comm status=&mutStatus / 8"),
        ("MPI_Isend_c", "Point2Point: buf=Buffer count=LargeCount datatype=Datatype dest=Rank tag=Tag comm=Comm request=&mutRequest / 0"),
        ("MPI_Waitall", "Point2Point: count=Int array_of_requests=[]Request array_of_statuses=[]Status / 4"),
        ("MPI_Bcast", "CollOne2All: buffer=Buffer count=Count datatype=Datatype root=Rank comm=Comm / 6"),
        ("MPI_Init", "Function: argc=&mutInt argv=[]Other / 1"),
        ("MPI_Pcontrol", "Function: level=Int varargs=Other / 1"),
        // One hidden length for each CHARACTER argument.
        ("MPI_Comm_set_name", "Function: comm=Comm comm_name=&String / 4"),
        ("MPI_Get_processor_name", "Function: name=&mutString resultlen=&mutInt / 4"),
        ("MPI_File_open", "FileIo: comm=Comm filename=&String amode=Int info=Info fh=&mutFile / 7"),
        ("MPI_Cancel", "Point2Point: request=&Request / 2"),
    ];
    for (name, expected) in cases {
        assert_eq!(draw(name), expected, "{name}");
    }
}

#[test]
fn names_are_those_that_compilers_give() {
    let row = |name: &str| ROWS.iter().find(|row| row.0 == name).unwrap();
    let send = row("MPI_Send");
    let spellings = [
        "mpi_send_",
        "mpi_send__",
        "mpi_send",
        "MPI_SEND",
        "pmpi_send_",
    ];
    assert_eq!(send.2, spellings);
    assert_eq!(
        (send.4, send.5),
        (&["mpi_send_f08_", "mpi_send_f08ts_"][..], 7)
    );
    assert_eq!(row("MPI_Wait").4, ["mpi_wait_f08_"]);
    let large = row("MPI_Type_size_c");
    assert_eq!(
        large.4,
        ["mpi_type_size_c_f08_", "mpi_type_size_f08_large_"]
    );
    assert_eq!((large.2.len(), large.5), (0, 3));
}

#[test]
fn roles_follow_otf2() {
    let cases = [
        ("MPI_Iallreduce", Role::CollAll2All),
        ("MPI_Reduce_scatter_block", Role::CollAll2All),
        ("MPI_Reduce", Role::CollAll2One),
        ("MPI_Gatherv_init", Role::CollAll2One),
        ("MPI_Scatterv", Role::CollOne2All),
        ("MPI_Exscan", Role::CollOther),
        ("MPI_Ibarrier", Role::Barrier),
        ("MPI_Testsome", Role::Point2Point),
        ("MPI_Test_cancelled", Role::Function),
        ("MPI_Reduce_local", Role::Function),
        ("MPI_Get", Role::Rma),
        ("MPI_Get_count", Role::Function),
        ("MPI_Win_lock", Role::Rma),
        ("MPI_Win_set_name", Role::Function),
        ("MPI_File_read_all", Role::FileIo),
    ];
    for (name, role) in cases {
        assert_eq!(
            FunctionId::find(name).unwrap().function().role,
            role,
            "{name}"
        );
    }
}

/// Tells whether a C function is left out on purpose: it converts, asks for a
/// version or the time, or is not called by programs.
fn is_excluded(name: &str) -> bool {
    let exact = [
        "MPI_Get_version",
        "MPI_Get_library_version",
        "MPI_Wtime",
        "MPI_Wtick",
        "MPI_Aint_add",
        "MPI_Aint_diff",
        "MPI_F_sync_reg",
        "MPI_Sizeof",
        "MPI_CONVERSION_FN_NULL",
        "MPI_CONVERSION_FN_NULL_c",
    ];
    let start = ["MPI_T_", "MPI_Abi_"];
    let end = [
        "_c2f", "_f2c", "_c2f08", "_f082c", "_f2f08", "_f082f", "_fromint", "_toint", "_FN",
    ];
    exact.iter().any(|e| e.eq_ignore_ascii_case(name))
        || start.iter().any(|s| starts_with(name, s))
        || end
            .iter()
            .any(|e| name.to_ascii_lowercase().ends_with(&e.to_ascii_lowercase()))
}

fn starts_with(name: &str, start: &str) -> bool {
    name.get(..start.len())
        .is_some_and(|s| s.eq_ignore_ascii_case(start))
}

#[test]
fn every_exported_c_function_has_a_row() {
    for_each_mpi("mpicc", |mpi| {
        let exported: Vec<_> = mpi
            .libraries("mpicc")
            .iter()
            .flat_map(|l| exported_functions(l))
            .collect();
        let ours = exported.iter().filter(|name| name.starts_with("MPI_"));
        // `MPI_SEND` is Fortran's, for compilers that write capitals.
        let c = ours.filter(|name| name.chars().any(|c| c.is_ascii_lowercase()));
        let missing: Vec<_> = c
            .filter(|name| !is_excluded(name) && FunctionId::find(name).is_none())
            .collect();
        assert!(exported.len() > 300, "{mpi:?}");
        assert_eq!(missing, Vec::<&String>::new(), "{mpi:?}");
    });
}

/// Names that are no calls of `mpif.h`: those of the other modules.
fn is_of_another_module(name: &str) -> bool {
    ["_f90_", "_f08_", "_f08ts_", "_large_", "_cptr_"]
        .iter()
        .any(|end| name.ends_with(end))
        || name.starts_with("mpi_sizeof")
}

#[test]
fn every_exported_fortran_function_has_a_row() {
    for_each_mpi("mpifort", |mpi| {
        let exported = mpi
            .libraries("mpifort")
            .iter()
            .flat_map(|l| exported_functions(l))
            .collect::<BTreeSet<_>>();
        let single = exported
            .iter()
            .filter(|n| n.starts_with("mpi_") && n.ends_with('_') && !n.ends_with("__"));
        let single: Vec<_> = single.filter(|name| !is_of_another_module(name)).collect();
        assert!(single.len() > 300, "{mpi:?}");
        let known: BTreeSet<_> = ROWS.iter().flat_map(|row| row.2).copied().collect();
        let missing: Vec<_> = single
            .into_iter()
            .filter(|name| {
                !known.contains(name.as_str()) && !is_excluded(name.trim_end_matches('_'))
            })
            .collect();
        assert_eq!(missing, Vec::<&String>::new(), "{mpi:?}");
    });
}

#[test]
fn every_exported_function_of_mpi_f08_has_a_row() {
    for_each_mpi("mpifort", |mpi| {
        let exported = mpi
            .libraries("mpifort")
            .iter()
            .flat_map(|l| exported_functions(l))
            .collect::<BTreeSet<_>>();
        let ends = ["_f08_", "_f08ts_", "_f08_large_", "_f08ts_large_"];
        let is_f08 = |name: &&String| ends.iter().any(|end| name.ends_with(end));
        let f08: Vec<_> = (exported.iter())
            .filter(|name| name.starts_with("mpi_") && is_f08(name))
            .collect();
        assert!(f08.len() > 300, "{mpi:?}");
        let known: BTreeSet<_> = ROWS.iter().flat_map(|row| row.4).copied().collect();
        let stem = |name: &str| name.split("_f08").next().unwrap_or_default().to_owned();
        // MPICH 4.0 names the Fortran of its MPIX_Delete_error_* so.
        let is_extension = |name: &str| name.starts_with("mpi_delete_error_");
        let missing: Vec<_> = (f08.into_iter())
            .filter(|name| !known.contains(name.as_str()) && !is_excluded(&stem(name)))
            .filter(|name| !is_extension(name))
            .collect();
        assert_eq!(missing, Vec::<&String>::new(), "{mpi:?}");
    });
}

/// A program that prints for each function the width of each parameter, or `p`
/// for a pointer that is no handle.
const WIDTHS: &str = "
#include <mpi.h>
#include <cstdio>
#include <type_traits>
template <class A> void width() {
    using Target = std::remove_cv_t<std::remove_pointer_t<A>>;
    bool handle = std::is_class<Target>::value && !std::is_same<Target, MPI_Status>::value;
    if (std::is_pointer<A>::value && !handle) std::printf(\" p\");
    else std::printf(\" %zu\", sizeof(A));
}
template <class... A> void print(const char *name, int (*)(A...)) {
    std::printf(\"%s\", name);
    (width<A>(), ...);
    std::printf(\"\\n\");
}
int main() {
";

/// The width that the table gives to an argument, in the words of that program.
fn width(mpi: Installed, function: &Function, index: usize) -> &'static str {
    let arg = function.args[index];
    let handle = if mpi.name == "mpich" { "4" } else { "8" };
    match (arg.passing, arg.kind) {
        (Passing::Reference | Passing::Array, _) => "p",
        (
            Passing::Value,
            Kind::Count | Kind::Int | Kind::Flag | Kind::Rank | Kind::Tag | Kind::Keyval,
        ) => "4",
        (Passing::Value, Kind::LargeCount | Kind::Address | Kind::Offset | Kind::File) => "8",
        (
            Passing::Value,
            Kind::Buffer | Kind::Callback | Kind::Other | Kind::String | Kind::Status,
        ) => "p",
        (Passing::Value, _) => handle,
    }
}

#[test]
fn the_table_fits_every_mpi_h() {
    for_each_mpi("mpicxx", |mpi| {
        let exported: BTreeSet<_> = mpi
            .libraries("mpicc")
            .iter()
            .flat_map(|l| exported_functions(l))
            .collect();
        // Open MPI exports what MPI 3.0 removed, but its mpi.h refuses to name it.
        let removed = [
            "MPI_Address",
            "MPI_Errhandler_create",
            "MPI_Errhandler_get",
            "MPI_Errhandler_set",
            "MPI_Type_extent",
            "MPI_Type_hindexed",
            "MPI_Type_hvector",
            "MPI_Type_lb",
            "MPI_Type_struct",
            "MPI_Type_ub",
        ];
        let named = |f: &&Function| {
            exported.contains(f.name)
                && f.name != "MPI_Pcontrol"
                && !(mpi.name == "openmpi" && removed.contains(&f.name))
        };
        let functions: Vec<_> = FUNCTIONS.iter().filter(named).collect();
        assert!(functions.len() > 300);
        let mut source = WIDTHS.to_owned();
        for Function { name, .. } in &functions {
            writeln!(source, "print(\"{name}\", {name});").unwrap();
        }
        let printed = mpi.run("mpicxx", &(source + "}"));
        for (line, function) in printed.lines().zip(&functions) {
            let mut expected = function.name.to_owned();
            for index in 0..function.args.len() {
                write!(expected, " {}", width(mpi, function, index)).unwrap();
            }
            assert_eq!(line, expected, "{mpi:?}: mpi.h, then the table");
        }
        assert_eq!(printed.lines().count(), functions.len());
    });
}
