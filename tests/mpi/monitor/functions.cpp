// Functions that an exception leaves, and one of a class.
#include <mpi.h>
#include <stdexcept>

namespace grid {
class Solver {
public:
    __attribute__((noinline)) void refuse(int step)
    {
        if (step % 2)
            throw std::runtime_error("odd");
    }
    __attribute__((noinline)) void step(int number)
    {
        refuse(number);
        MPI_Barrier(MPI_COMM_WORLD);
    }
};
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    grid::Solver solver;
    for (int i = 0; i < 6; i++)
        try {
            solver.step(i);
        } catch (std::runtime_error &) {
        }
    MPI_Finalize();
}
