// Functions of C++ that the compiler instruments: of a namespace, a class, a template. Prints
// `templates: ok`.
#include <mpi.h>

#include <cstdio>

namespace heat {
template <class T> __attribute__((noinline)) T twice(T x) {
    return x + x;
}

struct Grid {
    __attribute__((noinline)) int step(int n) const {
        return twice(n);
    }
};
} // namespace heat

__attribute__((noinline)) int helper(int n) {
    return n + 1;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    heat::Grid grid;
    volatile int sum = 0;
    for (int i = 0; i < 10; i++)
        sum = sum + grid.step(i) + helper(i) + heat::twice(i) + int(heat::twice(0.5));
    int own = sum, all = 0, rank = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        std::puts(all == own && own == 245 ? "templates: ok" : "templates: WRONG");
    MPI_Finalize();
}
