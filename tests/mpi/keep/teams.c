/* Two ranks exchange a message after each parallel region: teams TIMES. The n-th message has n
 * bytes. Prints `teams: right`. Needs -fopenmp.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONGEST = 1024 };

int main(int argc, char **argv)
{
    static char in[LONGEST], out[LONGEST];
    int level, rank, sum = 0, wrong = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int times = atoi(argv[1]);
    for (int i = 0; i < times; i++) {
        MPI_Status status;
        int count;
#pragma omp parallel num_threads(2)
        {
#pragma omp critical
            sum++;
#pragma omp barrier
#pragma omp single
            {
#pragma omp task
                out[0]++;
            }
        }
        MPI_Sendrecv(out, i + 1, MPI_BYTE, 1 - rank, 0, in, LONGEST, MPI_BYTE, 1 - rank, 0,
                     MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        wrong += count != i + 1;
    }
    if (rank == 0)
        puts(wrong == 0 && sum == 2 * times ? "teams: right" : "teams: WRONG");
    MPI_Finalize();
    return 0;
}
