// Functions of C++ that no other file sees: debug information has the last part of their names alone.
// A class has one of that name that calls MPI, and that is called only with an argument. Prints
// `inner: ok`.
#include <mpi.h>

#include <cstdio>

namespace {
volatile int sum;

__attribute__((noinline)) void tiny(int n) {
    sum = sum + n;
}
} // namespace

struct Halo {
    __attribute__((noinline)) void tiny() {
        MPI_Barrier(MPI_COMM_WORLD);
    }
};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int n = 0; n < 7500; n++)
        tiny(1);
    Halo halo;
    if (argc > 1)
        halo.tiny();
    if (rank == 0)
        std::puts(sum == 7500 ? "inner: ok" : "inner: WRONG");
    MPI_Finalize();
}
