//! What is done before MPI_Init and after MPI_Finalize.

use super::*;

#[test]
fn main_counts_from_mpi_init_to_mpi_finalize() {
    let picture = |main: (&str, &str)| {
        let (enter, leave) = main;
        run(&format!(
            "0: 0 {enter} 100 enter(MPI_Init) 110 leave(MPI_Init) 210 enter(MPI_Finalize) \
             220 leave(MPI_Finalize) 500 {leave}"
        ))
    };
    let whole = picture(("enter(main)", "leave(main)"));
    assert_eq!(whole.measures.time_ns, 100);
    assert_eq!(whole.of_key(&Key::Region("main".into())), 100);
    assert_eq!(whole.of_key(&Key::Computation), 100);
    assert_eq!(whole.measures.total_ns, 100);
    // What is done before alone is no row.
    let before = picture(("enter(read) 90 leave(read)", ""));
    assert!(!before
        .measures
        .rows
        .contains_key(&Key::Region("read".into())));
    let found = scale(&[whole, run(TWO)], Kind::Strong, None).unwrap();
    let ends = found
        .rows
        .iter()
        .find(|row| row.part == Part::Ends)
        .unwrap();
    assert_eq!(ends.core_ns[0], 0);
}
