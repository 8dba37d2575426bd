// C++'s own threads, one of which ends by an exception that its function catches.
#include <mpi.h>
#include <cstdio>
#include <stdexcept>
#include <thread>
#include <vector>

int main(int argc, char **argv)
{
    int provided, rank, sum = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<int> got(4);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([&, i] { // thread
            try {
                int mine = i;
                MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, i, &got[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
                if (i == 2)
                    throw std::runtime_error("two");
            } catch (const std::runtime_error &) {
                got[i] += 10;
            }
        });
    for (auto &thread : threads)
        thread.join();
    for (int i = 0; i < 4; i++)
        sum += got[i];
    MPI_Finalize();
    std::printf("rank %d: %s\n", rank, sum == 16 ? "ok" : "wrong");
}
