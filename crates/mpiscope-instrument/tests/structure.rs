//! What the structure of a source is, for each language.
#![forbid(unsafe_code)]

use expect_test::{expect, Expect};
use mpiscope_instrument::{instrument, Dialect, Options, Source};
use mpiscope_model::structure::Kind;

fn check(text: &str, dialect: Dialect, expected: Expect) {
    let source = Source {
        text: text.as_bytes(),
        file: "a",
        directory: "/",
        dialect,
    };
    let found = instrument(&source, &Options::default()).unwrap().structure;
    let mut told = String::new();
    let mut depth = vec![0; found.statements.len()];
    for (number, statement) in found.statements.iter().enumerate() {
        depth[number] = statement
            .parent
            .map_or(0, |parent| depth[parent as usize] + 1);
        let kind = match statement.kind {
            Kind::Procedure => "procedure",
            Kind::Loop => "loop",
            Kind::Call => "call",
            Kind::Communication => "communication",
        };
        let indent = "  ".repeat(depth[number]);
        let silent = if statement.probe { "" } else { " (no probe)" };
        told += &format!(
            "{indent}{}-{} {kind} {}{silent}\n",
            statement.line, statement.end, statement.name
        );
    }
    for left in &found.left_alone {
        told += &format!(
            "{}: {} is left alone: it {}\n",
            left.line, left.name, left.reason
        );
    }
    expected.assert_eq(&told);
}

#[test]
fn c_has_procedures_loops_calls_and_communication() {
    check(
        "\
static double relax(double *a, int n) {
  double d = 0;
  for (int i = 1; i < n; i++) d += fabs(a[i]);
  for (int i = 0; i < n; i++) {
    MPI_Sendrecv(a, 1, MPI_DOUBLE,
                 0, 0);
    while (more(i)) d = f(g(i));
  }
  return d;
}
",
        Dialect::C,
        expect![[r#"
            1-10 procedure relax
              3-3 loop for (no probe)
              4-8 loop for
                5-6 communication MPI_Sendrecv (no probe)
                7-7 loop while
                  7-7 call more
                  7-7 call f
                  7-7 call g (no probe)
        "#]],
    );
}

#[test]
fn cxx_names_are_qualified() {
    check(
        "\
namespace grid {
template <class T> struct Field {
  Field() : size(count()) {}
  T sum() const { for (auto x : data) add(x); return std::accumulate(f, g); }
  constexpr int dim() const { return 2; }
};
}
void run() { each([](int i) { work(i); }); }
",
        Dialect::Cxx,
        expect![[r#"
            3-3 procedure grid::Field::Field
            4-4 procedure grid::Field::sum
              4-4 loop for
                4-4 call add
              4-4 call std::accumulate
            5-5 procedure grid::Field::dim (no probe)
            8-8 procedure run
              8-8 call each
              8-8 procedure run::(lambda)
                8-8 call work
            5: grid::Field::dim is left alone: it is constexpr: the compiler may execute it
        "#]],
    );
}

#[test]
fn fortran_tells_functions_from_arrays_and_spells_mpi_as_the_standard() {
    check(
        "\
module halo
contains
  subroutine exchange(a)
    real :: a(10)
    do i = 1, 10
      a(i) = weight(i)
      call MPI_SEND(a, 1)
    end do
    if (a(1) > 2) call mpi_barrier(comm)
  end subroutine
  real function weight(i)
    weight = b(i)
  end function
  pure real function b(i)
    b = i
  end function
end module
",
        Dialect::Free,
        expect![[r#"
            3-10 procedure halo::exchange
              5-8 loop do
                6-6 call weight
                7-7 communication MPI_Send (no probe)
              9-9 communication MPI_Barrier (no probe)
            11-13 procedure halo::weight
              12-12 call b
            14-16 procedure halo::b (no probe)
            14: halo::b is left alone: it is pure
        "#]],
    );
}

#[test]
fn loops_that_share_their_end_are_one_to_the_probes() {
    check(
        "      subroutine s(a, n)
      do 10 i = 1, n
      do 10 j = 1, n
   10 call t(a, i, j)
      end
",
        Dialect::Fixed { columns: 72 },
        expect![[r#"
            1-5 procedure s
              2-4 loop do
                3-4 loop do (no probe)
                4-4 call t (no probe)
        "#]],
    );
}
